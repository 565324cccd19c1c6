"""Slabs at the sides of a box that are cut off.

There so many rows are nowhere positive that the target is out of reach.
"""

import numpy as np

from .._internal.jit import compiled
from ._worst import WIDTH

SLAB = 0.08  # the least part of a box's width that is worth cutting off


@compiled
def cut_slabs(count, spare, worst, centre, half, box):
    """Cut off slabs at the sides of a box in which more than `spare` further blocks are lost.

    Block i is lost where parameter k is within a width of ``2 - top / |terms_k|`` of the end where
    its row is least. Return the share of the volume that is left, 0 if nothing is.
    """
    enough, deep = 2 - 2 * SLAB, np.int64(0)
    alone, top, largest, terms = worst.alone, worst.top, worst.largest, worst.terms
    candidate, partner, width = worst.candidate, worst.partner, worst.width
    for i in range(count):  # the others are lost in no slab that is worth it
        if alone[i] and top[i] <= enough * largest[i]:
            candidate[deep] = i
            deep += 1
    volume = 1.0
    # Not all of them are least at the same end of the same parameter; by trial.
    if deep < 3 * (spare + 1):
        return volume
    for k in range(WIDTH):
        low = _slab(deep, spare, k, 1.0, candidate, top, terms, partner, width)
        high = _slab(deep, spare, k, -1.0, candidate, top, terms, partner, width)
        if low + high >= 2:
            return 0.0
        if low + high > 0:
            centre[box, k] += half[box, k] * (low - high) / 2
            half[box, k] *= 1 - (low + high) / 2
            volume *= 1 - (low + high) / 2
    return volume


@compiled
def _slab(deep, spare, k, sign, candidate, top, terms, partner, width):
    """Return the width of the slab, in units of half the box; 0 if it is not worth it.

    It is the (spare + 1)st largest of the blocks' widths.
    """
    enough, found = 2 - 2 * SLAB, 0
    for number in range(deep):
        i = candidate[number]
        term = sign * terms[i, k]
        if top[i] > term * enough:
            continue
        share, j = top[i] / term, partner[i]
        if j >= 0:
            # Of a pair one is lost anyhow: it counts where both are.
            other = sign * terms[j, k]
            if j < i or top[j] > other * enough:
                continue
            share = max(share, top[j] / other)
        width[found] = 2 - share
        found += 1
    if found <= spare:
        return 0.0
    return np.sort(width[:found])[found - 1 - spare]
