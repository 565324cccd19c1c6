import os
import subprocess
import sys

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, strategies as st
from hypothesis.extra.numpy import arrays

from rlpaper import datasets
from rlpaper._internal import kdtree, tree_search
from rlpaper.distances import squared_euclidean
from rlpaper.masking.microaggregation import mdav


@st.composite
def points(draw, least=1, most=60):
    """Points in one to four dimensions: many ties (a small lattice), or none to speak of."""
    shape = draw(st.tuples(st.integers(least, most), st.integers(1, 4)))
    if draw(st.booleans()):
        return draw(
            arrays(float, shape, elements=st.integers(0, draw(st.integers(0, 4))).map(float))
        )
    return np.random.default_rng(draw(st.integers(0, 10**6))).normal(size=shape)


def through_all(queries, candidates):
    """Two nearest and ties by a search through all pairs."""
    table = squared_euclidean(queries, candidates)
    order = np.argsort(table, axis=1, kind="stable")[:, :2]
    squares = np.take_along_axis(table, order, axis=1)
    return order, squares, (table == squares[:, :1]).sum(axis=1)


@given(points(least=2), st.integers(0, 100))
def test_two_nearest_are_those_of_a_search_through_all(candidates, seed):
    rng = np.random.default_rng(seed)
    queries = np.vstack(
        [
            candidates[rng.integers(0, len(candidates), 10)],
            candidates[:5] + rng.normal(size=candidates[:5].shape),
        ]
    )
    for ours, theirs in zip(
        tree_search.two_nearest(queries, candidates), through_all(queries, candidates), strict=True
    ):
        np.testing.assert_array_equal(ours, theirs)


def test_threads_change_nothing(monkeypatch):
    rng = np.random.default_rng(3)
    candidates, queries = rng.integers(0, 9, (500, 3)).astype(float), rng.normal(4, 2, (400, 3))
    alone = tree_search.two_nearest(queries, candidates)
    monkeypatch.setattr(tree_search, "QUERIES_PER_THREAD", 50)
    monkeypatch.setattr(tree_search.os, "cpu_count", lambda: 4)
    for ours, theirs in zip(tree_search.two_nearest(queries, candidates), alone, strict=True):
        np.testing.assert_array_equal(ours, theirs)


def test_a_single_point_has_no_second():
    found, squares, ties = tree_search.two_nearest(np.zeros((1, 2)), np.ones((1, 2)))
    assert (
        found.tolist() == [[0, -1]] and squares.tolist() == [[2.0, np.inf]] and ties.tolist() == [1]
    )


def test_equal_points_are_counted_without_being_visited():
    # 200,000 equal points: a search that looked at each for each query would not end within a day.
    found, _, ties = tree_search.two_nearest(np.zeros((200_000, 1)), np.ones((200_000, 1)))
    assert (found == [0, 1]).all() and (ties == 200_000).all()


@pytest.mark.parametrize("off", ["", "1"])
def test_long_work_shows_a_bar_that_can_be_turned_off(off):
    code = """if True:
        import numpy as np
        from rlpaper._internal import kdtree, tree_search
        from rlpaper.masking import microaggregation
        tree_search.MIN_SHOWN_QUERIES = microaggregation.MIN_SHOWN_RECORDS = 1000
        x = np.random.default_rng(1).normal(size=(6000, 2))
        tree_search.two_nearest(x, x)
        microaggregation.mdav(x, 3)"""
    environment = {**os.environ, **({"TQDM_DISABLE": off} if off else {})}
    shown = subprocess.run(
        [sys.executable, "-c", code], env=environment, check=True, capture_output=True, text=True
    )
    assert shown.stdout == ""
    assert [name in shown.stderr for name in ("linking", "MDAV")] == (
        [False] * 2 if off else [True] * 2
    )


@given(points(least=4), st.integers(0, 100))
def test_searches_stay_exact_while_points_are_deleted(candidates, seed):
    rng = np.random.default_rng(seed)
    tree = kdtree.build(candidates)
    alive = np.arange(len(candidates))
    for gone in rng.permutation(len(candidates))[:-2]:
        kdtree.delete(tree, gone)
        alive = alive[alive != gone]
        query = (
            rng.normal(size=candidates.shape[1])
            if rng.random() < 0.5
            else candidates[rng.integers(len(candidates))]
        )
        squares = squared_euclidean(query[None], candidates[alive])[0]
        assert kdtree.farthest(tree, query) == alive[squares.argmax()]
        k = rng.integers(1, len(alive) + 1)
        np.testing.assert_array_equal(
            kdtree.nearest(tree, query, k), alive[np.argsort(squares, kind="stable")[:k]]
        )


# MDAV.


def textbook(x, k):
    """MDAV with every search through all points that are left."""
    clusters, made = np.full(len(x), -1), 0
    while (left := np.flatnonzero(clusters < 0)).size >= 2 * k:
        centre = x[left].sum(axis=0) / len(left)
        seed = left[squared_euclidean(centre[None], x[left])[0].argmax()]
        for turn in range(2 if len(left) >= 3 * k else 1):
            now = np.flatnonzero(clusters < 0)
            if turn:
                seed = now[squared_euclidean(x[seed][None], x[now])[0].argmax()]
            squares = squared_euclidean(x[seed][None], x[now])[0]
            clusters[now[np.argsort(squares, kind="stable")[:k]]] = made
            made += 1
    clusters[clusters < 0] = made
    return clusters


@given(points(least=2), st.integers(2, 12))
def test_mdav_is_that_of_the_textbook_ties_included(x, k):
    k = min(k, len(x))
    clusters = mdav(x, k)
    np.testing.assert_array_equal(clusters, textbook(x, k))
    sizes = np.bincount(clusters)
    assert k <= sizes.min() and sizes.max() <= 2 * k - 1


def test_mdav_of_equal_points_takes_them_in_order():
    assert mdav(np.ones((50_000, 2)), 5).tolist() == [i // 5 for i in range(50_000)]


@pytest.mark.parametrize("k", [3, 5, 10])
def test_mdav_of_census_has_the_groups_and_the_loss_of_sdcmicro(k, reference):
    census = datasets.load("census")
    z = ((census - census.mean()) / census.std()).to_numpy()
    ours, theirs = mdav(z, k), reference("mdav_census_groups")[f"k{k}"]
    assert len(set(zip(ours, theirs, strict=True))) == len(set(ours)) == theirs.nunique()
    means = pd.DataFrame(z).groupby(ours).transform("mean").to_numpy()
    loss = 100 * ((z - means) ** 2).sum() / ((z - z.mean(axis=0)) ** 2).sum()
    assert loss == pytest.approx(
        reference("mdav_census_loss").set_index("k").loc[k, "sse_over_sst_pct"], rel=1e-12
    )
    assert round(loss, 4) == {3: 5.6922, 5: 9.0884, 10: 14.1559}[k]  # as in the literature
