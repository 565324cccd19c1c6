"""Abril, Navarro-Arribas & Torra (about 2011): weighted mean, Choquet integral and Mahalanobis-like matrix side by side."""

import pandas as pd

from ..._internal.inputs import remembered
from ... import datasets
from ...compendium import published
from ...distances import dbrl1, mahalanobis
from ...learning import OWA, Choquet, Mahalanobis, WeightedMean
from ...linkage.distance import right
from ...masking import microaggregate
from ...compendium.sweep import drawn_by, sweep

RECORDS = 400  # drawn and masked; all other choices follow the printed text: first variables, own moments, m2o
WORK = 200_000_000  # rows that a proof may look at

#: Groups of variables and k of each group.
FILES = {
    row.file: ([int(size) for size in row.groups.split("-")], [int(k) for k in row.ks.split("-")])
    for row in published.table("abril2011_files").itertuples()
}

#: Distances that are not learned.
STANDARD = {"d2AM": dbrl1(), "d2MD": mahalanobis("COV")}

#: What is learned, by the name in print; the rest are other readings and what the paper leaves out.
LEARNERS = {
    "d2WM": WeightedMean(),
    "d2CI": Choquet(),
    "d2MDstar": Mahalanobis(),
    "d2OWA": OWA(),
    "d2CI, pairs only": Choquet(additive=2),
    "d2MDstar, absolute": Mahalanobis(differences="absolute"),
    "d2MDstar, semidefinite": Mahalanobis(positive="psd"),
}


@drawn_by("file")
def compare(file, operator, random_state):
    """One sample, masked and linked by one distance."""
    original, masked = sample(file, random_state)
    if operator in STANDARD:
        return {"linked": int(right(original, masked, STANDARD[operator]).sum())}
    learner = LEARNERS[operator].fit(original, masked, work_limit=WORK, progress=False)
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


def runs(operators, executions, seed, files=tuple(FILES)):
    """Several samples of every file, linked by the distances named: a row a file, distance and execution."""
    return sweep(
        compare,
        {"file": list(files), "operator": list(operators)},
        executions=executions,
        seed=seed,
    )


def table2(standard, learned):
    """Table 2: share of right links by file and distance.

    Parameters
    ----------
    standard, learned : DataFrame
        Of `runs`: many executions of the distances that cost little, fewer of those that cost much, on the first of the same
        samples. Where both have a distance, the first counts.
    """
    learned = learned[~learned["operator"].isin(standard["operator"])]
    both = pd.concat([standard, learned], ignore_index=True)
    both = both[both["operator"].isin(["d2AM", "d2MD", "d2WM", "d2CI", "d2MDstar"])]
    return pd.DataFrame(
        {
            "cell": both["file"] + " " + both["operator"],
            "execution": both["execution"],
            "value": both["linked"] / RECORDS,
        }
    )
