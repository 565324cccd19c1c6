"""What linkage by pure chance achieves."""

from fractions import Fraction
from math import comb, factorial

import numpy as np


def links_by_chance(n, r):
    """Probability that a random one-to-one linkage of n records gets exactly r right, as an exact fraction.

    ``P = (1 / r!) * sum_{v=0}^{n-r} (-1)^v / v!`` (torra2008, Proposition 4): the number of fixed points of a
    random permutation.

    Examples
    --------
    >>> links_by_chance(3, 1)
    Fraction(1, 2)
    >>> f"{float(links_by_chance(100, 26)):.4E}"
    '9.1219E-28'
    """
    _check(n, r)
    # C(n, r) ways to choose the right links, and no other record may be right by accident.
    return Fraction(comb(n, r) * _derangements(n - r), factorial(n))


def links_by_chance_at_least(n, r):
    """Probability that a random one-to-one linkage of n records gets r or more right, as an exact fraction.

    Examples
    --------
    >>> links_by_chance_at_least(100, 0)
    Fraction(1, 1)
    """
    _check(n, r)
    return sum((links_by_chance(n, s) for s in range(r, n + 1)), Fraction(0))


def simulate_links(n, times, random_state):
    """Numbers of right links in `times` random one-to-one linkages of n records.

    Examples
    --------
    >>> bool(simulate_links(5, 100, 1).max() <= 5)
    True
    """
    rng = np.random.default_rng(random_state)
    rows = np.tile(np.arange(n), (times, 1))
    return (rng.permuted(rows, axis=1) == rows).sum(axis=1)


def _derangements(m):
    """Permutations of m elements that leave none in place."""
    previous, current = 1, 0
    for size in range(2, m + 1):
        previous, current = current, (size - 1) * (previous + current)
    return current if m else 1


def _check(n, r):
    if n < 1 or not 0 <= r <= n:
        raise ValueError(f"r = {r} right links of n = {n} records: r must lie between 0 and n, and n be at least 1")
