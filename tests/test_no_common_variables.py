import numpy as np
import pandas as pd
import pytest
from hypothesis import given, strategies as st
from hypothesis.extra.numpy import arrays

from rlpaper import datasets
from rlpaper.aggregation import QUANTIFIERS, choquet, power_quantifier
from rlpaper.linkage.no_common_variables import (
    link_without_common,
    representatives,
    symmetric_operators,
)
from rlpaper.papers.torra2008 import example, runs

frames = arrays(
    float, st.tuples(st.integers(2, 6), st.integers(1, 5)), elements=st.integers(-50, 50).map(float)
).map(lambda values: pd.DataFrame(values, columns=[f"v{i}" for i in range(values.shape[1])]))


@given(
    frames,
    st.sampled_from(["choquet", "sugeno"]),
    st.sampled_from(list(QUANTIFIERS)),
    st.sampled_from(["standard", "range", None]),
    st.randoms(use_true_random=False),
)
def test_representatives_do_not_depend_on_the_order_of_attributes_or_records(
    file, integral, family, normalise, random
):
    columns = list(file.columns)
    random.shuffle(columns)
    operators = symmetric_operators(integral, family)
    here = representatives(file, operators, normalise)
    there = representatives(file.iloc[::-1][columns], operators, normalise)
    pd.testing.assert_frame_equal(there.iloc[::-1], here, check_exact=False, atol=1e-9)


@given(frames)
def test_ranging_is_zero_to_one_and_standardising_has_mean_0_and_variance_1(file):
    varies = file.nunique() > 1
    mean = {"mean": lambda values, missing: values[:, 0]}
    for name in file:
        ranged, standard = (
            representatives(file[[name]], mean, normalise)["mean"]
            for normalise in ("range", "standard")
        )
        if varies[name]:
            assert ranged.min() == 0 and ranged.max() == 1
            assert standard.mean() == pytest.approx(0, abs=1e-9) and standard.std(
                ddof=0
            ) == pytest.approx(1)
        else:
            assert (ranged == 0).all() and (standard == 0).all()


def test_missing_values_are_zero_after_normalisation_or_left_out():
    file = pd.DataFrame({"x": [0.0, 10.0, 5.0], "y": [2.0, np.nan, 4.0]})
    mean = symmetric_operators("choquet", "Qe", [1])
    assert representatives(file, mean, "range")["Qe 1"].tolist() == [0, 0.5, 0.75]
    assert representatives(file, mean, "range", missing="project")["Qe 1"].tolist() == [0, 1, 0.75]
    with pytest.raises(ValueError, match="column 'y' has a value that is missing in record 1"):
        representatives(file, mean, missing="refuse")
    with pytest.raises(ValueError, match="record 'b' has no value at all; drop it"):
        representatives(pd.DataFrame({"x": [1, np.nan]}, index=["a", "b"]), mean, missing="project")


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("normalise", ["standard", "range"])
@pytest.mark.parametrize("size", [2.0**1020, 2.0**-1060])
def test_columns_of_any_size_are_normalised(normalise, size):
    file = pd.DataFrame({"x": [1.0, -7.0, 2.0, np.nan], "y": [3.0, 4.0, np.nan, 5.0]})
    pd.testing.assert_frame_equal(
        representatives(file * size, None, normalise), representatives(file, None, normalise)
    )


def test_the_worked_example_is_linked_without_an_error():
    a, b = example.example_files()
    for family in QUANTIFIERS:
        links = link_without_common(a, b, symmetric_operators("choquet", family), normalise=None)
        assert (links["nearest"] == links.index).all()


def test_files_of_different_size_are_linked_both_ways():
    a, b = runs.files("census")
    a, few = a.iloc[:200], b.iloc[50:80]
    to_a = link_without_common(a, few)
    assert len(to_a) == 30 and to_a["correct"].between(0, 1).all()
    back = link_without_common(a, few, direction="original_to_masked")
    assert len(back) == 200 and back["correct"].iloc[:50].sum() == 0  # not in the smaller file


def test_blocking_compares_within_blocks_and_is_no_attribute():
    a, b = (file.iloc[:120] for file in runs.files("abalone"))
    sex = datasets.load("abalone")["Sex"].iloc[:120]
    links = link_without_common(a.assign(Sex=sex), b.assign(Sex=sex), blocks="Sex")
    assert (sex[links["nearest"]].to_numpy() == sex[links.index].to_numpy()).all()
    # Normalised over the whole file, so not the same as linking each part on its own.
    free = link_without_common(a, b)
    same = sex[free["nearest"]].to_numpy() == sex.to_numpy()
    assert (free["nearest"][same] == links["nearest"][same]).all() and links[
        "correct"
    ].sum() >= free["correct"].sum()
    with pytest.raises(ValueError, match="second file has no column 'Sex'"):
        link_without_common(a.assign(Sex=sex), b, blocks="Sex")


def test_operators_can_be_ones_own():
    a, b = runs.files("census")
    own = {
        "median": lambda values, missing: np.median(values, axis=1),
        "mean": lambda values, missing: choquet(values, power_quantifier(1)),
    }
    assert list(representatives(a, own).columns) == ["median", "mean"]
    assert len(link_without_common(a, b, own)) == len(b)


@pytest.mark.parametrize(
    ("file", "options", "message"),
    [
        (pd.DataFrame({"x": ["a", "b"]}), {}, "'x' is not numeric; leave it out, or block by it"),
        (pd.DataFrame({"x": [1.0, np.inf]}), {}, "'x' has a value that is infinite in record 1"),
        (pd.DataFrame({"x": [np.nan, np.nan]}), {}, "'x' has no value at all"),
        (pd.DataFrame({"x": []}, dtype=float), {}, "is empty"),
        (pd.DataFrame({"x": [1.0]}), {"normalise": "max"}, "normalise is 'max'"),
        (pd.DataFrame({"x": [1.0]}), {"missing": "drop"}, "missing is 'drop'; it is one of zero"),
        (pd.DataFrame({"x": [1.0]}), {"operators": {}}, "give a dict with at least one function"),
        (pd.DataFrame({"x": [1.0]}), {"operators": np.mean}, "operators is the function mean; giv"),
        (pd.DataFrame({"x": [1.0]}), {"operators": {"m": "mean"}}, "has 'mean' under 'm'; give a"),
        (
            pd.DataFrame({"x": [1.0]}),
            {"operators": {"all": lambda values, missing: values}},
            "function 'all' of operators must give an array with a finite number for each record",
        ),
        (
            pd.DataFrame({"x": [1.0]}),
            {"operators": {"none": lambda values, missing: values[:, 0] * np.nan}},
            "function 'none' of operators must give an array with a finite number for each record",
        ),
        (pd.DataFrame({"x": [1e300]}), {"normalise": None}, "'x' has a value that is too large to"),
        (pd.DataFrame([[1, 2]], columns=["x", "x"]), {}, "the file has two columns 'x'"),
        (np.ones((2, 2)), {}, "the file is of the type ndarray; give a pandas DataFrame"),
    ],
)
def test_bad_input(file, options, message):
    with pytest.raises(ValueError, match=message):
        representatives(file, **options)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"integral": "mean"}, "integral is 'mean'"),
        ({"family": "Qx"}, "family is 'Qx'"),
        ({"alphas": 0.5}, "alphas is 0.5; give a list"),
        ({"alphas": ["a"]}, "alpha is 'a'; it is a number"),
        ({"alphas": [0.1, np.inf]}, "alpha is inf; it is a number"),
        ({"alphas": [0.5, 0.2, 0.5]}, "alphas has 0.5 twice"),
    ],
)
def test_unknown_operators(options, message):
    with pytest.raises(ValueError, match=message):
        symmetric_operators(**options)
