"""The risk of each person."""

from typing import TYPE_CHECKING

import pandas as pd

from .attacks import Findings

if TYPE_CHECKING:
    from .assessment import Assessment


def records(findings: Findings) -> pd.DataFrame:
    """Gather what the attacks say of each person that the worst of them looked for.

    Returns
    -------
    DataFrame
        One row per person, by its row in the original file: `risk`, the probability that the worst
        attack finds it; `ties`, how many candidates were as near; `found by`, how many attacks find
        it without a tie.
    """
    links, worst = findings.links, findings.worst
    by_worst = links[
        (links["attack"] == worst["attack"]) & (links["direction"] == worst["direction"])
    ].set_index("row")
    often = (links["found"] == 1).groupby(links["row"]).sum()
    columns = {"risk": by_worst["found"], "ties": by_worst["ties"], "found by": often}
    return pd.DataFrame(columns, by_worst.index)


def records_table(assessment: "Assessment", frame: pd.DataFrame, values: bool) -> pd.DataFrame:
    """Return the persons most at risk first; with `values`, with their labels and values."""
    table = frame.sort_values(["risk", "found by"], ascending=False, kind="stable")
    if values:
        pair = assessment.pair
        labels = pd.Series(pair.labels, pair.original.index, name="label")
        table = table.join(labels).join(_renamed(pair.values, {"row", "label", *table}))
    return table.reset_index()


def _renamed(frame: pd.DataFrame, taken: set) -> pd.DataFrame:
    """Rename the columns that have a name which is taken."""
    names = []
    for name in frame:
        while name in taken or name in names:
            name = f"{name} (original)"
        names.append(name)
    return frame.set_axis(names, axis=1)
