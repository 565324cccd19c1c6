"""What abril2011 computes: samples of Census, masked and linked by one distance after the other."""

from ... import datasets
from ..._internal.inputs import remembered
from ...compendium.sweep import drawn_by, sweep
from ...linkage.nearest import correct_links
from ...masking import microaggregate
from .protocol import FILES, LEARNERS, RECORDS, STANDARD, WORK


def runs(operators, executions, seed, files=tuple(FILES)):
    """Several samples of every file, linked by the distances named: a row a file, distance and execution."""
    return sweep(
        compare,
        {"file": list(files), "operator": list(operators)},
        executions=executions,
        seed=seed,
    )


@drawn_by("file")
def compare(file, operator, random_state):
    """One sample, masked and linked by one distance."""
    original, masked = sample(file, random_state)
    if operator in STANDARD:
        return {"linked": int(correct_links(original, masked, STANDARD[operator]).sum())}
    learner = LEARNERS[operator].set_params(work_limit=WORK, progress=False)
    learner.fit(original, masked)
    return {
        "linked": learner.linked_,
        "bound": learner.bound_,
        "work": learner.work_,
        "seconds": learner.cpu_seconds_,
        **learner.size_,
    }


def sample(file, random_state):
    """The first variables of 400 records, and the same microaggregated on their own, on raw values."""
    groups, ks = FILES[file]
    census = _census()
    original = census.iloc[random_state.permutation(len(census))[:RECORDS], : sum(groups)]
    masked = microaggregate(original, ks, groups, standardise=False)
    masked.attrs = {}
    return original, masked


@remembered
def _census():
    census = datasets.load(
        "census"
    ).copy()  # a copy has its columns in one piece: records are faster to select
    census.attrs = {}
    return census
