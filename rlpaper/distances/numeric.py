"""Distances between numeric records."""

import math

import numpy as np
import pandas as pd

from .._internal import arithmetic
from .._internal.hints import Distance, Label
from .._internal.magnitudes import exponents, near_one
from .._internal.validation import (
    check_comparable,
    check_file,
    check_number,
    check_option,
    check_record_labels,
    check_size,
    finite_array,
    shown,
)
from .prepared_files import (
    PreparedFiles,
    SumOverColumns,
    Weights,
    check_weights,
    column_weights,
    squared_euclidean,
)

MAX_RIDGE = 1e100  # beside which the variances themselves vanish
LOG_OF_LARGEST = 690  # of a number that can still be added up

#: Whose mean and standard deviation are used, see `dbrl1`.
Moments = str | tuple[pd.DataFrame, pd.DataFrame] | None


def dbrl1(standardise: Moments = "own", weights: Weights | None = None) -> Distance:
    """Make the Euclidean distance of standardised variables: DBRL1, and with weights dWM2.

    ``d^2 = sum_v p_v (z_v(a) - z_v(b))^2`` with all ``p_v = 1`` unless given (abril2012, section
    2.1 and Definition 1).

    Parameters
    ----------
    standardise : {"own", "original", "pooled", None} or pair of frames
        Whose mean and standard deviation are used: each file's own (the papers'), the original's
        for both, those of both files together, or none at all. A pair (original, masked) gives the
        moments of other records, as when a distance learned on some records is tried on others. A
        constant column is 0.
    weights : list or dict, optional
        One per variable, 0 or more, not all 0. They are divided by their sum.

    Examples
    --------
    >>> a, b = pd.DataFrame({"x": [1.0, 2.0, 3.0]}), pd.DataFrame({"x": [10.0, 20.0, 30.0]})
    >>> compared = dbrl1()(a, b)
    >>> float(compared.distances(compared.original, compared.masked)[0, 0])
    0.0
    """
    check_moments(standardise)
    check_weights(weights)

    def prepare(original: pd.DataFrame, masked: pd.DataFrame) -> PreparedFiles:
        x, y = standardised(original, masked, standardise)
        root = np.sqrt(column_weights(weights, original.columns))
        return PreparedFiles(x * root, y * root, squared_euclidean)

    return prepare


def dbrl2() -> Distance:
    """Make the Euclidean distance of differences divided by their standard deviation: DBRL2.

    ``d^2 = sum_v ((a_v - b_v) / sd(X_v - Y_v))^2``, the standard deviation over the records that
    have the same index label in both files (abril2012, section 2.1). The attacker knows how
    strongly each variable was masked.
    """

    def prepare(original: pd.DataFrame, masked: pd.DataFrame) -> PreparedFiles:
        x, y = _in_common_units(original, masked)
        spread = _paired_differences(original, masked, x, y).std(axis=0)
        _check_variation(spread, x, original.columns)
        return _euclidean(masked, x / spread, y / spread)

    return prepare


def mahalanobis(covariance: str = "COV", ridge: float = 0.0) -> Distance:
    """Make the Mahalanobis distance of the difference of two records, not standardised: DBRLM.

    ``d^2 = (a - b)' [Var X + Var Y - 2 Cov(X, Y)]^-1 (a - b)`` (abril2012, section 2.1).

    Parameters
    ----------
    covariance : {"COV", "COV0"}
        ``"COV"`` takes Cov(X, Y) over the records that have the same index label in both files: the
        worst case, an attacker who knows the true links. ``"COV0"`` takes it as zero: any two
        records may belong together.
    ridge : float
        Adds this share of each variable's own variance (X and Y together) to the diagonal.
        Directions in which masking changes nothing, such as those of an unmasked variable, then
        count much; without a ridge they are refused, since they would count infinitely.
    """
    check_option("covariance", covariance, ("COV", "COV0"))
    check_number("ridge", ridge, f"a share of the variances, 0 to {MAX_RIDGE:g}", 0, MAX_RIDGE)

    def prepare(original: pd.DataFrame, masked: pd.DataFrame) -> PreparedFiles:
        x, y = _in_common_units(original, masked)
        if covariance == "COV":
            matrix = arithmetic.covariance(_paired_differences(original, masked, x, y))
        else:
            if min(len(x), len(y)) < 2:
                raise ValueError("a covariance needs at least two records in each file")
            matrix = arithmetic.covariance(x) + arithmetic.covariance(y)
        matrix = matrix + ridge * np.diag(x.var(axis=0) + y.var(axis=0))
        scale = np.sqrt(np.diag(matrix))
        _check_variation(scale, x, original.columns)
        # First to unit variance, as variables differ by orders of magnitude.
        matrix = matrix / np.outer(scale, scale)
        values, vectors = arithmetic.eigen(matrix)
        if not values[0] > 1e-12 * values[-1]:
            raise ValueError(
                "the covariance matrix is singular: some column is a combination of others; leave "
                "one of them out, or use dbrl1"
            )
        axes = vectors / np.sqrt(values)  # along which all differences have the same variance
        return _euclidean(
            masked, arithmetic.product(x / scale, axes), arithmetic.product(y / scale, axes)
        )

    return prepare


def kernel(degree: int, standardise: Moments = "own") -> Distance:
    """Make the distance in the space of the kernel ``K(a, b) = (1 + a.b)^degree``: KDBRL.

    ``d^2 = K(a, a) - 2 K(a, b) + K(b, b)`` on standardised variables (abril2012, section 2.1). With
    degree 1 it is the Euclidean distance. As printed, the difference of large numbers loses the
    small distances that decide links, so it is computed in another form. With p = 1 + a.a,
    q = 1 + b.b, r = 1 + a.b, m = (p + q) / 2 and h = (p - q) / 2::

        m - r = |a - b|^2 / 2
        h = (a - b).(a + b) / 2
        d^2 = 2 (m - r) sum_{i<degree} m^i r^(degree-1-i)
              + 2 sum_{even j>=2} C(degree, j) m^(degree-j) h^j

    Parameters
    ----------
    degree : int
        1 or more.
    standardise
        As for `dbrl1`.
    """
    check_number("degree", degree, "a whole number, 1 or more", 1, whole=True)
    degree = int(degree)
    check_moments(standardise)

    def distances(a: np.ndarray, b: np.ndarray) -> np.ndarray:
        square, h, r = np.zeros((3, len(a), len(b)))
        for j in range(a.shape[1]):
            gap = np.subtract.outer(a[:, j], b[:, j])
            square += gap**2
            h += gap * np.add.outer(a[:, j], b[:, j]) / 2
            r += np.multiply.outer(a[:, j], b[:, j])
        r += 1
        m = r + square / 2
        total = square * sum(m**i * r ** (degree - 1 - i) for i in range(degree))
        for j in range(2, degree + 1, 2):
            total += 2 * math.comb(degree, j) * m ** (degree - j) * h**j
        return total

    def prepare(original: pd.DataFrame, masked: pd.DataFrame) -> PreparedFiles:
        x, y = standardised(original, masked, standardise)
        # No term is larger than this: m and h are at most the sum of the largest squares, r too.
        largest = 1 + 2 * max((x**2).sum(axis=1).max(), (y**2).sum(axis=1).max())
        if degree * math.log(2 * largest) > LOG_OF_LARGEST:
            raise ValueError(
                f"degree is {degree}; the powers of these files' numbers are too large. Take a "
                f"degree of at most {int(LOG_OF_LARGEST / math.log(2 * largest))}, or numbers "
                "nearer to 0"
            )
        return PreparedFiles(x, y, distances)

    return prepare


def manhattan(standardise: Moments = "own") -> Distance:
    """Make the sum of absolute differences of standardised variables.

    `standardise` is that of `dbrl1`.
    """
    check_moments(standardise)

    def prepare(original: pd.DataFrame, masked: pd.DataFrame) -> PreparedFiles:
        x, y = standardised(original, masked, standardise)
        summed = SumOverColumns(["difference"] * x.shape[1], np.ones(x.shape[1]))
        return PreparedFiles(x, y, summed, squared=False)

    return prepare


def standardised(
    original: pd.DataFrame, masked: pd.DataFrame, standardise: Moments = "own"
) -> tuple[np.ndarray, np.ndarray]:
    """Return both files as arrays, with mean 0 and variance 1 by the moments named; see `dbrl1`."""
    check_moments(standardise)
    x, y = _arrays(original, masked)
    if standardise is None:
        check_size(x, original, "original")
        check_size(y, masked, "masked")
        return x, y
    if isinstance(standardise, tuple):
        if any(list(frame.columns) != list(original.columns) for frame in standardise):
            raise ValueError(
                "the frames that give the moments must have the columns of the files, "
                f"{list(original.columns)}"
            )
        for frame in standardise:
            check_file(frame, "the file that gives the moments")
        sources = tuple(finite_array(frame, "moments") for frame in standardise)
    else:
        sources = {"own": (x, y), "original": (x, x), "pooled": (np.vstack([x, y]),) * 2}[
            standardise
        ]
    x, y = scaled(x, sources[0]), scaled(y, sources[1])
    check_size(x, original, "original")
    check_size(y, masked, "masked")
    return x, y


def check_moments(standardise: Moments) -> None:
    """Refuse what does not say whose moments standardise files."""
    if isinstance(standardise, tuple):
        known = len(standardise) == 2 and all(isinstance(f, pd.DataFrame) for f in standardise)
    else:
        known = standardise is None or (
            isinstance(standardise, str) and standardise in ("own", "original", "pooled")
        )
    if not known:
        raise ValueError(
            f"standardise is {shown(standardise)}; it is 'own', 'original', 'pooled', None or a "
            "pair of frames"
        )


def scaled(values: np.ndarray, source: np.ndarray) -> np.ndarray:
    """Standardise columns by the moments of `source`; a column that is constant there is 0.

    A number that is too far from those of `source` becomes infinite.
    """
    powers = exponents(source)
    values, source = near_one(values, powers), near_one(source, powers)
    spread = source.std(axis=0)
    spread[np.ptp(source, axis=0) == 0] = 0  # what rounding leaves of a constant column
    with np.errstate(over="ignore"):
        return np.where(
            spread > 0, (values - source.mean(axis=0)) / np.where(spread > 0, spread, 1), 0
        )


def _arrays(original: pd.DataFrame, masked: pd.DataFrame) -> tuple[np.ndarray, np.ndarray]:
    """Return both files as arrays of finite numbers."""
    check_comparable(original, masked)
    return finite_array(original, "original"), finite_array(masked, "masked")


def _in_common_units(original: pd.DataFrame, masked: pd.DataFrame) -> tuple[np.ndarray, np.ndarray]:
    """Return both files as arrays, each column in units in which its squares are finite."""
    x, y = _arrays(original, masked)
    powers = exponents(np.vstack([x, y]))
    return near_one(x, powers), near_one(y, powers)


def _euclidean(masked: pd.DataFrame, x: np.ndarray, y: np.ndarray) -> PreparedFiles:
    """Return files prepared for the Euclidean distance, if that is finite.

    Originals that are too large have no variation beside them.
    """
    check_size(y, masked, "masked")
    return PreparedFiles(x, y, squared_euclidean)


def _paired_differences(
    original: pd.DataFrame, masked: pd.DataFrame, x: np.ndarray, y: np.ndarray
) -> np.ndarray:
    """Return the differences of the records that both files hold, whatever their order."""
    check_record_labels(original, "the original file")
    check_record_labels(masked, "the masked file")
    partner = masked.index.get_indexer(original.index)
    if (partner >= 0).sum() < 2:
        raise ValueError(
            "this distance needs the differences of paired records, and the files have fewer than "
            "two index labels in common; give the records of an individual the same label in both "
            "files"
        )
    return x[partner >= 0] - y[partner[partner >= 0]]


def _check_variation(spread: np.ndarray, values: np.ndarray, columns: pd.Index) -> None:
    """Refuse to divide by what rounding leaves of no variation."""
    none = _without_variation(spread, values)
    if none.any():
        raise ValueError(
            f"column {columns[none.argmax()]!r} has no variation to divide by (it is not masked, "
            "perhaps, or only shifted, or one value is far larger than all others); leave it out, "
            "or use dbrl1"
        )


def _without_variation(spread: np.ndarray, values: np.ndarray) -> np.ndarray:
    """Tell of which columns the spread is what rounding leaves of none."""
    return spread <= 1e-12 * np.abs(values).max(axis=0)


def columns_with_variation(
    original: pd.DataFrame, masked: pd.DataFrame, ridge: float = 0.0
) -> list[Label]:
    """Return the columns that `mahalanobis` has some variation of to divide by.

    Examples
    --------
    >>> file = pd.DataFrame({"age": [20.0, 40.0], "year": [2001.0, 2001.0]})
    >>> columns_with_variation(file, file, ridge=0.1)
    ['age']
    """
    x, y = _in_common_units(original, masked)
    squares = _paired_differences(original, masked, x, y).var(axis=0, ddof=1)
    spread = np.sqrt(squares + ridge * (x.var(axis=0) + y.var(axis=0)))
    return list(original.columns[~_without_variation(spread, x)])
