"""Numbers of any size near 1, so that they can be squared and summed.

A division by a power of two changes no digit, so what is scaled by its own spread comes out the
same. Numbers of ordinary size stay as they are.
"""

from typing import Any

import numpy as np

#: Powers of two within which sums of squares neither overflow nor vanish.
ORDINARY = 300


def exponents(values: np.ndarray) -> np.ndarray:
    """Return for each column a power of two to divide by: 0 where numbers are of ordinary size.

    Examples
    --------
    >>> exponents(np.array([[1.0, 1e200, 0.0], [-7.0, 1.0, 0.0]])).tolist()
    [0, 665, 0]
    """
    return exponents_of_largest(np.maximum(values.max(axis=0), -values.min(axis=0)))


def exponents_of_largest(largest: np.ndarray) -> np.ndarray:
    """Return the powers of two to divide by where these are the largest absolute numbers."""
    powers = np.frexp(largest)[1]
    return np.where(np.abs(powers) > ORDINARY, powers, 0)


def near_one(values: Any, powers: np.ndarray | int) -> Any:
    """Divide by powers of two, one for each column or one for all; infinite is what overflows.

    Examples
    --------
    >>> near_one(np.array([[2.0**700, 3.0]]), np.array([700, 0])).tolist()
    [[1.0, 3.0]]
    """
    if not np.any(powers):
        return values
    with np.errstate(over="ignore", under="ignore"):
        return np.ldexp(values, -powers)
