"""The rank of the true record: where its own partner stands among each record's candidates."""

import numpy as np
import pandas as pd

from .. import distances  # noqa: F401  for the example
from .._internal import exhaustive
from .._internal.hints import Distance
from .._internal.validation import (
    check_file,
    check_number,
    check_option,
    numeric_array,
    refuse_values,
)
from . import _search
from .nearest import TIES, sides, tie_share


def ranks(
    original: pd.DataFrame,
    masked: pd.DataFrame,
    distance: Distance | None = None,
    direction: str = "masked_to_original",
) -> pd.DataFrame:
    """Count the candidates that stand before each record's own partner.

    Linkage asks whether it comes first; domingo2002 also counts the records whose partner comes
    second. An attacker who is content with a short list finds more.

    Parameters are those of `link`.

    Returns
    -------
    DataFrame
        One row per record of the linking file: `nearer`, the candidates nearer than its partner,
        and `tied`, those as near, the partner included. A record without a partner has all
        candidates nearer, none tied.

    Examples
    --------
    >>> original, masked = pd.DataFrame({"age": [20, 40, 60]}), pd.DataFrame({"age": [35, 40, 40]})
    >>> ranks(original, masked, distances.dbrl1(standardise=None))
       nearer  tied
    0       1     1
    1       0     1
    2       1     2
    """
    compared, (linking, queries), (candidates, points), partner = sides(
        original, masked, distance, direction
    )
    query_group, _ = _search.group_equal_rows(queries)
    point_group, copies = _search.group_equal_rows(points)
    points = points[_search.first_occurrences(point_group)[0]]
    nearer, tied = np.full(len(queries), len(candidates)), np.zeros(len(queries), np.int64)
    for part, own, table in _search.tables(queries, query_group, points, compared.distances):
        own = own[partner[own] >= 0]
        nearer[own], tied[own] = exhaustive.nearer_and_tied(
            table, query_group[own] - part.start, point_group[partner[own]], copies
        )
    return pd.DataFrame({"nearer": nearer, "tied": tied}, index=linking)


def correct_at(ranks: pd.DataFrame, rank: int = 1, ties: str = "strict") -> pd.Series:
    """Return the probability that each record's partner has a rank: first, second or another.

    Parameters
    ----------
    ranks : DataFrame
        What `ranks` returns.
    rank : int
        1 or more.
    ties : {"strict", "lenient", "expected"}
        Only where nobody else is as near; at every rank of its tie; or averaged over all orders of
        the equally near ones.

    Examples
    --------
    >>> table = pd.DataFrame({"nearer": [0, 0, 1], "tied": [1, 2, 1]})
    >>> [correct_at(table, rank, "expected").tolist() for rank in (1, 2)]
    [[1.0, 0.5, 0.0], [0.0, 0.5, 1.0]]
    """
    check_option("ties", ties, TIES)
    check_number("rank", rank, "a whole number, 1 or more", 1, whole=True)
    check_file(ranks, "the table ranks")
    if not {"nearer", "tied"} <= {*ranks.columns}:
        raise ValueError("ranks needs the columns nearer and tied; give what ranks(...) returns")
    counts = ranks[["nearer", "tied"]]
    instead = "give what ranks(...) returns"
    values = numeric_array(counts, instead)
    refuse_values(counts, ~((values >= 0) & (values < np.inf)), "no count", instead)
    share = share_at(ranks["nearer"].to_numpy(), ranks["tied"].to_numpy(), rank, ties)
    return pd.Series(share, ranks.index, name="correct")


def share_at(nearer: np.ndarray, tied: np.ndarray, rank: int, ties: str) -> np.ndarray:
    """Return what `correct_at` does, for arrays."""
    may = (nearer < rank) & (rank <= nearer + tied)
    return (may * tie_share(tied, ties)).astype(float)
