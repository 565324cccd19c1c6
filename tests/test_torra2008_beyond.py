"""What torra2008 leaves out: larger files, single operators, chance, rankings, attribute lists."""

import itertools

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, strategies as st

from rlpaper import datasets
from rlpaper.papers.torra2008 import beyond, runs
from rlpaper.papers.torra2008.protocol import COLUMNS

# Larger files, single operators, chance.


def test_single_operators_and_the_others_are_linked():
    rows = pd.DataFrame(beyond.one_alpha("iris", 50, np.random.default_rng(2)))
    assert len(rows) == 2 * len(COLUMNS) * 10
    assert rows.groupby(["normalisation", "column"])["all"].nunique().eq(1).all()


def test_sizes_grow_to_the_whole_file():
    sizes = beyond.sizes(["iris"], 1, 1, records=(50, 100, 1000))
    assert sorted(sizes["size"].unique()) == [50, 100, 150]


def test_the_exact_permutation_test_agrees_with_shuffles():
    best = pd.DataFrame(
        [("housing", "N2", "OWA_Qs")], columns=["dataset", "normalisation", "column"]
    )
    row = beyond.chance_tests(best, 4, 20_000).iloc[0]
    assert row["shuffled, counted"] == pytest.approx(
        row["shuffled, exactly"], abs=5 * np.sqrt(row["shuffled, exactly"] / 20_000) + 1e-4
    )


# Rankings.


def test_one_ranking_a_file_links_what_is_in_the_same_order():
    a = pd.DataFrame({"x": [3.0, 1.0, 2.0, 9.0], "y": [30.0, 11.0, 20.0, 88.0]})
    b = pd.DataFrame({"z": [8.0, 5.0, 7.0, 20.0]})
    for score in ("z-scores", "component"):
        assert beyond.link_by_rank(a, b, score)["correct"].tolist() == [1, 1, 1, 1]
        assert beyond.link_by_rank(a, -b, score)["correct"].sum() == 0
    with pytest.raises(ValueError, match="4 and 3 records"):
        beyond.link_by_rank(a, b.head(3))


# Splitting.


def cost_of(correlation, sides, threshold):
    pairs = [
        (i, j)
        for i, j in itertools.combinations(range(len(sides)), 2)
        if sides[i] == sides[j] and correlation[i, j] >= threshold
    ]
    return len(pairs), sum(correlation[pair] for pair in pairs)


@given(st.integers(3, 7), st.integers(0, 10_000))
def test_as_few_correlated_pairs_as_possible_stay_together(n, seed):
    rng = np.random.default_rng(seed)
    df = pd.DataFrame(
        rng.normal(size=(12, n)) + rng.normal(size=(12, 1)) * rng.uniform(0, 3, n),
        columns=[f"v{i}" for i in range(n)],
    )
    split = beyond.split_by_correlation(df, 0.7)
    correlation = df.corr().to_numpy()
    related = [i for i in range(n) if (np.delete(correlation[i], i) >= 0.7).any()]
    assert split.dropped == [f"v{i}" for i in range(n) if i not in related]
    assert sorted(split.first + split.second) == [f"v{i}" for i in related]
    best = min(
        (
            cost_of(correlation[np.ix_(related, related)], sides, 0.7)
            for sides in itertools.product((0, 1), repeat=len(related))
        ),
        default=(0, 0),
    )
    assert len(split.together) == best[0] and split.together["correlation"].sum() == pytest.approx(
        best[1]
    )


def test_a_large_cluster_is_divided_well(monkeypatch):
    wdbc = datasets.load("wdbc").select_dtypes("number").drop(columns="id")
    best = beyond.split_by_correlation(wdbc)
    monkeypatch.setattr(beyond, "MAX_EXACT_ATTRIBUTES", 5)
    good = beyond.split_by_correlation(wdbc)
    assert len(best.together) <= len(good.together) <= 1.3 * len(best.together)


def test_the_printed_lists_break_the_papers_rule():
    iris = datasets.load("iris").drop(columns="target")
    printed = [list(file.columns) for file in runs.files("iris")]
    together = beyond.correlated_together(iris, printed)
    assert together[["one", "other"]].values.tolist() == [
        ["sepal length (cm)", "petal length (cm)"]
    ]
    assert together["correlation"].round(2).tolist() == [0.87]
    assert (
        len(
            beyond.correlated_together(
                datasets.load("census"), [list(file.columns) for file in runs.files("census")]
            )
        )
        == 12
    )
