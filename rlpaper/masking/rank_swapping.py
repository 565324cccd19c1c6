"""Rank swapping: each value is exchanged with one of nearly the same rank."""

import math

import numpy as np
import pandas as pd  # noqa: F401  for the example

from .._internal.jit import compiled
from .base import check_numeric, masked_frame


def rank_swap(df, p, random_state=None, partners="above"):
    """Swap each value with one whose rank differs by at most p percent of the number of records.

    For each variable on its own: values are ranked (ties in the order of the file); from the lowest
    rank up, each value not yet swapped is exchanged with one drawn uniformly from the values not
    yet swapped among the next ``floor(p N / 100)`` ranks, and stays where none is left. Each
    variable keeps its distribution exactly. Method: abril2012, section 4.2; the drawing rule is not
    printed there.

    Parameters
    ----------
    df : DataFrame
        Numeric columns without missing values.
    p : float
        Largest difference of ranks, in percent of the records, 0 to 100.
    random_state : int or numpy Generator, optional
        Same seed, same result.
    partners : {"above", "around"}
        ``"around"`` is the other plausible reading: values take their turn in random order, and the
        partner may lie on either side.

    Returns
    -------
    DataFrame
        Same index, columns and dtypes.

    Examples
    --------
    >>> file = pd.DataFrame({"income": [10, 20, 30, 40]})
    >>> rank_swap(file, p=25, random_state=1)["income"].tolist()
    [20, 10, 40, 30]
    """
    check_numeric(df)
    if not 0 <= p <= 100:
        raise ValueError(f"p is {p}; it is a percentage of the records, between 0 and 100")
    if partners not in ("above", "around"):
        raise ValueError(f"partners is {partners!r}; it is 'above' or 'around'")
    rng = np.random.default_rng(random_state)
    window = math.floor(p * len(df) / 100 + 1e-9)  # 29 percent of 100 is 29, in floats too
    columns = {}
    for column in df:
        turns = np.arange(len(df)) if partners == "above" else rng.permutation(len(df))
        partner = _partners(turns, window, partners == "around", rng.random(len(df)))
        ranked = np.argsort(df[column].to_numpy(), kind="stable")
        place = np.empty_like(ranked)
        place[ranked] = ranked[partner]
        columns[column] = df[column].array.take(place)
    return masked_frame(df, columns, {"method": "rank_swap", "p": p, "partners": partners})


@compiled
def _partners(turns, window, around, draws):
    """The rank that each rank is swapped with; `draws` in [0, 1) choose among the free ones.

    The free ranks of the window are at hand where turns go upwards: the window gains one rank and
    loses one.
    """
    n = len(turns)
    partner = np.arange(n)
    free = np.ones(n, np.bool_)
    pool, where = np.empty(2 * window + 2, np.int64), np.empty(n, np.int64)
    size = 0
    entered = 0
    for turn, rank in enumerate(turns):
        if around:
            size = 0
            for other in range(max(0, rank - window), min(n, rank + window + 1)):
                if free[other]:
                    pool[size], where[other] = other, size
                    size += 1
        else:
            while entered < min(n, rank + window + 1):
                pool[size], where[entered] = entered, size
                size += 1
                entered += 1
        if not free[rank]:
            continue
        size = _take(pool, where, size, rank)
        if size:
            other = pool[int(draws[turn] * size)]
            size = _take(pool, where, size, other)
            partner[rank], partner[other] = other, rank
            free[rank] = free[other] = False
    return partner


@compiled
def _take(pool, where, size, rank):
    """Remove a rank from the pool; its new size."""
    last = pool[size - 1]
    pool[where[rank]], where[last] = last, where[rank]
    return size - 1
