"""The tables of abril2011, cell by cell."""

import pandas as pd

from ...compendium.readings import against_print
from .protocol import RECORDS, TABLE2


def table2(standard: pd.DataFrame, learned: pd.DataFrame) -> pd.DataFrame:
    """Return Table 2: share of correct links by file and distance.

    Parameters
    ----------
    standard, learned : DataFrame
        Of `runs`: many executions of the distances that cost little, fewer of those that cost much,
        on the first of the same samples. Where both have a distance, the first counts.
    """
    learned = learned[~learned["operator"].isin(standard["operator"])]
    both = pd.concat([standard, learned], ignore_index=True)
    both = both[both["operator"].isin(TABLE2)]
    return pd.DataFrame(
        {
            "cell": both["file"] + " " + both["operator"],
            "execution": both["execution"],
            "value": both["linked"] / RECORDS,
        }
    )


def operators(table2: pd.DataFrame) -> pd.DataFrame:
    """Put Table 2 beside print: one row per file and distance."""
    beside = against_print("abril2011", {"table2": table2}, ["file", "operator"])
    return beside[["file", "operator", "published", "reproduced", "se"]]


def table1(learned: pd.DataFrame) -> pd.DataFrame:
    """Return the mean size of each program and its cost: one row per file and distance."""
    sizes = ["variables", "constraints in the paper", "constraints", "rows that matter", "work"]
    means = learned.groupby(["file", "operator"], sort=False)[sizes].mean()
    return means.round().astype(int).reset_index()


def by_operator(runs: pd.DataFrame, column: str) -> pd.DataFrame:
    """Return the means of a column: one row per file, one column per distance."""
    return runs.groupby(["file", "operator"], sort=False)[column].mean().unstack().reset_index()


def nesting(learned: pd.DataFrame) -> pd.DataFrame:
    """Put what each learned distance links, and its bound, side by side: one row per run."""
    linked, bound = (
        learned.pivot(index=["file", "execution"], columns="operator", values=column)
        for column in ("linked", "bound")
    )
    return linked.join(bound.add_suffix(" bound")).reset_index()
