"""Information loss of numbers: how far values were moved, and how much correlations changed."""

import numpy as np
import pandas as pd

from .._internal.magnitudes import exponents, near_one
from .._internal.validation import aligned, numeric_array, refuse_values


def il1s(original: pd.DataFrame, masked: pd.DataFrame) -> pd.Series:
    """Compute IL1s: how far numbers were moved, as a share of their spread, by column.

    ``mean over records of |x - x'| / (sqrt(2) s)``, with s the standard deviation of the original
    column. The mean of all columns is the measure of Yancey, Winkler and Creecy (2002), Disclosure
    risk assessment in perturbative microdata protection. A constant column loses nothing if it was
    not changed, and everything (1) if it was.

    Parameters
    ----------
    original, masked : DataFrame
        Numeric columns; records with the same index label are the same individual.

    Returns
    -------
    Series

    Examples
    --------
    >>> original = pd.DataFrame({"age": [20.0, 40.0, 60.0]})
    >>> il1s(original, original.assign(age=[30.0, 40.0, 50.0])).round(4).to_dict()
    {'age': 0.2887}
    """
    original, masked = numbers(original, masked)
    powers = exponents(np.vstack([original, masked]))
    moved = (near_one(original, powers) - near_one(masked, powers)).abs().mean()
    spread, own = spreads(original)
    share = near_one(moved.div(np.sqrt(2) * spread), own - powers)
    return share.fillna((moved > 0).astype(float))


def correlation_loss(original: pd.DataFrame, masked: pd.DataFrame) -> float:
    """Compute the mean absolute change of the correlations over all pairs of numeric columns.

    The correlations of a constant column count as 0.

    Examples
    --------
    >>> file = pd.DataFrame({"a": [1.0, 2.0, 3.0], "b": [1.0, 2.0, 4.0]})
    >>> correlation_loss(file, file[["a"]].assign(b=[4.0, 2.0, 1.0])) > 1.9
    True
    """
    files = numbers(original, masked)
    upper = np.triu_indices(original.shape[1], 1)
    before, after = (_correlations(file)[upper] for file in files)
    return float(np.abs(before - after).mean()) if len(before) else 0.0


def numbers(original: pd.DataFrame, masked: pd.DataFrame) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Return both files as finite floats, the masked one in the order of the original records."""
    masked = aligned(original, masked)
    return floats(original, "original"), floats(masked, "masked")


def floats(df: pd.DataFrame, file: str) -> pd.DataFrame:
    """Return a file of numbers as floats; refuse others."""
    values = numeric_array(
        df,
        "leave it out, or make it a category (.astype('category')) and measure that (dist, ctbil, "
        "cell_loss)",
        file,
    )
    refuse_values(df, ~np.isfinite(values), "infinite", "replace it or drop the record first", file)
    if (df.dtypes == "float64").all():
        return df  # as it lies in memory: with its order sums would change in the last digit
    return pd.DataFrame(values, df.index, df.columns)


def spreads(original: pd.DataFrame) -> tuple[pd.Series, np.ndarray]:
    """Return the standard deviations by column, none where it is constant, and their units.

    These are powers of two by which the deviations are to be multiplied.
    """
    powers = exponents(original.to_numpy())
    spread = near_one(original, powers).std(ddof=0)
    return spread.where(original.max() > original.min()), powers


def _correlations(file: pd.DataFrame) -> np.ndarray:
    """Return the table of correlations; those of a constant column are 0."""
    values = file.to_numpy()
    powers = np.frexp(np.abs(values).max(axis=0))[1]
    return np.nan_to_num(pd.DataFrame(near_one(values, powers)).corr().to_numpy())
