"""The Choquet integral of squared differences, its fuzzy measure learned from known links."""

import itertools
from dataclasses import dataclass

import numpy as np
import pandas as pd

from .._internal.validation import check_number
from ..aggregation import from_mobius, interaction, mobius, shapley
from ._nesting import Nesting
from .formulation import Formulation

MAX_VARIABLES = 10  # of a measure that is not made of pairs
MAX_PAIRED = 16  # of one that is, whose constraints are half a million then


@dataclass(eq=False, repr=False)
class Choquet(Nesting):
    """Choquet integral of the squared differences by a fuzzy measure mu (abril2011, Definition 2).

    ``d^2 = sum_r (c_(r) - c_(r-1)) mu(variables with c >= c_(r))`` with c in increasing order; mu
    grows with the set, from 0 for no variable to 1 for all. Options, limits and what is learned
    besides are those of every `rlpaper.learning.base.Learner`.

    Parameters
    ----------
    additive : int, optional
        2 allows interactions of pairs of variables only: n (n + 1) / 2 parameters instead of 2^n -
        2.

    Attributes
    ----------
    parameters_ : Series
        mu by set of variables, as tuples.
    shapley_ : Series
        Shapley value of each variable: its share of the whole, on average over all orders.
    interaction_ : DataFrame
        Interaction index of each pair, -1 (one can stand for the other) to 1 (both are needed); 0
        without interaction.
    """

    additive: int | None = None

    @property
    def shapley_(self) -> pd.Series:
        """Shapley values."""
        return pd.Series(shapley(self._measure()), self.variables_, name="Shapley value")

    @property
    def interaction_(self) -> pd.DataFrame:
        """Interaction indices."""
        return pd.DataFrame(interaction(self._measure()), self.variables_, self.variables_)

    def _measure(self) -> np.ndarray:
        """Return the fuzzy measure by number of the set, that of no variable included."""
        self._check_fitted()
        return np.concatenate([[0.0], self.parameters_.to_numpy()])

    def _features(self, differences: np.ndarray) -> np.ndarray:
        """Return the coefficients of mu by number of the set, or of the Moebius values.

        Bit v of a set's number says whether variable v is in it.
        """
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
        # Sets of the variables from rank r on in the order.
        sets = np.cumsum((1 << order)[:, ::-1], axis=1)[:, ::-1]
        features = np.zeros((len(flat), (1 << n) - 1))
        np.put_along_axis(features, sets - 1, steps, axis=1)
        return features.reshape(*c.shape[:-1], -1)

    def _formulation(
        self,
        linking: np.ndarray,
        candidates: np.ndarray,
        partner: np.ndarray,
        columns: list | None = None,
    ) -> Formulation:
        n = linking.shape[1]
        if self.additive is not None:
            what = "None (any fuzzy measure) or 2 (pairs)"
            check_number("additive", self.additive, what, 2, 2)
        if self.additive is None and n > MAX_VARIABLES:
            raise ValueError(
                f"a fuzzy measure of {n} variables has {2**n - 2} values; use additive=2 or fewer "
                "variables"
            )
        if n > MAX_PAIRED:
            raise ValueError(
                f"a fuzzy measure of {n} variables has {n * 2 ** (n - 1) - n} constraints; select "
                f"up to {MAX_PAIRED} columns"
            )
        lower, normalisations, cone = _cone_of_pairs(n) if self.additive == 2 else _monotone(n)
        # In the papers the Moebius values sum to 1, or the measure of all variables is 1.
        whole = np.arange(len(lower)) == len(lower) - 1
        return Formulation(
            linking,
            candidates,
            partner,
            self._features,
            lower,
            normalisations,
            # mu of none and of all, and every set against those one larger
            own_constraints=2 + n * (1 << (n - 1)) - n,
            cone=cone,
            sum_to_one=np.ones(len(lower), bool) if self.additive == 2 else whole,
        )

    def _from_weights(self, weights: np.ndarray) -> np.ndarray:
        singles = np.r_[weights, np.zeros(len(weights) * (len(weights) - 1) // 2)]
        return singles if self.additive == 2 else _of_pairs(singles, len(weights))

    def _from_vector(self, theta: np.ndarray, variables: list) -> pd.Series:
        n = len(variables)
        theta = _of_pairs(theta, n) if self.additive == 2 else theta
        sets = [
            tuple(name for v, name in enumerate(variables) if s >> v & 1) for s in range(1, 1 << n)
        ]
        return pd.Series(
            theta / theta[-1], pd.Index(sets, tupleize_cols=False, name="variables"), name="mu"
        )

    def _to_vector(self) -> np.ndarray:
        if self.additive != 2:
            return super()._to_vector()
        return mobius(self._measure())[_small_sets(len(self.variables_))]


def _cone_of_pairs(n: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return least Moebius values of variables and pairs, normalisations, and rows of the cone."""
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
    return lower, np.r_[np.arange(d), ~np.arange(n, d)], np.array(rows)


def _monotone(n: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the same of a fuzzy measure by number of the set: it grows with the set."""
    whole = (1 << n) - 1
    rows = []
    for larger in range(1, whole + 1):
        for v in range(n):
            smaller = larger & ~(1 << v)
            if smaller and smaller != larger:
                row = np.zeros(whole)
                row[larger - 1], row[smaller - 1] = 1, -1
                rows.append(row)
    # mu of all variables is the largest, so that one normalisation covers everything.
    return np.zeros(whole), np.array([whole - 1]), np.array(rows)


def _of_pairs(values: np.ndarray, n: int) -> np.ndarray:
    """Return the fuzzy measure with these Moebius values of variables and pairs, from set 1 on."""
    moebius = np.zeros(1 << n)
    moebius[_small_sets(n)] = values
    return from_mobius(moebius)[1:]


def _small_sets(n: int) -> list[int]:
    """Return the numbers of the sets of one variable and of two."""
    return [1 << v for v in range(n)] + [
        1 << i | 1 << j for i, j in itertools.combinations(range(n), 2)
    ]
