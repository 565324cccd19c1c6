"""Beyond torra2008: larger files, single operators, tests against chance, attribute lists.

And the rankings that it compares itself with, which are not its method.
"""

from collections.abc import Sequence
from itertools import combinations
from typing import NamedTuple

import numpy as np
import pandas as pd

from ..._internal import arithmetic
from ..._internal.validation import check_option
from ...compendium.sweep import drawn_by, sweep
from ...distances import dbrl1
from ...linkage.chance import links_by_chance_at_least, links_by_permutation
from ...linkage.nearest import link
from ...linkage.no_common_variables import _normalised, normalised
from .protocol import ATTRIBUTES, COLUMNS, LINKAGES, NORMALISATIONS, RECORDS
from .runs import attribute_lists, count_correct, files, representatives_of, sampled, study

MAX_EXACT = 22  # correlated attributes whose best division is found by trying all of them
THRESHOLD = 0.7  # a correlation that the paper calls high


# Larger files, single operators, chance.


def sizes(
    names: Sequence[str], executions: int, seed: int, records: Sequence[int] = (100, 300, 1000)
) -> pd.DataFrame:
    """Average the correct links of DBRL in samples of several sizes, and in all records once."""
    parts = []
    for count in [*records, None]:
        large = [name for name in names if count is None or len(files(name)[0]) > count]
        if large:
            parts.append(study(large, 1 if count is None else executions, seed, ["DBRL"], count))
    table = pd.concat(parts, ignore_index=True)
    grouped = table.groupby(["dataset", "normalisation", "column", "size"], sort=False)["correct"]
    return grouped.mean().reset_index().assign(share=lambda frame: frame["correct"] / frame["size"])


def single_operators(names: Sequence[str], executions: int, seed: int) -> pd.DataFrame:
    """Average the correct links by one operator alone, by the nine others, and by all ten."""
    table = sweep(
        one_alpha, {"dataset": list(names), "records": [RECORDS]}, executions=executions, seed=seed
    )
    grouped = table.groupby(["dataset", "normalisation", "column", "alpha"], sort=False)
    means = grouped[["alone", "without", "all"]].mean().reset_index()
    return means.assign(family=means["column"].str.split("_").str[1])


def strongest(alphas: pd.DataFrame) -> pd.DataFrame:
    """Select the operator that links most alone, by data set, normalisation and column."""
    keys = ["dataset", "normalisation", "column"]
    best = alphas.groupby(keys, sort=False)["alone"].idxmax()
    return alphas.loc[best, [*keys, "alpha", "alone", "all"]]


@drawn_by("dataset", "records")
def one_alpha(dataset: str, records: int, random_state: np.random.Generator) -> list[dict]:
    """Link one sample by each operator alone, and by all the others."""
    _, sample = sampled(dataset, records, random_state)
    rows = []
    for normalisation, normalise in NORMALISATIONS.items():
        ready = [normalised(file, normalise) for file in sample]
        for column in COLUMNS:
            a, b = (representatives_of(file, column) for file in ready)
            every = count_correct(a, b, LINKAGES["DBRL"])
            for name in a:
                alone = count_correct(a[[name]], b[[name]], LINKAGES["DBRL"])
                rest = [other for other in a if other != name]
                rows.append(
                    {
                        "normalisation": normalisation,
                        "column": column,
                        "alpha": float(name.split()[1]),
                        "all": every,
                        "alone": alone,
                        "without": count_correct(a[rest], b[rest], LINKAGES["DBRL"]),
                    }
                )
    return rows


def chance_tests(best: pd.DataFrame, seed: int, times: int = 100_000) -> pd.DataFrame:
    """Test one linkage of each data set, by its best operator, against random linkages.

    Parameters
    ----------
    best : DataFrame
        As `claims.best_averages` gives it.
    seed, times : int
        Sample, and shuffles of who is who.

    Returns
    -------
    DataFrame
        One row per data set: `correct` links, the probability of so many by a random one-to-one
        linkage (Table IV), the same for these very links if who is who were shuffled, exactly, and
        counted in shuffles (one more than those that reach it, over one more than all).
    """
    rows = []
    for row in best.itertuples():
        rng = np.random.default_rng(seed)
        whole = files(row.dataset)
        chosen = rng.permutation(len(whole[0]))[:RECORDS]
        a, b = (
            representatives_of(
                normalised(file.iloc[chosen], NORMALISATIONS[row.normalisation]), row.column
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


def census_baselines(executions: int, seed: int, records: int = 90) -> pd.DataFrame:
    """Link census records by one ranking per file, as in the work that the paper compares with."""
    return sweep(rank_census, {"records": [records]}, executions=executions, seed=seed)


@drawn_by("records")
def rank_census(records: int, random_state: np.random.Generator) -> list[dict]:
    """Count the correct links of one sample by each of two rankings."""
    whole = files("census")
    chosen = random_state.permutation(len(whole[0]))[:records]
    a, b = (file.iloc[chosen] for file in whole)
    return [
        {"score": score, "correct": float(link_by_rank(a, b, score)["correct"].sum())}
        for score in ("component", "z-scores")
    ]


def link_by_rank(a: pd.DataFrame, b: pd.DataFrame, score: str = "z-scores") -> pd.DataFrame:
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
        One row per record of b: `nearest` (label in a) and `correct`.

    Examples
    --------
    >>> a, b = pd.DataFrame({"x": [1, 3, 2]}), pd.DataFrame({"y": [10, 30, 20], "z": [1, 2, 2]})
    >>> link_by_rank(a, b)["correct"].sum()
    np.float64(3.0)
    """
    check_option("score", score, ("z-scores", "component"))
    if len(a) != len(b):
        raise ValueError(
            f"the files have {len(a)} and {len(b)} records; a ranking links files of the same size "
            "only"
        )
    orders = []
    for file in (a, b):
        values = np.nan_to_num(_normalised(file, "standard"))
        total = values.sum(axis=1)
        if score == "component":
            first = arithmetic.eigen(arithmetic.product(values.T, values))[1][:, -1]
            total = arithmetic.product(values, first if first.sum() >= 0 else -first)
        orders.append(np.argsort(total, kind="stable"))
    links = pd.DataFrame({"nearest": a.index[orders[0]]}, index=b.index[orders[1]]).loc[b.index]
    return links.assign(correct=(links["nearest"] == links.index).astype(float))


# The paper's rule for the two attribute lists.


def splits() -> pd.DataFrame:
    """Compare the printed attribute lists with the paper's own rule, one row per data set."""
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

    first: list[str]
    second: list[str]
    dropped: list[str]
    together: pd.DataFrame


def split_by_correlation(df: pd.DataFrame, threshold: float = THRESHOLD) -> Split:
    """Divide the attributes of a file into two files, correlated ones apart.

    The rule is that of torra2008, section 4.2. Attributes without a correlation of `threshold` with
    any other are left out. The others go into two files so that as few as possible of the pairs
    correlated that strongly stay together; where three are correlated with each other, one pair
    must. Of equally good divisions, the one with the smallest sum of correlations left together is
    taken. Among up to 22 attributes that hang together the division is the best there is; of more,
    one that moving no single attribute improves.

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
        division = _best_division(cost) if len(members) <= MAX_EXACT else _good_division(cost)
        if (sides == 0).sum() > (sides == 1).sum() and division.sum() < len(members) / 2:
            division = 1 - division  # the shorter file gets the larger part
        sides[members] = division
    first, second, dropped = (df.columns[sides == side].tolist() for side in (0, 1, -1))
    return Split(first, second, dropped, correlated_together(df, [first, second], threshold))


def correlated_together(
    df: pd.DataFrame, files: Sequence[Sequence[str]], threshold: float = THRESHOLD
) -> pd.DataFrame:
    """List pairs of attributes in one file with a correlation of `threshold` or more.

    A division should leave none.

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
            for one, other in combinations(file, 2)
            if correlation.loc[one, other] >= threshold
        ],
        columns=["one", "other", "correlation"],
    )


def _best_division(cost: np.ndarray) -> np.ndarray:
    """Try all sides of the attributes, the first on side 0, for the smallest cost within sides."""
    n = len(cost)
    sides = np.arange(1 << (n - 1)) << 1
    total = np.zeros(len(sides))
    for i, j in np.argwhere(np.triu(cost)):
        total += np.where((sides >> i ^ sides >> j) & 1, 0, cost[i, j])
    return sides[total.round(9).argmin()] >> np.arange(n) & 1


def _good_division(cost: np.ndarray) -> np.ndarray:
    """Move each attribute in turn to its better side until none wants to move."""
    sides = np.zeros(len(cost), int)
    moved = True
    while moved:
        moved = False
        for i in range(1, len(cost)):
            here, there = (cost[i][sides == side].sum() for side in (sides[i], 1 - sides[i]))
            if there < here - 1e-9:
                sides[i], moved = 1 - sides[i], True
    return sides
