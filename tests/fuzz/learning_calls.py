"""Calls of rlpaper.learning."""

import tempfile
from pathlib import Path

import numpy as np
import pandas as pd

from rlpaper.learning import OWA, Choquet, Formulation, Mahalanobis, WeightedMean
from rlpaper.learning.milp import PaperModel, paper_model

from .call import Call
from .distances_calls import MOMENTS, weights
from .draws import Draw

DIRECTIONS = ("masked_to_original", "original_to_masked")
LEARNERS = (WeightedMean, OWA, Choquet, Mahalanobis)
MAX_RECORDS, MAX_WORK = 9, 3000  # learning from more takes long
WIDE = (9, 11, 17)  # columns: too many for boxes, for a measure, for one made of pairs


def _pair(draw: Draw):
    kind = draw.pick(["numbers", "numbers", "numbers", "mixed", "categories"])
    columns = draw.pick(WIDE) if draw.chance(0.01) else None
    return draw.pair(kind, rows=draw.pick([1, 2, 3, 5, MAX_RECORDS]), columns=columns)


def _moments(draw: Draw, pair):
    """Whose moments standardise: a word, or a pair of files, in a wild call of any."""
    if draw.chance(0.7):
        return draw.of(["fit", *MOMENTS])
    return draw.of([pair, (draw.file(), draw.file("mixed"))]) if draw.wild else pair


def _learner(draw: Draw, pair):
    of_all = {
        "standardise": _moments(draw, pair),
        "direction": draw.of(DIRECTIONS),
        "time_limit": draw.number(0, 9) if draw.chance(0.2) else None,
        "gap": draw.number(0, 1) if draw.chance(0.3) else 0,
        "work_limit": draw.number(0, MAX_WORK, whole=True),
        "random_state": draw.seed(),
        "method": draw.of([None, None, None, "boxes", "cuts"]),
        "progress": draw.of([False]),
    }
    given = {name: value for name, value in of_all.items() if draw.chance(0.6)}
    given |= {"work_limit": of_all["work_limit"], "progress": of_all["progress"]}
    return draw.pick(
        [
            lambda: WeightedMean(**given),
            lambda: OWA(**given),
            lambda: Choquet(draw.of([None, 2]), **given),
            lambda: Mahalanobis(draw.of(["signed", "absolute"]), draw.of(["data", "psd"]), **given),
        ]
    )()


def _fit(draw: Draw):
    pair = _pair(draw)
    before = [file.copy() if isinstance(file, pd.DataFrame) else file for file in pair]
    learner = _learner(draw, pair)
    learned = learner.fit(*pair)
    for file, copy in zip(pair, before, strict=True):
        assert file.equals(copy) and file.index.equals(copy.index)
    linking = pair[learned.direction == "masked_to_original"]
    assert 0 <= learned.bound_ <= learned.records_ == len(linking)
    assert 0 <= learned.linked_ <= len(linking)
    assert np.isfinite(learned.parameters_.to_numpy()).all()
    assert repr(learned)
    if isinstance(learned, Choquet):
        assert np.isfinite(learned.shapley_).all()
        assert learned.interaction_.shape == (len(linking.columns),) * 2
    _use(draw, learned, pair)


def _use(draw: Draw, learned, pair):
    """Link by a learned distance the files that it was fitted to, or others."""
    if draw.chance(0.2):
        pair = draw.masked(pair[0]), draw.masked(pair[1])
    links = learned.link(*pair, ties=draw.of(["strict", "lenient", "expected"]))
    linking = pair[learned.direction == "masked_to_original"]
    assert links.index.equals(linking.index) and links["correct"].between(0, 1).all()
    assert not np.isnan(links["distance"]).any()
    assert learned.correct_links(*pair).shape == (len(linking),)
    assert 0 <= learned.score(*pair) <= 1
    prepared = learned.distance(*pair)
    table = prepared.distances(prepared.original, prepared.masked)
    assert table.shape == (len(pair[0]), len(pair[1])) and np.isfinite(table).all()


def _with_vector(draw: Draw):
    pair = _pair(draw)
    learner = _learner(draw, pair)
    wrong = draw.wild and draw.chance(0.3)
    if wrong:
        size = draw.pick([0, 1, 2, 3])
    else:
        size = len(learner.formulation(*pair).lower)
    theta = draw.of(
        [
            np.ones(size),
            np.ones(size) * draw.pick([1e-300, 1e-3, 1e300]),
            np.eye(1, size, size - 1)[0],
            [1] * size,
            draw.rng.uniform(size=size),
        ]
    )
    if wrong and draw.chance(0.5):
        theta = draw.of(
            [
                np.zeros(size),
                -np.ones(size),
                np.full(size, np.nan),
                np.ones((2, size)),
                ["x"] * size,
            ]
        )
    _use(draw, learner.with_vector(*pair, theta), pair)


def _with_parameters(draw: Draw):
    pair = _pair(draw)
    learner = _learner(draw, pair)
    if not isinstance(learner, WeightedMean):
        learner = WeightedMean(standardise=learner.standardise, direction=learner.direction)
    columns = pair[0].shape[1] if isinstance(pair[0], pd.DataFrame) else 1
    given = weights(draw, pair[0]) or [1] * columns
    _use(draw, learner.with_parameters(*pair, given), pair)


def _ranges(draw: Draw):
    pair = draw.pair("numbers", rows=draw.pick([1, 2, 3, 5]), columns=draw.pick([1, 2]))
    learned = WeightedMean(work_limit=MAX_WORK, direction=draw.of(DIRECTIONS), progress=False)
    if not draw.wild or draw.chance(0.9):
        learned.fit(*pair)
    table = learned.ranges(*pair, draw.number(0, 5, whole=True))
    assert list(table.index) == list(pair[0].columns) and table.to_numpy().min() >= 0
    assert (table["least"] <= table["largest"]).all() and table.to_numpy().max() <= 1


def _formulation(draw: Draw):
    pair = _pair(draw)
    formulation = _learner(draw, pair).formulation(*pair)
    _look(draw, formulation)


def _look(draw: Draw, formulation):
    n = len(formulation.linking)
    features = formulation.features_of(draw.number(0, n - 1, whole=True))
    assert features.shape == (len(formulation.candidates), len(formulation.lower))
    problem = formulation.problem()
    assert np.isfinite(problem.rows).all() and np.abs(problem.rows).max(initial=0) <= 1
    theta = draw.pick([np.ones(len(formulation.lower)), np.zeros(len(formulation.lower))])
    assert 0 <= problem.linked(theta) <= n


def _by_hand(draw: Draw):
    n, d = draw.pick([1, 2, 3]), draw.pick([1, 2, 3])
    first, second = (draw.rng.normal(size=(draw.pick([1, 2, 5]), n)) for _ in range(2))
    partner = draw.rng.integers(-1, len(second), len(first))
    matrix = draw.rng.normal(size=(n, d))
    given = {
        "linking": first,
        "candidates": second,
        "partner": partner,
        "features": lambda differences: differences**2 @ matrix,
        "lower": draw.pick([np.zeros(d), -np.ones(d)]),
        "normalisations": np.arange(d),
        "own_constraints": draw.number(0, 9, whole=True),
        "cone": draw.pick([np.empty((0, 0)), np.empty((0, d)), np.eye(d), np.eye(d).tolist()]),
        "violated_rows": draw.pick([None, lambda theta: np.empty((0, d))]),
        "sum_to_one": draw.pick([None, np.ones(d, bool)]),
        "columns": None,
    }
    if draw.chance(0.3):
        given |= {
            "features": lambda differences: differences**2,
            "lower": np.zeros(n),
            "normalisations": np.arange(n),
            "cone": np.empty((0, n)),
            "violated_rows": None,
            "sum_to_one": draw.pick([None, np.ones(n, bool)]),
            "columns": draw.pick([None, [("square", 1)] * n, [("unequal", 2)] * n]),
        }
    if draw.wild:
        name = draw.pick(given)
        given[name] = draw.of(_spoilt(draw, name, given[name], d))
    _look(draw, Formulation(**given))


def _spoilt(draw: Draw, name: str, value, d: int) -> list:
    """What a part of a formulation cannot be, or can be but hardly is."""
    if name == "own_constraints":
        return [value, -1, 0.5, np.nan]
    if name == "features":
        return [
            None,
            lambda differences: differences[0],
            lambda differences: np.nan * differences,
            lambda differences: np.zeros((1, d)),
            lambda differences: np.full((len(differences), d), "x"),
        ]
    if name == "violated_rows":
        return [lambda theta: np.full((1, d), np.nan), lambda theta: np.ones((1, d + 1)), 3]
    if name == "columns":
        return [[("square", 0)] * d, [("circle", 1)] * d, [("square", np.nan)] * d, ["square"], [3]]
    values = np.atleast_1d(np.array(1 if value is None else value, float))
    return [
        values[:0],
        values * np.nan,
        values + 0.5,
        values + 100,
        -values - 100,
        np.append(values, 0),
        values[None],
        values.astype(np.float32),
        values.tolist(),
        values.astype(str),
    ]


def _paper_model(draw: Draw):
    kind = draw.pick(["numbers", "numbers", "mixed"])
    pair = draw.pair(kind, rows=draw.pick([1, 2, 3, 4]), columns=draw.pick([1, 2]))
    learner = _learner(draw, pair)
    model = paper_model(
        draw.of([learner] * 9),
        *pair,
        constant=draw.number(1, 100) if draw.chance(0.2) else None,
        epsilon=draw.number(1e-6, 1e-3) if draw.chance(0.2) else 1e-6,
        tightened=draw.of([False, True]),
    )
    assert model.variables >= 1 and model.constraints >= 0
    solution = model.solve(draw.of(["highs", "highs", "highs", "cbc"]), draw.of([None, 1, 5.0]))
    n = len(pair[learner.direction == "masked_to_original"])
    assert 0 <= solution.linked <= n and 0 <= solution.bound <= n
    with tempfile.TemporaryDirectory() as folder:
        model.write_mps(Path(folder) / "model.mps")


CALLS = [
    Call(
        "learning.fit",
        (
            *LEARNERS,
            WeightedMean.fit,
            WeightedMean.link,
            WeightedMean.correct_links,
            WeightedMean.score,
            WeightedMean.distance,
        ),
        _fit,
        15,
    ),
    Call("learning.with_vector", (WeightedMean.with_vector,), _with_vector, 10),
    Call("learning.with_parameters", (WeightedMean.with_parameters,), _with_parameters, 5),
    Call("learning.ranges", (WeightedMean.ranges,), _ranges, 2),
    Call("learning.formulation", (WeightedMean.formulation,), _formulation, 10),
    Call("learning.Formulation", (Formulation, Formulation.features_of), _by_hand, 10),
    Call("learning.paper_model", (paper_model, PaperModel.solve), _paper_model, 1),
]
