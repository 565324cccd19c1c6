"""Masking of numeric variables."""

import math

import numpy as np
import pandas as pd


def rank_swap(df, p, random_state=None):
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
    _check_numeric(df)
    if not 0 <= p <= 100:
        raise ValueError(f"p is {p}; it is a percentage of the records, between 0 and 100")
    rng = np.random.default_rng(random_state)
    window = math.floor(p * len(df) / 100 + 1e-9)  # 29 percent of 100 is 29, in floats too
    return pd.DataFrame({column: _swap(df[column].to_numpy(), window, rng) for column in df}, index=df.index)


def _swap(values, window, rng):
    ranked = np.argsort(values, kind="stable")
    partner = np.arange(len(values))
    free = np.ones(len(values), bool)
    for rank in range(len(values)):
        if not free[rank]:
            continue
        candidates = rank + 1 + np.flatnonzero(free[rank + 1:rank + 1 + window])
        if len(candidates):
            other = rng.choice(candidates)
            partner[rank], partner[other] = other, rank
            free[other] = False
    masked = values.copy()
    masked[ranked] = values[ranked[partner]]
    return masked


def _check_numeric(df):
    if df.empty:
        raise ValueError("the file is empty: masking needs at least one record and one column")
    for column in df:
        if not pd.api.types.is_numeric_dtype(df[column]):
            raise ValueError(f"column {column!r} is not numeric; leave it out or mask it with a categorical method")
        missing = df[column].isna()
        if missing.any():
            raise ValueError(f"column {column!r} is missing in record {missing.idxmax()!r}; fill or drop it first")
