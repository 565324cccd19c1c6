"""Compiled searches through all pairs against tables of distances."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, strategies as st

from rlpaper import datasets
from rlpaper._internal import exhaustive
from rlpaper.distances import AgreementPattern, PreparedFiles, SumOverColumns, dbrl1, mixed
from rlpaper.learning import WeightedMean
from rlpaper.linkage import _search
from rlpaper.linkage.assignment import link_one_to_one
from rlpaper.linkage.comparisons import exact, same_bin
from rlpaper.linkage.fellegi_sunter import FellegiSunter
from rlpaper.linkage.nearest import DIRECTIONS, link, tabled
from rlpaper.linkage.true_ranks import ranks
from rlpaper.masking import pram, rank_swap


def arrays(draw, columns):
    """Few different numbers, so that there are ties and equal records."""
    rows = st.lists(
        st.lists(st.integers(0, 3), min_size=columns, max_size=columns), min_size=1, max_size=12
    )
    return (np.array(draw(rows), float) * draw(st.sampled_from([1, 1 / 3, 0.1])) for _ in range(2))


@st.composite
def by_columns(draw):
    kinds = draw(
        st.lists(st.sampled_from(list(exhaustive.COMPARISON_CODES)), min_size=1, max_size=4)
    )
    factors = draw(
        st.lists(st.sampled_from([0, 1, 2, 1 / 3, 0.7]), min_size=len(kinds), max_size=len(kinds))
    )
    return *arrays(draw, len(kinds)), SumOverColumns(
        kinds, factors, draw(st.sampled_from([1, 3, 7])), draw(st.sampled_from([0, 1e-12, 0.25]))
    )


@st.composite
def by_patterns(draw):
    columns = draw(st.integers(1, 4))
    value = st.one_of(st.floats(-3, 3), st.just(np.inf))
    values = draw(st.lists(value, min_size=1 << columns, max_size=1 << columns))
    a, b = arrays(draw, columns)
    a[a == 3], b[b == 3] = np.inf, np.inf  # missing
    return a, b, AgreementPattern(np.array(values))


@given(st.one_of(by_columns(), by_patterns()))
def test_a_scan_finds_what_the_table_has(case):
    a, b, matrix = case
    partner = np.arange(len(a)) % len(b)
    found = _search.nearest_two(a, b, matrix, partner)
    table = _search.nearest_two(
        a, b, lambda x, y: matrix(x, y), partner
    )  # a plain function, so no scan
    for one, other in zip(found, table, strict=True):
        np.testing.assert_array_equal(one, other)


@given(st.one_of(by_columns(), by_patterns()))
def test_paired_distances_are_those_of_the_table(case):
    a, b, matrix = case
    n = min(len(a), len(b))
    np.testing.assert_array_equal(
        matrix.paired(a[:n], b[:n]), matrix(a, b)[np.arange(n), np.arange(n)]
    )


@pytest.fixture(scope="module")
def persons():
    adult = datasets.load("adult")[
        ["age", "hours-per-week", "sex", "race", "education", "relationship"]
    ].head(700)
    numbers, categories = ["age", "hours-per-week"], ["sex", "race", "education", "relationship"]
    masked = pd.concat([rank_swap(adult[numbers], 10, 1), pram(adult[categories], 0.6, 1)], axis=1)
    return adult, masked[adult.columns]


def as_tables(distance):
    """The same distance in a form that linkage does not recognise."""

    def prepare(original, masked):
        compared = distance(original, masked)
        return PreparedFiles(
            compared.original,
            compared.masked,
            lambda a, b: compared.distances(a, b),
            compared.squared,
        )

    return prepare


@pytest.mark.parametrize("direction", DIRECTIONS)
@pytest.mark.parametrize("name", ["mixed", "learned", "probabilistic", "one column"])
def test_files_are_linked_as_by_tables(name, direction, persons):
    original, masked = persons
    if name == "one column":
        original, masked = original[["sex"]], masked[["sex"]]
    if name == "learned":
        learned = WeightedMean().with_parameters(original, masked, [5, 3, 1, 1, 2, 1])
        distance = learned.distance
    elif name == "probabilistic":
        comparisons = {
            column: same_bin() if column in ("age", "hours-per-week") else exact()
            for column in original
        }
        distance = FellegiSunter(comparisons, u="pairs").fit(original, masked).distance
    else:
        distance = mixed()
    fast, slow = (
        link(original, masked, distance, direction),
        link(original, masked, as_tables(distance), direction),
    )
    pd.testing.assert_frame_equal(fast, slow, check_exact=True)
    assert (fast["ties"] > 1).any()


def test_the_index_of_a_pattern_is_that_of_its_pairs(persons):
    original, masked = persons
    comparisons = {
        column: same_bin() if column in ("age", "hours-per-week") else exact()
        for column in original
    }
    model = FellegiSunter(comparisons, u="pairs").fit(original, masked)
    a, b, index = model._compared(original.head(50), masked.head(50))
    compared = model.distance(original.head(50), masked.head(50))
    assert isinstance(compared.distances, AgreementPattern)
    np.testing.assert_array_equal(compared.distances(a, b), -index(a[:, None], b[None, :]))


def test_distances_that_a_tree_searches_are_left_to_it(persons):
    original, masked = (file[["age", "hours-per-week"]] for file in persons)
    by_tree = link(original, masked, dbrl1())
    by_table = link(original, masked, as_tables(dbrl1()))
    pd.testing.assert_frame_equal(by_tree, by_table, check_exact=True)


def test_the_compiled_partial_index_is_that_of_numpy():
    rng = np.random.default_rng(1)
    original, masked = (
        pd.DataFrame(rng.normal(size=(40, 3)).round(1), columns=list("abc")) for _ in range(2)
    )
    original.loc[0, "a"] = np.nan
    for probability_floor in (None, 1e-6):
        model = FellegiSunter(same_bin(), prorate=True, probability_floor=probability_floor).fit(
            original, masked
        )
        a, b, index = model._compared(original, masked)
        np.testing.assert_array_equal(
            model.distance(original, masked).distances(a, b), -index(a[:, None], b[None, :])
        )


@pytest.mark.parametrize("direction", DIRECTIONS)
def test_a_table_of_different_records_links_as_the_distance_itself(direction, persons):
    original, masked = (file.head(200) for file in persons)
    distance = tabled(mixed(), original, masked)
    pd.testing.assert_frame_equal(
        link(original, masked, distance, direction), link(original, masked, mixed(), direction)
    )
    pd.testing.assert_frame_equal(
        ranks(original, masked, distance, direction), ranks(original, masked, mixed(), direction)
    )
    np.testing.assert_array_equal(
        link_one_to_one(original, masked, distance), link_one_to_one(original, masked, mixed())
    )


def test_a_table_of_different_records_gives_any_rows_in_any_order(persons):
    original, masked = (file.head(50) for file in persons)
    compared = tabled(mixed(), original, masked)(original, masked)
    x, y = compared.original, compared.masked
    whole = compared.distances(x, y)
    order = np.random.default_rng(1).permutation(50)
    np.testing.assert_array_equal(compared.distances(x, y[order]), whole[:, order])
    np.testing.assert_array_equal(compared.distances(x[order], y), whole[order])
    np.testing.assert_array_equal(compared.distances(y, x[order]), whole.T[:, order])
