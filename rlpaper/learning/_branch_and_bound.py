"""Proofs by branch and bound over boxes of parameters.

The search asks for parameters that link at least `target` open blocks, and either finds them or proves that there are none. In a
box a row that is positive everywhere is dropped; where one is nowhere positive, its block is out; a block without rows is in.
What is left bounds the links that any point of the box can have: groups in, plus groups open, less what open blocks exclude of each
other (`rlpaper.learning._bounds`). Where all open groups would have to be linked to reach the target, a small linear program looks
for a point where they are (`rlpaper.learning._lp`). A box that may still hold the target is halved.

Fewer rows only make a block easier to link, so a proof on few rows is a proof. The search therefore takes the rows that are worst
at some weightings; a point that reaches the target is recounted on all rows, and what it violates joins the search, which goes back
to where the blocks in question were last open.
"""

from typing import NamedTuple

import numpy as np

from .._internal.arithmetic import product
from .._internal.jit import compiled
from ._bounds import WIDTH, cut_slabs, lost, worst_rows_of
from ._lp import best_margin
from ._problem import TOLERANCE, worst_rows

SURE = TOLERANCE + 1e-12  # above the tolerance in whatever order it is summed
ROUNDING = 1e-9  # more than what values and bounds gather of it
DEPTH = 2_000
LOOK_AGAIN = 0.7  # share of a box's volume below which, slabs cut off, its rows are looked at again before it is halved
OTHERS = (
    1e-3  # what blocks that are linked at the centre count in the choice of the parameter to halve
)

DONE, MORE, ROOM, STUCK, RECOUNT = range(5)


class Counters(NamedTuple):
    """One number each, in arrays so that compiled code can change them."""

    nodes: np.ndarray  # boxes looked at
    work: np.ndarray  # rows looked at
    programs: np.ndarray  # linear programs
    target: np.ndarray
    face: np.ndarray  # next face of the cone
    level: np.ndarray  # top of the stack, -1 if empty


class Stack(NamedTuple):
    """Boxes on the way down, and in one arena each their open rows and blocks."""

    centre: np.ndarray
    half: np.ndarray
    rows_from: np.ndarray
    rows_to: np.ndarray
    blocks_from: np.ndarray
    blocks_to: np.ndarray
    inside: np.ndarray  # groups in
    bound: np.ndarray  # most groups that can be linked
    joined: np.ndarray  # rows that had joined when this box was made
    split: np.ndarray  # parameter to halve
    side: np.ndarray  # halves looked at
    row: np.ndarray  # arena: rows, one array for each parameter, the cone's first; of each block the worst row first
    block: np.ndarray  # arena: blocks, those of a group together
    first_row: np.ndarray
    mate: np.ndarray  # a block that excludes this one, or -1


class Joined(NamedTuple):
    """Rows that joined on the way; those of a block are chained, the newest first."""

    rows: np.ndarray
    block: np.ndarray  # of each row
    before: np.ndarray  # the row of the same block that joined before, or -1
    newest: np.ndarray  # by block


class Scratch(NamedTuple):
    """Of the box at hand."""

    gone: np.ndarray  # by block: out, its mate still open
    point: np.ndarray  # reaches the target on the rows at hand
    value: np.ndarray  # of each row, at the centre,
    radius: np.ndarray  # and the most that it changes within the box


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
    few : array of bool, optional
        The rows to begin with, some of every block; all unless given.
    improve : callable, optional
        ``improve(theta, linked)``: parameters that link no fewer, and how many; asked at every point that reaches the target.

    Attributes
    ----------
    best, theta
        The best found so far. The target rises with it: it is never below best + 1.
    target : int
        When the search is done, fewer open blocks than this can be linked.
    nodes, work : int
        Boxes and rows looked at so far.
    level : int
        How often the box at hand was halved.
    """

    def __init__(self, problem, best, theta, target, few=None, improve=None):
        if problem.parameters > WIDTH:
            raise ValueError(
                f"boxes take up to {WIDTH} parameters, here are {problem.parameters}; use cuts"
            )
        if problem.separate is not None:
            raise ValueError("boxes take constraints that can be listed; use cuts")
        self.problem, self.best, self.theta, self._improve = (
            problem,
            best,
            np.array(theta, float),
            improve,
        )
        few = np.ones(len(problem.rows), bool) if few is None else few
        self._few = problem.rows[few]
        self._rows = np.ascontiguousarray(_padded(self._few).T)
        self._starts = (
            np.concatenate([[0], np.cumsum(np.add.reduceat(few, problem.starts[:-1]))])
            if len(few)
            else problem.starts
        )
        blocks, cone = len(problem.starts) - 1, len(problem.cone)
        self._counters = Counters(*np.zeros((len(Counters._fields), 1), np.int64))
        self._counters.target[0], self._counters.level[0] = target, -1
        self._stack = Stack(
            *np.empty((2, DEPTH, WIDTH)),
            *np.zeros((9, DEPTH), np.int64),
            np.empty((WIDTH, 4 * self._rows.shape[1] + cone + 16)),
            *np.empty((3, 60 * (blocks + 1)), np.int64),
        )
        self._stack.row[:, :cone] = _padded(problem.cone).T
        self._joined = Joined(
            np.empty((0, WIDTH)), *np.empty((2, 0), np.int64), np.full(blocks, -1)
        )
        self._scratch = Scratch(
            np.zeros(blocks, bool), np.empty(WIDTH), *np.empty((2, self._stack.row.shape[1]))
        )
        self._worst = worst_rows_of(blocks)

    target = property(lambda self: int(self._counters.target[0]))
    nodes = property(lambda self: int(self._counters.nodes[0]))
    work = property(lambda self: int(self._counters.work[0]))
    level = property(lambda self: int(self._counters.level[0]))

    def run(self, work):
        """Go on until about so many rows more are looked at; returns whether the search is done."""
        until, p = (
            self.work + int(work),
            self.problem,
        )  # a whole number: for another type numba would compile once more
        while True:
            answer = _advance(
                self._rows,
                self._starts,
                p.group,
                p.lower,
                p.faces,
                len(p.cone),
                self._counters,
                self._stack,
                self._joined,
                self._scratch,
                self._worst,
                until,
            )
            if answer == RECOUNT:
                self._recount(self._scratch.point[: p.parameters].copy())
            elif answer == ROOM:
                self._grow()
            elif answer == STUCK:
                raise RuntimeError(
                    f"the search has halved a box {DEPTH} times; please report the two files"
                )
            else:
                return answer == DONE

    def offer(self, theta, best):
        """Parameters found elsewhere; they count if they link more than the best known."""
        if best > self.best:
            self.theta, self.best = theta, best
            self._counters.target[0] = max(self.target, best + 1)

    def _recount(self, theta):
        """All rows at a point that reaches the target on few: it is the best known, or the rows that it violates join."""
        violated, rows = self.problem.violated(theta)
        linked = len(np.unique(np.delete(self.problem.group, violated)))
        if linked >= self.target:
            self.offer(*(self._improve(theta, linked) if self._improve else (theta, linked)))
            return
        joined = self._joined
        new = worst_rows(self._few, self._starts, theta)[violated] < 0
        broken = product(joined.rows[:, : len(theta)], theta) <= TOLERANCE
        new &= ~np.isin(violated, joined.block[broken])
        violated, rows = violated[new], rows[new]
        if len(violated) == 0:
            raise RuntimeError(
                "a point links more records on few rows than on all, and no row says why; please report the two files"
            )
        before = joined.newest[violated]
        joined.newest[violated] = len(joined.rows) + np.arange(len(violated))
        self._joined = Joined(
            np.concatenate([joined.rows, _padded(rows)]),
            np.r_[joined.block, violated],
            np.r_[joined.before, before],
            joined.newest,
        )
        self._return_to(violated)

    def _return_to(self, blocks):
        """Back to the box, on the way to the present one, in which all of some blocks are open: below, they were taken for linked."""
        stack, level = self._stack, self.level
        while not np.isin(
            blocks, stack.block[stack.blocks_from[level] : stack.blocks_to[level]]
        ).all():
            level -= 1
        if level < self.level:
            self._counters.level[0] = level
            stack.side[level] -= 1

    def _grow(self):
        """Arenas twice as large."""
        arenas = Stack._fields[Stack._fields.index("row") :]
        self._stack = self._stack._replace(
            **{
                name: np.concatenate([old, np.empty_like(old)], axis=-1)
                for name in arenas
                for old in [getattr(self._stack, name)]
            }
        )
        self._scratch = self._scratch._replace(
            value=np.empty(self._stack.row.shape[1]), radius=np.empty(self._stack.row.shape[1])
        )


def _padded(array):
    """Columns of zeros up to the width."""
    return np.concatenate([array, np.zeros((*array.shape[:-1], WIDTH - array.shape[-1]))], axis=-1)


@compiled
def _advance(
    rows, starts, group, lower, faces, cone, counters, stack, joined, scratch, worst, until
):
    while True:
        level = counters.level[0]
        if level < 0:
            if counters.face[0] == len(faces):
                return DONE
            if stack.row.shape[1] < cone + starts[-1] or len(stack.block) < len(starts):
                return ROOM
            _open_face(rows, starts, group, lower, faces[counters.face[0]], cone, counters, stack)
            counters.face[0] += 1
        elif stack.side[level] == 2:
            counters.level[0] -= 1
        else:
            if counters.work[0] > until:
                return MORE
            # Room for a child as large as its parent, with all rows that have joined since.
            rows_of, blocks_of = stack.rows_to[level], stack.blocks_to[level]
            if 2 * rows_of - stack.rows_from[level] + len(joined.rows) - stack.joined[
                level
            ] > stack.row.shape[1] or 2 * blocks_of - stack.blocks_from[level] > len(stack.block):
                return ROOM
            if level + 1 == len(stack.side):
                return STUCK
            counters.nodes[0] += 1
            _halve(level, stack)
            answer = _look(group, cone, counters, stack, joined, scratch, worst, level + 1)
            if answer == RECOUNT:
                stack.side[level] -= 1  # this half again, with what was found out
                return RECOUNT
            if answer == MORE:
                counters.level[0] += 1


@compiled
def _open_face(rows, starts, group, lower, face, cone, counters, stack):
    """Put a face of the cone on the stack: one parameter is 1 (or -1), the others take all their values."""
    centre, half = stack.centre[0], stack.half[0]
    centre[:], half[:] = 0.0, 0.0
    for k in range(len(lower)):
        centre[k], half[k] = (1 + lower[k]) / 2, (1 - lower[k]) / 2
    fixed = face if face >= 0 else ~face
    centre[fixed], half[fixed] = (1.0 if face >= 0 else -1.0), 0.0
    stack.row[:, cone : cone + starts[-1]] = rows
    for block in range(len(starts) - 1):
        stack.block[block], stack.first_row[block], stack.mate[block] = (
            block,
            cone + starts[block],
            -1,
        )
    stack.rows_from[0], stack.rows_to[0] = cone, cone + starts[-1]
    stack.blocks_from[0], stack.blocks_to[0] = 0, len(starts) - 1
    stack.inside[0], stack.bound[0], stack.joined[0] = 0, group[-1] + 1 if len(group) else 0, 0
    stack.split[0], stack.side[0] = np.argmax(half), 0
    counters.level[0] = 0


@compiled
def _halve(level, stack):
    """The next half of the box at `level`, put above it."""
    child, split = level + 1, stack.split[level]
    stack.centre[child], stack.half[child] = stack.centre[level], stack.half[level]
    stack.half[child, split] /= 2
    stack.centre[child, split] += (
        stack.half[child, split] if stack.side[level] else -stack.half[child, split]
    )
    stack.side[level] += 1
    stack.rows_from[child], stack.blocks_from[child] = stack.rows_to[level], stack.blocks_to[level]


@compiled
def _look(group, cone, counters, stack, joined, scratch, worst, child):
    """Look at the box at `child`: DONE if it cannot hold the target, RECOUNT if a point of it may, else MORE."""
    target, source, count = counters.target[0], child - 1, 0
    while True:
        place = _in_cone(cone, stack, child)
        if place == OUTSIDE:
            return DONE
        counters.work[0] += stack.rows_to[source] - stack.rows_from[source]
        undecided, linked = _take_rows(group, target, stack, joined, scratch, worst, source, child)
        if undecided < 0:
            return DONE
        if place == INSIDE and linked >= target:
            scratch.point[:] = stack.centre[child]
            return RECOUNT
        count = stack.blocks_to[child] - stack.blocks_from[child]
        _scale_worst(count, stack, worst, child)
        most = stack.inside[child] + undecided
        missing = lost(count, most - target + 1, worst)
        if missing <= 0:
            return DONE
        stack.bound[child] = target - 1 + missing
        if most == target:
            answer = _settled(cone, counters, stack, scratch, worst, child)
            if answer != MORE:
                return answer
        _remember_pairs(count, stack, worst, child)
        if source == child:
            break
        source = child
        volume = cut_slabs(count, missing - 1, worst, stack.centre, stack.half, child)
        if volume == 0:
            return DONE
        if volume > LOOK_AGAIN:
            break
    stack.split[child], stack.side[child] = _parameter_to_halve(count, worst), 0
    return MORE


OUTSIDE, ACROSS, INSIDE = range(3)


@compiled
def _in_cone(cone, stack, box):
    """Where the box is: outside of the cone, or its centre inside, or neither."""
    place = INSIDE
    for row in range(cone):
        value, radius = 0.0, 0.0
        for k in range(WIDTH):
            value += stack.row[k, row] * stack.centre[box, k]
            radius += abs(stack.row[k, row]) * stack.half[box, k]
        if value + radius < -ROUNDING:
            return OUTSIDE
        if value < 0:
            place = ACROSS
    return place


@compiled
def _take_rows(group, target, stack, joined, scratch, worst, source, child):
    """Rows, blocks and groups of the box at `source` that are open in that at `child`, a part of it (in place if it is the same).

    Returns groups undecided and groups linked at the centre; (-1, -1) as soon as the target is out of reach.
    """
    row, blocks, first_rows, mates = stack.row, stack.block, stack.first_row, stack.mate
    values, radii, gone, newest = scratch.value, scratch.radius, scratch.gone, joined.newest
    worst_values, tops, alone = worst.value, worst.top, worst.alone
    place, last, rows_to = stack.blocks_from[source], stack.blocks_to[source], stack.rows_to[source]
    row_top, first, block_top = (
        stack.rows_from[child],
        stack.blocks_from[child],
        stack.blocks_from[child],
    )
    inside, undecided, linked = stack.inside[source], 0, stack.inside[source]
    spare = stack.bound[source] - target  # how far the bound may fall
    known = stack.joined[source]
    begin = stack.rows_from[source]
    _evaluate(begin, rows_to, row, stack.centre, stack.half, child, values, radii)
    for at in range(place, last):
        gone[blocks[at]] = False
    while place < last:
        of_group = group[blocks[place]]
        group_rows, group_blocks = row_top, block_top
        is_in, centred = False, False
        block, mate = blocks[place], mates[place]
        while place < last and group[blocks[place]] == of_group:
            block, mate = blocks[place], mates[place]
            at = first_rows[place]
            end = first_rows[place + 1] if place + 1 < last else rows_to
            place += 1
            if is_in:
                continue
            block_rows, out, positive = row_top, False, True
            worst_row, worst_value, worst_radius = -1, 1.0, 0.0
            late = newest[block]
            while at < end:
                value, radius = values[at - begin], radii[at - begin]
                if value + radius <= TOLERANCE:
                    out = True
                    break
                if value - radius <= SURE:
                    for k in range(WIDTH):
                        row[k, row_top] = row[k, at]
                    if worst_row < 0 or value * worst_radius < worst_value * radius:
                        worst_row, worst_value, worst_radius = row_top, value, radius
                    row_top += 1
                    positive &= value > SURE
                at += 1
            while not out and late >= known:
                value, radius = _evaluate_one(joined.rows, late, stack.centre, stack.half, child)
                if value + radius <= TOLERANCE:
                    out = True
                elif value - radius <= SURE:
                    for k in range(WIDTH):
                        row[k, row_top] = joined.rows[late, k]
                    if worst_row < 0 or value * worst_radius < worst_value * radius:
                        worst_row, worst_value, worst_radius = row_top, value, radius
                    row_top += 1
                    positive &= value > SURE
                late = joined.before[late]
            if out:
                row_top = block_rows
            elif row_top == block_rows:
                is_in = True
            else:
                if (
                    worst_row != block_rows
                ):  # the worst first: a part of the box finds most blocks out at their first row
                    for k in range(WIDTH):
                        row[k, block_rows], row[k, worst_row] = (
                            row[k, worst_row],
                            row[k, block_rows],
                        )
                blocks[block_top], first_rows[block_top], mates[block_top] = block, block_rows, mate
                worst_values[block_top - first] = worst_value
                tops[block_top - first] = worst_value + worst_radius
                block_top += 1
                centred |= positive
        if is_in:
            row_top, block_top = group_rows, group_blocks
            inside += 1
            linked += 1
        elif block_top > group_blocks:
            undecided += 1
            linked += centred
            for b in range(group_blocks, block_top):
                alone[b - first] = block_top == group_blocks + 1
        elif mate >= 0 and not gone[mate]:
            gone[block] = True  # of a pair the first to go leaves the bound as it is
        else:
            spare -= 1
            if spare < 0:
                return -1, -1
    stack.rows_to[child], stack.blocks_to[child], stack.inside[child] = row_top, block_top, inside
    stack.joined[child] = len(joined.rows)
    return undecided, linked


# fmt: off
@compiled
def _evaluate(begin, end, row, c, h, b, values, radii):
    """Value at the centre and radius of every row."""
    c0, c1, c2, c3, c4, c5, c6, c7 = c[b, 0], c[b, 1], c[b, 2], c[b, 3], c[b, 4], c[b, 5], c[b, 6], c[b, 7]
    h0, h1, h2, h3, h4, h5, h6, h7 = h[b, 0], h[b, 1], h[b, 2], h[b, 3], h[b, 4], h[b, 5], h[b, 6], h[b, 7]
    for at in range(begin, end):
        r0, r1, r2, r3, r4, r5, r6, r7 = (row[0, at], row[1, at], row[2, at], row[3, at], row[4, at], row[5, at], row[6, at],
                                          row[7, at])
        values[at - begin] = ((r0 * c0 + r1 * c1) + (r2 * c2 + r3 * c3)) + ((r4 * c4 + r5 * c5) + (r6 * c6 + r7 * c7))
        radii[at - begin] = (((abs(r0) * h0 + abs(r1) * h1) + (abs(r2) * h2 + abs(r3) * h3))
                             + ((abs(r4) * h4 + abs(r5) * h5) + (abs(r6) * h6 + abs(r7) * h7)))
# fmt: on


@compiled
def _evaluate_one(rows, row, centre, half, box):
    value, radius = 0.0, 0.0
    for k in range(WIDTH):
        value += rows[row, k] * centre[box, k]
        radius += abs(rows[row, k]) * half[box, k]
    return value, radius


@compiled
def _scale_worst(count, stack, worst, child):
    """The worst rows, scaled to length 1."""
    first = stack.blocks_from[child]
    half, row, first_rows = stack.half, stack.row, stack.first_row
    terms, value, top, largest = worst.terms, worst.value, worst.top, worst.largest
    for i in range(count):
        at, squares, most = first_rows[first + i], 0.0, 0.0
        for k in range(WIDTH):
            term = half[child, k] * row[k, at]
            terms[i, k] = term
            squares += term * term
            most = max(most, abs(term))
        scale = 1 / np.sqrt(squares)
        value[i] *= scale
        top[i] *= scale
        largest[i] = most * scale
        for k in range(WIDTH):
            terms[i, k] *= scale


@compiled
def _remember_pairs(count, stack, worst, child):
    """What the bound rests on: in a part of the box, of a pair the first block that is out leaves it as it is."""
    first = stack.blocks_from[child]
    blocks, mates, partner = stack.block, stack.mate, worst.partner
    for i in range(count):
        mates[first + i] = blocks[first + partner[i]] if partner[i] >= 0 else -1


@compiled
def _parameter_to_halve(count, worst):
    """The parameter that decides most: as a share of what keeps the blocks open that are violated at the centre."""
    weight = np.zeros(WIDTH)
    value, top, terms = worst.value, worst.top, worst.terms
    for i in range(count):
        scale = 1 / top[i]
        for k in range(WIDTH):
            term = abs(terms[i, k])
            weight[k] += min(1.0, term * scale) if value[i] < 0 else OTHERS * term
    return np.argmax(weight)


@compiled
def _settled(cone, counters, stack, scratch, worst, child):
    """Whether a box needs no further look, all its open groups having to be linked.

    The rows of groups with one open block must all hold; if they cannot, the box is done. If they can and there are no other
    groups, a point is found that may reach the target.
    """
    counters.programs[0] += 1
    first, last = stack.blocks_from[child], stack.blocks_to[child]
    rows = np.empty((stack.rows_to[child] - stack.rows_from[child] + cone, WIDTH))
    count, single = 0, True
    for place in range(first, last):
        if not worst.alone[place - first]:
            single = False
            continue
        end = stack.first_row[place + 1] if place + 1 < last else stack.rows_to[child]
        for at in range(stack.first_row[place], end):
            rows[count] = stack.row[:, at]
            count += 1
    if count == 0:
        return MORE
    for row in range(cone):
        rows[count + row] = stack.row[:, row]
    point, margin, bound, _, _ = best_margin(
        rows, np.arange(count + cone), cone, stack.centre[child], stack.half[child], TOLERANCE
    )
    if bound <= TOLERANCE:
        return DONE
    if single and margin > SURE:
        scratch.point[:] = point
        return RECOUNT
    return MORE
