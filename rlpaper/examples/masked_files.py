"""Two files that teachers of disclosure control know, masked as an office might."""

import pandas as pd

from .. import datasets
from .._internal.validation import check_number
from ..masking import pram, rank_swap, recode_rare


def household_survey(records: int | None = None) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Return the survey of the sdcMicro tutorials (4580 persons), as it is and masked.

    Its household number and weights are left out. Age and sex are not masked, amounts of money are
    rank swapped by 10 percent, the other categories changed by PRAM.

    Parameters
    ----------
    records : int, optional
        How many records from the start of the file; all without it.

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
    original = _first("sdc_testdata", ["ori_hid", "sampling_weight", "household_weights"], records)
    money, kept = ["expend", "income", "savings"], ["age", "sex"]
    others = [name for name in original if name not in money + kept]
    parts = original[kept], rank_swap(original[money], 10, 1), pram(original[others], 0.5, 2)
    return original, pd.concat(parts, axis=1)[list(original)]


def adult(records: int | None = None) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Return adult (48,842 persons, missing values), as it is and masked.

    Its sampling weight is left out. Numbers are rank swapped by 10 percent, rare categories merged
    and then changed by PRAM.

    Parameters
    ----------
    records : int, optional
        How many records from the start of the file; all without it.

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
    original = _first("adult", ["fnlwgt"], records)
    numbers = list(original.select_dtypes("number"))
    categories = [name for name in original if name not in numbers]
    merged = recode_rare(original[categories], 2, into="existing")
    parts = rank_swap(original[numbers], 10, 1), pram(merged, 0.5, 2)
    return original, pd.concat(parts, axis=1)[list(original)]


def _first(name: str, left_out: list[str], records: int | None) -> pd.DataFrame:
    """Return the first records of a data file, without the columns that are left out."""
    file = datasets.load(name).drop(columns=left_out)
    if records is not None:
        check_number("records", records, "a whole number, 1 or more", 1, whole=True)
        records = min(int(records), len(file))
    return file.head(records)
