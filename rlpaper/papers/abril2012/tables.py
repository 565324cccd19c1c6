"""The tables of abril2012 and what its Figure 1 shows, cell by cell."""

import numpy as np
import pandas as pd

from ... import datasets
from ...compendium import published
from ...compendium.sweep import sweep
from ...masking import rank_swap
from .protocol import (
    EXECUTIONS,
    FILES,
    LEARNED_SAMPLES,
    LINKED,
    SAMPLES,
    TRAIN,
    Reading,
    reading_of,
)
from .runs import experiment, key_attributes, learned_linkage, one_sample


def table1() -> pd.DataFrame:
    """Return Table 1: the attributes of Census under the printed numbers, which are alphabetical.

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


def figure1(seed: int, percents: tuple[int, ...] = (1, 3, 6)) -> pd.DataFrame:
    """Swap V1 for three values of p, as Figure 1 shows it: one row per record and p.

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
            for p, s in zip(percents, seeds, strict=True)
        ],
        ignore_index=True,
    )


# Linkage by standard distance: Tables 2 to 4, 6, 7 and 9.


def standard_linkage(
    item: str, executions: int, seed: int, reading: Reading | None = None
) -> pd.DataFrame:
    """Compute the DBRL cells of a table or of the running text: percentages of correct links.

    Tables 2 to 4 have their spread too.

    One execution is the whole experiment of the paper: one masked file and ten samples of 400
    records. So the spread between executions has the variation between masked files in it, which
    the printed errors leave out. Table 6 prints multiples of 1/400, so there, and in the sentence
    on the same file, it is a single sample.

    Parameters
    ----------
    item : str
        ``"table2"``, 3, 4, 6, 7 or 9, or ``"prose"``.
    executions, seed : int
    reading : Reading, optional
        Other than `reading_of` says.
    """
    reading = reading or reading_of(item)
    linked = {name: getattr(reading, name) for name in ("direction", "ties", "moments")}
    samples, test = 1 if item in ("table6", "prose") else SAMPLES, item in ("table7", "table9")
    # Distances by other moments are computed side by side, on the same masked files.
    moments = (
        ["own"]
        if reading.moments == "own"
        else ["original", "pooled", *(["train"] if test else []), "none"]
    )
    grid = [
        {
            "method": method,
            "parameter": parameter,
            "samples": samples,
            "test": test,
            "sources": moments,
            **reading.setting(*linked),
        }
        for method, parameter in FILES[item].values()
    ]
    rates = sweep(experiment, grid, executions=executions, seed=seed)
    rates = rates[
        (rates[list(linked)] == pd.Series(linked)).all(axis=1)
        & (rates["part"] == ("test" if item == "table9" else "train"))
    ]
    column = {"table6": "re-identification", "prose": ""}.get(item, "dbrl")
    return _table(item, rates, column)


# Linkage by learned weights: Tables 2 to 5 and 7 to 9.


def learned_table(
    item: str, executions: int, seed: int, samples: int = SAMPLES, reading: Reading | None = None
) -> pd.DataFrame:
    """Compute the dWM2 cells of a table: percentages of correct links by the best weights.

    The tables are 2, 3, 4, 7 and 9.
    """
    fits = _fits(item, executions, seed, samples, reading)
    fits["share"] = fits["linked_test"] if item == "table9" else fits["linked"] / TRAIN
    grouped = fits.groupby(["method", "parameter", "execution"], sort=False, dropna=False)["share"]
    rates = grouped.agg(["mean", "std"]).rename(columns={"std": "sd"}).reset_index()
    return _table(item, rates, "dwm2")


def both_columns(item: str, profile: str, seed: int) -> pd.DataFrame:
    """Compute a table with both of its columns, standard and learned linkage."""
    standard = standard_linkage(item, EXECUTIONS["standard"][profile], seed)
    executions, samples = EXECUTIONS["learned"][profile], LEARNED_SAMPLES[profile]
    return pd.concat([standard, learned_table(item, executions, seed, samples)], ignore_index=True)


def proofs(items: list[str], executions: int, seed: int, samples: int = SAMPLES) -> pd.DataFrame:
    """Count the proved fits behind each table, and how far the bound is from the others."""
    rows = []
    for item in items:
        fits = _fits(item, executions, seed, samples)
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


def _fits(item, executions, seed, samples, reading=None):
    return learned_linkage(
        list(FILES[item].values()),
        executions,
        seed,
        samples,
        item in ("table7", "table9"),
        reading or reading_of(item),
    )


def table5_samples(profile: str, seed: int) -> pd.DataFrame:
    """Link many samples of the file of Table 5, see `key_attributes`."""
    return sweep(key_attributes, [{}], executions=EXECUTIONS["key attributes"][profile], seed=seed)


def table5(samples: pd.DataFrame) -> pd.DataFrame:
    """Judge Table 5, whose optimum is not unique: each weight by its rank, and all together.

    The printed weights *together* must link as many records as any weights do, in at least 5
    percent of our samples (theirs is one sample that nobody else has); and the printed weight must
    have the same rank among the seven, from the largest down, as our mean weight; printed weights
    that are equal share their ranks.

    Parameters
    ----------
    samples : DataFrame
        One row of `key_attributes` per sample.
    """
    printed = published.table("abril2012_table5_6_key_attributes").set_index("variable")["weight"]
    together = (samples["printed"] == samples["bound"]).mean()
    ranks = samples[list(printed.index)].mean().rank(ascending=False, method="first")
    first, last = (printed.rank(ascending=False, method=method) for method in ("min", "max"))
    best = f"printed weights best in {100 * together:.0f} percent of samples"
    return pd.DataFrame(
        [
            {
                "cell": f"{name} weight",
                "value": f"rank {rank:.0f}; {best}",
                "holds": bool(together >= 0.05 and first[name] <= rank <= last[name]),
            }
            for name, rank in ranks.items()
        ]
    )


def key_weights(samples: pd.DataFrame, flat: pd.DataFrame) -> pd.DataFrame:
    """Put weights of the file of Table 5 side by side: one row per variable.

    `least`, `weight` and `largest` are of one sample (`beyond.flat`), `mean` is over all samples.
    """
    printed = published.table("abril2012_table5_6_key_attributes")["weight"]
    shown = flat[["variable", "least", "weight", "largest"]]
    means = samples[shown["variable"]].mean()
    return shown.assign(mean=means.to_numpy(), published=printed.to_numpy())


def table8(executions: int, seed: int, samples: int = SAMPLES) -> pd.DataFrame:
    """Return Table 8: learned weights of the files masked unevenly, each a mean over samples."""
    fits = _fits("table7", executions, seed, samples)
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


def total_variation(table8: pd.DataFrame) -> pd.Series:
    """Return by file how far the mean learned weights are from the printed ones, from 0 to 1."""
    means = table8.groupby("cell")["value"].mean()
    return pd.Series(
        {
            file: sum(abs(means[f"{file} {v}"] - weight) for v, weight in row.items()) / 2
            for file, row in _printed_weights().iterrows()
        },
        name="total variation",
    )


def weight_ranges(flat: pd.DataFrame) -> pd.DataFrame:
    """Put what is printed beside the ranges of the best weights (`beyond.flat`) of uneven files."""
    printed = _printed_weights().stack()
    flat = flat.rename(columns={"method": "file"})
    flat["published"] = [printed[row.file, row.variable] for row in flat.itertuples()]
    shown = ["file", "variable", "weight", "least", "largest", "published", "linked", "status"]
    return flat[shown]


def printed_weights_tried(seed: int) -> pd.DataFrame:
    """Link one sample of each uneven file by the weights printed in Table 8."""
    rates = {}
    for file, weights in _printed_weights().iterrows():
        pairs, learner = one_sample(file, None, np.random.default_rng(seed))
        rates[file] = 100 * learner.with_parameters(*pairs, weights.tolist()).score(*pairs)
    printed = published.table("abril2012_table7_9_nonuniform").set_index("file")["dwm2_train"]
    return pd.DataFrame({"printed weights, percent linked": rates, "printed percentage": printed})


def _printed_weights():
    return published.table("abril2012_table8_weights").set_index("file")


# Cells from rates.


def _table(item, rates, column):
    """Cells of a table from mean and standard deviation by masked file and execution."""
    rows = {file: row for row, file in FILES[item].items()}
    parameters = [
        None if pd.isna(parameter) else int(parameter) for parameter in rates["parameter"]
    ]
    files = zip(rates["method"], parameters, strict=True)
    rates = rates.assign(row=[rows[file] for file in files])
    if item not in ("table2", "table3", "table4"):
        return _cells(rates, {column: 100 * rates["mean"]})
    average = rates.groupby("execution", as_index=False)[["mean", "sd"]].mean().assign(row="Avg")
    rates = pd.concat([rates, average], ignore_index=True)
    return _cells(
        rates,
        {
            column: 100 * rates["mean"],
            f"{column}_sd": rates["sd"],
            f"{column}_se": rates["sd"] / np.sqrt(SAMPLES),
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
