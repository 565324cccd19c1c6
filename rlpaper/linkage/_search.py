"""The nearest of many records: by a tree, by compiled code or by tables of distances.

All three give the same answers.
"""

from collections.abc import Callable, Iterator

import numpy as np
import pandas as pd

from .._internal import exhaustive, tree_search
from .._internal.progress import progress_bar
from ..distances import AgreementPattern, SumOverColumns, squared_euclidean

MAX_DISTANCES = 1 << 22  # held at once

#: Distances between the rows of two arrays, as a table.
Table = Callable[[np.ndarray, np.ndarray], np.ndarray]
#: Positions of the nearest two, their distances, how many are as near as the first, and the
#: distance to the partner: for each query, or for each different one and each query.
Found = tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]


def nearest_two(
    queries: np.ndarray, points: np.ndarray, distances: Table, partner: np.ndarray
) -> Found:
    """Find the two nearest points of each query.

    Returns
    -------
    found, values : array of two columns
        Positions of the nearest two points, and their distances.
    ties : array
        How many points are as near as the nearest.
    to_partner : array
        Distances to the partners. A partner of -1 is none, and its distance means nothing.
    """
    if distances is not squared_euclidean:
        return _among_pairs(queries, points, distances, partner)
    to_partner = np.zeros(len(queries))
    for j in range(queries.shape[1]):  # summed in the same order as everywhere
        to_partner += (queries[:, j] - points[partner, j]) ** 2
    return *tree_search.two_nearest(queries, points), to_partner


def nearest_two_in_blocks(
    queries: np.ndarray,
    points: np.ndarray,
    distances: Table,
    partner: np.ndarray,
    query_blocks: np.ndarray,
    point_blocks: np.ndarray,
) -> Found:
    """Find the two nearest points of each query as `nearest_two` does, in the query's own block."""
    found, values = np.full((len(queries), 2), -1), np.full((len(queries), 2), np.inf)
    ties, to_partner = np.zeros(len(queries), np.int64), np.full(len(queries), np.nan)
    members = pd.Series(np.arange(len(points))).groupby(point_blocks).indices
    for block, rows in pd.Series(np.arange(len(queries))).groupby(query_blocks).indices.items():
        if block < 0 or block not in members:
            continue
        inside = members[block]
        own = pd.Index(inside).get_indexer(partner[rows])
        near, values[rows], ties[rows], to_own = nearest_two(
            queries[rows], points[inside], distances, own
        )
        found[rows] = np.where(near >= 0, inside[near], -1)
        to_partner[rows] = np.where(own >= 0, to_own, np.nan)
    return found, values, ties, to_partner


def _among_pairs(
    queries: np.ndarray, points: np.ndarray, distances: Table, partner: np.ndarray
) -> Found:
    """Search through all pairs, for any distance; equal records are looked at once."""
    query_group, _ = group_equal_rows(queries)
    point_group, copies = group_equal_rows(points)
    first, again = first_occurrences(point_group)
    if isinstance(distances, (SumOverColumns, AgreementPattern)):
        different, candidates = queries[first_occurrences(query_group)[0]], points[first]
        near, values, ties = _by_scan(different, candidates, copies, distances)
        to_partner = distances.paired(queries, points[partner])
    else:
        near, values, ties, to_partner = _by_tables(
            queries, query_group, points[first], point_group, copies, distances, partner
        )
    # The second is the next copy of the nearest, or the first record that differs: the nearer of
    # the two, then the earlier one.
    nearest, other = near.T
    copy = again[nearest]
    is_copy = (copy >= 0) & (
        (values[:, 0] < values[:, 1]) | (values[:, 0] == values[:, 1]) & (copy < first[other])
    )
    found = np.column_stack([first[nearest], np.where(is_copy, copy, first[other])])
    values[is_copy, 1] = values[is_copy, 0]
    found[np.isposinf(values[:, 1]), 1] = -1  # no second, or one as impossible
    return found[query_group], values[query_group], ties[query_group], to_partner


def _by_scan(
    queries: np.ndarray,
    points: np.ndarray,
    copies: np.ndarray,
    distances: SumOverColumns | AgreementPattern,
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Search by compiled code, see `rlpaper._internal.exhaustive`; all rows are different."""
    if isinstance(distances, AgreementPattern):
        return exhaustive.by_pattern(queries, points, copies, distances.values)
    return exhaustive.by_column(
        queries,
        points,
        copies,
        distances.comparisons,
        distances.factors,
        distances.denominator,
        distances.unit,
    )


def _by_tables(
    queries: np.ndarray,
    query_group: np.ndarray,
    points: np.ndarray,
    point_group: np.ndarray,
    copies: np.ndarray,
    distances: Table,
    partner: np.ndarray,
) -> Found:
    """Search as `_by_scan` does, by tables of distances."""
    different = query_group.max() + 1
    found, values = np.zeros((different, 2), np.int64), np.full((different, 2), np.inf)
    ties, to_partner = np.empty(different, np.int64), np.empty(len(queries))
    for part, own, table in tables(queries, query_group, points, distances):
        to_partner[own] = table[query_group[own] - part.start, point_group[partner[own]]]
        rows, nearest = np.arange(len(table)), table.argmin(axis=1)
        near = table[rows, nearest]
        ties[part] = (table == near[:, None]) @ copies
        table[rows, nearest] = np.inf
        other = table.argmin(axis=1)
        found[part] = np.column_stack([nearest, other])
        values[part] = np.column_stack([near, table[rows, other]])
        table[rows, nearest] = near  # it may be kept by whoever made it
    return found, values, ties, to_partner


def tables(
    queries: np.ndarray, query_group: np.ndarray, points: np.ndarray, distances: Table
) -> Iterator[tuple[slice, np.ndarray, np.ndarray]]:
    """Yield the distances of the different queries to the points, in portions.

    Yields
    ------
    part : slice
        Which of the different queries.
    own : array
        Positions of all queries that are equal to one of these.
    table : array
        The distances.
    """
    first, _ = first_occurrences(query_group)
    order = np.argsort(query_group, kind="stable")
    size = max(1, MAX_DISTANCES // len(points))
    with progress_bar(len(first), "linking", len(first) * len(points) > 10 * MAX_DISTANCES) as bar:
        for begin in range(0, len(first), size):
            part = slice(begin, min(begin + size, len(first)))
            own = order[slice(*np.searchsorted(query_group[order], [part.start, part.stop]))]
            yield part, own, distances(queries[first[part]], points)
            bar.update(part.stop - part.start)


def first_occurrences(group: np.ndarray) -> np.ndarray:
    """Return the first and the second position of each group, -1 where there is no second."""
    order = np.argsort(group, kind="stable")
    copies = np.bincount(group)
    begin = np.cumsum(copies) - copies
    again = order[np.minimum(begin + 1, len(group) - 1)]
    return np.array([order[begin], np.where(copies > 1, again, -1)])


def group_equal_rows(points: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the number of each row's group of equal rows, and how many rows each group has.

    Groups are numbered in order of appearance.
    """
    rows = np.ascontiguousarray(points, float) + 0.0  # -0.0 is 0.0
    rows[np.isnan(rows)] = np.nan  # all missing values alike
    if rows.shape[1] > 1:  # numbers are sorted faster than bytes
        rows = rows.view(np.dtype((np.void, rows.itemsize * rows.shape[1])))
    _, first, group = np.unique(rows.ravel(), return_index=True, return_inverse=True)
    number = np.empty(len(first), np.int64)
    number[np.argsort(first, kind="stable")] = np.arange(len(first))
    return number[group], np.bincount(number[group])
