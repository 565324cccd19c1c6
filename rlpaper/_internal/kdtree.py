"""Exact searches among points: nearest, k nearest and farthest, by a k-d tree whose points can be deleted.

Distances are squared Euclidean, summed over the coordinates in their order. A box's distance is
summed in the same order from differences that are never larger (for the farthest: never smaller),
and rounding is monotone; so pruning is exact in floating point too, and every answer equals that of
a search through all points, ties included. Among equal distances the lowest point number comes
first.
"""

from typing import NamedTuple

import numpy as np

from .jit import compiled

MAX_LEAF_POINTS = 8  # by trial


class Tree(NamedTuple):
    """A balanced k-d tree; node i has the children 2i+1 and 2i+2, and the leaves are the last level."""

    points: np.ndarray  # in the order of the leaves
    number: np.ndarray  # of each point, in the caller's order
    place: np.ndarray  # of each number, among the points
    start: np.ndarray  # a node's points are start:stop
    stop: np.ndarray
    alive: np.ndarray  # points not deleted; in a leaf they come first
    low: np.ndarray  # bounding box of the points alive
    high: np.ndarray
    first: np.ndarray  # lowest number alive
    centre: np.ndarray  # of all points
    reach: np.ndarray  # largest squared distance of a node's points from the centre


@compiled
def build(points):
    """A tree over the rows of `points`."""
    n, dims = points.shape
    levels = 0
    while n > MAX_LEAF_POINTS << levels:
        levels += 1
    nodes = (2 << levels) - 1
    number = np.arange(n)
    start, stop = np.empty(nodes, np.int64), np.empty(nodes, np.int64)
    low, high = np.empty((nodes, dims)), np.empty((nodes, dims))
    first, reach = np.empty(nodes, np.int64), np.empty(nodes)
    centre = np.zeros(dims)
    for row in range(n):
        centre += points[row] / n
    start[0], stop[0] = 0, n
    for node in range(nodes):
        begin, end = start[node], stop[node]
        _fit(
            points,
            number[begin:end],
            number[begin:end],
            centre,
            low[node],
            high[node],
            first[node:],
            reach[node:],
        )
        widest = 0
        for j in range(dims):
            if high[node, j] - low[node, j] > high[node, widest] - low[node, widest]:
                widest = j
        middle = (begin + end) // 2
        if low[node, widest] == high[node, widest]:
            # All points of the node are equal: in order of their numbers, so that the first two are
            # at hand.
            number[begin:end].sort()
        elif 2 * node + 2 < nodes:
            _select(points[:, widest], number, begin, end - 1, middle)
        if 2 * node + 2 < nodes:
            start[2 * node + 1], stop[2 * node + 1] = begin, middle
            start[2 * node + 2], stop[2 * node + 2] = middle, end
    place = np.empty(n, np.int64)
    for spot in range(n):
        place[number[spot]] = spot
    return Tree(
        points[number], number, place, start, stop, stop - start, low, high, first, centre, reach
    )


@compiled
def _fit(points, rows, numbers, centre, low, high, first, reach):
    """Bounding box, lowest number and reach of some rows of `points`, written to the places given."""
    low[:], high[:], first[0], reach[0] = np.inf, -np.inf, np.iinfo(np.int64).max, 0.0
    for row, number in zip(rows, numbers):
        first[0] = min(first[0], number)
        square = 0.0
        for j in range(len(centre)):
            value = points[row, j]
            low[j], high[j] = min(low[j], value), max(high[j], value)
            square += (value - centre[j]) ** 2
        reach[0] = max(reach[0], square)


@compiled
def _select(values, number, left, right, middle):
    """Order `number` so that the value at `middle` has no larger one before it and no smaller one after it."""
    while left < right:
        a, b, c = values[number[left]], values[number[(left + right) // 2]], values[number[right]]
        pivot = max(min(a, b), min(max(a, b), c))
        i, j = left, right
        while i <= j:
            while values[number[i]] < pivot:
                i += 1
            while values[number[j]] > pivot:
                j -= 1
            if i <= j:
                number[i], number[j] = number[j], number[i]
                i += 1
                j -= 1
        if middle <= j:
            right = j
        elif middle >= i:
            left = i
        else:
            return


@compiled
def to_point(tree, spot, query):
    """Squared distance of the point that stands at a place."""
    total = 0.0
    for j in range(len(query)):
        gap = query[j] - tree.points[spot, j]
        total += gap * gap
    return total


@compiled
def to_box(tree, node, query):
    """No point of the node is nearer."""
    total = 0.0
    for j in range(len(query)):
        gap = max(tree.low[node, j] - query[j], query[j] - tree.high[node, j], 0.0)
        total += gap * gap
    return total


@compiled
def _across_box(tree, node, query):
    """No point of the node is farther: the box's far corner, or a bound that uses the node's reach.

    With u the point and q the query, both from the centre, ``|u - q|^2 = |u|^2 + |q|^2 - 2 u.q``:
    the first is at most the reach, the last is linear and so extreme at a corner. A corner is much
    farther out than any point when points lie on a shell, as those that MDAV looks for do.
    """
    corner = radius = linear = 0.0
    for j in range(len(query)):
        low, high = tree.low[node, j], tree.high[node, j]
        gap = max(high - query[j], query[j] - low)
        corner += gap * gap
        away = tree.centre[j] - query[j]
        radius += away * away
        linear += max((low - tree.centre[j]) * away, (high - tree.centre[j]) * away)
    rounding = 1e-12 * (tree.reach[node] + radius + abs(linear))
    return min(corner, tree.reach[node] + radius + 2 * linear + rounding)


@compiled
def push(stack, bounds, depth, node, to_left, to_right, left_first):
    """Put a node's children on the stack, the one to be searched first on top; the new depth."""
    top, below = (depth + 1, depth) if left_first else (depth, depth + 1)
    stack[top], bounds[top] = 2 * node + 1, to_left
    stack[below], bounds[below] = 2 * node + 2, to_right
    return depth + 2


@compiled
def farthest(tree, query):
    """Number of the point farthest from the query."""
    best, chosen = -1.0, len(tree.number)
    nodes = len(tree.start)
    stack, bounds = np.empty(128, np.int64), np.empty(128)
    stack[0], bounds[0] = 0, np.inf
    depth = 1
    while depth:
        depth -= 1
        node = stack[depth]
        if (
            not tree.alive[node]
            or bounds[depth] < best
            or bounds[depth] == best
            and tree.first[node] > chosen
        ):
            continue
        if 2 * node + 2 >= nodes:
            for spot in range(tree.start[node], tree.start[node] + tree.alive[node]):
                distance = to_point(tree, spot, query)
                if distance > best or distance == best and tree.number[spot] < chosen:
                    best, chosen = distance, tree.number[spot]
            continue
        to_left, to_right = (
            _across_box(tree, 2 * node + 1, query),
            _across_box(tree, 2 * node + 2, query),
        )
        depth = push(stack, bounds, depth, node, to_left, to_right, to_left > to_right)
    return chosen


@compiled
def nearest(tree, query, k):
    """Numbers of the k points nearest to the query, nearest first; there must be as many."""
    distances, chosen = np.full(k, np.inf), np.full(k, len(tree.number))
    nodes = len(tree.start)
    stack, bounds = np.empty(128, np.int64), np.empty(128)
    stack[0], bounds[0] = 0, 0.0
    depth = 1
    while depth:
        depth -= 1
        node = stack[depth]
        worst = distances[k - 1]
        if (
            not tree.alive[node]
            or bounds[depth] > worst
            or bounds[depth] == worst
            and tree.first[node] > chosen[k - 1]
        ):
            continue
        if 2 * node + 2 >= nodes:
            for spot in range(tree.start[node], tree.start[node] + tree.alive[node]):
                distance, number = to_point(tree, spot, query), tree.number[spot]
                at = k - 1
                if distance > distances[at] or distance == distances[at] and number > chosen[at]:
                    continue
                while at and (
                    distance < distances[at - 1]
                    or distance == distances[at - 1]
                    and number < chosen[at - 1]
                ):
                    distances[at], chosen[at] = distances[at - 1], chosen[at - 1]
                    at -= 1
                distances[at], chosen[at] = distance, number
            continue
        to_left, to_right = to_box(tree, 2 * node + 1, query), to_box(tree, 2 * node + 2, query)
        depth = push(stack, bounds, depth, node, to_left, to_right, to_left < to_right)
    return chosen


@compiled
def delete(tree, number):
    """Take a point out; boxes shrink to what is left."""
    spot = tree.place[number]
    # The leaf of a place: down from the root by the ranges, which do not change.
    node, nodes = 0, len(tree.start)
    while 2 * node + 2 < nodes:
        node = 2 * node + 1 if spot < tree.stop[2 * node + 1] else 2 * node + 2
    last = tree.start[node] + tree.alive[node] - 1
    other = tree.number[last]
    for j in range(tree.points.shape[1]):
        tree.points[spot, j], tree.points[last, j] = tree.points[last, j], tree.points[spot, j]
    tree.number[spot], tree.number[last] = other, number
    tree.place[other], tree.place[number] = spot, last
    tree.alive[node] -= 1
    begin, end = tree.start[node], tree.start[node] + tree.alive[node]
    _fit(
        tree.points,
        np.arange(begin, end),
        tree.number[begin:end],
        tree.centre,
        tree.low[node],
        tree.high[node],
        tree.first[node:],
        tree.reach[node:],
    )
    while node:
        node = (node - 1) // 2
        tree.alive[node] -= 1
        left, right = 2 * node + 1, 2 * node + 2
        tree.first[node] = min(tree.first[left], tree.first[right])
        tree.reach[node] = max(tree.reach[left], tree.reach[right])
        for j in range(tree.points.shape[1]):
            tree.low[node, j] = min(tree.low[left, j], tree.low[right, j])
            tree.high[node, j] = max(tree.high[left, j], tree.high[right, j])
