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

MIN_PART = 64  # linking records that are worth a thread
MAX_CHUNK = 512  # candidates that are compared at a time


class Pairs:
    """All pairs of linking records and candidates, for weights of their columns.

    Parameters
    ----------
    a, b : array
        Linking records and candidates.
    partner : array
        Number of each linking record's own candidate, -1 if it has none.
    columns : list
        For each column how it is compared (`rlpaper.distances.prepared_files.COMPARISONS`), and
        what divides that.
    """

    def __init__(self, a, b, partner, columns):
        self.files = (
            np.ascontiguousarray(a),
            np.ascontiguousarray(b.T),
            np.ascontiguousarray(partner),
            np.array([COMPARISON_CODES[comparison] for comparison, _ in columns]),
            np.array([size for _, size in columns], float),
        )

    def nearest_wrong(self, records, weightings):
        """Return the wrong candidate that is nearest to each of some linking records.

        One row per record, one column per row of weights.
        """
        weightings = np.ascontiguousarray(weightings, float)
        found = np.empty((len(records), len(weightings)), np.int64)

        def part(begin):
            rows = slice(begin, begin + MIN_PART)
            _nearest_wrong(*self.files, records[rows], weightings, found[rows])

        with ThreadPoolExecutor(os.cpu_count()) as pool:
            list(pool.map(part, range(0, len(records), MIN_PART)))
        return found

    def rows(self, records, candidates):
        """Return the rows of records and wrong candidates, scaled as those of a `Problem`."""
        return _rows(*self.files, records, candidates)

    def blocks(self, records, weightings):
        """Yield whether each of some records can be linked, and its rows found at some weights."""
        candidates = self.nearest_wrong(records, weightings)
        for record, nearest in zip(records, candidates, strict=True):
            rows = self.rows(np.full(len(weightings), record), nearest)
            possible = not (rows.max(axis=1) <= 0).any()
            yield possible, np.unique(rows[(rows < 0).any(axis=1)], axis=0) if possible else rows


@compiled
def _nearest_wrong(a, b, partner, comparisons, sizes, records, weightings, found):
    d, n = b.shape
    features, values = np.empty((d, MAX_CHUNK)), np.empty(MAX_CHUNK)
    least = np.empty(len(weightings))
    for number in range(len(records)):
        i = records[number]
        least[:] = np.inf
        for begin in range(0, n, MAX_CHUNK):
            size = min(MAX_CHUNK, n - begin)
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
                    least[w], found[number, w] = lowest, begin + at


@compiled
def _rows(a, b, partner, comparisons, sizes, records, candidates):
    rows = np.empty((len(records), len(comparisons)))
    for number in range(len(records)):
        i, largest = records[number], 0.0
        for k in range(len(comparisons)):
            rows[number, k] = (
                compared(a[i, k] - b[k, candidates[number]], comparisons[k]) / sizes[k]
                - compared(a[i, k] - b[k, partner[i]], comparisons[k]) / sizes[k]
            )
            largest = max(largest, abs(rows[number, k]))
        if largest > 0:
            for k in range(len(comparisons)):
                rows[number, k] /= largest
    return rows
