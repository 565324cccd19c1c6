"""Microaggregation: records in small groups, each value replaced by the mean of its group."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from pandas.api.types import is_hashable, is_list_like

from .._internal import kdtree
from .._internal.arithmetic import eigen, product
from .._internal.hints import Label
from .._internal.jit import compiled
from .._internal.magnitudes import exponents, exponents_of_largest, near_one
from .._internal.progress import progress_bar
from .._internal.validation import (
    check_list,
    check_number,
    check_option,
    finite_array,
    records_in_rows,
)
from ..distances.numeric import scaled
from .base import Method, NumericMasking, with_dtype

#: Which variables are clustered together; see `Microaggregation`.
Groups = int | Sequence[int] | Sequence[Sequence[Label]] | None

CLUSTERINGS = ("mdav", "individual", "zscores", "pca")
MIN_SHOWN_RECORDS = 50_000  # whose clustering takes about a second: a bar is shown


@dataclass(frozen=True)
class Microaggregation(NumericMasking):
    """Replace each value by the mean over a cluster of at least k similar records.

    Variables are taken in groups; within a group of variables every cluster has k to 2k - 1
    records, which then share their values of these variables. Means of the variables are kept;
    whole numbers become real ones. (abril2012, section 4.2.)

    Parameters
    ----------
    k : int or list of int
        Smallest cluster, 1 to the number of records: one for all groups of variables, or one per
        group (Mic553-2.8.5 is ``k=[2, 8, 5], groups=[5, 5, 3]``). With k = 1 a group stays as it
        is.
    groups : None, int, list of int, or list of lists
        Variables that are clustered together: all (None); so many at a time, in the order of the
        columns; as many as listed, in the order of the columns; or by name. Columns that a list of
        lists does not name stay as they are.
    method : {"mdav", "individual", "zscores", "pca"}
        ``"mdav"`` clusters by Euclidean distance: maximum distance to average vector
        (Domingo-Ferrer and Mateo-Sanz 2002; Hundepool et al. 2003). ``"individual"`` ranks each
        variable on its own (MicIR; takes no groups). ``"zscores"`` and ``"pca"`` rank the records
        by the sum of their z-scores (MicZ) or by the first principal component (MicPCP) and cut the
        ranking into runs of k.
    standardise : bool
        Give the variables unit variance before clustering by distance or principal component. The
        masked values are in the variables' own units either way.
    left_over : {"own", "join"}
        With an integer `groups`, the variables left over form a smaller group of their own, or join
        the last.

    Examples
    --------
    >>> file = pd.DataFrame({"age": [20, 21, 22, 60, 61, 65], "income": [10, 11, 12, 40, 41, 42]})
    >>> Microaggregation(k=3).mask(file)["age"].tolist()
    [21.0, 21.0, 21.0, 62.0, 62.0, 62.0]
    """

    k: int | Sequence[int]
    groups: Groups = None
    method: str = "mdav"
    standardise: bool = True
    left_over: str = "own"

    def __post_init__(self) -> None:
        """Refuse unknown options, and groups where there are none."""
        check_option("method", self.method, CLUSTERINGS)
        check_option("standardise", self.standardise, (True, False))
        check_option("left_over", self.left_over, ("own", "join"))
        if self.method == "individual" and self.groups is not None:
            raise ValueError("individual ranking takes each variable on its own; leave groups out")

    def _masked_columns(self, df: pd.DataFrame, rng: np.random.Generator) -> dict[Label, object]:
        wanted = 1 if self.method == "individual" else self.groups
        groups = variable_groups(df.columns, wanted, self.left_over)
        k: Any = self.k
        sizes = check_list("k", k) if is_list_like(k) else [k] * len(groups)
        if len(sizes) != len(groups):
            raise ValueError(
                f"k has {len(sizes)} values for {len(groups)} groups of variables; give one for "
                "each, or a single one"
            )
        for size in sizes:
            _check_k(size, len(df))
        columns = {}
        for size, names in zip(sizes, groups, strict=True):
            values = df[names].to_numpy(float)
            clusters = cluster(values, int(size), self.method, self.standardise)
            for j, name in enumerate(names):
                columns[name] = with_dtype(_means(values[:, j], clusters), df[name].dtype)
        return columns


#: No cluster can be larger than the file.
METHOD = Method(
    "microaggregation k",
    lambda k, df: Microaggregation(min(k, len(df))),
    (3, 5, 10, 25),
    pram=(0.1, 0.3, 0.6, 1.0),
)


def microaggregate(
    df: pd.DataFrame,
    k: int | Sequence[int],
    groups: Groups = None,
    method: str = "mdav",
    standardise: bool = True,
    left_over: str = "own",
) -> pd.DataFrame:
    """Replace each value by the mean over a cluster of records; see `Microaggregation`."""
    return Microaggregation(k, groups, method, standardise, left_over).mask(df)


def variable_groups(
    columns: Sequence[Label], groups: Groups = None, left_over: str = "own"
) -> list[list[Label]]:
    """Return lists of column names that are masked together; see `Microaggregation`.

    Examples
    --------
    >>> variable_groups(list("abcde"), 2), variable_groups(list("abcde"), 2, left_over="join")
    ([['a', 'b'], ['c', 'd'], ['e']], [['a', 'b'], ['c', 'd', 'e']])
    """
    columns = list(columns)
    if groups is None:
        return [columns]
    if is_list_like(groups):
        wanted = check_list("groups", groups)
        if any(map(is_list_like, wanted)):
            return _named_groups(columns, wanted)
    else:
        check_number(
            "groups",
            groups,
            f"a number of variables, 1 to the number of columns, {len(columns)}; or a list of "
            "lists of column names",
            1,
            len(columns),
            whole=True,
        )
        size: Any = groups
        number, rest = divmod(len(columns), int(size))
        wanted = [int(size)] * number
        if rest and left_over == "join":
            wanted[-1] += rest
        elif rest:
            wanted.append(rest)
    for size in wanted:
        check_number(
            "a size in groups",
            size,
            "a number of variables, 1 or more; to name them, write each group as a list of column "
            "names",
            1,
            whole=True,
        )
    if sum(wanted) != len(columns):
        raise ValueError(f"groups {wanted} do not add up to the {len(columns)} columns of the file")
    stops = np.cumsum(wanted).astype(int)
    return [columns[stop - int(size) : stop] for size, stop in zip(wanted, stops, strict=True)]


def _named_groups(columns: list[Label], wanted: list) -> list[list[Label]]:
    """Return groups of columns by name; refuse names that are none of a column, or twice there."""
    groups = [check_list("a group of columns in groups", group) for group in wanted]
    if not all(groups):
        raise ValueError("groups has one without a column; leave it out")
    named = [name for group in groups for name in group]
    for name in named:
        if not is_hashable(name) or name not in columns:
            raise ValueError(f"groups names {name!r}, which is not a column of the file")
        if named.count(name) > 1:
            raise ValueError(f"groups names {name!r} twice; a column belongs to one group")
    return groups


def _check_k(k: Any, records: int) -> None:
    check_number(
        "k",
        k,
        f"a whole number between 1 and the number of records, {records}",
        1,
        records,
        whole=True,
    )


def cluster(values: np.ndarray, k: int, method: str, standardise: bool) -> np.ndarray:
    """Return the number of each record's cluster; every cluster has k to 2k - 1 records."""
    if k == 1:
        return np.arange(len(values))
    if method == "mdav":
        return mdav(scaled(values, values) if standardise else values, k)
    if method == "individual":
        ranking = values[:, 0]
    elif method == "zscores":
        ranking = scaled(values, values).sum(axis=1)
    else:
        ranking = _first_component(scaled(values, values) if standardise else values)
    clusters = np.empty(len(values), np.int64)
    # The last run takes what is left over, so it has up to 2k - 1.
    clusters[np.argsort(ranking, kind="stable")] = np.minimum(
        np.arange(len(values)) // k, len(values) // k - 1
    )
    return clusters


def _in_one_unit(values: np.ndarray) -> np.ndarray:
    """Divide all numbers by the same power of two, so that they can be squared."""
    return near_one(values, exponents(values.reshape(-1, 1)))


def _first_component(values: np.ndarray) -> np.ndarray:
    values = _in_one_unit(values)
    centred = values - values.mean(axis=0)
    direction = eigen(product(centred.T, centred))[1][:, -1]
    # A component has no sign of its own: its largest entry is made positive.
    return product(centred, direction * np.sign(direction[np.abs(direction).argmax()]))


def _means(values: np.ndarray, clusters: np.ndarray) -> np.ndarray:
    """Replace each value by its cluster's mean.

    The mean is taken of the differences from the cluster's first value, so that equal values stay
    exactly as they are; of numbers that are very large or small, in units of their cluster.
    """
    order = np.argsort(clusters, kind="stable")
    starts = np.flatnonzero(np.r_[True, np.diff(clusters[order]) > 0])
    sizes = np.diff(np.r_[starts, len(values)])
    ordered = values[order]
    largest = np.maximum(
        np.maximum.reduceat(ordered, starts), -np.minimum.reduceat(ordered, starts)
    )
    powers = exponents_of_largest(largest)
    ordered = near_one(ordered, np.repeat(powers, sizes))
    first = ordered[starts]
    means = first + np.add.reduceat(ordered - np.repeat(first, sizes), starts) / sizes
    masked = np.empty(len(values))
    masked[order] = np.repeat(near_one(means, -powers), sizes)
    return masked


def mdav(points: np.ndarray, k: int) -> np.ndarray:
    """Cluster points by maximum distance to average vector, k to 2k - 1 in each cluster.

    While 3k points are left: the point r farthest from their centroid and its k - 1 nearest form a
    cluster, the point s farthest from r and its k - 1 nearest another one. With 2k to 3k - 1 left,
    only the first; what is left then is the last cluster. Among equal distances the lowest point
    number comes first. Returns the number of each point's cluster. Points are finite numbers, one
    row per point.

    The searches go through a tree with deletions: about n^1.5 steps in seven dimensions where a
    search through all points takes n^2 / k.

    Examples
    --------
    >>> mdav(np.array([[1.0], [9.0], [2.0], [8.0], [3.0]]), k=2).tolist()
    [1, 0, 1, 0, 1]
    """
    points = finite_array(records_in_rows("points", points), "points")
    _check_k(k, len(points))
    points, k = np.array(_in_one_unit(points), order="C"), int(k)
    clusters, made = np.full(len(points), -1), 0
    left = np.arange(len(points))
    total = points.sum(axis=0)
    long = len(points) > MIN_SHOWN_RECORDS
    with progress_bar(len(points), "MDAV", long) as bar:
        while len(left) >= 2 * k:
            # All at once, or, where that takes long, a quarter at a time, so that the bar moves.
            enough = len(left) * 3 // 4 if long else 0
            made = _some_clusters(points, left, clusters, total, made, k, enough)
            before, left = len(left), np.flatnonzero(clusters < 0)
            bar.update(before - len(left))
        clusters[left] = made
        bar.update(len(left))
    return clusters


@compiled
def _some_clusters(
    points: np.ndarray,
    numbers: np.ndarray,
    clusters: np.ndarray,
    total: np.ndarray,
    made: int,
    k: int,
    enough: int,
) -> int:
    """Make clusters until at most `enough` points are left, or fewer than 2k.

    `numbers` are those of the points that are left, `total` is their sum. Returns how many clusters
    there are by then.
    """
    left, tree = len(numbers), kdtree.build(points[numbers])
    while left > enough and left >= 2 * k:
        if 4 * left < 3 * len(numbers):  # a smaller tree for what is left
            numbers = np.flatnonzero(clusters < 0)
            tree = kdtree.build(points[numbers])
        seed = kdtree.farthest(tree, total / left)
        for of_pair in range(2 if left >= 3 * k else 1):
            if of_pair:
                seed = kdtree.farthest(tree, points[numbers[seed]])
            for member in kdtree.nearest(tree, points[numbers[seed]], k):
                kdtree.delete(tree, member)
                clusters[numbers[member]] = made
                total -= points[numbers[member]]
            made += 1
            left -= k
    return made
