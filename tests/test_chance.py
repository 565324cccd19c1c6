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


@pytest.mark.parametrize(("n", "r"), [(0, 0), (5, 6), (5, -1)])
def test_bad_input(n, r):
    with pytest.raises(ValueError, match="between 0 and n"):
        links_by_chance(n, r)
    with pytest.raises(ValueError, match="between 0 and n"):
        links_by_chance_at_least(n, r)


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
