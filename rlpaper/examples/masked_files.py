"""Two files that teachers of disclosure control know, masked as an office might."""

import pandas as pd

from .. import datasets
from ..masking import pram, rank_swap, recode_rare


def household_survey(records=None):
    """The survey of the sdcMicro tutorials (4580 persons) without its household number and weights; age and sex are not masked, amounts
    of money are rank swapped by 10 percent, the other categories changed by PRAM.

    Returns
    -------
    (DataFrame, DataFrame)
        Original and masked.

    Examples
    --------
    >>> original, masked = household_survey()
    >>> original.shape, (original["age"] == masked["age"]).all()
    ((4580, 12), np.True_)
    """
    original = (
        datasets.load("sdc_testdata")
        .drop(columns=["ori_hid", "sampling_weight", "household_weights"])
        .head(records)
    )
    money, kept = ["expend", "income", "savings"], ["age", "sex"]
    others = [name for name in original if name not in money + kept]
    return original, _joined(
        original, original[kept], rank_swap(original[money], 10, 1), pram(original[others], 0.5, 2)
    )


def adult(records=None):
    """Adult (48,842 persons, missing values) without its sampling weight; numbers are rank swapped by 10 percent, rare categories
    merged, then PRAM.

    Returns
    -------
    (DataFrame, DataFrame)
        Original and masked.

    Examples
    --------
    >>> original, masked = adult(1000)
    >>> original.shape
    (1000, 14)
    """
    original = datasets.load("adult").drop(columns="fnlwgt").head(records)
    numbers = list(original.select_dtypes("number"))
    categories = [name for name in original if name not in numbers]
    return original, _joined(
        original,
        rank_swap(original[numbers], 10, 1),
        pram(recode_rare(original[categories], 2, into="existing"), 0.5, 2),
    )


def _joined(original, *parts):
    masked = pd.concat(parts, axis=1)[list(original)]
    masked.attrs = {}  # what was done stays with the owner
    return masked
