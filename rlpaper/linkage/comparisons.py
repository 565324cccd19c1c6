"""Comparisons: when two values agree, and how many pairs of records have which pattern.

Called with the columns of both files that it is for, a comparison returns them as arrays of
numbers, and whether two such numbers agree. Missing values become infinite here, and agree with
nothing.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

import numpy as np
import pandas as pd

from .._internal import exhaustive
from .._internal.hints import Blocks
from .._internal.jit import compiled
from .._internal.magnitudes import exponents, near_one
from .._internal.validation import check_number, numeric_array, refuse_values, shown
from . import _search
from .blocking import common_codes, pairs_in_blocks

MAX_PAIRS = 1 << 22  # compared at once
MAX_TABLE_VARIABLES = 16  # whose patterns are counted in a table of all possible ones
MAX_BINS = 1000
HUGE = 1e300  # beyond which differences may overflow

#: How far the numbers of two arrays agree.
Agreement = Callable[[np.ndarray, np.ndarray], np.ndarray]
#: Columns of both files as arrays, and how far numbers of them agree.
Compared = tuple[np.ndarray, np.ndarray, Agreement]
Comparison = Callable[[pd.DataFrame, pd.DataFrame], Compared]


def exact() -> Comparison:
    """Make the comparison in which equal values agree."""

    def prepare(x: pd.DataFrame, y: pd.DataFrame) -> Compared:
        codes = [common_codes(x.iloc[:, v], y.iloc[:, v]) for v in range(x.shape[1])]
        a, b = (np.column_stack(part) for part in zip(*codes, strict=True))
        return np.where(a < 0, np.inf, a), np.where(b < 0, np.inf, b), np.equal

    return prepare


def within(tolerance: float) -> Comparison:
    """Make the comparison in which numbers agree that differ by `tolerance` at most."""
    check_number("tolerance", tolerance, "a number, 0 or more", 0)
    return _close(lambda a, b: np.abs(a - b) <= tolerance)


def within_share(share: float) -> Comparison:
    """Make the comparison in which numbers agree that differ by at most a share of the larger.

    The larger one is that with the larger absolute value.
    """
    check_number("share", share, "a share of the larger number, 0 to 1", 0, 1)
    return _close(lambda a, b: np.abs(a - b) <= share * np.maximum(np.abs(a), np.abs(b)))


def same_bin(bins: int = 5) -> Comparison:
    """Make the comparison in which numbers agree that are in the same bin.

    The values of both files together are cut into `bins` parts of equal size. A value on the border
    of two parts belongs to the lower one.
    """
    check_number("bins", bins, f"a whole number, 1 to {MAX_BINS}", 1, MAX_BINS, whole=True)
    shares = np.arange(1, bins) / bins

    def prepare(x: pd.DataFrame, y: pd.DataFrame) -> Compared:
        first, second = _numbers(x), _numbers(y)
        both = np.concatenate([first, second])
        edges = np.column_stack([_edges(column[np.isfinite(column)], shares) for column in both.T])
        a, b = (
            np.where(np.isfinite(z), (z[:, None] > edges).sum(axis=1), np.inf)
            for z in (first, second)
        )
        return a, b, np.equal

    return prepare


def _edges(values: np.ndarray, shares: np.ndarray) -> np.ndarray:
    """Return the quantiles of numbers, of which there may be none."""
    if len(values) == 0:
        return np.zeros(len(shares))
    unit = 4.0 if np.abs(values).max() > HUGE else 1.0
    return np.quantile(values / unit, shares) * unit


def compared_by(comparison: Comparison, x: pd.DataFrame, y: pd.DataFrame) -> Compared:
    """Return columns of both files as a comparison takes them; refuse what is no comparison."""
    if not callable(comparison) or comparison in (exact, within, within_share, same_bin):
        raise ValueError(
            f"comparisons has {shown(comparison)}; give what exact(), within(1), within_share(0.1) "
            "or same_bin() returns, for all columns or for each by its name"
        )
    compared = comparison(x, y)
    if not (
        isinstance(compared, tuple)
        and [np.shape(part) for part in compared[:2]] == [x.shape, y.shape]
        and len(compared) == 3
        and callable(compared[2])
    ):
        raise ValueError(
            f"comparisons has {shown(comparison)}, which gives no comparison; called with columns "
            "of both files it must return both as arrays of numbers, and a function that says "
            "whether two such numbers agree"
        )
    return compared


def _close(agree: Agreement) -> Comparison:
    return lambda x, y: (_numbers(x), _numbers(y), agree)


def _numbers(file: pd.DataFrame, instead: str = "compare it with exact()") -> np.ndarray:
    """Return a file's values as floats, missing ones as infinite."""
    values = numeric_array(file, instead)
    refuse_values(file, np.isinf(values), "infinite", "correct it first")
    return np.where(np.isnan(values), np.inf, values)


def agreements(x: np.ndarray, y: np.ndarray, agree: Sequence[Agreement]) -> Iterator[np.ndarray]:
    """Yield how far records agree, for one variable after the other.

    x and y have the variables in their last axis.
    """
    for v, compare in enumerate(agree):
        a, b = x[..., v], y[..., v]
        with np.errstate(invalid="ignore", over="ignore"):
            yield np.where(np.isfinite(a) & np.isfinite(b), compare(a, b), 0.0)


def value_ranges(
    original: pd.DataFrame, masked: pd.DataFrame
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return both files as numbers, and the range of each variable over both.

    The range of a constant variable is taken as 1.
    """
    instead = "leave it out, or do without prorate"
    a, b = _numbers(original, instead), _numbers(masked, instead)
    both = np.vstack([a, b])
    powers = exponents(np.where(np.isfinite(both), both, 0))
    a, b, both = (near_one(values, powers) for values in (a, b, both))
    known = np.isfinite(both)
    spread = np.where(known, both, -np.inf).max(axis=0) - np.where(known, both, np.inf).min(axis=0)
    spread[~(spread > 0)] = 1
    return a, b, spread


def prorated(
    x: np.ndarray,
    y: np.ndarray,
    spread: np.ndarray,
    agreement: np.ndarray,
    disagreement: np.ndarray,
) -> np.ndarray:
    """Return the index of all pairs of two arrays, with part of the weight for near agreement.

    It is not rounded.
    """
    table = np.empty((len(x), len(y)))
    _fill_prorated(
        np.ascontiguousarray(x), np.ascontiguousarray(y), spread, agreement, disagreement, table
    )
    return table


@compiled
def _fill_prorated(
    x: np.ndarray,
    y: np.ndarray,
    spread: np.ndarray,
    agreement: np.ndarray,
    disagreement: np.ndarray,
    table: np.ndarray,
) -> None:
    for row in range(len(x)):
        for column in range(len(y)):
            total = 0.0
            for v in range(len(spread)):
                share = 1 - abs(x[row, v] - y[column, v]) / spread[v]
                if not share > 0:  # too far apart, or a value is missing, which is infinite
                    share = 0.0
                if share != 0:
                    total += share * agreement[v]
                if share != 1:
                    total += (1 - share) * disagreement[v]
            table[row, column] = total


def count_patterns_across(
    a: np.ndarray, b: np.ndarray, agree: Sequence[Agreement]
) -> tuple[np.ndarray, np.ndarray]:
    """Count as `count_patterns` does, all pairs of two files; equal records are compared once."""
    (group_a, copies_a), (group_b, copies_b) = map(_search.group_equal_rows, (a, b))
    a, b = a[_search.first_occurrences(group_a)[0]], b[_search.first_occurrences(group_b)[0]]
    if a.shape[1] <= MAX_TABLE_VARIABLES and all(compare is np.equal for compare in agree):
        counts = exhaustive.count_patterns(a, b, copies_a, copies_b)
        codes = np.flatnonzero(counts)
        return codes, counts[codes]
    return count_patterns((a, b, agree), compared_pairs(a, b, None), (copies_a, copies_b))


def count_patterns(
    compared: tuple[np.ndarray, np.ndarray, Sequence[Agreement]],
    portions: Iterable[tuple[np.ndarray, np.ndarray]],
    copies: tuple[np.ndarray, np.ndarray] | None = None,
) -> tuple[np.ndarray, np.ndarray]:
    """Return the patterns that occur, and how many pairs have each.

    Patterns are numbers whose bit v says whether variable v agrees. `copies` says how many records
    each record stands for.
    """
    a, b, agree = compared
    counts: Counter[int] = Counter()
    for i, j in portions:
        codes: Any = 0
        for v, agreement in enumerate(agreements(a[i], b[j], agree)):
            codes = codes | agreement.astype(np.int64) << v
        times = None if copies is None else (copies[0][i] * copies[1][j]).ravel()
        if len(agree) <= MAX_TABLE_VARIABLES:
            found = np.bincount(codes.ravel(), times, minlength=1 << len(agree))
            values = np.flatnonzero(found)
            found = found[values]
        else:
            values, inverse = np.unique(codes, return_inverse=True)
            found = np.bincount(inverse.ravel(), times)
        counts.update(dict(zip(values.tolist(), found.astype(int).tolist(), strict=True)))
    if not counts:
        raise ValueError("there is no pair to compare; give larger files or wider blocks")
    found = np.array(sorted(counts.items()))
    return found[:, 0], found[:, 1]


def pattern_bits(codes: np.ndarray, n: int) -> np.ndarray:
    """Return the patterns of n variables with these numbers, one row per pattern."""
    return (codes[:, None] >> np.arange(n) & 1).astype(bool)


def compared_pairs(
    original: pd.DataFrame | np.ndarray,
    masked: pd.DataFrame | np.ndarray | None,
    blocks: Blocks | None,
) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Yield the positions of the records to compare, in portions: arrays that broadcast to pairs.

    Without a second file, pairs are those within the first.
    """
    if blocks is not None:
        first, second = pairs_in_blocks(original, masked, blocks)
        for begin in range(0, len(first), MAX_PAIRS):
            yield first[begin : begin + MAX_PAIRS], second[begin : begin + MAX_PAIRS]
        return
    n = len(original if masked is None else masked)
    size = max(1, MAX_PAIRS // max(1, n))
    for begin in range(0, len(original), size):
        rows = np.arange(begin, min(begin + size, len(original)))
        if masked is not None:
            yield rows[:, None], np.arange(n)[None, :]
        else:
            at, later = np.nonzero(np.arange(n) > rows[:, None])
            yield rows[at], later
