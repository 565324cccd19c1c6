"""What linkage by pure chance achieves."""

from collections.abc import Sequence
from fractions import Fraction
from math import comb, factorial

import numpy as np
import pandas as pd

from .._internal.hints import Label, RandomState
from .._internal.validation import check_list, check_number, random_generator, shown

MAX_RECORDS = 100_000  # whose factorial is still worth waiting for
MAX_DRAWN = 4 * 10**8  # links at once: 3.2 GB


def links_by_chance(n: int, r: int) -> Fraction:
    """Return the chance of exactly r correct links in a random one-to-one linkage of n records.

    ``P = (1 / r!) * sum_{v=0}^{n-r} (-1)^v / v!`` (torra2008, Proposition 4): the number of fixed
    points of a random permutation.

    Examples
    --------
    >>> links_by_chance(3, 1)
    Fraction(1, 2)
    >>> f"{float(links_by_chance(100, 26)):.4E}"
    '9.1219E-28'
    """
    n, r = _checked(n, r)
    # C(n, r) ways to choose the correct links, and no other link may be correct by accident.
    return Fraction(comb(n, r) * _derangements(n - r), factorial(n))


def links_by_chance_at_least(n: int, r: int) -> Fraction:
    """Return the chance of r or more correct links in a random one-to-one linkage of n records.

    Examples
    --------
    >>> links_by_chance_at_least(100, 0)
    Fraction(1, 1)
    """
    n, r = _checked(n, r)
    ways, deranged, of_one_more = 0, 1, 0
    for wrong in range(n - r + 1):
        ways += comb(n, wrong) * deranged
        deranged, of_one_more = of_one_more, (wrong + 1) * (deranged + of_one_more)
    return Fraction(ways, factorial(n))


def links_by_permutation(links: Sequence[Label], candidates: int, r: int) -> Fraction:
    """Return the probability that r or more links are correct if chance decides who is who.

    The links stay as they are. A linkage that is not one to one links several records to the same
    candidate; of these links at most one is correct. With d_c records linked to candidate c, e_k
    the elementary symmetric polynomial of the d_c (the ways to choose k links with k different
    candidates) and n candidates, the factorial moments of the number of correct links are
    ``k! e_k (n-k)! / n!``, and so ``P(exactly s) = sum_{k>=s} (-1)^(k-s) C(k, s) e_k (n-k)! / n!``.
    One record linked to each candidate gives Proposition 4 of torra2008.

    Parameters
    ----------
    links : Series or list
        The candidate that each record is linked to; a missing one is none.
    candidates : int
        How many there are, at least as many as records.
    r : int
        0 or more.

    Returns
    -------
    Fraction

    Examples
    --------
    Three records, two of them linked to the same candidate:

    >>> links_by_permutation(["a", "a", "b"], 3, 1)
    Fraction(2, 3)
    """
    links = check_list("links", links)
    for link in links:
        if not pd.api.types.is_hashable(link):
            raise ValueError(f"links has {shown(link)}, which is no label of a record")
    check_number(
        "candidates",
        candidates,
        f"a whole number, 1 to {MAX_RECORDS:,}",
        1,
        MAX_RECORDS,
        whole=True,
    )
    check_number("r", r, "a whole number of records, 0 or more", 0, whole=True)
    candidates, r = int(candidates), int(r)
    counts = pd.Series(links, dtype=object).value_counts().tolist()
    if sum(counts) > candidates:
        raise ValueError(
            f"{sum(counts)} records and {candidates} candidates: each record has a candidate of "
            "its own, so there are at least as many candidates"
        )
    ways = [1]
    for count in counts:  # e_k of one more number
        ways = [a + count * b for a, b in zip([*ways, 0], [0, *ways], strict=True)]
    total = Fraction(0)
    for k in range(r, len(ways)):
        # The sum over s = r, ..., k of (-1)^(k-s) C(k, s).
        sign = sum((-1) ** (k - s) * comb(k, s) for s in range(r, k + 1))
        total += Fraction(sign * ways[k] * factorial(candidates - k), factorial(candidates))
    return total


def simulate_links(n: int, times: int, random_state: RandomState) -> np.ndarray:
    """Draw the numbers of correct links in `times` random one-to-one linkages of n records.

    Examples
    --------
    >>> bool(simulate_links(5, 100, 1).max() <= 5)
    True
    """
    _checked(n, 0)
    check_number("times", times, "a whole number, 1 or more", 1, whole=True)
    n, times = int(n), int(times)
    if n * times > MAX_DRAWN:
        raise ValueError(
            f"times is {times}; so many linkages of {n} records do not fit in memory, draw at most "
            f"{MAX_DRAWN // n} at once"
        )
    rng = random_generator(random_state)
    rows = np.tile(np.arange(n), (times, 1))
    return (rng.permuted(rows, axis=1) == rows).sum(axis=1)


def _derangements(m: int) -> int:
    """Count the permutations of m elements that leave none in place."""
    previous, current = 1, 0
    for size in range(2, m + 1):
        previous, current = current, (size - 1) * (previous + current)
    return current if m else 1


def _checked(n: int, r: int) -> tuple[int, int]:
    """Return both as whole numbers; refuse what is no number of records, and of links of these."""
    check_number(
        "n", n, f"a whole number of records, 1 to {MAX_RECORDS:,}", 1, MAX_RECORDS, whole=True
    )
    check_number(
        "r", r, f"a whole number of the n = {n} records, between 0 and n", 0, n, whole=True
    )
    return int(n), int(r)
