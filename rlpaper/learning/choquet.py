"""The Choquet integral of squared differences, its fuzzy measure learned from known links."""

import itertools

import numpy as np
import pandas as pd

from ..aggregation import from_mobius, interaction, mobius, shapley
from ._nesting import _Nesting
from .base import Learner


class Choquet(_Nesting):
    """Choquet integral of the squared differences by a fuzzy measure mu (abril2011, Definition 2).

    ``d^2 = sum_r (c_(r) - c_(r-1)) mu(variables with c >= c_(r))`` with c in increasing order; mu
    grows with the set, from 0 for no variable to 1 for all.

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

    def __init__(self, additive=None, standardise="own", direction="masked_to_original"):
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
