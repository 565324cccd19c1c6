"""The probabilities of Fellegi and Sunter by EM, from the patterns of agreement alone."""

import numpy as np

from .._internal.jit import compiled

TINY = np.finfo(float).tiny


def estimate(
    patterns,
    pairs,
    start=(0.9, 0.1, 0.1),
    probability_floor=1e-6,
    tolerance=1e-6,
    max_iterations=1000,
    fixed=None,
):
    """Estimate by EM for two classes of agreement patterns, conditionally independent.

    Parameters
    ----------
    patterns : array of bool
        One row per pattern, one column per variable.
    pairs : array
        How many pairs have each pattern.
    start, probability_floor, tolerance, max_iterations
        As for `FellegiSunter`.
    fixed : (u, p), optional
        Known beforehand, so that only m is estimated.

    Returns
    -------
    list of (m, u, p), bool
        The start and what each step gave; whether the last step moved nothing by more than the
        tolerance.
    """
    n = patterns.shape[1]
    u, p = (np.full(n, float(start[1])), float(start[2])) if fixed is None else fixed
    if probability_floor is not None:
        u = np.clip(u, probability_floor, 1 - probability_floor)
    (ms, us), ps = np.empty((2, max_iterations + 1, n)), np.empty(max_iterations + 1)
    ms[0], us[0], ps[0] = start[0], u, p
    last, converged = _estimate(
        np.ascontiguousarray(patterns),
        pairs.astype(float),
        -1.0 if probability_floor is None else float(probability_floor),
        float(tolerance),
        fixed is not None,
        ms,
        us,
        ps,
    )
    return [(ms[step], us[step], float(ps[step])) for step in range(last + 1)], bool(converged)


@compiled
def _estimate(patterns, pairs, probability_floor, tolerance, only_m, ms, us, ps):
    """Write the steps of `estimate` to m, u and p, from the second on.

    Return the number of the last step, and whether it moved nothing by more than the tolerance.
    All sums are taken in the order of the patterns, so that every processor gives the same digits.
    """
    n, total = patterns.shape[1], pairs.sum()
    agree_same, agree_other = np.empty(n), np.empty(n)
    for step in range(1, len(ps)):
        m, u, p = ms[step - 1], us[step - 1], ps[step - 1]
        agree_same[:], agree_other[:] = 0.0, 0.0
        all_same = all_other = 0.0
        for row in range(len(patterns)):
            same, other = p, 1 - p
            for v in range(n):
                same *= m[v] if patterns[row, v] else 1 - m[v]
                other *= u[v] if patterns[row, v] else 1 - u[v]
            # Without a floor a pattern may be impossible in both classes.
            share = same / (same + other) if same + other > 0 else 0.0
            same, other = pairs[row] * share, pairs[row] * (1 - share)
            all_same, all_other = all_same + same, all_other + other
            for v in range(n):
                if patterns[row, v]:
                    agree_same[v] += same
                    agree_other[v] += other
        moved = 0.0
        for v in range(n):
            ms[step, v] = agree_same[v] / max(all_same, TINY)
            us[step, v] = u[v] if only_m else agree_other[v] / max(all_other, TINY)
            if probability_floor >= 0:
                ms[step, v] = min(max(ms[step, v], probability_floor), 1 - probability_floor)
                us[step, v] = min(max(us[step, v], probability_floor), 1 - probability_floor)
            moved = max(moved, abs(ms[step, v] - m[v]), abs(us[step, v] - u[v]))
        ps[step] = p if only_m else all_same / total
        if max(moved, abs(ps[step] - p)) <= tolerance:
            return step, True
    return len(ps) - 1, False


def responsibilities(patterns, m, u, p):
    """Return the probabilities that a pair with each pattern is of one individual, and is not."""
    same = p * np.where(patterns, m, 1 - m).prod(axis=1)
    other = (1 - p) * np.where(patterns, u, 1 - u).prod(axis=1)
    total = same + other
    # Without a floor a pattern may be impossible in both classes.
    share = np.divide(same, total, out=np.zeros_like(total), where=total > 0)
    return share, 1 - share
