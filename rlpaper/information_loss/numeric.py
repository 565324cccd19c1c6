"""Information loss of numbers: how far values were moved, and how much correlations changed."""

import numpy as np
import pandas as pd

from .._internal.validation import aligned


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
    masked = aligned(original, masked)
    moved = (original - masked).abs().mean()
    spread = np.sqrt(2) * original.std(ddof=0)
    return moved.div(spread.where(spread > 0)).fillna((moved > 0).astype(float))


def correlation_loss(original: pd.DataFrame, masked: pd.DataFrame) -> float:
    """Compute the mean absolute change of the correlations over all pairs of numeric columns.

    The correlations of a constant column count as 0.

    Examples
    --------
    >>> file = pd.DataFrame({"a": [1.0, 2.0, 3.0], "b": [1.0, 2.0, 4.0]})
    >>> correlation_loss(file, file[["a"]].assign(b=[4.0, 2.0, 1.0])) > 1.9
    True
    """
    masked = aligned(original, masked)
    upper = np.triu_indices(original.shape[1], 1)
    before, after = (np.nan_to_num(file.corr().to_numpy())[upper] for file in (original, masked))
    return float(np.abs(before - after).mean()) if len(before) else 0.0
