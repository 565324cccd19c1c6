"""Distances learned from files whose links are known: weighted mean, OWA, Choquet integral, Mahalanobis-like matrix.

All four combine the differences of two standardised records, variable by variable, and are linear in what is learned
(abril2012, section 3; abril2011, section 3). `fit` finds the parameters that link the most records, with a certified
bound on what any parameters can do; that is the worst case of an attacker who chooses the distance best of all.
"""

import inspect
import itertools
import time

import numpy as np
import pandas as pd

from ..distances import Coordinates, dbrl1, standardised
from ..distances.coordinates import column_weights
from ..linkage.distance import check_files, check_option, link, DIRECTIONS
from .problem import TOLERANCE, assemble
from .solver import ranges, solve

BLOCK = 1 << 20  # numbers held at once
ROUNDED = 1e-12  # distances are told apart to so much of the largest
ROUNDING = 1e-8  # a distance below zero by no more than this, with parameters and differences of 1, is zero


class Learner:
    """What the learners have in common.

    Parameters
    ----------
    standardise : {"own", "original", "pooled", "fit", None} or pair of frames
        Whose moments standardise the variables, see `rlpaper.distances.dbrl1`; ``"fit"`` takes those of the files given
        to `fit`, each its own, also when other records are linked.
    direction : {"m2o", "o2m"}
        Each masked record is linked to an original one, or the reverse.

    Attributes
    ----------
    parameters_ : Series or DataFrame
        What was learned.
    linked_ : int
        Records of the linking file that are linked right (strictly), counted by `link` with `parameters_`.
    bound_ : int
        No parameters link more, by a margin above `tolerance_`.
    status_ : {"optimal", "gap"}
    seconds_ : float
    records_ : int
        Records of the linking file.
    size_ : dict
        Variables and constraints of the papers' formulation, and of ours.
    """

    tolerance_ = TOLERANCE

    def __init__(self, standardise="own", direction="m2o"):
        self.standardise, self.direction = standardise, direction

    def get_params(self, deep=True):
        """The options, by name."""
        return {name: getattr(self, name) for name in inspect.signature(type(self)).parameters}

    def set_params(self, **options):
        """Change options; returns self."""
        for name, value in options.items():
            if name not in self.get_params():
                raise ValueError(f"{type(self).__name__} has no option {name!r}; it has {', '.join(self.get_params())}")
            setattr(self, name, value)
        return self

    def __repr__(self):
        return f"{type(self).__name__}({', '.join(f'{name}={value!r}' for name, value in self.get_params().items())})"

    def fit(self, original, masked, time_limit=None, gap=0.0, work_limit=None, random_state=0, method=None, progress=True):
        """Learn the parameters that link the most records.

        Parameters
        ----------
        original, masked : DataFrame
            As for `rlpaper.linkage.distance.link`: numeric columns, the same in both files; who is who is said by the
            index.
        time_limit, gap, work_limit, random_state, method, progress
            As for `rlpaper.learning.solver.solve`.
        """
        a, b, partner = self._compared(original, masked)
        self._fitted = original, masked
        self.records_, self.variables_ = len(a), list(original.columns)
        limits = {"time_limit": time_limit, "gap": gap, "work_limit": work_limit, "random_state": random_state,
                  "method": method, "progress": progress}
        solution, problem = self._solve(a, b, partner, limits)
        self.parameters_ = self._named(solution.theta)
        self.linked_ = int(self.link(original, masked)["right"].sum())
        self.bound_ = solution.bound
        self.status_ = "optimal" if self.linked_ >= self.bound_ else "gap"
        self.seconds_, self.seconds_to_best_, self.work_ = solution.seconds, solution.to_best, solution.work
        self.size_ = self._size(problem)
        return self

    def link(self, original, masked, ties="strict"):
        """Link two files by the learned distance; see `rlpaper.linkage.distance.link`."""
        return link(original, masked, self.distance_, self.direction, ties)

    def score(self, original, masked, ties="strict"):
        """Share of the linking records of two files that the learned distance links right."""
        return float(self.link(original, masked, ties)["right"].mean())

    def distance_(self, original, masked):
        """The learned distance, as a square, for `rlpaper.linkage.distance.link`."""
        self._check_fitted(original)
        theta = self._flat(self.parameters_)

        def matrix(a, b):
            table = np.empty((len(a), len(b)))
            size = max(1, BLOCK // (len(b) * len(theta)))
            for begin in range(0, len(a), size):
                # The learned rows are differences linking record - candidate, whichever file links.
                features = self._features(a[begin:begin + size, None, :] - b[None, :, :])
                # Summed in one order for every pair, unlike a matrix product: equal records stay equally near.
                table[begin:begin + size] = 0.0
                for k, parameter in enumerate(theta):
                    table[begin:begin + size] += parameter * features[..., k]
            # Sums of different terms that are equal differ in their last digits: there, equal is what is nearly so.
            unit = ROUNDED * max(np.abs(table).max(initial=0), np.finfo(float).tiny)
            return np.round(table / unit) * unit

        return Coordinates(*standardised(original, masked, self._moments()), matrix, squared=False)

    def _moments(self):
        return self._fitted if self.standardise == "fit" else self.standardise

    def _check_fitted(self, original):
        if not hasattr(self, "parameters_"):
            raise ValueError(f"{self!r} has learned nothing yet; call fit with two files first")
        if list(original.columns) != self.variables_:
            raise ValueError(f"the distance was learned on {self.variables_}, the files have {list(original.columns)}")

    def _check_options(self, n):
        """Refuse options that make no sense for n variables."""

    def _compared(self, original, masked):
        """Standardised linking records and candidates, and the number of each linking record's own candidate."""
        check_option("direction", self.direction, DIRECTIONS)
        check_files(original, masked)
        self._check_options(original.shape[1])
        x, y = standardised(original, masked, "own" if self.standardise == "fit" else self.standardise)
        if self.direction == "m2o":
            return y, x, original.index.get_indexer(masked.index)
        return x, y, masked.index.get_indexer(original.index)

    def _problem(self, a, b, partner):
        lower, faces, cone = self._cone(a.shape[1])
        kinds = np.unique(a, axis=0, return_inverse=True)[1].ravel()
        return assemble(lambda i: self._features(a[i] - b), partner, kinds, lower, faces, cone, self._separate(a, b))

    def _solve(self, a, b, partner, limits):
        begin, problem = time.perf_counter(), self._problem(a, b, partner)
        starts = self._starts(a, b, partner, limits)
        if limits["time_limit"] is not None:
            limits = {**limits, "time_limit": max(0.0, limits["time_limit"] - (time.perf_counter() - begin))}
        return solve(problem, starts, **limits), problem

    def _separate(self, a, b):
        """Constraints that are too many to list; see `Problem.separate`."""

    def _starts(self, a, b, partner, limits):
        return [np.ones(len(self._cone(a.shape[1])[0]))]

    def _size(self, problem):
        n, d, N = len(self.variables_), problem.parameters, self.records_
        return {"variables": N + d, "constraints in the paper": N * N + N + self._own_constraints(n, N),
                "constraints": N * (N - 1) + self._own_constraints(n, N),
                "rows that matter": len(problem.rows) + len(problem.cone)}


class WeightedMean(Learner):
    """``d^2 = sum_v p_v (z_v(a) - z_v(b))^2`` with weights p >= 0 that sum to 1 (abril2012, Definition 1).

    Examples
    --------
    Only one variable says who is who:

    >>> original = pd.DataFrame({"age": [20, 40, 60, 80], "noise": [1, 2, 3, 4]})
    >>> masked = pd.DataFrame({"age": [22, 38, 62, 79], "noise": [3, 4, 1, 2]})
    >>> learned = WeightedMean().fit(original, masked)
    >>> learned.linked_, learned.bound_, learned.status_, learned.parameters_.idxmax()
    (4, 4, 'optimal', 'age')
    """

    def _features(self, differences):
        return differences ** 2

    def _cone(self, n):
        return np.zeros(n), np.arange(n), np.empty((0, n))

    def _named(self, theta):
        return pd.Series(theta / theta.sum(), self.variables_, name="weight")

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
        """The learned distance: `rlpaper.distances.dbrl1` with weights."""
        self._check_fitted(original)
        return dbrl1(self._moments(), self.parameters_.to_numpy())(original, masked)

    def _own_constraints(self, n, N):
        return 1 + n


class OWA(Learner):
    """``d^2 = sum_r w_r c_(r)``, the squared differences c from largest to smallest, weights w >= 0 that sum to 1.

    An ordered weighted average of the differences: how much the largest counts, not which variable it is in.
    """

    def _features(self, differences):
        return -np.sort(-differences ** 2, axis=-1)

    def _cone(self, n):
        return np.zeros(n), np.arange(n), np.empty((0, n))

    def _named(self, theta):
        return pd.Series(theta / theta.sum(), [f"largest {r}" for r in range(1, len(theta) + 1)], name="weight")

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


WARM = 200_000_000  # rows that the weighted mean may look at to give a start


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
            raise ValueError(f"additive is {self.additive!r}; it is None (any fuzzy measure) or 2 (pairs)")
        if self.additive is None and n > 10:
            raise ValueError(f"a fuzzy measure of {n} variables has {2 ** n - 2} values; use additive=2 or fewer variables")

    def fit(self, original, masked, **limits):
        super().fit(original, masked, **limits)
        n = len(self.variables_)
        measure = np.concatenate([[0.0], self.parameters_.to_numpy()])
        self.shapley_ = pd.Series(shapley(measure, n), self.variables_, name="Shapley value")
        self.interaction_ = pd.DataFrame(interaction(measure, n), self.variables_, self.variables_)
        return self

    fit.__doc__ = Learner.fit.__doc__

    def _features(self, differences):
        """Coefficients of mu by set (bit v of a set's number says whether it has variable v), or of the Moebius values."""
        c = differences ** 2
        n = c.shape[-1]
        if self.additive == 2:
            pairs = [np.minimum(c[..., i], c[..., j]) for i, j in itertools.combinations(range(n), 2)]
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
        if self.additive == 2:
            return np.r_[weights, np.zeros(len(weights) * (len(weights) - 1) // 2)]
        return _subset_sums(weights)[1:]

    def _named(self, theta):
        n = len(self.variables_)
        if self.additive == 2:
            mobius = np.zeros(1 << n)
            mobius[1 << np.arange(n)] = theta[:n]
            mobius[[(1 << i) | (1 << j) for i, j in itertools.combinations(range(n), 2)]] = theta[n:]
            theta = _zeta(mobius, n)[1:]
        sets = [tuple(name for v, name in enumerate(self.variables_) if s >> v & 1) for s in range(1, 1 << n)]
        return pd.Series(theta / theta[-1], pd.Index(sets, tupleize_cols=False, name="variables"), name="mu")

    def _flat(self, parameters):
        measure = parameters.to_numpy()
        if self.additive != 2:
            return measure
        n = len(self.variables_)
        mobius = _mobius(np.concatenate([[0.0], measure]), n)
        return np.r_[mobius[1 << np.arange(n)],
                     mobius[[(1 << i) | (1 << j) for i, j in itertools.combinations(range(n), 2)]]]

    def _own_constraints(self, n, N):
        return 2 + n * (1 << (n - 1)) - n  # mu of none and of all, and every set against those one larger


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
        i, j = np.triu_indices(z.shape[-1])
        return z[..., i] * z[..., j] * np.where(i == j, 1.0, 2.0)

    def _cone(self, n):
        i, j = np.triu_indices(n)
        lower = np.where((i == j) & (self.positive == "psd"), 0.0, -1.0)
        d = len(i)
        # The largest entry of a semidefinite matrix is on its diagonal.
        faces = np.flatnonzero(i == j) if self.positive == "psd" else np.r_[np.arange(d), ~np.arange(d)]
        return lower, faces, np.empty((0, d))

    def _separate(self, a, b):
        return self._indefinite if self.positive == "psd" else lambda theta: self._negative(a, b, theta)

    def _indefinite(self, theta):
        """``v' A v >= 0`` for the eigenvectors v with a negative eigenvalue."""
        values, vectors = np.linalg.eigh(self._matrix(theta / np.abs(theta).max()))
        return self._features(vectors.T[values < -ROUNDING])

    def _negative(self, a, b, theta):
        """Of each linking record the candidate that is farthest below zero, if any is."""
        matrix, rows = self._matrix(theta / np.abs(theta).max()), []
        size = max(1, BLOCK // b.size)
        for begin in range(0, len(a), size):
            z = a[begin:begin + size, None, :] - b
            z = np.abs(z) if self.differences == "absolute" else z
            z /= np.maximum(np.sqrt((z ** 2).sum(axis=2, keepdims=True)), np.finfo(float).tiny)
            values = ((z @ matrix) * z).sum(axis=2)
            worst = values.argmin(axis=1)
            for record in np.flatnonzero(values.min(axis=1) < -ROUNDING):
                rows.append(self._features(z[record, worst[record]]))
        return np.array(rows)

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

    def _flat(self, parameters):
        return parameters.to_numpy()[np.triu_indices(len(parameters))]

    def _own_constraints(self, n, N):
        return N * N


def shapley(measure, n):
    """Shapley values of a set function given by set number (bit v says whether variable v is in), empty set first.

    Examples
    --------
    >>> shapley(np.array([0, 0.5, 0.3, 1.0]), 2).round(6).tolist()
    [0.6, 0.4]
    """
    mobius = _mobius(measure, n)
    sets = np.arange(1 << n)
    return np.array([sum(mobius[s] / int(s).bit_count() for s in sets if s >> v & 1) for v in range(n)])


def interaction(measure, n):
    """Interaction indices of pairs of a set function; the diagonal is 0."""
    mobius = _mobius(measure, n)
    table = np.zeros((n, n))
    for i, j in itertools.permutations(range(n), 2):
        table[i, j] = sum(mobius[s] / (int(s).bit_count() - 1) for s in range(1 << n) if s >> i & 1 and s >> j & 1)
    return table


def _mobius(measure, n):
    values = np.array(measure, float)
    for v in range(n):
        with_v = np.arange(1 << n) >> v & 1 == 1
        values[with_v] -= values[np.arange(1 << n)[with_v] ^ (1 << v)]
    return values


def _zeta(mobius, n):
    values = np.array(mobius, float)
    for v in range(n):
        with_v = np.arange(1 << n) >> v & 1 == 1
        values[with_v] += values[np.arange(1 << n)[with_v] ^ (1 << v)]
    return values


def _subset_sums(weights):
    return np.array([sum(w for v, w in enumerate(weights) if s >> v & 1) for s in range(1 << len(weights))])
