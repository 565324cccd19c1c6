"""Masking of numeric variables one by one: rank swapping and additive noise."""

import math

import numpy as np

from .._internal.jit import compiled
from .base import check_numeric, masked_frame, with_dtype


def rank_swap(df, p, random_state=None, partners="above"):
    """Swap each value with one whose rank differs by at most p percent of the number of records.

    For each variable on its own: values are ranked (ties in the order of the file); from the lowest rank up,
    each value not yet swapped is exchanged with one drawn uniformly from the values not yet swapped among the
    next ``floor(p N / 100)`` ranks, and stays where none is left. Each variable keeps its distribution
    exactly. Method: abril2012, section 4.2; the drawing rule is not printed there.

    Parameters
    ----------
    df : DataFrame
        Numeric columns without missing values.
    p : float
        Largest difference of ranks, in percent of the records, 0 to 100.
    random_state : int or numpy Generator, optional
        Same seed, same result.
    partners : {"above", "around"}
        ``"around"`` is the other plausible reading: values take their turn in random order, and the partner
        may lie on either side.

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

    The free ranks of the window are at hand where turns go upwards: the window gains one rank and loses one.
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


def add_noise(df, p, random_state=None):
    """Add to each value Gaussian noise with p percent of its variable's standard deviation.

    ``x' = x + e``, ``e ~ N(0, (p / 100) sigma)`` for each variable and record independently (abril2012,
    section 4.2, where the percent sign is missing).

    Parameters
    ----------
    df : DataFrame
        Numeric columns without missing values.
    p : float, list or dict
        Percent of the standard deviation, 0 or more: one for all variables, one a variable in order, or one
        a variable by name.
    random_state : int or numpy Generator, optional
        Same seed, same result.

    Returns
    -------
    DataFrame
        Same index and columns; whole numbers become real ones.

    Examples
    --------
    >>> file = pd.DataFrame({"income": [10.0, 20.0, 30.0], "age": [31.0, 45.0, 62.0]})
    >>> add_noise(file, {"income": 10, "age": 0}, random_state=1).round(2)
       income   age
    0   10.35  31.0
    1   20.82  45.0
    2   30.33  62.0
    """
    check_numeric(df)
    percents = _by_column(df, p)
    rng = np.random.default_rng(random_state)
    columns = {}
    for column, percent in percents.items():
        values = df[column].to_numpy(float)
        noise = rng.normal(
            size=len(df)
        )  # drawn for every column: one column's p leaves the others as they were
        columns[column] = with_dtype(
            values + percent / 100 * _deviation(values) * noise, df[column].dtype
        )
    return masked_frame(df, columns, {"method": "add_noise", "p": percents})


def _deviation(values):
    return values.std(ddof=1) if len(values) > 1 else 0.0


def _by_column(df, p):
    if isinstance(p, dict):
        if set(p) != set(df.columns):
            raise ValueError(
                f"p names {sorted(map(str, p))}, the file has {sorted(map(str, df.columns))}; "
                "give one value for each column"
            )
        percents = {column: p[column] for column in df}
    elif np.ndim(p):
        if len(p) != df.shape[1]:
            raise ValueError(
                f"p has {len(p)} values for {df.shape[1]} columns; give one for each, or a single one"
            )
        percents = dict(zip(df, p))
    else:
        percents = dict.fromkeys(df, p)
    for column, percent in percents.items():
        if not 0 <= percent < math.inf:
            raise ValueError(
                f"p is {percent} for column {column!r}; it is a percentage of the standard deviation, "
                "0 or more"
            )
    return {column: float(percent) for column, percent in percents.items()}
