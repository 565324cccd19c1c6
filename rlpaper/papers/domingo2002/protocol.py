"""What domingo2002 fixes, and how its gaps are read: files, variables, maskings, counts."""

from collections.abc import Mapping
from itertools import pairwise

import numpy as np
import pandas as pd

from ... import datasets
from ..._internal.inputs import remembered
from ...compendium import published
from ...datasets.ahs import ORIGINAL, SURROGATE

RECORDS = 1000

FILES = ("ahs", "income_esl", "adult")
METHODS = ("bottom", "global", "pram", "top")
PARAMETERS = range(1, 10)
GROUPS = ("u", "l", "s", "m", "o")

#: Draws of PRAM by profile; whatever else is computed is not random.
EXECUTIONS = {
    "study": {"full": 5, "quick": 1},
    "scopes": {"full": 1, "quick": 1},
}
#: Parameters of all maskings by profile; the notebooks share what they compute.
STRENGTHS = {"full": list(PARAMETERS), "quick": [1, 9]}
#: Files on which both scopes of coding are tried.
SCOPE_FILES = {"full": list(FILES), "quick": ["ahs"]}
#: Where weights are learned: files, parameters, and rows that the proof of a fit may look at.
LEARNED = {
    "full": {"names": list(FILES), "parameters": [3, 6], "work_limit": 20_000_000},
    "quick": {"names": ["income_esl"], "parameters": [5], "work_limit": 2_000_000},
}

#: Variables of the two replications by number of categories, as in Table 2: four with few, three
#: with more, three with most.
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

#: Shares of pairs of different individuals that may be linked, and of pairs of the same individual
#: that may be given up; the paper does not give its bounds.
FALSE_LINKS, FALSE_NONLINKS = 0.001, 0.05

#: Linkage and count of each printed column, as the printed tables look (notebook 44): a link is
#: correct when the original has the values of the correct one; each masked record goes to the
#: nearest original, the first in the file of equally near ones; PRL is one to one.
PRINTED = {
    "DBRL": ("DBRL", "same values"),
    "PRL": ("PRL one to one", "same values"),
    "DBRL aware": ("DBRL aware", "same values"),
}
#: The same with counts of correct individuals that no order of the records can change.
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


def files(dataset: str) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Return the 1000 records that are masked, and the reference file: all later ones.

    Both hold complete records of ten variables.
    """
    whole = _replication(dataset) if dataset in VARIABLES else datasets.load(dataset)
    sized = VARIABLES[dataset] if dataset in VARIABLES else _printed_groups()
    whole = (
        whole[[name for part in ("s", "m", "l") for name in sized[part]]]
        .dropna()
        .reset_index(drop=True)
    )
    whole.attrs = {}
    if len(whole) <= RECORDS:
        raise ValueError(
            f"{dataset} has {len(whole)} complete records; the study masks the first {RECORDS} and "
            "takes the others as its reference file"
        )
    return whole.iloc[:RECORDS], whole.iloc[RECORDS:]


def data_of(dataset: str) -> str:
    """Return what rows computed from a file say in their column `data`, nothing of replications."""
    if dataset in VARIABLES:
        return ""
    return SURROGATE if datasets.load(dataset).attrs["surrogate"] else ORIGINAL


def variables(dataset: str, file: pd.DataFrame) -> Mapping[str, list[str]]:
    """Return the variables of each group.

    They are those with few, more and most categories (s, m, l), the last two together (u), and the
    ordinal ones (o).
    """
    if dataset == "ahs":
        return _printed_groups()
    groups = VARIABLES[dataset]
    return {
        "u": groups["m"] + groups["l"],
        **groups,
        "o": [name for name in file if file[name].cat.ordered],
    }


def _printed_groups() -> dict[str, list[str]]:
    table = published.table("domingo2002_table1_2_variables")
    return {group: table.loc[table[group] == 1, "variable"].tolist() for group in GROUPS}


# read and binned once in each process; the survey may be replaced by the user's own at any time
@remembered
def _replication(dataset: str) -> pd.DataFrame:
    return _adult() if dataset == "adult" else datasets.load(dataset)


def _adult() -> pd.DataFrame:
    """Put the numbers of adult in classes, and education in the order of its years.

    The file's own order puts professional school low.
    """
    adult = datasets.load("adult")
    years = adult.groupby("education", observed=True)["education-num"].first().sort_values()
    adult = adult.assign(
        education=adult["education"].cat.reorder_categories(list(years.index), ordered=True)
    )
    for column, edges in BINS.items():
        names = [
            f"{low} to {high - 1}" if np.isfinite(high) else f"{low} or more"
            for low, high in pairwise(edges)
        ]
        adult[column] = pd.cut(adult[column], edges, right=False, labels=names)
    return adult
