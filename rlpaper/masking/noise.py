"""Additive noise: each value plus a random number in proportion to its variable's spread."""

import math

import numpy as np
import pandas as pd  # noqa: F401  for the example

from .base import check_numeric, masked_frame, with_dtype


def add_noise(df, p, random_state=None):
    """Add to each value Gaussian noise with p percent of its variable's standard deviation.

    ``x' = x + e``, ``e ~ N(0, (p / 100) sigma)`` for each variable and record independently
    (abril2012, section 4.2, where the percent sign is missing).

    Parameters
    ----------
    df : DataFrame
        Numeric columns without missing values.
    p : float, list or dict
        Percent of the standard deviation, 0 or more: one for all variables, one a variable in
        order, or one a variable by name.
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
