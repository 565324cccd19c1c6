"""The two nearest of many points for each of many queries, by a k-d tree, in threads; exact, ties included."""

import os
from concurrent.futures import ThreadPoolExecutor

import numpy as np

from .jit import compiled
from .kdtree import build, push, to_box, to_point
from .progress import progress_bar

QUERIES_PER_THREAD = 5_000
MIN_SHOWN_QUERIES = 100_000  # take about a second, and show a bar


def two_nearest(queries, points):
    """For every query its nearest and second nearest point, and how many points tie for the nearest.

    Returns
    -------
    tuple of arrays
        Numbers of the two nearest points (q x 2), their squared distances (q x 2), ties (q). With a
        single point the second is -1, at distance infinity.

    Examples
    --------
    >>> found, squares, ties = two_nearest(np.array([[1.0]]), np.array([[0.0], [4.0], [2.0]]))
    >>> found.tolist(), squares.tolist(), ties.tolist()
    ([[0, 2]], [[1.0, 1.0]], [2])
    """
    tree = build(np.ascontiguousarray(points, float))
    queries = np.ascontiguousarray(queries, float)
    found, squares = np.empty((len(queries), 2), np.int64), np.empty((len(queries), 2))
    ties = np.empty(len(queries), np.int64)

    def search(part):
        _two_nearest(tree, queries, part, found, squares, ties)
        return len(part)

    if len(queries) <= QUERIES_PER_THREAD:
        search(np.arange(len(queries)))
        return found, squares, ties
    # Neighbouring queries one after another use the same part of the tree while it is in the cache.
    order = build(queries).number
    parts = [
        order[begin : begin + QUERIES_PER_THREAD]
        for begin in range(0, len(order), QUERIES_PER_THREAD)
    ]
    with (
        ThreadPoolExecutor(os.cpu_count()) as pool,
        progress_bar(len(queries), "linking", len(queries) > MIN_SHOWN_QUERIES) as bar,
    ):
        for size in pool.map(search, parts):
            bar.update(size)
    return found, squares, ties


@compiled
def _two_nearest(tree, queries, order, found, squares, ties):
    nodes = len(tree.start)
    dims = queries.shape[1]
    stack, bounds = np.empty(128, np.int64), np.empty(128)
    for row in order:
        query = queries[row]
        one = two = len(tree.number)
        to_one = to_two = np.inf
        tied = 0
        stack[0], bounds[0] = 0, 0.0
        depth = 1
        while depth:
            depth -= 1
            node = stack[depth]
            if not tree.alive[node] or bounds[depth] > to_two:
                continue
            same = True
            for j in range(dims):
                same = same and tree.low[node, j] == tree.high[node, j]
            if 2 * node + 2 < nodes and not same:
                to_left, to_right = (
                    to_box(tree, 2 * node + 1, query),
                    to_box(tree, 2 * node + 2, query),
                )
                depth = push(stack, bounds, depth, node, to_left, to_right, to_left < to_right)
                continue
            for spot in range(tree.start[node], tree.stop[node]):
                distance, number = to_point(tree, spot, query), tree.number[spot]
                # Equal points stand in order of their numbers: beyond the second they only count as
                # ties.
                copies = tree.stop[node] - spot - 1 if same and spot > tree.start[node] else 0
                if distance < to_one:
                    tied = 0
                if distance <= to_one:
                    tied += 1 + copies
                if distance < to_one or distance == to_one and number < one:
                    to_two, two = to_one, one
                    to_one, one = distance, number
                elif distance < to_two or distance == to_two and number < two:
                    to_two, two = distance, number
                if copies:
                    break
        found[row, 0], found[row, 1] = one, two if two < len(tree.number) else -1
        squares[row, 0], squares[row, 1] = to_one, to_two
        ties[row] = tied
