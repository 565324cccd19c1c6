"""Linkage of files without common variables, by representatives that every record has (torra2008).

Each record is turned into a few numbers that do not depend on which attributes it has or in what
order: integrals of its normalised values with respect to symmetric fuzzy measures. Records with
similar representatives are linked. It works as far as the attributes of both files follow the same
structure, who has much of one has much of the other.
"""

from functools import partial

import numpy as np
import pandas as pd

from .._internal.rounding import REPRESENTATIVE_DECIMALS, to_decimals
from .._internal.validation import check_option, numeric_array, refuse_values
from ..aggregation import QUANTIFIERS, choquet, sugeno
from ..distances import dbrl1
from .nearest import link

INTEGRALS = {"choquet": choquet, "sugeno": sugeno}
NORMALISATIONS = ("standard", "range")


def symmetric_operators(integral="choquet", family="Qt", alphas=None):
    """Integrals with respect to the symmetric measures of a family of quantifiers, by name.

    Parameters
    ----------
    integral : {"choquet", "sugeno"}
    family : {"Qe", "Qs", "Qt"}
        Powers, sigmoids, thresholds; see `rlpaper.aggregation`.
    alphas : list, optional
        Parameters of the quantifiers; default the ten of torra2008.

    Examples
    --------
    >>> list(symmetric_operators("choquet", "Qe", [0.5, 1]))
    ['Qe 0.5', 'Qe 1']
    """
    check_option("integral", integral, INTEGRALS)
    check_option("family", family, QUANTIFIERS)
    make, printed = QUANTIFIERS[family]
    return {
        f"{family} {alpha:g}": partial(INTEGRALS[integral], measure=make(alpha))
        for alpha in (printed if alphas is None else alphas)
    }


def representatives(file, operators=None, normalise="standard", missing="zero"):
    """The representatives of a file's records: a row a record, a column an operator (torra2008, section 3).

    They are rounded to 12 decimals, so that records whose representatives are equal on paper are
    equal here.

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
        Missing values are zero after normalisation, as in the paper's experiments; or left out, so
        that the operator combines the others (Proposition 3); or an error.

    Examples
    --------
    >>> a = pd.DataFrame({"income": [1.0, 2.0, 3.0], "tax": [0.1, 0.3, 0.2]})
    >>> representatives(a, symmetric_operators("choquet", "Qe", [1]), normalise="range")
       Qe 1
    0  0.00
    1  0.75
    2  0.75
    """
    if normalise is not None:
        check_option("normalise", normalise, NORMALISATIONS)
    operators = symmetric_operators() if operators is None else operators
    values = _normalised(file, normalise)
    made = [operator(values, missing=missing) for operator in operators.values()]
    return pd.DataFrame(
        to_decimals(np.column_stack(made), REPRESENTATIVE_DECIMALS), file.index, list(operators)
    )


def normalised(file, normalise="standard"):
    """A file's values as `representatives` normalises them, for those who need the representatives of some records only, or by
    operators in turn: ``representatives(normalised(file), operators, None)`` is ``representatives(file,
    operators)``.

    Examples
    --------
    >>> normalised(pd.DataFrame({"income": [1.0, 2.0, 3.0]}), "range")["income"].tolist()
    [0.0, 0.5, 1.0]
    """
    check_option("normalise", normalise, NORMALISATIONS)
    return pd.DataFrame(_normalised(file, normalise), file.index, file.columns)


def link_without_common(
    a,
    b,
    operators=None,
    normalise="standard",
    missing="zero",
    direction="masked_to_original",
    ties="expected",
    block=None,
):
    """Link two files that have no attribute in common, by the Euclidean distance of representatives.

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
        Each record of b to the nearest of a (what fits the paper's tables), or the reverse.
    ties
        As for `rlpaper.linkage.link`.
    block : str, optional
        A column that both files have, sex or region say: only records that are equal there are
        compared. It is no attribute then.

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
    blocks = None
    if block is not None:
        for name, file in (("first", a), ("second", b)):
            if block not in file:
                raise ValueError(f"the {name} file has no column {block!r} to block by")
        blocks = a[block], b[block]
        a, b = a.drop(columns=block), b.drop(columns=block)
    return link(
        representatives(a, operators, normalise, missing),
        representatives(b, operators, normalise, missing),
        dbrl1(standardise=None),
        direction,
        ties,
        blocks,
    )


def _normalised(file, normalise):
    values = numeric_array(file, "leave it out, or block by it")
    if values.size == 0:
        raise ValueError(
            "the file is empty: representatives need at least one record and one column"
        )
    refuse_values(file, np.isinf(values), "infinite", "correct it first")
    if normalise is None:
        return values
    empty = np.isnan(values).all(axis=0)
    if empty.any():
        raise ValueError(
            f"column {file.columns[empty.argmax()]!r} has no value at all; leave it out"
        )
    low, high = np.nanmin(values, axis=0), np.nanmax(values, axis=0)
    shift, scale = (
        (np.nanmean(values, axis=0), np.nanstd(values, axis=0))
        if normalise == "standard"
        else (low, high - low)
    )
    varies = high > low
    return np.where(
        np.isnan(values), np.nan, np.where(varies, (values - shift) / np.where(varies, scale, 1), 0)
    )
