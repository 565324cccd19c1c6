"""Tables 2 to 5 and the averages of domingo2002: cells as printed, and beside print.

All tables keep the column `data` of the rows that they are made from, which says what was computed
from a surrogate.
"""

from collections.abc import Iterator, Mapping, Sequence

import numpy as np
import pandas as pd

from ..._internal.arithmetic import correlation
from ...compendium import published
from .protocol import EXPECTED, FILES, GROUPS, MEASURES, PRINTED, data_of, files, variables

#: What tells the experiments apart; `data` follows from `dataset`.
EXPERIMENT = ["dataset", "data", "execution", "method", "p", "group"]

# The files.


def _surveys() -> Iterator[tuple[str, pd.DataFrame, Mapping[str, list[str]]]]:
    """Yield the name of each file, its 1000 records, and its groups of variables."""
    for dataset in FILES:
        file, _ = files(dataset)
        yield dataset, file, variables(dataset, file)


def variable_table() -> pd.DataFrame:
    """Count the categories of each variable among the 1000 records, and name its groups."""
    parts = [
        pd.DataFrame(
            {
                "variable": list(file),
                "categories": file.nunique().to_numpy(),
                "in the whole file": [len(file[name].cat.categories) for name in file],
                "ordinal": [file[name].cat.ordered for name in file],
                "groups": [" ".join(g for g in GROUPS if name in groups[g]) for name in file],
                "dataset": dataset,
                "data": data_of(dataset),
            }
        ).sort_values("categories", ascending=False, kind="stable")
        for dataset, file, groups in _surveys()
    ]
    return pd.concat(parts, ignore_index=True)


def table2(variable_table: pd.DataFrame) -> pd.DataFrame:
    """Table 2: numbers of categories, cells as printed."""
    rows = variable_table[variable_table["dataset"] == "ahs"]
    cells = rows["variable"] + " categories"
    return rows.assign(cell=cells, value=rows["categories"].astype(str))[["cell", "value", "data"]]


def distinct() -> pd.DataFrame:
    """Count the different and the unique records of each file, by group."""
    return pd.DataFrame(
        [
            {
                "dataset": dataset,
                "group": group,
                "variables": len(names),
                "different records": len(file[names].drop_duplicates()),
                "unique records": int((~file.duplicated(names, keep=False)).sum()),
                "data": data_of(dataset),
            }
            for dataset, file, groups in _surveys()
            for group, names in groups.items()
        ]
    )


# Links.


def counted(
    study: pd.DataFrame,
    linkage: str,
    ties: str,
    direction: str = "masked_to_original",
    rank: int = 1,
) -> pd.Series:
    """Select the correct links of every experiment by one linkage and count."""
    chosen = study[
        (study["linkage"] == linkage)
        & (study["ties"] == ties)
        & study["direction"].isin([direction, ""])
        & (study["rank"] == rank)
    ]
    return chosen.set_index(EXPERIMENT)["correct"]


def printed_table(study: pd.DataFrame, linkage: str) -> pd.DataFrame:
    """Table 3 (PRL) or 4 (DBRL): correct links of group s, cells as printed."""
    found = counted(study, *PRINTED[linkage]).xs(("ahs", "s"), level=("dataset", "group"))
    found = found.rename("value").reset_index()
    found["cell"] = "p=" + found["p"].astype(str) + " " + found["method"]
    return found[["cell", "execution", "value", "data"]]


def against_print(study: pd.DataFrame) -> pd.DataFrame:
    """Put the correct links of group s in all files, counted as in print, beside Tables 3 and 4."""
    keys = ["dataset", "data", "method", "p"]
    parts = []
    for linkage, name in (
        ("PRL", "domingo2002_table3_prl_s"),
        ("DBRL", "domingo2002_table4_dbrl_s"),
    ):
        printed = published.table(name).set_index("parameter")
        found = counted(study, *PRINTED[linkage]).xs("s", level="group")
        found = found.groupby(keys, sort=False).mean().reset_index()
        found["published"] = [printed.loc[row.p, row.method] for row in found.itertuples()]
        parts.append(found.assign(linkage=linkage))
    columns = ["linkage", "dataset", "method", "p", "correct", "published", "data"]
    return pd.concat(parts, ignore_index=True)[columns]


def averages(study: pd.DataFrame) -> pd.DataFrame:
    """Average the 180 experiments of each execution, cells as printed."""
    parts = []
    for linkage, count in PRINTED.items():
        found = counted(study, *count).loc["ahs"].groupby(["data", "execution"]).mean()
        text = "DBRL aware of the masking" if linkage == "DBRL aware" else linkage
        parts.append(found.rename("value").reset_index().assign(cell=f"mean of 1000, {text}"))
    return pd.concat(parts, ignore_index=True)[["cell", "execution", "value", "data"]]


def mean_by_count(study: pd.DataFrame) -> pd.DataFrame:
    """Average all experiments, one row per linkage and count, one column per file."""
    keys = ["linkage", "direction", "rank", "ties", "dataset"]
    means = study.groupby(keys, sort=False)["correct"].mean()
    return means.unstack("dataset").reset_index()


def mean_by_group(study: pd.DataFrame) -> pd.DataFrame:
    """Average the experiments of each file and group: DBRL, PRL, what both and what either find."""
    linkages = ["DBRL", "PRL", "both", "either"]
    chosen = study[
        (study["ties"] == "expected")
        & (study["rank"] == 1)
        & (study["direction"] == "masked_to_original")
        & study["linkage"].isin(linkages)
    ]
    return chosen.pivot_table(
        index=["dataset", "data", "group"], columns="linkage", values="correct", sort=False
    )[linkages]


# Information loss.


def links_and_loss(study: pd.DataFrame, losses: pd.DataFrame, measure: str) -> pd.DataFrame:
    """Put the links of DBRL beside the information loss of each experiment, first execution."""
    chosen = losses[losses["measure"] == measure].set_index(EXPERIMENT)["loss"].to_frame()
    both = chosen.assign(correct=counted(study, *EXPECTED["DBRL"]))
    return both.query("execution == 0").reset_index()


def correlations(
    study: pd.DataFrame,
    losses: pd.DataFrame,
    counts: Mapping[str, tuple[str, str]] = PRINTED,
    within: Sequence[str] = (),
) -> pd.DataFrame:
    """Correlate correct links with information loss over the experiments of an execution.

    `within` may be ``["group"]``: then over the experiments of each group.
    """
    loss = losses.pivot(index=EXPERIMENT, columns="measure", values="loss")[list(MEASURES)]
    keys = ["dataset", "data", "execution", *within]
    both = {name: loss.assign(correct=counted(study, *counts[name])) for name in ("PRL", "DBRL")}
    rows = [
        (*names, linkage, measure, _correlation(part["correct"], part[measure]))
        for linkage, table in both.items()
        for names, part in table.groupby(keys, sort=False)
        for measure in MEASURES
    ]
    return pd.DataFrame(rows, columns=[*keys, "linkage", "measure", "correlation"])


def _correlation(a: pd.Series, b: pd.Series) -> float:
    return float(correlation(a, b)) if a.std() > 0 and b.std() > 0 else np.nan


def table5(correlations: pd.DataFrame) -> pd.DataFrame:
    """Table 5: cells as printed."""
    part = correlations[correlations["dataset"] == "ahs"].rename(columns={"correlation": "value"})
    cells = part["measure"] + " " + part["linkage"].str.lower()
    return part.assign(cell=cells)[["cell", "execution", "value", "data"]]


def correlation_readings(study: pd.DataFrame, losses: pd.DataFrame) -> pd.DataFrame:
    """Correlate under two ways of counting, over all experiments and within groups, beside print.

    Within groups, the mean of the five groups is taken.
    """
    printed = published.table("domingo2002_table5_correlations").melt(
        "measure", var_name="linkage", value_name="correlation"
    )
    linkages = printed["linkage"].str.upper()
    parts = [printed.assign(linkage=linkages, dataset="print", source="print", counted="", data="")]
    for name, counts in (("as in print", PRINTED), ("expected", EXPECTED)):
        for within, words in (((), "all"), (("group",), "within groups")):
            table = correlations(study, losses, counts, within).groupby(
                ["dataset", "data", "linkage", "measure"], sort=False
            )
            part = table["correlation"].mean().reset_index()
            part = part.iloc[part["dataset"].map(FILES.index).argsort(kind="stable")]
            parts.append(part.assign(source=part["dataset"] + f", {words}", counted=name))
    return pd.concat(parts, ignore_index=True)
