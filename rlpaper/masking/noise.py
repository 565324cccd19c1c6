"""Additive noise: each value plus a random number in proportion to its variable's spread."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from pandas.api.types import is_list_like

from .._internal.hints import Label, PerColumn, RandomState
from .._internal.magnitudes import exponents, near_one
from .._internal.validation import check_list, check_number, refuse_values
from .base import Method, NumericMasking, with_dtype


@dataclass(frozen=True)
class Noise(NumericMasking):
    """Add to each value Gaussian noise with p percent of its variable's standard deviation.

    ``x' = x + e``, ``e ~ N(0, (p / 100) sigma)`` for each variable and record independently
    (abril2012, section 4.2, where the percent sign is missing). Whole numbers become real ones.

    Parameters
    ----------
    p : float, list or dict
        Percent of the standard deviation, 0 or more: one for all variables, one per variable in
        their order, or one per variable by name.

    Examples
    --------
    >>> file = pd.DataFrame({"income": [10.0, 20.0, 30.0], "age": [31.0, 45.0, 62.0]})
    >>> Noise({"income": 10, "age": 0}).mask(file, random_state=1).round(2)
       income   age
    0   10.35  31.0
    1   20.82  45.0
    2   30.33  62.0
    """

    p: PerColumn

    def _masked_columns(self, df: pd.DataFrame, rng: np.random.Generator) -> dict[Label, object]:
        columns = {}
        for column, percent in self._percents(df).items():
            values = df[column].to_numpy(float)
            powers = exponents(values)
            values = near_one(values, powers)
            # Drawn for every column, so that the p of one does not change the others.
            noise = rng.normal(size=len(df))
            deviation = values.std(ddof=1) if len(values) > 1 else 0.0
            with np.errstate(over="ignore"):
                noisy = near_one(values + percent / 100 * deviation * noise, -powers)
            refuse_values(
                df[[column]],
                ~np.isfinite(noisy)[:, None],
                "too large to be held when noise is added",
                "divide the column, or take a smaller p",
            )
            columns[column] = with_dtype(noisy, df[column].dtype)
        return columns

    def _percents(self, df: pd.DataFrame) -> dict[Label, float]:
        """Return p by column."""
        p: Any = self.p
        if isinstance(p, dict):
            if set(p) != set(df.columns):
                raise ValueError(
                    f"p names {sorted(map(str, p))}, the file has "
                    f"{sorted(map(str, df.columns))}; give one value for each column"
                )
            percents = {column: p[column] for column in df}
        elif is_list_like(p):
            values = check_list("p", p)
            if len(values) != df.shape[1]:
                raise ValueError(
                    f"p has {len(values)} values for {df.shape[1]} columns; give one for each, or "
                    "a single one"
                )
            percents = dict(zip(df, values, strict=True))
        else:
            percents = dict.fromkeys(df, p)
        for column, percent in percents.items():
            check_number(
                f"p of column {column!r}",
                percent,
                "a percentage of the standard deviation, 0 or more",
                0,
            )
        return {column: float(percent) for column, percent in percents.items()}


METHOD = Method("noise p", lambda p, df: Noise(p), (5, 10, 25, 50), pram=(0.1, 0.3, 0.6, 1.0))


def add_noise(df: pd.DataFrame, p: PerColumn, random_state: RandomState = None) -> pd.DataFrame:
    """Add Gaussian noise with p percent of each variable's standard deviation; see `Noise`."""
    return Noise(p).mask(df, random_state)
