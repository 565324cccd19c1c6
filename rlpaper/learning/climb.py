"""Good parameters fast: exact searches along lines.

On a line every block is linked on one open interval, so the best point of the whole line is found by sorting the
ends of the intervals.
"""

import numpy as np

from ..machine_code import compiled
from .problem import TOLERANCE, linked_blocks

LINE_BUDGET = 5e8  # coefficients that a climb looks at: about a second
ROUNDS = 4  # of a climb whose constraints join as they are broken
FAR = 1e9  # a line is followed so far where nothing bounds it


def affordable(problem, lines):
    """So many lines, or fewer where a line costs much, but some in any case."""
    return max(20, min(lines, int(LINE_BUDGET / max(1, problem.rows.size))))


def climb(problem, start, lines, random_state):
    """Improve parameters along random lines; returns the best found, scaled, and how many open blocks it links.

    Directions are along one parameter, proportional to all parameters, towards a random point of the cone, or
    Gaussian. A line is also followed to a point as good as the last, so that the search drifts over plateaus.
    """
    start = np.asarray(start, float) / np.abs(start).max()
    if problem.separate is None:
        return _climb(problem.rows, problem.starts, problem.cone, problem.lower, start, lines, random_state)
    best = int(problem.linked_blocks(start).sum())
    for _ in range(ROUNDS):
        theta, _ = _climb(problem.rows, problem.starts, problem.cone, problem.lower, start, lines // ROUNDS, random_state)
        problem = problem.tightened(theta)
        theta = _drawn_in(problem, start, theta)
        linked = int(problem.linked_blocks(theta).sum())
        if linked >= best:
            start, best = theta, linked
    return start, best


def _drawn_in(problem, inside, theta):
    """The point between `theta` and one inside that is nearest to theta and breaks no constraint, found by halving."""
    low, high = 0.0, 1.0  # share of `inside`
    if len(problem.separate(theta)) == 0:
        return theta
    for _ in range(6):
        middle = (low + high) / 2
        broken = len(problem.separate(middle * inside + (1 - middle) * theta))
        low, high = (middle, high) if broken else (low, middle)
    theta = high * inside + (1 - high) * theta
    return theta / np.abs(theta).max()


@compiled
def _climb(rows, starts, cone, lower, theta, lines, random):
    parameters, blocks = len(theta), len(starts) - 1
    theta = theta.copy()
    best, best_theta = -1, theta.copy()
    direction = np.empty(parameters)
    begin, end = np.empty(blocks), np.empty(blocks)
    for line in range(lines):
        kind = line % 4
        if kind == 0:
            direction[:] = 0
            direction[(line // 4) % parameters] = 1
        elif kind == 1:
            for k in range(parameters):
                direction[k] = theta[k] * random.standard_normal()
        elif kind == 2:
            for k in range(parameters):
                direction[k] = random.standard_exponential() ** 2  # squared: weights of different orders
            direction /= direction.max()
            for k in range(parameters):
                if lower[k] < 0 and random.random() < 0.5:
                    direction[k] = -direction[k]
            direction -= theta
        else:
            for k in range(parameters):
                direction[k] = random.standard_normal()
        low, high = _room(cone, lower, theta, direction)
        if not low < high:
            continue
        count = _intervals(rows, starts, theta, direction, low, high, begin, end)
        depth, step = _deepest(begin[:count], end[:count], random)
        if depth >= best and depth > 0:
            theta = theta + step * direction
            theta /= np.abs(theta).max()
            if depth > best:
                # Counted again, after scaling: far out on a line the tolerance is not what it is here.
                linked = linked_blocks(rows, starts, theta).sum()
                if linked > best:
                    best = linked
                    best_theta[:] = theta
    return best_theta, max(best, 0)


@compiled
def _room(cone, lower, theta, direction):
    """How far the line stays in the cone, both ways."""
    low, high = -FAR, FAR
    for k in range(len(theta)):
        if lower[k] == 0 and direction[k] > 0:
            low = max(low, -theta[k] / direction[k])
        elif lower[k] == 0 and direction[k] < 0:
            high = min(high, -theta[k] / direction[k])
    for row in range(len(cone)):
        value, slope = 0.0, 0.0
        for k in range(len(theta)):
            value += cone[row, k] * theta[k]
            slope += cone[row, k] * direction[k]
        if slope > 0:
            low = max(low, -max(value, 0.0) / slope)
        elif slope < 0:
            high = min(high, -max(value, 0.0) / slope)
    return low, high


@compiled
def _intervals(rows, starts, theta, direction, low, high, begin, end):
    """Where on the line each block is linked; blocks that never are take no place. Returns their number."""
    count = 0
    for block in range(len(starts) - 1):
        a, b = low, high
        for row in range(starts[block], starts[block + 1]):
            value, slope = -TOLERANCE, 0.0
            for k in range(len(theta)):
                value += rows[row, k] * theta[k]
                slope += rows[row, k] * direction[k]
            if slope > 0:
                a = max(a, -value / slope)
            elif slope < 0:
                b = min(b, -value / slope)
            elif value <= 0:
                b = a
            if not a < b:
                break
        if a < b:
            begin[count], end[count] = a, b
            count += 1
    return count


@compiled
def _deepest(begin, end, random):
    """The largest number of intervals that overlap, and the middle of a place where they do, drawn among all."""
    order_begin, order_end = np.argsort(begin), np.argsort(end)
    depth, best, ties, middle = 0, 0, 0, 0.0
    e = 0
    for b in range(len(begin)):
        place = begin[order_begin[b]]
        while end[order_end[e]] <= place:
            depth -= 1
            e += 1
        depth += 1
        until = end[order_end[e]]
        if b + 1 < len(begin):
            until = min(until, begin[order_begin[b + 1]])
        if depth >= best and until > place:
            ties = 1 if depth > best else ties + 1
            best = depth
            if random.random() * ties < 1:
                middle = (place + until) / 2
    return best, middle
