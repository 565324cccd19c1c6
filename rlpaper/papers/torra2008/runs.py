"""Torra & Nin (2008): linkage of files without common variables, by aggregated representatives."""

import numpy as np
import pandas as pd

from ..._internal.inputs import remembered
from ... import datasets
from ...compendium import published, scorecard
from ...aggregation import QUANTIFIERS, choquet, sugeno
from ...distances import dbrl1, prepared
from ...linkage.chance import links_by_chance, links_by_chance_at_least, simulate_links
from ...linkage.distance import link_one_to_one, right
from ...linkage.probabilistic import FellegiSunter, same_bin, within_share
from ...linkage.no_common_variables import link_by_rank, normalised, symmetric_operators, transform
from ...compendium.sweep import drawn_by, sweep

RECORDS = 100
STUDY = 10  # executions of the paper's study

#: The two attribute sets of each data file, as printed (section 4.2); V2 V4 in the list of wdbc has lost its dash.
ATTRIBUTES = {
    "abalone": ("Height WholeWeight VisceraWeight", "Length Diameter ShuckedWeight ShellWeight"),
    "ionosphere": ("a5 a7 a9 a11 a13 a20", "a15 a17 a19 a21 a23 a30"),
    "census": (
        "AFNLWGT EMCONTRB PTOTVAL TAXINC POTHVAL PEARNVAL WSALVAL",
        "AGI FEDTAX STATETAX INTVAL FICA ERNVAL",
    ),
    "wdbc": (
        "V2 V3 V4 V6 V7 V8 V10 V12 V13 V18 V20 V26 V29 V32",
        "V5 V9 V15 V16 V19 V22 V23 V24 V25 V27 V28 V30",
    ),
    "water_treatment": (
        "PH-E DBO-E SS-E SSV-E SED-E COND-E DBO-D SSV-D DBO-S RD-DBO-S RD-DQO-S",
        "PH-P DBO-P SS-P SSV-P SED-P COND-P PH-D DQO-D COND-D SS-S SED-S COND-S RD-DBO-G RD-DQO-G",
    ),
    "iris": ("V1 V3", "V2 V4"),
    "dermatology": (
        "Polygonal_papules Follicular_papules Oral_mucosal Knee_and_elbow Scalp_involvement Melanin_incontinence Exocytosis "
        "Focal_hypergranulosis Follicular_horn_plug",
        "Clubbing Elongation Thinning Vacuolisation Saw-tooth_appearance Perifollicular_parakeratosis Band-like_infiltrate",
    ),
    "housing": ("INDUS RM AGE RAD", "NOX TAX MEDV"),
}
PRINTED = {"abalone": "table5", "ionosphere": "table6", "census": "table7", "wdbc": "table8"}
POOR = ("iris", "dermatology", "housing")

NORMALISATIONS = {"N1": "range", "N2": "standard"}
INTEGRALS = {"OWA": "choquet", "SI": "sugeno"}
COLUMNS = [f"{integral}_{family}" for integral in INTEGRALS for family in QUANTIFIERS]

#: Ways of linking the representatives, by name: all choices of the first, and what differs in the others.
LINKAGES = {
    "DBRL": {
        "method": "distance",
        "direction": "m2o",
        "ties": "expected",
        "scope": "sample",
        "standardise": None,
        "missing": "zero",
    },
    "PRL": {"method": "probabilistic"},
    "PRL guarded": {"method": "probabilistic", "guard": 1e-6},
    "one to one": {"method": "one to one"},
    "first file to second": {"direction": "o2m"},
    "a tie is no link": {"ties": "strict"},
    "a tie is a link": {"ties": "lenient"},
    "normalised over the whole file": {"scope": "file"},
    "representatives standardised": {"standardise": "own"},
    "missing values left out": {"missing": "project"},
    "PRL, steps until 0.01": {"method": "probabilistic", "tolerance": 1e-2},
    "PRL, steps until 0.003": {"method": "probabilistic", "tolerance": 3e-3},
    "PRL, steps until 0.0001": {"method": "probabilistic", "tolerance": 1e-4},
    "PRL, agreement in thirds": {"method": "probabilistic", "comparisons": same_bin(3)},
    "PRL, agreement in tenths": {"method": "probabilistic", "comparisons": same_bin(10)},
    "PRL, agreement within 30 percent": {
        "method": "probabilistic",
        "comparisons": within_share(0.3),
    },
    "PRL, no partial agreement": {"method": "probabilistic", "prorate": False},
    "PRL, first file to second": {"method": "probabilistic", "direction": "o2m"},
}

#: Probabilistic linkage by a recipe that fits the paper's tables as well as any tried; the paper says little (notebook 35).
PROBABILISTIC = {"comparisons": same_bin(5), "prorate": True, "guard": None, "tolerance": 1e-3}
MAIN = ["DBRL", "PRL", "PRL guarded", "one to one"]


def example_files():
    """Files A and B of the worked example, as the paper gives them (Tables I and II)."""
    return tuple(published.table(f"torra2008_table{i}_example").set_index("record") for i in (1, 2))


def permutation(a, b):
    """Which attribute of file A each attribute of file B is; an intruder does not know."""
    return {ours: [theirs for theirs in a if (a[theirs] == b[ours]).all()] for ours in b}


def representatives(file):
    """The ten OWA representatives of each record, alpha = 1/5, ..., 10/5 (Table III)."""
    table = transform(file, symmetric_operators("choquet", "Qe"), normalise=None)
    return table.set_axis([f"Q{i}/5" for i in range(1, 11)], axis=1)


def table3():
    """Table III: representatives of file A; those of file B must be the same."""
    a, b = (cells(representatives(file)) for file in example_files())
    return a.assign(value_b=b["value"])


def table4(n=100):
    """Table IV: probabilities of r, and of r or more, right links when n records are linked at random."""
    rows = []
    for r in published.table("torra2008_table4_random_linkage")["r"]:
        rows.append((f"r={r} exactly", float(links_by_chance(n, r))))
        rows.append((f"r={r} at least", float(links_by_chance_at_least(n, r))))
    return pd.DataFrame(rows, columns=["cell", "value"])


def chance_simulation(executions, seed, n=100, times=10_000):
    """Random linkages counted, beside the exact probabilities: a check of Table IV that uses no formula."""
    counts = sweep(count_links, {"n": [n], "times": [times]}, executions=executions, seed=seed)
    share = counts.groupby("r")["share"].agg(["mean", "sem"])
    exact = [float(links_by_chance(n, r)) for r in share.index]
    return (
        share.rename(columns={"mean": "simulated", "sem": "se"}).assign(exact=exact).reset_index()
    )


@drawn_by("n", "times")
def count_links(n, times, random_state):
    links = simulate_links(n, times, random_state)
    return [{"r": r, "share": float(np.mean(links == r))} for r in range(6)]


def figure1():
    """Figure 1: what the two files of the disclosure scenario hold."""
    return pd.DataFrame(
        [
            ("A, published", "key attributes"),
            ("A, published", "sensitive attributes"),
            ("B, intruder", "identifiers"),
            ("B, intruder", "key attributes"),
        ],
        columns=["file", "attributes"],
    )


def figure2(seed, retailers=12):
    """Figure 2: made-up retailers whose business type follows from benefits and start-up costs.

    File A knows benefits and start-up costs, file B the business type. The files have no attribute in common,
    yet both divide the retailers into the same groups.
    """
    rng = np.random.default_rng(seed)
    centres = {"kiosk": (2, 1), "bakery": (4, 4), "pharmacy": (8, 5), "supermarket": (7, 9)}
    rows = []
    for kind, centre in centres.items():
        for benefits, costs in rng.normal(centre, 0.5, (retailers // len(centres), 2)):
            rows.append((kind, benefits, costs))
    return pd.DataFrame(rows, columns=["business type", "benefits", "start-up costs"])


def quantifier_curves(family, points=201):
    """Figures 3 to 5: the quantifiers of a family (``"Qe"``, ``"Qs"`` or ``"Qt"``) on a grid of [0, 1]."""
    make, alphas = QUANTIFIERS[family]
    x = np.linspace(0, 1, points)
    return pd.concat(
        [pd.DataFrame({"alpha": alpha, "x": x, "Q": make(alpha)(x)}) for alpha in alphas],
        ignore_index=True,
    )


def cells(table):
    """A printed table as tidy rows, cells named by record and column."""
    return pd.DataFrame(
        [
            (f"{record} {column}", table.loc[record, column])
            for record in table.index
            for column in table
        ],
        columns=["cell", "value"],
    )


# Tables V to VIII.


@remembered  # read once in each process; nobody changes them
def files(dataset, without=None):
    """The two files of a data set, `without` one of its attributes.

    The diagnosis of wdbc is coded 0 for M and 1 for B.
    """
    file, lists = attribute_lists(dataset)
    return [
        file[[attribute for attribute in attributes if attribute != without]]
        for attributes in lists
    ]


def attribute_lists(dataset):
    """A data set and the names of the columns in the two printed lists."""
    file = datasets.load(dataset)
    numbers = file.attrs["variables"]
    file.attrs = {}
    if dataset == "wdbc":
        file["diagnosis"] = (file["diagnosis"] == "B").astype(float)
    return file, [
        [numbers.get(attribute, attribute) for attribute in text.split()]
        for text in ATTRIBUTES[dataset]
    ]


def study(names, executions, seed, linkages=MAIN, records=RECORDS, without=None):
    """Right links of each data set, normalisation, operator and linkage: a row an execution.

    Parameters
    ----------
    names : list of str
        Data sets, see `files`.
    executions, seed : int
    linkages : list of str
        Of `LINKAGES`. All have the same samples.
    records : int or None
        Size of a sample; None takes all records.
    without : str, optional
        An attribute that is left out.
    """
    grid = [
        {"dataset": name, "records": records, "linkages": list(linkages), "without": without}
        for name in names
    ]
    return sweep(experiment, grid, executions=executions, seed=seed).drop(
        columns=["records", "linkages", "without"]
    )


@drawn_by("dataset", "records")
def experiment(dataset, records, linkages, random_state, without=None):
    """One sample of a data set, linked in all ways."""
    whole = files(dataset, without)
    places = np.sort(random_state.permutation(len(whole[0]))[:records])
    sample = [file.iloc[places] for file in whole]
    rows = []
    ways = {linkage: {**LINKAGES["DBRL"], **LINKAGES[linkage]} for linkage in linkages}
    for normalisation, normalise in NORMALISATIONS.items():
        ready = {
            scope: normalised_by(whole, sample, normalise, scope)
            for scope in {way["scope"] for way in ways.values()}
        }
        for column in COLUMNS:
            made = {}
            for linkage, way in ways.items():
                how = way["scope"], way["missing"]
                if how not in made:
                    a, b = (
                        representatives_of(file, column, way["missing"])
                        for file in ready[way["scope"]]
                    )
                    made[how] = a, b, prepared(PROBABILISTIC["comparisons"], a, b)
                a, b, agreement = made[how]
                rows.append(
                    {
                        "normalisation": normalisation,
                        "column": column,
                        "linkage": linkage,
                        "size": len(places),
                        "right": float(right_links(a, b, {"comparisons": agreement, **way})),
                    }
                )
    return rows


def normalised_by(whole, sample, normalise, scope="sample"):
    """The sampled records of both files, normalised by their own values or by those of the whole files."""
    if scope == "sample":
        return [normalised(file, normalise) for file in sample]
    return [normalised(file, normalise).loc[part.index] for file, part in zip(whole, sample)]


def representatives_of(file, column, missing="zero"):
    """The representatives of the records of a normalised file, by one column of the tables."""
    integral, family = column.split("_")
    return transform(file, symmetric_operators(INTEGRALS[integral], family), None, missing)


def right_links(a, b, way):
    """Number of right links."""
    if way["method"] == "probabilistic":
        return right(
            a, b, probabilistic(way).fit(a, b).distance_, way["direction"], way["ties"]
        ).sum()
    if way["method"] == "one to one":
        return link_one_to_one(a, b, dbrl1(way["standardise"]))["right"].sum()
    return right(a, b, dbrl1(way["standardise"]), way["direction"], way["ties"]).sum()


def probabilistic(way):
    return FellegiSunter(**{name: way.get(name, value) for name, value in PROBABILISTIC.items()})


def tables(study):
    """Tables V to VIII as tidy frames, by item."""
    printed = study[study["linkage"].isin(["DBRL", "PRL"]) & study["dataset"].isin(PRINTED)]
    cells = printed.assign(
        item=printed["dataset"].map(PRINTED),
        value=printed["right"],
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
        index=["dataset", "normalisation", "linkage"], columns="column", values="right", sort=False
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
    against what guarded and distance-based linkage give."""
    pairs = (("DBRL", "DBRL"), ("PRL", "PRL"), ("PRL guarded", "PRL"), ("DBRL", "PRL"))
    return pd.concat([held(study, *pair) for pair in pairs], ignore_index=True)


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


def agreement(beside, executions):
    """How many printed cells each linkage matches, and how far it is from them on average.

    `match` follows the verdicts, where our mean is that of all executions. `two studies` asks for less: whether print and
    mean are no further apart than two studies of ten executions each would be (2 standard errors of their difference).
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


# The running text: maxima, best averages, baselines and claims.


def prose(study, baselines):
    """All numbers and claims of the running text: a row an execution, where the study as a whole is one."""
    chances = pd.DataFrame(
        [
            (f"probability of {r} or more by chance", float(links_by_chance_at_least(RECORDS, r)))
            for r in (26, 28)
        ],
        columns=["cell", "value"],
    )
    return pd.concat(
        [chances, _extremes(study), _rankings(baselines), claims(study)], ignore_index=True
    )


def _rankings(baselines):
    """The baselines, single runs in print: whether the printed number is among the middle 95 percent of ours."""
    printed = published.cells("torra2008", "prose").set_index("cell")["published"]
    rows = []
    for score, words in (
        ("component", "first principal component"),
        ("z-scores", "sum of z-scores"),
    ):
        cell, right = f"census {words} ranking", baselines.loc[baselines["score"] == score, "right"]
        low, high = right.quantile([0.025, 0.975])
        rows.append(
            (
                cell,
                f"{right.mean():.1f} on average, {low:.0f} to {high:.0f} in 95 percent of the runs",
                bool(low <= float(printed[cell]) <= high),
            )
        )
    return pd.DataFrame(rows, columns=["cell", "value", "holds"])


def _whole_studies(study):
    """The executions in tens: each ten are one study as the paper made it."""
    return study[study["linkage"].isin(["DBRL", "PRL"])].assign(study=study["execution"] // STUDY)


def _extremes(study):
    whole = _whole_studies(study)
    rows = []
    for (dataset, number), part in whole.groupby(["dataset", "study"], sort=False):
        best = part.groupby(["normalisation", "column", "linkage"])["right"].mean().max()
        name = dataset.replace("_", " ")
        rows += [(f"{name} maximum", part["right"].max()), (f"{name} best average", best)]
    table = pd.DataFrame(rows, columns=["cell", "value"])
    return table[table["cell"].isin(published.cells("torra2008", "prose")["cell"])]


def best_averages(study):
    """The best average of each data set: which normalisation, operator and linkage, and how many right links."""
    mean = (
        _whole_studies(study)
        .groupby(["dataset", "normalisation", "column", "linkage"], sort=False)["right"]
        .mean()
        .reset_index()
    )
    return mean.loc[mean.groupby("dataset", sort=False)["right"].idxmax()].reset_index(drop=True)


#: What the paper says is better, as pairs of selections of the cells of its tables.
COMPARISONS = {
    "Choquet integral more successful than Sugeno integral": [
        ({"integral": "OWA"}, {"integral": "SI"})
    ],
    "Qt better than Qe and Qs": [
        ({"family": "Qt"}, {"family": "Qe"}),
        ({"family": "Qt"}, {"family": "Qs"}),
    ],
    "distance-based linkage more suitable than probabilistic": [
        ({"linkage": "DBRL"}, {"linkage": "PRL"})
    ],
    "standardisation preferable over ranging": [({"normalisation": "N2"}, {"normalisation": "N1"})],
}


def comparisons(study):
    """Each comparison of the paper, over the cells of its tables: in our executions, and in its printed averages.

    Parameters
    ----------
    study : DataFrame
        As `study` gives it. Of its linkages, those that the paper prints are compared, DBRL, PRL or both.

    Returns
    -------
    DataFrame
        A row a comparison and source: how many pairs of cells there are, in how many the first is better, their mean
        difference and (ours) its standard error over the executions, which have their samples in common.
    """
    cells = ["dataset", "normalisation", "linkage", "integral", "family"]
    ours = _whole_studies(study).query("dataset in @PRINTED")
    printed = published.table("torra2008_table5_8_reidentified").melt(
        cells[:3], var_name="column", value_name="right"
    )
    printed = printed[printed["linkage"].isin(ours["linkage"])].assign(execution=0)
    tables = {}
    for source, table in (("reproduced", ours), ("printed", printed)):
        names = table["column"].str.split("_", expand=True)
        tables[source] = table.assign(integral=names[0], family=names[1]).pivot_table(
            index=cells, columns="execution", values="right"
        )
    rows = []
    for claim, pairs in COMPARISONS.items():
        for first, second in pairs:
            (level, best), (_, other) = *first.items(), *second.items()
            for source, table in tables.items():
                if not {best, other} <= set(table.index.get_level_values(level)):
                    continue
                difference = table.xs(best, level=level) - table.xs(other, level=level)
                mean = difference.mean()
                rows.append(
                    {
                        "claim": claim,
                        "first": best,
                        "second": other,
                        "source": source,
                        "pairs": len(difference),
                        "better": int((difference.mean(axis=1) > 0).sum()),
                        "difference": mean.mean(),
                        "se": mean.std(ddof=1) / np.sqrt(len(mean)) if len(mean) > 1 else np.nan,
                    }
                )
    return pd.DataFrame(rows)


def claims(study):
    """The claims of the text with what was measured. A comparison holds where its mean difference is above 2 standard
    errors; "at least ten percent" where every file that is not poor has a best average of 10 or more."""
    rows = []
    table = comparisons(study).query("source == 'reproduced'")
    for claim, part in table.groupby("claim", sort=False):
        words = "; ".join(
            f"{row.first} {row.difference:+.2f} against {row.second}, better in {row.better} of {row.pairs}"
            for row in part.itertuples()
        )
        rows.append((claim, words, bool((part["difference"] > 2 * part["se"]).all())))
    best = best_averages(study).set_index("dataset")["right"]
    rich = best.drop(list(POOR), errors="ignore")
    words = ", ".join(f"{name.replace('_', ' ')} {value:.1f}" for name, value in rich.items())
    rows.append(
        (
            "at least ten percent re-identified except in the poor files",
            words,
            bool((rich >= 10).all()),
        )
    )
    rows.append(
        (
            "average re-identification",
            f"best averages {rich.min():.1f} to {rich.max():.1f}, mean {rich.mean():.1f}",
            bool(10 <= rich.mean() <= 20),
        )
    )
    water = (
        _whole_studies(study)
        .query("dataset == 'water_treatment'")
        .groupby(["normalisation", "column", "linkage"])["right"]
        .mean()
    )
    rows.append(
        (
            "water treatment re-identifications",
            f"averages {water.min():.1f} to {water.max():.1f}, median {water.median():.1f}",
            bool(8 <= water.max() <= 12),
        )
    )
    return pd.DataFrame(rows, columns=["cell", "value", "holds"])


def census_baselines(executions, seed, records=90):
    """Right links of 90 census records by one ranking a file, as in the work that the paper compares itself with."""
    return sweep(rank_census, {"records": [records]}, executions=executions, seed=seed)


@drawn_by("records")
def rank_census(records, random_state):
    whole = files("census")
    places = random_state.permutation(len(whole[0]))[:records]
    a, b = (file.iloc[places] for file in whole)
    return [
        {"score": score, "right": float(link_by_rank(a, b, score)["right"].sum())}
        for score in ("component", "z-scores")
    ]


# What EM does when columns repeat each other.


def vanishing(dataset, column, normalisation, seed, steps=12):
    """m and u of every operator after each step of EM on one sample, without a guard and with one; `right` links by the
    probabilities of each step."""
    whole = files(dataset)
    places = np.random.default_rng(seed).permutation(len(whole[0]))[:RECORDS]
    sample = [file.iloc[places] for file in whole]
    a, b = (
        representatives_of(normalised(file, NORMALISATIONS[normalisation]), column)
        for file in sample
    )
    parts = []
    for name, guard in (("none", None), ("1e-6", 1e-6)):
        model = probabilistic(
            {"guard": guard, "tolerance": -1}
        )  # a step for every number up to the last
        for step in range(1, steps + 1):
            model.max_iterations = step
            last = model.fit(a, b).history_.query("step == @step")
            parts.append(
                last.assign(guard=name, right=model.link(a, b, ties="expected")["right"].sum())
            )
    return pd.concat(parts, ignore_index=True)


# Where the paper's propositions end.


def property_failures():
    """Idempotency and bounds of each family: what an operator makes of equal values, at the ends of alpha.

    A row an integral, family, alpha and value: `result` should be the value itself (idempotency).
    """
    rows = []
    for integral, operator in (("OWA", choquet), ("SI", sugeno)):
        for family, (make, alphas) in QUANTIFIERS.items():
            for alpha in (alphas[0], alphas[-1]):
                for value in (1.0, 0.5, -1.0, 2.0):
                    rows.append(
                        (
                            integral,
                            family,
                            alpha,
                            value,
                            float(operator([[value] * 4], make(alpha))[0]),
                        )
                    )
    table = pd.DataFrame(rows, columns=["integral", "family", "alpha", "value", "result"])
    return table.assign(idempotent=np.isclose(table["value"], table["result"]))
