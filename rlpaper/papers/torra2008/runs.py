"""What is computed for torra2008: samples linked in all ways, links by chance, steps of EM."""

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
from ...linkage.no_common_variables import normalised, symmetric_operators, transform
from .protocol import (
    ATTRIBUTES,
    COLUMNS,
    INTEGRALS,
    LINKAGES,
    MAIN,
    NORMALISATIONS,
    PROBABILISTIC,
    RECORDS,
)

# The two files of a data set.


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


# Tables V to VIII.


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
                        "correct": float(count_correct(a, b, {"comparisons": agreement, **way})),
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


def count_correct(a, b, way):
    """Number of right links."""
    if way["method"] == "probabilistic":
        return correct_links(
            a, b, probabilistic(way).fit(a, b).distance, way["direction"], way["ties"]
        ).sum()
    if way["method"] == "one to one":
        return link_one_to_one(a, b, dbrl1(way["standardise"]))["correct"].sum()
    return correct_links(a, b, dbrl1(way["standardise"]), way["direction"], way["ties"]).sum()


def probabilistic(way):
    return FellegiSunter(**{name: way.get(name, value) for name, value in PROBABILISTIC.items()})


# Linkage by chance, counted.


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


# What EM does when columns repeat each other.


def vanishing(dataset, column, normalisation, seed, steps=12):
    """M and u of every operator after each step of EM on one sample, without a floor of probabilities and with one; `correct` links by the
    probabilities of each step.
    """
    whole = files(dataset)
    places = np.random.default_rng(seed).permutation(len(whole[0]))[:RECORDS]
    sample = [file.iloc[places] for file in whole]
    a, b = (
        representatives_of(normalised(file, NORMALISATIONS[normalisation]), column)
        for file in sample
    )
    parts = []
    for name, probability_floor in (("none", None), ("1e-6", 1e-6)):
        model = probabilistic(
            {"probability_floor": probability_floor, "tolerance": -1}
        )  # a step for every number up to the last
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
