"""Abril, Navarro-Arribas & Torra (2012): weights of a linkage distance learned from the data."""

import numpy as np
import pandas as pd

from ..._internal.inputs import remembered
from ... import datasets
from ...compendium import published, scorecard
from ...distances import dbrl1
from ...learning import WeightedMean
from ...linkage.distance import DIRECTIONS, TIES
from ...masking import add_noise, microaggregate, rank_swap
from ...compendium.sweep import drawn_by, sweep
from ..._internal.exhaustive import right_both_ways

SAMPLES, TRAIN, TEST = (
    10,
    400,
    500,
)  # samples of one masked file; records that are linked; others, for Table 9

#: Experiments behind each cell, by profile: with equal weights, and with learned ones; and samples of each masked file for the
#: latter. With m experiments the standard error of a difference from print is s sqrt(1 + 1/m), so that more of the costly ones
#: would hardly narrow it. What they improve is s itself: two standard errors miss a true match in 7.7 percent of the cells at
#: m = 10, in 6.0 percent at m = 20.
PROFILES = {
    "quick": {"standard": 2, "learned": 1, "samples": 2},
    "full": {"standard": 30, "learned": 10, "samples": SAMPLES},
}

LINKED = 7  # variables that are linked: the first seven
WORK = 1_000_000_000  # rows that a proof may look at; minutes, and none of the paper's files needs as much

#: The files of Tables 7 to 9: groups of variables and k of each group.
NONUNIFORM = {
    row.file: ([int(size) for size in row.groups.split("-")], [int(k) for k in row.ks.split("-")])
    for row in published.table("abril2012_table7_9_nonuniform").itertuples()
}

#: Microaggregation along one line: each variable's own, the sum of z-scores, the first principal component.
PROJECTIONS = {"MicIR": "individual", "MicZ": "zscores", "MicPCP": "pca"}

#: Figures 2 to 5: all protection methods and parameters, 177 settings.
GRID = [
    *(
        (method, k)
        for method in (*PROJECTIONS, "Mic2", "Mic3", "Mic4", "Mic5", "Mic6", "MicAll")
        for k in range(3, 21)
    ),
    *(("RankSwap", p) for p in range(1, 7)),
    *(("Noise", p) for p in (1, 2, 4, 6, 8, 10, 12, 14, 16)),
]

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
PERCENTAGES = r"^(?!Avg).* (?:dbrl|dwm2|re-identification)$"

#: What the paper does not say: whose order numbers the variables; whether the whole file is masked or each sample
#: on its own; how many variables are masked; whether clusters are formed on standardised values; which ranks are
#: swapped; by whose moments the distance standardises, or by none; which file is linked to which; how ties count.
CHOICES = {
    "order": "file",
    "records": "file",
    "variables": 13,
    "standardise": True,
    "partners": "above",
    "moments": "own",
    "direction": "m2o",
    "ties": "strict",
}

#: Where a table needs another choice than the rest; notebook 13 shows how far off every other choice is.
CHOICES_OF = {
    "table5": {"order": "alphabetical"},
    "table6": {"order": "alphabetical"},
    "prose": {"order": "alphabetical"},
    "table7": {"standardise": False, "direction": "o2m"},
    "table9": {"standardise": False, "direction": "o2m"},
}

#: Other readings, one choice changed at a time, and the tables that it can move.
READINGS = {
    "the other direction": ({"direction": {"m2o": "o2m", "o2m": "m2o"}}, TABLES),
    "ties count one over their number": ({"ties": "expected"}, TABLES),
    "ties count as right": ({"ties": "lenient"}, TABLES),
    "the other order of variables": (
        {"order": {"file": "alphabetical", "alphabetical": "file"}},
        TABLES,
    ),
    "only the sample is masked": ({"records": "sample"}, TABLES),
    "only 7 variables are masked": ({"variables": 7}, ["table3", "table7", "table9"]),
    "the other scale for clustering": (
        {"standardise": {True: False, False: True}},
        ["table3", "table7", "table9"],
    ),
    "moments of the original": ({"moments": "original"}, TABLES),
    "moments of both files": ({"moments": "pooled"}, TABLES),
    "moments of the training records": ({"moments": "train"}, ["table9"]),
    "distance not standardised": (
        {"moments": "none"},
        [item for item in TABLES if item != "table6"],
    ),
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


def without_repetition(order, first=7):
    """Which of the first variables have no repeated value (section 4.1 says V1, V2, V3 and V5)."""
    census = datasets.load("census", order=order)
    return [
        number
        for number, name in list(census.attrs["variables"].items())[:first]
        if census[name].is_unique
    ]


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


def _choices(item, changed):
    return {**CHOICES, **CHOICES_OF.get(item, {}), **changed}


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


# Linkage by learned weights: Tables 2 to 5 and 7 to 9, Figures 2 to 5.


def learned_linkage(settings, executions, seed, samples=SAMPLES, test=False, **choices):
    """Weights learned on samples of masked files: a row a sample.

    Parameters
    ----------
    settings : list of (method, parameter)
    executions, seed : int
    samples : int
        Samples of 400 records of each masked file.
    test : bool
        Also link 500 other records with the weights learned.
    **choices
        As in `CHOICES`.

    Returns
    -------
    DataFrame
        Beside the setting: `sample`, and of 400 records `dbrl` (linked by equal weights), `linked` (by the best ones)
        and `bound` (that none exceed), `work` (rows looked at), `seconds` (of processor time), and one column a weight;
        `dbrl_test` and `linked_test` are shares of the other records.
    """
    choices = {**CHOICES, **choices}
    del choices["ties"]
    grid = [
        {"method": method, "parameter": parameter, "samples": samples, "test": test, **choices}
        for method, parameter in settings
    ]
    return sweep(learn, grid, executions=executions, seed=seed)


@drawn_by("method", "parameter")
def learn(
    method,
    parameter,
    samples,
    test,
    order,
    records,
    variables,
    standardise,
    partners,
    moments,
    direction,
    random_state,
):
    """One masked file and some samples: the best weights of each, proved."""
    rows = []
    for sample, pairs in enumerate(
        _samples(
            method,
            parameter,
            samples,
            test,
            order,
            records,
            variables,
            standardise,
            partners,
            random_state,
        )
    ):
        learner = WeightedMean({"train": "fit", "none": None}.get(moments, moments), direction)
        learner.fit(*pairs["train"], work_limit=WORK, progress=False)
        equal = learner.with_parameters(*pairs["train"], [1] * LINKED)
        row = {
            "sample": sample,
            "dbrl": int(equal.right(*pairs["train"]).sum()),
            "linked": learner.linked_,
            "bound": learner.bound_,
            "work": learner.work_,
            "seconds": learner.cpu_seconds_,
            **{f"V{v}": float(weight) for v, weight in enumerate(learner.parameters_, 1)},
        }
        if test:
            row |= {
                "dbrl_test": equal.score(*pairs["test"]),
                "linked_test": learner.score(*pairs["test"]),
            }
        rows.append(row)
    return rows


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


def least_protected(table8):
    """Whether the largest mean weight is on a variable of the group with the least k, by file."""
    means = table8.groupby("cell")["value"].mean()
    answers = {}
    for file, (groups, ks) in NONUNIFORM.items():
        k = np.repeat(ks, groups)[:LINKED]
        answers[file] = bool(
            k[np.argmax([means[f"{file} V{v}"] for v in range(1, LINKED + 1)])] == k.min()
        )
    return pd.Series(answers, name="least protected")


def one_sample(method, parameter, random_state):
    """400 original and masked records as the tables take them, and a learner with their choices, not yet fitted."""
    item = "table5" if method == "Noise1-7" else "table7" if method in NONUNIFORM else "table3"
    choices = _choices(item, {})
    made_by = [
        choices[name] for name in ("order", "records", "variables", "standardise", "partners")
    ]
    pairs = next(_samples(method, parameter, 1, False, *made_by, random_state))["train"]
    return pairs, WeightedMean(choices["moments"], choices["direction"])


@drawn_by()
def key_attributes(random_state):
    """The file with noise of 1 to 7 percent, one sample: records that the best, the printed and equal weights link."""
    pairs, learner = one_sample("Noise1-7", None, random_state)
    learner.fit(*pairs, progress=False)
    printed = published.table("abril2012_table5_6_key_attributes")["weight"].to_list()
    others = {
        name: int(learner.with_parameters(*pairs, weights).right(*pairs).sum())
        for name, weights in (("printed", printed), ("equal", [1] * LINKED))
    }
    return {
        "linked": learner.linked_,
        "bound": learner.bound_,
        **others,
        **{f"V{v}": float(weight) for v, weight in enumerate(learner.parameters_, 1)},
    }


def table5(samples):
    """Table 5, judged as its optimum is not unique: a printed weight holds by its place and by its company.

    The printed weights *together* must link as many records as any weights do, in at least 5 percent of our samples
    (theirs is one sample that nobody else has); and the printed weight must have the same place among the seven, from
    the largest down, as our mean weight; printed weights that are equal share their places.

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


@drawn_by("method", "parameter")
def flatness(method, parameter, random_state):
    """How much the best weights of one sample can vary: a row a variable."""
    pairs, learner = one_sample(method, parameter, random_state)
    ranges = learner.fit(*pairs, progress=False).ranges(*pairs)
    return [
        {
            "variable": f"V{v}",
            "weight": weight,
            "least": ranges.iloc[v - 1, 0],
            "largest": ranges.iloc[v - 1, 1],
            "linked": learner.linked_,
            "status": learner.status_,
        }
        for v, weight in enumerate(learner.parameters_, 1)
    ]


def whole_pair(method, parameter, random_state):
    """All records of Census and of one masked file, the variables that are linked on."""
    choices = _choices("table7" if method in NONUNIFORM else "table3", {})
    masking, _ = random_state.spawn(2)
    made_by = (choices[name] for name in ("variables", "standardise", "partners"))
    masked = _masked(choices["order"], method, parameter, *made_by, masking)
    return _census(choices["order"]).iloc[:, :LINKED], masked.iloc[:, :LINKED]


@drawn_by("method", "parameter")
def whole_file(method, parameter, random_state):
    """Weights learned on 400 records, tried on all 1080, beside equal ones."""
    choices = _choices("table7" if method in NONUNIFORM else "table3", {})
    whole = whole_pair(method, parameter, random_state)
    records = len(whole[0])
    places = random_state.permutation(records)[:TRAIN]
    learner = WeightedMean(choices["moments"], choices["direction"])
    learner.fit(*(file.iloc[places] for file in whole), work_limit=WORK, progress=False)
    return {
        "records": records,
        "equal": learner.with_parameters(*whole, [1] * LINKED).score(*whole),
        "sample": learner.score(*whole),
    }


@drawn_by("method", "parameter")
def whole_best(method, parameter, random_state):
    """The best weights for all 1080 records: the true worst case of the file."""
    choices = _choices("table7" if method in NONUNIFORM else "table3", {})
    whole = whole_pair(method, parameter, random_state)
    best = WeightedMean(choices["moments"], choices["direction"]).fit(
        *whole, work_limit=WORK, progress=False
    )
    return {"best": best.linked_ / len(whole[0]), "bound": best.bound_ / len(whole[0])}


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


@drawn_by("method", "parameter")
def experiment(
    method,
    parameter,
    samples,
    test,
    sources,
    order,
    records,
    variables,
    standardise,
    partners,
    random_state,
):
    """One masked file and some samples: mean and standard deviation of the share of right links, by whose moments the distance
    standardises, in both directions, with ties three ways, on the sampled records and, for Table 9, on others."""
    rates = []
    for pairs in _samples(
        method,
        parameter,
        samples,
        test,
        order,
        records,
        variables,
        standardise,
        partners,
        random_state,
    ):
        for part, pair in pairs.items():
            for moments in sources:
                source = {"train": pairs["train"], "none": None}.get(moments, moments)
                rates += [
                    {"part": part, "moments": moments, **rate} for rate in _linked(*pair, source)
                ]
    grouped = pd.DataFrame(rates).groupby(["part", "moments", "direction", "ties"], sort=False)[
        "rate"
    ]
    return (
        grouped.agg(["mean", "std"]).rename(columns={"std": "sd"}).reset_index().to_dict("records")
    )


def _samples(
    method, parameter, samples, test, order, records, variables, standardise, partners, random_state
):
    """Samples of one masked file: original and masked records to train on and, for Table 9, others to test.

    Masking and sampling have generators of their own, so that a file masked otherwise is sampled at the same records.
    """
    masking, sampling = random_state.spawn(2)
    census = _census(order)
    linked = (
        [census.columns[parameter - 1]]
        if method == "Noise1-7" and parameter
        else census.columns[:LINKED]
    )
    originals = census[linked]
    if records == "file":
        masked = _masked(order, method, parameter, variables, standardise, partners, masking)[
            linked
        ]
    for _ in range(samples):
        places = sampling.permutation(len(census))
        parts = {"train": places[:TRAIN]} | ({"test": places[TRAIN : TRAIN + TEST]} if test else {})
        yield {
            part: (
                originals.iloc[chosen],
                masked.iloc[chosen]
                if records == "file"
                else mask(
                    census.iloc[chosen],
                    method,
                    parameter,
                    _clustered(method, variables),
                    standardise,
                    partners,
                    masking,
                )[linked],
            )
            for part, chosen in parts.items()
        }


def _masked(order, method, parameter, variables, standardise, partners, random_state):
    """The whole of Census under one of the methods; nothing is random in microaggregation, so a process does that once."""
    if method in ("RankSwap", "Noise", "Noise1-7"):
        # One variable after the other: those that are not linked come last.
        return mask(_census(order), method, parameter, LINKED, standardise, partners, random_state)
    return _microaggregated(order, method, parameter, _clustered(method, variables), standardise)


def _clustered(method, variables):
    """How many variables must be masked for those that are linked: groups of microaggregation that hold none are left out."""
    size = method.removeprefix("Mic")
    groups = (
        NONUNIFORM[method][0]
        if method in NONUNIFORM
        else [int(size) if size.isdigit() else variables] * variables
    )
    ends = np.cumsum(groups)
    return min(variables, int(ends[ends >= LINKED][0]))


@remembered
def _microaggregated(order, method, parameter, variables, standardise):
    return mask(_census(order), method, parameter, variables, standardise, None, None)


@remembered
def _census(order):
    census = datasets.load(
        "census", order=order
    ).copy()  # a copy has its columns in one piece: records are faster to select
    census.attrs = {}  # copied with every selection, and not needed
    return census


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
        sizes = np.diff(
            np.minimum(np.cumsum(groups), file.shape[1]), prepend=0
        )  # groups end where the variables do
        masked = microaggregate(
            file,
            [k for k, size in zip(ks, sizes) if size],
            [int(size) for size in sizes if size],
            standardise=standardise,
        )
    elif method in PROJECTIONS:
        masked = microaggregate(
            file, parameter, method=PROJECTIONS[method], standardise=standardise
        )
    else:
        size = file.shape[1] if method == "MicAll" else int(method.removeprefix("Mic"))
        masked = microaggregate(file, parameter, size, standardise=standardise)
    masked.attrs = {}
    return masked


def _linked(original, masked, moments):
    """Shares of right links in both directions, with ties all three ways."""
    compared = dbrl1(standardise=moments)(original, masked)
    for direction, share in zip(DIRECTIONS, right_both_ways(compared.original, compared.masked)):
        for ties, value in zip(TIES, (share == 1, share > 0, share)):
            yield {"direction": direction, "ties": ties, "rate": float(value.mean())}


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


def fit(readings):
    """How well each reading fits each table: matching cells, mean difference and mean absolute difference."""
    grouped = readings.groupby(["reading", "table"], sort=False)
    return grouped.agg(
        cells=("verdict", "size"),
        match=("verdict", lambda verdict: (verdict == "match").sum()),
        mean_difference=("difference", "mean"),
        mean_absolute_difference=("difference", lambda difference: difference.abs().mean()),
    ).reset_index()
