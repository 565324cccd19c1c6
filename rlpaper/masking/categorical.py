"""Masking of categorical variables: top, bottom and global recoding, and PRAM.

Files have pandas categorical columns; ordered ones are ordinal. A missing value stays missing.
"""

import numpy as np
import pandas as pd

from .._internal.arithmetic import product
from .base import check_categorical, masked_frame


def top_code(df, p, scope="ordinal", into="new", label="top"):
    """Recode the last p categories of each ordinal variable into one.

    Method: domingo2002, section 3.2. Counted are the categories that occur in the file. With p at or above their
    number, one category is left.

    Parameters
    ----------
    df : DataFrame
        Categorical columns.
    p : int
        How many categories are recoded, 0 or more.
    scope : {"ordinal", "all"}
        Ordered columns only, as the paper's text says; or all columns, in the order of their categories, which
        is what the paper's Tables 3 and 4 look like.
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

    As `top_code`, from the other end: a new category is placed before the first one, an existing one is the
    highest of those that are recoded.

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


def recode_rare(df, p, into="new", label="other", place="end"):
    """Recode the p rarest categories of each variable into one (global recoding).

    Method: domingo2002, section 3.2. Counted are the categories that occur in the file; of equally rare ones the
    first in the order of categories goes first. With p at or above their number, one category is left.

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
    place : {"end", "start"}
        Where the new category stands in the order of an ordinal variable: after all others or before them.

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

    if place not in ("end", "start"):
        raise ValueError(f"place is {place!r}; it is 'end' or 'start'")
    return _recode(df, p, "all", rarest_first, into, label, place, "recode_rare")


def _recode(df, p, scope, ranking, into, label, place, method):
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
            categories = [*names, label] if place == "end" else [label, *names]
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


def pram(df, theta, random_state=None):
    """Replace categories at random so that the expected frequencies stay as they are.

    Post-randomisation (Kooiman, Willenborg and Gouweleeuw 1998) with the matrix of `pram_matrix`, for each
    variable and record independently. Method: domingo2002, section 3.2, where p = 10 theta.

    Parameters
    ----------
    df : DataFrame
        Categorical columns.
    theta : float
        Strength, 0 (nothing changes) to 1.
    random_state : int or numpy Generator, optional
        Same seed, same result.

    Returns
    -------
    DataFrame
        Same index, columns and dtypes.

    Examples
    --------
    >>> file = pd.DataFrame({"animal": pd.Categorical(["dog"] * 4 + ["cat"] * 2)})
    >>> masked = pram(file, theta=0.9, random_state=1)
    >>> masked["animal"].tolist()
    ['dog', 'dog', 'cat', 'dog', 'dog', 'dog']
    """
    check_categorical(df)
    rng = np.random.default_rng(random_state)
    masked, transitions = {}, {}
    for column in df:
        matrix = pram_matrix(df[column], theta)
        draws = rng.random(len(df))
        codes = df[column].cat.codes.to_numpy().astype(np.int64)
        known = np.flatnonzero(codes >= 0)
        if len(matrix) > 1:
            place = df[column].cat.categories.get_indexer(matrix.index)  # codes that occur
            row = np.searchsorted(place, codes[known])
            leave = 1 - np.diag(matrix)[row]
            changed = draws[known] < leave
            # A draw below `leave` is uniform there: it also says which of the others comes.
            share = draws[known][changed] / leave[changed]
            other = np.minimum((share * (len(place) - 1)).astype(np.int64), len(place) - 2)
            codes[known[changed]] = place[other + (other >= row[changed])]
        masked[column] = pd.Categorical.from_codes(codes, dtype=df[column].dtype)
        # A category that does not occur stays as it is.
        transitions[column] = {name: {name: 1.0} for name in df[column].cat.categories} | {
            name: {to: p for to, p in row.items() if p > 0}
            for name, row in matrix.to_dict("index").items()
        }
    return masked_frame(df, masked, {"method": "pram", "theta": theta, "transitions": transitions})


def pram_matrix(column, theta):
    """Probabilities with which PRAM replaces each category (row) by each (column of the matrix).

    With T(k) the frequency of category k, K categories that occur and T(K) the lowest frequency::

        p_kk = 1 - theta T(K) / T(k),    p_kl = theta T(K) / ((K - 1) T(k))  for l != k

    (domingo2002, section 3.2). Rows sum to 1, and T P = T: expected frequencies do not change.

    Examples
    --------
    >>> pram_matrix(pd.Series(["dog"] * 4 + ["cat"] * 2, dtype="category"), theta=0.5)
          cat   dog
    cat  0.50  0.50
    dog  0.25  0.75
    """
    if not 0 <= theta <= 1:
        raise ValueError(f"theta is {theta}; it lies between 0 and 1")
    frequency = column.value_counts(sort=False)
    frequency = frequency[frequency > 0]
    names = list(frequency.index)
    frequency = frequency.to_numpy(float)
    if len(names) < 2:
        return pd.DataFrame(np.eye(len(names)), names, names)
    leave = theta * frequency.min() / frequency
    matrix = np.repeat(leave[:, None] / (len(names) - 1), len(names), axis=1)
    np.fill_diagonal(matrix, 1 - leave)
    return pd.DataFrame(matrix, names, names)


def transitions(masked):
    """Probabilities with which the masking turned each original category (row) into each masked one, by column.

    Read from the record that the masking methods of this package leave; several steps are multiplied.

    Examples
    --------
    >>> file = pd.DataFrame({"animal": pd.Categorical(["dog", "dog", "cat", "emu"])})
    >>> transitions(recode_rare(file, p=2))["animal"]
         other  dog
    cat    1.0  0.0
    dog    0.0  1.0
    emu    1.0  0.0
    """
    steps = masked.attrs.get("masking")
    if not steps:
        raise ValueError(
            "the file has no record of its masking (attrs['masking']); use the frame that the masking "
            "method returned, or a selection of its rows and columns"
        )
    result = {}
    for column in masked:
        for step in steps:
            if column in step.get("transitions", {}):
                matrix = pd.DataFrame.from_dict(step["transitions"][column], orient="index").fillna(
                    0.0
                )
                before = result.get(column)
                result[column] = (
                    matrix
                    if before is None
                    else pd.DataFrame(
                        product(before, matrix.reindex(before.columns)),
                        before.index,
                        matrix.columns,
                    )
                )
        if column not in result:  # no step touched it
            names = list(masked[column].cat.categories)
            result[column] = pd.DataFrame(np.eye(len(names)), names, names)
    return result
