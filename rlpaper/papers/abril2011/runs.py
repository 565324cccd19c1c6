"""What abril2011 computes: samples of Census, masked and linked by one distance after the other."""

import numpy as np
import pandas as pd

from ... import datasets
from ..._internal.inputs import remembered
from ...compendium.sweep import drawn_by, sweep
from ...linkage.nearest import correct_links
from ...masking import microaggregate
from .protocol import (
    CHEAP,
    EXECUTIONS,
    FILES,
    LEARNED_FILES,
    LEARNERS,
    READ_FILES,
    READINGS,
    RECORDS,
    STANDARD,
    TABLE2,
)


def standard(profile: str, seed: int) -> pd.DataFrame:
    """Link samples of every file by the distances that cost little."""
    return _runs(list(FILES), CHEAP, EXECUTIONS["standard"][profile], seed)


def learned(profile: str, seed: int) -> pd.DataFrame:
    """Link the first of these samples by the learned distances."""
    return _runs(LEARNED_FILES[profile], TABLE2[2:], EXECUTIONS["learned"][profile], seed)


def readings(profile: str, seed: int) -> pd.DataFrame:
    """Link the first of these samples by learned distances that the paper may have meant."""
    return _runs(READ_FILES[profile], READINGS[profile], EXECUTIONS["readings"][profile], seed)


def _runs(files, operators, executions, seed):
    """One row per file, distance and execution."""
    return sweep(compare, {"file": files, "operator": operators}, executions=executions, seed=seed)


@drawn_by("file")
def compare(file: str, operator: str, random_state: np.random.Generator) -> dict:
    """Draw and mask one sample, and link it by one distance."""
    original, masked = sample(file, random_state)
    if operator in STANDARD:
        return {"linked": int(correct_links(original, masked, STANDARD[operator]).sum())}
    learner = LEARNERS[operator].fit(original, masked)
    return {
        "linked": learner.linked_,
        "bound": learner.bound_,
        "work": learner.work_,
        "seconds": learner.cpu_seconds_,
        **learner.size_,
    }


def sample(file: str, random_state: np.random.Generator) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Draw 400 records, and microaggregate their first variables on their own, on raw values."""
    groups, ks = FILES[file]
    census = _census()
    original = census.iloc[random_state.permutation(len(census))[:RECORDS], : sum(groups)]
    masked = microaggregate(original, ks, groups, standardise=False)
    return original, masked


@remembered
def _census():
    # A copy has its columns in one piece: records are faster to select.
    census = datasets.load("census").copy()
    census.attrs = {}
    return census
