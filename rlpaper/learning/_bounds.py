"""What the open blocks of a box cannot have together: compiled bounds of the search in boxes.

The search is in `rlpaper.learning._branch_and_bound`. A box is written as ``x`` in [-1, 1] for each
parameter. Of every open block its worst row counts, ``value + terms . x``, scaled to terms of
length 1 so that rows can be compared. A block whose row is nowhere positive is lost. These certify
that further ones are:

  - *pairs*: some mixture of two rows is nowhere positive, so that one of the two blocks is lost
  everywhere in the box;
  - *sets* (`_sets`): the same for more rows, looked for only where one or two lost blocks are
  missing;
  - *slabs* (`_slabs`): near a side of the box so many rows are nowhere positive that the target is
  out of reach there; it is cut off.

Arrays are taken out of their tuples before a loop: each time costs more than a test. Sums are taken
in one order, without fused products, so that every processor takes the same way. Single precision
only sorts out what the exact tests need not look at.
"""

import math

import numpy as np

from .._internal.jit import compiled
from ._sets import sets
from ._worst import LANES, SINGLE, TAKEN, UNTOLD, WIDTH

FEW_MISSING = 2  # lost blocks that sets are asked for
EQUAL, ANY = range(2)
MAX_INSERTION = 100  # numbers that are sorted by insertion


@compiled
def lost(count, missing, worst):
    """Find pairs and sets until so many blocks are lost; return how many are still missing.

    Pairs are looked for afresh in every box: those of the larger box it is a part of would be in
    the way of better ones. Nothing is looked for where it would hardly suffice.
    """
    # Not literals, or numba compiles what they are given to twice.
    fine, violated = np.int64(0), np.int64(0)
    alone, partner, value = worst.alone, worst.partner, worst.value
    for i in range(count):
        partner[i] = -1
        if alone[i]:
            violated += value[i] < 0
            fine += value[i] >= 0
    if 2 * missing > violated + 1:
        return missing
    _candidates(count, fine, worst)
    missing, fine, candidates = _pairs(fine, fine + violated, missing, worst)
    if 0 < missing <= FEW_MISSING and sets(fine, candidates, missing, worst) <= 0:
        return 0
    return missing  # of sets nothing is remembered, so they count for this box only


# fmt: off
@compiled
def _candidates(count, fine, worst):
    """Fill in the candidates, the violated ones from the least to the most."""
    alone, value, terms, candidate = worst.alone, worst.value, worst.terms, worst.candidate
    first, second = 0, fine
    for i in range(count):
        if not alone[i]:
            continue
        if value[i] >= 0:
            candidate[first] = i
            first += 1
        else:
            candidate[second] = i
            second += 1
    _sort_by(value, candidate[fine:second])
    depths, across, beyond = worst.depth, worst.across, worst.beyond
    u0, u1, u2, u3 = worst.u0, worst.u1, worst.u2, worst.u3
    u4, u5, u6, u7 = worst.u4, worst.u5, worst.u6, worst.u7
    for at in range(second):
        i = candidate[at]
        depth = -value[i]
        depths[at] = depth
        across[at] = math.sqrt(max(0.0, 1 - depth * depth))
        beyond[at] = UNTOLD if depth >= 1 else 0.0
        u0[at], u1[at], u2[at], u3[at] = terms[i, 0], terms[i, 1], terms[i, 2], terms[i, 3]
        u4[at], u5[at], u6[at], u7[at] = terms[i, 4], terms[i, 5], terms[i, 6], terms[i, 7]
# fmt: on


@compiled
def _sort_by(value, positions):
    """Sort positions by the values there, the largest first, equal ones as they are."""
    if len(positions) > MAX_INSERTION:
        positions[:] = positions[np.argsort(-value[positions], kind="mergesort")]
        return
    for end in range(1, len(positions)):
        at, i = end, positions[end]
        while at > 0 and value[positions[at - 1]] < value[i]:
            positions[at] = positions[at - 1]
            at -= 1
        positions[at] = i


# fmt: off
@compiled
def _pairs(fine, candidates, missing, worst):
    """Pair candidates; of a pair one at least is violated at the centre.

    The others come first, as pairs with them leave more to pair. Rows that are violated least have
    the fewest to choose from, and choose first: a fifth fewer boxes, by trial. Rows that exclude
    each other at equal shares are found at once; then, if there is hope, the others.
    """
    candidate, partner, value, terms = worst.candidate, worst.partner, worst.value, worst.terms
    depth, across, beyond, test = worst.depth, worst.across, worst.beyond, worst.test
    u0, u1, u2, u3 = worst.u0, worst.u1, worst.u2, worst.u3
    u4, u5, u6, u7 = worst.u4, worst.u5, worst.u6, worst.u7
    free = candidates - fine
    for shares in (EQUAL, ANY):
        taken, a = 0, fine
        while a < candidates:
            if depth[a] != TAKEN:
                if 2 * missing > free + 1:
                    return missing, fine, candidates
                n = (a + LANES - 1) // LANES * LANES
                if shares == EQUAL:
                    found = _at_equal_shares(
                        n, depth[a], u0[a], u1[a], u2[a], u3[a], u4[a], u5[a], u6[a], u7[a],
                        u0, u1, u2, u3, u4, u5, u6, u7, depth, test)
                else:
                    found = _sort_out(
                        n, depth[a], across[a], beyond[a],
                        u0[a], u1[a], u2[a], u3[a], u4[a], u5[a], u6[a], u7[a],
                        u0, u1, u2, u3, u4, u5, u6, u7, depth, across, beyond, test)
                if found:
                    i = candidate[a]
                    for b in range(a):
                        if (test[b] <= SINGLE and depth[b] != TAKEN
                                and _exclusive(i, candidate[b], value, terms)):
                            partner[i], partner[candidate[b]] = candidate[b], i
                            depth[a], depth[b] = TAKEN, TAKEN
                            taken += 2
                            missing -= 1
                            free -= 1 if b < fine else 2
                            break
                    if missing <= 0:
                        return missing, fine, candidates
            a += 1
            if a == candidates or 2 * taken > a:
                fine, a, candidates = _without_taken(
                    fine, a, candidates, candidate, depth, across, beyond,
                    u0, u1, u2, u3, u4, u5, u6, u7)
                taken = 0
    return missing, fine, candidates
# fmt: on


# fmt: off
@compiled
def _without_taken(fine, a, candidates, candidate, depth, across, beyond,
                   u0, u1, u2, u3, u4, u5, u6, u7):
    """Close the gaps that paired rows leave; return where the others now end.

    That is, those that are fine, those before a, and all.
    """
    kept, fine_kept, a_kept = 0, 0, 0
    for at in range(candidates):
        if depth[at] != TAKEN:
            candidate[kept], depth[kept] = candidate[at], depth[at]
            across[kept], beyond[kept] = across[at], beyond[at]
            u0[kept], u1[kept], u2[kept], u3[kept] = u0[at], u1[at], u2[at], u3[at]
            u4[kept], u5[kept], u6[kept], u7[kept] = u4[at], u5[at], u6[at], u7[at]
            kept += 1
        if at == fine - 1:
            fine_kept = kept
        if at == a - 1:
            a_kept = kept
    return fine_kept, a_kept, kept
# fmt: on


# fmt: off
@compiled
def _at_equal_shares(n, depth, a0, a1, a2, a3, a4, a5, a6, a7, u0, u1, u2, u3, u4, u5, u6, u7,
                     depths, test):
    """Test where one row and another, mixed at equal shares, are nowhere positive.

    There the test is not above zero. Return how many there are.
    """
    for b in range(n):
        test[b] = (abs(a0 + u0[b]) + abs(a1 + u1[b]) + abs(a2 + u2[b]) + abs(a3 + u3[b])
                   + abs(a4 + u4[b]) + abs(a5 + u5[b]) + abs(a6 + u6[b]) + abs(a7 + u7[b])
                   - depth - depths[b])
    return _not_above(n, test)
# fmt: on


# fmt: off
@compiled
def _sort_out(n, depth, across, beyond, a0, a1, a2, a3, a4, a5, a6, a7,
              u0, u1, u2, u3, u4, u5, u6, u7, depths, acrosses, beyonds, test):
    """Test where two rows may be exclusive; return how many there are.

    The test is above zero where they cannot be. Where the box excludes both, so does the ball in
    it, and there it is a matter of angles. And at the best corner of the one row the other must not
    be positive.
    """
    one = np.float32(1)
    s0, s1 = one if a0 > 0 else -one, one if a1 > 0 else -one
    s2, s3 = one if a2 > 0 else -one, one if a3 > 0 else -one
    s4, s5 = one if a4 > 0 else -one, one if a5 > 0 else -one
    s6, s7 = one if a6 > 0 else -one, one if a7 > 0 else -one
    for b in range(n):
        cosine = (a0 * u0[b] + a1 * u1[b] + a2 * u2[b] + a3 * u3[b] + a4 * u4[b] + a5 * u5[b]
                  + a6 * u6[b] + a7 * u7[b])
        ball = (max(cosine + across * acrosses[b] - depth * depths[b], -depth - depths[b])
                + beyond + beyonds[b])
        corner = (s0 * u0[b] + s1 * u1[b] + s2 * u2[b] + s3 * u3[b] + s4 * u4[b] + s5 * u5[b]
                  + s6 * u6[b] + s7 * u7[b] - depths[b])
        test[b] = max(ball, corner)
    return _not_above(n, test)
# fmt: on


@compiled
def _not_above(n, test):
    found = 0
    for b in range(n):
        found += test[b] <= SINGLE
    return found


@compiled
def _exclusive(i, j, value, terms):
    """Whether some mixture of two rows is nowhere positive in the box.

    The maximum of a mixture over the box is convex in the share of the first row. Tangents from
    both sides bound it from below and say where to look next; the first look is at equal shares.
    """
    value_a, value_b = value[i], value[j]
    left, left_slope, right, right_slope = 0.0, 0.0, 0.0, 0.0
    has_left, has_right, share = False, False, 0.5
    for _ in range(8):
        constant, slope = value_b, value_a - value_b
        for k in range(WIDTH):
            a, b = terms[i, k], terms[j, k]
            if share * a + (1 - share) * b > 0:
                constant += b
                slope += a - b
            else:
                constant -= b
                slope -= a - b
        if constant + share * slope <= 0:
            return True
        if slope > 0:
            right, right_slope, has_right = constant, slope, True
        elif slope < 0:
            left, left_slope, has_left = constant, slope, True
        else:
            return False
        if not has_left:  # the tangent where the second row is alone
            left, left_slope = value_b, value_a - value_b
            for k in range(WIDTH):
                a, b = terms[i, k], terms[j, k]
                left += abs(b)
                left_slope += (a if b > 0 else -a) - abs(b)
            has_left = True
            if left_slope >= 0:
                return False
        if not has_right:  # and where the first is
            right, right_slope = value_b, value_a - value_b
            for k in range(WIDTH):
                a, b = terms[i, k], terms[j, k]
                at_corner = b if a > 0 else -b
                right += at_corner
                right_slope += abs(a) - at_corner
            has_right = True
            if right_slope <= 0:
                return False
        share = (left - right) / (right_slope - left_slope)
        if left + share * left_slope > 0:
            return False
    return False
