"""Distance-based record linkage: each record to its nearest.

Who is who is said by the index: records with the same label belong to the same individual, whatever
their order in the files. One file may hold fewer individuals than the other (an attacker who knows
some of them), never others.
"""

import numpy as np
import pandas as pd

from .. import distances
from .._internal.hints import Blocks, Distance
from .._internal.validation import check_files, check_option
from ..distances.prepared_files import only_for, prepared_by
from . import _search
from .blocking import BlockNumbers, split_blocks

DIRECTIONS = ("masked_to_original", "original_to_masked")
TIES = ("strict", "lenient", "expected")

#: The labels of a file's records, and the records as rows of an array.
Side = tuple[pd.Index, np.ndarray]


def link(
    original: pd.DataFrame,
    masked: pd.DataFrame,
    distance: Distance | None = None,
    direction: str = "masked_to_original",
    ties: str = "strict",
    blocks: Blocks | None = None,
) -> pd.DataFrame:
    """Link each record of one file to the nearest record of the other.

    Euclidean distances, weighted or Mahalanobis ones too, are searched by a k-d tree, sums over the
    columns and patterns of agreement by compiled code, the others in tables of bounded size. All
    give what a search through all pairs gives, ties included.

    Parameters
    ----------
    original, masked : DataFrame
        The same columns in the same order. Records with the same index label are the same
        individual.
    distance : optional
        A distance of `rlpaper.distances`; default ``dbrl1()``.
    direction : {"masked_to_original", "original_to_masked"}
        Each masked record to its nearest original (the inequality printed in abril2012 and
        abril2011), or each original to its nearest masked record.
    ties : {"strict", "lenient", "expected"}
        When several records are equally near and the correct one is among them, the link counts as
        wrong, as correct, or as correct with probability one over their number.
    blocks : column or tuple of columns, optional
        A key that both files have, sex or region for example: only records that agree on it are
        compared, by the other columns. Moments are still those of the whole files. A record whose
        key is missing is linked to none.

    Returns
    -------
    DataFrame
        One row per record of the linking file, under its label: `nearest` and `second` (labels of
        the two nearest; of equally near ones the first in the file comes first; None where there is
        no second at a finite distance), their `distance` and `second_distance`, `ties` (records as
        near as the nearest, itself included) and `correct` (0 to 1).

    Examples
    --------
    >>> original = pd.DataFrame({"age": [20, 40, 60]}, index=["Ada", "Ben", "Cid"])
    >>> masked = pd.DataFrame({"age": [22, 37, 64]}, index=["Ada", "Ben", "Cid"])
    >>> link(original, masked, distances.dbrl1(standardise=None))
        nearest  distance second  second_distance  ties  correct
    Ada     Ada       2.0    Ben             18.0     1      1.0
    Ben     Ben       3.0    Ada             17.0     1      1.0
    Cid     Cid       4.0    Ben             24.0     1      1.0
    """
    numbers, original, masked = split_blocks(original, masked, blocks)
    return link_within(original, masked, distance, direction, ties, numbers)


def link_within(
    original: pd.DataFrame,
    masked: pd.DataFrame,
    distance: Distance | None,
    direction: str,
    ties: str,
    numbers: BlockNumbers | None,
) -> pd.DataFrame:
    """Link as `link` does, within blocks that are given by the number of each record's block."""
    check_option("ties", ties, TIES)  # before the search, which may be long
    linking, candidates, found, values, tied, among_nearest = _searched(
        original, masked, distance, direction, numbers
    )
    return pd.DataFrame(
        {
            "nearest": _labels(candidates, found[:, 0]),
            "distance": values[:, 0],
            "second": _labels(candidates, found[:, 1]),
            "second_distance": values[:, 1],
            "ties": tied,
            "correct": _share(among_nearest, tied, ties),
        },
        index=linking,
    )


def correct_links(
    original: pd.DataFrame,
    masked: pd.DataFrame,
    distance: Distance | None = None,
    direction: str = "masked_to_original",
    ties: str = "strict",
    blocks: Blocks | None = None,
) -> np.ndarray:
    """Return column `correct` of `link` as an array, for those who need nothing else.

    Examples
    --------
    >>> original, masked = pd.DataFrame({"age": [20, 40, 60]}), pd.DataFrame({"age": [35, 40, 40]})
    >>> correct_links(original, masked, distances.dbrl1(standardise=None))
    array([0., 1., 0.])
    """
    check_option("ties", ties, TIES)
    numbers, original, masked = split_blocks(original, masked, blocks)
    *_, tied, among_nearest = _searched(original, masked, distance, direction, numbers)
    return _share(among_nearest, tied, ties)


def _searched(
    original: pd.DataFrame,
    masked: pd.DataFrame,
    distance: Distance | None,
    direction: str,
    numbers: BlockNumbers | None,
) -> tuple[pd.Index, pd.Index, np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Search for the nearest two candidates of each linking record.

    Returns the labels of both, the positions of the two, their distances, how many are as near as
    the nearest, and whether the partner is among these.
    """
    compared, (linking, queries), (candidates, points), partner = sides(
        original, masked, distance, direction
    )
    if numbers is None:
        result = _search.nearest_two(queries, points, compared.distances, partner)
    else:
        blocks = numbers[::-1] if direction == "masked_to_original" else numbers
        result = _search.nearest_two_in_blocks(
            queries, points, compared.distances, partner, *blocks
        )
    found, values, tied, to_partner = result
    among_nearest = (partner >= 0) & (to_partner == values[:, 0])
    return linking, candidates, found, compared.unsquared(values), tied, among_nearest


def sides(
    original: pd.DataFrame, masked: pd.DataFrame, distance: Distance | None, direction: str
) -> tuple[distances.PreparedFiles, Side, Side, np.ndarray]:
    """Return the prepared files, the linking one, that of the candidates, and who is whose partner.

    A partner is the position of a linking record's own candidate, -1 where it has none.
    """
    check_option("direction", direction, DIRECTIONS)
    compared = prepare_files(original, masked, distance)
    linking, candidates = (original.index, compared.original), (masked.index, compared.masked)
    if direction == "masked_to_original":
        linking, candidates = candidates, linking
    return compared, linking, candidates, candidates[0].get_indexer(linking[0])


def _share(among_nearest: np.ndarray, tied: np.ndarray, ties: str) -> np.ndarray:
    """Return how far each link counts as correct."""
    return (among_nearest * tie_share(tied, ties)).astype(float)


def tie_share(tied: np.ndarray, ties: str) -> np.ndarray:
    """Return how far the correct one of so many equally near candidates counts as found."""
    if ties == "expected":
        return 1 / np.maximum(tied, 1)
    return tied == 1 if ties == "strict" else np.ones(len(tied))


def reidentification_rate(
    original: pd.DataFrame,
    masked: pd.DataFrame,
    distance: Distance | None = None,
    direction: str = "masked_to_original",
    ties: str = "strict",
    blocks: Blocks | None = None,
) -> float:
    """Return the share of records that distance-based linkage links correctly, 0 to 1.

    The attacker holds the original values of the columns given, for the individuals in the original
    file, and links every record on its own to the nearest one, without knowing any true link
    (except for what the distance uses: `dbrl2` and ``mahalanobis("COV")`` know how far masked
    records lie from their originals on the whole). The share is over the linking file: the masked
    records under ``"masked_to_original"``, the originals under ``"original_to_masked"``. Linking
    whole files is the worst case of this attack, since nobody outside them can be mistaken for
    somebody in them.

    Parameters are those of `link`.

    Examples
    --------
    >>> file = pd.DataFrame({"age": [20.0, 40.0, 60.0]})
    >>> reidentification_rate(file, file)
    1.0
    """
    return float(correct_links(original, masked, distance, direction, ties, blocks).mean())


def tabled(distance: Distance | None, original: pd.DataFrame, masked: pd.DataFrame) -> Distance:
    """Return the distance between two files, those of all different records kept in a table.

    It serves several linkages of the same files, in both directions. Answers are those of the
    distance itself; the files must be small enough for such a table, and others are refused.

    Examples
    --------
    >>> original, masked = pd.DataFrame({"age": [20, 40, 60]}), pd.DataFrame({"age": [35, 40, 40]})
    >>> compared = tabled(distances.manhattan(standardise=None), original, masked)(original, masked)
    >>> compared.distances(compared.masked, compared.original[:2])
    array([[15.,  5.],
           [20.,  0.],
           [20.,  0.]])
    """
    compared = prepare_files(original, masked, distance)
    first, _ = _search.group_equal_rows(compared.original)
    second, _ = _search.group_equal_rows(compared.masked)
    table = compared.distances(
        compared.original[_search.first_occurrences(first)[0]],
        compared.masked[_search.first_occurrences(second)[0]],
    )

    def looked_up(a: np.ndarray, b: np.ndarray) -> np.ndarray:
        # Rows of the masked file have numbers of their own, so that it is plain which file comes
        # first.
        rows, columns = (points[:, 0].astype(np.int64) for points in (a, b))
        if rows[0] < len(table):
            return _part(table, rows, columns - len(table))
        return _part(table.T, rows - len(table), columns)

    x, y = (group[:, None].astype(float) for group in (first, second + len(table)))
    result = distances.PreparedFiles(x, y, looked_up, compared.squared)
    return only_for(original, masked, result)


def _part(table: np.ndarray, rows: np.ndarray, columns: np.ndarray) -> np.ndarray:
    """Return a copy of some rows and columns; of all, as mostly, without looking each up."""
    if np.array_equal(rows, np.arange(len(table))) and np.array_equal(
        columns, np.arange(table.shape[1])
    ):
        return np.array(table, order="C")
    return np.take(np.take(table, rows, axis=0), columns, axis=1)


def prepare_files(
    original: pd.DataFrame, masked: pd.DataFrame, distance: Distance | None
) -> distances.PreparedFiles:
    """Return the files prepared by a distance, by default `dbrl1`; refuse what cannot be linked."""
    check_files(original, masked)
    return prepared_by(distances.dbrl1() if distance is None else distance, original, masked)


def _labels(index: pd.Index, found: np.ndarray) -> pd.Index:
    """Return the labels at the positions found, None where nothing was found."""
    if found.min() >= 0:
        return index[found]
    return pd.Index([index[at] if at >= 0 else None for at in found], dtype=object)
