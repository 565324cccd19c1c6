"""Sets of rows that cannot all be positive in a box: of their blocks one at least is lost."""

import numpy as np

from .._internal.jit import compiled
from ._worst import LANES, TAKEN, WIDTH

SET_TRIES, SET_SIZE = 2, 8


@compiled
def sets(fine, candidates, missing, worst):
    """Find disjoint sets of rows that cannot all be positive.

    From a deep row on: at the corner where the mixture is largest, the row that is least there
    joins it, at the best share.
    """
    mixture, members = np.empty(WIDTH), np.empty(SET_SIZE, np.int64)
    depths = np.empty(SET_SIZE, np.float32)
    end = (candidates + LANES - 1) // LANES * LANES
    for _ in range(SET_TRIES):
        deepest = fine
        for a in range(fine, candidates):
            if worst.depth[a] > worst.depth[deepest]:
                deepest = a
        if fine == candidates or worst.depth[deepest] == TAKEN:
            return missing
        value, size, joins, is_lost = 0.0, 0, deepest, False
        while size < SET_SIZE:
            members[size], depths[size] = joins, worst.depth[joins]
            worst.depth[joins] = TAKEN
            size += 1
            i = worst.candidate[joins]
            if size == 1:
                value = worst.value[i]
                for k in range(WIDTH):
                    mixture[k] = worst.terms[i, k]
            else:
                value, most = _mix(value, mixture, worst.value[i], worst.terms, i)
                if most <= 0:
                    is_lost = True
                    break
            joins = _least_at_corner(candidates, end, mixture, worst)
            if worst.test[joins] >= 0:
                break
        if is_lost:
            missing -= 1
            if missing == 0:
                break
        else:
            for m in range(1, size):
                worst.depth[members[m]] = depths[m]
    return missing


# fmt: off
@compiled
def _least_at_corner(candidates, end, mixture, worst):
    """Return the free candidate whose row is least at the corner where the mixture is largest."""
    one = np.float32(1)
    s0, s1 = one if mixture[0] > 0 else -one, one if mixture[1] > 0 else -one
    s2, s3 = one if mixture[2] > 0 else -one, one if mixture[3] > 0 else -one
    s4, s5 = one if mixture[4] > 0 else -one, one if mixture[5] > 0 else -one
    s6, s7 = one if mixture[6] > 0 else -one, one if mixture[7] > 0 else -one
    _at_corner(end, s0, s1, s2, s3, s4, s5, s6, s7, worst.u0, worst.u1, worst.u2, worst.u3,
               worst.u4, worst.u5, worst.u6, worst.u7, worst.depth, worst.test)
    least = 0
    for b in range(1, candidates):
        if worst.test[b] < worst.test[least]:
            least = b
    return least
# fmt: on


# fmt: off
@compiled
def _at_corner(end, s0, s1, s2, s3, s4, s5, s6, s7, u0, u1, u2, u3, u4, u5, u6, u7, depths, test):
    for b in range(end):
        test[b] = (s0 * u0[b] + s1 * u1[b] + s2 * u2[b] + s3 * u3[b] + s4 * u4[b] + s5 * u5[b]
                   + s6 * u6[b] + s7 * u7[b] - depths[b])
# fmt: on


@compiled
def _mix(value, mixture, other, terms, i):
    """Mix a row into a mixture, at the share that makes its maximum over the box least.

    Return the mixture's value at the centre and that maximum.
    """
    low, high, share = 0.0, 1.0, 0.5
    best, most = 0.0, np.inf
    for _ in range(10):
        slope, height = other - value, (1 - share) * value + share * other
        for k in range(WIDTH):
            at = (1 - share) * mixture[k] + share * terms[i, k]
            height += abs(at)
            slope += terms[i, k] - mixture[k] if at > 0 else mixture[k] - terms[i, k]
        if height < most:
            best, most = share, height
        if most <= 0:
            break
        if slope > 0:
            high = share
        else:
            low = share
        share = (low + high) / 2
    for k in range(WIDTH):
        mixture[k] = (1 - best) * mixture[k] + best * terms[i, k]
    return (1 - best) * value + best * other, most
