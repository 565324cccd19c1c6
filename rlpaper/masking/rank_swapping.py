"""Rank swapping: each value is exchanged with one of nearly the same rank."""

import math
from dataclasses import dataclass

import numpy as np
import pandas as pd

from .._internal.hints import Label, RandomState
from .._internal.jit import compiled
from .._internal.validation import check_number, check_option
from .base import Method, NumericMasking


@dataclass(frozen=True)
class RankSwap(NumericMasking):
    """Swap each value with one whose rank differs by at most p percent of the number of records.

    For each variable on its own: values are ranked (ties in the order of the file); from the lowest
    rank up, each value not yet swapped is exchanged with one drawn uniformly from the values not
    yet swapped among the next ``floor(p N / 100)`` ranks, and stays where none is left. Each
    variable keeps its distribution exactly, and columns keep their dtypes. Method: abril2012,
    section 4.2; the drawing rule is not printed there.

    Parameters
    ----------
    p : float
        Largest difference of ranks, in percent of the records, 0 to 100.
    partners : {"above", "around"}
        ``"around"`` is the other plausible reading: values take their turn in random order, and the
        partner may lie on either side.

    Examples
    --------
    >>> file = pd.DataFrame({"income": [10, 20, 30, 40]})
    >>> RankSwap(p=25).mask(file, random_state=1)["income"].tolist()
    [20, 10, 40, 30]
    """

    p: float
    partners: str = "above"

    def __post_init__(self) -> None:
        """Refuse what is no percentage, and unknown options."""
        check_number("p", self.p, "a percentage of the records, between 0 and 100", 0, 100)
        check_option("partners", self.partners, ("above", "around"))

    def _masked_columns(self, df: pd.DataFrame, rng: np.random.Generator) -> dict[Label, object]:
        # 29 percent of 100 is 29, in floats too.
        window = math.floor(self.p * len(df) / 100 + 1e-9)
        columns = {}
        for column in df:
            around = self.partners == "around"
            turns = rng.permutation(len(df)) if around else np.arange(len(df))
            partner = _partners(turns, window, around, rng.random(len(df)))
            ranked = np.argsort(df[column].to_numpy(), kind="stable")
            source = np.empty_like(ranked)
            source[ranked] = ranked[partner]
            columns[column] = df[column].array.take(source)
        return columns


METHOD = Method(
    "rank swapping p", lambda p, df: RankSwap(p), (2, 5, 10, 25), pram=(0.1, 0.3, 0.6, 1.0)
)


def rank_swap(
    df: pd.DataFrame, p: float, random_state: RandomState = None, partners: str = "above"
) -> pd.DataFrame:
    """Swap each value with one whose rank differs by at most p percent; see `RankSwap`."""
    return RankSwap(p, partners).mask(df, random_state)


@compiled
def _partners(turns: np.ndarray, window: int, around: bool, draws: np.ndarray) -> np.ndarray:
    """Return the rank that each rank is swapped with; `draws` in [0, 1) choose a free one.

    Where turns go upwards, the pool of free ranks is kept: the window gains one rank and loses
    one.
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
def _take(pool: np.ndarray, where: np.ndarray, size: int, rank: int) -> int:
    """Remove a rank from the pool and return its new size."""
    last = pool[size - 1]
    pool[where[rank]], where[last] = last, where[rank]
    return size - 1
