"""Calls of rlpaper.aggregation."""

import numpy as np
import pandas as pd

from rlpaper import aggregation

from .call import Call
from .draws import Draw

FAMILIES = (
    aggregation.power_quantifier,
    aggregation.sigmoid_quantifier,
    aggregation.threshold_quantifier,
)


def _quantifier(draw: Draw):
    """A quantifier; in a wild call, now and then what is none."""
    made = draw.pick(FAMILIES)(draw.number(0.01, 3))
    odd = [np.sqrt, lambda x: x, lambda x: np.asarray(x) > 0.5]
    wrong = [lambda x: 0.5, lambda x: 1 - x, lambda x: x * np.nan, lambda x: 2 * x, str]
    if draw.wild and draw.chance(0.15):
        return draw.pick(wrong)
    return draw.of([made, made, *odd])


def _measure(draw: Draw, n: int):
    """A fuzzy measure of n variables; in a wild call, now and then what is none."""
    values = np.append(np.sort(draw.rng.random(2**n - 1)), 1.0)
    values[0] = 0
    by_size = np.argsort([s.bit_count() for s in range(2**n)], kind="stable")
    measure = np.empty(2**n)
    measure[by_size] = values
    if draw.wild and draw.chance(0.25):
        measure = draw.pick(
            [
                measure[:-1],
                1 - measure,
                measure * 2,
                np.where(np.arange(2**n) == 1, np.nan, measure),
                measure.reshape(1, -1),
                measure.astype(str),
                measure.astype(object),
                measure * 1e308,
                [list(measure)],
            ]
        )
    forms = [measure, measure, list(np.ravel(measure))]
    return draw.of([*forms, pd.Series(np.ravel(measure))])


def _values(draw: Draw):
    """Records, some of the values of which may be missing, and the number of their columns.

    They are a frame, an array or lists.
    """
    file = draw.file("numbers" if draw.chance(0.95) else "mixed")
    if not isinstance(file, pd.DataFrame):
        return file, 1
    if draw.chance(0.3) and (file.dtypes == "float64").all():
        file = file.mask(draw.rng.random(file.shape) < 0.2)
    way = draw.pick(["frame", "array", "lists", "by column"])
    array = file.to_numpy()
    made = {"array": array, "lists": array.tolist(), "by column": np.asfortranarray(array)}
    return made.get(way, file), max(1, file.shape[1])


def _integral(draw: Draw):
    values, width = _values(draw)
    measure = _quantifier(draw) if draw.chance(0.6) else _measure(draw, width)
    integral = draw.pick([aggregation.choquet, aggregation.sugeno])
    missing = draw.of(["refuse", "project", "zero"])
    result = integral(values, measure, missing)
    assert len(result) == len(values)
    assert not np.isnan(np.asarray(result, float)).any()
    if isinstance(values, pd.DataFrame):
        assert result.index.equals(values.index)


def _quantifiers(draw: Draw):
    quantifier = draw.pick(FAMILIES)(draw.number(0.01, 3))
    shares = draw.of(
        [0, 0.5, 1, [0.0, 0.3, 1.0], np.linspace(0, 1, 5), np.linspace(0, 1, 4)[:, None]]
    )
    levels = np.asarray(quantifier(shares))
    assert levels.shape == np.shape(shares) and (levels >= 0).all() and (levels <= 1).all()


def _symmetric(draw: Draw):
    n = draw.number(1, 6, whole=True)
    measure = aggregation.symmetric_measure(_quantifier(draw), n)
    assert measure.shape == (2 ** int(n),)


def _check(draw: Draw):
    n = draw.pick([1, 2, 3, 5])
    measure = aggregation.check_measure(_measure(draw, n), draw.of([n, n, float(n)]))
    assert measure[0] == 0 and measure.shape == (2**n,)


def _transforms(draw: Draw):
    n = draw.pick([0, 1, 2, 3, 5])
    measure = _measure(draw, n) if n else draw.of([[0.5], [1]])
    shares = aggregation.mobius(measure)
    assert np.allclose(aggregation.from_mobius(draw.of([shares])), np.asarray(measure, float))
    values = aggregation.shapley(measure)
    n = len(values)
    assert len(measure) == 2**n and aggregation.interaction(measure).shape == (n, n)
    assert np.isfinite(values).all()


CALLS = [
    Call("aggregation.choquet", (aggregation.choquet, aggregation.sugeno), _integral, 30),
    Call("aggregation.power_quantifier", FAMILIES, _quantifiers, 5),
    Call("aggregation.symmetric_measure", (aggregation.symmetric_measure,), _symmetric, 5),
    Call("aggregation.check_measure", (aggregation.check_measure,), _check, 5),
    Call(
        "aggregation.mobius",
        (
            aggregation.mobius,
            aggregation.from_mobius,
            aggregation.shapley,
            aggregation.interaction,
        ),
        _transforms,
        10,
    ),
]
