"""Products, logarithms and eigenvectors that come out the same, bit by bit, on every processor.

numpy leaves these to BLAS, to LAPACK and to vector units, whose last bits depend on the processor;
and a last bit decides ties. Here every sum has one order, no product is fused with a sum, and
logarithms and exponentials are made of such sums alone. They are exact to a few units in the last
place. Sums of numpy along an axis have one order too and need no other.
"""

import math
from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import ArrayLike

from .jit import compiled

LOG_2 = math.log(2.0)
LOG_2_HIGH = 0.6931471803691238  # its first 33 bits, so that small whole multiples are exact
LOG_2_LOW = 1.9082149292705877e-10
ROOT_HALF = math.sqrt(0.5)
TERMS = 13  # of the series of a logarithm; the next is below the last bit
SWEEPS = 60  # of rotations, at most; ten suffice


def product(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Return ``a @ b`` for a table and a table or a list of numbers.

    Examples
    --------
    >>> product(np.array([[1.0, 2.0], [3.0, 4.0]]), np.array([10.0, 1.0])).tolist()
    [12.0, 34.0]
    """
    a, b = np.ascontiguousarray(a, float), np.ascontiguousarray(b, float)
    if b.ndim == 1:
        return _product(a, b[:, None])[:, 0]
    return _product(a, b)


def covariance(values: np.ndarray) -> np.ndarray:
    """Compute the covariance matrix of the columns, with n - 1.

    Examples
    --------
    >>> covariance(np.array([[1.0, 2.0], [3.0, 6.0]])).tolist()
    [[2.0, 4.0], [4.0, 8.0]]
    """
    centred = values - values.mean(axis=0)
    return product(centred.T, centred) / (len(values) - 1)


def correlation(a: Sequence[float] | np.ndarray, b: Sequence[float] | np.ndarray) -> float:
    """Compute Pearson's correlation of two lists of numbers that are not constant.

    Examples
    --------
    >>> correlation([1, 2, 3], [2, 4, 7]).round(3)
    np.float64(0.993)
    """
    x, y = (np.asarray(values, float) - np.mean(values) for values in (a, b))
    return (x * y).sum() / np.sqrt((x * x).sum() * (y * y).sum())


def eigen(matrix: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Compute eigenvalues and eigenvectors of a symmetric matrix, by Jacobi's rotations.

    Eigenvalues go from the least up, eigenvectors are columns.

    Examples
    --------
    >>> values, vectors = eigen(np.array([[2.0, 1.0], [1.0, 2.0]]))
    >>> values.round(9).tolist(), np.abs(vectors[:, 1]).round(6).tolist()
    ([1.0, 3.0], [0.707107, 0.707107])
    """
    values, vectors = _eigen(np.array(matrix, float))
    order = np.argsort(values, kind="stable")
    return values[order], vectors[:, order]


def log(x: ArrayLike) -> np.ndarray:
    """Compute the natural logarithm, element by element.

    Examples
    --------
    >>> float(log(8.0) / log(2.0)), float(log(0.0))
    (3.0, -inf)
    """
    return _each(_log, x, False)


def log2(x: ArrayLike) -> np.ndarray:
    """Compute the logarithm to base 2, element by element; it is exact for powers of 2.

    Examples
    --------
    >>> log2([8.0, 0.25, 0.0]).tolist()
    [3.0, -2.0, -inf]
    """
    return _each(_log, x, True)


def exp(x: ArrayLike) -> np.ndarray:
    """Compute the exponential, element by element.

    Examples
    --------
    >>> float(exp(0.0)), float(exp(1.0).round(12)), float(exp(-1000.0))
    (1.0, 2.718281828459, 0.0)
    """
    return _each(_exp, x)


def power(x: ArrayLike, exponent: float) -> np.ndarray:
    """Compute ``x ** exponent`` element by element, for numbers that are 0 or more.

    The exponent is one number above 0.

    Examples
    --------
    >>> power([0.0, 0.25, 1.0], 0.5).tolist(), power([0.3], 2).tolist()
    ([0.0, 0.5, 1.0], [0.09])
    """
    x = np.asarray(x, float)
    if exponent == 0.5:
        return np.sqrt(x)
    if exponent in (1, 2, 3, 4):
        return math.prod([x] * int(exponent), start=np.ones_like(x))
    return np.where(x > 0, exp(exponent * log(x)), x)


def _each(function: Callable, x: ArrayLike, *options: object) -> np.ndarray:
    x = np.asarray(x, float)
    return function(np.ascontiguousarray(x).ravel(), *options).reshape(x.shape)


@compiled
def _product(a, b):
    result = np.zeros((a.shape[0], b.shape[1]))
    for i in range(a.shape[0]):
        for k in range(a.shape[1]):
            for j in range(b.shape[1]):
                result[i, j] += a[i, k] * b[k, j]
    return result


@compiled
def _log_parts(x):
    """Return the whole number n and the natural logarithm of m, with ``x = 2 ** n * m``."""
    m, n = math.frexp(x)  # m is brought near 1
    if m < ROOT_HALF:
        m, n = 2 * m, n - 1
    # log m = 2 (s + s^3 / 3 + s^5 / 5 ...)
    s = (m - 1) / (m + 1)
    square, total = s * s, 0.0
    for term in range(TERMS, 0, -1):
        total = (total + 1 / (2 * term + 1)) * square
    return n, 2 * s + 2 * s * total


@compiled
def _log(x, base_2):
    result = np.empty(len(x))
    for i in range(len(x)):
        if not 0 < x[i] < np.inf:
            result[i] = -np.inf if x[i] == 0 else np.inf if x[i] > 0 else np.nan
        else:
            n, rest = _log_parts(x[i])
            result[i] = n + rest / LOG_2 if base_2 else n * LOG_2_HIGH + (n * LOG_2_LOW + rest)
    return result


@compiled
def _exp(x):
    result = np.empty(len(x))
    for i in range(len(x)):
        if not -745.2 < x[i] < 709.8:
            result[i] = 0.0 if x[i] <= -745.2 else np.inf if x[i] >= 709.8 else np.nan
        else:
            n = math.floor(x[i] / LOG_2 + 0.5)
            rest = (x[i] - n * LOG_2_HIGH) - n * LOG_2_LOW
            total = 0.0
            for term in range(16, 0, -1):
                total = (total + 1) * rest / term
            half = n // 2  # in two steps: 2 ** n alone may be too large or too small a number
            result[i] = math.ldexp(math.ldexp(1 + total, half), n - half)
    return result


@compiled
def _eigen(matrix):
    n = len(matrix)
    vectors = np.eye(n)
    for _ in range(SWEEPS):
        off, on = 0.0, 0.0
        for i in range(n):
            on += matrix[i, i] * matrix[i, i]
            for j in range(i):
                off += matrix[i, j] * matrix[i, j]
        if off <= 1e-40 * on or off == 0:
            break
        for i in range(n):
            for j in range(i + 1, n):
                if matrix[i, j] == 0:
                    continue
                turn = (matrix[j, j] - matrix[i, i]) / (2 * matrix[i, j])
                tangent = (1.0 if turn >= 0 else -1.0) / (abs(turn) + math.sqrt(turn * turn + 1))
                cosine = 1 / math.sqrt(tangent * tangent + 1)
                sine = tangent * cosine
                for k in range(n):
                    a, b = matrix[k, i], matrix[k, j]
                    matrix[k, i], matrix[k, j] = cosine * a - sine * b, sine * a + cosine * b
                for k in range(n):
                    a, b = matrix[i, k], matrix[j, k]
                    matrix[i, k], matrix[j, k] = cosine * a - sine * b, sine * a + cosine * b
                    a, b = vectors[k, i], vectors[k, j]
                    vectors[k, i], vectors[k, j] = cosine * a - sine * b, sine * a + cosine * b
                matrix[i, j] = matrix[j, i] = 0.0
    return np.diag(matrix).copy(), vectors
