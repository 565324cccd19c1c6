"""Information loss of categories: distances, contingency tables and entropy.

Measures of domingo2002, section 3.4. The paper prints no formulas; they are those of its reference
[18], Domingo-Ferrer and Torra (2001), Disclosure control methods and information loss for
microdata, in Doyle, Lane, Theeuwes and Zayatz (eds.), Confidentiality, Disclosure, and Data Access,
Elsevier, 91-110. All are sums over the records, so only files of the same size can be compared. A
file that was not masked loses nothing by any of them, except for what the printed form of Dist
adds. Missing values are refused.
"""

import itertools
import math

import numpy as np
import pandas as pd

from .._internal import arithmetic
from .._internal.hints import Label, Transitions
from .._internal.validation import (
    aligned,
    check_file,
    check_hashable,
    check_missing,
    check_number,
    transition_table,
)
from ..distances import categorical

MAX_SMOOTHING = 1e100  # of which sums and products are finite

#: In a larger table only the cells that occur are counted.
MAX_TABLE_CELLS = 10**5


def dist(original: pd.DataFrame, masked: pd.DataFrame, ordinal: str = "printed") -> float:
    """Compute Dist: the distance between each record and its masked form.

    It is the distance of Definition 1, summed over records and variables.

    Parameters
    ----------
    original, masked : DataFrame
        Categorical columns; records with the same index label are the same individual.
    ordinal : {"printed", "usual"}
        As for `rlpaper.distances.categorical`. With the printed form, an ordinal value that was
        not changed adds 1 / |D|.

    Examples
    --------
    >>> size = pd.CategoricalDtype(["S", "M", "L", "XL"], ordered=True)
    >>> original = pd.DataFrame({"size": ["S", "XL"]}, dtype=size)
    >>> masked = pd.DataFrame({"size": ["M", "XL"]}, dtype=size)
    >>> dist(original, masked), dist(original, masked, "usual")
    (0.75, 0.25)
    """
    masked = aligned(original, masked)
    total = 0.0
    for column in original:
        compared = categorical(ordinal=ordinal)(original[[column]], masked[[column]])
        (x, i), (y, j) = (
            np.unique(codes, return_inverse=True) for codes in (compared.original, compared.masked)
        )
        total += compared.distances(x[:, None], y[:, None])[i.ravel(), j.ravel()].sum()
    return float(total)


def ctbil(original: pd.DataFrame, masked: pd.DataFrame, order: int = 2) -> float:
    """Compute CTBIL: the absolute differences of the cells of contingency tables, summed.

    With x and x' the counts of a cell before and after masking, over all sets W of 1 to `order`
    variables::

        CTBIL = sum_W sum_cells |x - x'|

    A new category is a row of its own: a record that moves there is missing from one cell and is
    one too many in another.

    Parameters
    ----------
    original, masked : DataFrame
        As for `dist`.
    order : int
        Largest number of variables in a table.

    Examples
    --------
    >>> original = pd.DataFrame({"sex": pd.Categorical(list("fffm"))})
    >>> masked = pd.DataFrame({"sex": pd.Categorical(list("ffmm"))})
    >>> ctbil(original, masked)
    2.0
    """
    return table_differences(original, masked, order)[0]


def actbil(original: pd.DataFrame, masked: pd.DataFrame, order: int = 2) -> float:
    """Compute ACTBIL: CTBIL divided by the number of cells, so that it does not grow with them.

    Cells are all combinations of the categories that occur in either file, empty ones included.

    Examples
    --------
    >>> original = pd.DataFrame({"sex": pd.Categorical(list("fffm"))})
    >>> masked = pd.DataFrame({"sex": pd.Categorical(list("ffmm"))})
    >>> actbil(original, masked)
    1.0
    """
    differences, cells = table_differences(original, masked, order)
    return differences / cells


def table_differences(
    original: pd.DataFrame, masked: pd.DataFrame, order: int
) -> tuple[float, int]:
    """Compute CTBIL and the number of cells of its tables; `ctbil` and `actbil` come from these."""
    check_number("order", order, "the number of variables in a table, 1 or more", 1, whole=True)
    masked = aligned(original, masked)
    check_hashable(original, "original")
    check_hashable(masked, "masked")
    codes, sizes = [], []
    for column in original:
        values = pd.concat([file[column].astype(object) for file in (original, masked)])
        column_codes, names = pd.factorize(values)
        codes.append(column_codes)
        sizes.append(len(names))
    differences, cells = 0, 0
    for count in range(1, min(int(order), len(codes)) + 1):
        for chosen in itertools.combinations(range(len(codes)), count):
            cell, n = np.zeros(2 * len(original), np.int64), 1
            for v in chosen:
                cell, n = cell * sizes[v] + codes[v], n * sizes[v]
                if n > MAX_TABLE_CELLS:
                    occurring, cell = np.unique(cell, return_inverse=True)
                    n = len(occurring)
            cells += math.prod(sizes[v] for v in chosen)
            before, after = cell[: len(original)], cell[len(original) :]
            differences += int(
                np.abs(np.bincount(before, minlength=n) - np.bincount(after, minlength=n)).sum()
            )
    return float(differences), cells


def ebil(
    masked: pd.DataFrame,
    transitions: Transitions,
    reference: pd.DataFrame,
    smoothing: float = 0.0,
) -> float:
    """Compute EBIL: how much of the original values the masked ones leave unknown, in bits.

    It is summed over records and variables (Kooiman, Willenborg and Gouweleeuw 1998). Masking is
    seen as a channel with noise. By Bayes' rule, with P(V = i) the frequencies before masking and
    P(V' = j | V = i) what masking does::

        P(i | j) = P(V' = j | V = i) P(V = i) / sum_k P(V' = j | V = k) P(V = k)
        EBIL = sum_records sum_V H(V | V' = j),    H(V | V' = j) = - sum_i P(i | j) log2 P(i | j)

    It depends on the masked file alone, whatever the original values were.

    Parameters
    ----------
    masked : DataFrame
        Categorical columns.
    transitions : dict of DataFrame
        P(V' = j | V = i), one table per column, see `rlpaper.masking`.
    reference : DataFrame
        The file whose frequencies are P(V = i): the file to be masked (EBILMF) or another one
        (EBILRF).
    smoothing : float
        Added to the count of every category, for a reference file that lacks some.

    Examples
    --------
    >>> original = pd.DataFrame({"sex": pd.Categorical(list("ffmm"))})
    >>> masked = pd.DataFrame({"sex": pd.Categorical(["all"] * 4)})
    >>> merged = {"sex": pd.DataFrame({"all": [1.0, 1.0]}, ["f", "m"])}
    >>> ebil(masked, merged, original)
    4.0
    """
    check_file(masked, "the masked file")
    check_missing(masked, "masked")
    check_hashable(masked, "masked")
    total = 0.0
    for column in masked:
        posterior = _posterior(column, masked[column], transitions, reference, smoothing)
        with np.errstate(divide="ignore", invalid="ignore"):
            uncertain = -(posterior * arithmetic.log2(posterior)).fillna(0.0).sum()
        total += masked[column].astype(object).map(uncertain.to_dict()).sum()
    return float(total)


def il(
    original: pd.DataFrame,
    masked: pd.DataFrame,
    transitions: Transitions,
    reference: pd.DataFrame,
    smoothing: float = 0.0,
) -> float:
    """Compute IL: how surprising the original values are, given the masked ones, in bits.

    It is summed over records and variables. Reference [18] of domingo2002 defines it because EBIL
    ignores the originals. For a record with original value i and masked value j, and P(i | j) as
    for `ebil`::

        IL = sum_records sum_V - log2 P(i | j)

    Parameters
    ----------
    original, masked : DataFrame
        As for `dist`.
    transitions, reference, smoothing
        As for `ebil`.

    Examples
    --------
    >>> original = pd.DataFrame({"sex": pd.Categorical(list("fffm"))})
    >>> masked = pd.DataFrame({"sex": pd.Categorical(["all"] * 4)})
    >>> merged = {"sex": pd.DataFrame({"all": [1.0, 1.0]}, ["f", "m"])}
    >>> round(il(original, masked, merged, original), 3)  # - 3 log2 3/4 - log2 1/4
    3.245
    """
    masked = aligned(original, masked)
    check_hashable(original, "original")
    check_hashable(masked, "masked")
    total = 0.0
    for column in masked:
        posterior = _posterior(column, masked[column], transitions, reference, smoothing)
        (i, values), (j, names) = (
            pd.factorize(file[column].astype(object)) for file in (original, masked)
        )
        pairs = np.bincount(i * len(names) + j, minlength=len(values) * len(names)).reshape(
            len(values), len(names)
        )
        chance = posterior.reindex(index=values, columns=names).fillna(0.0).to_numpy()
        impossible = (pairs > 0) & ~(chance > 0)
        if impossible.any():
            value, became = np.argwhere(impossible)[0]
            raise ValueError(
                f"column {column!r}: {values[value]!r} became {names[became]!r}, which the "
                "transitions or the reference file make impossible; give the transitions of this "
                "masking, and smoothing where the reference file lacks a category"
            )
        total -= (pairs * arithmetic.log2(np.where(pairs > 0, chance, 1.0))).sum()
    return float(total)


def _posterior(
    column: Label,
    masked: pd.Series,
    transitions: Transitions,
    reference: pd.DataFrame,
    smoothing: float,
) -> pd.DataFrame:
    """Compute P(original | masked): one row per original category, one column per masked one."""
    table = transition_table(transitions, column)
    check_file(reference, "the reference file")
    check_number("smoothing", smoothing, f"0 to {MAX_SMOOTHING:g}", 0, MAX_SMOOTHING)
    if column not in reference:
        raise ValueError(
            f"the reference file has no column {column!r}; it needs those of the masked file"
        )
    check_hashable(reference[[column]], "reference")
    counts = reference[column].value_counts()
    by_name = counts.set_axis(counts.index.astype(object))
    prior = by_name.reindex(table.index, fill_value=0) + float(smoothing)
    names = list(masked.astype(object).unique())
    joint = table.reindex(columns=names, fill_value=0.0).mul(prior, axis=0)
    mass = joint.sum()
    if not (mass > 0).all():
        raise ValueError(
            f"column {column!r}: masked category {mass.idxmin()!r} cannot come from any category "
            "of the reference file; give a larger reference file, or smoothing above 0"
        )
    return joint / mass
