"""Tables V to VIII of torra2008: cells as printed, against print, and under other readings."""

from collections.abc import Sequence

import numpy as np
import pandas as pd

from ...compendium import readings as of_readings
from .protocol import COLUMNS, LINKAGES, MAIN, PRINTED, STUDY
from .runs import study

#: Linkages and the printed columns that they are held against in notebook 34: those of PRL also
#: against what linkage with a floor of probabilities and distance-based linkage give.
AGAINST = (("DBRL", "DBRL"), ("PRL", "PRL"), ("PRL with a floor", "PRL"), ("DBRL", "PRL"))


def tables(study: pd.DataFrame) -> dict[str, pd.DataFrame]:
    """Tables V to VIII as tidy frames, by item."""
    printed = study[study["linkage"].isin(["DBRL", "PRL"]) & study["dataset"].isin(PRINTED)]
    names = printed[["dataset", "normalisation", "linkage", "column"]]
    cells = printed.assign(
        item=printed["dataset"].map(PRINTED), value=printed["correct"], cell=names.agg(" ".join, 1)
    )
    return {
        item: part[["cell", "execution", "value"]].reset_index(drop=True)
        for item, part in cells.groupby("item")
    }


def averages(study: pd.DataFrame) -> pd.DataFrame:
    """Average the correct links by data set, normalisation and linkage, one column per operator."""
    return study.pivot_table(
        index=["dataset", "normalisation", "linkage"],
        columns="column",
        values="correct",
        sort=False,
    )[COLUMNS]


def best_by_linkage(study: pd.DataFrame, linkages: Sequence[str]) -> pd.DataFrame:
    """Find the best average of each data set and normalisation, one column per linkage."""
    chosen = averages(study[study["linkage"].isin(linkages)])
    return chosen.max(axis=1).unstack("linkage")


def against_print(study: pd.DataFrame, pairs: Sequence[tuple[str, str]] = AGAINST) -> pd.DataFrame:
    """Hold linkages against the printed averages of DBRL or PRL, one row per cell.

    `pairs` are linkages and what they are held against.
    """
    words = ["dataset", "normalisation", "against", "column"]
    parts = []
    for linkage, printed in pairs:
        own = study[study["linkage"] == linkage].assign(linkage=printed)
        beside = of_readings.against_print("torra2008", tables(own), words)
        parts.append(beside.assign(linkage=linkage))
    columns = [*words, "table", "linkage", "published", "reproduced", "se", "verdict"]
    return pd.concat(parts, ignore_index=True)[columns]


def agreement(beside: pd.DataFrame, executions: int) -> pd.DataFrame:
    """Count the printed cells that each linkage matches, and average how far it is from them.

    `match` follows the verdicts, where our mean is that of all executions. `two studies` asks for
    less: whether print and mean are no further apart than two studies of ten executions each would
    be (2 standard errors of their difference).
    """
    away = (beside["reproduced"] - beside["published"]).abs()
    spread = beside["se"] / np.sqrt(1 / executions + 1 / STUDY)
    close = away <= np.maximum(2 * spread * np.sqrt(2 / STUDY), 0.5)
    table = beside.assign(away=away, hit=beside["verdict"] == "match", close=close)
    grouped = table.groupby(["against", "linkage"], sort=False)
    names = {
        "cells": ("hit", "size"),
        "match": ("hit", "sum"),
        "two studies": ("close", "sum"),
        "mean absolute difference": ("away", "mean"),
    }
    return grouped.agg(**names).reset_index()


def readings(executions: int, seed: int) -> pd.DataFrame:
    """Hold Tables V to VIII under other readings of the paper against print, one row per cell."""
    chosen = [name for name, linkage in LINKAGES.items() if linkage.reading]
    others = [name for name in chosen if name not in MAIN]
    table = pd.concat(
        [study(list(PRINTED), executions, seed, linkages) for linkages in (MAIN, others)],
        ignore_index=True,
    )
    without = study(["wdbc"], executions, seed, ["DBRL", "PRL"], without="diagnosis")
    made = [
        *((name, table, name, LINKAGES[name].printed) for name in chosen),
        *((f"{name}, no diagnosis", without, name, name) for name in ("DBRL", "PRL")),
        ("DBRL, held against PRL", table, "DBRL", "PRL"),
    ]
    result = pd.concat(
        [
            against_print(links, [(linkage, printed)]).assign(reading=reading)
            for reading, links, linkage, printed in made
        ],
        ignore_index=True,
    )
    return result.assign(difference=result["reproduced"] - result["published"])


def summary(readings: pd.DataFrame) -> pd.DataFrame:
    """Say how many cells each reading matches, and how far it is from print on average."""
    hits = readings.assign(hit=readings["verdict"] == "match", away=readings["difference"].abs())
    grouped = hits.groupby("reading", sort=False)
    return grouped.agg(cells=("hit", "size"), match=("hit", "sum"), away=("away", "mean"))
