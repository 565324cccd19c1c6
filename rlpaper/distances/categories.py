"""Distances between records of categories, or of categories and numbers."""

import math

import numpy as np
import pandas as pd

from .._internal.arithmetic import log2, product
from .._internal.rounding import to_decimals
from .._internal.validation import check_missing, check_option, finite_array
from .numeric import standardised
from .prepared_files import (
    COMPARISONS,
    PreparedFiles,
    SumOverColumns,
    by_table,
    column_weights,
    cost_table_both_ways,
)

#: The two forms of the ordinal distance.
ORDINAL = {"printed": "span", "usual": "difference"}


def categorical(weights=None, ordinal="printed", transitions=None):
    """Distance of Definition 1 of domingo2002 for nominal and ordinal variables, summed over the variables.

    Nominal: 0 for equal categories, else 1. Ordinal, over the |D| categories in their order: the
    number of categories from one to the other, both ends counted, divided by |D|. So two equal
    ordinal values have distance 1 / |D|, and every pair that much more than by the usual form
    ``|difference of ranks| / |D|``: it never changes a link.

    Unweighted distances are computed as whole numbers over the common denominator of the |D|, so
    that ties are exact.

    Parameters
    ----------
    weights : list or dict, optional
        One a variable, divided by their sum; without them each counts 1.
    ordinal : {"printed", "usual"}
        Both ends counted, or the difference of ranks.
    transitions : dict of DataFrame, optional
        What an attacker who knows the masking knows: for each column, with which probability each
        original category (row) became each masked one, see `rlpaper.masking`. Where
        that is zero, the distance is infinite (domingo2002, section 3.4).

    Examples
    --------
    >>> size = pd.CategoricalDtype(["S", "M", "L", "XL"], ordered=True)
    >>> a, b = pd.DataFrame({"size": ["S", "XL"]}, dtype=size), pd.DataFrame({"size": ["M", "XL"]}, dtype=size)
    >>> compared = categorical()(a, b)
    >>> compared.distances(compared.original, compared.masked)
    array([[0.5 , 1.  ],
           [0.75, 0.25]])
    """
    _check_ordinal(ordinal)

    def prepare(original, masked):
        x, y, sizes, comparisons, names = _codes(original, masked, ORDINAL[ordinal])
        common = math.lcm(*sizes)
        factors = column_weights(weights, original.columns) * [common // size for size in sizes]
        if transitions is None:
            return PreparedFiles(x, y, SumOverColumns(comparisons, factors, common), squared=False)
        tables = []
        for column, kind, factor, order in zip(original, comparisons, factors, names):
            places = np.arange(len(order))
            cost = COMPARISONS[kind](np.subtract.outer(places, places)) * factor
            possible = _probabilities(transitions, column, order, original[column]) > 0
            tables.append(cost_table_both_ways(np.where(possible, cost, np.inf)))
        return PreparedFiles(x, _offset_codes(y, names), by_table(tables, common), squared=False)

    return prepare


def likelihood_ratio(transitions):
    """How much less likely the masking makes a pair than chance does: ``- sum_v log2 P(b_v | a_v) / P(b_v)``, in bits.

    For a file masked at random the best that an attacker can do who knows the probabilities and
    takes the variables as independent: PRAM, unless of strength 0 or 1, leaves no pair impossible,
    so that infinite distances have nothing to say, but it does make some far more likely than
    others. P(b) is that of the masked category b over the original file. With every original as
    likely as the next, the nearest original is the most likely one.

    Parameters
    ----------
    transitions : dict of DataFrame
        As for `categorical`: P(b | a) by column.

    Examples
    --------
    >>> file = pd.DataFrame({"sex": pd.Categorical(["f", "f", "f", "m"])})
    >>> matrix = pd.DataFrame([[0.75, 0.25], [0.75, 0.25]], ["f", "m"], ["f", "m"])  # as good as drawn anew
    >>> compared = likelihood_ratio({"sex": matrix})(file, file)
    >>> compared.distances(compared.original, compared.masked)[0]
    array([0., 0., 0., 0.])
    """

    def prepare(original, masked):
        x, y, _, _, names = _codes(original, masked, "difference")
        tables = []
        for column, order, codes in zip(original, names, x.T):
            p = _probabilities(transitions, column, order, original[column])
            chance = product(
                (np.bincount(codes.astype(int), minlength=len(order)) / len(original))[None], p
            )[0]
            with np.errstate(divide="ignore", invalid="ignore"):
                tables.append(cost_table_both_ways(np.where(p > 0, log2(chance) - log2(p), np.inf)))
        exact = by_table(tables)
        return PreparedFiles(
            x, _offset_codes(y, names), lambda a, b: to_decimals(exact(a, b)), squared=False
        )

    return prepare


def _probabilities(transitions, column, order, original):
    """P(masked category | original category) by number, zero where nothing is said."""
    if column not in transitions:
        raise ValueError(
            f"transitions has no table for column {column!r}; those of a masking have one for each"
        )
    table = transitions[column]
    unknown = sorted(set(original.unique()) - set(table.index), key=str)
    if unknown:
        raise ValueError(
            f"the transitions of column {column!r} do not say what becomes of category {unknown[0]!r}; give "
            "a row for each category of the original file"
        )
    return table.reindex(index=order, columns=order, fill_value=0.0).fillna(0.0).to_numpy(float)


def _offset_codes(codes, names):
    """Codes of the masked file for `by_table`."""
    return codes + [len(order) for order in names]


def mixed(weights=None, standardise="own", ordinal="printed"):
    """Weighted mean of squared distances for numeric, nominal and ordinal variables together.

    Numeric variables as in `dbrl1`, categorical ones as in `categorical`: abril2012, section 2.1,
    takes these as the squared distance of a variable. Columns with a pandas categorical dtype are
    categories, ordered ones ordinal. Parameters are those of `dbrl1` and `categorical`.

    Examples
    --------
    >>> file = pd.DataFrame({"age": [20.0, 40.0], "sex": pd.Categorical(["f", "m"])})
    >>> compared = mixed()(file, file)
    >>> compared.distances(compared.original, compared.masked)
    array([[0., 5.],
           [5., 0.]])
    """
    _check_ordinal(ordinal)

    def prepare(original, masked):
        x, y, sizes, comparisons = mixed_numbers(original, masked, standardise, ordinal)
        factors = column_weights(weights, original.columns) / sizes
        return PreparedFiles(x, y, SumOverColumns(comparisons, factors))

    return prepare


def mixed_numbers(original, masked, standardise="own", ordinal="printed"):
    """Both files as numbers, standardised or of categories; for each column what divides it, and how it is compared."""

    def numbers(a, b, columns):
        others = (
            tuple(frame.loc[:, columns] for frame in standardise)
            if isinstance(standardise, tuple)
            else standardise
        )
        return standardised(a, b, others)

    return _by_kind(original, masked, ORDINAL[ordinal], numbers, "square")


def gower():
    """Mean over the variables of differences that lie between 0 and 1 (Gower 1971).

    Numeric: ``|a - b| / range``, the range over both files; nominal: 0 or 1; ordinal: difference of
    ranks over the largest possible one. A constant column is 0.

    Examples
    --------
    >>> file = pd.DataFrame({"age": [20.0, 25.0, 40.0], "sex": pd.Categorical(["f", "m", "m"])})
    >>> compared = gower()(file, file)
    >>> compared.distances(compared.original, compared.masked)[0]
    array([0.   , 0.625, 1.   ])
    """

    def prepare(original, masked):
        def numbers(a, b, columns):
            x, y = finite_array(a, "original"), finite_array(b, "masked")
            spread = np.ptp(np.vstack([x, y]), axis=0)
            return x / np.where(spread > 0, spread, 1), y / np.where(spread > 0, spread, 1)

        x, y, sizes, comparisons = _by_kind(original, masked, "difference", numbers, "difference")
        largest = [
            max(1, size - 1) if kind == "difference" else 1
            for size, kind in zip(sizes, comparisons)
        ]
        return PreparedFiles(
            x,
            y,
            SumOverColumns(comparisons, 1 / np.array(largest), original.shape[1]),
            squared=False,
        )

    return prepare


def _check_ordinal(ordinal):
    check_option("ordinal", ordinal, ORDINAL)


def _by_kind(original, masked, ordinal, numbers, number_kind):
    """PreparedFiles of files with both comparisons of columns; a number's size is 1."""
    is_category = _is_category(original, masked)
    x, y = np.empty(original.shape), np.empty(masked.shape)
    sizes, comparisons = (
        np.ones(len(is_category), int),
        np.full(len(is_category), number_kind, object),
    )
    if is_category.any():
        x[:, is_category], y[:, is_category], sizes[is_category], comparisons[is_category] = _codes(
            original.loc[:, is_category], masked.loc[:, is_category], ordinal
        )[:4]
    if not is_category.all():
        columns = original.columns[~is_category]
        x[:, ~is_category], y[:, ~is_category] = numbers(
            original[columns], masked[columns], columns
        )
    return x, y, sizes, list(comparisons)


def _is_category(original, masked):
    """Which columns hold categories."""
    first, second = (
        [isinstance(dtype, pd.CategoricalDtype) for dtype in frame.dtypes]
        for frame in (original, masked)
    )
    for column, *both in zip(original.columns, first, second):
        if both[0] != both[1]:
            raise ValueError(
                f"column {column!r} is categorical in one file and not in the other; convert one of them"
            )
    return np.array(first)


def _codes(original, masked, ordinal):
    """Codes of both files in common categories; for each column what divides it, how it is compared, the categories."""
    sizes, comparisons, columns, orders = [], [], [], []
    for column, is_category in zip(original, _is_category(original, masked)):
        if not is_category:
            raise ValueError(
                f"column {column!r} is not categorical; convert it with .astype('category'), or use the "
                "distances mixed or gower"
            )
        both = original[column].array, masked[column].array
        check_missing(original[[column]], "original")
        check_missing(masked[[column]], "masked")
        names = _common_categories(column, *both)
        is_ordered = both[0].ordered
        sizes.append(len(names) if is_ordered else 1)
        comparisons.append(ordinal if is_ordered else "unequal")
        orders.append(names)
        common = pd.Index(names, dtype=object)
        columns.append(
            [common.get_indexer(values.categories.astype(object))[values.codes] for values in both]
        )
    x, y = (np.column_stack(part).astype(float) for part in zip(*columns))
    return x, y, sizes, comparisons, orders


def _common_categories(column, original, masked):
    """The categories of both files in one order: the longer list, which must hold the other in the same order."""
    if original.ordered != masked.ordered:
        raise ValueError(
            f"column {column!r} is ordered in one file and not in the other; make both alike"
        )
    longer, shorter = sorted(
        (list(original.categories), list(masked.categories)), key=len, reverse=True
    )
    if not original.ordered:
        known = set(longer)
        return [*longer, *(name for name in shorter if name not in known)]
    if [name for name in longer if name in shorter] != shorter:
        raise ValueError(
            f"column {column!r} has categories {list(original.categories)} in the original and "
            f"{list(masked.categories)} in the masked file; an ordered variable needs one common order"
        )
    return longer
