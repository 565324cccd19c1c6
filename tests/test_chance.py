from fractions import Fraction
from itertools import permutations
from math import factorial

import numpy as np
import pytest
from hypothesis import given, strategies as st

from rlpaper.linkage.chance import (
    links_by_chance,
    links_by_chance_at_least,
    links_by_permutation,
    simulate_links,
)


def test_equals_counting_all_permutations_of_six():
    fixed = [sum(i == x for i, x in enumerate(order)) for order in permutations(range(6))]
    for r in range(7):
        assert links_by_chance(6, r) == Fraction(fixed.count(r), len(fixed))


@given(st.integers(1, 60), st.data())
def test_equals_proposition_4(n, data):
    r = data.draw(st.integers(0, n))
    printed = sum(Fraction((-1) ** v, factorial(v)) for v in range(n - r + 1)) / factorial(r)
    assert links_by_chance(n, r) == printed


@given(st.integers(1, 60))
def test_is_a_distribution_with_mean_one(n):
    chances = [links_by_chance(n, r) for r in range(n + 1)]
    assert sum(chances) == 1
    assert sum(r * chance for r, chance in enumerate(chances)) == 1
    assert links_by_chance_at_least(n, n) == chances[n] == Fraction(1, factorial(n))


def test_simulation_agrees_within_five_standard_errors():
    links = simulate_links(100, 20_000, 1)
    for r in range(5):
        exact = float(links_by_chance(100, r))
        assert abs(np.mean(links == r) - exact) < 5 * np.sqrt(exact * (1 - exact) / 20_000)


@pytest.mark.parametrize(
    ("n", "r", "message"),
    [
        (5, 6, "r is 6; it is a whole number of the n = 5 records, between 0 and n"),
        (5, -1, "r is -1; it is a whole number of the n = 5 records, between 0 and n"),
        (5, 1.5, "r is 1.5; it is a whole number"),
        (5, "1", "r is '1'; it is a whole number"),
        (5, True, "r is True; it is a whole number"),
        (5, None, "r is None; it is a whole number"),
        (0, 0, "n is 0; it is a whole number of records, 1 to 100,000"),
        (2.5, 1, "n is 2.5; it is a whole number of records"),
        (np.nan, 1, "n is nan; it is a whole number of records"),
        (10**30, 1, "n is 1000000000000000000000000000000; it is a whole number of records"),
    ],
)
def test_bad_input(n, r, message):
    for function in (links_by_chance, links_by_chance_at_least):
        with pytest.raises(ValueError, match=message):
            function(n, r)


@pytest.mark.parametrize("kind", [float, np.int8, np.float64])
def test_whole_numbers_of_any_type_are_numbers_of_records(kind):
    assert links_by_chance(kind(6), kind(2)) == links_by_chance(6, 2)
    assert links_by_chance_at_least(kind(6), kind(2)) == links_by_chance_at_least(6, 2)
    assert links_by_permutation([1, 1], kind(6), kind(1)) == links_by_permutation([1, 1], 6, 1)
    np.testing.assert_array_equal(
        simulate_links(kind(6), kind(4), kind(1)), simulate_links(6, 4, 1)
    )


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((5, 0, 1), "times is 0; it is a whole number, 1 or more"),
        (
            (5, 10**12, 1),
            "so many linkages of 5 records do not fit in memory, draw at most 8000000",
        ),
        ((0.5, 1, 1), "n is 0.5; it is a whole number of records"),
        ((5, 1, "x"), "random_state is 'x'; it is a whole number"),
    ],
)
def test_bad_simulations(arguments, message):
    with pytest.raises(ValueError, match=message):
        simulate_links(*arguments)


@pytest.mark.parametrize(
    ("links", "candidates", "r", "message"),
    [
        ("aab", 3, 1, "links is 'aab'; give a list"),
        (None, 3, 1, "links is None; give a list"),
        ([[1], [2]], 3, 1, "links has of the type list, which is no label of a record"),
        ([1, 2], "3", 1, "candidates is '3'; it is a whole number"),
        ([1, 2], 10**30, 1, "candidates is 1000000000000000000000000000000; it is a whole number"),
        ([1, 2], 3, -1, "r is -1; it is a whole number of records, 0 or more"),
    ],
)
def test_bad_permutations(links, candidates, r, message):
    with pytest.raises(ValueError, match=message):
        links_by_permutation(links, candidates, r)


def test_a_record_that_is_linked_to_nobody_is_no_link():
    assert links_by_permutation(["a", None, "a"], 3, 1) == links_by_permutation(["a", "a"], 3, 1)


@given(st.integers(1, 6), st.data())
def test_the_permutation_test_counts_all_permutations(candidates, data):
    links = data.draw(st.lists(st.integers(0, candidates - 1), min_size=1, max_size=candidates))
    for r in range(len(links) + 2):
        truths = list(permutations(range(candidates), len(links)))
        reached = sum(
            sum(a == b for a, b in zip(links, truth, strict=True)) >= r for truth in truths
        )
        assert links_by_permutation(links, candidates, r) == Fraction(reached, len(truths))


@given(st.integers(1, 40), st.data())
def test_one_link_a_candidate_is_proposition_4(n, data):
    r = data.draw(st.integers(0, n))
    assert links_by_permutation(range(n), n, r) == links_by_chance_at_least(n, r)


def test_more_records_than_candidates_cannot_be():
    with pytest.raises(ValueError, match="3 records and 2 candidates"):
        links_by_permutation([0, 1, 1], 2, 1)
