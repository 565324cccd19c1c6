"""Beyond torra2008: larger files, single operators, tests against chance, attribute lists.

And the rankings that it compares itself with, which are not its method.
"""

from typing import NamedTuple

import numpy as np
import pandas as pd

from ..._internal import arithmetic
from ..._internal.validation import check_option
from ...compendium.sweep import drawn_by, sweep
from ...distances import dbrl1
from ...linkage.chance import links_by_chance_at_least, links_by_permutation
from ...linkage.nearest import link
from ...linkage.no_common_variables import normalised
from .protocol import ATTRIBUTES, COLUMNS, LINKAGES, NORMALISATIONS, RECORDS
from .runs import attribute_lists, count_correct, files, representatives_of, study

EXACT = 22  # correlated attributes whose best division is found by trying all of them


# Larger files, single operators, chance.


def sizes(names, executions, seed, records=(100, 300, 1000)):
    """Distance-based linkage of samples of several sizes, and of all records once: mean right links a setting."""
    parts = []
    for count in [*records, None]:
        large = [name for name in names if count is None or len(files(name)[0]) > count]
        if large:
            parts.append(study(large, 1 if count is None else executions, seed, ["DBRL"], count))
    table = pd.concat(parts, ignore_index=True)
    grouped = table.groupby(["dataset", "normalisation", "column", "size"], sort=False)["correct"]
    return grouped.mean().reset_index().assign(share=lambda frame: frame["correct"] / frame["size"])


def single_operators(names, executions, seed):
    """Right links by one operator alone, and by the nine others: a row a data set, normalisation, operator and alpha."""
    table = sweep(
        one_alpha, {"dataset": list(names), "records": [RECORDS]}, executions=executions, seed=seed
    )
    return (
        table.groupby(["dataset", "normalisation", "column", "alpha"], sort=False)[
            ["alone", "without", "all"]
        ]
        .mean()
        .reset_index()
    )


@drawn_by("dataset", "records")
def one_alpha(dataset, records, random_state):
    whole = files(dataset)
    places = np.sort(random_state.permutation(len(whole[0]))[:records])
    sample = [file.iloc[places] for file in whole]
    rows = []
    for normalisation, normalise in NORMALISATIONS.items():
        ready = [normalised(file, normalise) for file in sample]
        for column in COLUMNS:
            a, b = (representatives_of(file, column) for file in ready)
            every = count_correct(a, b, LINKAGES["DBRL"])
            for place, name in enumerate(a):
                rest = [other for other in range(a.shape[1]) if other != place]
                rows.append(
                    {
                        "normalisation": normalisation,
                        "column": column,
                        "alpha": float(name.split()[1]),
                        "all": every,
                        "alone": count_correct(
                            a.iloc[:, [place]], b.iloc[:, [place]], LINKAGES["DBRL"]
                        ),
                        "without": count_correct(
                            a.iloc[:, rest], b.iloc[:, rest], LINKAGES["DBRL"]
                        ),
                    }
                )
    return rows


def chance_tests(best, seed, times=100_000):
    """Is it luck? One linkage of each data set, by its best operator, against random linkages.

    Parameters
    ----------
    best : DataFrame
        As `best_averages` gives it.
    seed, times : int
        Sample, and shuffles of who is who.

    Returns
    -------
    DataFrame
        A row a data set: `correct` links, the probability of so many by a random one-to-one linkage
        (Table IV), the same for these very links if who is who were shuffled, exactly, and counted
        in shuffles (one more than those that reach it, over one more than all).
    """
    rows = []
    for row in best.itertuples():
        rng = np.random.default_rng(seed)
        whole = files(row.dataset)
        places = rng.permutation(len(whole[0]))[:RECORDS]
        a, b = (
            representatives_of(
                normalised(file.iloc[places], NORMALISATIONS[row.normalisation]), row.column
            )
            for file in whole
        )
        nearest = a.index.get_indexer(link(a, b, dbrl1(None))["nearest"])
        correct = int((nearest == np.arange(RECORDS)).sum())
        shuffled = rng.permuted(np.tile(np.arange(RECORDS, dtype=np.int16), (times, 1)), axis=1)
        reached = int(((shuffled == nearest).sum(axis=1) >= correct).sum())
        rows.append(
            {
                "dataset": row.dataset,
                "normalisation": row.normalisation,
                "column": row.column,
                "correct": correct,
                "one to one": float(links_by_chance_at_least(RECORDS, correct)),
                "shuffled, exactly": float(links_by_permutation(nearest, RECORDS, correct)),
                "shuffled, counted": (reached + 1) / (times + 1),
            }
        )
    return pd.DataFrame(rows)


# One ranking per file.


def census_baselines(executions, seed, records=90):
    """Right links of 90 census records by one ranking a file, as in the work that the paper compares itself with."""
    return sweep(rank_census, {"records": [records]}, executions=executions, seed=seed)


@drawn_by("records")
def rank_census(records, random_state):
    whole = files("census")
    places = random_state.permutation(len(whole[0]))[:records]
    a, b = (file.iloc[places] for file in whole)
    return [
        {"score": score, "correct": float(link_by_rank(a, b, score)["correct"].sum())}
        for score in ("component", "z-scores")
    ]


def link_by_rank(a, b, score="z-scores"):
    """Link two files of the same individuals by one ranking each, first to first, second to second.

    Parameters
    ----------
    a, b : DataFrame
        The same number of records.
    score : {"z-scores", "component"}
        Rank by the sum of the standardised attributes, or by their first principal component, its
        sign such that it rises with that sum.

    Returns
    -------
    DataFrame
        A row a record of b: `nearest` (label in a) and `correct`.

    Examples
    --------
    >>> a, b = pd.DataFrame({"x": [1, 3, 2]}), pd.DataFrame({"y": [10, 30, 20], "z": [1, 2, 2]})
    >>> link_by_rank(a, b)["correct"].sum()
    np.float64(3.0)
    """
    check_option("score", score, ("z-scores", "component"))
    if len(a) != len(b):
        raise ValueError(
            f"the files have {len(a)} and {len(b)} records; a ranking links files of the same size only"
        )
    orders = []
    for file in (a, b):
        values = np.nan_to_num(normalised(file).to_numpy())
        total = values.sum(axis=1)
        if score == "component":
            first = arithmetic.eigen(arithmetic.product(values.T, values))[1][:, -1]
            total = arithmetic.product(values, first if first.sum() >= 0 else -first)
        orders.append(np.argsort(total, kind="stable"))
    links = pd.DataFrame({"nearest": a.index[orders[0]]}, index=b.index[orders[1]]).loc[b.index]
    return links.assign(correct=(links["nearest"] == links.index).astype(float))


# The paper's rule for the two attribute lists.


def splits():
    """The printed attribute lists beside the paper's own rule: a row a data set."""
    rows = []
    for name in ATTRIBUTES:
        file, printed = attribute_lists(name)
        numeric = file.select_dtypes("number").drop(columns="id", errors="ignore")
        rule = split_by_correlation(numeric)
        chosen = [attribute for attributes in printed for attribute in attributes]
        weak = [attribute for attribute in chosen if attribute in rule.dropped]
        rows.append(
            {
                "dataset": name,
                "attributes": numeric.shape[1],
                "printed": f"{len(printed[0])} + {len(printed[1])}",
                "correlated but together": len(correlated_together(numeric, printed)),
                "below the threshold with all": len(weak),
                "by the rule": f"{len(rule.first)} + {len(rule.second)}",
                "together by the rule": len(rule.together),
            }
        )
    return pd.DataFrame(rows)


class Split(NamedTuple):
    """Attributes of two files, those left out, and the correlated pairs that stayed together."""

    first: list
    second: list
    dropped: list
    together: pd.DataFrame


def split_by_correlation(df, threshold=0.7):
    """Divide the attributes of a file into two files, correlated ones apart (torra2008, section 4.2).

    Attributes without a correlation of `threshold` with any other are left out. The others go into
    two files so that as few as possible of the pairs correlated that strongly stay together; where
    three are correlated with each other, one pair must. Of equally good divisions, the one with the
    smallest sum of correlations left together is taken. Among up to 22 attributes that hang
    together the division is the best there is; of more, one that moving no single attribute
    improves.

    Parameters
    ----------
    df : DataFrame
        Numbers; missing values are left out pair by pair.
    threshold : float

    Examples
    --------
    >>> from rlpaper import datasets
    >>> split = split_by_correlation(datasets.load("iris").drop(columns="target"))
    >>> split.first, split.second
    (['sepal length (cm)', 'petal width (cm)'], ['petal length (cm)'])
    >>> split.dropped, len(split.together)
    (['sepal width (cm)'], 1)
    """
    from scipy.sparse.csgraph import connected_components  # here: few need it

    correlation = df.corr().fillna(0).to_numpy()
    near = correlation >= threshold
    np.fill_diagonal(near, False)
    count, component = connected_components(near)
    sides = np.full(df.shape[1], -1)
    for number in range(count):
        members = np.flatnonzero(component == number)
        if len(members) == 1:
            continue
        # Few pairs first, then small correlations; 1 a pair outweighs all of these.
        cost = np.where(near, 1 + correlation / near.sum(), 0)[np.ix_(members, members)]
        division = _best_division(cost) if len(members) <= EXACT else _good_division(cost)
        if (sides == 0).sum() > (sides == 1).sum() and division.sum() < len(members) / 2:
            division = 1 - division  # the shorter file gets the larger part
        sides[members] = division
    first, second, dropped = (df.columns[sides == side].tolist() for side in (0, 1, -1))
    return Split(first, second, dropped, correlated_together(df, [first, second], threshold))


def correlated_together(df, files, threshold=0.7):
    """Pairs of attributes in the same file whose correlation is `threshold` or more: what a division should not leave.

    Examples
    --------
    >>> df = pd.DataFrame({"x": [1, 2, 3], "y": [1, 2, 4], "z": [3, 1, 2]})
    >>> correlated_together(df, [["x", "y"], ["z"]]).round(2).values.tolist()
    [['x', 'y', 0.98]]
    """
    correlation = df.corr()
    return pd.DataFrame(
        [
            (one, other, correlation.loc[one, other])
            for file in files
            for place, one in enumerate(file)
            for other in file[place + 1 :]
            if correlation.loc[one, other] >= threshold
        ],
        columns=["one", "other", "correlation"],
    )


def _best_division(cost):
    """Sides of the attributes, the first on side 0, with the smallest cost of pairs on the same side; all are tried."""
    n = len(cost)
    sides = np.arange(1 << (n - 1)) << 1
    total = np.zeros(len(sides))
    for i, j in zip(*np.nonzero(np.triu(cost))):
        total += np.where((sides >> i ^ sides >> j) & 1, 0, cost[i, j])
    return sides[total.round(9).argmin()] >> np.arange(n) & 1


def _good_division(cost):
    """As `_best_division`, each attribute in turn to its better side until none wants to move."""
    sides = np.zeros(len(cost), int)
    moved = True
    while moved:
        moved = False
        for i in range(1, len(cost)):
            here, there = (cost[i][sides == side].sum() for side in (sides[i], 1 - sides[i]))
            if there < here - 1e-9:
                sides[i], moved = 1 - sides[i], True
    return sides
