"""Rows of large files, found where they are asked for instead of being assembled.

A file of N records has N (N - 1) rows. Few of them ever bind: those of the wrong candidates that
are nearest at some weights. Fewer rows only make records easier to link, so whatever is proved on
them holds for all; and what weights link is counted on all pairs.
"""

import os
from concurrent.futures import ThreadPoolExecutor

import numpy as np

from .._internal.exhaustive import COMPARISON_CODES, SQUARE, compared
from .._internal.jit import compiled
from ._problem import Problem

PART = 64  # linking records that are worth a thread
CHUNK = 512  # candidates that are compared at a time


class Pairs:
    """All pairs of linking records and candidates, for weights of their columns.

    Parameters
    ----------
    a, b : array
        Linking records and candidates.
    partner : array
        Number of each linking record's own candidate, -1 if it has none.
    columns : list
        For each column how it is compared (`rlpaper.distances.prepared_files.COMPARISONS`), and what
        divides that.
    """

    def __init__(self, a, b, partner, columns):
        self.a, self.b, self.partner = (
            np.ascontiguousarray(a),
            np.ascontiguousarray(b.T),
            np.ascontiguousarray(partner),
        )
        self.comparisons = np.array([COMPARISON_CODES[kind] for kind, _ in columns])
        self.sizes = np.array([size for _, size in columns], float)

    def nearest_wrong(self, records, weightings):
        """The wrong candidate that is nearest to each of some linking records, at each of some weights: a row for each record."""
        weightings = np.ascontiguousarray(weightings, float)
        found = np.empty((len(records), len(weightings)), np.int64)

        def part(begin):
            rows = slice(begin, begin + PART)
            _nearest_wrong(
                self.a,
                self.b,
                self.partner,
                self.comparisons,
                self.sizes,
                records[rows],
                weightings,
                found[rows],
            )

        with ThreadPoolExecutor(os.cpu_count()) as pool:
            list(pool.map(part, range(0, len(records), PART)))
        return found

    def rows(self, records, candidates):
        """The rows of records and wrong candidates, scaled as those of a `Problem`."""
        return _rows(
            self.a, self.b, self.partner, self.comparisons, self.sizes, records, candidates
        )


def few_rows(pairs, comparisons, weightings):
    """The problem of a file pair on the rows of the wrong candidates that are nearest at some weights.

    Parameters
    ----------
    pairs : Pairs
    comparisons : array
        Linking records of the same kind have the same values.
    weightings : array
        A row for each.

    Notes
    -----
    A record that has no row with a negative coefficient here counts as linked by all weights, which can only raise the bound.
    """
    records = np.argsort(comparisons, kind="stable")
    records = records[pairs.partner[records] >= 0]
    candidates = pairs.nearest_wrong(records, weightings)
    blocks, certain = [], 0
    for record, found in zip(records, candidates, strict=True):
        rows = pairs.rows(np.full(len(weightings), record), found)
        if (rows.max(axis=1) <= 0).any():
            continue
        rows = np.unique(rows[(rows < 0).any(axis=1)], axis=0)
        if len(rows) == 0:
            certain += 1
        else:
            blocks.append((record, rows))
    d = pairs.a.shape[1]
    records = np.array([record for record, _ in blocks], int)
    rows = np.concatenate([rows for _, rows in blocks]) if blocks else np.empty((0, d))
    kind = comparisons[records]
    group = np.cumsum(np.diff(kind, prepend=kind[:1]) != 0) if blocks else kind
    return Problem(
        rows,
        np.cumsum([0, *(len(rows) for _, rows in blocks)]),
        group,
        records,
        certain,
        np.zeros(d),
        np.arange(d),
        np.empty((0, d)),
        pairs=pairs,
    )


@compiled
def _nearest_wrong(a, b, partner, comparisons, sizes, records, weightings, found):
    d, n = b.shape
    features, values = np.empty((d, CHUNK)), np.empty(CHUNK)
    least = np.empty(len(weightings))
    for place in range(len(records)):
        i = records[place]
        least[:] = np.inf
        for begin in range(0, n, CHUNK):
            size = min(CHUNK, n - begin)
            for k in range(d):
                own, divisor = a[i, k], sizes[k]
                if comparisons[k] == SQUARE:
                    for j in range(size):
                        gap = own - b[k, begin + j]
                        features[k, j] = gap * gap / divisor
                else:
                    for j in range(size):
                        features[k, j] = compared(own - b[k, begin + j], comparisons[k]) / divisor
            for w in range(len(weightings)):
                weight = weightings[w, 0]
                for j in range(size):
                    values[j] = weight * features[0, j]
                for k in range(1, d):
                    weight = weightings[w, k]
                    for j in range(size):
                        values[j] += weight * features[k, j]
                if begin <= partner[i] < begin + size:
                    values[partner[i] - begin] = np.inf
                lowest, at = least[w], -1
                for j in range(size):
                    if values[j] < lowest:
                        lowest, at = values[j], j
                if at >= 0:
                    least[w], found[place, w] = lowest, begin + at


@compiled
def _rows(a, b, partner, comparisons, sizes, records, candidates):
    rows = np.empty((len(records), len(comparisons)))
    for place in range(len(records)):
        i, largest = records[place], 0.0
        for k in range(len(comparisons)):
            rows[place, k] = (
                compared(a[i, k] - b[k, candidates[place]], comparisons[k]) / sizes[k]
                - compared(a[i, k] - b[k, partner[i]], comparisons[k]) / sizes[k]
            )
            largest = max(largest, abs(rows[place, k]))
        if largest > 0:
            for k in range(len(comparisons)):
                rows[place, k] /= largest
    return rows
