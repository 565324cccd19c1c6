"""What abril2012 computes: Census masked and sampled, linked by equal and by learned weights."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd

from ... import datasets
from ..._internal.exhaustive import correct_both_ways
from ..._internal.hints import RandomState
from ..._internal.inputs import remembered
from ...compendium import published
from ...compendium.sweep import drawn_by, sweep
from ...distances import dbrl1
from ...learning import WeightedMean
from ...linkage.nearest import DIRECTIONS, TIES
from ...masking import add_noise, microaggregate, rank_swap
from .protocol import (
    LINKED,
    NONUNIFORM,
    PROJECTIONS,
    SAMPLES,
    SHOWN,
    SHOWN_SAMPLES,
    TEST,
    TRAIN,
    WORK,
    Reading,
    reading_for,
)

Pair = tuple[pd.DataFrame, pd.DataFrame]


@drawn_by("method", "parameter")
def experiment(
    method: str,
    parameter: Any,
    samples: int,
    test: bool,
    sources: list[str],
    random_state: np.random.Generator,
    **masking: Any,
) -> list[dict]:
    """Link samples of one masked file: mean and standard deviation of the share of correct links.

    There is one row for each way to standardise the distance (`sources` are as `Reading.moments`),
    each direction, each count of ties, and for the sampled records and, for Table 9, others.
    `masking` has the choices of a `Reading` that say how the file is masked.
    """
    rates = []
    for pairs in _samples(method, parameter, samples, test, Reading(**masking), random_state):
        for part, pair in pairs.items():
            for moments in sources:
                source = {"train": pairs["train"], "none": None}.get(moments, moments)
                rates += [
                    {"part": part, "moments": moments, **rate} for rate in _linked(*pair, source)
                ]
    grouped = pd.DataFrame(rates).groupby(["part", "moments", "direction", "ties"], sort=False)
    spread = grouped["rate"].agg(["mean", "std"]).rename(columns={"std": "sd"})
    return spread.reset_index().to_dict("records")


def _linked(original, masked, moments):
    """Shares of correct links in both directions, with ties all three ways."""
    compared = dbrl1(standardise=moments)(original, masked)
    both = correct_both_ways(compared.original, compared.masked)
    for direction, share in zip(DIRECTIONS, both, strict=True):
        for ties, value in zip(TIES, (share == 1, share > 0, share), strict=True):
            yield {"direction": direction, "ties": ties, "rate": float(value.mean())}


def learned_linkage(
    settings: list[tuple],
    executions: int,
    seed: int,
    samples: int = SAMPLES,
    test: bool = False,
    reading: Reading | None = None,
) -> pd.DataFrame:
    """Learn weights on samples of masked files: one row per sample.

    Parameters
    ----------
    settings : list of (method, parameter)
    executions, seed : int
    samples : int
        Samples of 400 records of each masked file.
    test : bool
        Also link 500 other records with the weights learned.
    reading : Reading, optional
        What it says of ties does not matter: the program gives up whoever is tied.

    Returns
    -------
    DataFrame
        Beside the setting: `sample`, and of 400 records `dbrl` (linked by equal weights), `linked`
        (by the best ones) and `bound` (that none exceed), `work` (rows looked at), `seconds` (of
        processor time), and one column per weight; `dbrl_test` and `linked_test` are shares of the
        other records.
    """
    choices = (reading or Reading()).setting("ties")
    grid = [
        {"method": method, "parameter": parameter, "samples": samples, "test": test, **choices}
        for method, parameter in settings
    ]
    return sweep(learn, grid, executions=executions, seed=seed)


def shown_fits(profile: str, seed: int) -> pd.DataFrame:
    """Learn weights for all that Figures 2 to 5 show: one row per sample, in both directions."""
    fits = pd.concat(
        [
            learned_linkage(SHOWN[profile], 1, seed, samples, reading=Reading(direction=direction))
            for direction, samples in SHOWN_SAMPLES[profile].items()
        ],
        ignore_index=True,
    )
    return fits.assign(
        unlinked=TRAIN - fits["linked"],
        improvement=100 * (fits["linked"] - fits["dbrl"]) / TRAIN,
        gap=fits["bound"] - fits["linked"],
    )


@drawn_by("method", "parameter")
def learn(
    method: str,
    parameter: Any,
    samples: int,
    test: bool,
    random_state: np.random.Generator,
    **choices: Any,
) -> list[dict]:
    """Find the best weights of some samples of one masked file, with proof.

    `choices` are those of a `Reading`.
    """
    reading, rows = Reading(**choices), []
    for sample, pairs in enumerate(
        _samples(method, parameter, samples, test, reading, random_state)
    ):
        learner = learner_of(reading, work_limit=WORK).fit(*pairs["train"])
        equal = learner.with_parameters(*pairs["train"], [1] * LINKED)
        row = {
            "sample": sample,
            "dbrl": int(equal.correct_links(*pairs["train"]).sum()),
            "linked": learner.linked_,
            "bound": learner.bound_,
            "work": learner.work_,
            "seconds": learner.cpu_seconds_,
            **_weights(learner),
        }
        if test:
            row |= {
                "dbrl_test": equal.score(*pairs["test"]),
                "linked_test": learner.score(*pairs["test"]),
            }
        rows.append(row)
    return rows


def _weights(learner):
    return {f"V{v}": float(weight) for v, weight in enumerate(learner.parameters_, 1)}


def one_sample(
    method: str, parameter: int | None, random_state: np.random.Generator
) -> tuple[Pair, WeightedMean]:
    """Draw one sample as the tables take it: 400 original and masked records.

    With it comes a learner as the tables have it, not yet fitted.
    """
    reading = reading_for(method)
    sample = next(_samples(method, parameter, 1, False, reading, random_state))
    return sample["train"], learner_of(reading)


def whole_pair(method: str, parameter: int | None, random_state: np.random.Generator) -> Pair:
    """Mask all records of Census, and return both files with the variables that are linked on."""
    reading = reading_for(method)
    masking, _ = random_state.spawn(2)
    masked = _masked(method, parameter, reading, masking)
    return _census(reading.order).iloc[:, :LINKED], masked.iloc[:, :LINKED]


def learner_of(reading: Reading, **limits: Any) -> WeightedMean:
    """Return a learner of weights, not yet fitted."""
    moments = {"train": "fit", "none": None}.get(reading.moments, reading.moments)
    return WeightedMean(standardise=moments, direction=reading.direction, progress=False, **limits)


@drawn_by()
def key_attributes(random_state: np.random.Generator) -> dict:
    """Count the records that the best, the printed and equal weights link, in one sample.

    The file has noise of 1 to 7 percent.
    """
    pairs, learner = one_sample("Noise1-7", None, random_state)
    learner.fit(*pairs)
    printed = published.table("abril2012_table5_6_key_attributes")["weight"].to_list()
    others = {
        name: int(learner.with_parameters(*pairs, weights).correct_links(*pairs).sum())
        for name, weights in (("printed", printed), ("equal", [1] * LINKED))
    }
    return {"linked": learner.linked_, "bound": learner.bound_, **others, **_weights(learner)}


def _samples(
    method: str,
    parameter: Any,
    samples: int,
    test: bool,
    reading: Reading,
    random_state: np.random.Generator,
) -> Iterator[dict[str, Pair]]:
    """Yield samples of one masked file: pairs to train on and, for Table 9, others to test.

    Masking and sampling have generators of their own, so that a file masked otherwise is sampled at
    the same records.
    """
    masking, sampling = random_state.spawn(2)
    census = _census(reading.order)
    linked = census.columns[:LINKED]
    if method == "Noise1-7" and parameter:
        linked = [linked[parameter - 1]]
    originals = census[linked]
    if reading.records == "file":
        masked = _masked(method, parameter, reading, masking)[linked]
    for _ in range(samples):
        drawn = sampling.permutation(len(census))
        parts = {"train": drawn[:TRAIN]} | ({"test": drawn[TRAIN : TRAIN + TEST]} if test else {})
        yield {
            part: (
                originals.iloc[rows],
                masked.iloc[rows]
                if reading.records == "file"
                else mask(
                    census.iloc[rows], method, parameter, _clustered(method, reading), masking
                )[linked],
            )
            for part, rows in parts.items()
        }


def _masked(method, parameter, reading, random_state):
    """Mask the whole of Census by one of the methods.

    Nothing is random in microaggregation, so that a process does each file once.
    """
    if method in ("RankSwap", "Noise", "Noise1-7"):
        # One variable after the other: those that are not linked come last.
        few = replace(reading, variables=LINKED)
        return mask(_census(reading.order), method, parameter, few, random_state)
    few = _clustered(method, reading)
    same = Reading(order=few.order, variables=few.variables, standardise=few.standardise)
    return _microaggregated(method, parameter, same)


def _clustered(method, reading):
    """Leave out groups of microaggregation that hold none of the variables that are linked."""
    size = method.removeprefix("Mic")
    groups = (
        NONUNIFORM[method][0]
        if method in NONUNIFORM
        else [int(size) if size.isdigit() else reading.variables] * reading.variables
    )
    ends = np.cumsum(groups)
    return replace(reading, variables=min(reading.variables, int(ends[ends >= LINKED][0])))


@remembered
def _microaggregated(method, parameter, reading):
    return mask(_census(reading.order), method, parameter, reading, None)


@remembered
def _census(order):
    # A copy has its columns in one piece: records are faster to select.
    census = datasets.load("census", order=order).copy()
    census.attrs = {}  # copied with every selection, and not needed
    return census


def mask(
    file: pd.DataFrame,
    method: str,
    parameter: Any,
    reading: Reading,
    random_state: RandomState,
) -> pd.DataFrame:
    """Mask the first variables of a file by one of the paper's methods, as they are named there."""
    file, standardise = file.iloc[:, : reading.variables], reading.standardise
    if method == "RankSwap":
        masked = rank_swap(file, parameter, random_state, reading.partners)
    elif method == "Noise":
        masked = add_noise(file, parameter, random_state)
    elif method == "Noise1-7":
        masked = add_noise(file.iloc[:, :LINKED], list(range(1, LINKED + 1)), random_state)
    elif method in NONUNIFORM:
        groups, ks = NONUNIFORM[method]
        # Groups end where the variables do.
        ends = np.minimum(np.cumsum(groups), file.shape[1])
        sizes = [int(size) for size in np.diff(ends, prepend=0) if size]
        masked = microaggregate(file, ks[: len(sizes)], sizes, standardise=standardise)
    elif method in PROJECTIONS:
        masked = microaggregate(
            file, parameter, method=PROJECTIONS[method], standardise=standardise
        )
    else:
        size = file.shape[1] if method == "MicAll" else int(method.removeprefix("Mic"))
        masked = microaggregate(file, parameter, size, standardise=standardise)
    return masked
