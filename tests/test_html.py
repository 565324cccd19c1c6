"""Tables for people, and what learners say of themselves in a notebook."""

import pandas as pd
import pytest

from rlpaper import datasets
from rlpaper._internal import html
from rlpaper.learning import OWA, Choquet, Mahalanobis, WeightedMean
from rlpaper.linkage.comparisons import exact
from rlpaper.linkage.fellegi_sunter import FellegiSunter
from rlpaper.masking import microaggregate


def cells(style):
    return [
        cell["display_value"]
        for row in style._translate(False, False)["body"]
        for cell in row
        if cell["type"] == "td"
    ]


def test_numbers_are_short_and_shares_are_percent():
    frame = pd.DataFrame(
        {"n": [1234567, 3], "x": [0.123456, 54321.9], "share": [0.25, None], "who": ["<b>", "b"]}
    )
    assert cells(html.readable(frame, ["share"])) == [
        "1,234,567",
        "0.1235",
        "25%",
        "<b>",
        "3",
        "54,322",
        "",
        "b",
    ]


def test_an_index_is_shown_unless_it_only_counts():
    frame = pd.DataFrame({"x": [1, 2]})
    assert (
        html.readable(frame).hide_index_ is True
        or "row_heading" not in html.readable(frame).to_html()
    )
    assert "row_heading" in html.readable(frame.set_axis(["a", "b"])).to_html()


@pytest.fixture(scope="module")
def files():
    census = datasets.load("census").iloc[:60, :3]
    return census, microaggregate(census, 4, 2)


@pytest.mark.parametrize(
    "learner", [WeightedMean(), OWA(), Choquet(), Choquet(additive=2), Mahalanobis()], ids=repr
)
def test_a_learner_says_what_was_learned_and_how_sure_that_is(learner, files):
    options = repr(learner.set_params(work_limit=200_000, progress=False))
    text = repr(learner.fit(*files))
    assert text.startswith(f"{options}\nlinks {learner.linked_} of 60 records")
    assert text.endswith("no parameters link more") == (learner.status_ == "optimal")
    if learner.status_ == "gap":
        assert f"no parameters link more than {learner.bound_}" in text


def test_given_parameters_are_not_called_learned(files):
    assert "links" not in repr(WeightedMean().with_parameters(*files, [1, 1, 1]))


def test_frames_that_give_moments_are_not_spread_out(files):
    assert repr(WeightedMean(standardise=files)) == "WeightedMean(standardise=(frame, frame))"


def test_a_model_says_what_was_estimated():
    persons = datasets.load("rldata500")[["fname_c1", "by", "bm", "bd"]]
    assert repr(FellegiSunter({"by": exact()}, start=(0.8, 0.2, 0.1))) == (
        "FellegiSunter(comparisons={'by': exact}, start=(0.8, 0.2, 0.1))"
    )
    text = repr(FellegiSunter().fit(persons))
    assert "124,750 pairs" in text and "EM converged" in text
    assert "NOT converged" in repr(FellegiSunter(max_iterations=2).fit(persons))
