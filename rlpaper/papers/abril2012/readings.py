"""How far the tables of abril2012 are from print, as read here and under other readings."""

import pandas as pd
from scipy import stats

from ...compendium import scorecard
from ...compendium.readings import against_print
from .protocol import (
    EXECUTIONS,
    LEARNED_READINGS,
    LEARNED_SAMPLES,
    NONUNIFORM,
    READINGS,
    TABLES,
    TRAIN,
    readings_of,
)
from .runs import learned_linkage
from .tables import learned_table, standard_linkage


def percentages(tables: dict[str, pd.DataFrame]) -> pd.DataFrame:
    """Put the percentages of several tables beside print, without averages and spreads.

    Parameters
    ----------
    tables : dict
        Frames of `standard_linkage`, `learned_table` or both, by item.
    """
    beside = against_print("abril2012", tables, ["row", "column"])
    kept = beside["column"].isin(["dbrl", "dwm2", "re-identification"]) & (beside["row"] != "Avg")
    return beside[kept].reset_index(drop=True)


def chi_square(judged: pd.DataFrame) -> str:
    """Say how far cells are from print, taken together."""
    z = (judged["reproduced"].astype(float) - judged["published"].astype(float)) / judged["se"]
    square = (z**2).sum()
    return f"chi-square {square:.1f} on {len(z)}, p = {stats.chi2.sf(square, len(z)):.3f}"


def standard_errors_from_print(tables: dict[str, pd.DataFrame]) -> pd.DataFrame:
    """Count the dWM2 cells beyond two standard errors, by table and column, averages left out.

    `mean` is by how many standard errors they are above print.
    """
    beside = against_print("abril2012", tables, ["row", "column"])
    learned = beside["column"].str.startswith("dwm2") & (beside["row"] != "Avg")
    beside = beside[learned & (beside["se"] > 0)]
    z = (beside["reproduced"] - beside["published"]) / beside["se"]
    far = "beyond 2 standard errors"
    counts = beside.assign(cells=1, by_chance=0.05, mean=z, **{far: abs(z) > 2})
    return (
        counts.groupby(["table", "column"])
        .agg({"cells": "sum", far: "sum", "by_chance": "sum", "mean": "mean"})
        .rename(columns={"by_chance": "by chance"})
        .round(2)
    )


def under_each_reading(executions: int, seed: int) -> pd.DataFrame:
    """Compute percentages under each reading of what the paper leaves open.

    There is one row per reading and printed cell.
    """
    parts = []
    for name in ("chosen", *READINGS):
        for item in TABLES:
            if reading := readings_of(item).get(name):
                beside = percentages({item: standard_linkage(item, executions, seed, reading)})
                difference = beside["reproduced"] - beside["published"]
                parts.append(beside.assign(reading=name, difference=difference))
    return pd.concat(parts, ignore_index=True)


def other_direction(tables: dict[str, pd.DataFrame], profile: str, seed: int) -> pd.DataFrame:
    """List the dWM2 cells whose verdict is another when files are linked in the other direction.

    `tables` are those in the chosen direction, by item.
    """
    executions, parts = EXECUTIONS["the other direction"][profile], []
    for item, table in tables.items():
        reading = readings_of(item)["the other direction"]
        other = learned_table(item, executions, seed, LEARNED_SAMPLES[profile], reading)
        found, chosen = (scorecard.compare(cells, "abril2012", item) for cells in (other, table))
        found = found.assign(chosen=chosen["reproduced"], **{"verdict, chosen": chosen["verdict"]})
        parts.append(found)
    both = pd.concat(parts, ignore_index=True)
    both = both[both["cell"].str.contains("dwm2$") & (both["verdict"] != both["verdict, chosen"])]
    shown = ["item", "cell", "published", "chosen", "verdict, chosen", "reproduced", "verdict"]
    return both[shown]


def uneven_readings(profile: str, seed: int) -> pd.DataFrame:
    """Compute the percentages of Tables 7 and 9 by learned weights under several readings."""
    files, found = [(file, None) for file in NONUNIFORM], {}
    for name in LEARNED_READINGS[profile]:
        reading = readings_of("table9")[name]
        fits = learned_linkage(files, 1, seed, LEARNED_SAMPLES[profile], True, reading)
        means = fits.groupby("method", sort=False)[["linked", "linked_test"]].mean()
        found[name, "train"] = 100 * means["linked"] / TRAIN
        found[name, "test"] = 100 * means["linked_test"]
    return pd.DataFrame(found)
