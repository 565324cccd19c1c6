"""Recoding of categories: the top, the bottom or the rarest of them become one.

Files have pandas categorical columns; ordered ones are ordinal. A missing value stays missing.
"""

import pandas as pd

from .base import check_categorical, masked_frame


def top_code(df, p, scope="ordinal", into="new", label="top"):
    """Recode the last p categories of each ordinal variable into one.

    Method: domingo2002, section 3.2. Counted are the categories that occur in the file. With p at
    or above their number, one category is left.

    Parameters
    ----------
    df : DataFrame
        Categorical columns.
    p : int
        How many categories are recoded, 0 or more.
    scope : {"ordinal", "all"}
        Ordered columns only, as the paper's text says; or all columns, in the order of their
        categories, which is what the paper's Tables 3 and 4 look like.
    into : {"new", "existing"}
        A new category, placed after the last one; or the lowest of those that are recoded.
    label
        Name of the new category.

    Returns
    -------
    DataFrame
        Same index and columns; a new category is added to the dtype, none is taken out.

    Examples
    --------
    >>> size = pd.Categorical(["S", "M", "L", "XL"], ["S", "M", "L", "XL"], ordered=True)
    >>> top_code(pd.DataFrame({"size": size}), p=2)["size"].tolist()
    ['S', 'M', 'top', 'top']
    """
    return _recode(
        df, p, scope, lambda column: _occurring(column)[::-1], into, label, "end", "top_code"
    )


def bottom_code(df, p, scope="ordinal", into="new", label="bottom"):
    """Recode the first p categories of each ordinal variable into one.

    As `top_code`, from the other end: a new category is placed before the first one, an existing
    one is the highest of those that are recoded.

    Examples
    --------
    >>> size = pd.Categorical(["S", "M", "L", "XL"], ["S", "M", "L", "XL"], ordered=True)
    >>> bottom_code(pd.DataFrame({"size": size}), p=2, into="existing")["size"].tolist()
    ['M', 'M', 'L', 'XL']
    """
    return _recode(df, p, scope, _occurring, into, label, "start", "bottom_code")


def _occurring(column):
    """Codes of the categories that occur, in their order."""
    return sorted(column.cat.codes[column.notna()].unique())


def recode_rare(df, p, into="new", label="other", position="end"):
    """Recode the p rarest categories of each variable into one (global recoding).

    Method: domingo2002, section 3.2. Counted are the categories that occur in the file; of equally
    rare ones the first in the order of categories goes first. With p at or above their number, one
    category is left.

    Parameters
    ----------
    df : DataFrame
        Categorical columns.
    p : int
        How many categories are recoded, 0 or more.
    into : {"new", "existing"}
        A new category; or the most frequent of those that are recoded.
    label
        Name of the new category.
    position : {"end", "start"}
        Where the new category stands in the order of an ordinal variable: after all others or
        before them.

    Returns
    -------
    DataFrame
        Same index and columns; a new category is added to the dtype, none is taken out.

    Examples
    --------
    >>> animal = pd.Categorical(["dog", "dog", "cat", "cat", "cat", "emu", "owl"])
    >>> recode_rare(pd.DataFrame({"animal": animal}), p=2)["animal"].tolist()
    ['dog', 'dog', 'cat', 'cat', 'cat', 'other', 'other']
    """

    def rarest_first(column):
        frequency = column.cat.codes[column.notna()].value_counts()
        return sorted(frequency.index, key=lambda code: (frequency[code], code))

    if position not in ("end", "start"):
        raise ValueError(f"position is {position!r}; it is 'end' or 'start'")
    return _recode(df, p, "all", rarest_first, into, label, position, "recode_rare")


def _recode(df, p, scope, ranking, into, label, position, method):
    """Recode the first p categories of a ranking, given by codes, into a new one or into the p-th."""
    check_categorical(df)
    if int(p) != p or p < 0:
        raise ValueError(f"p is {p}; it is a number of categories, 0 or more")
    if scope not in ("ordinal", "all"):
        raise ValueError(f"scope is {scope!r}; it is 'ordinal' or 'all'")
    if into not in ("new", "existing"):
        raise ValueError(f"into is {into!r}; it is 'new' or 'existing'")
    masked, transitions = {}, {}
    for column in df:
        codes = ranking(df[column])[: int(p)]
        if not codes or scope == "ordinal" and not df[column].cat.ordered:
            continue
        names = df[column].cat.categories
        if into == "existing":
            target, categories = names[codes[-1]], list(names)
        elif label in names:
            raise ValueError(
                f"column {column!r} has a category {label!r} already; choose another label"
            )
        else:
            target = label
            categories = [*names, label] if position == "end" else [label, *names]
        recoded = {names[code]: target for code in codes}
        dtype = pd.CategoricalDtype(categories, df[column].cat.ordered)
        values = [recoded.get(value, value) for value in df[column].array]
        masked[column] = pd.Categorical(values, dtype=dtype)
        transitions[column] = {name: {recoded.get(name, name): 1.0} for name in names}
    return masked_frame(
        df,
        masked,
        {"method": method, "p": int(p), "scope": scope, "into": into, "transitions": transitions},
    )
