import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rlpaper import datasets
from rlpaper.masking import rank_swap

columns = st.lists(st.integers(-1000, 1000), min_size=1, max_size=40)


@given(columns, st.floats(0, 100), st.integers(0, 100))
def test_keeps_the_distribution_and_the_rank_limit(values, p, seed):
    file = pd.DataFrame({"x": values})
    masked = rank_swap(file, p, seed)
    assert sorted(masked["x"]) == sorted(values)
    # A value that repeats has several ranks; the closest one counts.
    lowest, highest = file["x"].rank(method="min"), file["x"].rank(method="max")
    window = np.floor(p * len(values) / 100 + 1e-9)
    place = {value: (low, high) for value, low, high in zip(values, lowest, highest)}
    for before, after in zip(values, masked["x"]):
        apart = max(place[after][0] - place[before][1], place[before][0] - place[after][1])
        assert apart <= window


@given(columns, st.integers(0, 100))
def test_swapping_is_in_pairs(values, seed):
    distinct = sorted(set(values))
    masked = rank_swap(pd.DataFrame({"x": distinct}), 50, seed)["x"].to_numpy()
    where = {value: place for place, value in enumerate(distinct)}
    assert all(masked[where[new]] == old for old, new in zip(distinct, masked))


def test_same_seed_same_file_and_types():
    census = datasets.load("census")
    census.index = [f"person {i}" for i in range(len(census))]
    masked = rank_swap(census, 5, 7)
    pd.testing.assert_frame_equal(masked, rank_swap(census, 5, np.random.default_rng(7)))
    assert masked.index.equals(census.index) and (masked.dtypes == census.dtypes).all()
    assert not masked.equals(rank_swap(census, 5, 8))


def test_window_of_zero_changes_nothing():
    census = datasets.load("census")
    assert rank_swap(census, 0, 1).equals(census)


def test_a_percentage_that_floats_cannot_hold():
    file = pd.DataFrame({"x": np.arange(10_000)})
    moved = np.abs(rank_swap(file, 0.29, 3)["x"] - file["x"])
    assert moved.max() == 29


@pytest.mark.parametrize(("file", "message"), [
    (pd.DataFrame(), "the file is empty"),
    (pd.DataFrame({"name": ["a"]}), "column 'name' is not numeric"),
    (pd.DataFrame({"x": [1.0, None]}, index=["a", "b"]), "column 'x' is missing in record 'b'"),
])
def test_bad_files(file, message):
    with pytest.raises(ValueError, match=message):
        rank_swap(file, 5)


@pytest.mark.parametrize("p", [-1, 101, float("nan")])
def test_bad_percentage(p):
    with pytest.raises(ValueError, match="between 0 and 100"):
        rank_swap(pd.DataFrame({"x": [1]}), p)
