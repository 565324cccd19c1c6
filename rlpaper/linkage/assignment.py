"""Distance-based record linkage of whole files at once: one to one."""

import numpy as np
import pandas as pd

from .. import distances
from .._internal.hints import Distance
from . import _search
from .nearest import prepare_files

MAX_TABLE_DISTANCES = 4 * 10**8  # of a one-to-one assignment: 3.2 GB


def link_one_to_one(
    original: pd.DataFrame, masked: pd.DataFrame, distance: Distance | None = None
) -> pd.DataFrame:
    """Link the files one to one so that the sum of the distances is smallest.

    Global distance-based record linkage (Herranz, Nin, Rodríguez and Tassa 2015); the assignment is
    found by scipy. The attacker knows that the files hold the same individuals.

    Equal records are interchangeable, and which of them the assignment takes depends on the order
    of the rows; in aligned files that flatters the attack. So `correct` is the expectation over all
    row orders: among m individuals with the same original u and the same masked record g, when the
    assignment links n records u to records g, each link is correct with probability
    n / (|u| |g|), where |u| and |g| count all records equal to them. Without equal records it is 0
    or 1.

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
        One row per linked original record: `partner` (label in the masked file), `distance` and
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
    compared = prepare_files(original, masked, distance)
    if len(original) * len(masked) > MAX_TABLE_DISTANCES:
        raise ValueError(
            f"{len(original)} x {len(masked)} distances do not fit in memory; link a sample of the "
            f"records, at most {int(MAX_TABLE_DISTANCES**0.5)} of each file"
        )
    from scipy.optimize import linear_sum_assignment  # here: it takes half a second that few need

    table = compared.unsquared(compared.distances(compared.original, compared.masked))
    _check_assignable(table)
    rows, columns = linear_sum_assignment(table)
    return pd.DataFrame(
        {
            "partner": masked.index[columns],
            "distance": table[rows, columns],
            "correct": _expected_correct(original, masked, compared, rows, columns),
        },
        index=original.index[rows],
    )


def _check_assignable(table: np.ndarray) -> None:
    """Refuse infinite distances whose sum says nothing."""
    if table.min() == -np.inf:
        raise ValueError(
            "the weight of some pairs of records is infinite, so that sums of weights are too; let "
            "rlpaper.linkage.FellegiSunter have a probability_floor, or use link"
        )
    if table.max() == np.inf:
        from scipy.sparse import csr_array
        from scipy.sparse.csgraph import maximum_bipartite_matching

        linked = maximum_bipartite_matching(csr_array(table < np.inf), "column") >= 0
        if linked.sum() < min(table.shape):
            raise ValueError(
                "not all records of the smaller file can be linked one to one at a finite "
                "distance; use link"
            )


def _expected_correct(
    original: pd.DataFrame,
    masked: pd.DataFrame,
    compared: distances.PreparedFiles,
    rows: np.ndarray,
    columns: np.ndarray,
) -> np.ndarray:
    """Return how likely each linked record has its own partner, over the orders of equal ones."""
    first_group, first_size = _search.group_equal_rows(compared.original)
    second_group, second_size = _search.group_equal_rows(compared.masked)
    partner = masked.index.get_indexer(original.index[rows])
    # Pairs of groups have numbers.
    made, times = np.unique(
        first_group[rows] * len(second_size) + second_group[columns], return_counts=True
    )
    own = first_group[rows] * len(second_size) + second_group[partner]
    at = np.minimum(np.searchsorted(made, own), len(made) - 1)
    # Without a partner the record is not in the masked file.
    links = np.where((made[at] == own) & (partner >= 0), times[at], 0)
    return links / (first_size[first_group[rows]] * second_size[second_group[partner]])
