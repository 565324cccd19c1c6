"""The worst row of every open block of a box: what the compiled bounds of a search are made of."""

from typing import NamedTuple

import numpy as np

from .._internal.jit import compiled

# parameters, at most; arrays are padded to it, so that loops over parameters have a fixed length
WIDTH = 8
LANES = 8  # rows that a processor takes at once
SINGLE = np.float32(1e-5)  # more than what single precision gathers of rounding
UNTOLD, TAKEN = np.float32(-1e3), np.float32(-1e6)


class Worst(NamedTuple):
    """The worst row of each open block of the box at hand.

    Of those that may be paired there is a copy in single precision.
    """

    value: np.ndarray  # at the centre
    top: np.ndarray  # its largest value in the box
    largest: np.ndarray  # its largest term
    terms: np.ndarray  # what each parameter changes
    alone: np.ndarray  # no other block of its group is open
    partner: np.ndarray  # place of the block that excludes this one, or -1
    width: np.ndarray  # of slabs
    candidate: np.ndarray  # blocks that may be paired, by place; those violated at the centre last
    # in this order, in single precision: how far below zero the centre is; TAKEN if it is paired,
    depth: np.ndarray
    across: np.ndarray  # sqrt(1 - depth^2),
    beyond: np.ndarray  # UNTOLD where depth is above 1: the ball in the box tells nothing,
    test: np.ndarray  # result of a test,
    u0: np.ndarray  # and the terms
    u1: np.ndarray
    u2: np.ndarray
    u3: np.ndarray
    u4: np.ndarray
    u5: np.ndarray
    u6: np.ndarray
    u7: np.ndarray


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
        scale = 1 / np.sqrt(squares)
        value[i] *= scale
        top[i] *= scale
        largest[i] = most * scale
        for k in range(WIDTH):
            terms[i, k] *= scale
