"""Abril, Navarro-Arribas & Torra (2012): weights of a linkage distance learned from the data."""

import numpy as np
import pandas as pd

from .. import datasets, published, verdicts
from ..distances import dbrl1
from ..linkage.distance import DIRECTIONS, TIES, link
from ..masking import add_noise, microaggregate, rank_swap
from ..runner import sweep

SAMPLES, TRAIN, TEST = 10, 400, 500  # samples of one masked file; records that are linked; others, for Table 9
LINKED = 7  # variables that are linked: the first seven

#: The files of Tables 7 to 9: groups of variables and k of each group.
NONUNIFORM = {row.file: ([int(size) for size in row.groups.split("-")], [int(k) for k in row.ks.split("-")])
              for row in published.table("abril2012_table7_9_nonuniform").itertuples()}

#: What the tables of standard linkage are about: masked files by the name of their row in print.
FILES = {
    "table2": {f"p={p}": ("RankSwap", p) for p in range(1, 7)},
    "table3": {f"k={k}": ("Mic2", k) for k in range(3, 21)},
    "table4": {f"p={p}": ("Noise", p) for p in (1, 2, 4, 6, 8, 10, 12, 14, 16)},
    "table6": {f"V{p}": ("Noise1-7", p) for p in range(1, 8)},
    "prose": {"all 7 variables link the noise file of Table 5": ("Noise1-7", None)},
    "table7": {file: (file, None) for file in NONUNIFORM},
    "table9": {file: (file, None) for file in NONUNIFORM},
}

TABLES = [item for item in FILES if item != "prose"]

#: Cells with percentages of right links, averages left out.
PERCENTAGES = r"^(?!Avg).* (?:dbrl|re-identification)$"

#: What the paper does not say: whose order numbers the variables; whether the whole file is masked or each sample
#: on its own; how many variables are masked; whether clusters are formed on standardised values; which ranks are
#: swapped; by whose moments the distance standardises; which file is linked to which; how ties count.
CHOICES = {"order": "file", "records": "file", "variables": 13, "standardise": True, "partners": "above",
           "moments": "own", "direction": "m2o", "ties": "strict"}

#: Where a table needs another choice than the rest; notebook 13 shows how far off every other choice is.
CHOICES_OF = {"table6": {"order": "alphabetical"}, "prose": {"order": "alphabetical"},
              "table7": {"standardise": False, "direction": "o2m"}, "table9": {"standardise": False, "direction": "o2m"}}

#: Other readings, one choice changed at a time, and the tables that it can move.
READINGS = {
    "the other direction": ({"direction": {"m2o": "o2m", "o2m": "m2o"}}, TABLES),
    "ties count one over their number": ({"ties": "expected"}, TABLES),
    "ties count as right": ({"ties": "lenient"}, TABLES),
    "the other order of variables": ({"order": {"file": "alphabetical", "alphabetical": "file"}}, TABLES),
    "only the sample is masked": ({"records": "sample"}, TABLES),
    "only 7 variables are masked": ({"variables": 7}, ["table3", "table7", "table9"]),
    "the other scale for clustering": ({"standardise": {True: False, False: True}}, ["table3", "table7", "table9"]),
    "moments of the original": ({"moments": "original"}, TABLES),
    "moments of both files": ({"moments": "pooled"}, TABLES),
    "moments of the training records": ({"moments": "train"}, ["table9"]),
    "distance not standardised": ({"moments": None}, [item for item in TABLES if item != "table6"]),
    "partners on either side": ({"partners": "around"}, ["table2"]),
}


def table1():
    """Table 1: the attributes of Census under the printed numbers, which are alphabetical.

    Beside each, its number in the order of the file, which is what the printed results fit, and how many
    values occur more than once.
    """
    census = datasets.load("census", order="alphabetical")
    in_file = {name: number for number, name in datasets.load("census").attrs["variables"].items()}
    meaning = published.table("abril2012_table1_attributes").set_index("name")["meaning"]
    return pd.DataFrame([
        {"cell": number, "value": name, "in_file_order": in_file[name], "meaning": meaning[name],
         "distinct": census[name].nunique(), "repeated": int(census[name].duplicated().sum())}
        for number, name in census.attrs["variables"].items()])


def without_repetition(order, first=7):
    """Which of the first variables have no repeated value (section 4.1 says V1, V2, V3 and V5)."""
    census = datasets.load("census", order=order)
    return [number for number, name in list(census.attrs["variables"].items())[:first] if census[name].is_unique]


def figure1(seed, percents=(1, 3, 6)):
    """Figure 1: values of V1 before and after rank swapping, for three values of p.

    The paper does not print which p its panels show; these span its range of 1 to 6.
    """
    v1 = datasets.load("census")[["AFNLWGT"]]
    seeds = np.random.SeedSequence(seed).spawn(len(percents))
    return pd.concat([
        pd.DataFrame({"p": p, "original": v1["AFNLWGT"], "masked": rank_swap(v1, p, np.random.default_rng(s))["AFNLWGT"]})
        for p, s in zip(percents, seeds)], ignore_index=True)


# Linkage by standard distance: Tables 2 to 4, 6, 7 and 9.

def standard_linkage(item, executions, seed, **choices):
    """The DBRL cells of Table 2, 3, 4, 6, 7 or 9 or of the running text: percentages of right links.

    Tables 2 to 4 have their spread too.

    One execution is the whole experiment of the paper: one masked file and ten samples of 400 records. So the spread
    between executions has the variation between masked files in it, which the printed errors leave out. Table 6
    prints multiples of 1/400, so there, and in the sentence on the same file, it is a single sample.

    Parameters
    ----------
    item : str
        ``"table2"``, for example.
    executions, seed : int
    **choices
        Other than `CHOICES` and `CHOICES_OF` say.
    """
    choices = {**CHOICES, **CHOICES_OF.get(item, {}), **choices}
    reading = {name: choices.pop(name) for name in ("direction", "ties")}
    rows = {file: row for row, file in FILES[item].items()}
    samples = 1 if item in ("table6", "prose") else SAMPLES
    grid = [{"method": method, "parameter": parameter, "samples": samples, "test": item in ("table7", "table9"), **choices}
            for method, parameter in rows]
    rates = sweep(experiment, grid, executions=executions, seed=seed)
    rates = rates[(rates["direction"] == reading["direction"]) & (rates["ties"] == reading["ties"])
                  & (rates["part"] == ("test" if item == "table9" else "train"))]
    parameters = [None if pd.isna(parameter) else int(parameter) for parameter in rates["parameter"]]
    rates = rates.assign(row=[rows[file] for file in zip(rates["method"], parameters)])
    if item not in ("table2", "table3", "table4"):
        column = {"table6": " re-identification", "prose": ""}.get(item, " dbrl")
        return _cells(rates, {column: 100 * rates["mean"]})
    average = rates.groupby("execution", as_index=False)[["mean", "sd"]].mean().assign(row="Avg")
    rates = pd.concat([rates, average], ignore_index=True)
    return _cells(rates, {" dbrl": 100 * rates["mean"], " dbrl_sd": rates["sd"],
                          " dbrl_se": rates["sd"] / np.sqrt(SAMPLES)})


def beside_print(tables):
    """Published and reproduced percentages of several tables, for a figure: a row a cell.

    Parameters
    ----------
    tables : dict
        Frames of `standard_linkage` by table.
    """
    parts = []
    for item, table in tables.items():
        judged = verdicts.compare(table, "abril2012", item)
        judged = judged[judged["cell"].str.contains(PERCENTAGES)]
        parts.append(pd.DataFrame({
            "table": item, "row": judged["cell"].str.split().str[0], "published": judged["published"].astype(float),
            "reproduced": judged["reproduced"].astype(float), "se": judged["se"], "verdict": judged["verdict"]}))
    return pd.concat(parts, ignore_index=True)


def _cells(rates, columns):
    parts = [pd.DataFrame({"cell": rates["row"] + name, "execution": rates["execution"], "value": values})
             for name, values in columns.items()]
    return pd.concat(parts, ignore_index=True)


def experiment(method, parameter, samples, test, order, records, variables, standardise, partners, moments, random_state):
    """One masked file and some samples: mean and standard deviation of the share of right links, in both directions,
    with ties three ways, on the sampled records and, for Table 9, on others."""
    census = datasets.load("census", order=order)
    census.attrs = {}  # copied with every selection, and not needed
    linked = [census.columns[parameter - 1]] if method == "Noise1-7" and parameter else census.columns[:LINKED]
    masked = None if records == "sample" else mask(census, method, parameter, variables, standardise, partners, random_state)
    rates = []
    for _ in range(samples):
        places = random_state.permutation(len(census))
        parts = {"train": places[:TRAIN]} | ({"test": places[TRAIN:TRAIN + TEST]} if test else {})
        pairs = {}
        for part, chosen in parts.items():
            original = census.iloc[chosen]
            released = masked.iloc[chosen] if masked is not None else mask(
                original, method, parameter, variables, standardise, partners, random_state)
            pairs[part] = original[linked], released[linked]
        source = pairs["train"] if moments == "train" else moments
        rates += [{"part": part, **rate} for part, pair in pairs.items() for rate in _linked(*pair, source)]
    grouped = pd.DataFrame(rates).groupby(["part", "direction", "ties"], sort=False)["rate"]
    return grouped.agg(["mean", "std"]).rename(columns={"std": "sd"}).reset_index().to_dict("records")


def mask(file, method, parameter, variables, standardise, partners, random_state):
    """The first variables of the file under one of the paper's methods, by its printed name."""
    file = file.iloc[:, :variables]
    if method == "RankSwap":
        masked = rank_swap(file, parameter, random_state, partners)
    elif method == "Noise":
        masked = add_noise(file, parameter, random_state)
    elif method == "Noise1-7":
        masked = add_noise(file.iloc[:, :LINKED], list(range(1, LINKED + 1)), random_state)
    elif method in NONUNIFORM:
        groups, ks = NONUNIFORM[method]
        sizes = np.diff(np.minimum(np.cumsum(groups), file.shape[1]), prepend=0)  # groups end where the variables do
        masked = microaggregate(file, [k for k, size in zip(ks, sizes) if size], [int(size) for size in sizes if size],
                                standardise=standardise)
    else:
        masked = microaggregate(file, parameter, int(method.removeprefix("Mic")), standardise=standardise)
    masked.attrs = {}
    return masked


def _linked(original, masked, moments):
    """Shares of right links in both directions, with ties all three ways."""
    for direction in DIRECTIONS:
        right = link(original, masked, dbrl1(standardise=moments), direction, ties="expected")["right"]
        for ties, value in zip(TIES, (right == 1, right > 0, right)):
            yield {"direction": direction, "ties": ties, "rate": float(value.mean())}


def readings(executions, seed):
    """Percentages under each reading of what the paper leaves open: a row a reading and printed cell."""
    parts = []
    for reading, (changes, items) in {"chosen": ({}, TABLES), **READINGS}.items():
        for item in items:
            chosen = {**CHOICES, **CHOICES_OF.get(item, {})}
            other = {name: value[chosen[name]] if isinstance(value, dict) else value for name, value in changes.items()}
            table = beside_print({item: standard_linkage(item, executions, seed, **other)})
            parts.append(table.assign(reading=reading, difference=table["reproduced"] - table["published"]))
    return pd.concat(parts, ignore_index=True)


def fit(readings):
    """How well each reading fits each table: matching cells, mean difference and mean absolute difference."""
    grouped = readings.groupby(["reading", "table"], sort=False)
    return grouped.agg(
        cells=("verdict", "size"), match=("verdict", lambda verdict: (verdict == "match").sum()),
        mean_difference=("difference", "mean"),
        mean_absolute_difference=("difference", lambda difference: difference.abs().mean())).reset_index()
