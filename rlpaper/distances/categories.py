"""Distances between records of categories, or of categories and numbers."""

import math
from collections.abc import Callable

import numpy as np
import pandas as pd

from .._internal.arithmetic import log2, product
from .._internal.hints import Distance, Label, Transitions
from .._internal.magnitudes import exponents, near_one
from .._internal.rounding import to_decimals
from .._internal.validation import (
    check_comparable,
    check_missing,
    check_option,
    finite_array,
    transition_table,
)
from .numeric import Moments, check_moments, standardised
from .prepared_files import (
    COMPARISONS,
    PreparedFiles,
    SumOverColumns,
    Weights,
    by_table,
    check_weights,
    column_weights,
    cost_table_both_ways,
)

MAX_WHOLE = 1 << 53  # up to which floats hold every whole number

#: The two forms of the ordinal distance.
ORDINAL = {"printed": "span", "usual": "difference"}

#: Both files as numbers; for each column what divides it, and how it is compared.
Numbers = tuple[np.ndarray, np.ndarray, np.ndarray, list[str]]


def categorical(
    weights: Weights | None = None,
    ordinal: str = "printed",
    transitions: Transitions | None = None,
) -> Distance:
    """Make the distance for nominal and ordinal variables of domingo2002, Definition 1.

    It is summed over the variables. A nominal variable gives 0 for equal categories, else 1. An
    ordinal variable with |D| categories gives the number of categories from one to the other in
    their order, both ends counted, divided by |D|. So two equal ordinal values have distance
    1 / |D|, and every pair is farther apart by as much than in the usual form ``|difference of
    ranks| / |D|``: this never changes a link.

    Unweighted distances are computed as whole numbers over the common denominator of the |D|, so
    that ties are exact.

    Parameters
    ----------
    weights : list or dict, optional
        One per variable, divided by their sum; without them each variable counts 1.
    ordinal : {"printed", "usual"}
        Both ends counted, or the difference of ranks.
    transitions : dict of DataFrame, optional
        What an attacker who knows the masking knows: for each column, with which probability each
        original category (row) became each masked one, see `rlpaper.masking`. Where
        that is zero, the distance is infinite (domingo2002, section 3.4).

    Examples
    --------
    >>> size = pd.CategoricalDtype(["S", "M", "L", "XL"], ordered=True)
    >>> a = pd.DataFrame({"size": ["S", "XL"]}, dtype=size)
    >>> b = pd.DataFrame({"size": ["M", "XL"]}, dtype=size)
    >>> compared = categorical()(a, b)
    >>> compared.distances(compared.original, compared.masked)
    array([[0.5 , 1.  ],
           [0.75, 0.25]])
    """
    check_option("ordinal", ordinal, ORDINAL)
    check_weights(weights)

    def prepare(original: pd.DataFrame, masked: pd.DataFrame) -> PreparedFiles:
        x, y, sizes, comparisons, names = _codes(original, masked, ORDINAL[ordinal])
        common = math.lcm(*sizes)
        if common * len(sizes) > MAX_WHOLE:  # the sums would not be exact anyway
            common = 1
        factors = column_weights(weights, original.columns) * [common / size for size in sizes]
        if transitions is None:
            return PreparedFiles(x, y, SumOverColumns(comparisons, factors, common), squared=False)
        tables = []
        for column, comparison, factor, order in zip(
            original, comparisons, factors, names, strict=True
        ):
            ranks = np.arange(len(order))
            cost = COMPARISONS[comparison](np.subtract.outer(ranks, ranks)) * factor
            possible = _probabilities(transitions, column, order, original[column]) > 0
            tables.append(cost_table_both_ways(np.where(possible, cost, np.inf)))
        return PreparedFiles(x, _offset_codes(y, names), by_table(tables, common), squared=False)

    return prepare


def likelihood_ratio(transitions: Transitions) -> Distance:
    """Make the distance that says how much less likely the masking makes a pair than chance does.

    It is ``- sum_v log2 P(b_v | a_v) / P(b_v)``, in bits. P(b) is the probability of the masked
    category b over the original file. When all originals are equally likely, the nearest original
    is the most likely one. For a file masked at random, no attacker who knows the probabilities and
    takes the variables as independent can do better. PRAM, unless of strength 0 or 1,
    leaves no pair impossible, so infinite distances say nothing there; but it makes some pairs far
    more likely than others.

    Parameters
    ----------
    transitions : dict of DataFrame
        As for `categorical`: P(b | a) by column.

    Examples
    --------
    >>> file = pd.DataFrame({"sex": pd.Categorical(["f", "f", "f", "m"])})
    >>> drawn_anew = pd.DataFrame([[0.75, 0.25], [0.75, 0.25]], ["f", "m"], ["f", "m"])
    >>> compared = likelihood_ratio({"sex": drawn_anew})(file, file)
    >>> compared.distances(compared.original, compared.masked)[0]
    array([0., 0., 0., 0.])
    """

    def prepare(original: pd.DataFrame, masked: pd.DataFrame) -> PreparedFiles:
        x, y, _, _, names = _codes(original, masked, "difference")
        tables = []
        for column, order, codes in zip(original, names, x.T, strict=True):
            p = _probabilities(transitions, column, order, original[column])
            shares = np.bincount(codes.astype(int), minlength=len(order)) / len(original)
            chance = product(shares[None], p)[0]
            with np.errstate(divide="ignore", invalid="ignore"):
                tables.append(cost_table_both_ways(np.where(p > 0, log2(chance) - log2(p), np.inf)))
        exact = by_table(tables)
        return PreparedFiles(
            x, _offset_codes(y, names), lambda a, b: to_decimals(exact(a, b)), squared=False
        )

    return prepare


def _probabilities(
    transitions: Transitions, column: Label, order: list, original: pd.Series
) -> np.ndarray:
    """Return P(masked category | original category) by number, zero where nothing is said."""
    table = transition_table(transitions, column)
    unknown = sorted(set(original.unique()) - set(table.index), key=str)
    if unknown:
        raise ValueError(
            f"the transitions of column {column!r} do not say what becomes of category "
            f"{unknown[0]!r}; give a row for each category of the original file"
        )
    return table.reindex(index=order, columns=order, fill_value=0.0).fillna(0.0).to_numpy(float)


def _offset_codes(codes: np.ndarray, names: list[list]) -> np.ndarray:
    """Return the codes of the masked file for `by_table`."""
    return codes + [len(order) for order in names]


def mixed(
    weights: Weights | None = None, standardise: Moments = "own", ordinal: str = "printed"
) -> Distance:
    """Make the weighted mean of squared distances of numeric, nominal and ordinal variables.

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
    check_option("ordinal", ordinal, ORDINAL)
    check_moments(standardise)
    check_weights(weights)

    def prepare(original: pd.DataFrame, masked: pd.DataFrame) -> PreparedFiles:
        x, y, sizes, comparisons = mixed_numbers(original, masked, standardise, ordinal)
        factors = column_weights(weights, original.columns) / sizes
        return PreparedFiles(x, y, SumOverColumns(comparisons, factors))

    return prepare


def mixed_numbers(
    original: pd.DataFrame,
    masked: pd.DataFrame,
    standardise: Moments = "own",
    ordinal: str = "printed",
) -> Numbers:
    """Return both files as numbers, standardised ones and those of categories.

    With them, for each column what divides it, and how it is compared.
    """

    def numbers(a: pd.DataFrame, b: pd.DataFrame) -> tuple[np.ndarray, np.ndarray]:
        if isinstance(standardise, tuple):
            # If a column is missing there, it is refused.
            first, second = (file[[name for name in a if name in file]] for file in standardise)
            return standardised(a, b, (first, second))
        return standardised(a, b, standardise)

    return _by_type(original, masked, ORDINAL[ordinal], numbers, "square")


def gower() -> Distance:
    """Make the mean over the variables of differences that lie between 0 and 1 (Gower 1971).

    Numeric: ``|a - b| / range``, the range over both files; nominal: 0 or 1; ordinal: difference of
    ranks over the largest possible one. A constant column is 0.

    Examples
    --------
    >>> file = pd.DataFrame({"age": [20.0, 25.0, 40.0], "sex": pd.Categorical(["f", "m", "m"])})
    >>> compared = gower()(file, file)
    >>> compared.distances(compared.original, compared.masked)[0]
    array([0.   , 0.625, 1.   ])
    """

    def numbers(a: pd.DataFrame, b: pd.DataFrame) -> tuple[np.ndarray, np.ndarray]:
        x, y = finite_array(a, "original"), finite_array(b, "masked")
        powers = exponents(np.vstack([x, y]))
        x, y = near_one(x, powers), near_one(y, powers)
        spread = np.ptp(np.vstack([x, y]), axis=0)
        return x / np.where(spread > 0, spread, 1), y / np.where(spread > 0, spread, 1)

    def prepare(original: pd.DataFrame, masked: pd.DataFrame) -> PreparedFiles:
        x, y, sizes, comparisons = _by_type(original, masked, "difference", numbers, "difference")
        # A nominal variable has size 1.
        summed = SumOverColumns(comparisons, 1 / np.maximum(1, sizes - 1), original.shape[1])
        return PreparedFiles(x, y, summed, squared=False)

    return prepare


def _by_type(
    original: pd.DataFrame,
    masked: pd.DataFrame,
    ordinal: str,
    numbers: Callable[[pd.DataFrame, pd.DataFrame], tuple[np.ndarray, np.ndarray]],
    comparison: str,
) -> Numbers:
    """Turn files with numbers and categories into numbers; what divides a number is 1."""
    check_comparable(original, masked)
    is_category = _is_category(original, masked)
    x, y = np.empty(original.shape), np.empty(masked.shape)
    sizes, comparisons = (
        np.ones(len(is_category), int),
        np.full(len(is_category), comparison, object),
    )
    if is_category.any():
        x[:, is_category], y[:, is_category], sizes[is_category], comparisons[is_category] = _codes(
            original.loc[:, is_category], masked.loc[:, is_category], ordinal
        )[:4]
    if not is_category.all():
        columns = original.columns[~is_category]
        x[:, ~is_category], y[:, ~is_category] = numbers(original[columns], masked[columns])
    return x, y, sizes, list(comparisons)


def _is_category(original: pd.DataFrame, masked: pd.DataFrame) -> np.ndarray:
    """Tell which columns hold categories."""
    first, second = (
        [isinstance(dtype, pd.CategoricalDtype) for dtype in frame.dtypes]
        for frame in (original, masked)
    )
    for column, one, other in zip(original.columns, first, second, strict=True):
        if one != other:
            raise ValueError(
                f"column {column!r} is categorical in one file and not in the other; convert one "
                "of them"
            )
    return np.array(first)


def _codes(
    original: pd.DataFrame, masked: pd.DataFrame, ordinal: str
) -> tuple[np.ndarray, np.ndarray, list[int], list[str], list[list]]:
    """Return both files as codes of common categories.

    With them, for each column what divides it, how it is compared, and the categories.
    """
    check_comparable(original, masked)
    sizes, comparisons, columns, orders = [], [], [], []
    for column, is_category in zip(original, _is_category(original, masked), strict=True):
        if not is_category:
            raise ValueError(
                f"column {column!r} is not categorical; convert it with .astype('category'), or "
                "use the distances mixed or gower"
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
    x, y = (np.column_stack(part).astype(float) for part in zip(*columns, strict=True))
    return x, y, sizes, comparisons, orders


def _common_categories(column: Label, original: pd.Categorical, masked: pd.Categorical) -> list:
    """Return the categories of both files in one order.

    Of ordered variables it is the longer list, which must hold the other in the same order.
    """
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
            f"{list(masked.categories)} in the masked file; an ordered variable needs one common "
            "order"
        )
    return longer
