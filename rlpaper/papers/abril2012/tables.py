"""The tables of abril2012 and what its Figure 1 shows, cell by cell, and each beside print."""

import numpy as np
import pandas as pd

from ... import datasets
from ...compendium import published, scorecard
from ...compendium.sweep import sweep
from ...masking import rank_swap
from .protocol import (
    CHOICES,
    CHOICES_OF,
    FILES,
    LINKED,
    READINGS,
    SAMPLES,
    TABLES,
    TRAIN,
    _choices,
)
from .runs import experiment, learned_linkage

#: Cells with percentages of right links, averages left out.
PERCENTAGES = r"^(?!Avg).* (?:dbrl|dwm2|re-identification)$"


def table1():
    """Table 1: the attributes of Census under the printed numbers, which are alphabetical.

    Beside each, its number in the order of the file, which is what the printed results fit, and how
    many values occur more than once.
    """
    census = datasets.load("census", order="alphabetical")
    in_file = {name: number for number, name in datasets.load("census").attrs["variables"].items()}
    meaning = published.table("abril2012_table1_attributes").set_index("name")["meaning"]
    return pd.DataFrame(
        [
            {
                "cell": number,
                "value": name,
                "in_file_order": in_file[name],
                "meaning": meaning[name],
                "distinct": census[name].nunique(),
                "repeated": int(census[name].duplicated().sum()),
            }
            for number, name in census.attrs["variables"].items()
        ]
    )


def figure1(seed, percents=(1, 3, 6)):
    """Figure 1: values of V1 before and after rank swapping, for three values of p.

    The paper does not print which p its panels show; these span its range of 1 to 6.
    """
    v1 = datasets.load("census")[["AFNLWGT"]]
    seeds = np.random.SeedSequence(seed).spawn(len(percents))
    return pd.concat(
        [
            pd.DataFrame(
                {
                    "p": p,
                    "original": v1["AFNLWGT"],
                    "masked": rank_swap(v1, p, np.random.default_rng(s))["AFNLWGT"],
                }
            )
            for p, s in zip(percents, seeds)
        ],
        ignore_index=True,
    )


# Linkage by standard distance: Tables 2 to 4, 6, 7 and 9.


def standard_linkage(item, executions, seed, **choices):
    """The DBRL cells of Table 2, 3, 4, 6, 7 or 9 or of the running text: percentages of right links.

    Tables 2 to 4 have their spread too.

    One execution is the whole experiment of the paper: one masked file and ten samples of 400
    records. So the spread between executions has the variation between masked files in it, which
    the printed errors leave out. Table 6 prints multiples of 1/400, so there, and in the sentence
    on the same file, it is a single sample.

    Parameters
    ----------
    item : str
        ``"table2"``, for example.
    executions, seed : int
    **choices
        Other than `CHOICES` and `CHOICES_OF` say.
    """
    choices = _choices(item, choices)
    reading = {name: choices.pop(name) for name in ("direction", "ties", "moments")}
    samples, test = 1 if item in ("table6", "prose") else SAMPLES, item in ("table7", "table9")
    # Distances by other moments are computed side by side, on the same masked files.
    moments = (
        ["own"]
        if reading["moments"] == "own"
        else ["original", "pooled", *(["train"] if test else []), "none"]
    )
    grid = [
        {
            "method": method,
            "parameter": parameter,
            "samples": samples,
            "test": test,
            "sources": moments,
            **choices,
        }
        for method, parameter in FILES[item].values()
    ]
    rates = sweep(experiment, grid, executions=executions, seed=seed)
    rates = rates[
        (rates[list(reading)] == pd.Series(reading)).all(axis=1)
        & (rates["part"] == ("test" if item == "table9" else "train"))
    ]
    column = {"table6": "re-identification", "prose": ""}.get(item, "dbrl")
    return _table(item, rates, column, SAMPLES)


# Linkage by learned weights: Tables 2 to 5 and 7 to 9.


def learned_table(item, executions, seed, samples=SAMPLES, **choices):
    """The dWM2 cells of Table 2, 3, 4, 7 or 9: percentages of right links by the best weights."""
    fits = _fits(item, executions, seed, samples, choices)
    fits["share"] = fits["linked_test"] if item == "table9" else fits["linked"] / TRAIN
    grouped = fits.groupby(["method", "parameter", "execution"], sort=False, dropna=False)["share"]
    rates = grouped.agg(["mean", "std"]).rename(columns={"std": "sd"}).reset_index()
    return _table(item, rates, "dwm2", SAMPLES)


def proofs(items, executions, seed, samples=SAMPLES):
    """How many of the fits behind each table are proved, and how far the bound is from the others: a row a table."""
    rows = []
    for item in items:
        fits = _fits(item, executions, seed, samples, {})
        gap = fits["bound"] - fits["linked"]
        rows.append(
            {
                "table": item,
                "fits": len(fits),
                "proved": int((gap == 0).sum()),
                "largest_gap": int(gap.max()),
            }
        )
    return pd.DataFrame(rows)


def _fits(item, executions, seed, samples, choices):
    return learned_linkage(
        list(FILES[item].values()),
        executions,
        seed,
        samples,
        item in ("table7", "table9"),
        **_choices(item, choices),
    )


def table5(samples):
    """Table 5, judged as its optimum is not unique: a printed weight holds by its place and by its company.

    The printed weights *together* must link as many records as any weights do, in at least 5
    percent of our samples (theirs is one sample that nobody else has); and the printed weight must
    have the same place among the seven, from the largest down, as our mean weight; printed weights
    that are equal share their places.

    Parameters
    ----------
    samples : DataFrame
        A row of `key_attributes` a sample.
    """
    printed = published.table("abril2012_table5_6_key_attributes").set_index("variable")["weight"]
    together = (samples["printed"] == samples["bound"]).mean()
    places = samples[list(printed.index)].mean().rank(ascending=False, method="first")
    first, last = (printed.rank(ascending=False, method=method) for method in ("min", "max"))
    return pd.DataFrame(
        [
            {
                "cell": f"{name} weight",
                "value": f"place {place:.0f}; printed weights best in {100 * together:.0f} percent of samples",
                "holds": bool(together >= 0.05 and first[name] <= place <= last[name]),
            }
            for name, place in places.items()
        ]
    )


def table8(executions, seed, samples=SAMPLES):
    """Table 8: learned weights of the files masked unevenly, each the mean of ten samples."""
    fits = _fits("table7", executions, seed, samples, {})
    weights = [f"V{v}" for v in range(1, LINKED + 1)]
    means = fits.groupby(["method", "execution"], sort=False)[weights].mean().reset_index()
    return pd.concat(
        [
            pd.DataFrame(
                {
                    "cell": means["method"] + " " + weight,
                    "execution": means["execution"],
                    "value": means[weight],
                }
            )
            for weight in weights
        ],
        ignore_index=True,
    )


def total_variation(table8):
    """Distance of the mean learned weights from the printed ones, 0 to 1, by file."""
    means = table8.groupby("cell")["value"].mean()
    printed = published.table("abril2012_table8_weights").set_index("file")
    return pd.Series(
        {
            file: sum(abs(means[f"{file} {v}"] - row[v]) for v in printed.columns) / 2
            for file, row in printed.iterrows()
        },
        name="total variation",
    )


# Cells from rates, and cells beside print.


def _table(item, rates, column, samples):
    """Cells of a table from mean and standard deviation by masked file and execution."""
    rows = {file: row for row, file in FILES[item].items()}
    parameters = [
        None if pd.isna(parameter) else int(parameter) for parameter in rates["parameter"]
    ]
    rates = rates.assign(row=[rows[file] for file in zip(rates["method"], parameters)])
    if item not in ("table2", "table3", "table4"):
        return _cells(rates, {column: 100 * rates["mean"]})
    average = rates.groupby("execution", as_index=False)[["mean", "sd"]].mean().assign(row="Avg")
    rates = pd.concat([rates, average], ignore_index=True)
    return _cells(
        rates,
        {
            column: 100 * rates["mean"],
            f"{column}_sd": rates["sd"],
            f"{column}_se": rates["sd"] / np.sqrt(samples),
        },
    )


def _cells(rates, columns):
    parts = [
        pd.DataFrame(
            {
                "cell": (rates["row"] + " " + name).str.strip(),
                "execution": rates["execution"],
                "value": values,
            }
        )
        for name, values in columns.items()
    ]
    return pd.concat(parts, ignore_index=True)


def beside_print(tables):
    """Published and reproduced percentages of several tables, for a figure: a row a cell.

    Parameters
    ----------
    tables : dict
        Frames of `standard_linkage`, `learned_table` or both, by table.
    """
    parts = []
    for item, table in tables.items():
        judged = scorecard.compare(table, "abril2012", item)
        judged = judged[judged["cell"].str.contains(PERCENTAGES) & (judged["verdict"] != "missing")]
        parts.append(
            pd.DataFrame(
                {
                    "table": item,
                    "row": judged["cell"].str.split().str[0],
                    "column": judged["cell"].str.split().str[1],
                    "published": judged["published"].astype(float),
                    "reproduced": judged["reproduced"].astype(float),
                    "se": judged["se"],
                    "verdict": judged["verdict"],
                }
            )
        )
    return pd.concat(parts, ignore_index=True)


def readings(executions, seed):
    """Percentages under each reading of what the paper leaves open: a row a reading and printed cell."""
    parts = []
    for reading, (changes, items) in {"chosen": ({}, TABLES), **READINGS}.items():
        for item in items:
            chosen = {**CHOICES, **CHOICES_OF.get(item, {})}
            other = {
                name: value[chosen[name]] if isinstance(value, dict) else value
                for name, value in changes.items()
            }
            table = beside_print({item: standard_linkage(item, executions, seed, **other)})
            parts.append(
                table.assign(reading=reading, difference=table["reproduced"] - table["published"])
            )
    return pd.concat(parts, ignore_index=True)
