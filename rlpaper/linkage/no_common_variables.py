"""Linkage of files without common variables, by representatives that every record has (torra2008).

Each record is turned into a few numbers that do not depend on which attributes it has or in what
order: integrals of its normalised values with respect to symmetric fuzzy measures. Records with
similar representatives are linked. It works as far as the attributes of both files follow the same
structure: a record that is high in one file is high in the other.
"""

from collections.abc import Callable, Sequence
from functools import partial

import numpy as np
import pandas as pd

from .._internal.hints import Blocks
from .._internal.magnitudes import exponents, near_one
from .._internal.rounding import REPRESENTATIVE_DECIMALS, to_decimals
from .._internal.validation import (
    check_file,
    check_list,
    check_missing,
    check_option,
    check_size,
    numeric_array,
    refuse_values,
    shown,
)
from ..aggregation import QUANTIFIERS, choquet, sugeno
from ..distances import dbrl1
from .blocking import split_blocks
from .nearest import link_within

#: Turns an array of records into one number for each; called with `missing` too.
Operator = Callable[..., np.ndarray]

INTEGRALS = {"choquet": choquet, "sugeno": sugeno}
NORMALISATIONS = ("standard", "range", None)
MISSING = ("zero", "project", "refuse")


def symmetric_operators(
    integral: str = "choquet", family: str = "Qt", alphas: Sequence[float] | None = None
) -> dict[str, Operator]:
    """Make integrals with respect to the symmetric measures of a family of quantifiers.

    Parameters
    ----------
    integral : {"choquet", "sugeno"}
    family : {"Qe", "Qs", "Qt"}
        Powers, sigmoids, thresholds; see `rlpaper.aggregation`.
    alphas : list, optional
        Parameters of the quantifiers; default the ten of torra2008.

    Returns
    -------
    dict of functions
        By name, such as ``"Qe 0.5"``.

    Examples
    --------
    >>> list(symmetric_operators("choquet", "Qe", [0.5, 1]))
    ['Qe 0.5', 'Qe 1']
    """
    check_option("integral", integral, INTEGRALS)
    check_option("family", family, QUANTIFIERS)
    make, printed = QUANTIFIERS[family]
    operators: dict[str, Operator] = {}
    for alpha in printed if alphas is None else check_list("alphas", alphas):
        quantifier = make(alpha)
        name = f"{family} {alpha:g}"
        if name in operators:
            raise ValueError(f"alphas has {alpha:g} twice (to six digits); give each once")
        operators[name] = partial(INTEGRALS[integral], measure=quantifier)
    return operators


def representatives(
    file: pd.DataFrame,
    operators: dict[str, Operator] | None = None,
    normalise: str | None = "standard",
    missing: str = "zero",
) -> pd.DataFrame:
    """Compute the representatives of a file's records (torra2008, section 3).

    One row per record, one column per operator. They are rounded to 12 decimals, so that records
    whose representatives are equal on paper are equal here.

    Parameters
    ----------
    file : DataFrame
        Numbers, all of them attributes that may tell who is who.
    operators : dict of functions, optional
        Called with an array of records and `missing`; default ``symmetric_operators()``.
    normalise : {"standard", "range", None}
        Mean 0 and standard deviation 1 (N2 of the paper), 0 to 1 (N1), or as the values are. By the
        file's own values, missing ones left out; a constant column is 0.
    missing : {"zero", "project", "refuse"}
        Missing values are zero after normalisation, as in the paper's experiments; or they are left
        out, so that the operator combines the others (Proposition 3); or they are an error.

    Examples
    --------
    >>> a = pd.DataFrame({"income": [1.0, 2.0, 3.0], "tax": [0.1, 0.3, 0.2]})
    >>> representatives(a, symmetric_operators("choquet", "Qe", [1]), normalise="range")
       Qe 1
    0  0.00
    1  0.75
    2  0.75
    """
    operators = symmetric_operators() if operators is None else operators
    if not isinstance(operators, dict) or not operators:
        raise ValueError(
            f"operators is {shown(operators)}; give a dict with at least one function, such as "
            "symmetric_operators()"
        )
    check_option("missing", missing, MISSING)
    values = normalised(file, normalise).to_numpy()
    if missing == "refuse":
        check_missing(file, instead="fill it or drop the record first, or choose what missing does")
    empty = np.isnan(values).all(axis=1)
    if missing == "project" and empty.any():
        raise ValueError(f"record {file.index[empty].tolist()[0]!r} has no value at all; drop it")
    made = [_combined(name, operator, values, missing) for name, operator in operators.items()]
    return pd.DataFrame(
        to_decimals(np.column_stack(made), REPRESENTATIVE_DECIMALS), file.index, list(operators)
    )


def normalised(file: pd.DataFrame, normalise: str | None = "standard") -> pd.DataFrame:
    """Normalise a file's values as `representatives` does.

    This is for those who need the representatives of some records only, or by one operator after
    the other: ``representatives(normalised(file), operators, None)`` is ``representatives(file,
    operators)``.

    Examples
    --------
    >>> normalised(pd.DataFrame({"income": [1.0, 2.0, 3.0]}), "range")["income"].tolist()
    [0.0, 0.5, 1.0]
    """
    check_option("normalise", normalise, NORMALISATIONS)
    check_file(file, "the file")
    values = numeric_array(file, "leave it out, or block by it")
    refuse_values(file, np.isinf(values), "infinite", "correct it first")
    if normalise is None:
        check_size(np.nan_to_num(values), file, "")
    else:
        values = _scaled(values, normalise, file.columns)
    return pd.DataFrame(values, file.index, file.columns)


def link_without_common(
    a: pd.DataFrame,
    b: pd.DataFrame,
    operators: dict[str, Operator] | None = None,
    normalise: str | None = "standard",
    missing: str = "zero",
    direction: str = "masked_to_original",
    ties: str = "expected",
    blocks: Blocks | None = None,
) -> pd.DataFrame:
    """Link two files without a common attribute, by the Euclidean distance of representatives.

    The files may have different numbers of attributes and of records. For probabilistic or
    one-to-one linkage, give what `representatives` returns to `rlpaper.linkage.FellegiSunter` or
    `rlpaper.linkage.link_one_to_one`.

    Parameters
    ----------
    a, b : DataFrame
        Records with the same index label are the same individual; one file may hold fewer of them.
    operators, normalise, missing
        As for `representatives`.
    direction : {"masked_to_original", "original_to_masked"}
        Each record of b to the nearest of a (this fits the paper's tables), or the reverse.
    ties
        As for `rlpaper.linkage.link`.
    blocks : column or tuple of columns, optional
        A key that both files have, sex or region for example: only records that agree on it are
        compared, by the other columns.

    Returns
    -------
    DataFrame
        As `rlpaper.linkage.link`.

    Examples
    --------
    >>> a = pd.DataFrame({"income": [10, 20, 40, 80], "sales": [12, 25, 33, 90]})
    >>> b = pd.DataFrame({"tax": [1, 3, 5, 20], "staff": [2, 2, 4, 7], "rent": [1, 2, 3, 9]})
    >>> link_without_common(a, b)["correct"].tolist()
    [1.0, 1.0, 1.0, 1.0]
    """
    numbers, a, b = split_blocks(a, b, blocks)
    return link_within(
        representatives(a, operators, normalise, missing),
        representatives(b, operators, normalise, missing),
        dbrl1(standardise=None),
        direction,
        ties,
        numbers,
    )


def _combined(name: str, operator: Operator, values: np.ndarray, missing: str) -> np.ndarray:
    """Return what an operator makes of the records; refuse what is not a number for each."""
    if not callable(operator):
        raise ValueError(f"operators has {shown(operator)} under {name!r}; give a function")
    made = operator(values, missing=missing)
    if not (
        isinstance(made, np.ndarray | pd.Series)
        and made.shape == (len(values),)
        and made.dtype.kind in "biuf"
        and np.isfinite(made).all()
    ):
        raise ValueError(
            f"the function {name!r} of operators must give an array with a finite number for each "
            f"record; it gives {shown(made)}"
        )
    return np.asarray(made)


def _scaled(values: np.ndarray, normalise: str, columns: pd.Index) -> np.ndarray:
    """Normalise columns by their own values; a constant one becomes 0, what is missing stays so."""
    empty = np.isnan(values).all(axis=0)
    if empty.any():
        raise ValueError(f"column {columns[empty].tolist()[0]!r} has no value at all; leave it out")
    values = near_one(values, exponents(np.nan_to_num(values)))
    low, high = np.nanmin(values, axis=0), np.nanmax(values, axis=0)
    shift, scale = (
        (np.nanmean(values, axis=0), np.nanstd(values, axis=0))
        if normalise == "standard"
        else (low, high - low)
    )
    varies = high > low
    ranged = np.where(varies, (values - shift) / np.where(varies, scale, 1), 0)
    return np.where(np.isnan(values), np.nan, ranged)
