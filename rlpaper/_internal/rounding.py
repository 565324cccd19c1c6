"""Rounding that makes sums equal here which are equal on paper, each to a stated grain.

Sums of different terms differ in their last digits even where they are equal, and a last digit
would decide a tie. What is compared is therefore rounded, to the grain that stands here.
"""

from typing import Any

import numpy as np

from .jit import compiled

#: Decimals of distances and of weights in bits.
DISTANCE_DECIMALS = 9
#: Decimals of representatives of records without common variables.
REPRESENTATIVE_DECIMALS = 12
#: Learned distances are told apart to this share of the largest of them.
LEARNED_SHARE = 1e-12


def to_decimals(values: Any, decimals: int = DISTANCE_DECIMALS) -> Any:
    """Round to so many decimals.

    Examples
    --------
    >>> bool(to_decimals(0.1 + 0.2) == 0.3)
    True
    """
    return np.round(values, decimals)


def to_unit(value: Any, unit: float) -> Any:
    """Round to multiples of a unit; a unit of 0 leaves the value as it is.

    Examples
    --------
    >>> float(to_unit(0.7, 0.5)), to_unit(0.7, 0)
    (0.5, 0.7)
    """
    return np.rint(value / unit) * unit if unit else value


#: `to_unit`, to be called by compiled functions.
to_unit_compiled = compiled(to_unit)
