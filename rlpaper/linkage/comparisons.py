"""Comparisons: when two values agree, and how many pairs of records have which pattern.

Called with the columns of both files that it is for, a comparison returns them as arrays of
numbers, and whether two such numbers agree. Missing values become infinite here, and agree with
nothing.
"""

from collections import Counter

import numpy as np
import pandas as pd

from .._internal import exhaustive
from .._internal.jit import compiled
from .._internal.validation import numeric_array
from . import _search

MAX_PAIRS = 1 << 22  # compared at once
MAX_TABLE_VARIABLES = 16  # whose patterns are counted in a table of all possible ones


def exact():
    """Agreement of equal values."""

    def prepare(x, y):
        codes = [_codes(x.iloc[:, v], y.iloc[:, v]) for v in range(x.shape[1])]
        return *(np.column_stack(part) for part in zip(*codes)), np.equal

    return prepare


def _codes(x, y):
    """The values of two columns as numbers, the same where they are equal."""
    if isinstance(x.dtype, pd.CategoricalDtype) and isinstance(y.dtype, pd.CategoricalDtype):
        x, y = x.array, y.array
        first, second = x.categories.astype(object), y.categories.astype(object)
        place = first.get_indexer(second)
        place = np.append(
            np.where(place < 0, len(first) + np.arange(len(place)), place), -1
        )  # at -1, what is missing
        codes = np.concatenate([x.codes, place[y.codes]])
    else:
        codes, _ = pd.factorize(pd.concat([x.astype(object), y.astype(object)]))
    codes = np.where(codes < 0, np.inf, codes)
    return codes[: len(x)], codes[len(x) :]


def within(tolerance):
    """Agreement of numbers that differ by `tolerance` at most."""
    return _close(lambda a, b: np.abs(a - b) <= tolerance)


def within_share(share):
    """Agreement of numbers that differ by at most `share` of the larger one's absolute value."""
    return _close(lambda a, b: np.abs(a - b) <= share * np.maximum(np.abs(a), np.abs(b)))


def same_bin(bins=5):
    """Agreement of numbers in the same of `bins` parts of equal size of all values in both files.

    A value on the border of two parts belongs to the lower one.
    """
    shares = np.arange(1, bins) / bins

    def prepare(x, y):
        x, y = _numbers(x), _numbers(y)
        both = np.concatenate([x, y])
        if np.isfinite(both).all():
            edges = np.quantile(both, shares, axis=0)
        else:
            edges = np.column_stack(
                [np.quantile(column[np.isfinite(column)], shares) for column in both.T]
            )
        return *(
            np.where(np.isfinite(z), (z[:, None] > edges).sum(axis=1), np.inf) for z in (x, y)
        ), np.equal

    return prepare


def _close(agree):
    return lambda x, y: (_numbers(x), _numbers(y), agree)


def _numbers(file):
    values = numeric_array(file, "compare it with exact()")
    return np.where(np.isnan(values), np.inf, values)


def _agreements(x, y, agree):
    """By how much records agree, one variable after the other; x and y have the variables in their last axis."""
    for v, compare in enumerate(agree):
        a, b = x[..., v], y[..., v]
        with np.errstate(invalid="ignore"):
            yield np.where(np.isfinite(a) & np.isfinite(b), compare(a, b), 0.0)


def _spread(original, masked):
    """Both files as numbers, and the range of each variable over both, 1 where it is constant."""
    a, b = _numbers(original), _numbers(masked)
    both = np.vstack([a, b])
    both[np.isinf(both)] = np.nan
    spread = np.nanmax(both, axis=0) - np.nanmin(both, axis=0)
    spread[spread == 0] = 1
    return a, b, spread


def _prorated(x, y, spread, agreement, disagreement):
    """The index of all pairs of two arrays, not rounded, where numbers that nearly agree add part of the weight."""
    table = np.empty((len(x), len(y)))
    _fill_prorated(
        np.ascontiguousarray(x), np.ascontiguousarray(y), spread, agreement, disagreement, table
    )
    return table


@compiled
def _fill_prorated(x, y, spread, agreement, disagreement, table):
    for row in range(len(x)):
        for column in range(len(y)):
            total = 0.0
            for v in range(len(spread)):
                share = 0.0
                if abs(x[row, v]) < np.inf and abs(y[column, v]) < np.inf:
                    share = 1 - abs(x[row, v] - y[column, v]) / spread[v]
                    if share < 0:
                        share = 0.0
                if share != 0:
                    total += share * agreement[v]
                if share != 1:
                    total += (1 - share) * disagreement[v]
            table[row, column] = total


def _counted_across(a, b, agree):
    """`_counted` for all pairs of two files; equal records are compared once."""
    (kind_a, copies_a), (kind_b, copies_b) = (
        _search.group_equal_rows(a),
        _search.group_equal_rows(b),
    )
    a, b = a[_search.first_occurrences(kind_a)[0]], b[_search.first_occurrences(kind_b)[0]]
    if a.shape[1] <= MAX_TABLE_VARIABLES and all(compare is np.equal for compare in agree):
        counts = exhaustive.count_patterns(a, b, copies_a, copies_b)
        codes = np.flatnonzero(counts)
        return codes, counts[codes]
    return _counted((a, b, agree), _pairs(a, b, None), (copies_a, copies_b))


def _counted(compared, chunks, copies=None):
    """The patterns that occur, as numbers whose bit v says whether variable v agrees, and how many pairs have each; `copies`
    says how many records each record stands for.
    """
    a, b, agree = compared
    counts = Counter()
    for i, j in chunks:
        codes = np.int64(0)
        for v, agreement in enumerate(_agreements(a[i], b[j], agree)):
            codes = codes | agreement.astype(np.int64) << v
        times = None if copies is None else (copies[0][i] * copies[1][j]).ravel()
        if len(agree) <= MAX_TABLE_VARIABLES:
            found = np.bincount(codes.ravel(), times, minlength=1 << len(agree))
            counts.update({int(code): int(found[code]) for code in np.flatnonzero(found)})
        else:
            values, place = np.unique(codes, return_inverse=True)
            counts.update(
                dict(zip(values.tolist(), np.bincount(place.ravel(), times).astype(int).tolist()))
            )
    if not counts:
        raise ValueError("there is no pair to compare; give larger files or wider blocks")
    codes = sorted(counts)
    return np.array(codes), np.array([counts[code] for code in codes])


def _bits(codes, n):
    return (codes[:, None] >> np.arange(n) & 1).astype(bool)


def _pairs(original, masked, block_by):
    """Places of the records to compare, in portions: arrays that broadcast to pairs."""
    if block_by is not None:
        first, second = _blocked(original, masked, block_by)
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
            yield tuple(
                np.concatenate(places)
                for places in (
                    [np.full(n - row - 1, row) for row in rows],
                    [np.arange(row + 1, n) for row in rows],
                )
            )


def _blocked(original, masked, block_by):
    """Places of the pairs that agree in all columns of at least one list, each pair once."""
    other = original if masked is None else masked
    found = []
    for columns in block_by:
        a, b = (
            file[columns].reset_index(drop=True).dropna().rename_axis("place").reset_index()
            for file in (original, other)
        )
        both = a.merge(b, on=columns)
        found.append(both["place_x"].to_numpy() * len(other) + both["place_y"].to_numpy())
    codes = np.unique(np.concatenate(found))
    first, second = codes // len(other), codes % len(other)
    kept = first < second if masked is None else np.full(len(codes), True)
    return first[kept], second[kept]
