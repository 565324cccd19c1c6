"""Information loss of a file with numbers and categories, by column and in all."""

import numpy as np
import pandas as pd

from .._internal.hints import Transitions
from . import categorical, numeric

#: The largest number of variables in a contingency table.
MAX_TABLE_VARIABLES = 2


def cell_loss(original: pd.DataFrame, masked: pd.DataFrame) -> pd.Series:
    """Compute how far the values of each column were moved, 0 for not at all.

    For numbers this is IL1s. For nominal categories it is the share of values changed; for ordinal
    ones, the mean difference of their ranks as a share of the largest possible difference. The mean
    over the columns is the axis of loss in the risk-utility map.
    """
    numbers = list(original.select_dtypes(float))
    loss = numeric.il1s(original[numbers], masked[numbers]).to_dict() if numbers else {}
    for name in original.columns.difference(numbers, sort=False):
        a, b = original[name].cat, masked[name].cat
        apart = a.codes.to_numpy().astype(float) - b.codes.to_numpy()
        loss[name] = float(
            np.mean(np.abs(apart) / max(1, len(a.categories) - 1) if a.ordered else apart != 0)
        )
    return pd.Series(loss).reindex(original.columns)


def information_loss(original: pd.DataFrame, masked: pd.DataFrame) -> pd.DataFrame:
    """Measure the loss of the whole file: one row per measure, with its value and what it says.

    Columns of floats are numbers, all others categories with the same dtype in both files.
    """
    rows = [
        (
            "values moved",
            float(cell_loss(original, masked).mean()),
            "mean over the columns: numbers by their spread (IL1s), categories changed; "
            "0 is nothing",
        )
    ]
    numbers = list(original.select_dtypes(float))
    if numbers:
        x, y = original[numbers], masked[numbers]
        spread = x.std(ddof=0).replace(0, np.nan)
        rows += [
            (
                "means",
                float(((x.mean() - y.mean()).abs() / spread).mean()),
                "mean change of a mean, in standard deviations",
            ),
            (
                "variances",
                float((y.var(ddof=0) / x.var(ddof=0).replace(0, np.nan) - 1).abs().mean()),
                "mean relative change of a variance",
            ),
        ]
    if len(numbers) > 1:
        rows.append(
            (
                "correlations",
                numeric.correlation_loss(original[numbers], masked[numbers]),
                "mean change of a correlation",
            )
        )
    categories = [name for name in original if name not in numbers]
    if categories:
        rows += _categorical_loss(original[categories], masked[categories])
    table = pd.DataFrame(rows, columns=["measure", "value", "what it says"])
    table["value"] = table["value"].where(table["value"].abs() > 1e-12, 0.0)  # rounded away from 0
    return table


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
