"""Distance-based record linkage of whole files at once: one to one."""

import numpy as np
import pandas as pd

from .. import distances  # noqa: F401  for the example
from . import _search
from .nearest import _compared, _plain

MAX_TABLE_DISTANCES = 4 * 10**8  # distances of a one-to-one assignment: 3.2 GB


def link_one_to_one(original, masked, distance=None):
    """Link the files one to one so that the sum of the distances is smallest.

    Global distance-based record linkage (Herranz, Nin, Rodríguez and Tassa 2015); the assignment is
    found by scipy. The attacker knows that the files hold the same individuals.

    Equal records are interchangeable, and which of them the assignment takes depends on the order
    of the rows; in aligned files that flatters the attack. So `correct` is the expectation over all
    row orders: among m individuals with the same original u and the same masked record g, when the
    assignment links n records u to records g, each is right with probability n / (|u| |g|), |u| and
    |g| counting all records equal to them. Without equal records it is 0 or 1.

    Parameters
    ----------
    original, masked : DataFrame
        As for `link`. With fewer records in one file, all of them are linked.
    distance : optional
        A distance of `rlpaper.distances`; default ``dbrl1()``. The distance itself is summed, not
        its square.

    Returns
    -------
    DataFrame
        A row a linked original record: `partner` (label in the masked file), `distance` and
        `correct` (0 to 1).

    Examples
    --------
    >>> original, masked = pd.DataFrame({"age": [20, 40, 41]}), pd.DataFrame({"age": [22, 40, 40]})
    >>> link_one_to_one(original, masked, distances.dbrl1(standardise=None))
       partner  distance  correct
    0        0       2.0      1.0
    1        1       0.0      0.5
    2        2       1.0      0.5
    """
    compared = _compared(original, masked, distance)
    pairs = len(original) * len(masked)
    if pairs > MAX_TABLE_DISTANCES:
        raise ValueError(
            f"{len(original)} x {len(masked)} distances do not fit in memory; link a sample of the records, "
            f"at most {int(MAX_TABLE_DISTANCES**0.5)} of each file"
        )
    from scipy.optimize import linear_sum_assignment  # here: it takes half a second that few need

    table = _plain(compared.distances(compared.original, compared.masked), compared)
    rows, columns = linear_sum_assignment(table)
    return pd.DataFrame(
        {
            "partner": masked.index[columns],
            "distance": table[rows, columns],
            "correct": _expected_correct(original, masked, compared, rows, columns),
        },
        index=original.index[rows],
    )


def _expected_correct(original, masked, compared, rows, columns):
    """Probability that each linked original record has its own partner, over the orders of equal records."""
    first_kind, first_size = _search.group_equal_rows(compared.original)
    second_kind, second_size = _search.group_equal_rows(compared.masked)
    partner = masked.index.get_indexer(original.index[rows])
    made, times = np.unique(
        first_kind[rows] * len(second_size) + second_kind[columns], return_counts=True
    )
    own = first_kind[rows] * len(second_size) + second_kind[partner]
    place = np.minimum(np.searchsorted(made, own), len(made) - 1)
    links = np.where(
        (made[place] == own) & (partner >= 0), times[place], 0
    )  # no partner: not in the masked file
    return links / (first_size[first_kind[rows]] * second_size[second_kind[partner]])
