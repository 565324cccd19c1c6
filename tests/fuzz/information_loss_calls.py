"""Calls of rlpaper.information_loss."""

import numpy as np
import pandas as pd

from rlpaper import information_loss
from rlpaper.information_loss.mixed import information_loss as whole_loss
from rlpaper.masking import PRAM

from .call import Call
from .distances_calls import transitions
from .draws import Draw


def _paired(draw: Draw, kind: str):
    """Two files of the same records: hardly ever fewer ones in one of them."""
    original, masked = draw.pair(kind)
    if (
        isinstance(original, pd.DataFrame)
        and isinstance(masked, pd.DataFrame)
        and len(masked) < len(original)
        and original.index.is_unique
        and not (draw.wild and draw.chance(0.2))
    ):
        at = original.index.get_indexer(masked.index)
        original = original.take(np.sort(at[at >= 0]))
    return original, masked


def _il1s(draw: Draw):
    original, masked = _paired(draw, draw.pick(["numbers", "numbers", "numbers", "mixed"]))
    loss = information_loss.il1s(original, masked)
    assert loss.index.equals(original.columns) and (loss >= 0).all()
    assert (information_loss.il1s(original, original) == 0).all()


def _correlation_loss(draw: Draw):
    original, masked = _paired(draw, "numbers")
    assert 0 <= information_loss.correlation_loss(original, masked) <= 2
    assert information_loss.correlation_loss(original, original) == 0


def _mixed(draw: Draw):
    original, masked = _paired(draw, draw.pick(["numbers", "categories", "mixed"]))
    if draw.chance(0.9):
        original, masked = as_categories(original, masked)
    if draw.chance(0.5):
        loss = information_loss.cell_loss(original, masked)
        assert loss.index.equals(original.columns) and (loss >= 0).all()
        assert (information_loss.cell_loss(original, original) == 0).all()
    else:
        table = whole_loss(original, masked)
        assert (table["value"] >= 0).all()
        assert (whole_loss(original, original)["value"].abs() < 1e-9).all()


def as_categories(original: object, masked: object):
    """Both files with their texts as categories of one dtype."""
    if not isinstance(original, pd.DataFrame) or not isinstance(masked, pd.DataFrame):
        return original, masked
    original, masked = original.copy(), masked.copy()
    for at in range(min(original.shape[1], masked.shape[1])):
        both = original.iloc[:, at], masked.iloc[:, at]
        values = [value for column in both for value in column]
        if pd.api.types.is_numeric_dtype(both[0]) or not all(map(_is_orderable, values)):
            continue
        names = pd.unique(pd.Series(values, dtype=object).dropna())
        for file, column in zip((original, masked), both, strict=True):
            file.isetitem(at, pd.Categorical(column.astype(object), names))
    return original, masked


def _is_orderable(value: object) -> bool:
    return pd.api.types.is_hashable(value) and not isinstance(value, complex)


def _categorical(draw: Draw):
    kind = draw.pick(["categories", "categories", "mixed"])
    original, masked = _paired(draw, kind)
    order = draw.number(1, 5, whole=True)
    measure = draw.pick(
        [
            lambda a, b: information_loss.dist(a, b, draw.of(["printed", "usual"])),
            lambda a, b: information_loss.ctbil(a, b, order),
            lambda a, b: information_loss.actbil(a, b, order),
            lambda a, b: information_loss.table_differences(a, b, order)[0],
        ]
    )
    assert measure(original, masked) >= 0


def _entropy(draw: Draw):
    original, masked = _paired(draw, "categories")
    if isinstance(original, pd.DataFrame) and draw.chance(0.8):
        original, _ = as_categories(original, original)
    known = transitions(draw, original)
    if known and draw.chance(0.8):
        masked = PRAM(0.5).mask(original, 1)
    if draw.wild and draw.chance(0.1):
        known = draw.of([None, {}, transitions(draw, masked)])
    reference = original if draw.chance(0.8) else draw.of([masked, draw.file("categories")])
    smoothing = draw.number(0, 2)
    if draw.chance(0.5):
        loss = information_loss.ebil(masked, known, reference, smoothing)
    else:
        loss = information_loss.il(original, masked, known, reference, smoothing)
    assert loss > -1e-6 and np.isfinite(loss)


CALLS = [
    Call("information_loss.il1s", (information_loss.il1s,), _il1s),
    Call(
        "information_loss.correlation_loss",
        (information_loss.correlation_loss,),
        _correlation_loss,
    ),
    Call("information_loss.cell_loss", (information_loss.cell_loss, whole_loss), _mixed),
    Call(
        "information_loss.ctbil",
        (
            information_loss.ctbil,
            information_loss.actbil,
            information_loss.dist,
            information_loss.table_differences,
        ),
        _categorical,
    ),
    Call("information_loss.ebil", (information_loss.ebil, information_loss.il), _entropy),
]
