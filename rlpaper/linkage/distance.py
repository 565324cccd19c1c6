"""Distance-based record linkage: each record to its nearest, or all of them one to one.

Who is who is said by the index: records with the same label belong to the same individual, whatever their order in
the files. One file may hold fewer individuals than the other (an attacker who knows some of them), never others.
"""

import numpy as np
import pandas as pd

from .. import distances
from .._internal import exhaustive
from . import _search

DIRECTIONS = ("m2o", "o2m")
TIES = ("strict", "lenient", "expected")
LARGEST_TABLE = 4 * 10**8  # distances of a one-to-one assignment: 3.2 GB


def link(original, masked, distance=None, direction="m2o", ties="strict", blocks=None):
    """Link each record of one file to the nearest record of the other.

    Euclidean distances, weighted or Mahalanobis ones too, are searched by a k-d tree, the others in tables of bounded
    size. Both give what a search through all pairs gives, ties included.

    Parameters
    ----------
    original, masked : DataFrame
        The same columns in the same order. Records with the same index label are the same individual.
    distance : optional
        A distance of `rlpaper.distances`; default ``dbrl1()``.
    direction : {"m2o", "o2m"}
        Each masked record to its nearest original (the inequality printed in abril2012 and abril2011), or each
        original to its nearest masked record.
    ties : {"strict", "lenient", "expected"}
        When several records are equally near and the right one is among them, the link counts as wrong, as right, or
        as right with probability one over their number.
    blocks : pair of Series or arrays, optional
        A value a record of the original and of the masked file, sex or region say: records are compared only where
        these are equal. Moments are still those of the whole files. A record whose value is missing is linked to none.

    Returns
    -------
    DataFrame
        A row a record of the linking file, under its label: `nearest` and `second` (labels of the two nearest; of
        equally near ones the first in the file comes first; no second, None, where there is none at a finite distance),
        their `distance` and `second_distance`, `ties` (records as near as the nearest, itself included) and `right` (0 to 1).

    Examples
    --------
    >>> original = pd.DataFrame({"age": [20, 40, 60]}, index=["Ada", "Ben", "Cid"])
    >>> masked = pd.DataFrame({"age": [22, 37, 64]}, index=["Ada", "Ben", "Cid"])
    >>> link(original, masked, distances.dbrl1(standardise=None))
        nearest  distance second  second_distance  ties  right
    Ada     Ada       2.0    Ben             18.0     1    1.0
    Ben     Ben       3.0    Ada             17.0     1    1.0
    Cid     Cid       4.0    Ben             24.0     1    1.0
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
            "right": _share(among_nearest, tied, ties),
        },
        index=linking.index,
    )


def right(original, masked, distance=None, direction="m2o", ties="strict", blocks=None):
    """Column `right` of `link` as an array, for those who link often and need nothing else.

    Examples
    --------
    >>> original, masked = pd.DataFrame({"age": [20, 40, 60]}), pd.DataFrame({"age": [35, 40, 40]})
    >>> right(original, masked, distances.dbrl1(standardise=None))
    array([0., 1., 0.])
    """
    check_option("ties", ties, TIES)
    *_, tied, among_nearest = _searched(original, masked, distance, direction, blocks)
    return _share(among_nearest, tied, ties)


def _searched(original, masked, distance, direction, blocks):
    """The linking file and that of the candidates, the prepared distance, what the search found, and whether the partner is
    among the nearest."""
    check_option("direction", direction, DIRECTIONS)
    compared = _compared(original, masked, distance)
    files = [(masked, compared.masked), (original, compared.original)]
    (linking, queries), (candidates, points) = files if direction == "m2o" else reversed(files)
    partner = candidates.index.get_indexer(linking.index)
    if blocks is None:
        found, values, tied, to_partner = _search.nearest_two(
            queries, points, compared.matrix, partner
        )
    else:
        keys = _block_numbers(original, masked, blocks)
        found, values, tied, to_partner = _search.within(
            queries,
            points,
            compared.matrix,
            partner,
            *(reversed(keys) if direction == "m2o" else keys),
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
    original, masked, distance=None, direction="m2o", ties="strict", blocks=None
):
    """Share of records that distance-based linkage gets right, 0 to 1.

    The attacker holds the original values of the columns given, for the individuals in the original file, and links
    every record on its own to the nearest one, without knowing any true link (except for what the distance uses:
    `dbrl2` and ``mahalanobis("COV")`` know how far masked records lie from their originals on the whole). The share
    is over the linking file: the masked records under ``"m2o"``, the originals under ``"o2m"``. Linking whole files
    is the worst case of this attack, since nobody outside them can be mistaken for somebody in them.

    Parameters are those of `link`.

    Examples
    --------
    >>> file = pd.DataFrame({"age": [20.0, 40.0, 60.0]})
    >>> reidentification_rate(file, file)
    1.0
    """
    return float(right(original, masked, distance, direction, ties, blocks).mean())


def ranks(original, masked, distance=None, direction="m2o"):
    """Where its own partner stands among the candidates of each record.

    Linkage asks whether it comes first; domingo2002 also counts the records whose partner comes second. An attacker who is
    content with a short list finds more.

    Parameters are those of `link`.

    Returns
    -------
    DataFrame
        A row a record of the linking file: `nearer`, the candidates nearer than its partner, and `tied`, those as near,
        the partner included. A record without a partner has all candidates nearer, none tied.

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
    (linking, queries), (candidates, points) = files if direction == "m2o" else reversed(files)
    partner = candidates.index.get_indexer(linking.index)
    query_kind, _ = _search.kinds(queries)
    point_kind, copies = _search.kinds(points)
    nearer, tied = np.full(len(queries), len(points)), np.zeros(len(queries), np.int64)
    for part, own, block in _search.tables(
        queries, query_kind, points[_search.first_two(point_kind)[0]], compared.matrix
    ):
        own = own[partner[own] >= 0]
        nearer[own], tied[own] = exhaustive.nearer_and_tied(
            block, query_kind[own] - part.start, point_kind[partner[own]], copies
        )
    return pd.DataFrame({"nearer": nearer, "tied": tied}, index=linking.index)


def tabled(distance, original, masked):
    """The distance between two files, those of all different records in a table: for several linkages of the same files, in
    both directions. Answers are those of the distance itself; the files must be small enough for such a table.

    Examples
    --------
    >>> original, masked = pd.DataFrame({"age": [20, 40, 60]}), pd.DataFrame({"age": [35, 40, 40]})
    >>> compared = tabled(distances.manhattan(standardise=None), original, masked)(original, masked)
    >>> compared.matrix(compared.masked, compared.original[:2])
    array([[15.,  5.],
           [20.,  0.],
           [20.,  0.]])
    """
    compared = _compared(original, masked, distance)
    (first, _), (second, _) = _search.kinds(compared.original), _search.kinds(compared.masked)
    table = compared.matrix(
        compared.original[_search.first_two(first)[0]],
        compared.masked[_search.first_two(second)[0]],
    )

    def matrix(a, b):
        # Kinds of the masked file have numbers of their own, so that it is plain which file comes first.
        rows, columns = (points[:, 0].astype(np.int64) for points in (a, b))
        if rows[0] < len(table):
            return _part(table, rows, columns - len(table))
        return _part(table.T, rows - len(table), columns)

    numbers = first[:, None].astype(float), (second + len(table))[:, None].astype(float)
    result = distances.Coordinates(*numbers, matrix, compared.squared)
    return lambda original, masked: result


def _part(table, rows, columns):
    """A copy of some rows and columns of a table; of the whole table, as mostly, without looking each up."""
    if np.array_equal(rows, np.arange(len(table))) and np.array_equal(
        columns, np.arange(table.shape[1])
    ):
        return np.array(table, order="C")
    return np.take(np.take(table, rows, axis=0), columns, axis=1)


def right_at(ranks, place=1, ties="strict"):
    """Probability that each record's partner comes first, second or at another place, from its rank.

    Parameters
    ----------
    ranks : DataFrame
        What `ranks` returns.
    place : int
    ties : {"strict", "lenient", "expected"}
        Only where nobody else is as near; wherever it may stand there; or with equally near ones in any order.

    Examples
    --------
    >>> table = pd.DataFrame({"nearer": [0, 0, 1], "tied": [1, 2, 1]})
    >>> [right_at(table, place, "expected").tolist() for place in (1, 2)]
    [[1.0, 0.5, 0.0], [0.0, 0.5, 1.0]]
    """
    check_option("ties", ties, TIES)
    return pd.Series(
        share_at(ranks["nearer"].to_numpy(), ranks["tied"].to_numpy(), place, ties),
        ranks.index,
        name="right",
    )


def share_at(nearer, tied, place, ties):
    """`right_at` for arrays."""
    may = (nearer < place) & (place <= nearer + tied)
    share = {"strict": tied == 1, "lenient": 1.0, "expected": 1 / np.maximum(tied, 1)}[ties]
    return (may * share).astype(float)


def link_one_to_one(original, masked, distance=None):
    """Link the files one to one so that the sum of the distances is smallest.

    Global distance-based record linkage (Herranz, Nin, Rodríguez and Tassa 2015); the assignment is found by scipy.
    The attacker knows that the files hold the same individuals.

    Equal records are interchangeable, and which of them the assignment takes depends on the order of the rows; in
    aligned files that flatters the attack. So `right` is the expectation over all row orders: among m individuals with
    the same original u and the same masked record g, when the assignment links n records u to records g, each is
    right with probability n / (|u| |g|), |u| and |g| counting all records equal to them. Without equal
    records it is 0 or 1.

    Parameters
    ----------
    original, masked : DataFrame
        As for `link`. With fewer records in one file, all of them are linked.
    distance : optional
        A distance of `rlpaper.distances`; default ``dbrl1()``. The distance itself is summed, not its square.

    Returns
    -------
    DataFrame
        A row a linked original record: `partner` (label in the masked file), `distance` and `right` (0 to 1).

    Examples
    --------
    >>> original, masked = pd.DataFrame({"age": [20, 40, 41]}), pd.DataFrame({"age": [22, 40, 40]})
    >>> link_one_to_one(original, masked, distances.dbrl1(standardise=None))
       partner  distance  right
    0        0       2.0    1.0
    1        1       0.0    0.5
    2        2       1.0    0.5
    """
    compared = _compared(original, masked, distance)
    pairs = len(original) * len(masked)
    if pairs > LARGEST_TABLE:
        raise ValueError(
            f"{len(original)} x {len(masked)} distances do not fit in memory; link a sample of the records, "
            f"at most {int(LARGEST_TABLE**0.5)} of each file"
        )
    from scipy.optimize import linear_sum_assignment  # here: it takes half a second that few need

    table = _plain(compared.matrix(compared.original, compared.masked), compared)
    rows, columns = linear_sum_assignment(table)
    return pd.DataFrame(
        {
            "partner": masked.index[columns],
            "distance": table[rows, columns],
            "right": _expected_right(original, masked, compared, rows, columns),
        },
        index=original.index[rows],
    )


def _expected_right(original, masked, compared, rows, columns):
    """Probability that each linked original record has its own partner, over the orders of equal records."""
    first_kind, first_size = _search.kinds(compared.original)
    second_kind, second_size = _search.kinds(compared.masked)
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


def _compared(original, masked, distance):
    check_files(original, masked)
    return (distance or distances.dbrl1())(original, masked)


def check_option(name, value, options):
    if value not in options:
        raise ValueError(f"{name} is {value!r}; it is one of {', '.join(options)}")


def check_files(original, masked):
    for name, frame in (("original", original), ("masked", masked)):
        if frame.empty:
            raise ValueError(
                f"the {name} file is empty: linkage needs at least one record and one column"
            )
        for axis, labels in (("index", frame.index), ("columns", frame.columns)):
            if not labels.is_unique:
                repeated = labels[labels.duplicated()][0]
                raise ValueError(
                    f"the {axis} of the {name} file has {repeated!r} twice; labels say who is who, so each "
                    "must occur once (reset_index(drop=True) numbers the records)"
                )
    if list(original.columns) != list(masked.columns):
        raise ValueError(
            f"the files have different columns, {list(original.columns)} and {list(masked.columns)}; select "
            "the same ones, in the same order, from both"
        )
    if original.index.equals(masked.index):
        return
    smaller, larger = sorted((original.index, masked.index), key=len)
    stranger = smaller.difference(larger, sort=False)
    if len(stranger):
        raise ValueError(
            f"the files are misaligned: record {stranger[0]!r} is in one file only; give the records of an "
            "individual the same index label in both files"
        )


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
