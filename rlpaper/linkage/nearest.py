"""Distance-based record linkage: each record to its nearest.

Who is who is said by the index: records with the same label belong to the same individual, whatever
their order in the files. One file may hold fewer individuals than the other (an attacker who knows
some of them), never others.
"""

import numpy as np
import pandas as pd

from .. import distances
from .._internal.validation import check_files, check_option
from . import _search

DIRECTIONS = ("masked_to_original", "original_to_masked")
TIES = ("strict", "lenient", "expected")


def link(
    original, masked, distance=None, direction="masked_to_original", ties="strict", blocks=None
):
    """Link each record of one file to the nearest record of the other.

    Euclidean distances, weighted or Mahalanobis ones too, are searched by a k-d tree, the others in
    tables of bounded size. Both give what a search through all pairs gives, ties included.

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
        When several records are equally near and the right one is among them, the link counts as
        wrong, as right, or as right with probability one over their number.
    blocks : pair of Series or arrays, optional
        A value a record of the original and of the masked file, sex or region say: records are
        compared only where these are equal. Moments are still those of the whole files. A record
        whose value is missing is linked to none.

    Returns
    -------
    DataFrame
        A row a record of the linking file, under its label: `nearest` and `second` (labels of the
        two nearest; of equally near ones the first in the file comes first; no second, None, where
        there is none at a finite distance), their `distance` and `second_distance`, `ties` (records
        as near as the nearest, itself included) and `correct` (0 to 1).

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
    check_option("ties", ties, TIES)  # before the search, which may be long
    linking, candidates, compared, found, values, tied, among_nearest = _searched(
        original, masked, distance, direction, blocks
    )
    return pd.DataFrame(
        {
            "nearest": _labels(candidates.index, found[:, 0]),
            "distance": _plain(values[:, 0], compared),
            "second": _labels(candidates.index, found[:, 1]),
            "second_distance": _plain(values[:, 1], compared),
            "ties": tied,
            "correct": _share(among_nearest, tied, ties),
        },
        index=linking.index,
    )


def correct_links(
    original, masked, distance=None, direction="masked_to_original", ties="strict", blocks=None
):
    """Column `correct` of `link` as an array, for those who link often and need nothing else.

    Examples
    --------
    >>> original, masked = pd.DataFrame({"age": [20, 40, 60]}), pd.DataFrame({"age": [35, 40, 40]})
    >>> correct_links(original, masked, distances.dbrl1(standardise=None))
    array([0., 1., 0.])
    """
    check_option("ties", ties, TIES)
    *_, tied, among_nearest = _searched(original, masked, distance, direction, blocks)
    return _share(among_nearest, tied, ties)


def _searched(original, masked, distance, direction, blocks):
    """The linking file and that of the candidates, the prepared distance, what the search found, and whether the partner is
    among the nearest.
    """
    check_option("direction", direction, DIRECTIONS)
    compared = _compared(original, masked, distance)
    files = [(masked, compared.masked), (original, compared.original)]
    (linking, queries), (candidates, points) = (
        files if direction == "masked_to_original" else reversed(files)
    )
    partner = candidates.index.get_indexer(linking.index)
    if blocks is None:
        found, values, tied, to_partner = _search.nearest_two(
            queries, points, compared.distances, partner
        )
    else:
        keys = _block_numbers(original, masked, blocks)
        found, values, tied, to_partner = _search.within(
            queries,
            points,
            compared.distances,
            partner,
            *(reversed(keys) if direction == "masked_to_original" else keys),
        )
    return (
        linking,
        candidates,
        compared,
        found,
        values,
        tied,
        (partner >= 0) & (to_partner == values[:, 0]),
    )


def _share(among_nearest, tied, ties):
    """How far a link counts as right."""
    share = {
        "strict": tied == 1,
        "lenient": np.ones(len(tied)),
        "expected": 1 / np.maximum(tied, 1),
    }[ties]
    return (among_nearest * share).astype(float)


def reidentification_rate(
    original, masked, distance=None, direction="masked_to_original", ties="strict", blocks=None
):
    """Share of records that distance-based linkage gets right, 0 to 1.

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


def tabled(distance, original, masked):
    """The distance between two files, those of all different records in a table: for several linkages of the same files, in
    both directions. Answers are those of the distance itself; the files must be small enough for
    such a table.

    Examples
    --------
    >>> original, masked = pd.DataFrame({"age": [20, 40, 60]}), pd.DataFrame({"age": [35, 40, 40]})
    >>> compared = tabled(distances.manhattan(standardise=None), original, masked)(original, masked)
    >>> compared.distances(compared.masked, compared.original[:2])
    array([[15.,  5.],
           [20.,  0.],
           [20.,  0.]])
    """
    compared = _compared(original, masked, distance)
    (first, _), (second, _) = (
        _search.group_equal_rows(compared.original),
        _search.group_equal_rows(compared.masked),
    )
    table = compared.distances(
        compared.original[_search.first_occurrences(first)[0]],
        compared.masked[_search.first_occurrences(second)[0]],
    )

    def matrix(a, b):
        # Kinds of the masked file have numbers of their own, so that it is plain which file comes
        # first.
        rows, columns = (points[:, 0].astype(np.int64) for points in (a, b))
        if rows[0] < len(table):
            return _part(table, rows, columns - len(table))
        return _part(table.T, rows - len(table), columns)

    numbers = first[:, None].astype(float), (second + len(table))[:, None].astype(float)
    result = distances.PreparedFiles(*numbers, matrix, compared.squared)
    return lambda original, masked: result


def _part(table, rows, columns):
    """A copy of some rows and columns of a table; of the whole table, as mostly, without looking each up."""
    if np.array_equal(rows, np.arange(len(table))) and np.array_equal(
        columns, np.arange(table.shape[1])
    ):
        return np.array(table, order="C")
    return np.take(np.take(table, rows, axis=0), columns, axis=1)


def _compared(original, masked, distance):
    check_files(original, masked)
    return (distance or distances.dbrl1())(original, masked)


def _block_numbers(original, masked, blocks):
    """Blocks of both files by number; -1 where the value is missing."""
    for name, frame, values in zip(("original", "masked"), (original, masked), blocks):
        if (
            len(values) != len(frame)
            or isinstance(values, pd.Series)
            and not values.index.equals(frame.index)
        ):
            raise ValueError(
                f"the blocks of the {name} file must have a value for each of its {len(frame)} records, in the "
                "same order and with the same index"
            )
    numbers, _ = pd.factorize(np.concatenate([np.asarray(values, object) for values in blocks]))
    return numbers[: len(original)], numbers[len(original) :]


def _labels(index, found):
    if found.min() >= 0:
        return index[found]
    return pd.Index([index[place] if place >= 0 else None for place in found], dtype=object)


def _plain(values, compared):
    return np.sqrt(values) if compared.squared else values
