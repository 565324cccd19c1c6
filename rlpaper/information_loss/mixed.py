"""Information loss of a file with numbers and categories, by column and in all."""

import numpy as np
import pandas as pd

from .._internal.hints import Label, Transitions
from .._internal.magnitudes import exponents, near_one
from .._internal.validation import aligned
from ..distances import categorical as distance_of_categories
from . import categorical, numeric

#: The largest number of variables in a contingency table.
MAX_TABLE_VARIABLES = 2


def cell_loss(original: pd.DataFrame, masked: pd.DataFrame) -> pd.Series:
    """Compute how far the values of each column were moved, 0 for not at all.

    For numbers this is IL1s. For nominal categories it is the share of values changed; for ordinal
    ones, the mean difference of their ranks as a share of the largest possible difference. The mean
    over the columns is the axis of loss in the risk-utility map.

    Parameters
    ----------
    original, masked : DataFrame
        Columns of numbers or with a pandas categorical dtype; records with the same index label are
        the same individual.

    Returns
    -------
    Series

    Examples
    --------
    >>> original = pd.DataFrame({"age": [20.0, 60.0], "sex": pd.Categorical(["f", "m"])})
    >>> cell_loss(original, original.assign(sex=pd.Categorical(["f", "f"]))).to_dict()
    {'age': 0.0, 'sex': 0.5}
    """
    in_order = aligned(original, masked)
    numbers, categories = _by_type(original)
    loss = numeric.il1s(original[numbers], masked[numbers]).to_dict() if numbers else {}
    for name in categories:
        compared = distance_of_categories()(original[[name]], in_order[[name]])
        apart = compared.original[:, 0] - compared.masked[:, 0]
        a, b = original[name].cat, masked[name].cat
        largest = max(1, len(a.categories) - 1, len(b.categories) - 1)
        loss[name] = float(np.mean(np.abs(apart) / largest if a.ordered else apart != 0))
    return pd.Series([loss[name] for name in original], original.columns)


def _by_type(original: pd.DataFrame) -> tuple[list[Label], list[Label]]:
    """Return the columns of numbers and those of categories."""
    categories = [
        name for name, dtype in original.dtypes.items() if isinstance(dtype, pd.CategoricalDtype)
    ]
    return [name for name in original if name not in categories], categories


def information_loss(original: pd.DataFrame, masked: pd.DataFrame) -> pd.DataFrame:
    """Measure the loss of the whole file: one row per measure, with its value and what it says.

    Columns are of numbers or of categories, as for `cell_loss`.
    """
    rows = [
        (
            "values moved",
            float(cell_loss(original, masked).mean()),
            "mean over the columns: numbers by their spread (IL1s), categories changed; "
            "0 is nothing",
        )
    ]
    numbers, categories = _by_type(original)
    if numbers:
        rows += _moments_loss(
            numeric.floats(original[numbers], "original"), numeric.floats(masked[numbers], "masked")
        )
    if len(numbers) > 1:
        rows.append(
            (
                "correlations",
                numeric.correlation_loss(original[numbers], masked[numbers]),
                "mean change of a correlation",
            )
        )
    if categories:
        rows += _categorical_loss(original[categories], masked[categories])
    table = pd.DataFrame(rows, columns=["measure", "value", "what it says"])
    table["value"] = table["value"].where(table["value"].abs() > 1e-12, 0.0)  # rounded away from 0
    return table


def _moments_loss(original: pd.DataFrame, masked: pd.DataFrame) -> list[tuple]:
    powers = exponents(np.vstack([original, masked]))
    x, y = near_one(original, powers), near_one(masked, powers)
    spread, own = numeric.spreads(original)
    means = near_one((x.mean() - y.mean()).abs() / spread, own - powers)
    variance = near_one(original, own).var(ddof=0).where(spread > 0)
    variances = near_one(y.var(ddof=0) / variance, 2 * (own - powers))
    return [
        ("means", float(means.mean()), "mean change of a mean, in standard deviations"),
        (
            "variances",
            float((variances - 1).abs().mean()),
            "mean relative change of a variance",
        ),
    ]


def _categorical_loss(original: pd.DataFrame, masked: pd.DataFrame) -> list[tuple]:
    known = _transitions(original, masked)
    n = len(original)
    singles, pairs = len(original.columns), len(original.columns) * (len(original.columns) - 1) // 2
    wrong = categorical.ctbil(original, masked, MAX_TABLE_VARIABLES) / (2 * n * (singles + pairs))
    return [
        (
            "contingency tables",
            wrong,
            "share of records in a wrong cell, mean over tables of one and two variables (CTBIL)",
        ),
        # With the frequencies of this file and the transitions that really happened, EBIL and IL
        # are the same number.
        (
            "entropy",
            categorical.ebil(masked, known, original) / n,
            "bits per record that the masked categories leave open (EBIL)",
        ),
    ]


def _transitions(original: pd.DataFrame, masked: pd.DataFrame) -> Transitions:
    """Count what became of each category, as shares, from the two files."""
    return {
        name: pd.crosstab(
            original[name].astype(object), masked[name].astype(object), normalize="index"
        )
        for name in original
    }
