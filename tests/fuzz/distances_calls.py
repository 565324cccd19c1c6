"""Calls of rlpaper.distances, and distances for those of linkage."""

import numpy as np
import pandas as pd

from rlpaper import distances
from rlpaper.masking import PRAM

from .call import Call
from .draws import Draw

MOMENTS = ("own", "original", "pooled", None)


def weights(draw: Draw, file: object):
    """Weights of a file's columns: none, a list, by name; in a wild call, wrong ones."""
    names = list(file.columns) if isinstance(file, pd.DataFrame) else ["x"]
    if draw.wild and draw.chance(0.1):
        names = [*names, "another"]
    values = [draw.number(0, 1) for _ in names]
    return draw.of([None, None, values, dict(zip(map(_key, names), values, strict=True))])


def _key(name: object):
    return name if isinstance(name, str | int | tuple) else str(name)


def moments(draw: Draw, pair):
    """Whose moments standardise: a word, or a pair of files."""
    return draw.of([*MOMENTS, pair, pair[:1]] if draw.wild else [*MOMENTS, pair])


def numeric(draw: Draw, pair):
    """What makes a distance for files of numbers, to be called."""
    original = pair[0]
    return draw.pick(
        [
            lambda: distances.dbrl1(moments(draw, pair), weights(draw, original)),
            lambda: distances.dbrl1(moments(draw, pair), weights(draw, original)),
            distances.dbrl2,
            lambda: distances.mahalanobis(draw.of(["COV", "COV0"]), draw.number(0, 1)),
            lambda: distances.mahalanobis(ridge=draw.of([0, 0.1, 1e-300, 1e300])),
            lambda: distances.kernel(draw.number(1, 4, whole=True), moments(draw, pair)),
            lambda: distances.manhattan(moments(draw, pair)),
            distances.gower,
            lambda: distances.mixed(weights(draw, original), moments(draw, pair)),
            lambda: distances.combined(numeric(draw, pair)(), numeric(draw, pair)()),
            lambda: distances.prepared(numeric(draw, pair)(), *pair),
        ]
    )


def for_categories(draw: Draw, pair):
    """What makes a distance for files of categories, to be called."""
    original = pair[0]
    return draw.pick(
        [
            lambda: distances.categorical(weights(draw, original), draw.of(["printed", "usual"])),
            lambda: distances.categorical(transitions=transitions(draw, original)),
            lambda: distances.likelihood_ratio(transitions(draw, original)),
            distances.gower,
            lambda: distances.mixed(None, moments(draw, pair), draw.of(["printed", "usual"])),
        ]
    )


def transitions(draw: Draw, file: pd.DataFrame):
    """What a masking does to categories; in a wild call, with cells that are none."""
    if not isinstance(file, pd.DataFrame) or not all(
        isinstance(dtype, pd.CategoricalDtype) for dtype in file.dtypes
    ):
        return None
    tables = PRAM(0.5).transitions(file)
    if tables and draw.wild and draw.chance(0.3):
        name = draw.pick(tables)
        spoilt = [
            tables[name].iloc[:, :1],
            tables[name].iloc[:1],
            tables[name].astype(object),
            tables[name] * draw.pick([np.nan, -1, 2]),
            pd.concat([tables[name]] * 2),
            draw.pick([None, 3, {}]),
        ]
        tables[name] = draw.pick(spoilt)
    return tables


def distance(draw: Draw, pair, kind: str):
    """A distance for files of a kind, or nothing, which stands for the usual one."""
    if kind == "numbers":
        made = numeric(draw, pair)
    else:
        made = for_categories(draw, pair)
    if draw.wild and draw.chance(0.03):
        return draw.pick(
            [distances.dbrl1, distances.gower, "euclid", 3]
        )  # none of them is a distance
    return None if draw.chance(0.1) else made()


def _table(draw: Draw):
    kind = draw.pick(["numbers", "categories", "mixed"])
    pair = draw.pair(kind)
    compared = distances.prepared(distance(draw, pair, kind) or distances.dbrl1(), *pair)(*pair)
    table = compared.distances(compared.original, compared.masked)
    assert table.shape == (len(pair[0]), len(pair[1])) and not np.isnan(table).any()


def _sum_over_columns(draw: Draw):
    n = draw.pick([1, 2, 3])
    summed = distances.SumOverColumns(
        draw.of([["square"] * n, ["difference", "span", "unequal"][:n], ["square"] * (n + 1)]),
        draw.of([[1.0] * n, np.arange(n), [draw.number(0, 1)] * n]),
        draw.number(1, 3),
        draw.number(0, 1),
    )
    summed(_rows(draw, n), _rows(draw, n))


def _pattern(draw: Draw):
    n = draw.pick([1, 2, 3])
    values = draw.of([np.arange(2**n), np.full(2**n, np.inf), [0.0] * 2**n])
    distances.AgreementPattern(values)(_rows(draw, n), _rows(draw, n))


def _rows(draw: Draw, n: int):
    rows = draw.rng.normal(size=(draw.pick([1, 4]), n))
    return draw.of([rows, rows, np.asfortranarray(rows), rows.tolist()])


def _euclidean(draw: Draw):
    n = draw.pick([1, 2, 3])
    distances.squared_euclidean(_rows(draw, n), _rows(draw, n))


def _standardised(draw: Draw):
    pair = draw.pair()
    distances.standardised(*pair, moments(draw, pair))


CALLS = [
    Call(
        "distances.prepared",
        (
            distances.prepared,
            distances.categorical,
            distances.combined,
            distances.dbrl1,
            distances.dbrl2,
            distances.gower,
            distances.kernel,
            distances.likelihood_ratio,
            distances.mahalanobis,
            distances.manhattan,
            distances.mixed,
        ),
        _table,
        40,
    ),
    Call("distances.SumOverColumns", (distances.SumOverColumns,), _sum_over_columns, 5),
    Call("distances.AgreementPattern", (distances.AgreementPattern,), _pattern, 5),
    Call("distances.squared_euclidean", (distances.squared_euclidean,), _euclidean, 3),
    Call("distances.standardised", (distances.standardised,), _standardised, 10),
]
