"""Tables V to VIII of torra2008: cells as printed, held against print, and under other readings."""

import numpy as np
import pandas as pd

from ...compendium import scorecard
from .protocol import COLUMNS, LINKAGES, MAIN, PRINTED, STUDY
from .runs import study


def tables(study):
    """Tables V to VIII as tidy frames, by item."""
    printed = study[study["linkage"].isin(["DBRL", "PRL"]) & study["dataset"].isin(PRINTED)]
    cells = printed.assign(
        item=printed["dataset"].map(PRINTED),
        value=printed["correct"],
        cell=printed["dataset"]
        + " "
        + printed["normalisation"]
        + " "
        + printed["linkage"]
        + " "
        + printed["column"],
    )
    return {
        item: part[["cell", "execution", "value"]].reset_index(drop=True)
        for item, part in cells.groupby("item")
    }


def averages(study):
    """Mean right links of 100 records, a row a data set, normalisation and linkage, a column an operator."""
    return study.pivot_table(
        index=["dataset", "normalisation", "linkage"],
        columns="column",
        values="correct",
        sort=False,
    )[COLUMNS]


def held(study, linkage, against):
    """What one linkage gives, held against the printed averages of DBRL or PRL: a row a cell of Tables V to VIII."""
    own = study[study["linkage"] == linkage].assign(linkage=against)
    parts = []
    for item, table in tables(own).items():
        judged = scorecard.compare(table, "torra2008", item)
        judged = judged[judged["verdict"] != "missing"]
        names = (
            judged["cell"]
            .str.split(expand=True)
            .set_axis(["dataset", "normalisation", "against", "column"], axis=1)
        )
        parts.append(
            names.assign(
                table=item,
                linkage=linkage,
                published=judged["published"].astype(float),
                reproduced=judged["reproduced"].astype(float),
                se=judged["se"],
                verdict=judged["verdict"],
            )
        )
    return pd.concat(parts, ignore_index=True)


def beside_print(study):
    """Published and reproduced averages of Tables V to VIII; the printed ones of probabilistic linkage are also held
    against what guarded and distance-based linkage give.
    """
    pairs = (("DBRL", "DBRL"), ("PRL", "PRL"), ("PRL with a floor", "PRL"), ("DBRL", "PRL"))
    return pd.concat([held(study, *pair) for pair in pairs], ignore_index=True)


def agreement(beside, executions):
    """How many printed cells each linkage matches, and how far it is from them on average.

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


def readings(executions, seed):
    """Tables V to VIII under other readings of what the paper leaves open: a row a reading and cell."""
    chosen = [name for name in LINKAGES if name not in ("one to one", "missing values left out")]
    others = study(list(PRINTED), executions, seed, [name for name in chosen if name not in MAIN])
    table = pd.concat([study(list(PRINTED), executions, seed), others], ignore_index=True)
    parts = [
        held(table, name, "PRL" if name.startswith("PRL") else "DBRL").assign(reading=name)
        for name in chosen
    ]
    without = study(["wdbc"], executions, seed, ["DBRL", "PRL"], without="diagnosis")
    parts += [
        held(without, name, name).assign(reading=f"{name}, no diagnosis")
        for name in ("DBRL", "PRL")
    ]
    parts.append(held(table, "DBRL", "PRL").assign(reading="DBRL, held against PRL"))
    result = pd.concat(parts, ignore_index=True)
    return result.assign(difference=result["reproduced"] - result["published"])
