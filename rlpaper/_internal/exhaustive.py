"""Exact searches through all pairs of records, compiled, for distances that no tree can search.

Answers are those of the tables of `rlpaper.distances.prepared_files`. Distances are summed in the
same order, and a pair is given up only when the columns so far put it beyond the second nearest,
and no further column can undo that, not even in floating point.
"""

import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor

import numpy as np

from .jit import compiled
from .progress import progress_bar
from .rounding import to_unit_compiled

QUERIES_PER_THREAD = 64
MIN_THREADED_PAIRS = 2_000_000  # take about a hundredth of a second
MIN_SHOWN_PAIRS = 200_000_000  # take about a second, and show a bar

SQUARE, DIFFERENCE, SPAN, UNEQUAL = range(4)
COMPARISON_CODES = {"square": SQUARE, "difference": DIFFERENCE, "span": SPAN, "unequal": UNEQUAL}

#: Numbers of the two nearest points, their distances, and how many are as near as the first.
Found = tuple[np.ndarray, np.ndarray, np.ndarray]


def by_column(
    queries: np.ndarray,
    points: np.ndarray,
    copies: np.ndarray,
    comparisons: Sequence[str],
    factors: Sequence[float] | np.ndarray,
    denominator: float,
    unit: float,
) -> Found:
    """Find the nearest and next nearest point of each query, by a sum over the columns.

    Parameters
    ----------
    queries, points : array
    copies : array
        How many records each point stands for.
    comparisons, factors, denominator, unit
        As for `rlpaper.distances.SumOverColumns`.

    Returns
    -------
    tuple of arrays
        Numbers of the two nearest points (q x 2), of equally near ones the first; their distances
        (q x 2), infinite where there is no second; how many records are as near as the nearest (q).
    """
    options = _options(comparisons, factors, denominator, unit)
    return _in_parts(_by_column, queries, points, copies, options)


def by_pattern(
    queries: np.ndarray, points: np.ndarray, copies: np.ndarray, values: np.ndarray
) -> Found:
    """Find what `by_column` does, the distance being what `values` says of the pattern.

    In the number of a pattern, bit v is set where column v agrees.
    """
    return _in_parts(_by_pattern, queries, points, copies, (np.asarray(values, float),))


def _options(
    comparisons: Sequence[str],
    factors: Sequence[float] | np.ndarray,
    denominator: float,
    unit: float,
) -> tuple[np.ndarray, np.ndarray, float, float]:
    """Return what says how to compare, as compiled code takes it."""
    codes = np.array([COMPARISON_CODES[name] for name in comparisons], np.int64)
    return codes, np.asarray(factors, float), float(denominator), float(unit)


def _in_parts(
    search: Callable, queries: np.ndarray, points: np.ndarray, copies: np.ndarray, options: tuple
) -> Found:
    """Search in threads, where that is worth it."""
    queries, points = (np.ascontiguousarray(array, float) for array in (queries, points))
    found, values = np.zeros((len(queries), 2), np.int64), np.full((len(queries), 2), np.inf)
    ties = np.zeros(len(queries), np.int64)

    def part(begin: int) -> int:
        rows = slice(begin, begin + QUERIES_PER_THREAD)
        search(queries[rows], points, copies, *options, found[rows], values[rows], ties[rows])
        return len(ties[rows])

    if len(queries) * len(points) <= MIN_THREADED_PAIRS:
        search(queries, points, copies, *options, found, values, ties)
        return found, values, ties
    with (
        ThreadPoolExecutor(os.cpu_count()) as pool,
        progress_bar(len(queries), "linking", len(queries) * len(points) > MIN_SHOWN_PAIRS) as bar,
    ):
        for size in pool.map(part, range(0, len(queries), QUERIES_PER_THREAD)):
            bar.update(size)
    return found, values, ties


def column_table(
    a: np.ndarray,
    b: np.ndarray,
    comparisons: Sequence[str],
    factors: Sequence[float] | np.ndarray,
    denominator: float,
    unit: float,
) -> np.ndarray:
    """Compute all distances between two arrays, by a sum over the columns, as for `by_column`."""
    table = np.empty((len(a), len(b)))
    a, b = (np.ascontiguousarray(array, float) for array in (a, b))
    _column_table(a, b, *_options(comparisons, factors, denominator, unit), table)
    return table


@compiled
def _column_table(a, b, comparisons, factors, denominator, unit, table):
    for row in range(len(a)):
        for column in range(len(b)):
            total = 0.0
            for j in range(len(comparisons)):
                total += compared(a[row, j] - b[column, j], comparisons[j]) * factors[j]
            table[row, column] = to_unit_compiled(total / denominator, unit)


@compiled
def compared(gap, comparison):
    """Return how two values differ; see `rlpaper.distances.prepared_files.COMPARISONS`."""
    if comparison == SQUARE:
        return gap * gap
    if comparison == DIFFERENCE:
        return abs(gap)
    if comparison == SPAN:
        return abs(gap) + 1
    return 1.0 if gap != 0 else 0.0


def correct_both_ways(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Return how likely each record is linked to the one in its own position of the other array.

    Links are by squared Euclidean distances, which are computed once for both directions: the
    probabilities are those of the rows of `b`, then those of the rows of `a`. Ties count one over
    their number.

    Examples
    --------
    >>> a, b = np.array([[20.0], [40.0], [60.0]]), np.array([[35.0], [40.0], [40.0]])
    >>> to_a, to_b = correct_both_ways(a, b)
    >>> to_a.tolist(), to_b.tolist()
    ([0.0, 1.0, 0.0], [1.0, 0.5, 0.5])
    """
    return _correct_both_ways(np.ascontiguousarray(a, float), np.ascontiguousarray(b.T, float))


@compiled
def _correct_both_ways(a, columns):
    n = len(a)
    squares, own = np.empty(n), np.empty(n)
    # Of each row of b, and of each row of a.
    nearest, tied = np.full((2, n), np.inf), np.zeros((2, n), np.int64)
    for row in range(n):
        squares[:] = 0.0
        for j in range(len(columns)):  # all rows of b at once: the processor takes several together
            value, column = a[row, j], columns[j]
            for other in range(n):
                gap = value - column[other]
                squares[other] += gap * gap
        own[row] = squares[row]
        for other in range(n):
            square = squares[other]
            if square <= nearest[0, other]:
                tied[0, other] = 1 if square < nearest[0, other] else tied[0, other] + 1
                nearest[0, other] = square
            if square <= nearest[1, row]:
                tied[1, row] = 1 if square < nearest[1, row] else tied[1, row] + 1
                nearest[1, row] = square
    return (own == nearest) / tied


def pattern_table(a: np.ndarray, b: np.ndarray, values: np.ndarray) -> np.ndarray:
    """Compute all distances between two arrays, each what `values` says of the pattern.

    See `by_pattern`.
    """
    table = np.empty((len(a), len(b)))
    a, b = (np.ascontiguousarray(array, float) for array in (a, b))
    _pattern_table(a, b, np.asarray(values, float), table)
    return table


@compiled
def _pattern_table(a, b, values, table):
    for row in range(len(a)):
        for column in range(len(b)):
            table[row, column] = values[_pattern(a, row, b, column)]


def count_patterns(
    a: np.ndarray, b: np.ndarray, copies_a: np.ndarray, copies_b: np.ndarray
) -> np.ndarray:
    """Count how many pairs of records have each pattern.

    `copies_a` and `copies_b` say how many records each row stands for.
    """
    a, b = (np.ascontiguousarray(array, float) for array in (a, b))
    counts = np.zeros(1 << a.shape[1], np.int64)
    _count_patterns(a, b, copies_a, copies_b, counts)
    return counts


@compiled
def _count_patterns(a, b, copies_a, copies_b, counts):
    for row in range(len(a)):
        for column in range(len(b)):
            counts[_pattern(a, row, b, column)] += copies_a[row] * copies_b[column]


@compiled
def _pattern(a, row, b, column):
    """Return in which columns a row of each array agree, as bits of a number.

    What is not finite agrees with nothing.
    """
    pattern = 0
    for j in range(a.shape[1]):
        if a[row, j] == b[column, j] and abs(a[row, j]) < np.inf:
            pattern |= 1 << j
    return pattern


def nearer_and_tied(
    table: np.ndarray, rows: np.ndarray, partners: np.ndarray, copies: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Count the records that are nearer than the partner, and as near, by a table of distances.

    Parameters
    ----------
    table : array
        One row for each different query, one column for each different point.
    rows, partners : array
        For each query its row, and the column of its partner.
    copies : array
        How many records each column stands for.
    """
    nearer, tied = np.zeros(len(rows), np.int64), np.zeros(len(rows), np.int64)
    _nearer_and_tied(np.ascontiguousarray(table, float), rows, partners, copies, nearer, tied)
    return nearer, tied


@compiled
def _nearer_and_tied(table, rows, partners, copies, nearer, tied):
    for query in range(len(rows)):
        distances = table[rows[query]]
        own = distances[partners[query]]
        for point in range(len(distances)):
            if distances[point] < own:
                nearer[query] += copies[point]
            elif distances[point] == own:
                tied[query] += copies[point]


@compiled
def _kept(point, value, copies, one, to_one, two, to_two, tied):
    """Return the nearest point, the next and the ties with the nearest, given one more point."""
    if point == 0:
        return point, value, two, to_two, copies
    if value < to_one:
        return point, value, one, to_one, copies
    if value == to_one:
        tied += copies
    if value < to_two:
        two, to_two = point, value
    return one, to_one, two, to_two, tied


@compiled
def _by_column(
    queries, points, copies, comparisons, factors, denominator, unit, found, values, ties
):
    for row in range(len(queries)):
        one, two, tied = np.int64(0), np.int64(0), np.int64(0)
        to_one, to_two, limit = np.inf, np.inf, np.inf
        for point in range(len(points)):
            total, beyond = 0.0, False
            for j in range(len(comparisons)):
                total += compared(queries[row, j] - points[point, j], comparisons[j]) * factors[j]
                # Beyond, whatever it is rounded to.
                if total > limit and total / denominator > to_two + unit:
                    beyond = True
                    break
            if beyond:
                continue
            value = to_unit_compiled(total / denominator, unit)
            one, to_one, two, to_two, tied = _kept(
                point, value, copies[point], one, to_one, two, to_two, tied
            )
            limit = (to_two + unit) * denominator
        found[row, 0], found[row, 1] = one, two
        values[row, 0], values[row, 1] = to_one, to_two
        ties[row] = tied


@compiled
def _by_pattern(queries, points, copies, table, found, values, ties):
    for row in range(len(queries)):
        one, two, tied = np.int64(0), np.int64(0), np.int64(0)
        to_one, to_two = np.inf, np.inf
        for point in range(len(points)):
            value = table[_pattern(queries, row, points, point)]
            one, to_one, two, to_two, tied = _kept(
                point, value, copies[point], one, to_one, two, to_two, tied
            )
        found[row, 0], found[row, 1] = one, two
        values[row, 0], values[row, 1] = to_one, to_two
        ties[row] = tied
