"""The nearest of many records: by a tree, by compiled code or by tables of distances, with the same answers."""

import numpy as np
import pandas as pd

from .. import distances
from .._internal import exhaustive, tree_search
from .._internal.progress import progress_bar

MAX_DISTANCES = 1 << 22  # distances held at once


def nearest_two(queries, points, matrix, partner):
    """The two nearest points of each query, their distances, how many are as near as the first, and the distances to the
    partners; a partner of -1 is none, and its distance means nothing.
    """
    if matrix is not distances.squared_euclidean:
        return _among_pairs(queries, points, matrix, partner)
    to_partner = np.zeros(len(queries))
    for j in range(queries.shape[1]):  # summed in the same order as everywhere
        to_partner += (queries[:, j] - points[partner, j]) ** 2
    return *tree_search.two_nearest(queries, points), to_partner


def within(queries, points, matrix, partner, query_blocks, point_blocks):
    """As `nearest_two`, among the points of the query's own block only."""
    found, values = np.full((len(queries), 2), -1), np.full((len(queries), 2), np.inf)
    ties, to_partner = np.zeros(len(queries), np.int64), np.full(len(queries), np.nan)
    members = pd.Series(np.arange(len(points))).groupby(point_blocks).indices
    for block, rows in pd.Series(np.arange(len(queries))).groupby(query_blocks).indices.items():
        if block < 0 or block not in members:
            continue
        places = members[block]
        own = pd.Index(places).get_indexer(partner[rows])
        near, values[rows], ties[rows], to_own = nearest_two(
            queries[rows], points[places], matrix, own
        )
        found[rows] = np.where(near >= 0, places[near], -1)
        to_partner[rows] = np.where(own >= 0, to_own, np.nan)
    return found, values, ties, to_partner


def _among_pairs(queries, points, matrix, partner):
    """As `nearest_two`, for any distance, through all pairs of different records: equal ones are looked at once."""
    query_kind, _ = group_equal_rows(queries)
    point_kind, copies = group_equal_rows(points)
    first, again = first_occurrences(point_kind)
    if isinstance(matrix, (distances.SumOverColumns, distances.AgreementPattern)):
        near, values, ties, to_partner = _by_scan(
            queries, query_kind, points, first, copies, matrix, partner
        )
    else:
        near, values, ties, to_partner = _by_tables(
            queries, query_kind, points[first], point_kind, copies, matrix, partner
        )
    # The second is the next copy of the nearest or the first of another kind: the nearer, then the
    # earlier one.
    nearest, other = near.T
    copy = again[nearest]
    is_copy = (copy >= 0) & (
        (values[:, 0] < values[:, 1]) | (values[:, 0] == values[:, 1]) & (copy < first[other])
    )
    found = np.column_stack([first[nearest], np.where(is_copy, copy, first[other])])
    values[is_copy, 1] = values[is_copy, 0]
    found[np.isposinf(values[:, 1]), 1] = -1  # no second, or one as impossible
    return found[query_kind], values[query_kind], ties[query_kind], to_partner


def _by_scan(queries, query_kind, points, first, copies, matrix, partner):
    """Of the different queries the nearest of the different points and the next, by compiled code; see `rlpaper._internal.exhaustive`."""
    places = points[first]
    if isinstance(matrix, distances.AgreementPattern):
        near, values, ties = exhaustive.by_pattern(
            queries[first_occurrences(query_kind)[0]], places, copies, matrix.values
        )
    else:
        near, values, ties = exhaustive.by_column(
            queries[first_occurrences(query_kind)[0]],
            places,
            copies,
            matrix.comparisons,
            matrix.factors,
            matrix.denominator,
            matrix.unit,
        )
    return near, values, ties, matrix.paired(queries, points[partner])


def _by_tables(queries, query_kind, points, point_kind, copies, matrix, partner):
    """As `_by_scan`, by tables of distances."""
    different = query_kind.max() + 1
    found, values = np.zeros((different, 2), np.int64), np.full((different, 2), np.inf)
    ties, to_partner = np.empty(different, np.int64), np.empty(len(queries))
    for part, own, block in tables(queries, query_kind, points, matrix):
        to_partner[own] = block[query_kind[own] - part.start, point_kind[partner[own]]]
        rows, nearest = np.arange(len(block)), block.argmin(axis=1)
        near = block[rows, nearest]
        ties[part] = (block == near[:, None]) @ copies
        block[rows, nearest] = np.inf
        other = block.argmin(axis=1)
        found[part] = np.column_stack([nearest, other])
        values[part] = np.column_stack([near, block[rows, other]])
    return found, values, ties, to_partner


def tables(queries, query_kind, points, matrix):
    """Distances of the different queries to the points, in portions: which of the different queries, the numbers of all
    queries that are equal to them, and the distances.
    """
    first, _ = first_occurrences(query_kind)
    order = np.argsort(query_kind, kind="stable")
    size = max(1, MAX_DISTANCES // len(points))
    with progress_bar(len(first), "linking", len(first) * len(points) > 10 * MAX_DISTANCES) as bar:
        for begin in range(0, len(first), size):
            part = slice(begin, min(begin + size, len(first)))
            own = order[slice(*np.searchsorted(query_kind[order], [part.start, part.stop]))]
            yield part, own, matrix(queries[first[part]], points)
            bar.update(part.stop - part.start)


def first_occurrences(kind):
    """The first and second place of each kind, -1 where there is no second."""
    order = np.argsort(kind, kind="stable")
    copies = np.bincount(kind)
    begin = np.cumsum(copies) - copies
    again = order[np.minimum(begin + 1, len(kind) - 1)]
    return np.array([order[begin], np.where(copies > 1, again, -1)])


def group_equal_rows(points):
    """Number of each row's kind, equal rows being of one kind, and how many rows each kind has; in order of appearance."""
    rows = np.ascontiguousarray(points, float) + 0.0  # -0.0 is 0.0
    rows[np.isnan(rows)] = np.nan  # all missing values alike
    if rows.shape[1] > 1:  # numbers are sorted faster than bytes
        rows = rows.view(np.dtype((np.void, rows.itemsize * rows.shape[1])))
    _, first, kind = np.unique(rows.ravel(), return_index=True, return_inverse=True)
    place = np.empty(len(first), np.int64)
    place[np.argsort(first, kind="stable")] = np.arange(len(first))
    return place[kind], np.bincount(place[kind])
