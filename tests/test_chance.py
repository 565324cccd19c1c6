from fractions import Fraction
from itertools import permutations
from math import factorial

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rlpaper.linkage.chance import links_by_chance, links_by_chance_at_least, simulate_links


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
