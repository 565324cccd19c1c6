"""What the masking did to a variable: whether it was changed at all, and how."""

from typing import Any

import numpy as np
import pandas as pd

#: The states of a variable; `state` says what they mean.
UNMASKED, RENAMED, RESCALED, SUPPRESSED, CONSTANT, MASKED = (
    "unmasked",
    "renamed",
    "rescaled",
    "suppressed",
    "constant",
    "masked",
)


def facts(column_type: str, original: pd.Series, masked: pd.Series) -> dict[str, Any]:
    """Gather what can be said of a variable by looking at it."""
    same = (original == masked) | (original.isna() & masked.isna())
    if column_type in ("number", "date"):
        # The last digit of a fraction can get lost between two programs, that of a whole number
        # not.
        same |= ((original - masked).abs() <= 1e-12 * original.abs()) & (
            (original % 1 != 0) | (masked % 1 != 0)
        )
    return {
        "different": original.nunique(),
        "different masked": masked.nunique(),
        "missing": float(original.isna().mean()),
        "missing masked": float(masked.isna().mean()),
        "changed": float(1 - same.mean()),
        "state": state(column_type, original, masked, same),
    }


def state(column_type: str, original: pd.Series, masked: pd.Series, same: pd.Series) -> str:
    """Tell whether a variable was masked at all.

    - ``unmasked``: all values are as they were.
    - ``renamed``: categories have other names, one for one.
    - ``rescaled``: numbers are other ones in the same (or the opposite) order, equal where they
      were equal.
    - ``suppressed``: one value, or none, is left.
    - ``constant``: there never was another one.
    - ``masked``: anything else.
    """
    values, left = original.nunique(), masked.nunique()
    if values + original.isna().any() <= 1:
        return CONSTANT
    if same.all():
        return UNMASKED
    if left + masked.isna().any() <= 1:
        return SUPPRESSED
    if values != left or (original.isna() != masked.isna()).any():
        return MASKED
    first, second = (
        pd.factorize(column, sort=True)[0][column.notna()].astype(np.int64)
        for column in (original, masked)
    )
    pairs = np.unique(first * left + second)
    if len(pairs) > values:
        return MASKED
    # One for one. A text of its own for nearly every record says nothing once it has changed:
    # pseudonyms, say.
    if column_type in ("nominal", "ordinal"):
        return RENAMED if values <= len(original) / 2 else MASKED
    steps = np.diff(pairs % left)
    return RESCALED if (steps > 0).all() or (steps < 0).all() else MASKED
