"""The walk over the boxes of a search, compiled: from one to its halves and back."""

from collections import namedtuple

import numpy as np

from .._internal.jit import compiled
from ._bounds import lost
from ._lp import best_margin
from ._open_rows import INSIDE, OUTSIDE, SURE, in_cone, remember_pairs, take_rows
from ._problem import TOLERANCE
from ._slabs import cut_slabs
from ._worst import WIDTH, scale_worst

# share of a box's volume below which, slabs cut off, its rows are looked at again before it is
# halved
LOOK_AGAIN = 0.7
OTHERS = 1e-3  # what blocks linked at the centre count in the choice of the parameter to halve
DONE, MORE, ROOM, STUCK, RECOUNT = range(5)


#: One number each, in arrays so that compiled code can change them.
Counters = namedtuple(
    "Counters",
    [
        "work",  # rows looked at
        "target",
        "normalisation",  # next normalisation of the cone
        "level",  # top of the stack, -1 if empty
    ],
)


@compiled
def advance(
    rows, starts, group, lower, normalisations, cone, counters, stack, joined, scratch, worst, until
):
    while True:
        level = counters.level[0]
        if level < 0:
            if counters.normalisation[0] == len(normalisations):
                return DONE
            if stack.row.shape[1] < cone + starts[-1] or len(stack.block) < len(starts):
                return ROOM
            _open_normalisation(
                rows,
                starts,
                group,
                lower,
                normalisations[counters.normalisation[0]],
                cone,
                counters,
                stack,
            )
            counters.normalisation[0] += 1
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
            _halve(level, stack)
            answer = _look(group, cone, counters, stack, joined, scratch, worst, level + 1)
            if answer == RECOUNT:
                stack.side[level] -= 1  # this half again, with what was found out
                return RECOUNT
            if answer == MORE:
                counters.level[0] += 1


@compiled
def _open_normalisation(rows, starts, group, lower, normalisation, cone, counters, stack):
    """Put a normalisation of the cone on the stack.

    There one parameter is 1 (or -1), and the others take all their values.
    """
    centre, half = stack.centre[0], stack.half[0]
    centre[:], half[:] = 0.0, 0.0
    for k in range(len(lower)):
        centre[k], half[k] = (1 + lower[k]) / 2, (1 - lower[k]) / 2
    fixed = normalisation if normalisation >= 0 else ~normalisation
    centre[fixed], half[fixed] = (1.0 if normalisation >= 0 else -1.0), 0.0
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
    """Put the next half of the box at `level` above it."""
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
    """Look at the box at `child`.

    Return DONE if it cannot hold the target, RECOUNT if a point of it may, else MORE.
    """
    target, source, count = counters.target[0], child - 1, 0
    while True:
        where = in_cone(cone, stack, child)
        if where == OUTSIDE:
            return DONE
        counters.work[0] += stack.rows_to[source] - stack.rows_from[source]
        undecided, linked = take_rows(group, target, stack, joined, scratch, worst, source, child)
        if undecided < 0:
            return DONE
        if where == INSIDE and linked >= target:
            scratch.point[:] = stack.centre[child]
            return RECOUNT
        count = stack.blocks_to[child] - stack.blocks_from[child]
        scale_worst(count, stack, worst, child)
        most = stack.inside[child] + undecided
        missing = lost(count, most - target + 1, worst)
        if missing <= 0:
            return DONE
        stack.bound[child] = target - 1 + missing
        if most == target:
            answer = _settled(cone, counters, stack, scratch, worst, child)
            if answer != MORE:
                return answer
        remember_pairs(count, stack, worst, child)
        if source == child:
            break
        source = child
        volume = cut_slabs(count, missing - 1, worst, stack.centre, stack.half, child)
        if volume == 0:
            return DONE
        if volume > LOOK_AGAIN:
            break
    # Where no block is open, only the cone is left to decide.
    stack.split[child] = (
        _parameter_to_halve(count, worst) if count else np.argmax(stack.half[child])
    )
    stack.side[child] = 0
    return MORE


@compiled
def _parameter_to_halve(count, worst):
    """Return the parameter that decides most.

    It decides by its share of what keeps the blocks open that are violated at the centre.
    """
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
    """Say whether a box needs no further look, where all its open groups have to be linked.

    The rows of groups with one open block must all hold; if they cannot, the box is done. If they
    can and there are no other groups, a point is found that may reach the target.
    """
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
