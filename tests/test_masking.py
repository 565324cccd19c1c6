import warnings
from dataclasses import FrozenInstanceError, fields

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, strategies as st

from rlpaper import datasets, examples
from rlpaper.masking import (
    METHODS,
    PRAM,
    BottomCode,
    CategoricalMasking,
    Method,
    Microaggregation,
    Noise,
    NumericMasking,
    RankSwap,
    RecodeRare,
    TopCode,
    add_noise,
    bottom_code,
    microaggregate,
    pram,
    rank_swap,
    recode_rare,
    top_code,
)
from rlpaper.masking.microaggregation import CLUSTERINGS, mdav, variable_groups

columns = st.lists(st.integers(-1000, 1000), min_size=1, max_size=40)

#: Each masking of numbers, and its short form with the seed 7.
MASKINGS = {
    "rank_swap": (RankSwap(5), lambda df: rank_swap(df, 5, 7)),
    "rank_swap around": (
        RankSwap(5, partners="around"),
        lambda df: rank_swap(df, 5, 7, partners="around"),
    ),
    "add_noise": (Noise(5), lambda df: add_noise(df, 5, 7)),
    **{
        method: (
            Microaggregation(5, method=method),
            lambda df, method=method: microaggregate(df, 5, method=method),
        )
        for method in CLUSTERINGS
    },
}
#: The same for categories.
CATEGORICAL = {
    "top_code": (TopCode(2), lambda df: top_code(df, 2)),
    "bottom_code": (BottomCode(1, "all"), lambda df: bottom_code(df, 1, "all")),
    "recode_rare": (RecodeRare(2, "existing"), lambda df: recode_rare(df, 2, "existing")),
    "pram": (PRAM(0.9), lambda df: pram(df, 0.9, 7)),
}


@pytest.fixture
def census():
    file = datasets.load("census")
    file.index = [f"person {i}" for i in range(len(file))]
    return file


@pytest.fixture
def survey():
    file = datasets.load("income_esl").head(300)
    file.index = [f"person {i}" for i in range(len(file))]
    return file


@pytest.mark.parametrize("name", [*MASKINGS, *CATEGORICAL])
def test_every_masking_returns_a_plain_frame_and_leaves_the_file_and_itself_alone(
    name, census, survey
):
    masking, short = (MASKINGS | CATEGORICAL)[name]
    file = census if name in MASKINGS else survey
    before, described, parameters = file.copy(), dict(file.attrs), repr(masking)
    masked = masking.mask(file, random_state=7)
    pd.testing.assert_frame_equal(file, before)
    assert described["variables"] and file.attrs == described and repr(masking) == parameters
    assert type(masked) is pd.DataFrame and not masked.equals(file)
    assert masked.index.equals(file.index) and masked.columns.equals(file.columns)
    # Source and names of variables describe the file; what was done stays with the owner.
    assert masked.attrs == {} and not any(masked[column].attrs for column in masked)
    pd.testing.assert_frame_equal(masking.mask(file, random_state=7), masked)
    pd.testing.assert_frame_equal(short(file), masked)


@pytest.mark.parametrize("name", [*MASKINGS, *CATEGORICAL])
def test_a_masking_is_its_parameters_and_cannot_be_changed(name):
    masking, _ = (MASKINGS | CATEGORICAL)[name]
    parameters = {field.name: getattr(masking, field.name) for field in fields(masking)}
    assert type(masking)(**parameters) == masking
    assert repr(masking).startswith(type(masking).__name__ + "(")
    with pytest.raises(FrozenInstanceError):
        setattr(masking, next(iter(parameters)), 1)


@pytest.mark.parametrize(
    "make",
    [
        lambda: RankSwap(101),
        lambda: RankSwap("10"),
        lambda: RankSwap(None),
        lambda: RankSwap(True),
        lambda: RankSwap([5, 10]),
        lambda: RankSwap(5, partners="below"),
        lambda: Microaggregation(3, method="magic"),
        lambda: Microaggregation(3, left_over="drop"),
        lambda: Microaggregation(3, groups=2, method="individual"),
        lambda: Microaggregation(3, standardise="by range"),
        lambda: Microaggregation(3, method=["mdav"]),
        lambda: PRAM(-0.1),
        lambda: PRAM("0.5"),
        lambda: PRAM(float("nan")),
        lambda: TopCode(-1),
        lambda: TopCode("1"),
        lambda: TopCode(float("inf")),
        lambda: TopCode(1, label=None),
        lambda: RecodeRare(1, label=["other"]),
        lambda: BottomCode(1, scope="some"),
        lambda: RecodeRare(1.5),
        lambda: RecodeRare(1, into="old"),
        lambda: RecodeRare(1, position="middle"),
    ],
)
def test_parameters_are_checked_before_there_is_a_file(make):
    with pytest.raises(ValueError, match=r" is .*; it |leave groups out"):
        make()


@pytest.mark.parametrize("make", [examples.household_survey, examples.adult])
def test_masked_examples_are_plain_frames_too(make):
    original, masked = make(200)
    assert masked.shape == original.shape and not masked.equals(original)
    assert original.attrs["source"] and masked.attrs == {}
    for records in (0, -5, 2.5, "all"):
        with pytest.raises(ValueError, match="records is .*; it is a whole number, 1 or more"):
            make(records)


# The list of methods.


def test_the_strengths_that_are_tried():
    assert {method.name: (method.strengths, method.pram) for method in METHODS} == {
        "microaggregation k": ((3, 5, 10, 25), (0.1, 0.3, 0.6, 1.0)),
        "rank swapping p": ((2, 5, 10, 25), (0.1, 0.3, 0.6, 1.0)),
        "noise p": ((5, 10, 25, 50), (0.1, 0.3, 0.6, 1.0)),
        "PRAM theta": ((0.2, 0.4, 0.6, 0.8, 1.0), ()),
        "rare categories p": ((1, 2, 3, 5), ()),
    }


@pytest.mark.parametrize("method", METHODS, ids=lambda method: method.name)
def test_every_strength_of_every_method_masks_a_file_even_a_short_one(method, census, survey):
    numbers = method.masks == "numbers"
    for file in (census, census.head(4)) if numbers else (survey, survey.head(4)):
        for strength in method.strengths:
            masking = method.make(strength, file)
            assert isinstance(masking, NumericMasking if numbers else CategoricalMasking)
            assert masking.mask(file, 1).shape == file.shape
    assert list(method.strengths) == sorted(method.strengths)


def test_methods_have_names_of_their_own_and_there_are_some_for_every_file():
    assert len({method.name for method in METHODS}) == len(METHODS)
    assert {method.masks for method in METHODS} == {"numbers", "categories"}


def test_a_method_that_would_not_be_tried_in_full_is_refused():
    def swap(p, df):
        return RankSwap(p)

    Method("swap p", swap, (1, 2), pram=(0.1, 0.2))
    with pytest.raises(ValueError, match="with 3 strengths and has 2 strengths of PRAM.*give 3"):
        Method("swap p", swap, (1, 2, 3), pram=(0.1, 0.2))
    with pytest.raises(ValueError, match="masks categories with 1 strengths and has 1.*give 0"):
        Method("merge p", lambda p, df: RecodeRare(p), (1,), masks="categories", pram=(0.5,))
    with pytest.raises(ValueError, match="masks is 'texts'; it is one of numbers, categories"):
        Method("swap p", swap, (1,), masks="texts")
    with pytest.raises(ValueError, match="make is of the type RankSwap; it is a function that"):
        Method("swap p", RankSwap(1), (1,), pram=(0.1,))
    with pytest.raises(ValueError, match="strengths is 3; give a list"):
        Method("swap p", swap, 3)


# Files.


@pytest.mark.parametrize("name", MASKINGS)
def test_real_dtypes_are_kept_and_whole_numbers_kept_where_the_method_makes_no_others(name, census):
    small = census.head(50).astype({"AGI": "float32", "TAXINC": "int32"})
    dtypes = MASKINGS[name][0].mask(small, 7).dtypes
    assert dtypes["AGI"] == "float32"
    assert dtypes["TAXINC"] == ("int32" if name.startswith("rank_swap") else "float64")


@pytest.mark.parametrize("name", MASKINGS)
@pytest.mark.parametrize(
    ("file", "message"),
    [
        (pd.DataFrame(), "the file is empty"),
        (pd.DataFrame({"x": []}), "the file is empty"),
        (pd.DataFrame({"name": ["a"]}), "column 'name' is not numeric"),
        (pd.DataFrame({"yes": [True]}), "column 'yes' is not numeric"),
        (
            pd.DataFrame({"x": [1.0, None]}, index=["a", "b"]),
            "column 'x' has a value that is missing in record 'b'",
        ),
        (pd.DataFrame({"x": [np.inf, 1.0]}), "column 'x' has a value that is infinite in record 0"),
        (pd.DataFrame([[1, 2]], columns=["x", "x"]), "two columns 'x'"),
        (pd.DataFrame({"x": pd.array([1, None], "Int64")}), "column 'x' has a value.*record 1"),
        (None, "the file is None; give a pandas DataFrame"),
        ([[1.0], [2.0]], "the file is of the type list; give a pandas DataFrame"),
    ],
)
def test_bad_files(name, file, message):
    with pytest.raises(ValueError, match=message):
        MASKINGS[name][0].mask(file)


@pytest.mark.parametrize("name", [*MASKINGS, *CATEGORICAL])
@pytest.mark.parametrize("seed", ["7", -1, 1.5, [1, 2]])
def test_bad_seeds(name, seed, survey):
    with pytest.raises(ValueError, match="random_state is .*; it is a whole number, 0 or more"):
        (MASKINGS | CATEGORICAL)[name][0].mask(survey, seed)


#: Methods with a parameter that suits a file of a single record.
SMALL = {
    "rank_swap": RankSwap(50),
    "around": RankSwap(100, partners="around"),
    "noise": Noise(10),
    **{method: Microaggregation(1, method=method) for method in CLUSTERINGS},
    **{f"{method} of 2": Microaggregation(2, method=method) for method in CLUSTERINGS},
    "mdav as it is": Microaggregation(2, standardise=False),
    "pca as it is": Microaggregation(2, method="pca", standardise=False),
}
WIDE = np.random.default_rng(1).normal(size=(12, 6))
FIXED = np.arange(6.0)
FIXED.flags.writeable = False
#: Files that are odd and legal.
ODD = {
    "one record": [1.5],
    "two equal records": [2.0, 2.0],
    "constant": np.full(7, 0.1),
    "read-only": FIXED,
    "strided": WIDE[::2, 1],
    "half precision": np.array([65000, 64000, 63000, 1, 2, 3], np.float16),
    "small integers": np.array([-128, 127, 0, 1], np.int8),
    "integers beyond floats": np.array([2**64 - 1, 2**64 - 2, 0], np.uint64),
    "long doubles": np.arange(5).astype(np.longdouble) / 3,
    "nullable": pd.array([1, 2, 3], "Int64"),
    "nullable floats": pd.array([1.5, 2, 3], "Float64"),
    "sparse": pd.array([0.0, 2, 3], pd.SparseDtype(float)),
    "subnormal": np.arange(5) * 5e-324,
    "of all sizes": 10.0 ** np.arange(-300, 300, 40),
    "zeros of both signs": np.array([0.0, -0.0, 0.0]),
}


@pytest.mark.parametrize("odd", ODD)
def test_files_that_are_odd_and_legal_are_masked_without_a_warning(odd):
    values = pd.Series(ODD[odd])
    file = pd.DataFrame({("a", 1): values, 3: values[::-1].array})
    file.columns = pd.Index([("a", 1), 3], tupleize_cols=False)
    file.index = ["same"] * len(file)  # labels that say nothing
    for masking in SMALL.values():
        if len(file) < getattr(masking, "k", 1):
            continue
        with warnings.catch_warnings():
            warnings.simplefilter("error", RuntimeWarning)
            masked = masking.mask(file, 1)
        assert masked.index.equals(file.index) and masked.columns.equals(file.columns)
        assert np.isfinite(masked.to_numpy(float)).all()


@pytest.mark.parametrize("name", SMALL)
@pytest.mark.parametrize("power", [-900, 1000])
def test_numbers_of_any_size_are_masked_as_ordinary_ones(name, power):
    file = pd.DataFrame(np.random.default_rng(2).normal(100, 30, (40, 3)), columns=list("abc"))
    file["d"] = -(file["a"] ** 2)
    other = SMALL[name].mask(file * 2.0**power, 1)
    assert other.equals(SMALL[name].mask(file, 1) * 2.0**power)


# Rank swapping.


@given(columns, st.floats(0, 100), st.integers(0, 100), st.sampled_from(["above", "around"]))
def test_keeps_the_distribution_and_the_rank_limit(values, p, seed, partners):
    file = pd.DataFrame({"x": values})
    masked = rank_swap(file, p, seed, partners)
    assert sorted(masked["x"]) == sorted(values)
    # A value that repeats has several ranks; the closest one counts.
    lowest, highest = file["x"].rank(method="min"), file["x"].rank(method="max")
    window = np.floor(p * len(values) / 100 + 1e-9)
    ranks = {value: (low, high) for value, low, high in zip(values, lowest, highest, strict=True)}
    for before, after in zip(values, masked["x"], strict=True):
        apart = max(ranks[after][0] - ranks[before][1], ranks[before][0] - ranks[after][1])
        assert apart <= window


@given(columns, st.integers(0, 100), st.sampled_from(["above", "around"]))
def test_swapping_is_in_pairs_and_leaves_nobody_who_has_a_free_partner(values, seed, partners):
    distinct = sorted(set(values))
    masked = rank_swap(pd.DataFrame({"x": distinct}), 50, seed, partners)["x"].to_numpy()
    where = {value: i for i, value in enumerate(distinct)}
    assert all(masked[where[new]] == old for old, new in zip(distinct, masked, strict=True))
    stayed = np.flatnonzero(masked == distinct)
    assert (np.diff(stayed) > len(distinct) // 2).all()


def test_partners_are_drawn_uniformly():
    # The lowest of five with a window of four: each of the others in a quarter of the draws.
    partner = [rank_swap(pd.DataFrame({"x": range(5)}), 80, seed)["x"][0] for seed in range(2000)]
    counts = np.bincount(partner, minlength=5)
    assert counts[0] == 0 and (np.abs(counts[1:] - 500) < 5 * np.sqrt(2000 * 0.25 * 0.75)).all()


def test_same_seed_same_file():
    census = datasets.load("census")
    pd.testing.assert_frame_equal(
        rank_swap(census, 5, 7), rank_swap(census, 5, np.random.default_rng(7))
    )
    assert not rank_swap(census, 5, 7).equals(rank_swap(census, 5, 8))


def test_window_of_zero_changes_nothing():
    census = datasets.load("census")
    assert rank_swap(census, 0, 1).equals(census)


def test_a_percentage_that_floats_cannot_hold():
    file = pd.DataFrame({"x": np.arange(10_000)})
    moved = np.abs(rank_swap(file, 0.29, 3)["x"] - file["x"])
    assert moved.max() == 29


@pytest.mark.parametrize("p", [-1, 101, float("nan")])
def test_bad_percentage(p):
    with pytest.raises(ValueError, match="between 0 and 100"):
        rank_swap(pd.DataFrame({"x": [1]}), p)


# Noise.


def test_noise_has_the_stated_deviation_in_every_variable():
    file = pd.DataFrame(
        {"x": np.arange(50_000.0), "y": 1e6 * np.sin(np.arange(50_000)), "still": 3.0}
    )
    for p in (10, [10, 20, 5], {"still": 5, "y": 20, "x": 10}):
        noise = add_noise(file, p, 1) - file
        percents = [10, 10, 10] if p == 10 else [10, 20, 5]
        for column, percent in zip(("x", "y"), percents[:2], strict=True):
            assert noise[column].std() == pytest.approx(
                percent / 100 * file[column].std(), rel=0.02
            )
            assert abs(noise[column].mean()) < 4 * noise[column].std() / np.sqrt(len(file))
        assert (noise["still"] == 0).all()


def test_noise_of_one_variable_does_not_depend_on_that_of_others():
    census = datasets.load("census").iloc[:, :3]
    assert add_noise(census, [1, 2, 3], 5)["EMCONTRB"].equals(
        add_noise(census, [9, 0, 3], 5)["EMCONTRB"]
    )


def test_noise_of_zero_percent_or_of_one_record_changes_nothing():
    file = pd.DataFrame({"x": [1.5, 2.5]})
    assert add_noise(file, 0, 1).equals(file)
    assert add_noise(file.head(1), 50, 1).equals(file.head(1))


@pytest.mark.parametrize(
    ("p", "message"),
    [
        (-1, "0 or more"),
        (float("nan"), "0 or more"),
        ([1, 2], "2 values for 1 columns"),
        ({"y": 1}, "give one value for each"),
        ({}, r"p names \[\], the file has \['x'\]; give one value for each column"),
        ({"x": None}, "p of column 'x' is None; it is a percentage of the standard deviation"),
        ({"x": "5"}, "p of column 'x' is '5'"),
        ("5", "p of column 'x' is '5'"),
        (np.inf, "p of column 'x' is inf"),
        ([[5]], "p of column 'x' is of the type list"),
        ({5}, "p is of the type set; give a list"),
    ],
)
def test_bad_noise(p, message):
    with pytest.raises(ValueError, match=message):
        add_noise(pd.DataFrame({"x": [1.0, 2.0]}), p)


def test_noise_that_would_make_a_number_infinite_is_refused():
    file = pd.DataFrame({"x": [1.0, 2.0], "y": [1.7e308, -1.7e308]}, index=["a", "b"])
    with pytest.raises(
        ValueError, match="column 'y' has a value that is too large.*in record '.'; divide the col"
    ):
        add_noise(file, 500, 1)


def test_noise_on_numbers_of_half_precision_may_leave_its_range():
    file = pd.DataFrame({"x": np.array([65000, -65000] * 20, np.float16)})
    masked = add_noise(file, 50, 1)["x"]
    assert masked.dtype == float and masked.abs().max() > np.finfo(np.float16).max


# Microaggregation.


@given(
    st.lists(st.tuples(*[st.floats(-1e6, 1e6)] * 3), min_size=1, max_size=40),
    st.integers(1, 15),
    st.sampled_from(CLUSTERINGS),
    st.booleans(),
)
def test_clusters_have_k_to_2k_less_1_records_and_means_are_kept(rows, k, method, standardise):
    file = pd.DataFrame(rows, columns=list("xyz"))
    k = min(k, len(file))
    masked = microaggregate(file, k, method=method, standardise=standardise)
    np.testing.assert_allclose(masked.mean(), file.mean(), rtol=1e-9, atol=1e-6)
    if method == "individual":
        for column in file:
            assert masked[column].value_counts().min() >= k
    else:
        assert masked.value_counts().min() >= k
    # No value leaves the range of its variable, but for rounding.
    assert (masked <= file.max() + 1e-9).all(axis=None) and (masked >= file.min() - 1e-9).all(
        axis=None
    )


@pytest.mark.parametrize("method", CLUSTERINGS)
def test_cluster_sizes_on_census(method):
    census = datasets.load("census")
    for k in (2, 7, 20):
        masked = microaggregate(census, k, method=method)
        sizes = (
            masked.value_counts() if method != "individual" else masked["AFNLWGT"].value_counts()
        )
        assert k <= sizes.min() and sizes.max() <= 2 * k - 1


@pytest.mark.parametrize("method", CLUSTERINGS)
def test_k_1_changes_nothing_and_k_n_leaves_one_record(method):
    file = datasets.load("census").iloc[:30, :3]
    assert microaggregate(file, 1, method=method).equals(file.astype(float))
    whole = microaggregate(file, 30, method=method)
    assert len(whole.drop_duplicates()) == 1
    np.testing.assert_allclose(whole.iloc[0], file.mean())


def test_individual_ranking_by_hand():
    # Sorted 1 2 3 | 4 5 9 10: seven values, k = 3, so the last run takes the one left over.
    masked = microaggregate(pd.DataFrame({"x": [10, 1, 5, 2, 9, 3, 4]}), 3, method="individual")
    assert masked["x"].tolist() == [7, 2, 7, 2, 7, 2, 7]


def test_the_first_component_is_that_of_differences_from_the_mean(census):
    file, away = census.head(60), 10 * census.to_numpy().max()
    near, far = (
        microaggregate(some, 3, method="pca", standardise=False) for some in (file, file + away)
    )
    np.testing.assert_allclose(far - away, near, atol=1e-6)


def test_projections_by_hand():
    # z-scores -1 1 -1 1 and -1.03 -0.97 0.97 1.03: their sums order the records 0, 2, 1, 3.
    file = pd.DataFrame({"x": [0.0, 1.0, 0.0, 1.0], "y": [0.0, 1.0, 30.0, 31.0]})
    assert microaggregate(file, 2, method="zscores")["y"].tolist() == [15, 16, 15, 16]
    # The first component of raw values is y, whatever the sign of the eigenvector.
    assert microaggregate(file, 2, method="pca", standardise=False)["y"].tolist() == [
        0.5,
        0.5,
        30.5,
        30.5,
    ]


def test_groups_of_variables_are_clustered_apart_each_with_its_k():
    census = datasets.load("census")
    masked = microaggregate(census, [2, 8, 5], groups=[5, 5, 3])
    groups = census.columns[:5], census.columns[5:10], census.columns[10:]
    for k, names in zip((2, 8, 5), groups, strict=True):
        alone = microaggregate(census[names], k)
        pd.testing.assert_frame_equal(masked[names], alone)
        assert k <= alone.value_counts().min()
    for left_over, last in (("own", ["ERNVAL"]), ("join", ["FICA", "WSALVAL", "ERNVAL"])):
        assert variable_groups(census.columns, 2, left_over)[-1] == last
        masked = microaggregate(census, 3, groups=2, left_over=left_over)
        pd.testing.assert_frame_equal(masked[last], microaggregate(census[last], 3))
    some = microaggregate(census, 3, groups=[["AGI", "FICA"]])
    assert some.drop(columns=["AGI", "FICA"]).equals(census.drop(columns=["AGI", "FICA"]))
    pd.testing.assert_frame_equal(some[["AGI", "FICA"]], microaggregate(census[["AGI", "FICA"]], 3))


def test_named_groups_may_differ_in_size():
    census = datasets.load("census")
    masked = microaggregate(census, [3, 5], groups=[["AGI", "FICA"], ["TAXINC"]])
    pd.testing.assert_frame_equal(
        masked[["AGI", "FICA"]], microaggregate(census[["AGI", "FICA"]], 3)
    )
    pd.testing.assert_frame_equal(masked[["TAXINC"]], microaggregate(census[["TAXINC"]], 5))


def test_scale_of_a_variable_does_not_matter_when_standardised():
    census = datasets.load("census").iloc[:200, :4].astype(float)
    scaled = census * [1, 1024, 1, 1]  # a power of two: no rounding
    np.testing.assert_array_equal(
        microaggregate(scaled, 5), microaggregate(census, 5) * [1, 1024, 1, 1]
    )
    raw = microaggregate(scaled, 5, standardise=False) / [1, 1024, 1, 1]
    assert not np.allclose(raw, microaggregate(census, 5, standardise=False))


def test_constant_columns_and_duplicates_stay_as_they_are():
    file = pd.DataFrame({"x": [0.1] * 6, "y": [0.7, 0.7, 0.7, 5.3, 5.3, 5.3]})
    for method in CLUSTERINGS:
        assert microaggregate(file, 3, method=method).equals(file)


@pytest.mark.parametrize("standardise", [True, False])
@pytest.mark.parametrize("method", CLUSTERINGS)
def test_means_of_the_largest_numbers_are_finite(method, standardise):
    largest = np.finfo(float).max
    file = pd.DataFrame({"x": [largest, -largest, 1e308, -1e308, largest, -largest]})
    masked = microaggregate(file, 3, method=method, standardise=standardise)["x"]
    high = largest / 3 * 2 + 1e308 / 3
    np.testing.assert_allclose(masked, [high, -high] * 3, rtol=1e-15)
    whole = microaggregate(file, 6, method=method, standardise=standardise)["x"]
    assert (whole.abs() < 1e293).all()


@pytest.mark.parametrize("method", CLUSTERINGS)
def test_small_numbers_beside_the_largest_keep_their_digits(method):
    file = pd.DataFrame({"x": [1e308] * 3 + [1 / 3] * 3 + [1e-300] * 3})
    if method == "individual":
        assert microaggregate(file, 3, method=method).equals(file)
    else:  # to these methods the small ones are all alike
        assert microaggregate(file, 3, method=method)["x"].tolist()[:3] == [1e308] * 3


@pytest.mark.parametrize(
    ("points", "k", "message"),
    [
        ([[1.0], [np.nan], [2.0]], 1, "column 0 of the points file has a value.*in record 1"),
        ([[1.0, np.inf], [1.0, 2.0]], 1, "column 1 of the points file.*missing or infinite"),
        ([["a"], ["b"]], 1, "column 0 of the points file is not numeric"),
        ([1.0, 2.0], 1, "an item of points, which has records in rows, is 1.0; give a list"),
        ([[1.0], [1.0, 2.0]], 1, "points has rows of different lengths"),
        (np.empty((0, 2)), 1, "the file of points is empty"),
        (np.empty((3, 0)), 1, "the file of points is empty"),
        (np.array(3.0), 1, "points is of the type ndarray; give a list"),
        ([[1.0], [2.0]], 0, "k is 0; it is a whole number between 1 and the number of records, 2"),
        ([[1.0], [2.0]], 3, "k is 3"),
        ([[1.0], [2.0]], None, "k is None"),
    ],
)
def test_points_that_cannot_be_clustered(points, k, message):
    with pytest.raises(ValueError, match=message):
        mdav(points, k)


@pytest.mark.parametrize("power", [-1000, 1015])
def test_points_of_any_size_are_clustered_alike(power):
    points = np.random.default_rng(3).normal(size=(50, 3)) * [1, 10, 100]
    assert mdav(points * 2.0**power, 4).tolist() == mdav(points, 4).tolist()
    assert mdav(points[::-1], np.int64(4)).tolist() == mdav(points[::-1].tolist(), 4.0).tolist()


def test_sums_beyond_the_range_of_integers():
    big = np.iinfo(np.int64).max
    masked = microaggregate(pd.DataFrame({"x": [big, big, big - 2**20, 1, 2, 3]}), 3)
    assert masked["x"].tolist() == [pytest.approx(float(big))] * 3 + [2.0] * 3


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"k": 0}, "between 1 and the number of records, 4"),
        ({"k": 5}, "k is 5; it is a whole number between 1 and the number of records, 4"),
        ({"k": 2.5}, "whole number"),
        ({"k": [2, 2]}, "2 values for 1 groups"),
        ({"k": "2"}, "k is '2'; it is a whole number"),
        ({"k": None}, "k is None; it is a whole number"),
        ({"k": float("nan")}, "k is nan; it is a whole number"),
        ({"k": [2, None], "groups": [["x"], ["y"]]}, "k is None; it is a whole number"),
        ({"k": {"x": 2}}, "k is of the type dict; give a list"),
        ({"k": 2, "groups": 4}, "groups is 4; it is a number of variables, 1 to.*columns, 3; or"),
        ({"k": 2, "groups": float("nan")}, "groups is nan; it is a number of variables"),
        ({"k": 2, "groups": "xy"}, "groups is 'xy'; it is a number of variables"),
        ({"k": 2, "groups": {"x": 1}}, "groups is of the type dict; give a list"),
        ({"k": 2, "groups": []}, "do not add up to the 3 columns"),
        ({"k": 2, "groups": [1.5, 1.5]}, "a size in groups is 1.5; it is a number of variables"),
        ({"k": 2, "groups": [["x"], []]}, "groups has one without a column"),
        ({"k": 2, "groups": [["x"], "y"]}, "a group of columns in groups is 'y'; give a list"),
        ({"k": 2, "groups": [[["x"]]]}, "which is not a column"),
        ({"k": 2, "groups": [1, 1]}, "do not add up to the 3 columns"),
        ({"k": 2, "groups": [["x", "w"]]}, "not a column"),
        ({"k": 2, "groups": [["x"], ["x"]]}, "twice"),
        ({"k": 2, "groups": ["x", "y"]}, "as a list of column names"),
        ({"k": 2, "method": "magic"}, "one of mdav"),
        ({"k": 2, "method": "individual", "groups": 2}, "leave groups out"),
        ({"k": 2, "left_over": "drop"}, "left_over is 'drop'; it is one of own, join"),
    ],
)
def test_bad_options(options, message):
    file = pd.DataFrame({"x": [1, 2, 3, 4], "y": [4, 3, 2, 1], "z": [1, 1, 2, 2]})
    with pytest.raises(ValueError, match=message):
        microaggregate(file, **options)
