"""The rows and blocks that are open in a box.

These are those of the box that it is a part of, less what is settled there.
"""

from collections import namedtuple

from .._internal.jit import compiled
from ._problem import TOLERANCE
from ._worst import WIDTH

SURE = TOLERANCE + 1e-12  # above the tolerance in whatever order it is summed
ROUNDING = 1e-9  # more than what values and bounds gather of it


#: Boxes on the way down, as arrays, and in one arena each their open rows and blocks.
Stack = namedtuple(
    "Stack",
    [
        "centre",
        "half",
        "rows_from",
        "rows_to",
        "blocks_from",
        "blocks_to",
        "inside",  # groups in
        "bound",  # most groups that can be linked
        "joined",  # rows that had joined when this box was made
        "split",  # parameter to halve
        "side",  # halves looked at
        # arenas:
        "row",  # one array for each parameter, the cone's first; of each block the worst row first
        "block",  # those of a group together
        "first_row",  # of each block
        "mate",  # a block that excludes this one, or -1
    ],
)

#: Rows that joined on the way; those of a block are chained, the newest first.
Joined = namedtuple(
    "Joined",
    [
        "rows",
        "block",  # of each row
        "before",  # the row of the same block that joined before, or -1
        "newest",  # by block
    ],
)

#: Room for what is found out about the box at hand.
Scratch = namedtuple(
    "Scratch",
    [
        "gone",  # by block: out, its mate still open
        "point",  # reaches the target on the rows at hand
        "value",  # of each row, at the centre
        "radius",  # the most that it changes within the box
    ],
)


OUTSIDE, ACROSS, INSIDE = range(3)


@compiled
def in_cone(cone, stack, box):
    """Say where the box is: outside of the cone, or its centre inside, or neither."""
    where = INSIDE
    for row in range(cone):
        value, radius = 0.0, 0.0
        for k in range(WIDTH):
            value += stack.row[k, row] * stack.centre[box, k]
            radius += abs(stack.row[k, row]) * stack.half[box, k]
        if value + radius < -ROUNDING:
            return OUTSIDE
        if value < 0:
            where = ACROSS
    return where


@compiled
def take_rows(group, target, stack, joined, scratch, worst, source, child):
    """Take the rows, blocks and groups of the box at `source` that are open in that at `child`.

    The latter is a part of the former; if it is the same, they are taken in place. Return groups
    undecided and groups linked at the centre; (-1, -1) as soon as the target is out of reach.
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
                # The worst first: a part of the box finds most blocks out at their first row.
                if worst_row != block_rows:
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
    """Fill in value at the centre and radius of every row."""
    c0, c1, c2, c3 = c[b, 0], c[b, 1], c[b, 2], c[b, 3]
    c4, c5, c6, c7 = c[b, 4], c[b, 5], c[b, 6], c[b, 7]
    h0, h1, h2, h3 = h[b, 0], h[b, 1], h[b, 2], h[b, 3]
    h4, h5, h6, h7 = h[b, 4], h[b, 5], h[b, 6], h[b, 7]
    for at in range(begin, end):
        r0, r1, r2, r3 = row[0, at], row[1, at], row[2, at], row[3, at]
        r4, r5, r6, r7 = row[4, at], row[5, at], row[6, at], row[7, at]
        values[at - begin] = (((r0 * c0 + r1 * c1) + (r2 * c2 + r3 * c3))
                              + ((r4 * c4 + r5 * c5) + (r6 * c6 + r7 * c7)))
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
def remember_pairs(count, stack, worst, child):
    """Remember the pairs that the bound rests on.

    In a part of the box, the first block of a pair that is out leaves the bound as it is.
    """
    first = stack.blocks_from[child]
    blocks, mates, partner = stack.block, stack.mate, worst.partner
    for i in range(count):
        mates[first + i] = blocks[first + partner[i]] if partner[i] >= 0 else -1
