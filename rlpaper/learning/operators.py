"""Distances learned from files whose links are known: weighted mean, OWA, Choquet integral, Mahalanobis-like matrix.

All four combine the differences of two standardised records, variable by variable, and are linear in what is learned
(abril2012, section 3; abril2011, section 3). `fit` finds the parameters that link the most records, with a certified
bound on what any parameters can do; that is the worst case of an attacker who chooses the distance best of all.
"""

import itertools
from functools import lru_cache

import numpy as np
import pandas as pd

from ..aggregation import from_mobius, interaction, mobius, shapley
from .._internal.arithmetic import eigen, product
from ..distances import ByColumn, Coordinates, dbrl1
from ..distances.categories import mixed_numbers
from ..distances.prepared import COMPARISONS, column_weights
from ..linkage.distance import check_option
from ._bounds import WIDTH
from ._pairs import Pairs, few_rows
from .base import BLOCK, ROUNDED, Learner
from ._solver import ranges, weightings

ROUNDING = 1e-8  # a distance below zero by no more than this, with parameters and differences of 1, is zero
ASSEMBLED = 2_000_000  # pairs of records up to which all rows are assembled
WARM = 60_000_000  # rows that the weighted mean may look at to give a start


class WeightedMean(Learner):
    """``d^2 = sum_v p_v (z_v(a) - z_v(b))^2`` with weights p >= 0 that sum to 1 (abril2012, Definition 1).

    Categorical columns are taken too, alone or beside numbers: there the distance of `rlpaper.distances.categories` stands
    for the squared difference, as in `rlpaper.distances.mixed`.

    Examples
    --------
    Only one variable says who is who:

    >>> original = pd.DataFrame({"age": [20, 40, 60, 80], "noise": [1, 2, 3, 4]})
    >>> masked = pd.DataFrame({"age": [22, 38, 62, 79], "noise": [3, 4, 1, 2]})
    >>> learned = WeightedMean().fit(original, masked)
    >>> learned.linked_, learned.bound_, learned.status_, learned.parameters_.idxmax()
    (4, 4, 'optimal', 'age')
    """

    _columns = None  # how each column is compared and what divides that; None: squares

    def _numbers(self, original, masked, moments):
        if not _has_categories(original):
            self._columns = None
            return super()._numbers(original, masked, moments)
        x, y, sizes, kinds = mixed_numbers(original, masked, moments, "usual")
        self._columns = list(zip(kinds, sizes))
        return x, y

    def _features(self, differences):
        if self._columns is None:
            return differences**2
        return np.stack(
            [
                COMPARISONS[kind](differences[..., v]) / size
                for v, (kind, size) in enumerate(self._columns)
            ],
            axis=-1,
        )

    def _problem(self, a, b, partner):
        if len(a) * len(b) <= ASSEMBLED or a.shape[1] > WIDTH:
            return super()._problem(a, b, partner)
        pairs = Pairs(a, b, partner, self._columns or [("square", 1)] * a.shape[1])
        equal, random = np.ones(a.shape[1]), np.random.default_rng(0)
        return few_rows(
            pairs,
            np.unique(a, axis=0, return_inverse=True)[1].ravel(),
            weightings(a.shape[1], equal, random),
        )

    def _cone(self, n):
        return np.zeros(n), np.arange(n), np.empty((0, n))

    def _named(self, theta):
        return pd.Series(theta / theta.sum(), self.variables_, name="weight")

    def _flat(self, parameters):
        return parameters.to_numpy()

    def with_parameters(self, original, masked, weights):
        """A copy with weights that were not learned, as if fitted to the files; for comparison.

        Examples
        --------
        >>> file = pd.DataFrame({"age": [20.0, 40.0, 60.0], "income": [1.0, 3.0, 2.0]})
        >>> WeightedMean().with_parameters(file, file, [1, 1]).score(file, file)
        1.0
        """
        other = type(self)(**self.get_params())
        other._fitted, other.variables_ = (original, masked), list(original.columns)
        other.parameters_ = other._named(column_weights(weights, original.columns))
        return other

    def ranges(self, original, masked, steps=10):
        """Least and largest weight of each variable over all weights that link as many records as those learned.

        The files are those given to `fit`. Each end is found by `steps` halvings, each a proof of its own.
        """
        a, b, partner = self._compared(original, masked)
        problem = self._problem(a, b, partner)
        table = ranges(problem, self.parameters_.to_numpy(), steps)
        return pd.DataFrame(table, self.variables_, ["least", "largest"])

    def distance_(self, original, masked):
        """The learned distance: `rlpaper.distances.dbrl1` with weights; where there are categories, that of `mixed`."""
        self._check_fitted(original)
        if _has_categories(original):
            x, y, sizes, kinds = mixed_numbers(original, masked, self._moments(), "usual")
            factors = self.parameters_.to_numpy() / sizes
            widest = np.ptp(np.vstack([x, y]), axis=0)
            farthest = sum(
                factor * COMPARISONS[kind](gap) for kind, factor, gap in zip(kinds, factors, widest)
            )
            return Coordinates(x, y, ByColumn(kinds, factors, unit=ROUNDED * farthest))
        return dbrl1(self._moments(), self.parameters_.to_numpy())(original, masked)

    def _own_constraints(self, n, N):
        return 1 + n


def _has_categories(file):
    return any(isinstance(dtype, pd.CategoricalDtype) for dtype in file.dtypes)


class OWA(Learner):
    """``d^2 = sum_r w_r c_(r)``, the squared differences c from largest to smallest, weights w >= 0 that sum to 1.

    An ordered weighted average of the differences: how much the largest counts, not which variable it is in.
    """

    def _features(self, differences):
        return -np.sort(-(differences**2), axis=-1)

    def _cone(self, n):
        return np.zeros(n), np.arange(n), np.empty((0, n))

    def _named(self, theta):
        return pd.Series(
            theta / theta.sum(), [f"largest {r}" for r in range(1, len(theta) + 1)], name="weight"
        )

    def _flat(self, parameters):
        return parameters.to_numpy()

    def _own_constraints(self, n, N):
        return 1 + n


class _Nesting(Learner):
    """A learner that has the weighted mean as a special case, and starts from its best weights."""

    def _starts(self, a, b, partner, limits):
        mean = WeightedMean()
        quick = {**limits, "work_limit": min(limits["work_limit"] or WARM, WARM)}
        solution, _ = mean._solve(a, b, partner, quick)
        return [self._from_weights(solution.theta), self._from_weights(np.ones(a.shape[1]))]


class Choquet(_Nesting):
    """Choquet integral of the squared differences by a fuzzy measure mu (abril2011, Definition 2).

    ``d^2 = sum_r (c_(r) - c_(r-1)) mu(variables with c >= c_(r))`` with c in increasing order; mu grows with the set,
    from 0 for no variable to 1 for all.

    Parameters
    ----------
    additive : int, optional
        2 allows interactions of pairs of variables only: n (n + 1) / 2 parameters instead of 2^n - 2.

    Attributes
    ----------
    parameters_ : Series
        mu by set of variables, as tuples.
    shapley_ : Series
        Shapley value of each variable: its share of the whole, on average over all orders.
    interaction_ : DataFrame
        Interaction index of each pair, -1 (one can stand for the other) to 1 (both are needed); 0 without interaction.
    """

    def __init__(self, additive=None, standardise="own", direction="m2o"):
        super().__init__(standardise, direction)
        self.additive = additive

    def _check_options(self, n):
        if self.additive not in (None, 2):
            raise ValueError(
                f"additive is {self.additive!r}; it is None (any fuzzy measure) or 2 (pairs)"
            )
        if self.additive is None and n > 10:
            raise ValueError(
                f"a fuzzy measure of {n} variables has {2**n - 2} values; use additive=2 or fewer variables"
            )

    def fit(self, original, masked, **limits):
        super().fit(original, masked, **limits)
        measure = np.concatenate([[0.0], self.parameters_.to_numpy()])
        self.shapley_ = pd.Series(shapley(measure), self.variables_, name="Shapley value")
        self.interaction_ = pd.DataFrame(interaction(measure), self.variables_, self.variables_)
        return self

    fit.__doc__ = Learner.fit.__doc__

    def _table(self):
        """Shapley values, and with whom each variable interacts the most."""
        strongest = self.interaction_.where(~np.eye(len(self.variables_), dtype=bool))
        if len(self.variables_) == 1:
            return self.shapley_.to_frame()
        partner = strongest.abs().idxmax(axis=1)
        return pd.DataFrame(
            {
                "Shapley value": self.shapley_,
                "strongest interaction": partner,
                "index": [strongest.loc[name, other] for name, other in partner.items()],
            }
        ).sort_values("Shapley value", ascending=False)

    def _features(self, differences):
        """Coefficients of mu by set (bit v of a set's number says whether it has variable v), or of the Moebius values."""
        c = differences**2
        n = c.shape[-1]
        if self.additive == 2:
            pairs = [
                np.minimum(c[..., i], c[..., j]) for i, j in itertools.combinations(range(n), 2)
            ]
            return np.concatenate([c, np.stack(pairs, axis=-1)], axis=-1) if pairs else c
        flat = c.reshape(-1, n)
        order = np.argsort(flat, axis=1, kind="stable")
        steps = np.diff(np.take_along_axis(flat, order, axis=1), axis=1, prepend=0.0)
        # Sets of the variables from place r on in the order.
        sets = np.cumsum((1 << order)[:, ::-1], axis=1)[:, ::-1]
        features = np.zeros((len(flat), (1 << n) - 1))
        np.put_along_axis(features, sets - 1, steps, axis=1)
        return features.reshape(*c.shape[:-1], -1)

    def _cone(self, n):
        if self.additive == 2:
            pairs = list(itertools.combinations(range(n), 2))
            d = n + len(pairs)
            rows = []
            for v in range(n):  # what v adds to any set of others
                with_v = [n + p for p, pair in enumerate(pairs) if v in pair]
                for size in range(1, n):
                    for chosen in itertools.combinations(with_v, size):
                        row = np.zeros(d)
                        row[[v, *chosen]] = 1
                        rows.append(row)
            lower = np.r_[np.zeros(n), -np.ones(d - n)]
            faces = np.r_[np.arange(d), ~np.arange(n, d)]
            return lower, faces, np.array(rows).reshape(-1, d)
        whole = (1 << n) - 1
        rows = []
        for larger in range(1, whole + 1):
            for v in range(n):
                smaller = larger & ~(1 << v)
                if smaller and smaller != larger:
                    row = np.zeros(whole)
                    row[larger - 1], row[smaller - 1] = 1, -1
                    rows.append(row)
        # mu of all variables is the largest, so that one face covers everything.
        return np.zeros(whole), np.array([whole - 1]), np.array(rows).reshape(-1, whole)

    def _from_weights(self, weights):
        singles = np.r_[weights, np.zeros(len(weights) * (len(weights) - 1) // 2)]
        return singles if self.additive == 2 else self._of_pairs(singles, len(weights))

    def _named(self, theta):
        n = len(self.variables_)
        theta = self._of_pairs(theta, n) if self.additive == 2 else theta
        sets = [
            tuple(name for v, name in enumerate(self.variables_) if s >> v & 1)
            for s in range(1, 1 << n)
        ]
        return pd.Series(
            theta / theta[-1], pd.Index(sets, tupleize_cols=False, name="variables"), name="mu"
        )

    def _flat(self, parameters):
        measure = parameters.to_numpy()
        if self.additive != 2:
            return measure
        return mobius(np.concatenate([[0.0], measure]))[_small_sets(len(self.variables_))]

    def _of_pairs(self, values, n):
        """The fuzzy measure with these Moebius values of single variables and pairs, empty set left out."""
        moebius = np.zeros(1 << n)
        moebius[_small_sets(n)] = values
        return from_mobius(moebius)[1:]

    def _own_constraints(self, n, N):
        return (
            2 + n * (1 << (n - 1)) - n
        )  # mu of none and of all, and every set against those one larger


def _small_sets(n):
    """Numbers of the sets of one variable and of two."""
    return [1 << v for v in range(n)] + [
        1 << i | 1 << j for i, j in itertools.combinations(range(n), 2)
    ]


@lru_cache(maxsize=None)
def _entries(n):
    """Rows and columns of the entries that a symmetric matrix of n variables is given by, and how often each occurs."""
    i, j = np.triu_indices(n)
    return i, j, np.where(i == j, 1.0, 2.0)


class Mahalanobis(_Nesting):
    """``d^2 = z' A z`` for the differences z, A a symmetric matrix that is learned (abril2011, Definition 3).

    The papers write A as the inverse of a weighting matrix; what enters linearly, and is learned, is the inverse. Its
    scale is free; the absolute values of `parameters_` sum to 1, so that a diagonal A is a weighted mean.

    Parameters
    ----------
    differences : {"signed", "absolute"}
        Of the standardised values. abril2011 takes the square root of a square, which is absolute; signed differences
        are what a Mahalanobis distance is made of.
    positive : {"data", "psd"}
        Distances must not be negative between any linking record and candidate of the files (the papers' linear
        constraints), or between any two records at all (A positive semidefinite, by eigenvector cuts).

    Attributes
    ----------
    parameters_ : DataFrame
        A.
    """

    def __init__(self, differences="signed", positive="data", standardise="own", direction="m2o"):
        super().__init__(standardise, direction)
        self.differences, self.positive = differences, positive

    def _check_options(self, n):
        check_option("differences", self.differences, ("signed", "absolute"))
        check_option("positive", self.positive, ("data", "psd"))

    def _features(self, differences):
        z = np.abs(differences) if self.differences == "absolute" else differences
        i, j, times = _entries(z.shape[-1])
        return z[..., i] * z[..., j] * times

    def _cone(self, n):
        i, j = np.triu_indices(n)
        lower = np.where((i == j) & (self.positive == "psd"), 0.0, -1.0)
        d = len(i)
        # The largest entry of a semidefinite matrix is on its diagonal.
        faces = (
            np.flatnonzero(i == j) if self.positive == "psd" else np.r_[np.arange(d), ~np.arange(d)]
        )
        return lower, faces, np.empty((0, d))

    def _separate(self, a, b):
        if self.positive == "psd":
            return self._indefinite
        size = max(1, BLOCK // b.size)
        # Asked for many times: directions are kept where one portion holds them all.
        kept = [self._directions(a, b)] if size >= len(a) else None
        return lambda theta: self._negative(
            kept
            or (self._directions(a[begin : begin + size], b) for begin in range(0, len(a), size)),
            theta,
        )

    def _indefinite(self, theta):
        """``v' A v >= 0`` for the eigenvectors v with a negative eigenvalue."""
        values, vectors = eigen(self._matrix(theta / np.abs(theta).max()))
        return self._features(vectors.T[values < -ROUNDING])

    def _directions(self, a, b):
        """Differences of all linking records and candidates, of length 1."""
        z = a[:, None, :] - b
        z = np.abs(z) if self.differences == "absolute" else z
        z /= np.maximum(np.sqrt((z**2).sum(axis=2, keepdims=True)), np.finfo(float).tiny)
        return z

    def _negative(self, directions, theta):
        """Of each linking record the candidate that is farthest below zero, if any is; directions come in portions."""
        matrix, rows = self._matrix(theta / np.abs(theta).max()), []
        for z in directions:
            products = product(z.reshape(-1, z.shape[2]), matrix).reshape(z.shape) * z
            values = products[..., 0].copy()
            for v in range(
                1, len(matrix)
            ):  # several times faster than a sum over the last, short axis
                values += products[..., v]
            worst = values.argmin(axis=1)
            records = np.flatnonzero(values.min(axis=1) < -ROUNDING)
            rows.append(self._features(z[records, worst[records]]))
        return np.concatenate(rows)

    def _from_weights(self, weights):
        i, j = np.triu_indices(len(weights))
        return np.where(i == j, weights[i], 0.0)

    def _matrix(self, theta):
        n = len(self.variables_)
        matrix = np.zeros((n, n))
        matrix[np.triu_indices(n)] = theta
        return matrix + np.triu(matrix, 1).T

    def _named(self, theta):
        matrix = self._matrix(theta)
        return pd.DataFrame(matrix / np.abs(matrix).sum(), self.variables_, self.variables_)

    def _table(self):
        return self.parameters_

    def _flat(self, parameters):
        return parameters.to_numpy()[np.triu_indices(len(parameters))]

    def _own_constraints(self, n, N):
        return N * N
