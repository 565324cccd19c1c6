"""Several distances as one."""

import numpy as np

from .prepared import PreparedFiles

BLOCK = 1 << 22  # distances held at once
ROUNDED = 1e-12  # what rounding may leave of no spread, as a share of the largest distance


def combined(*distances):
    """Sum of distances, each divided by its standard deviation over all pairs of records.

    The closing remark of domingo2002 is that distance-based and probabilistic linkage find
    different records and do best together. Both are distances here
    (`rlpaper.linkage.FellegiSunter.distance` is the second), so an attacker can add them; dividing
    by the spread lets neither drown the other. A distance that is the same for all pairs adds
    nothing.

    Examples
    --------
    >>> import pandas as pd
    >>> from rlpaper.distances import dbrl1, manhattan
    >>> file = pd.DataFrame({"age": [20.0, 40.0, 60.0]})
    >>> compared = combined(dbrl1(), manhattan())(file, file)
    >>> compared.matrix(compared.original, compared.masked)[0].round(2)
    array([0.  , 2.71, 5.43])
    """

    def prepare(original, masked):
        parts = [distance(original, masked) for distance in distances]
        ends = np.cumsum([0, *(part.original.shape[1] for part in parts)])
        spreads = [_spread(part) for part in parts]

        def matrix(a, b):
            total = np.zeros((len(a), len(b)))
            for part, spread, begin, end in zip(parts, spreads, ends, ends[1:]):
                if spread > 0:
                    total += _plain(part, a[:, begin:end], b[:, begin:end]) / spread
            # Sums of different terms that are equal differ in their last digits.
            return np.round(total, 9)

        files = (
            np.hstack([getattr(part, name) for part in parts]) for name in ("original", "masked")
        )
        return PreparedFiles(*files, matrix, squared=False)

    return prepare


def _plain(part, a, b):
    table = part.matrix(a, b)
    return np.sqrt(table) if part.squared else table


def _spread(part):
    """Standard deviation of a distance over all pairs."""
    count, mean, squares, largest = 0, 0.0, 0.0, 0.0
    size = max(1, BLOCK // len(part.masked))
    for begin in range(0, len(part.original), size):
        table = _plain(part, part.original[begin : begin + size], part.masked)
        if not np.isfinite(table).all():
            raise ValueError(
                "a distance is infinite for some pairs and has no spread; combine finite distances, and let "
                "rlpaper.linkage.FellegiSunter guard its probabilities"
            )
        # Portions are joined by their means and sums of squares (Chan, Golub and LeVeque 1983).
        apart, together = table.mean() - mean, count + table.size
        squares += table.var() * table.size + apart**2 * count * table.size / together
        mean += apart * table.size / together
        count, largest = together, max(largest, float(np.abs(table).max()))
    spread = float(np.sqrt(squares / count))
    return spread if spread > ROUNDED * largest else 0.0
