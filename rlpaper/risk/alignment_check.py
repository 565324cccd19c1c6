"""Whether the records of two files belong together."""

import numpy as np
import pandas as pd

MAX_COMPARED_RECORDS = 10_000  # enough to show it
SHUFFLES = 30
STANDARD_ERRORS = 4  # beyond chance


def records_look_aligned(original: pd.DataFrame, masked: pd.DataFrame) -> bool:
    """Tell whether two prepared files agree more than with their records in other orders.

    It is enough that one variable does.
    """
    rng = np.random.default_rng(0)  # the same answer every time
    some = np.sort(rng.permutation(len(original))[:MAX_COMPARED_RECORDS])
    return any(
        _belong_together(original[name].iloc[some], masked[name].iloc[some], rng)
        for name in original
    )


def _belong_together(original: pd.Series, masked: pd.Series, rng: np.random.Generator) -> bool:
    """Tell whether values go with their masked form by four standard errors more than by chance.

    Numbers by their rank correlation. Categories by how many stay, or, where they have new names,
    by how well the ones tell the others (chi-squared); chance is what random orders give.
    """
    n = len(original)
    if pd.api.types.is_float_dtype(original):
        if original.nunique() < 2 or masked.nunique() < 2:
            return False
        # Imported here: compiled code comes with it, and most files are told apart without.
        from .._internal import arithmetic

        # By Fisher's transformation, so that ten records can show it too.
        correlation = arithmetic.correlation(original.rank(), masked.rank())
        return bool(abs(correlation) > np.tanh(STANDARD_ERRORS / np.sqrt(n - 3)))
    first, second = (file.cat.codes.to_numpy().astype(np.int64) for file in (original, masked))
    sizes = np.bincount(first), np.bincount(second)
    width = len(sizes[1])

    def agreement(second: np.ndarray) -> tuple[float, float]:
        cells, counts = np.unique(first * width + second, return_counts=True)
        expected = sizes[0][cells // width] * sizes[1][cells % width]
        # The cube root is about normal (Wilson and Hilferty 1931).
        return (first == second).mean(), np.cbrt((counts**2 / expected).sum() - 1)

    chance = np.array([agreement(rng.permutation(second)) for _ in range(SHUFFLES)])
    # At least so many records must stay: in few orders chance may leave none.
    least = STANDARD_ERRORS * np.maximum(chance.std(axis=0), 1 / n)
    return bool((np.array(agreement(second)) > chance.mean(axis=0) + least).any())
