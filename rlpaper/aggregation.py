"""Aggregation operators that build representatives of records: quantifiers and the OWA operator."""

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
