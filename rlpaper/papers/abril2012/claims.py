"""Sentences of abril2012 that are held against the data or against what was computed."""

from collections.abc import Iterator

import numpy as np
import pandas as pd
from scipy import stats

from ... import datasets
from ...compendium import published
from .protocol import LINKED, NONUNIFORM


def without_repetition(order: str, first: int = 7) -> list[str]:
    """Return which of the first variables have no repeated value, by number.

    Section 4.1 says V1, V2, V3 and V5.
    """
    census = datasets.load("census", order=order)
    return [
        number
        for number, name in list(census.attrs["variables"].items())[:first]
        if census[name].is_unique
    ]


# Figures 2 to 5, which are not printed as numbers.


def of_figures(fits: pd.DataFrame) -> pd.DataFrame:
    """Hold what the paper says of its Figures 2 to 5 against the fits, direction by direction.

    Cost is measured in rows looked at by the proof, which does not depend on the machine. Medium
    risk means 100 to 300 of 400 records unlinked.
    """
    rows = [
        (direction, *claim)
        for direction, part in fits.groupby("direction", sort=False)
        for claim in _of_figures(part)
    ]
    return pd.DataFrame(rows, columns=["direction", "claim", "measured", "holds"])


def _of_figures(part: pd.DataFrame) -> Iterator[tuple]:
    """Claim, what was measured, and whether it holds."""
    by_risk = part.groupby(part["unlinked"].between(100, 300))[["improvement", "work"]].mean()
    medium, other = by_risk.loc[True], by_risk.loc[False]
    related = part[["improvement", "work"]].corr("spearman").iloc[0, 1]
    largest = part.groupby(["method", "parameter"])["improvement"].mean().max()
    yield (
        "improvement about 5 points at most, mean of a setting",
        f"{largest:.1f} at most",
        largest <= 5.5,
    )
    yield (
        "improvement is largest at medium risk",
        f"{medium['improvement']:.1f} against {other['improvement']:.1f} points",
        by_risk["improvement"].idxmax(),
    )
    yield (
        "improvement comes where the cost is high",
        f"rank correlation {related:.2f}",
        related > 0.5,
    )
    yield (
        "cost peaks at medium risk",
        f"{medium['work']:.1e} against {other['work']:.1e} rows",
        by_risk["work"].idxmax(),
    )


# The running text on Tables 2 to 9.


def prose(standard: pd.DataFrame, beside: pd.DataFrame) -> pd.DataFrame:
    """Return what the running text says, cell by cell.

    Parameters
    ----------
    standard : DataFrame
        Of `tables.standard_linkage`, of the sentence on the file of Table 5.
    beside : DataFrame
        Of `readings.percentages`, of Tables 2 to 4 and 7.
    """
    rates = beside.pivot(index=["table", "row"], columns="column", values="reproduced")
    gain = rates["dwm2"] - rates["dbrl"]
    even, uneven = (
        gain[gain.index.isin(items, level="table")].max()
        for items in (["table2", "table3", "table4"], ["table7"])
    )
    claims = [
        {
            "cell": "improvement of dWM2 over DBRL in Tables 2-4",
            "value": round(even, 2),
            "holds": bool(even <= 5),
        },
        {
            "cell": "improvement on non-uniformly masked files",
            "value": round(uneven, 1),
            "holds": bool(uneven > 50),
        },
    ]
    return pd.concat([standard, pd.DataFrame(claims)], ignore_index=True)


def of_weights(
    table8: pd.DataFrame, beside: pd.DataFrame, samples: pd.DataFrame, table6: pd.DataFrame
) -> pd.DataFrame:
    """Hold what the paper says of its weights against what was computed.

    Parameters
    ----------
    table8 : DataFrame
        Learned weights of the uneven files.
    beside : DataFrame
        Of `readings.percentages`, of Tables 7 and 9.
    samples : DataFrame
        One row of `key_attributes` per sample.
    table6 : DataFrame
        Percentages of single variables.
    """
    falling, least = weights_fall_with_k(table8), least_protected(table8)
    printed = published.table("abril2012_table5_6_key_attributes").set_index("variable")["weight"]
    singles = table6.groupby("cell")["value"].mean().to_numpy()
    theirs, ours = (
        stats.spearmanr(weights, singles).statistic
        for weights in (printed, samples[printed.index].mean())
    )
    learned = beside[beside["column"] == "dwm2"].set_index(["table", "row"])["reproduced"]
    bounds = learned["table7"] >= learned["table9"]
    rows = [
        (
            "an attribute's weight increases as its k falls",
            f"{falling.sum()} of {len(falling)} attributes",
            falling.all(),
        ),
        (
            "the largest weight is on a least protected variable",
            f"{least.sum()} of {len(least)} files",
            least.all(),
        ),
        (
            "single-variable rates follow the weights",
            f"rank correlation {theirs:.2f} (printed), {ours:.2f} (ours)",
            ours > 0.7,
        ),
        (
            "training results bound test results",
            f"{bounds.sum()} of {len(bounds)} files",
            bounds.all(),
        ),
    ]
    return pd.DataFrame(rows, columns=["claim", "measured", "holds"])


def weights_fall_with_k(table8: pd.DataFrame) -> pd.Series:
    """Return for each attribute whether it weighs the more, the smaller its k.

    The three files Mic553 have the same groups and differ in k alone.
    """
    means, k = table8.groupby("cell")["value"].mean(), _k_by_variable()
    answers = {}
    for v in [f"V{v}" for v in range(1, LINKED + 1)]:
        by_k = [means[f"{file} {v}"] for file in k[v].filter(like="Mic553").sort_values().index]
        answers[v] = by_k[0] > by_k[1] > by_k[2]
    return pd.Series(answers)


def least_protected(table8: pd.DataFrame) -> pd.Series:
    """Return by file whether the largest mean weight is on a variable with the least k."""
    means, k = table8.groupby("cell")["value"].mean(), _k_by_variable()
    answers = {}
    for file, ks in k.iterrows():
        heaviest = means[[f"{file} {v}" for v in ks.index]].to_numpy().argmax()
        answers[file] = bool(ks.iloc[heaviest] == ks.min())
    return pd.Series(answers, name="least protected")


def _k_by_variable():
    """Return the k of each variable that is linked: one row per file."""
    ks = {file: np.repeat(ks, groups)[:LINKED] for file, (groups, ks) in NONUNIFORM.items()}
    return pd.DataFrame.from_dict(
        ks, orient="index", columns=[f"V{v}" for v in range(1, LINKED + 1)]
    )
