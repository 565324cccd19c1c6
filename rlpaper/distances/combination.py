"""Several distances as one."""

from itertools import pairwise

import numpy as np
import pandas as pd

from .._internal.hints import Distance
from .._internal.rounding import to_decimals
from .prepared_files import PreparedFiles, prepared_by

MAX_DISTANCES = 1 << 22  # held at once
NO_SPREAD = 1e-12  # what rounding may leave of none, as a share of the largest distance


def combined(*distances: Distance) -> Distance:
    """Make the sum of distances, each divided by its standard deviation over all pairs of records.

    The closing remark of domingo2002 is that distance-based and probabilistic linkage find
    different records and do best together. Both are distances here
    (`rlpaper.linkage.FellegiSunter.distance` is the second), so an attacker can add them; dividing
    by the spread lets neither drown the other. A distance that is the same for all pairs adds
    nothing.

    Examples
    --------
    >>> from rlpaper.distances import dbrl1, manhattan
    >>> file = pd.DataFrame({"age": [20.0, 40.0, 60.0]})
    >>> compared = combined(dbrl1(), manhattan())(file, file)
    >>> compared.distances(compared.original, compared.masked)[0].round(2)
    array([0.  , 2.71, 5.43])
    """
    if not distances:
        raise ValueError("no distance is given; combined(dbrl1(), gower()) adds two of them")

    def prepare(original: pd.DataFrame, masked: pd.DataFrame) -> PreparedFiles:
        parts = [prepared_by(distance, original, masked) for distance in distances]
        ends = np.cumsum([0, *(part.original.shape[1] for part in parts)])
        spreads = [_spread(part) for part in parts]

        def summed(a: np.ndarray, b: np.ndarray) -> np.ndarray:
            total = np.zeros((len(a), len(b)))
            for part, spread, (begin, end) in zip(parts, spreads, pairwise(ends), strict=True):
                if spread > 0:
                    table = part.distances(a[:, begin:end], b[:, begin:end])
                    total += part.unsquared(table) / spread
            return to_decimals(total)

        return PreparedFiles(
            np.hstack([part.original for part in parts]),
            np.hstack([part.masked for part in parts]),
            summed,
            squared=False,
        )

    return prepare


def _spread(part: PreparedFiles) -> float:
    """Return the standard deviation of a distance over all pairs."""
    count, mean, squares, largest = 0, 0.0, 0.0, 0.0
    size = max(1, MAX_DISTANCES // len(part.masked))
    for begin in range(0, len(part.original), size):
        table = part.unsquared(part.distances(part.original[begin : begin + size], part.masked))
        if not np.isfinite(table).all():
            raise ValueError(
                "a distance is infinite for some pairs and has no spread; combine finite "
                "distances, and let rlpaper.linkage.FellegiSunter have a probability_floor"
            )
        # Portions are joined by their means and sums of squares (Chan, Golub and LeVeque 1983).
        apart, together = table.mean() - mean, count + table.size
        squares += table.var() * table.size + apart**2 * count * table.size / together
        mean += apart * table.size / together
        count, largest = together, max(largest, float(np.abs(table).max()))
    spread = float(np.sqrt(squares / count))
    return spread if spread > NO_SPREAD * largest else 0.0
