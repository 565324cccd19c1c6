"""Abril, Navarro-Arribas & Torra (2012): weights of a linkage distance learned from the data."""

import numpy as np
import pandas as pd

from .. import datasets, published
from ..masking import rank_swap


def table1():
    """Table 1: the attributes of Census under the printed numbers, which are alphabetical.

    Beside each, its number in the order of the file, which is what the printed results fit, and how many
    values occur more than once.
    """
    census = datasets.load("census", order="alphabetical")
    in_file = {name: number for number, name in datasets.load("census").attrs["variables"].items()}
    meaning = published.table("abril2012_table1_attributes").set_index("name")["meaning"]
    return pd.DataFrame([
        {"cell": number, "value": name, "in_file_order": in_file[name], "meaning": meaning[name],
         "distinct": census[name].nunique(), "repeated": int(census[name].duplicated().sum())}
        for number, name in census.attrs["variables"].items()])


def without_repetition(order, first=7):
    """Which of the first variables have no repeated value (section 4.1 says V1, V2, V3 and V5)."""
    census = datasets.load("census", order=order)
    return [number for number, name in list(census.attrs["variables"].items())[:first] if census[name].is_unique]


def figure1(seed, percents=(1, 3, 6)):
    """Figure 1: values of V1 before and after rank swapping, for three values of p.

    The paper does not print which p its panels show; these span its range of 1 to 6.
    """
    v1 = datasets.load("census")[["AFNLWGT"]]
    seeds = np.random.SeedSequence(seed).spawn(len(percents))
    return pd.concat([
        pd.DataFrame({"p": p, "original": v1["AFNLWGT"], "masked": rank_swap(v1, p, np.random.default_rng(s))["AFNLWGT"]})
        for p, s in zip(percents, seeds)], ignore_index=True)
