"""A Mahalanobis-like distance, its matrix learned from known links."""

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache

import numpy as np
import pandas as pd

from .._internal.arithmetic import eigen, product
from .._internal.validation import check_option
from ._nesting import Nesting
from .base import MAX_BLOCK
from .formulation import Formulation

# a distance below zero by no more than this, with parameters and differences of 1, is zero
ROUNDING = 1e-8


@cache
def _entries(n: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return rows, columns of a symmetric matrix's upper entries, and how often each occurs."""
    i, j = np.triu_indices(n)
    return i, j, np.where(i == j, 1.0, 2.0)


@dataclass(eq=False, repr=False)
class Mahalanobis(Nesting):
    """``d^2 = z' A z`` for the differences z, A a symmetric matrix that is learned.

    abril2011, Definition 3. The papers write A as the inverse of a weighting matrix; what enters
    linearly, and is learned, is the inverse. Its scale is free; the absolute values of
    `parameters_` sum to 1, so that a diagonal A is a weighted mean. Options, limits and what is
    learned besides are those of every `rlpaper.learning.base.Learner`.

    Parameters
    ----------
    differences : {"signed", "absolute"}
        Of the standardised values. abril2011 takes the square root of a square, which is absolute;
        signed differences are what a Mahalanobis distance is made of.
    positive : {"data", "psd"}
        Distances must not be negative between any linking record and candidate of the files (the
        papers' linear constraints), or between any two records at all (A positive semidefinite, by
        eigenvector cuts).

    Attributes
    ----------
    parameters_ : DataFrame
        A.
    """

    differences: str = "signed"
    positive: str = "data"

    def _features(self, differences: np.ndarray) -> np.ndarray:
        return _products(np.abs(differences) if self.differences == "absolute" else differences)

    def _formulation(
        self,
        linking: np.ndarray,
        candidates: np.ndarray,
        partner: np.ndarray,
        columns: list | None = None,
    ) -> Formulation:
        check_option("differences", self.differences, ("signed", "absolute"))
        check_option("positive", self.positive, ("data", "psd"))
        i, j = np.triu_indices(linking.shape[1])
        diagonal, d = i == j, len(i)
        semidefinite = self.positive == "psd"
        return Formulation(
            linking,
            candidates,
            partner,
            self._features,
            lower=np.where(diagonal & semidefinite, 0.0, -1.0),
            # The largest entry of a semidefinite matrix is on its diagonal.
            normalisations=np.flatnonzero(diagonal)
            if semidefinite
            else np.r_[np.arange(d), ~np.arange(d)],
            own_constraints=len(linking) ** 2,
            violated_rows=self._indefinite
            if semidefinite
            else self._negative_distances(linking, candidates),
        )

    def _negative_distances(self, a: np.ndarray, b: np.ndarray) -> Callable:
        """Return a function that gives rows of pairs of records whose distance is negative."""
        size = max(1, MAX_BLOCK // b.size)
        # Asked for many times: directions are kept where one portion holds them all.
        kept = [self._directions(a, b)] if size >= len(a) else None
        return lambda theta: self._negative(
            kept
            or (self._directions(a[begin : begin + size], b) for begin in range(0, len(a), size)),
            theta,
        )

    def _indefinite(self, theta: np.ndarray) -> np.ndarray:
        """Return ``v' A v >= 0`` for the eigenvectors v with a negative eigenvalue."""
        values, vectors = eigen(_matrix(theta / np.abs(theta).max()))
        return _products(vectors.T[values < -ROUNDING])

    def _directions(self, a: np.ndarray, b: np.ndarray) -> np.ndarray:
        """Return the differences of all linking records and candidates, of length 1."""
        z = a[:, None, :] - b
        z = np.abs(z) if self.differences == "absolute" else z
        length = np.sqrt((z**2).sum(axis=2, keepdims=True))
        z /= np.where(length > 0, length, np.inf)  # no direction where squares vanish
        return z

    def _negative(self, directions: Iterable[np.ndarray], theta: np.ndarray) -> np.ndarray:
        """Return of each linking record the candidate farthest below zero, if any is.

        Directions come in portions.
        """
        matrix, rows = _matrix(theta / np.abs(theta).max()), []
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

    def _from_weights(self, weights: np.ndarray) -> np.ndarray:
        i, j = np.triu_indices(len(weights))
        return np.where(i == j, weights[i], 0.0)

    def _from_vector(self, theta: np.ndarray, variables: list) -> pd.DataFrame:
        matrix = _matrix(theta)
        return pd.DataFrame(matrix / np.abs(matrix).sum(), variables, variables)

    def _to_vector(self) -> np.ndarray:
        return self.parameters_.to_numpy()[np.triu_indices(len(self.variables_))]


def _products(z: np.ndarray) -> np.ndarray:
    """Return what the entries on and above the diagonal of A are multiplied by in ``z' A z``."""
    i, j, times = _entries(z.shape[-1])
    return z[..., i] * z[..., j] * times


def _matrix(theta: np.ndarray) -> np.ndarray:
    """Return the symmetric matrix with these entries on and above its diagonal."""
    n = math.isqrt(2 * len(theta))  # n (n + 1) / 2 entries
    matrix = np.zeros((n, n))
    matrix[np.triu_indices(n)] = theta
    return matrix + np.triu(matrix, 1).T
