"""Information loss of a file with numbers and categories, by column and in all."""

import numpy as np
import pandas as pd

from . import categorical, numeric

ORDER = 2  # variables in a contingency table


def cell_loss(original, masked):
    """How far the values of each column were moved, 0 for not at all: IL1s for numbers; for categories the share changed, an ordinal
    one by the difference of ranks over the largest possible.

    The mean over the columns is the utility axis of the risk-utility map.
    """
    numbers = [name for name, dtype in original.dtypes.items() if dtype == float]
    loss = numeric.il1s(original[numbers], masked[numbers]).to_dict() if numbers else {}
    for name in original.columns.difference(numbers, sort=False):
        a, b = original[name].cat, masked[name].cat
        apart = a.codes.to_numpy().astype(float) - b.codes.to_numpy()
        loss[name] = float(
            np.mean(np.abs(apart) / max(1, len(a.categories) - 1) if a.ordered else apart != 0)
        )
    return pd.Series(loss).reindex(original.columns)


def information_loss(pair):
    """Measures of the whole file, a row each: `measure`, `value` and what it says."""
    original, masked = pair.original, pair.masked
    rows = [
        (
            "values moved",
            float(cell_loss(original, masked).mean()),
            "mean over the columns: numbers by their spread (IL1s), categories changed; 0 is nothing",
        )
    ]
    numbers = pair.numbers
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
    return table.assign(
        value=table["value"].where(table["value"].abs() > 1e-12, 0.0)
    )  # what rounding leaves of 0 is 0


def _categorical_loss(original, masked):
    known = _transitions(original, masked)
    n = len(original)
    singles, pairs = len(original.columns), len(original.columns) * (len(original.columns) - 1) // 2
    wrong = categorical.ctbil(original, masked, ORDER) / (2 * n * (singles + pairs))
    return [
        (
            "contingency tables",
            wrong,
            "share of records in a wrong cell, mean over tables of one and two variables (CTBIL)",
        ),
        # With the frequencies of this file and what really became of them, EBIL and IL are the same
        # number.
        (
            "entropy",
            categorical.ebil(masked, known, original) / n,
            "bits a record that the masked categories leave open (EBIL)",
        ),
    ]


def _transitions(original, masked):
    """What became of each category, as the two files show it."""
    return {
        name: pd.crosstab(
            original[name].astype(object), masked[name].astype(object), normalize="index"
        )
        for name in original
    }
