"""A Mahalanobis-like distance, its matrix learned from known links."""

from functools import cache

import numpy as np
import pandas as pd

from .._internal.arithmetic import eigen, product
from .._internal.validation import check_option
from ._nesting import _Nesting
from .base import BLOCK

# a distance below zero by no more than this, with parameters and differences of 1, is zero
ROUNDING = 1e-8


@cache
def _entries(n):
    """Rows and columns of the entries that a symmetric matrix of n variables is given by, and how often each occurs."""
    i, j = np.triu_indices(n)
    return i, j, np.where(i == j, 1.0, 2.0)


class Mahalanobis(_Nesting):
    """``d^2 = z' A z`` for the differences z, A a symmetric matrix that is learned (abril2011, Definition 3).

    The papers write A as the inverse of a weighting matrix; what enters linearly, and is learned,
    is the inverse. Its scale is free; the absolute values of `parameters_` sum to 1, so that a
    diagonal A is a weighted mean.

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

    def __init__(
        self,
        differences="signed",
        positive="data",
        standardise="own",
        direction="masked_to_original",
    ):
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

    def _flat(self, parameters):
        return parameters.to_numpy()[np.triu_indices(len(parameters))]

    def _own_constraints(self, n, N):
        return N * N
