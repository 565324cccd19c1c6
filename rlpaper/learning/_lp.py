"""The largest margin in a box, by a simplex method small enough to be called thousands of times.

For rows r_i the best margin over a box is ``max_p min_i r_i . p``. By duality it equals the least,
over weights lambda >= 0 that sum to 1, of the maximum of ``(sum_i lambda_i r_i) . p`` over the box,
which is immediate. Every lambda therefore certifies an upper bound, whatever rounding did on the
way to it, and its few rows with positive weight cannot hold together when that bound is not
positive.
"""

import numpy as np

from .._internal.jit import compiled

STEPS = 50  # simplex steps per parameter, at most
FRESH = 40  # steps after which the inverse is computed afresh
OFF = 1e-12  # right sides that would be zero, at least
ZERO = 1e-13  # what rounding leaves of zero
SLACK = 1e-9  # how far rounding may put a row that must not be negative below zero


@compiled
def best_margin(rows, chosen, free, centre, half, enough):
    """Return bounds on the largest margin that the chosen rows can have in a box.

    Parameters
    ----------
    rows : array
        All rows.
    chosen : array of int
        Numbers of the rows that count.
    free : int
        The last so many of the chosen rows need not have the margin, only not be negative.
    centre, half : array
        The box.
    enough : float
        Stop when the margin is known to be above this, or known not to be; NaN to find the best.

    Returns
    -------
    point, margin : array, float
        A point of the box and its margin.
    bound : float
        No point has more.
    support, weights : array
        Places (in `chosen`) of the rows that certify the bound, and their weights.
    """
    d, m = len(centre), len(chosen)
    values = np.empty(m)
    for i in range(m):
        values[i] = 0.0
        for k in range(d):
            values[i] += rows[chosen[i], k] * centre[k]
    basis, right = np.empty(d + 1, np.int64), np.empty(d + 1)
    inverse, x = np.zeros((d + 1, d + 1)), np.empty(d + 1)
    _begin(rows, chosen, free, values, basis, right, inverse, x)
    price, column, change = np.empty(d + 1), np.empty(d + 1), np.empty(d + 1)
    point, best_point, margin = np.empty(d), centre.copy(), -np.inf
    for step in range(STEPS * (d + 1)):
        if step % FRESH == FRESH - 1:
            _refresh(rows, chosen, free, basis, right, inverse, x)
        if _prices(values, half, basis, inverse, x, price) <= enough - OFF:
            break
        # The prices are the point, as its shift from the centre: row i has the margin values_i -
        # price . r_i.
        for k in range(d):
            point[k] = centre[k] + min(max(-price[k], -half[k]), half[k])
        entering, least, worst = _look(rows, chosen, free, values, price, point)
        if worst > margin:
            margin = worst
            best_point[:] = point
            if margin > enough:
                break
        for k in range(d):
            if half[k] + price[k] < least:
                entering, least = m + k, half[k] + price[k]
            if half[k] - price[k] < least:
                entering, least = m + d + k, half[k] - price[k]
        if entering < 0:
            break
        _column(entering, rows, chosen, free, column)
        if not _exchange(entering, column, change, basis, inverse, x):
            break
    # What the weights certify, computed afresh: rounding in the steps above cannot make it too
    # small. Rows of little weight are left out where the rest says the same.
    support, weights, bound = basis[:0], x[:0], np.inf
    for least in (1e-4, 1e-6, 1e-8, 1e-10, ZERO):
        used = (basis < m) & (x > least)
        support, weights = basis[used], x[used]
        bound = _certified(rows, chosen, free, centre, half, support, weights)
        if bound <= enough:
            break
    return best_point, margin, bound, support, weights


@compiled
def _begin(rows, chosen, free, values, basis, right, inverse, x):
    """Fill in the first basis: the row that is least at the centre, with weight 1.

    And for each parameter the absolute value of the combined coefficient. Column j < m is a row; m
    + k and m + d + k are the positive and negative part for parameter k: combined coefficient -
    positive part + negative part = 0. Right sides a little off zero keep the steps from being idle.
    """
    m, d, first = len(chosen), len(x) - 1, 0
    for i in range(m - free):
        if values[i] < values[first]:
            first = i
    for k in range(d):
        r = rows[chosen[first], k]
        sign = -1.0 if r >= 0 else 1.0
        basis[k] = m + k if r >= 0 else m + d + k
        right[k] = sign * OFF * (1 + ((k * 0.6180339887498949) % 1))
        inverse[k, k], inverse[k, d] = sign, -sign * r
        x[k] = abs(r) + abs(right[k])
    basis[d], right[d], inverse[d, d], x[d] = first, 1.0, 1.0, 1.0


@compiled
def _refresh(rows, chosen, free, basis, right, inverse, x):
    """Compute inverse and solution afresh, without the rounding of the steps so far."""
    n = len(x)
    matrix = np.empty((n, n))
    for j in range(n):
        _column(basis[j], rows, chosen, free, matrix[:, j])
    _invert(matrix, inverse)
    for j in range(n):
        x[j] = 0.0
        for k in range(n):
            x[j] += inverse[j, k] * right[k]


@compiled
def _prices(values, half, basis, inverse, x, price):
    """Fill in the prices of the basis, and return its value, a bound but for rounding."""
    m, d, bound = len(values), len(half), 0.0
    price[:] = 0.0
    for j in range(d + 1):
        cost = values[basis[j]] if basis[j] < m else half[(basis[j] - m) % d]
        bound += cost * x[j]
        for k in range(d + 1):
            price[k] += cost * inverse[j, k]
    return bound


@compiled
def _look(rows, chosen, free, values, price, point):
    """Return the row with the least reduced cost below zero, or -1, that cost, and the margin.

    The margin is that of the point, minus infinity if a row that must not be negative is.
    """
    m, d = len(chosen), len(point)
    entering, least, worst, inside = -1, -ZERO, np.inf, True
    for i in range(m):
        reduced, at = values[i], 0.0
        for k in range(d):
            reduced -= price[k] * rows[chosen[i], k]
            at += point[k] * rows[chosen[i], k]
        if i < m - free:
            reduced -= price[d]
            worst = min(worst, at)
        elif at < -SLACK:
            inside = False
        if reduced < least:
            entering, least = i, reduced
    return entering, least, worst if inside else -np.inf


@compiled
def _exchange(entering, column, change, basis, inverse, x):
    """Let a column enter the basis; return False if none can leave it."""
    n, leaving, ratio = len(x), -1, np.inf
    for j in range(n):
        change[j] = 0.0
        for k in range(n):
            change[j] += inverse[j, k] * column[k]
        if change[j] > ZERO and max(x[j], 0.0) / change[j] < ratio:
            leaving, ratio = j, max(x[j], 0.0) / change[j]
    if leaving < 0:
        return False
    for j in range(n):
        x[j] = ratio if j == leaving else max(x[j] - ratio * change[j], 0.0)
    for k in range(n):
        inverse[leaving, k] /= change[leaving]
    for j in range(n):
        if j != leaving and change[j] != 0:
            for k in range(n):
                inverse[j, k] -= change[j] * inverse[leaving, k]
    basis[leaving] = entering
    return True


@compiled
def _invert(matrix, inverse):
    """Write the inverse of a matrix, which is used up.

    By elimination with the largest pivot of each column.
    """
    n = len(matrix)
    inverse[:] = 0.0
    for k in range(n):
        inverse[k, k] = 1.0
    for k in range(n):
        pivot = k
        for i in range(k + 1, n):
            if abs(matrix[i, k]) > abs(matrix[pivot, k]):
                pivot = i
        for j in range(n):
            matrix[k, j], matrix[pivot, j] = matrix[pivot, j], matrix[k, j]
            inverse[k, j], inverse[pivot, j] = inverse[pivot, j], inverse[k, j]
        scale = matrix[k, k]
        for j in range(n):
            matrix[k, j] /= scale
            inverse[k, j] /= scale
        for i in range(n):
            factor = matrix[i, k]
            if i != k and factor != 0:
                for j in range(n):
                    matrix[i, j] -= factor * matrix[k, j]
                    inverse[i, j] -= factor * inverse[k, j]


@compiled
def _certified(rows, chosen, free, centre, half, support, weights):
    """Return the maximum over the box of the rows' mixture.

    Weights of the rows with a margin sum to 1.
    """
    total, bound = 0.0, 0.0
    for j in range(len(support)):
        if support[j] < len(chosen) - free:
            total += weights[j]
    if total <= 0:
        return np.inf
    for k in range(len(centre)):
        combined = 0.0
        for j in range(len(support)):
            combined += weights[j] * rows[chosen[support[j]], k]
        bound += combined * centre[k] + abs(combined) * half[k]
    return bound / total


@compiled
def _column(number, rows, chosen, free, column):
    """Write the column of a row, or of the positive or negative part of a parameter."""
    m, d = len(chosen), rows.shape[1]
    column[:] = 0.0
    if number < m:
        for k in range(d):
            column[k] = rows[chosen[number], k]
        column[d] = 1.0 if number < m - free else 0.0
    elif number < m + d:
        column[number - m] = -1.0
    else:
        column[number - m - d] = 1.0
