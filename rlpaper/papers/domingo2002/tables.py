"""Tables 2 to 5 and the averages of domingo2002: cells as printed, and beside print."""

import numpy as np
import pandas as pd

from ..._internal.arithmetic import correlation
from ...compendium import published
from .protocol import GROUPS, MEASURES, PRINTED, files, variables


def table2(dataset):
    """How many categories each variable has among the 1000 records, and its groups."""
    file, _ = files(dataset)
    groups = variables(dataset, file)
    rows = [
        {
            "variable": name,
            "categories": file[name].nunique(),
            "in the whole file": len(file[name].cat.categories),
            "ordinal": file[name].cat.ordered,
            "groups": " ".join(group for group in GROUPS if name in groups[group]),
        }
        for name in file
    ]
    return pd.DataFrame(rows).sort_values(
        "categories", ascending=False, kind="stable", ignore_index=True
    )


def counted(study, linkage, ties, direction="masked_to_original", rank=1):
    """Right links of every experiment by one linkage and count."""
    chosen = study[
        (study["linkage"] == linkage)
        & (study["ties"] == ties)
        & study["direction"].isin([direction, ""])
        & (study["rank"] == rank)
    ]
    return chosen.set_index(["dataset", "execution", "method", "p", "group"])["correct"]


def printed_table(study, linkage, dataset="ahs"):
    """Table 3 (PRL) or 4 (DBRL): right links of group s, cells as printed."""
    found = (
        counted(study, *PRINTED[linkage])
        .xs((dataset, "s"), level=("dataset", "group"))
        .reset_index()
    )
    found["cell"] = "p=" + found["p"].astype(str) + " " + found["method"]
    return found.rename(columns={"correct": "value"})[["cell", "execution", "value"]]


def beside_print(study):
    """Right links of group s in all files, counted as in print, beside Tables 3 and 4."""
    rows = []
    for linkage, name in (
        ("PRL", "domingo2002_table3_prl_s"),
        ("DBRL", "domingo2002_table4_dbrl_s"),
    ):
        table = published.table(name).set_index("parameter")
        found = (
            counted(study, *PRINTED[linkage])
            .xs("s", level="group")
            .groupby(["dataset", "method", "p"], sort=False)
            .mean()
        )
        rows += [
            (linkage, *key, correct, table.loc[key[2], key[1]]) for key, correct in found.items()
        ]
    return pd.DataFrame(rows, columns=["linkage", "dataset", "method", "p", "correct", "published"])


def averages(study, dataset="ahs", counts=PRINTED):
    """Mean over the 180 experiments of an execution."""
    rows = []
    for linkage, (name, ties) in counts.items():
        found = counted(study, name, ties).loc[dataset].groupby("execution").mean()
        text = "DBRL aware of the masking" if linkage == "DBRL aware" else linkage
        rows.append(
            pd.DataFrame(
                {
                    "cell": f"mean of 1000, {text}",
                    "execution": found.index,
                    "value": found.to_numpy(),
                }
            )
        )
    return pd.concat(rows, ignore_index=True)


def correlations(study, losses, counts=PRINTED, within=()):
    """Correlation of right links with information loss over the experiments of an execution; `within` may be ``"group"``."""
    keys = ["dataset", "execution", "method", "p", "group"]
    loss = losses.pivot(index=keys, columns="measure", values="loss")[list(MEASURES)]
    rows = []
    for linkage in ("PRL", "DBRL"):
        both = loss.assign(correct=counted(study, *counts[linkage]))
        for names, part in both.groupby(["dataset", "execution", *within], sort=False):
            for measure in MEASURES:
                rows.append(
                    (*names, linkage, measure, _correlation(part["correct"], part[measure]))
                )
    return pd.DataFrame(
        rows, columns=["dataset", "execution", *within, "linkage", "measure", "correlation"]
    )


def _correlation(a, b):
    return float(correlation(a, b)) if a.std() > 0 and b.std() > 0 else np.nan


def table5(correlations, dataset="ahs"):
    """Table 5: cells as printed."""
    part = correlations[correlations["dataset"] == dataset]
    return pd.DataFrame(
        {
            "cell": part["measure"] + " " + part["linkage"].str.lower(),
            "execution": part["execution"],
            "value": part["correlation"],
        }
    )
