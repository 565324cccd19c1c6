"""What domingo2002 fixes, and how its gaps are read: files, variables, maskings, counts."""

import numpy as np
import pandas as pd

from ... import datasets
from ..._internal.inputs import remembered
from ...compendium import published

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

#: Variables of the two replications by number of categories: four with few, three with more, three
#: with most, as in Table 2.
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

#: Pairs of different and of the same individual that may be classified wrong; the paper does not
#: give its bounds.
FALSE_LINKS, FALSE_NONLINKS = 0.001, 0.05

#: Counts as the printed tables look (notebook 44): a link is right when the original has the values
#: of the right one; each masked record to the nearest original, the first in the file of equally
#: near ones; PRL one to one. And counts of right individuals that no order of the records can
#: change.
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
THIRDS = ("low", "middle", "high")  # of the values of an ordinal variable


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


# read and binned once in each process; the survey may be replaced by the user's own at any time
@remembered
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
