"""The rank of the true record: where its own partner stands among the candidates of each record."""

import numpy as np
import pandas as pd

from .. import distances  # noqa: F401  for the example
from .._internal import exhaustive
from .._internal.validation import check_option
from . import _search
from .nearest import DIRECTIONS, TIES, _compared


def ranks(original, masked, distance=None, direction="masked_to_original"):
    """Where its own partner stands among the candidates of each record.

    Linkage asks whether it comes first; domingo2002 also counts the records whose partner comes
    second. An attacker who is content with a short list finds more.

    Parameters are those of `link`.

    Returns
    -------
    DataFrame
        A row a record of the linking file: `nearer`, the candidates nearer than its partner, and
        `tied`, those as near, the partner included. A record without a partner has all candidates
        nearer, none tied.

    Examples
    --------
    >>> original, masked = pd.DataFrame({"age": [20, 40, 60]}), pd.DataFrame({"age": [35, 40, 40]})
    >>> ranks(original, masked, distances.dbrl1(standardise=None))
       nearer  tied
    0       1     1
    1       0     1
    2       1     2
    """
    check_option("direction", direction, DIRECTIONS)
    compared = _compared(original, masked, distance)
    files = [(masked, compared.masked), (original, compared.original)]
    (linking, queries), (candidates, points) = (
        files if direction == "masked_to_original" else reversed(files)
    )
    partner = candidates.index.get_indexer(linking.index)
    query_kind, _ = _search.group_equal_rows(queries)
    point_kind, copies = _search.group_equal_rows(points)
    nearer, tied = np.full(len(queries), len(points)), np.zeros(len(queries), np.int64)
    for part, own, block in _search.tables(
        queries, query_kind, points[_search.first_occurrences(point_kind)[0]], compared.distances
    ):
        own = own[partner[own] >= 0]
        nearer[own], tied[own] = exhaustive.nearer_and_tied(
            block, query_kind[own] - part.start, point_kind[partner[own]], copies
        )
    return pd.DataFrame({"nearer": nearer, "tied": tied}, index=linking.index)


def correct_at(ranks, rank=1, ties="strict"):
    """Probability that each record's partner comes first, second or at another rank, from its rank.

    Parameters
    ----------
    ranks : DataFrame
        What `ranks` returns.
    rank : int
    ties : {"strict", "lenient", "expected"}
        Only where nobody else is as near; wherever it may stand there; or with equally near ones in
        any order.

    Examples
    --------
    >>> table = pd.DataFrame({"nearer": [0, 0, 1], "tied": [1, 2, 1]})
    >>> [correct_at(table, rank, "expected").tolist() for rank in (1, 2)]
    [[1.0, 0.5, 0.0], [0.0, 0.5, 1.0]]
    """
    check_option("ties", ties, TIES)
    return pd.Series(
        share_at(ranks["nearer"].to_numpy(), ranks["tied"].to_numpy(), rank, ties),
        ranks.index,
        name="correct",
    )


def share_at(nearer, tied, rank, ties):
    """`correct_at` for arrays."""
    may = (nearer < rank) & (rank <= nearer + tied)
    share = {"strict": tied == 1, "lenient": 1.0, "expected": 1 / np.maximum(tied, 1)}[ties]
    return (may * share).astype(float)
