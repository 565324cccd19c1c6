"""Aggregation operators: quantifiers, fuzzy measures, Choquet and Sugeno integrals."""

import itertools
import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from ._internal.arithmetic import exp, power
from ._internal.magnitudes import exponents, near_one
from ._internal.validation import (
    SHARE_ROUNDING,
    check_list,
    check_missing,
    check_number,
    check_option,
    numeric_array,
    records_in_rows,
    refuse_values,
    shown,
)

MAX_VARIABLES = 24  # whose sets are gone through
LARGEST = 1e300  # of which sums are finite
ANY_NUMBER = f"a number between -{LARGEST:g} and {LARGEST:g}"

#: A function Q on [0, 1]: Q(x) is the weight of the largest values together, x being their share.
Quantifier = Callable[[Any], np.ndarray]


def power_quantifier(alpha: float) -> Quantifier:
    """Return a quantifier of torra2008's family Q^e: ``Q(x) = x ** alpha``, alpha > 0.

    Examples
    --------
    >>> float(power_quantifier(2)(0.5))
    0.25
    """
    check_number(
        "alpha",
        alpha,
        f"a number up to {LARGEST:g}, and a power quantifier needs alpha > 0, or Q(0) = 0 does "
        "not hold",
        math.ulp(0.0),
        LARGEST,
    )
    return lambda x: power(_shares(x), alpha)


def sigmoid_quantifier(alpha: float) -> Quantifier:
    """Return a quantifier of torra2008's family Q^s: ``Q(x) = 1 / (1 + exp(10 (alpha - x)))``.

    The paper prints ``(alpha - x) + 10`` in the exponent; that is nearly constant and contradicts
    its Figure 4. Neither Q(0) = 0 nor Q(1) = 1 holds, so an OWA operator with this quantifier is
    not idempotent.

    Examples
    --------
    >>> float(sigmoid_quantifier(0.5)(0.5))
    0.5
    """
    _check_alpha(alpha)
    return lambda x: 1 / (1 + exp(10 * (alpha - _shares(x))))


def threshold_quantifier(alpha: float) -> Quantifier:
    """Return a quantifier of torra2008's family Q^t: 0 up to alpha, 1 above it.

    Examples
    --------
    >>> threshold_quantifier(0.5)([0.5, 0.75]).tolist()
    [0.0, 1.0]
    """
    _check_alpha(alpha)
    return lambda x: (_shares(x) > alpha).astype(float)


def _check_alpha(alpha: float) -> None:
    check_number("alpha", alpha, ANY_NUMBER, -LARGEST, LARGEST)


def _shares(x: ArrayLike) -> np.ndarray:
    """Return an array of what a quantifier is asked for; refuse what is no share."""
    shares = np.asarray(x)
    if shares.dtype.kind not in "biuf" or not ((shares >= 0) & (shares <= 1)).all():
        raise ValueError(
            f"option x of a quantifier is {shown(x)}; it is a share between 0 and 1, or an array "
            "of them"
        )
    return shares.astype(float)


#: The quantifier families of torra2008 with the parameters of its experiments.
QUANTIFIERS: dict[str, tuple[Callable[[float], Quantifier], list[float]]] = {
    "Qe": (power_quantifier, [i / 5 for i in range(1, 11)]),
    "Qs": (sigmoid_quantifier, [i / 10 for i in range(10)]),
    "Qt": (threshold_quantifier, [i / 10 for i in range(10)]),
}


def choquet(
    values: pd.DataFrame | ArrayLike, measure: Quantifier | ArrayLike, missing: str = "refuse"
) -> pd.Series | np.ndarray:
    """Compute the Choquet integral of each record; with a quantifier, the OWA operator.

    ``CI(a) = sum_i (mu(A_i) - mu(A_{i-1})) a_(i)``, with the values a in decreasing order and A_i
    the variables of the i largest (Choquet 1954). For a symmetric measure, ``mu(A) = Q(|A| / N)``,
    it is the ordered weighted average ``OWA_Q(a) = sum_i (Q(i/N) - Q((i-1)/N)) a_(i)`` (Yager 1988;
    torra2008, Definition 2).

    Parameters
    ----------
    values : DataFrame or array, records in rows
    measure : callable or array
        A quantifier Q, non-decreasing from [0, 1] to [0, 1], or the measures of all 2 ** N sets of
        variables: bit v of a set's number says whether variable v is in it, and the empty set comes
        first. The integral lies between minimum and maximum if Q(0) = 0 and Q(1) = 1. This is not
        required, because it does not hold for the papers' own sigmoid.
    missing : {"refuse", "project", "zero"}
        What to do about missing values: raise an error, aggregate the values that are there
        (torra2008, Proposition 3; for quantifiers only), or take them as zero, as the experiments
        of torra2008 do after normalisation.

    Returns
    -------
    Series or array
        One number per record.

    Examples
    --------
    The first record of the paper's Table I at alpha = 1, the arithmetic mean:

    >>> round(float(choquet([[0.2, 0.4, 0.2, 0.4]], power_quantifier(1))[0]), 3)
    0.3

    Two variables that say nearly the same, so that both together count little more than one alone:

    >>> float(choquet([[1.0, 0.0]], [0, 0.9, 0.9, 1])[0])
    0.9
    """
    return _integral(values, measure, missing, _weighted_sum)


def sugeno(
    values: pd.DataFrame | ArrayLike, measure: Quantifier | ArrayLike, missing: str = "refuse"
) -> pd.Series | np.ndarray:
    """Compute the Sugeno integral of each record.

    ``SI(a) = max_i min(mu(A_i), a_(i))``, with the values a in decreasing order and A_i the
    variables of the i largest (Sugeno 1974); with a quantifier, ``max_i min(Q(i/N), a_(i))``
    (torra2008, Definition 3). It compares values with measures, so it lies between minimum and
    maximum only for values in [0, 1].

    Parameters and result are the same as for `choquet`.

    Examples
    --------
    >>> float(sugeno([[0.9, 0.2, 0.4]], power_quantifier(1))[0])
    0.4
    """
    return _integral(
        values,
        measure,
        missing,
        lambda ordered, levels: np.minimum(ordered, levels[:, 1:]).max(axis=1),
    )


def _integral(
    values: pd.DataFrame | ArrayLike,
    measure: Quantifier | ArrayLike,
    missing: str,
    combine: Callable[[np.ndarray, np.ndarray], np.ndarray],
) -> pd.Series | np.ndarray:
    """Combine the values in decreasing order with the measures of the 0, 1, ..., N largest."""
    check_option("missing", missing, ("refuse", "project", "zero"))
    file = records_in_rows("values", values)
    numbers = numeric_array(file, "leave it out; only numbers can be aggregated")
    refuse_values(file, np.isinf(numbers), "infinite", "replace it or drop the record first")
    # Arrays keep their order in memory: with it, their sums would change in the last digit.
    array = np.array(numbers if isinstance(values, pd.DataFrame) else values, float)
    there = ~np.isnan(array)
    if missing == "refuse":
        check_missing(
            file, instead="fill or drop missing values first, or choose what `missing` does"
        )
    if missing == "project" and not there.any(axis=1).all():
        empty = file.index[~there.any(axis=1)].tolist()
        raise ValueError(f"record {empty[0]!r} has no value at all; drop it first")
    if missing == "project" and not there.all() and not callable(measure):
        raise ValueError(
            "missing values cannot be left out under a measure of fixed variables; use a quantifier"
        )
    n = array.shape[1]
    sizes = np.array([[n]])  # the same for all records
    if missing == "project":
        sizes = there.sum(axis=1, keepdims=True)
        # last in order, where the smallest value stands instead and has nothing to add
        array[~there] = -np.inf
    array[np.isnan(array)] = 0
    order = np.argsort(-array, axis=1, kind="stable")
    if missing == "project":
        order = np.take_along_axis(order, np.minimum(np.arange(n), sizes - 1), axis=1)
    ordered = np.take_along_axis(array, order, axis=1)
    if callable(measure):
        levels = _levels(measure, np.minimum(np.arange(n + 1), sizes) / sizes)
    else:
        levels = check_measure(measure, n)[np.insert(np.cumsum(1 << order, axis=1), 0, 0, axis=1)]
    result = combine(ordered, levels)
    return pd.Series(result, values.index) if isinstance(values, pd.DataFrame) else result


def _weighted_sum(ordered: np.ndarray, levels: np.ndarray) -> np.ndarray:
    """Return the Choquet integral of values in decreasing order; see `_integral`."""
    powers = exponents(ordered.T)
    ordered = near_one(ordered, powers[:, None])
    return near_one((ordered * np.diff(levels, axis=1)).sum(axis=1), -powers)


def _levels(quantifier: Quantifier, shares: np.ndarray) -> np.ndarray:
    """Return what a quantifier gives for growing shares; refuse what is none."""
    if not callable(quantifier) or isinstance(quantifier, type):
        raise ValueError(
            f"quantifier is {shown(quantifier)}; give a function of shares, such as "
            "power_quantifier(2)"
        )
    levels = np.asarray(quantifier(shares))
    if (
        levels.shape != shares.shape
        or levels.dtype.kind not in "biuf"
        or not ((levels >= -SHARE_ROUNDING) & (levels <= 1 + SHARE_ROUNDING)).all()
        or (np.diff(levels) < -SHARE_ROUNDING).any()
    ):
        raise ValueError(
            "the quantifier does not give a number between 0 and 1 for each share, none of them "
            "less than for a smaller share"
        )
    return levels


# Fuzzy measures. A set of variables has a number: bit v says whether variable v is in the set. A
# measure of n variables is an array of 2 ** n values, the one of the empty set first.


def symmetric_measure(quantifier: Quantifier, n: int) -> np.ndarray:
    """Return the measure ``mu(A) = Q(|A| / n)`` of all sets of n variables.

    Examples
    --------
    >>> symmetric_measure(power_quantifier(2), 2).tolist()
    [0.0, 0.25, 0.25, 1.0]
    """
    n = _checked_variables(n)
    sizes = np.array([s.bit_count() for s in range(2**n)])
    return _levels(quantifier, np.arange(n + 1) / n)[sizes]


def check_measure(measure: ArrayLike, n: int) -> np.ndarray:
    """Return a fuzzy measure of n variables as an array; refuse anything else."""
    n = _checked_variables(n)
    measure = _numbers_of_sets("measure", measure)
    if measure.shape != (2**n,):
        raise ValueError(
            f"a measure of {n} variables has a value for each of {2**n} sets, the empty one first; "
            f"here are {measure.size}"
        )
    if measure[0] != 0 or abs(measure[-1] - 1) > 1e-9:
        raise ValueError(
            f"the empty set has measure {measure[0]:g} and the whole {measure[-1]:g}; they must be "
            "0 and 1"
        )
    sets = np.arange(2**n)
    for v in range(n):
        less = sets[(sets >> v & 1 == 1) & (measure < measure[sets & ~(1 << v)] - 1e-12)]
        if len(less):
            raise ValueError(
                f"the measure is not monotone: set {less[0]} has {measure[less[0]]:g}, less than "
                f"without variable {v}, {measure[less[0] & ~(1 << v)]:g}"
            )
    return measure


def mobius(measure: ArrayLike) -> np.ndarray:
    """Compute the Moebius transform: what each set has beyond its subsets; see `from_mobius`.

    Examples
    --------
    >>> mobius([0, 0.5, 0.25, 1.0]).tolist()
    [0.0, 0.5, 0.25, 0.25]
    """
    return _summed(_numbers_of_sets("measure", measure), -1)


def from_mobius(values: ArrayLike) -> np.ndarray:
    """Compute the measure of each set: the sum of the Moebius values of its subsets.

    Examples
    --------
    >>> from_mobius([0, 0.5, 0.25, 0.25]).tolist()
    [0.0, 0.5, 0.25, 1.0]
    """
    return _summed(_numbers_of_sets("values", values), 1)


def _checked_variables(n: int) -> int:
    what = f"the number of variables, columns of a file, 1 to {MAX_VARIABLES}"
    check_number("n", n, what, 1, MAX_VARIABLES, whole=True)
    return int(n)


def _numbers_of_sets(name: str, values: ArrayLike) -> np.ndarray:
    """Return numbers of sets, one after the other; refuse what is no number."""
    numbers = check_list(name, values)
    for at, number in enumerate(numbers):
        check_number(f"{name}[{at}]", number, ANY_NUMBER, -LARGEST, LARGEST)
    return np.array(numbers, float)


def _summed(values: np.ndarray, sign: int) -> np.ndarray:
    if len(values) == 0 or len(values) & (len(values) - 1):
        raise ValueError(
            "a measure has a value for each of 2 ** n sets, the empty one first; here are "
            f"{len(values)}"
        )
    sets = np.arange(len(values))
    for v in range(_variables(values)):
        with_v = sets[sets >> v & 1 == 1]
        values[with_v] += sign * values[with_v ^ 1 << v]
    return values


def _variables(values: np.ndarray) -> int:
    return len(values).bit_length() - 1


def shapley(measure: ArrayLike) -> np.ndarray:
    """Compute the Shapley value of each variable: what it adds, on average over all orders.

    Examples
    --------
    >>> shapley([0, 0.5, 0.3, 1.0]).round(6).tolist()
    [0.6, 0.4]
    """
    values = mobius(measure)
    return np.array(
        [
            sum(values[s] / s.bit_count() for s in range(len(values)) if s >> v & 1)
            for v in range(_variables(values))
        ]
    )


def interaction(measure: ArrayLike) -> np.ndarray:
    """Compute the interaction index of each pair of variables; the diagonal is 0.

    Examples
    --------
    >>> interaction([0, 0.5, 0.25, 1.0]).tolist()
    [[0.0, 0.25], [0.25, 0.0]]
    """
    values = mobius(measure)
    n = _variables(values)
    table = np.zeros((n, n))
    for i, j in itertools.permutations(range(n), 2):
        table[i, j] = sum(
            values[s] / (s.bit_count() - 1) for s in range(len(values)) if s >> i & 1 and s >> j & 1
        )
    return table
