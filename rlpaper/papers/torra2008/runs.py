"""What is computed for torra2008: samples linked in all ways, links by chance, steps of EM."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pandas as pd

from ... import datasets
from ..._internal.inputs import remembered
from ...compendium.sweep import drawn_by, sweep
from ...distances import dbrl1, prepared
from ...linkage.assignment import link_one_to_one
from ...linkage.chance import links_by_chance, simulate_links
from ...linkage.fellegi_sunter import FellegiSunter
from ...linkage.nearest import correct_links
from ...linkage.no_common_variables import normalised, representatives, symmetric_operators
from .protocol import (
    ATTRIBUTES,
    COLUMNS,
    INTEGRALS,
    LINKAGES,
    MAIN,
    NORMALISATIONS,
    RECORDS,
    Linkage,
)

# The two files of a data set.


@remembered  # read once in each process; nobody changes them
def files(dataset: str, without: str | None = None) -> list[pd.DataFrame]:
    """Return the two files of a data set, `without` one of its attributes.

    The diagnosis of wdbc is coded 0 for M and 1 for B.
    """
    file, lists = attribute_lists(dataset)
    return [
        file[[attribute for attribute in attributes if attribute != without]]
        for attributes in lists
    ]


def attribute_lists(dataset: str) -> tuple[pd.DataFrame, list[list[str]]]:
    """Return a data set and the names of the columns in the two printed lists."""
    file = datasets.load(dataset)
    numbers = file.attrs["variables"]
    file.attrs = {}
    if dataset == "wdbc":
        file["diagnosis"] = (file["diagnosis"] == "B").astype(float)
    return file, [
        [numbers.get(attribute, attribute) for attribute in text.split()]
        for text in ATTRIBUTES[dataset]
    ]


# Tables V to VIII.


def sampled(
    dataset: str, records: int | None, random_state: np.random.Generator, without: str | None = None
) -> tuple[list[pd.DataFrame], list[pd.DataFrame]]:
    """Return the two files of a data set, and a sample of their records in the files' order."""
    whole = files(dataset, without)
    chosen = np.sort(random_state.permutation(len(whole[0]))[:records])
    return whole, [file.iloc[chosen] for file in whole]


def study(
    names: Sequence[str],
    executions: int,
    seed: int,
    linkages: Sequence[str] = MAIN,
    records: int | None = RECORDS,
    without: str | None = None,
) -> pd.DataFrame:
    """Count the correct links of each data set, normalisation, operator, linkage and execution.

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
def experiment(
    dataset: str,
    records: int | None,
    linkages: Sequence[str],
    random_state: np.random.Generator,
    without: str | None = None,
) -> list[dict]:
    """Link one sample of a data set in all ways."""
    whole, sample = sampled(dataset, records, random_state, without)
    rows = []
    ways = {linkage: LINKAGES[linkage] for linkage in linkages}
    for normalisation, normalise in NORMALISATIONS.items():
        ready = {
            scope: normalised_by(whole, sample, normalise, scope)
            for scope in {way.scope for way in ways.values()}
        }
        for column in COLUMNS:
            made, agreements = {}, {}
            for linkage, way in ways.items():
                how = way.scope, way.missing
                if how not in made:
                    made[how] = [
                        representatives_of(file, column, way.missing) for file in ready[way.scope]
                    ]
                if (how, way.comparisons) not in agreements:
                    agreements[how, way.comparisons] = prepared(way.comparisons, *made[how])
                way = replace(way, comparisons=agreements[how, way.comparisons])
                a, b = made[how]
                rows.append(
                    {
                        "normalisation": normalisation,
                        "column": column,
                        "linkage": linkage,
                        "size": len(a),
                        "correct": float(count_correct(a, b, way)),
                    }
                )
    return rows


def normalised_by(
    whole: list[pd.DataFrame], sample: list[pd.DataFrame], normalise: str, scope: str = "sample"
) -> list[pd.DataFrame]:
    """Normalise the sampled records of both files, by their own values or by the whole files'."""
    if scope == "sample":
        return [normalised(file, normalise) for file in sample]
    return [
        normalised(file, normalise).loc[part.index]
        for file, part in zip(whole, sample, strict=True)
    ]


def representatives_of(file: pd.DataFrame, column: str, missing: str = "zero") -> pd.DataFrame:
    """Make the representatives of a normalised file, by one column of the tables."""
    integral, family = column.split("_")
    return representatives(file, symmetric_operators(INTEGRALS[integral], family), None, missing)


def count_correct(a: pd.DataFrame, b: pd.DataFrame, way: Linkage) -> float:
    """Count the correct links between two files of representatives."""
    distance = dbrl1(way.standardise)
    if way.method == "one to one":
        return link_one_to_one(a, b, distance)["correct"].sum()
    if way.method == "probabilistic":
        distance = probabilistic(way).fit(a, b).distance
    return correct_links(a, b, distance, way.direction, way.ties).sum()


def probabilistic(way: Linkage) -> FellegiSunter:
    """Return the model of a probabilistic linkage, not yet fitted."""
    return FellegiSunter(
        way.comparisons, way.prorate, way.probability_floor, tolerance=way.tolerance
    )


# Linkage by chance, counted.


def chance_simulation(
    executions: int, seed: int, n: int = 100, times: int = 10_000
) -> pd.DataFrame:
    """Count random linkages beside the exact probabilities: a check of Table IV without formula."""
    counts = sweep(count_links, {"n": [n], "times": [times]}, executions=executions, seed=seed)
    share = counts.groupby("r")["share"].agg(["mean", "sem"])
    exact = [float(links_by_chance(n, r)) for r in share.index]
    return (
        share.rename(columns={"mean": "simulated", "sem": "se"}).assign(exact=exact).reset_index()
    )


@drawn_by("n", "times")
def count_links(n: int, times: int, random_state: np.random.Generator) -> list[dict]:
    """Find in what share of random linkages 0 to 5 links are correct."""
    links = simulate_links(n, times, random_state)
    return [{"r": r, "share": float(np.mean(links == r))} for r in range(6)]


# What EM does when columns repeat each other.


#: Files and normalisations of which `vanishing` takes one sample each.
VANISHING = (("abalone", "N1"), ("abalone", "N2"), ("ionosphere", "N1"))


def vanishing(seed: int, cases: Sequence[tuple[str, str]] = VANISHING) -> pd.DataFrame:
    """Follow m and u of the OWA with thresholds through EM, with a floor of probabilities or not.

    One row per case, floor, step and operator; `correct` are the links by the probabilities of the
    step.
    """
    parts = [
        _steps(dataset, normalisation, seed).assign(dataset=dataset, normalisation=normalisation)
        for dataset, normalisation in cases
    ]
    return pd.concat(parts, ignore_index=True)


def _steps(dataset: str, normalisation: str, seed: int, steps: int = 12) -> pd.DataFrame:
    whole = files(dataset)
    places = np.random.default_rng(seed).permutation(len(whole[0]))[:RECORDS]
    sample = [file.iloc[places] for file in whole]
    a, b = (
        representatives_of(normalised(file, NORMALISATIONS[normalisation]), "OWA_Qt")
        for file in sample
    )
    parts = []
    for name, floor in (("none", None), ("1e-6", 1e-6)):
        # Nothing moves by less than the tolerance: a step for every number up to the last.
        model = probabilistic(Linkage(probability_floor=floor, tolerance=-1))
        for step in range(1, steps + 1):
            model.max_iterations = step
            last = model.fit(a, b).history_.query("step == @step")
            parts.append(
                last.assign(
                    probability_floor=name,
                    correct=model.link(a, b, ties="expected")["correct"].sum(),
                )
            )
    return pd.concat(parts, ignore_index=True)
