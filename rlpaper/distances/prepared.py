"""Files as arrays of numbers, and how their rows are compared."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from .._internal import exhaustive


@dataclass(frozen=True)
class PreparedFiles:
    """Two files as arrays, and the distance between their rows.

    Attributes
    ----------
    original, masked : array
        One row a record.
    matrix : callable
        ``matrix(a, b)`` is the table of distances, or of their squares, between rows of the two
        arrays, whichever of them comes first.
    squared : bool
        Whether `matrix` gives squares.
    """

    original: np.ndarray
    masked: np.ndarray
    matrix: Callable
    squared: bool = True


def prepared(distance, original, masked):
    """The distance between two files, computed from them once for several linkages of the same files.

    Examples
    --------
    >>> import pandas as pd
    >>> from rlpaper.distances import dbrl1
    >>> file = pd.DataFrame({"age": [20.0, 40.0]})
    >>> distance = prepared(dbrl1(), file, file)
    >>> distance(file, file) is distance(file, file)
    True
    """
    compared = distance(original, masked)
    return lambda original, masked: compared


#: How two values of a column are compared, by their difference, categories by that of their
#: numbers. `span` counts the categories from one to the other, both ends included.
COMPARISONS: dict[str, Callable] = {
    "square": lambda difference: difference**2,
    "difference": np.abs,
    "span": lambda difference: np.abs(difference) + 1,
    "unequal": lambda difference: difference != 0,
}


@dataclass(frozen=True, eq=False)
class SumOverColumns:
    """Distances that are sums over the columns, in their order: comparison times factor.

    Factors that are whole numbers over a common denominator give exact sums, and so exact ties.
    Linkage recognises this class and searches by compiled code instead of the table.

    Attributes
    ----------
    comparisons : list of str
        How each column is compared, see `COMPARISONS`.
    factors : sequence of float
        0 or more.
    denominator : float
    unit : float
        Distances are rounded to multiples of this, unless it is 0: sums of different terms that are
        equal differ in their last digits.
    """

    comparisons: list
    factors: np.ndarray
    denominator: float = 1
    unit: float = 0

    def __call__(self, a, b):
        return exhaustive.column_table(
            a, b, self.comparisons, self.factors, self.denominator, self.unit
        )

    def paired(self, a, b):
        """Distances of records that stand in the same place of both arrays; these may broadcast."""
        total = np.zeros(np.broadcast_shapes(a.shape[:-1], b.shape[:-1]))
        for j, (kind, factor) in enumerate(zip(self.comparisons, self.factors)):
            total += COMPARISONS[kind](a[..., j] - b[..., j]) * factor
        total /= self.denominator
        return np.rint(total / self.unit) * self.unit if self.unit else total


@dataclass(frozen=True, eq=False)
class AgreementPattern:
    """Distances that depend on which columns agree, and on nothing else. A number that is not finite agrees with none.

    Attributes
    ----------
    values : array
        The distance for each pattern: bit v of its number says whether column v agrees.
    """

    values: np.ndarray

    def __call__(self, a, b):
        return exhaustive.pattern_table(a, b, self.values)

    def paired(self, a, b):
        """As for `SumOverColumns`."""
        patterns = np.zeros(np.broadcast_shapes(a.shape[:-1], b.shape[:-1]), np.int64)
        for j in range(a.shape[-1]):
            patterns |= ((a[..., j] == b[..., j]) & np.isfinite(a[..., j])).astype(np.int64) << j
        return self.values[patterns]


def by_table(tables, denominator=1):
    """Table of distances that are sums over the columns, in their order, of what each column's own table says of two
    numbers.

    To be the same whichever file comes first, the files' categories have numbers of their own in
    these tables: category c is c in the original and c plus the number of categories in the masked
    file (`cost_table_both_ways`).
    """

    def matrix(a, b):
        total = np.zeros((len(a), len(b)))
        for j, table in enumerate(tables):
            total += np.take(table[a[:, j].astype(np.intp)], b[:, j].astype(np.intp), axis=1)
        return total / denominator

    return matrix


def cost_table_both_ways(table):
    """A column's table for `by_table`, from one with a row an original and a column a masked category."""
    n = len(table)
    both = np.full((2 * n, 2 * n), np.nan)
    both[:n, n:], both[n:, :n] = table, table.T
    return both


def squared_euclidean(a, b):
    """Squared distances between the rows of two arrays, summed over the columns in their order.

    Linkage recognises this function and searches a tree instead of the table.
    """
    return SumOverColumns(["square"] * a.shape[1], np.ones(a.shape[1]))(a, b)


def column_weights(weights, columns):
    """One weight a column, summing to 1; without weights each column counts 1."""
    if weights is None:
        return np.ones(len(columns))
    if isinstance(weights, dict):
        if set(weights) != set(columns):
            raise ValueError(
                f"weights name {sorted(map(str, weights))}, the files have {sorted(map(str, columns))}; "
                "give one for each column"
            )
        weights = [weights[column] for column in columns]
    weights = np.asarray(weights, float)
    if weights.shape != (len(columns),):
        raise ValueError(
            f"there are {weights.size} weights for {len(columns)} columns; give one for each"
        )
    if not (np.isfinite(weights).all() and (weights >= 0).all() and weights.any()):
        raise ValueError(f"weights {weights.tolist()}: they are 0 or more, and not all 0")
    return weights / weights.sum()
