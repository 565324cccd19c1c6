"""The worst row of every open block of a box: what the compiled bounds of a search are made of."""

from collections import namedtuple

import numpy as np

from .._internal.jit import compiled

# parameters, at most; arrays are padded to it, so that loops over parameters have a fixed length
WIDTH = 8
LANES = 8  # rows that a processor takes at once
SINGLE = np.float32(1e-5)  # more than what single precision gathers of rounding
UNTOLD, TAKEN = np.float32(-1e3), np.float32(-1e6)


#: The worst row of each open block of the box at hand, as arrays. Of those that may be paired there
#: is a copy in single precision.
Worst = namedtuple(
    "Worst",
    [
        "value",  # at the centre
        "top",  # its largest value in the box
        "largest",  # its largest term
        "terms",  # what each parameter changes
        "alone",  # no other block of its group is open
        "partner",  # position of the block that excludes this one, or -1
        "width",  # of slabs
        "candidate",  # blocks that may be paired, by position; those violated at the centre last
        # in the order of candidates, in single precision:
        "depth",  # how far below zero the centre is; TAKEN if it is paired
        "across",  # sqrt(1 - depth^2)
        "beyond",  # UNTOLD where depth is above 1: the ball in the box tells nothing
        "test",  # result of a test
        "u0",  # the terms
        "u1",
        "u2",
        "u3",
        "u4",
        "u5",
        "u6",
        "u7",
    ],
)


def worst_rows_of(blocks):
    """Return room for so many blocks."""
    n = blocks + LANES
    return Worst(
        *np.zeros((3, n)),
        np.zeros((n, WIDTH)),
        np.zeros(n, bool),
        np.zeros(n, np.int64),
        np.zeros(n),
        np.zeros(n, np.int64),
        *np.zeros((4 + WIDTH, n), np.float32),
    )


@compiled
def scale_worst(count, stack, worst, child):
    """Scale the worst rows to length 1."""
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
        scale = 1 / np.sqrt(squares) if squares > 0 else 1.0  # in a box that is all but a point
        value[i] *= scale
        top[i] *= scale
        largest[i] = most * scale
        for k in range(WIDTH):
            terms[i, k] *= scale
