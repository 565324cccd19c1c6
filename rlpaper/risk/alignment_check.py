"""Whether the records of two files belong together."""

import numpy as np

MAX_COMPARED_RECORDS = 10_000  # records that show it
SHUFFLES = 30


def records_look_aligned(original, masked):
    """Whether some variable of two prepared files shows more agreement than other orders of the records would."""
    rng = np.random.default_rng(0)  # the same answer every time
    some = np.sort(rng.permutation(len(original))[:MAX_COMPARED_RECORDS])
    return any(
        _belong(original[name].iloc[some], masked[name].iloc[some], rng) for name in original
    )


def _belong(original, masked, rng):
    """Whether values go with their masked form by four standard errors more than by chance.

    Numbers by their rank correlation. Categories by how many stay, or, where they have new names,
    by how well the ones tell the others (chi-squared); chance is what random orders give.
    """
    n = len(original)
    if original.dtype == float:
        if original.nunique() < 2 or masked.nunique() < 2:
            return False
        # Imported here: compiled code comes with it, and most files are told apart without.
        from .._internal import arithmetic

        correlation = arithmetic.correlation(original.rank(), masked.rank())
        return bool(
            abs(correlation) > np.tanh(4 / np.sqrt(n - 3))
        )  # Fisher's transformation: also ten records can show it
    first, second = (
        original.cat.codes.to_numpy().astype(np.int64),
        masked.cat.codes.to_numpy().astype(np.int64),
    )
    sizes = np.bincount(first), np.bincount(second)

    def agreement(second):
        cells, counts = np.unique(first * len(sizes[1]) + second, return_counts=True)
        expected = sizes[0][cells // len(sizes[1])] * sizes[1][cells % len(sizes[1])]
        return (first == second).mean(), np.cbrt(
            (counts**2 / expected).sum() - 1
        )  # about normal (Wilson and Hilferty 1931)

    chance = np.array([agreement(rng.permutation(second)) for _ in range(SHUFFLES)])
    # At least so many records must stay: in few orders chance may leave none.
    return bool(
        (
            np.array(agreement(second))
            > chance.mean(axis=0) + 4 * np.maximum(chance.std(axis=0), 1 / n)
        ).any()
    )
