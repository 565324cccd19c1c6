"""Aggregation operators: quantifiers and the OWA operator, and fuzzy measures of sets of variables."""

import itertools

import numpy as np
import pandas as pd


def power_quantifier(alpha):
    """The family Q^e of torra2008: ``Q(x) = x ** alpha``, alpha > 0.

    Examples
    --------
    >>> float(power_quantifier(2)(0.5))
    0.25
    """
    if not alpha > 0:
        raise ValueError(f"alpha is {alpha}; a power quantifier needs alpha > 0, or Q(0) = 0 does not hold")
    return lambda x: np.asarray(x, float) ** alpha


def sigmoid_quantifier(alpha):
    """The family Q^s of torra2008: ``Q(x) = 1 / (1 + exp(10 (alpha - x)))``.

    The paper prints ``(alpha - x) + 10`` in the exponent; that is nearly constant and contradicts its Figure 4.
    Neither Q(0) = 0 nor Q(1) = 1 holds, so an OWA operator with this quantifier is not idempotent.

    Examples
    --------
    >>> float(sigmoid_quantifier(0.5)(0.5))
    0.5
    """
    return lambda x: 1 / (1 + np.exp(10 * (alpha - np.asarray(x, float))))


def threshold_quantifier(alpha):
    """The family Q^t of torra2008: 0 up to alpha, 1 above it.

    Examples
    --------
    >>> threshold_quantifier(0.5)([0.5, 0.75]).tolist()
    [0.0, 1.0]
    """
    return lambda x: (np.asarray(x, float) > alpha).astype(float)


#: The quantifier families of torra2008 with the parameters of its experiments.
QUANTIFIERS = {
    "Qe": (power_quantifier, [i / 5 for i in range(1, 11)]),
    "Qs": (sigmoid_quantifier, [i / 10 for i in range(10)]),
    "Qt": (threshold_quantifier, [i / 10 for i in range(10)]),
}


def owa(values, quantifier):
    """Ordered weighted average of each record (Yager 1988; torra2008, Definition 2).

    ``OWA_Q(a) = sum_i (Q(i/N) - Q((i-1)/N)) a_(i)``, with the values a in decreasing order.

    Parameters
    ----------
    values : DataFrame or array, records in rows
        Numbers without missing values.
    quantifier : callable
        Non-decreasing on [0, 1]; the operator lies between minimum and maximum where Q(0) = 0 and Q(1) = 1.

    Returns
    -------
    Series or array
        One number a record.

    Examples
    --------
    The first record of the paper's Table I at alpha = 1, the arithmetic mean:

    >>> round(float(owa([[0.2, 0.4, 0.2, 0.4]], power_quantifier(1))[0]), 3)
    0.3
    """
    # One layout in memory, so that sums have one order and permuted attributes give the same bits.
    array = np.ascontiguousarray(values, float)
    if array.ndim != 2 or array.shape[1] == 0:
        raise ValueError(f"owa needs records in rows and at least one attribute, got shape {array.shape}")
    missing = np.argwhere(np.isnan(array))
    if len(missing):
        record, column = missing[0]
        raise ValueError(f"record {record}, column {column} is missing; fill or drop missing values first")
    steps = quantifier(np.arange(array.shape[1] + 1) / array.shape[1])
    result = -np.sort(-array, axis=1) @ np.diff(steps)
    return pd.Series(result, values.index) if isinstance(values, pd.DataFrame) else result


# Fuzzy measures. Sets of variables have numbers, bit v saying whether variable v is in, so that a measure of n variables
# is an array of 2 ** n values, that of the empty set first.

def mobius(measure):
    """Moebius transform: what each set has beyond its subsets. `from_mobius` takes it back.

    Examples
    --------
    >>> mobius([0, 0.5, 0.25, 1.0]).tolist()
    [0.0, 0.5, 0.25, 0.25]
    """
    return _summed(measure, -1)


def from_mobius(values):
    """The measure of each set: the sum of the Moebius values of its subsets.

    Examples
    --------
    >>> from_mobius([0, 0.5, 0.25, 0.25]).tolist()
    [0.0, 0.5, 0.25, 1.0]
    """
    return _summed(values, 1)


def _summed(values, sign):
    values = np.array(values, float)
    if len(values) == 0 or len(values) & (len(values) - 1):
        raise ValueError(f"a measure has a value for each of 2 ** n sets, the empty one first; here are {len(values)}")
    sets = np.arange(len(values))
    for v in range(_variables(values)):
        with_v = sets[sets >> v & 1 == 1]
        values[with_v] += sign * values[with_v ^ 1 << v]
    return values


def _variables(measure):
    return len(measure).bit_length() - 1


def shapley(measure):
    """Shapley value of each variable: what it adds, on average over all orders.

    Examples
    --------
    >>> shapley([0, 0.5, 0.3, 1.0]).round(6).tolist()
    [0.6, 0.4]
    """
    values = mobius(measure)
    return np.array([sum(values[s] / s.bit_count() for s in range(len(values)) if s >> v & 1)
                     for v in range(_variables(values))])


def interaction(measure):
    """Interaction index of each pair of variables; the diagonal is 0.

    Examples
    --------
    >>> interaction([0, 0.5, 0.25, 1.0]).tolist()
    [[0.0, 0.25], [0.25, 0.0]]
    """
    values, n = mobius(measure), _variables(measure)
    table = np.zeros((n, n))
    for i, j in itertools.permutations(range(n), 2):
        table[i, j] = sum(values[s] / (s.bit_count() - 1) for s in range(len(values)) if s >> i & 1 and s >> j & 1)
    return table
