"""Learners and `FellegiSunter` after scikit-learn's developer guide."""

import ast
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone

from rlpaper import learning
from rlpaper._internal.estimator import NotFittedError
from rlpaper.learning import OWA, Choquet, Mahalanobis, WeightedMean
from rlpaper.linkage import FellegiSunter, same_bin

MODELS = [
    WeightedMean(standardise="fit", work_limit=10_000, progress=False),
    OWA(direction="original_to_masked", random_state=3, progress=False),
    Choquet(2, gap=0.1, progress=False),
    Mahalanobis("absolute", "psd", time_limit=60, method="cuts", progress=False),
    FellegiSunter(same_bin(), prorate=True, start=(0.8, 0.2, 0.2), max_iterations=5),
]


def test_every_learner_is_among_the_models():
    learners = set(learning.__all__) - {"Formulation"}
    assert learners == {type(model).__name__ for model in MODELS} - {"FellegiSunter"}


each_model = pytest.mark.parametrize("model", MODELS, ids=lambda model: type(model).__name__)


def files():
    random = np.random.default_rng(1)
    original = pd.DataFrame(random.normal(size=(20, 3)), columns=list("xyz"))
    return original, original + 0.3 * random.normal(size=(20, 3))


def ends_in_underscore(model):
    return {name for name in vars(model) if name.endswith("_")}


@each_model
def test_a_clone_has_the_options_and_nothing_learned(model):
    fitted = clone(model).fit(*files())
    copy = clone(fitted)
    assert type(copy) is type(model) and repr(copy) == repr(model)
    assert repr(copy.get_params()) == repr(model.get_params()) == repr(fitted.get_params())
    assert vars(copy).keys() == copy.get_params().keys()


@each_model
def test_options_are_stored_as_they_are_and_checked_by_fit(model):
    options = {name: object() for name in model.get_params()}
    bad = type(model)(**options)
    assert all(getattr(bad, name) is value for name, value in options.items())
    with pytest.raises((ValueError, TypeError)):
        bad.fit(*files())
    assert not ends_in_underscore(bad)


@each_model
def test_fit_changes_no_option_and_what_it_learns_ends_in_an_underscore(model):
    fitted = clone(model)
    before = fitted.get_params()
    assert not ends_in_underscore(fitted)
    assert fitted.fit(*files()) is fitted
    assert all(fitted.get_params()[name] is value for name, value in before.items())
    assert vars(fitted).keys() - before.keys() == ends_in_underscore(fitted) != set()
    public = {name for name in dir(type(model)) if name.endswith("_") and name[0] != "_"}
    assert all(isinstance(getattr(type(model), name), property) for name in public)


@each_model
def test_what_is_learned_is_refused_before_fit(model):
    for ask in (
        lambda: model.distance(*files()),
        lambda: model.link(*files()),
        *(
            lambda name=name: getattr(model, name)
            for name in ("shapley_", "interaction_", "patterns_", "history_")
            if hasattr(type(model), name)
        ),
    ):
        with pytest.raises(NotFittedError, match=r"has learned nothing yet; call fit first"):
            ask()
    assert not any(hasattr(model, name) for name in ("tolerance_", "shapley_", "patterns_"))


@each_model
def test_the_distance_is_one_that_link_takes(model):
    from rlpaper.linkage import link

    original, masked = files()
    fitted = clone(model).fit(original, masked)
    direction = fitted.get_params().get("direction", "masked_to_original")
    links = link(original, masked, fitted.distance, direction)
    assert links["correct"].equals(fitted.link(original, masked)["correct"])


SHARE = "a share of the open records, between 0 and 1"
SECONDS, ROWS = "seconds, 0 to 1e\\+18, or None", "a whole number of rows, 0 to 1e\\+18, or None"
SEED = "a whole number, 0 or more, or a numpy Generator"
MOMENTS = "one of own, original, pooled, fit"


@pytest.mark.parametrize("ask", ["fit", "formulation", "with_parameters"])
@pytest.mark.parametrize(
    "option, value, message",
    [
        ("gap", -0.1, f"gap is -0.1; it is {SHARE}"),
        ("gap", 2, f"gap is 2; it is {SHARE}"),
        ("gap", None, f"gap is None; it is {SHARE}"),
        ("time_limit", -1, f"time_limit is -1; it is {SECONDS}"),
        ("time_limit", float("nan"), f"time_limit is nan; it is {SECONDS}"),
        ("work_limit", -1, f"work_limit is -1; it is {ROWS}"),
        ("work_limit", float("nan"), f"work_limit is nan; it is {ROWS}"),
        ("work_limit", 0.5, f"work_limit is 0.5; it is {ROWS}"),
        ("work_limit", "much", f"work_limit is 'much'; it is {ROWS}"),
        ("random_state", "x", f"random_state is 'x'; it is {SEED}"),
        ("random_state", -1, f"random_state is -1; it is {SEED}"),
        ("method", "box", "method is 'box'; it is one of boxes, cuts"),
        ("standardise", "both", f"standardise is 'both'; it is {MOMENTS}"),
        ("standardise", pd.DataFrame({"x": [1]}), "standardise is of the type DataFrame"),
        ("progress", "no", "progress is 'no'; it is one of True, False"),
    ],
)
def test_options_of_learners_are_checked(option, value, message, ask):
    learner = WeightedMean(**{option: value})
    with pytest.raises(ValueError, match=message):
        getattr(learner, ask)(*files(), *([[1, 1, 1]] if ask == "with_parameters" else []))


@pytest.mark.parametrize("learner", MODELS[:4], ids=lambda learner: type(learner).__name__)
def test_a_formulation_says_what_the_learned_distance_is_made_of(learner):
    original, masked = files()
    fitted = clone(learner).set_params(standardise="own").fit(original, masked)
    formulation = fitted.formulation(original, masked)
    theta = fitted._to_vector()
    expected = np.stack([formulation.features_of(i) @ theta for i in range(len(masked))])
    prepared = fitted.with_vector(original, masked, 7 * theta).distance(original, masked)
    table = prepared.distances(prepared.original, prepared.masked)
    if fitted.direction == "masked_to_original":
        table = table.T
    np.testing.assert_allclose(table, expected, atol=1e-9)
    problem = formulation.problem()
    assert problem.parameters == len(theta) == len(formulation.lower)
    assert problem.linked(theta) >= fitted.linked_


def test_the_papers_program_takes_no_private_member_of_anything():
    tree = ast.parse(Path(learning.__file__).with_name("milp.py").read_text())
    private = [
        node
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute) and node.attr.startswith("_")
        if not (isinstance(node.value, ast.Name) and node.value.id == "self")
    ]
    assert not private
