"""Proofs by branch and bound over boxes of parameters.

The search asks for parameters that link at least `target` open blocks, and either finds them or proves that there
are none. A box keeps, for every row that is still open, its value at the centre and its radius (the most that it
changes within the box); halving the box along one parameter updates both in one step. A row above its radius holds in
all of the box and is dropped; one that is as far below is nowhere positive, and its block is out; a block without rows
is in. What is left bounds the links that any point of the box can have:

- groups in, plus groups open;
- less one for every pair of open blocks that exclude each other: some mixture of a row of one and a row of the other
  is nowhere positive in the box. Pairs stay pairs in every part of the box;
- less again what the blocks without a pair lose: where block i is violated at the centre, its worst row r has the
  least value -m in the box, and ``1 + r . p / m`` is at least 1 where the block is linked and at least 0 elsewhere. The
  sum of these is linear, so that its maximum over the box is immediate. Blocks are added to the sum and taken out
  again, one at a time, as long as the bound falls;
- where all open groups would have to be linked to reach the target, a small linear program that looks for a point
  where they are (`rlpaper.learning.lp`). Without it, boxes around points where many rows vanish are halved forever.
"""

import functools
import math
from typing import NamedTuple

import numpy as np

from ..machine_code import compiled
from .lp import best_margin
from .problem import TOLERANCE

WIDTH = 8  # parameters, at most; arrays are padded to it, so that loops over parameters have a fixed length
ROUNDING = 1e-9  # more than what values and bounds gather of it
DEPTH = 2_000
SWEEPS = 4  # over the blocks of the linear bound; by trial

DONE, MORE, ROOM, STUCK = range(4)

#: Sums over the parameters may be taken in any order; every bound has room for rounding.
reordering = functools.partial(compiled, fastmath={"reassoc", "contract", "nsz"})


class Counters(NamedTuple):
    """One number each, in arrays so that compiled code can change them."""

    nodes: np.ndarray     # boxes looked at
    work: np.ndarray      # rows updated
    programs: np.ndarray  # linear programs
    best: np.ndarray      # open blocks linked by the best parameters known
    target: np.ndarray
    face: np.ndarray      # next face of the cone
    level: np.ndarray     # top of the stack, -1 if empty


class Stack(NamedTuple):
    """Boxes on the way down, and in one arena each their open rows and blocks."""

    centre: np.ndarray
    half: np.ndarray
    rows_from: np.ndarray
    rows_to: np.ndarray
    blocks_from: np.ndarray
    blocks_to: np.ndarray
    inside: np.ndarray    # groups in
    bound: np.ndarray     # most groups that can be linked
    split: np.ndarray     # parameter to halve
    side: np.ndarray      # halves looked at
    number: np.ndarray    # arena: rows
    value: np.ndarray
    radius: np.ndarray
    block: np.ndarray     # arena: blocks, those of a group together
    first_row: np.ndarray
    mate: np.ndarray      # a block that excludes this one, or -1


class Scratch(NamedTuple):
    """Of each open block of the box at hand: its worst row (by value over radius), scaled to a reach of 1."""

    row: np.ndarray
    value: np.ndarray     # at the centre
    reach: np.ndarray     # largest absolute value in the box, before scaling
    terms: np.ndarray     # what each parameter changes
    unit: np.ndarray      # of blocks without a mate, in the order of `candidate`: the terms as a direction,
    depth: np.ndarray     # how far the centre is below, as a share of their length,
    across: np.ndarray    # and sqrt(1 - depth^2)
    candidate: np.ndarray
    alone: np.ndarray     # no other block of its group is open
    on: np.ndarray        # in the linear bound
    place: np.ndarray     # by block: GONE, or anything else


GONE = -2


class BoxSearch:
    """Branch and bound, in instalments.

    Parameters
    ----------
    problem : Problem
    best : int
        Open blocks that `theta` links.
    theta : array
    target : int
        Look for parameters that link at least so many open blocks.

    Attributes
    ----------
    best, theta
        The best found so far. The target rises with it: it is never below best + 1.
    target : int
        When the search is done, fewer open blocks than this can be linked.
    nodes, work : int
        Boxes looked at and rows updated so far.
    """

    def __init__(self, problem, best, theta, target):
        if problem.parameters > WIDTH:
            raise ValueError(f"boxes take up to {WIDTH} parameters, here are {problem.parameters}; use cuts")
        if problem.separate is not None:
            raise ValueError("boxes take constraints that can be listed; use cuts")
        self.problem = problem
        self._theta = _padded(np.array(theta, float))
        blocks = len(problem.starts) - 1
        self._rows = _padded(np.concatenate([problem.rows, problem.cone]))
        self._columns = np.ascontiguousarray(problem.rows.T)
        self._counters = Counters(*np.zeros((len(Counters._fields), 1), np.int64))
        self._counters.best[0], self._counters.target[0], self._counters.level[0] = best, target, -1
        rows, places = 4 * len(problem.rows) + 16, 60 * (blocks + 1)
        self._stack = Stack(*np.empty((2, DEPTH, WIDTH)), *np.zeros((8, DEPTH), np.int64), np.empty(rows, np.int64),
                            *np.empty((2, rows)), *np.empty((3, places), np.int64))
        self._scratch = Scratch(np.empty(blocks, np.int64), *np.empty((2, blocks)), *np.empty((2, blocks, WIDTH)),
                                *np.empty((2, blocks)), np.empty(blocks, np.int64), *np.empty((2, blocks), bool),
                                np.zeros(blocks, np.int64))

    theta = property(lambda self: self._theta[:self.problem.parameters].copy())
    best = property(lambda self: int(self._counters.best[0]))
    target = property(lambda self: int(self._counters.target[0]))
    nodes = property(lambda self: int(self._counters.nodes[0]))
    work = property(lambda self: int(self._counters.work[0]))

    def run(self, work):
        """Go on until about so many rows more are updated; returns whether the search is done."""
        until = self.work + work
        while True:
            p = self.problem
            answer = _advance(self._rows, self._columns, p.starts, p.group, p.lower, p.faces, len(p.cone), self._counters,
                              self._stack, self._scratch, self._theta, until)
            if answer == ROOM:
                self._grow()
            elif answer == STUCK:
                raise RuntimeError(f"the search has halved a box {DEPTH} times; please report the two files")
            else:
                return answer == DONE

    def _grow(self):
        """Arenas twice as large."""
        arenas = Stack._fields[Stack._fields.index("number"):]
        self._stack = self._stack._replace(**{
            name: np.concatenate([old, np.empty_like(old)]) for name in arenas for old in [getattr(self._stack, name)]})


def _padded(array):
    """Columns of zeros up to the width."""
    return np.concatenate([array, np.zeros((*array.shape[:-1], WIDTH - array.shape[-1]))], axis=-1)


@compiled
def _advance(rows, columns, starts, group, lower, faces, cone, counters, stack, scratch, theta, until):
    while True:
        level = counters.level[0]
        if level < 0:
            if counters.face[0] == len(faces):
                return DONE
            if len(stack.number) < starts[-1] or len(stack.block) < len(starts):
                return ROOM
            _open_face(rows, starts, group, lower, faces[counters.face[0]], counters, stack)
            counters.face[0] += 1
        elif stack.side[level] == 2:
            counters.level[0] -= 1
        else:
            if counters.work[0] > until:
                return MORE
            # Room for a child as large as its parent.
            rows_of, blocks_of = stack.rows_to[level], stack.blocks_to[level]
            if (2 * rows_of - stack.rows_from[level] > len(stack.number)
                    or 2 * blocks_of - stack.blocks_from[level] > len(stack.block)):
                return ROOM
            if level + 1 == len(stack.side):
                return STUCK
            counters.nodes[0] += 1
            counters.work[0] += rows_of - stack.rows_from[level]
            if _halve(rows, columns, group, cone, counters, stack, scratch, theta, level):
                counters.level[0] += 1


@compiled
def _open_face(rows, starts, group, lower, face, counters, stack):
    """Put a face of the cone on the stack: one parameter is 1 (or -1), the others take all their values."""
    centre, half = stack.centre[0], stack.half[0]
    centre[:], half[:] = 0.0, 0.0
    for k in range(len(lower)):
        centre[k], half[k] = (1 + lower[k]) / 2, (1 - lower[k]) / 2
    fixed = face if face >= 0 else ~face
    centre[fixed], half[fixed] = (1.0 if face >= 0 else -1.0), 0.0
    for row in range(starts[-1]):
        stack.number[row], stack.value[row], stack.radius[row] = row, 0.0, 0.0
        for k in range(len(lower)):
            stack.value[row] += rows[row, k] * centre[k]
            stack.radius[row] += abs(rows[row, k]) * half[k]
    for block in range(len(starts) - 1):
        stack.block[block], stack.first_row[block], stack.mate[block] = block, starts[block], -1
    stack.rows_from[0], stack.rows_to[0] = 0, starts[-1]
    stack.blocks_from[0], stack.blocks_to[0] = 0, len(starts) - 1
    stack.inside[0], stack.bound[0] = 0, group[-1] + 1 if len(group) else 0
    stack.split[0], stack.side[0] = np.argmax(half), 0
    counters.level[0] = 0


@compiled
def _halve(rows, columns, group, cone, counters, stack, scratch, theta, level):
    """Look at the next half of the box at `level`; put it on the stack, and say so, if it may hold the target."""
    child = level + 1
    centre, half = stack.centre[child], stack.half[child]
    centre[:], half[:] = stack.centre[level], stack.half[level]
    split = stack.split[level]
    half[split] /= 2
    shift = half[split] if stack.side[level] else -half[split]
    centre[split] += shift
    stack.side[level] += 1
    admissible = True
    for row in range(len(rows) - cone, len(rows)):
        value, radius = 0.0, 0.0
        for k in range(WIDTH):
            value += rows[row, k] * centre[k]
            radius += abs(rows[row, k]) * half[k]
        if value + radius < -ROUNDING:
            return False
        admissible &= value >= 0
    stack.rows_from[child], stack.blocks_from[child] = stack.rows_to[level], stack.blocks_to[level]
    undecided, at_centre = _update_rows(columns[split], shift, group, counters.target[0], stack, scratch, level)
    if undecided < 0:
        return False
    inside = stack.inside[child]
    if admissible and at_centre >= counters.target[0]:
        counters.best[0], counters.target[0] = at_centre, at_centre + 1
        theta[:] = centre
    count = stack.blocks_to[child] - stack.blocks_from[child]
    split_weight = _scale_worst(rows, half, count, scratch)
    bound = inside + undecided - _keep_pairs(count, stack, scratch, child)
    target = counters.target[0]
    bound = _find_pairs(count, bound, target, stack, scratch, child)
    if bound < target or _linear_bound(count, bound, target, stack, scratch, child) < target:
        return False
    if inside + undecided == target and _settled(rows, cone, counters, stack, scratch, theta, child):
        return False
    stack.bound[child] = bound
    stack.split[child], stack.side[child] = np.argmax(split_weight), 0
    return True


@compiled
def _update_rows(column, shift, group, target, stack, scratch, level):
    """Rows, blocks and groups of a half of the box. Returns groups undecided and groups linked at the centre.

    (-1, -1) as soon as the target is out of reach.
    """
    child, shrink = level + 1, abs(shift)
    place, last, rows_to = stack.blocks_from[level], stack.blocks_to[level], stack.rows_to[level]
    row_top, first, block_top = rows_to, last, last
    inside, undecided, linked = stack.inside[level], 0, stack.inside[level]
    spare = stack.bound[level] - target  # how far the bound may fall
    for at in range(place, last):
        scratch.place[stack.block[at]] = 0
    while place < last:
        of_group = group[stack.block[place]]
        group_rows, group_blocks = row_top, block_top
        is_in, centred = False, False
        while place < last and group[stack.block[place]] == of_group:
            block, mate = stack.block[place], stack.mate[place]
            begin = stack.first_row[place]
            end = stack.first_row[place + 1] if place + 1 < last else rows_to
            place += 1
            if is_in:
                continue
            block_rows = row_top
            out, positive = False, True
            worst, worst_value, worst_radius = -1, 1.0, 0.0
            for at in range(begin, end):
                number = stack.number[at]
                value, radius = stack.value[at] + shift * column[number], stack.radius[at] - shrink * abs(column[number])
                if value + radius <= TOLERANCE:
                    out = True
                    break
                if value - radius > TOLERANCE:
                    continue
                stack.number[row_top], stack.value[row_top], stack.radius[row_top] = number, value, radius
                row_top += 1
                if worst < 0 or value * worst_radius < worst_value * radius:
                    worst, worst_value, worst_radius = number, value, radius
                positive &= value > TOLERANCE
            if out:
                row_top = block_rows
            elif row_top == block_rows:
                is_in = True
            else:
                stack.block[block_top], stack.first_row[block_top], stack.mate[block_top] = block, block_rows, mate
                scratch.row[block_top - first] = worst
                scratch.value[block_top - first] = worst_value
                scratch.reach[block_top - first] = worst_radius + abs(worst_value)
                block_top += 1
                centred |= positive
        if is_in:
            row_top, block_top = group_rows, group_blocks
            inside += 1
            linked += 1
        elif block_top > group_blocks:
            undecided += 1
            linked += centred
            for at in range(group_blocks, block_top):
                scratch.alone[at - first] = block_top == group_blocks + 1
        elif mate >= 0 and scratch.place[mate] != GONE:
            scratch.place[block] = GONE  # of a pair the first to go leaves the bound as it is
        else:
            spare -= 1
            if spare < 0:
                return -1, -1
    stack.rows_to[child], stack.blocks_to[child], stack.inside[child] = row_top, block_top, inside
    return undecided, linked


@reordering
def _scale_worst(rows, half, count, scratch):
    """Scale the worst rows; returns how much each parameter matters to them."""
    weight = np.zeros(WIDTH)
    for i in range(count):
        scale = 1 / scratch.reach[i]
        scratch.value[i] *= scale
        for k in range(WIDTH):
            term = scale * half[k] * rows[scratch.row[i], k]
            scratch.terms[i, k] = term
            weight[k] += abs(term)
    return weight


@compiled
def _keep_pairs(count, stack, scratch, child):
    """Forget mates that are not open any more; returns the number of pairs left."""
    first, pairs = stack.blocks_from[child], 0
    for i in range(count):
        scratch.place[stack.block[first + i]] = child
    for i in range(count):
        mate = stack.mate[first + i]
        if mate >= 0 and scratch.place[mate] == child:
            pairs += 1
        else:
            stack.mate[first + i] = -1
    return pairs // 2


@reordering
def _find_pairs(count, bound, target, stack, scratch, child):
    """Pair open blocks that exclude each other, until the target is out of reach; returns what is left of the bound."""
    first = stack.blocks_from[child]
    # Of a pair one at least is violated at the centre; others come first, as pairs with them leave more to pair.
    candidates, fine = 0, 0
    for violated in (False, True):
        fine = candidates
        for i in range(count):
            if scratch.alone[i] and stack.mate[first + i] < 0 and (scratch.value[i] < 0) == violated:
                scratch.candidate[candidates] = i
                length = 0.0
                for k in range(WIDTH):
                    length += scratch.terms[i, k] ** 2
                length = math.sqrt(length)
                scratch.depth[candidates] = -scratch.value[i] / length
                scratch.across[candidates] = math.sqrt(max(0.0, 1 - scratch.depth[candidates] ** 2))
                for k in range(WIDTH):
                    scratch.unit[candidates, k] = scratch.terms[i, k] / length
                candidates += 1
    for a in range(fine, candidates):
        i = scratch.candidate[a]
        if bound < target:
            break
        if i < 0:
            continue
        for b in range(a):
            j = scratch.candidate[b]
            # Where the box excludes both, so does the ball in it, and there it is a matter of angles: this needs one
            # product and sorts out nearly all.
            cosine = 0.0
            for k in range(WIDTH):
                cosine += scratch.unit[a, k] * scratch.unit[b, k]
            if scratch.depth[a] < 1 and scratch.depth[b] < 1 and (
                    cosine > scratch.depth[a] * scratch.depth[b] - scratch.across[a] * scratch.across[b]
                    or scratch.depth[a] + scratch.depth[b] < 0):
                continue
            if j >= 0 and _exclusive(scratch.value[i], scratch.terms[i], scratch.value[j], scratch.terms[j]):
                stack.mate[first + i], stack.mate[first + j] = stack.block[first + j], stack.block[first + i]
                scratch.candidate[a], scratch.candidate[b] = -1, -1
                bound -= 1
                break
    return bound


@reordering
def _exclusive(value_a, terms_a, value_b, terms_b):
    """Whether two rows cannot both be positive in the box: some mixture of them is nowhere positive.

    The maximum of a mixture over the box is convex in the share of the first row. Tangents from both sides bound it
    from below and say where to look next.
    """
    # At a row's best corner the other one must not be positive.
    a_at_b, b_at_a, most_a, most_b = value_a, value_b, value_a, value_b
    for k in range(WIDTH):
        a, b = terms_a[k], terms_b[k]
        a_at_b += a if b > 0 else -a
        b_at_a += b if a > 0 else -b
        most_a += abs(a)
        most_b += abs(b)
    if a_at_b > 0 or b_at_a > 0:
        return False
    # Lines in the share: one from the left, where the second row is alone, one from the right.
    left, left_slope, right, right_slope = most_b, a_at_b - most_b, b_at_a, most_a - b_at_a
    for _ in range(6):
        if not right_slope > left_slope:
            return False
        share = (left - right) / (right_slope - left_slope)
        if left + share * left_slope > 0:
            return False
        constant, slope = value_b, value_a - value_b
        for k in range(WIDTH):
            a, b = terms_a[k], terms_b[k]
            if share * a + (1 - share) * b > 0:
                constant += b
                slope += a - b
            else:
                constant -= b
                slope -= a - b
        if constant + share * slope <= 0:
            return True
        if slope > 0:
            right, right_slope = constant, slope
        else:
            left, left_slope = constant, slope
    return False


@reordering
def _linear_bound(count, bound, target, stack, scratch, child):
    """The bound with blocks that have no pair replaced by linear functions; stops when it is below the target."""
    first = stack.blocks_from[child]
    most, combined = bound + ROUNDING, np.zeros(WIDTH)
    for i in range(count):
        scratch.on[i] = scratch.value[i] < 0 and scratch.alone[i] and stack.mate[first + i] < 0
        if scratch.on[i]:
            most += scratch.value[i]
            for k in range(WIDTH):
                combined[k] += scratch.terms[i, k]
    for k in range(WIDTH):
        most += abs(combined[k])
    for _ in range(SWEEPS):
        before = most
        if most < target:
            break
        for i in range(count):
            if not scratch.alone[i] or stack.mate[first + i] >= 0:
                continue
            sign = -1.0 if scratch.on[i] else 1.0
            change = sign * scratch.value[i]
            for k in range(WIDTH):
                change += abs(combined[k] + sign * scratch.terms[i, k]) - abs(combined[k])
            if change < -ROUNDING:
                scratch.on[i] = not scratch.on[i]
                most += change
                for k in range(WIDTH):
                    combined[k] += sign * scratch.terms[i, k]
        if most > before - 0.05:
            break
    return most


@compiled
def _settled(rows, cone, counters, stack, scratch, theta, child):
    """Whether a box needs no further look, all its open groups having to be linked.

    The rows of groups with one open block must all hold; if they cannot, the box is done. If they can and there are
    no other groups, the target is reached.
    """
    counters.programs[0] += 1
    first, last = stack.blocks_from[child], stack.blocks_to[child]
    chosen = np.empty(stack.rows_to[child] - stack.rows_from[child] + cone, np.int64)
    count, single = 0, True
    for place in range(first, last):
        if not scratch.alone[place - first]:
            single = False
            continue
        end = stack.first_row[place + 1] if place + 1 < last else stack.rows_to[child]
        for at in range(stack.first_row[place], end):
            chosen[count] = stack.number[at]
            count += 1
    if count == 0:
        return False
    for row in range(cone):
        chosen[count + row] = len(rows) - cone + row
    point, margin, bound, _, _ = best_margin(
        rows, chosen[:count + cone], cone, stack.centre[child], stack.half[child], TOLERANCE)
    if bound <= TOLERANCE:
        return True
    if single and margin > TOLERANCE:
        counters.best[0] = counters.target[0]
        counters.target[0] += 1
        theta[:] = point
        return True
    return False
