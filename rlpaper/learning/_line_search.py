"""Good parameters fast: exact searches along lines.

On a line every block is linked on one open interval, so the best point of the whole line is found
by sorting the ends of the intervals. Few rows of a block ever bind. A line is cut by these *active*
ones only, so that the count on it is an upper bound; every few lines the point is checked on all
rows, and a row that it violates becomes active.
"""

from dataclasses import replace

import numpy as np

from .._internal.jit import compiled
from ._problem import TOLERANCE

ACTIVE = 3  # rows of a block at the start of a climb: the worst there
CHECK = 8  # lines after which a point that links more is checked on all rows; by trial
ROUNDS = 4  # of a climb whose constraints join as they are broken
FAR = 1e9  # a line is followed so far where nothing bounds it


class Climb:
    """Climbs over one problem.

    Attributes
    ----------
    problem : Problem
        With its rows in another order within blocks: the active ones of the last climb come first.
    """

    def __init__(self, problem):
        self.problem = replace(problem, rows=problem.rows.copy())
        self._active = np.zeros(len(problem.starts) - 1, int)

    def __call__(self, start, lines, random_state):
        """Improve parameters along random lines.

        Return the best found, scaled, and how many open blocks it links.

        Directions are along one parameter, proportional to all parameters, towards a random point
        of the cone, or Gaussian. A line is also followed to a point as good as the last, so that
        the search drifts over plateaus.
        """
        start = np.asarray(start, float) / np.abs(start).max()
        if self.problem.violated_rows is None:
            return self._climb(start, lines, random_state)
        best = int(self.problem.linked_blocks(start).sum())
        for _ in range(ROUNDS):
            theta, _ = self._climb(start, lines // ROUNDS, random_state)
            self.problem = self.problem.with_cuts(theta)
            theta = _drawn_in(self.problem, start, theta)
            linked = int(self.problem.linked_blocks(theta).sum())
            if linked >= best:
                start, best = theta, linked
        return start, best

    def active(self):
        """Say which rows of the problem were active in the last climb."""
        first, sizes = self.problem.starts[:-1], np.diff(self.problem.starts)
        return np.arange(len(self.problem.rows)) < np.repeat(first + self._active, sizes)

    def _climb(self, start, lines, random_state):
        p = self.problem
        return _climb(p.rows, p.starts, self._active, p.cone, p.lower, start, lines, random_state)


def _drawn_in(problem, inside, theta):
    """Return the point between `theta` and one inside, nearest to theta, that violates nothing.

    It is found by halving.
    """
    low, high = 0.0, 1.0  # share of `inside`
    if len(problem.violated_rows(theta)) == 0:
        return theta
    for _ in range(6):
        middle = (low + high) / 2
        point = middle * inside + (1 - middle) * theta
        broken = not point.any() or len(problem.violated_rows(point))
        low, high = (middle, high) if broken else (low, middle)
    theta = high * inside + (1 - high) * theta
    return theta / np.abs(theta).max()


@compiled
def _worst_first(rows, starts, theta, active):
    """Put the rows of each block that are least at theta first; they are active."""
    least, lowest = np.empty(ACTIVE, np.int64), np.empty(ACTIVE)
    for block in range(len(starts) - 1):
        first, size = starts[block], min(ACTIVE, starts[block + 1] - starts[block])
        lowest[:] = np.inf
        for row in range(first, starts[block + 1]):
            value = 0.0
            for k in range(len(theta)):
                value += rows[row, k] * theta[k]
            if value < lowest[size - 1]:
                rank = size - 1
                while rank > 0 and value < lowest[rank - 1]:
                    least[rank], lowest[rank] = least[rank - 1], lowest[rank - 1]
                    rank -= 1
                least[rank], lowest[rank] = row, value
        for rank in range(size):
            _swap(rows, first + rank, least[rank])
            for later in range(rank + 1, size):
                if least[later] == first + rank:
                    least[later] = least[rank]
        active[block] = size


@compiled
def _swap(rows, a, b):
    for k in range(rows.shape[1]):
        rows[a, k], rows[b, k] = rows[b, k], rows[a, k]


@compiled
def _climb(rows, starts, active, cone, lower, theta, lines, random):
    parameters, blocks = len(theta), len(starts) - 1
    theta = theta.copy()
    _worst_first(rows, starts, theta, active)
    best, best_theta = _checked(rows, starts, active, theta), theta.copy()
    claimed, unsure = best, False  # what the active rows say of the point at hand
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
            for k in range(parameters):  # squared: weights of different orders
                direction[k] = random.standard_exponential() ** 2
            direction /= direction.max()
            for k in range(parameters):
                if lower[k] < 0 and random.random() < 0.5:
                    direction[k] = -direction[k]
            direction -= theta
        else:
            for k in range(parameters):
                direction[k] = random.standard_normal()
        low, high = _room(cone, lower, theta, direction)
        if low < high:
            count = _intervals(rows, starts, active, theta, direction, low, high, begin, end)
            depth, step = (
                _deepest(begin[:count], end[:count], max(claimed, 1), random)
                if count >= claimed
                else (0, 0.0)
            )
            if depth >= claimed and depth > 0:
                unsure |= depth > claimed
                claimed = depth
                for k in range(parameters):
                    theta[k] += step * direction[k]
                theta /= np.abs(theta).max()
        if unsure and claimed > best and (line % CHECK == CHECK - 1 or line == lines - 1):
            claimed, unsure = _checked(rows, starts, active, theta), False
            if claimed > best:
                best = claimed
                best_theta[:] = theta
    return best_theta, best


@compiled
def _checked(rows, starts, active, theta):
    """Return how many blocks theta links.

    Of the others that the active rows link, the worst row becomes active.
    """
    linked = 0
    for block in range(len(starts) - 1):
        first, worst, lowest = starts[block], -1, TOLERANCE
        for row in range(first, starts[block + 1]):
            value = 0.0
            for k in range(len(theta)):
                value += rows[row, k] * theta[k]
            if value <= lowest:
                worst, lowest = row, value
                if row < first + active[block]:
                    break
        if worst < 0:
            linked += 1
        elif worst >= first + active[block]:
            _swap(rows, worst, first + active[block])
            active[block] += 1
    return linked


@compiled
def _room(cone, lower, theta, direction):
    """Return how far the line stays in the cone, both ways."""
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
def _intervals(rows, starts, active, theta, direction, low, high, begin, end):
    """Fill in where on the line each block may be linked, and return how many are anywhere."""
    count = 0
    for block in range(len(starts) - 1):
        a, b = low, high
        for row in range(starts[block], starts[block] + active[block]):
            value, slope = -TOLERANCE, 0.0
            for k in range(len(theta)):
                value += rows[row, k] * theta[k]
                slope += rows[row, k] * direction[k]
            if slope == 0:
                b = b if value > 0 else a
            else:
                # Without a branch that nobody can foresee.
                at = -value / slope
                a = max(a, at if slope > 0 else a)
                b = min(b, at if slope < 0 else b)
        begin[count], end[count] = a, b
        count += a < b
    return count


@compiled
def _deepest(begin, end, least, random):
    """Return how many intervals overlap at most, and the middle of a stretch where they do.

    The stretch is drawn among all. (0, 0) where fewer than `least` overlap: as many intervals may
    be missed as there are more, and that leaves no point to look at.
    """
    missed = len(begin) - least
    if 0 <= 4 * missed < len(begin) and not (
        np.partition(begin, least - 1)[least - 1] < np.partition(end, missed)[missed]
    ):
        return 0, 0.0
    begin, end = np.sort(begin), np.sort(end)
    depth, best, ties, middle, e = 0, 0, 0, 0.0, 0
    for b in range(len(begin)):
        point = begin[b]
        while end[e] <= point:
            depth -= 1
            e += 1
        depth += 1
        until = end[e]
        if b + 1 < len(begin):
            until = min(until, begin[b + 1])
        if depth >= best and until > point:
            ties = 1 if depth > best else ties + 1
            best = depth
            if random.random() * ties < 1:
                middle = (point + until) / 2
    return best, middle
