"""The largest margin in a box, by a simplex method small enough to be called thousands of times.

For rows r_i the best margin over a box is ``max_p min_i r_i . p``. By duality it equals the least, over weights
lambda >= 0 that sum to 1, of the maximum of ``(sum_i lambda_i r_i) . p`` over the box, which is immediate. Every
lambda therefore certifies an upper bound, whatever rounding did on the way to it, and its few rows with positive
weight cannot hold together when that bound is not positive.
"""

import numpy as np

from ..neighbours import compiled

STEPS = 50  # simplex steps a parameter, at most


@compiled
def best_margin(rows, chosen, free, centre, half, enough):
    """Bounds on the largest margin that the chosen rows can have in a box.

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
    # Basis: one row with weight 1, and for each parameter the absolute value of the combined coefficient.
    # Column j < m is a row; m + k and m + d + k are the positive and negative part for parameter k.
    first = 0
    for i in range(m - free):
        if values[i] < values[first]:
            first = i
    basis = np.empty(d + 1, np.int64)
    inverse = np.zeros((d + 1, d + 1))
    x = np.empty(d + 1)
    for k in range(d):
        # combined coefficient - positive part + negative part = 0
        r = rows[chosen[first], k]
        positive = r >= 0
        basis[k] = m + k if positive else m + d + k
        sign = -1.0 if positive else 1.0
        inverse[k, k] = sign
        inverse[k, d] = -sign * r
        x[k] = abs(r)
    basis[d] = first
    inverse[d, d] = 1.0
    x[d] = 1.0
    price = np.empty(d + 1)
    column, change = np.empty(d + 1), np.empty(d + 1)
    point, best_point, margin = np.empty(d), centre.copy(), -np.inf
    bound = np.inf
    for step in range(STEPS * (d + 1)):
        for k in range(d + 1):
            price[k] = 0.0
        bound = 0.0
        for j in range(d + 1):
            cost = _cost(basis[j], m, d, values, half)
            bound += cost * x[j]
            for k in range(d + 1):
                price[k] += cost * inverse[j, k]
        if bound <= enough:
            break
        # The prices are the point, as its shift from the centre: row i has the margin values_i - price . r_i.
        for k in range(d):
            point[k] = centre[k] + min(max(-price[k], -half[k]), half[k])
        entering, least = -1, -1e-13
        worst, inside = np.inf, True
        bland = step > STEPS * (d + 1) // 2
        for i in range(m):
            reduced = values[i]
            at = 0.0
            for k in range(d):
                reduced -= price[k] * rows[chosen[i], k]
                at += point[k] * rows[chosen[i], k]
            if i < m - free:
                reduced -= price[d]
                worst = min(worst, at)
            elif at < 0:
                inside = False
            if reduced < least:
                entering = i
                if bland:
                    break
                least = reduced
        if not (bland and entering >= 0):
            if inside and worst > margin:
                margin = worst
                best_point[:] = point
                if margin > enough:
                    break
            for k in range(d):
                for sign in (-1.0, 1.0):
                    reduced = half[k] - price[k] * sign
                    if reduced < least:
                        least = reduced
                        entering = m + k if sign < 0 else m + d + k
        if entering < 0:
            break
        for k in range(d + 1):
            column[k] = 0.0
        if entering < m:
            for k in range(d):
                column[k] = rows[chosen[entering], k]
            column[d] = 1.0 if entering < m - free else 0.0
        elif entering < m + d:
            column[entering - m] = -1.0
        else:
            column[entering - m - d] = 1.0
        leaving, ratio = -1, np.inf
        for j in range(d + 1):
            change[j] = 0.0
            for k in range(d + 1):
                change[j] += inverse[j, k] * column[k]
            if change[j] > 1e-11:
                candidate = max(x[j], 0.0) / change[j]
                if candidate < ratio or (candidate == ratio and basis[j] < basis[leaving]):
                    leaving, ratio = j, candidate
        if leaving < 0:
            break
        for j in range(d + 1):
            if j != leaving:
                x[j] = max(x[j] - ratio * change[j], 0.0)
        x[leaving] = ratio
        pivot = change[leaving]
        for k in range(d + 1):
            inverse[leaving, k] /= pivot
        for j in range(d + 1):
            if j != leaving and change[j] != 0:
                for k in range(d + 1):
                    inverse[j, k] -= change[j] * inverse[leaving, k]
        basis[leaving] = entering
    # What the weights certify, computed afresh: rounding in the steps above cannot make it too small.
    count = 0
    support, weights = np.empty(d + 1, np.int64), np.empty(d + 1)
    for j in range(d + 1):
        if basis[j] < m and x[j] > 0:
            support[count], weights[count] = basis[j], x[j]
            count += 1
    support, weights = support[:count], weights[:count]
    total = 0.0
    for j in range(count):
        if support[j] < m - free:
            total += weights[j]
    bound = np.inf
    if total > 0:
        bound = 0.0
        for k in range(d):
            combined = 0.0
            for j in range(count):
                combined += weights[j] * rows[chosen[support[j]], k]
            bound += combined * centre[k] + abs(combined) * half[k]
        bound /= total
    return best_point, margin, bound, support, weights


@compiled
def _cost(column, m, d, values, half):
    if column < m:
        return values[column]
    return half[(column - m) % d]
