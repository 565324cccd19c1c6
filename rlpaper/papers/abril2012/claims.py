"""Sentences of abril2012 that are held against the data or against what was computed."""

import numpy as np
import pandas as pd

from ... import datasets
from .protocol import LINKED, NONUNIFORM


def without_repetition(order, first=7):
    """Which of the first variables have no repeated value (section 4.1 says V1, V2, V3 and V5)."""
    census = datasets.load("census", order=order)
    return [
        number
        for number, name in list(census.attrs["variables"].items())[:first]
        if census[name].is_unique
    ]


def least_protected(table8):
    """Whether the largest mean weight is on a variable of the group with the least k, by file."""
    means = table8.groupby("cell")["value"].mean()
    answers = {}
    for file, (groups, ks) in NONUNIFORM.items():
        k = np.repeat(ks, groups)[:LINKED]
        answers[file] = bool(
            k[np.argmax([means[f"{file} V{v}"] for v in range(1, LINKED + 1)])] == k.min()
        )
    return pd.Series(answers, name="least protected")
