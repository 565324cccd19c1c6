"""What abril2012 computes: Census masked and sampled, linked by equal and by learned weights."""

import numpy as np
import pandas as pd

from ... import datasets
from ..._internal.exhaustive import right_both_ways
from ..._internal.inputs import remembered
from ...compendium import published
from ...compendium.sweep import drawn_by, sweep
from ...distances import dbrl1
from ...learning import WeightedMean
from ...linkage.nearest import DIRECTIONS, TIES
from ...masking import add_noise, microaggregate, rank_swap
from .protocol import (
    CHOICES,
    LINKED,
    NONUNIFORM,
    PROJECTIONS,
    SAMPLES,
    TEST,
    TRAIN,
    WORK,
    _choices,
)


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
    standardises, in both directions, with ties three ways, on the sampled records and, for Table 9,
    on others.
    """
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


def _linked(original, masked, moments):
    """Shares of right links in both directions, with ties all three ways."""
    compared = dbrl1(standardise=moments)(original, masked)
    for direction, share in zip(DIRECTIONS, right_both_ways(compared.original, compared.masked)):
        for ties, value in zip(TIES, (share == 1, share > 0, share)):
            yield {"direction": direction, "ties": ties, "rate": float(value.mean())}


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
        Beside the setting: `sample`, and of 400 records `dbrl` (linked by equal weights), `linked`
        (by the best ones) and `bound` (that none exceed), `work` (rows looked at), `seconds` (of
        processor time), and one column a weight; `dbrl_test` and `linked_test` are shares of the
        other records.
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
        learner = WeightedMean(
            standardise={"train": "fit", "none": None}.get(moments, moments),
            direction=direction,
            work_limit=WORK,
            progress=False,
        )
        learner.fit(*pairs["train"])
        equal = learner.with_parameters(*pairs["train"], [1] * LINKED)
        row = {
            "sample": sample,
            "dbrl": int(equal.correct_links(*pairs["train"]).sum()),
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


def one_sample(method, parameter, random_state):
    """400 original and masked records as the tables take them, and a learner with their choices, not yet fitted."""
    item = "table5" if method == "Noise1-7" else "table7" if method in NONUNIFORM else "table3"
    choices = _choices(item, {})
    made_by = [
        choices[name] for name in ("order", "records", "variables", "standardise", "partners")
    ]
    pairs = next(_samples(method, parameter, 1, False, *made_by, random_state))["train"]
    learner = WeightedMean(
        standardise=choices["moments"], direction=choices["direction"], progress=False
    )
    return pairs, learner


@drawn_by()
def key_attributes(random_state):
    """The file with noise of 1 to 7 percent, one sample: records that the best, the printed and equal weights link."""
    pairs, learner = one_sample("Noise1-7", None, random_state)
    learner.fit(*pairs)
    printed = published.table("abril2012_table5_6_key_attributes")["weight"].to_list()
    others = {
        name: int(learner.with_parameters(*pairs, weights).correct_links(*pairs).sum())
        for name, weights in (("printed", printed), ("equal", [1] * LINKED))
    }
    return {
        "linked": learner.linked_,
        "bound": learner.bound_,
        **others,
        **{f"V{v}": float(weight) for v, weight in enumerate(learner.parameters_, 1)},
    }


def whole_pair(method, parameter, random_state):
    """All records of Census and of one masked file, the variables that are linked on."""
    choices = _choices("table7" if method in NONUNIFORM else "table3", {})
    masking, _ = random_state.spawn(2)
    made_by = (choices[name] for name in ("variables", "standardise", "partners"))
    masked = _masked(choices["order"], method, parameter, *made_by, masking)
    return _census(choices["order"]).iloc[:, :LINKED], masked.iloc[:, :LINKED]


def _samples(
    method, parameter, samples, test, order, records, variables, standardise, partners, random_state
):
    """Samples of one masked file: original and masked records to train on and, for Table 9, others to test.

    Masking and sampling have generators of their own, so that a file masked otherwise is sampled at
    the same records.
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
