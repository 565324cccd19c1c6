"""Calls of rlpaper.masking."""

import numpy as np
import pandas as pd

from rlpaper import masking
from rlpaper.masking import microaggregation

from .call import Call
from .distances_calls import transitions
from .draws import Draw


def columns_of(file: object) -> list:
    return (list(file.columns) if isinstance(file, pd.DataFrame) else []) or ["x"]


def _masked(draw: Draw, make, file) -> pd.DataFrame:
    """What a masking makes of a file: the same records and columns, and the file as it was."""
    before = file.copy() if isinstance(file, pd.DataFrame) else None
    masked = make(file)
    pd.testing.assert_frame_equal(file, before)
    assert masked.index.equals(file.index) and masked.columns.equals(file.columns)
    assert masked.isna().equals(file.isna())
    return masked


def _rank_swap(draw: Draw):
    file = draw.file()
    p, partners, seed = draw.number(0, 100), draw.of(["above", "around"]), draw.seed()
    masked = _masked(
        draw,
        draw.pick(
            [
                lambda df: masking.rank_swap(df, p, seed, partners),
                lambda df: masking.RankSwap(p, partners).mask(df, seed),
            ]
        ),
        file,
    )
    for column in file:
        assert masked[column].dtype == file[column].dtype
        assert sorted(masked[column]) == sorted(file[column])


def _noise(draw: Draw):
    file = draw.file()
    names = columns_of(file)
    percents = [draw.number(0, 100) for _ in names]
    if draw.wild and draw.chance(0.1):
        names, percents = names[1:], percents[1:]
    p = draw.of([draw.number(0, 100), percents, np.array(percents, object)])
    if draw.chance(0.3):
        p = dict(zip(names, percents, strict=True))
    seed = draw.seed()
    make = [lambda df: masking.add_noise(df, p, seed), lambda df: masking.Noise(p).mask(df, seed)]
    masked = _masked(draw, draw.pick(make), file)
    assert np.isfinite(masked.to_numpy(float)).all()


def _groups(draw: Draw, names: list):
    """Groups of columns: none, so many, by their sizes or by name; in a wild call, none of these.

    With them, how many there are.
    """
    n = len(names)
    one = draw.number(1, n, whole=True)
    options = [
        (None, 1),
        (one, -(-n // one) if isinstance(one, int) and one > 0 else 1),
        ([n], 1),
        ([1] * n, n),
        ([names], 1),
        ([[name] for name in names], n),
        (np.ones(n, int), n),
        ([[names[-1]]], 1),
    ]
    if draw.wild and draw.chance(0.3):
        wrong = [[], [[]], [["no column"]], [names, names], [0, n], ["x"], [[["x"]]], [[1], 2], {}]
        options = [(groups, 1) for groups in wrong]
    groups, number = draw.pick(options)
    return draw.of([groups]), number


def _microaggregation(draw: Draw):
    file = draw.file()
    groups, number = _groups(draw, columns_of(file))
    k = draw.number(1, max(1, len(file) if isinstance(file, pd.DataFrame) else 1), whole=True)
    method = draw.of(["mdav", "mdav", "individual", "zscores", "pca"])
    options = {
        "k": draw.of([k, k, [k] * number, np.array([k] * number, object)]),
        "groups": None if method == "individual" and draw.chance(0.9) else groups,
        "method": method,
        "standardise": draw.of([True, False]),
        "left_over": draw.of(["own", "join"]),
    }
    make = [
        lambda df: masking.microaggregate(df, **options),
        lambda df: masking.Microaggregation(**options).mask(df),
    ]
    masked = _masked(draw, draw.pick(make), file).astype(float)
    for column in file:
        values = file[column].to_numpy(float)
        room = 1e-9 * np.abs(values).max() if np.abs(values).max() < 1e300 else 1e299
        if file[column].dtype == np.float16:
            room += np.abs(values).max() / 1e3
        elif file[column].dtype == np.float32:
            room += np.abs(values).max() / 1e6
        assert np.isfinite(masked[column]).all()
        assert (masked[column] >= values.min() - room).all()
        assert (masked[column] <= values.max() + room).all()


def _variable_groups(draw: Draw):
    names = list("abcde")[: draw.pick([1, 2, 5])]
    groups, _ = _groups(draw, names)
    made = microaggregation.variable_groups(names, groups, draw.pick(["own", "join"]))
    assert {name for group in made for name in group} <= set(names) and all(made)


def _mdav(draw: Draw):
    file = draw.file()
    n = len(file) if isinstance(file, pd.DataFrame) else 1
    points = file if draw.chance(0.3) or not isinstance(file, pd.DataFrame) else file.to_numpy()
    k = draw.number(1, max(1, n), whole=True)
    clusters = microaggregation.mdav(points, k)
    sizes = np.bincount(clusters)
    assert len(clusters) == len(points) and sizes.min() >= k and sizes.max() < 2 * k


def _for_categories(draw: Draw):
    """A masking of categories; in a wild call, one that cannot be."""
    p = draw.number(0, 5, whole=True)
    into, label = draw.of(["new", "existing"]), draw.of(["top", "other", 7, True, "\ud800"])
    return draw.pick(
        [
            lambda: masking.PRAM(draw.number(0, 1)),
            lambda: masking.TopCode(p, draw.of(["ordinal", "all"]), into, label),
            lambda: masking.BottomCode(p, draw.of(["ordinal", "all"]), into, label),
            lambda: masking.RecodeRare(p, into, label, draw.of(["start", "end"])),
        ]
    )()


def _categories(draw: Draw):
    file = as_categories(draw, draw.file("categories"))
    how, seed = _for_categories(draw), draw.seed()
    masked = _masked(draw, lambda df: how.mask(df, seed), file)
    tables = how.transitions(file)
    for column in file:
        assert masked[column].cat.ordered == file[column].cat.ordered
        table = tables[column].to_numpy()
        assert (table >= 0).all() and np.allclose(table.sum(axis=1), 1)
    after = masking.compose_transitions(tables, masking.PRAM(0.5).transitions(masked))
    for column in file:
        assert np.allclose(after[column].sum(axis=1), 1)


def as_categories(draw: Draw, file):
    """A file whose columns are categoricals, but for a few."""
    if not isinstance(file, pd.DataFrame) or draw.chance(0.1):
        return file
    file = file.copy()
    for at, dtype in enumerate(file.dtypes):
        values = file.iloc[:, at]
        if not isinstance(dtype, pd.CategoricalDtype) and _are_hashable(values):
            file.isetitem(at, values.astype("category"))
    return file


def _are_hashable(values) -> bool:
    return all(pd.api.types.is_hashable(value) for value in values)


def _short_forms(draw: Draw):
    file = as_categories(draw, draw.file("categories"))
    p, scope = draw.number(0, 5, whole=True), draw.of(["ordinal", "all"])
    into, label = draw.of(["new", "existing"]), draw.of(["top", "other", ("a", 1), 2.5])
    make = [
        lambda df: masking.pram(df, draw.number(0, 1), draw.seed()),
        lambda df: masking.top_code(df, p, scope, into, label),
        lambda df: masking.bottom_code(df, p, scope, into, label),
        lambda df: masking.recode_rare(df, p, into, label, draw.of(["start", "end"])),
    ]
    _masked(draw, draw.pick(make), file)


def _pram_matrix(draw: Draw):
    column = draw.of([pd.Series(draw.column(draw.pick([1, 5, 24]), "categories"))])
    matrix = masking.pram_matrix(column, draw.number(0, 1)).to_numpy()
    assert (matrix >= 0).all() and np.allclose(matrix.sum(axis=1), 1)


def _compose(draw: Draw):
    file = as_categories(draw, draw.file("categories"))
    steps = [transitions(draw, file) for _ in range(draw.pick([1, 2, 3]))]
    if draw.wild:
        steps.append(draw.of([transitions(draw, as_categories(draw, draw.file("categories")))]))
    if not draw.wild:
        steps = [step for step in steps if step is not None] or [{}]
    for table in masking.compose_transitions(*steps).values():
        assert not np.isnan(table.to_numpy(float)).any()


def _method(draw: Draw):
    masks = draw.of(["numbers", "categories"])
    strengths = draw.of([(1, 2), [1, 2]])
    pram = draw.of([(0.1, 0.2)] if masks == "numbers" else [()])
    make = draw.of([lambda p, df: masking.RankSwap(p)])
    masking.Method(draw.of(["swap"]), make, strengths, masks, pram)


def _listed(draw: Draw):
    method = draw.pick(masking.METHODS)
    file = draw.file(method.masks)
    if method.masks == "categories":
        file = as_categories(draw, file)
    if isinstance(file, pd.DataFrame):
        _masked(draw, lambda df: method.make(draw.pick(method.strengths), df).mask(df, 1), file)


CALLS = [
    Call("masking.rank_swap", (masking.rank_swap, masking.RankSwap), _rank_swap),
    Call("masking.add_noise", (masking.add_noise, masking.Noise), _noise),
    Call(
        "masking.microaggregate",
        (masking.microaggregate, masking.Microaggregation, masking.NumericMasking),
        _microaggregation,
        20,
    ),
    Call("masking.variable_groups", (microaggregation.variable_groups,), _variable_groups, 5),
    Call("masking.mdav", (microaggregation.mdav,), _mdav),
    Call(
        "masking.mask",
        (
            masking.PRAM,
            masking.TopCode,
            masking.BottomCode,
            masking.RecodeRare,
            masking.CategoricalMasking,
            masking.Masking,
            masking.Masking.mask,
            masking.CategoricalMasking.transitions,
        ),
        _categories,
        20,
    ),
    Call(
        "masking.pram",
        (masking.pram, masking.top_code, masking.bottom_code, masking.recode_rare),
        _short_forms,
    ),
    Call("masking.pram_matrix", (masking.pram_matrix,), _pram_matrix, 5),
    Call("masking.compose_transitions", (masking.compose_transitions, transitions), _compose, 5),
    Call("masking.Method", (masking.Method,), _method, 3),
    Call("masking.METHODS", (), _listed, 3),
]
