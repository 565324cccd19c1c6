"""Domingo-Ferrer & Torra (2002): linkage and masking of categorical data."""

import itertools

import numpy as np
import pandas as pd

from ..._internal.inputs import remembered
from ... import datasets, utility
from ...compendium import published
from ..._internal.arithmetic import correlation
from ...distances import categorical, combined, likelihood_ratio, prepared
from ...linkage.distance import TIES, link, ranks, share_at, tabled
from ...linkage.probabilistic import FellegiSunter, exact
from ...linkage._search import kinds
from ...masking import bottom_code, pram, recode_rare, top_code, transitions
from ...compendium.sweep import drawn_by, sweep

RECORDS = 1000

#: Draws of PRAM, and parameters of all maskings, by profile; the notebooks share what they compute.
PROFILES = {
    "quick": {"executions": 1, "parameters": [1, 9]},
    "full": {"executions": 5, "parameters": list(range(1, 10))},
}

FILES = ("ahs", "income_esl", "adult")
METHODS = ("bottom", "global", "pram", "top")
PARAMETERS = range(1, 10)
GROUPS = ("u", "l", "s", "m", "o")

#: Variables of the two replications by number of categories: four with few, three with more, three with most, as in Table 2.
VARIABLES = {
    "income_esl": {
        "s": ["education", "marital status", "years in bay area", "householder status"],
        "m": ["occupation", "ethnic classification", "age"],
        "l": ["number of children", "income", "number in household"],
    },
    "adult": {
        "s": ["marital-status", "capital-gain", "relationship", "race"],
        "m": ["occupation", "hours-per-week", "workclass"],
        "l": ["native-country", "education", "age"],
    },
}
BINS = {
    "age": [0, *range(20, 85, 5), np.inf],
    "hours-per-week": [0, *range(10, 100, 10), np.inf],
    "capital-gain": [0, 1, 3000, 5000, 10_000, 20_000, np.inf],
}

#: Pairs of different and of the same individual that may be classified wrong; the paper does not give its bounds.
FALSE_LINKS, FALSE_NONLINKS = 0.001, 0.05

#: Counts as the printed tables look (notebook 44): a link is right when the original has the values of the right one; each
#: masked record to the nearest original, the first in the file of equally near ones; PRL one to one. And counts of right
#: individuals that no order of the records can change.
PRINTED = {
    "DBRL": ("DBRL", "same values"),
    "PRL": ("PRL one to one", "same values"),
    "DBRL aware": ("DBRL aware", "same values"),
}
EXPECTED = {
    "DBRL": ("DBRL", "expected"),
    "PRL": ("PRL", "expected"),
    "DBRL aware": ("DBRL aware", "expected"),
}

MEASURES = ("Dist", "CTBIL", "ACTBIL", "EBILRF", "ILRF", "EBILMF", "ILMF")
SMOOTHING = 0.5  # for categories that the reference file lacks
ORDER = 2  # variables in a contingency table


# Files.


def files(dataset):
    """The 1000 records that are masked, and the reference file of all later ones: complete records of ten variables."""
    whole = _replication(dataset) if dataset in VARIABLES else datasets.load(dataset)
    surrogate = bool(whole.attrs.get("surrogate"))
    sized = VARIABLES[dataset] if dataset in VARIABLES else _printed_groups()
    whole = (
        whole[[name for part in ("s", "m", "l") for name in sized[part]]]
        .dropna()
        .reset_index(drop=True)
    )
    whole.attrs = {"surrogate": True} if surrogate else {}
    if len(whole) <= RECORDS:
        raise ValueError(
            f"{dataset} has {len(whole)} complete records; the study masks the first {RECORDS} and takes the "
            "others as its reference file"
        )
    return whole.iloc[:RECORDS], whole.iloc[RECORDS:]


def variables(dataset, file):
    """The variables of each group: few, more and most categories (s, m, l), the last two together (u), ordinal ones (o)."""
    if dataset == "ahs":
        return _printed_groups()
    groups = VARIABLES[dataset]
    return {
        "u": groups["m"] + groups["l"],
        **groups,
        "o": [name for name in file if file[name].cat.ordered],
    }


def _printed_groups():
    table = published.table("domingo2002_table1_2_variables")
    return {group: table.loc[table[group] == 1, "variable"].tolist() for group in GROUPS}


@remembered  # read and binned once in each process; the survey may be replaced by the user's own at any time
def _replication(dataset):
    return _adult() if dataset == "adult" else datasets.load(dataset)


def _adult():
    """Adult with numbers in classes, and education in the order of its years; the file's own puts professional school low."""
    adult = datasets.load("adult")
    years = adult.groupby("education", observed=True)["education-num"].first().sort_values()
    adult = adult.assign(
        education=adult["education"].cat.reorder_categories(list(years.index), ordered=True)
    )
    for column, edges in BINS.items():
        names = [
            f"{low} to {high - 1}" if np.isfinite(high) else f"{low} or more"
            for low, high in zip(edges, edges[1:])
        ]
        adult[column] = pd.cut(adult[column], edges, right=False, labels=names)
    return adult


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


def mask(file, method, p, scope="all", random_state=None):
    """One of the 36 masked files.

    `scope` is that of top and bottom coding: ordinal variables as the text says, or all, as the printed tables look. A new
    category comes after the last one in top coding and before the first one in bottom coding and global recoding:
    the printed tables have the same counts for these two where one category is left.
    """
    if method == "pram":
        return pram(file, p / 10, random_state)
    if method == "global":
        return recode_rare(file, p, label="recoded", place="start")
    return {"top": top_code, "bottom": bottom_code}[method](file, p, scope, label="recoded")


def frequencies(file, column, p, random_state):
    """How often each category of a column occurs, before and after each masking method."""
    versions = {"original": file} | {
        method: mask(file[[column]], method, p, random_state=random_state) for method in METHODS
    }
    order = list(
        dict.fromkeys(
            name for version in versions.values() for name in version[column].cat.categories
        )
    )
    return pd.DataFrame(
        [
            (name, category, int((version[column] == category).sum()))
            for name, version in versions.items()
            for category in order
        ],
        columns=["file", "category", "records"],
    )


# The experiments.


def study(names, executions, seed, parameters=PARAMETERS, scope="all"):
    """Right links of all masked files, groups and ways of linking and counting; a row each.

    Only PRAM is random: the other files are linked once and stand in every execution.
    """
    return _all_files(links, names, executions, seed, parameters, scope)


def losses(names, executions, seed, parameters=PARAMETERS, scope="all"):
    """Information loss of all masked files and groups by seven measures; the files are those of `study`."""
    return _all_files(loss, names, executions, seed, parameters, scope)


def _all_files(function, names, executions, seed, parameters, scope):
    grid = [
        {
            "dataset": name,
            "method": method,
            "p": p,
            "scope": "all" if method in ("global", "pram") else scope,
        }
        for name, method, p in itertools.product(names, METHODS, parameters)
    ]
    fixed = sweep(function, [setting for setting in grid if setting["method"] != "pram"], seed=seed)
    random = sweep(
        function,
        [setting for setting in grid if setting["method"] == "pram"],
        executions=executions,
        seed=seed,
    )
    repeated = [fixed.assign(execution=execution) for execution in range(executions)]
    table = pd.concat([*repeated, random], ignore_index=True)
    return table.sort_values(
        ["dataset", "execution"],
        kind="stable",
        ignore_index=True,
        key=lambda column: column.map(names.index) if column.name == "dataset" else column,
    )


@drawn_by("dataset", "method", "p")
def links(dataset, method, p, scope, random_state):
    """Right links of one masked file, by group, linkage, direction, place and treatment of ties."""
    file, _ = files(dataset)
    masked = mask(file, method, p, scope, random_state)
    known, masked.attrs = (
        transitions(masked),
        {},
    )  # pandas copies the record of the masking with every step
    return [
        {"group": group, **row}
        for group, names in variables(dataset, file).items()
        for row in _linked(file[names], masked[names], known)
    ]


def _linked(original, masked, known):
    same = prepared(exact(), original, masked)
    model = FellegiSunter(same).fit(original, masked)
    informed = FellegiSunter(same, u="pairs").fit(original, masked)
    ways = {
        "DBRL": categorical(),
        "PRL": model.distance_,
        "PRL, u of all pairs": informed.distance_,
        "DBRL aware": categorical(transitions=known),
        "likelihood ratio": likelihood_ratio(known),
    }
    ways = {name: tabled(distance, original, masked) for name, distance in ways.items()}
    ways["DBRL and PRL"] = tabled(combined(ways["DBRL"], ways["PRL"]), original, masked)
    right = {}
    for linkage, distance in ways.items():
        for direction in ("m2o", "o2m"):
            nearer, tied = ranks(original, masked, distance, direction).to_numpy().T
            for place, ties in itertools.product((1, 2), TIES):
                right[linkage, direction, place, ties] = share_at(nearer, tied, place, ties)
    counts = {key: float(found.sum()) for key, found in right.items()}
    for ties in TIES:
        first, second = (right[linkage, "m2o", 1, ties] for linkage in ("DBRL", "PRL"))
        counts["both", "m2o", 1, ties] = float(np.minimum(first, second).sum())
        counts["either", "m2o", 1, ties] = float(np.maximum(first, second).sum())
    kind, masked_kind = (
        pd.Series(kinds(codes)[0], original.index) for codes in same(original, masked)[:2]
    )
    for linkage in ("DBRL", "DBRL aware", "PRL"):
        nearest = link(original, masked, ways[linkage])["nearest"]
        counts[linkage, "m2o", 1, "same values"] = float(
            (kind[nearest].to_numpy() == kind[nearest.index].to_numpy()).sum()
        )
    counts |= _assigned(model, original, masked, kind, masked_kind)
    return [
        {"linkage": linkage, "direction": direction, "place": place, "ties": ties, "right": count}
        for (linkage, direction, place, ties), count in counts.items()
    ]


def _assigned(model, original, masked, kind, masked_kind):
    """Right links one to one: all, those of linked pairs, those of linked and clerical pairs; equal records are of one kind.

    Counted in the order of the file; expected over all orders; and with links to a record of the same values as right ones,
    expected over all orders of equal masked records.
    """
    pairs = model.link_one_to_one(original, masked)
    upper, lower = model.thresholds(FALSE_LINKS, FALSE_NONLINKS)
    copies = np.bincount(masked_kind)
    together = np.zeros((kind.max() + 1, len(copies)), int)
    np.add.at(together, (kind, masked_kind[kind.index]), 1)
    linked = masked_kind[pairs["partner"]]
    own = together[kind[pairs.index], linked] / copies[linked]
    counts = {}
    for name, threshold in (
        ("PRL one to one", -np.inf),
        ("PRL linked", upper),
        ("PRL linked or clerical", lower),
    ):
        kept = (pairs["weight"] >= threshold).to_numpy()
        counts[name, "", 1, "file order"] = float((pairs["partner"] == pairs.index)[kept].sum())
        counts[name, "", 1, "expected"] = float(pairs["right"][kept].sum())
        counts[name, "", 1, "same values"] = float(own[kept].sum())
    return counts


@drawn_by("dataset", "method", "p")
def loss(dataset, method, p, scope, random_state):
    """Information loss of one masked file, by group."""
    file, reference = files(dataset)
    masked = mask(file, method, p, scope, random_state)
    known, masked.attrs = transitions(masked), {}
    single = pd.DataFrame(
        {name: _losses(file[[name]], masked[[name]], known, reference) for name in file}
    )
    rows = []
    for group, names in variables(dataset, file).items():
        differences, cells = utility.table_differences(file[names], masked[names], ORDER)
        values = {**single[names].sum(axis=1), "CTBIL": differences, "ACTBIL": differences / cells}
        rows += [{"group": group, "measure": name, "loss": values[name]} for name in MEASURES]
    return rows


def _losses(original, masked, known, reference):
    """The measures that are sums over the variables."""
    values = {"Dist": utility.dist(original, masked)}
    for name, source, smoothing in (("RF", reference, SMOOTHING), ("MF", original, 0.0)):
        values[f"EBIL{name}"] = utility.ebil(masked, known, source, smoothing)
        values[f"IL{name}"] = utility.il(original, masked, known, source, smoothing)
    return values


def counted(study, linkage, ties, direction="m2o", place=1):
    """Right links of every experiment by one linkage and count."""
    chosen = study[
        (study["linkage"] == linkage)
        & (study["ties"] == ties)
        & study["direction"].isin([direction, ""])
        & (study["place"] == place)
    ]
    return chosen.set_index(["dataset", "execution", "method", "p", "group"])["right"]


def printed_table(study, linkage, dataset="ahs"):
    """Table 3 (PRL) or 4 (DBRL): right links of group s, cells as printed."""
    found = (
        counted(study, *PRINTED[linkage])
        .xs((dataset, "s"), level=("dataset", "group"))
        .reset_index()
    )
    found["cell"] = "p=" + found["p"].astype(str) + " " + found["method"]
    return found.rename(columns={"right": "value"})[["cell", "execution", "value"]]


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
        rows += [(linkage, *key, right, table.loc[key[2], key[1]]) for key, right in found.items()]
    return pd.DataFrame(rows, columns=["linkage", "dataset", "method", "p", "right", "published"])


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
        both = loss.assign(right=counted(study, *counts[linkage]))
        for names, part in both.groupby(["dataset", "execution", *within], sort=False):
            for measure in MEASURES:
                rows.append((*names, linkage, measure, _correlation(part["right"], part[measure])))
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
