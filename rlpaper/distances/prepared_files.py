"""Files as arrays of numbers, and how their rows are compared."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TypeGuard

import numpy as np
import pandas as pd

from .._internal import exhaustive
from .._internal.hints import Distance, Label
from .._internal.rounding import to_unit
from .._internal.validation import (
    MAX_SQUARED,
    check_comparable,
    check_list,
    check_number,
    check_option,
    shown,
)

MAX_WEIGHT = 1e100
TINY = float(np.finfo(float).tiny)

#: One weight for each column, in their order or by name.
Weights = Sequence[float] | np.ndarray | dict[Label, float]


@dataclass(frozen=True)
class PreparedFiles:
    """Two files as arrays, and the distance between their rows.

    Attributes
    ----------
    original, masked : array
        One row per record.
    distances : callable
        ``distances(a, b)`` is the table of distances, or of their squares, between rows of the two
        arrays, whichever of them comes first.
    squared : bool
        Whether `distances` gives squares.
    """

    original: np.ndarray
    masked: np.ndarray
    distances: Callable
    squared: bool = True

    def __post_init__(self) -> None:
        """Refuse arrays that cannot be compared so."""
        summed = self.distances is squared_euclidean or isinstance(self.distances, SumOverColumns)
        columns = getattr(self.original, "shape", ())[1:]
        if isinstance(self.distances, SumOverColumns | AgreementPattern):
            columns = (self.distances.columns,)
        for name, rows in (("original", self.original), ("masked", self.masked)):
            if not _is_table(rows) or rows.size == 0 or rows.shape[1:] != columns:
                raise ValueError(
                    f"the {name} file is prepared as {_kind(rows)}; give an array of numbers, one "
                    "row per record, one column for each that is compared"
                )
            if summed and not (np.abs(rows) < MAX_SQUARED).all():
                raise ValueError(
                    f"the {name} file is prepared as numbers of which some are missing or too "
                    "large to be squared; refuse or divide them before"
                )
        if isinstance(self.distances, AgreementPattern) and self.squared:
            if np.min(self.distances.values) < 0:
                raise ValueError(
                    "the distance of some records is below 0, which is no square; say squared=False"
                )

    def unsquared(self, values: np.ndarray) -> np.ndarray:
        """Return the distances themselves for values that `distances` gives."""
        return np.sqrt(values) if self.squared else values


def prepared(distance: Distance, original: pd.DataFrame, masked: pd.DataFrame) -> Distance:
    """Prepare two files once, for several linkages of the same files; it refuses others.

    Examples
    --------
    >>> import pandas as pd
    >>> from rlpaper.distances import dbrl1
    >>> file = pd.DataFrame({"age": [20.0, 40.0]})
    >>> distance = prepared(dbrl1(), file, file)
    >>> distance(file, file) is distance(file, file)
    True
    """
    check_comparable(original, masked)
    check_distance(distance)
    return only_for(original, masked, distance(original, masked))


def prepared_by(distance: Distance, original: pd.DataFrame, masked: pd.DataFrame) -> PreparedFiles:
    """Return two files prepared by a distance; refuse what is no distance.

    Every table that a function gives is looked at, and may be written to.
    """
    check_distance(distance)
    compared = distance(original, masked)
    if not isinstance(compared, PreparedFiles):
        raise ValueError(
            f"distance gives {shown(compared)}; called with both files it must give PreparedFiles"
        )
    x, y = compared.original, compared.masked
    if (len(x), len(y)) != (len(original), len(masked)):
        raise ValueError(
            f"distance gives {len(x)} and {len(y)} rows for files of {len(original)} and "
            f"{len(masked)} records; it must give one per record"
        )
    if compared.distances is not squared_euclidean and not isinstance(
        compared.distances, SumOverColumns | AgreementPattern
    ):
        return replace(compared, distances=_checked(compared))
    x, y = x.astype(float, copy=False), y.astype(float, copy=False)
    return replace(compared, original=x, masked=y)


def _checked(compared: PreparedFiles) -> Callable[[np.ndarray, np.ndarray], np.ndarray]:
    """Return the distances of prepared files, refusing what is no table of numbers."""

    def table(a: np.ndarray, b: np.ndarray) -> np.ndarray:
        values = compared.distances(a, b)
        if not _is_table(values) or values.shape != (len(a), len(b)):
            raise ValueError(
                f"distance gives {_kind(values)} for {len(a)} and {len(b)} records; it must give a "
                "table of numbers, one row for each of the first"
            )
        if not values.min() >= (0 if compared.squared else -np.inf):
            raise ValueError(
                "distance gives a missing value for two records, or a square below 0; correct it, "
                "or say squared=False"
            )
        return np.require(values, float, "W")

    return table


def _is_table(values: object) -> TypeGuard[np.ndarray]:
    return isinstance(values, np.ndarray) and values.ndim == 2 and values.dtype.kind in "biuf"


def _kind(values: object) -> str:
    """Say what is given for an array of numbers with rows and columns."""
    if not isinstance(values, np.ndarray):
        return shown(values)
    return f"an array of the shape {values.shape} and the type {values.dtype}"


def check_distance(distance: object) -> None:
    """Refuse what cannot be called with two files, and a function that makes a distance."""
    if not callable(distance):
        raise ValueError(
            f"distance is {shown(distance)}; give one that a function of rlpaper.distances makes, "
            "such as dbrl1()"
        )
    # Functions of this package make distances, which are functions within them.
    module, name = (getattr(distance, key, "") for key in ("__module__", "__qualname__"))
    if str(module).startswith(__package__) and name and "." not in name:
        raise ValueError(f"distance is {shown(distance)}, which makes one; call it: {name}()")


def only_for(original: pd.DataFrame, masked: pd.DataFrame, compared: PreparedFiles) -> Distance:
    """Return a distance that gives what was prepared of two files, and refuses other files."""

    def prepare(first: pd.DataFrame, second: pd.DataFrame) -> PreparedFiles:
        for name, file, own in (("original", first, original), ("masked", second, masked)):
            if file is not own and not file.equals(own):
                raise ValueError(
                    f"the distance was prepared for another {name} file; prepare it for this one"
                )
        return compared

    return prepare


#: How two values of a column are compared, by their difference, categories by that of their
#: numbers. `span` counts the categories from one to the other, both ends included.
COMPARISONS: dict[str, Callable[[np.ndarray], np.ndarray]] = {
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
        Distances are rounded to multiples of this, unless it is 0; see
        `rlpaper._internal.rounding`.
    """

    comparisons: list[str]
    factors: Sequence[float] | np.ndarray
    denominator: float = 1
    unit: float = 0

    def __post_init__(self) -> None:
        """Refuse what compares no columns."""
        check_list("comparisons", self.comparisons)
        check_list("factors", self.factors)
        for comparison in self.comparisons:
            check_option("comparison", comparison, COMPARISONS)
        if len(self.factors) != len(self.comparisons):
            raise ValueError(
                f"there are {len(self.factors)} factors for {len(self.comparisons)} comparisons; "
                "give one for each column"
            )
        for factor in self.factors:
            check_number("one of the factors", factor, "a number, 0 or more", 0)
        check_number("denominator", self.denominator, "a number above 0", TINY)
        check_number("unit", self.unit, "a number, 0 or more", 0)

    @property
    def columns(self) -> int:
        """How many are compared."""
        return len(self.comparisons)

    def __call__(self, a: np.ndarray, b: np.ndarray) -> np.ndarray:
        """Return the table of distances between the rows of two arrays."""
        a, b = _rows(a, b, self.columns)
        return exhaustive.column_table(
            a, b, self.comparisons, self.factors, self.denominator, self.unit
        )

    def paired(self, a: np.ndarray, b: np.ndarray) -> np.ndarray:
        """Return the distances of rows in the same position of both arrays; these may broadcast."""
        total = np.zeros(np.broadcast_shapes(a.shape[:-1], b.shape[:-1]))
        columns = enumerate(zip(self.comparisons, self.factors, strict=True))
        with np.errstate(over="ignore"):  # as compiled code, which gives infinite distances
            for j, (comparison, factor) in columns:
                total += COMPARISONS[comparison](a[..., j] - b[..., j]) * factor
            total /= self.denominator
            return to_unit(total, self.unit)


@dataclass(frozen=True, eq=False)
class AgreementPattern:
    """Distances that depend on which columns agree, and on nothing else.

    A number that is not finite agrees with none.

    Attributes
    ----------
    values : array
        The distance for each pattern: bit v of its number says whether column v agrees.
    """

    values: np.ndarray

    def __post_init__(self) -> None:
        """Refuse what is no distance for each pattern."""
        n = np.size(self.values)
        if np.ndim(self.values) != 1 or n < 2 or n & (n - 1) or np.isnan(self.values).any():
            raise ValueError(
                "values is a list of one distance for each of the 2 ** n patterns of n columns, "
                "none of them missing"
            )

    @property
    def columns(self) -> int:
        """How many are compared."""
        return len(self.values).bit_length() - 1

    def __call__(self, a: np.ndarray, b: np.ndarray) -> np.ndarray:
        """Return the table of distances between the rows of two arrays."""
        a, b = _rows(a, b, self.columns)
        return exhaustive.pattern_table(a, b, self.values)

    def paired(self, a: np.ndarray, b: np.ndarray) -> np.ndarray:
        """Return the distances of rows in the same position of both arrays; these may broadcast."""
        patterns = np.zeros(np.broadcast_shapes(a.shape[:-1], b.shape[:-1]), np.int64)
        for j in range(a.shape[-1]):
            patterns |= ((a[..., j] == b[..., j]) & np.isfinite(a[..., j])).astype(np.int64) << j
        return np.asarray(self.values)[patterns]


def _rows(a: np.ndarray, b: np.ndarray, columns: int) -> tuple[np.ndarray, np.ndarray]:
    """Return two arrays with one row per record; refuse what has other columns."""
    for name, rows in (("first", a), ("second", b)):
        if np.ndim(rows) != 2 or np.shape(rows)[1] != columns or not len(rows):
            raise ValueError(
                f"the {name} array has the shape {np.shape(rows)}; give one row per record and "
                f"{columns} columns"
            )
    return np.asarray(a, float), np.asarray(b, float)


def by_table(
    tables: Sequence[np.ndarray], denominator: float = 1
) -> Callable[[np.ndarray, np.ndarray], np.ndarray]:
    """Make distances that are sums over the columns, each column having a table of its own.

    The sum is taken in the order of the columns. To be the same whichever file comes first, the
    files' categories have numbers of their own in these tables: category c is c in the original and
    c plus the number of categories in the masked file (`cost_table_both_ways`).
    """

    def distances(a: np.ndarray, b: np.ndarray) -> np.ndarray:
        total = np.zeros((len(a), len(b)))
        for j, table in enumerate(tables):
            total += np.take(table[a[:, j].astype(np.intp)], b[:, j].astype(np.intp), axis=1)
        return total / denominator

    return distances


def cost_table_both_ways(table: np.ndarray) -> np.ndarray:
    """Make a column's table for `by_table`.

    It is made from one that has a row for each original category and a column for each masked one.
    """
    n = len(table)
    both = np.full((2 * n, 2 * n), np.nan)
    both[:n, n:], both[n:, :n] = table, table.T
    return both


def squared_euclidean(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Return squared distances between the rows of two arrays, summed in the order of the columns.

    Linkage recognises this function and searches a tree instead of the table.
    """
    columns = np.shape(a)[-1] if np.ndim(a) else 0
    return SumOverColumns(["square"] * columns, np.ones(columns))(a, b)


def column_weights(weights: Weights | None, columns: Sequence[Label] | pd.Index) -> np.ndarray:
    """Return one weight per column, summing to 1; without weights each column counts 1."""
    if weights is None:
        return np.ones(len(columns))
    if isinstance(weights, dict):
        if set(weights) != set(columns):
            raise ValueError(
                f"weights name {sorted(map(str, weights))}, the files have "
                f"{sorted(map(str, columns))}; give one for each column"
            )
        weights = [weights[column] for column in columns]
    check_weights(weights)
    values = np.asarray(weights, float)
    if values.shape != (len(columns),):
        raise ValueError(
            f"there are {values.size} weights for {len(columns)} columns; give one for each"
        )
    return values / values.sum()


def check_weights(weights: Weights | None) -> None:
    """Refuse what no columns can be weighted by."""
    if weights is None:
        return
    if isinstance(weights, dict):
        weights = [*weights.values()]
    values = check_list("weights", weights)
    for weight in values:
        check_number(
            "one of the weights", weight, f"0 or more, up to {MAX_WEIGHT:g}", 0, MAX_WEIGHT
        )
    if not any(values):
        raise ValueError(f"weights {values}: they are 0 or more, and not all 0")
