"""Calls of rlpaper.linkage."""

import numpy as np
import pandas as pd

from rlpaper import distances, linkage
from rlpaper.aggregation import power_quantifier
from rlpaper.distances import AgreementPattern, PreparedFiles, SumOverColumns, squared_euclidean
from rlpaper.linkage import DIRECTIONS, TIES, FellegiSunter
from rlpaper.linkage.blocking import pairs_in_blocks
from rlpaper.linkage.nearest import link_within, tabled
from rlpaper.linkage.no_common_variables import normalised

from . import distances_calls
from .call import Call
from .draws import Draw

KINDS = ("numbers", "numbers", "categories", "mixed")
KEYS = [
    lambda rng, n: rng.choice(["north", "south"], n).astype(object),
    lambda rng, n: pd.Categorical(rng.choice(["north", "south", "west"], n)),
    lambda rng, n: rng.integers(0, 2, n),
    lambda rng, n: pd.array(rng.integers(0, 2, n).astype(bool)),
    lambda rng, n: pd.array([None if at % 3 else at % 2 for at in range(n)], "Int64"),
    lambda rng, n: pd.Series([["", "x", None, "y"][at % 4] for at in range(n)], dtype=object).array,
    lambda rng, n: pd.date_range("2001-01-01", periods=n, freq="12h").normalize(),
]


def _files(draw: Draw):
    """A kind of columns, and two files of it that are linked by them."""
    kind = draw.pick(KINDS)
    return kind, draw.pair(kind)


def _keyed(draw: Draw, pair):
    """The files, mostly as they are, or with columns to block by, and the keys."""
    if not all(isinstance(file, pd.DataFrame) for file in pair) or draw.chance(0.6):
        return pair, None
    keys = {"region": draw.pick(KEYS), "year": draw.pick(KEYS)}
    alike = draw.chance(0.8)
    filled = []
    for file in pair:
        more = {
            name: (make if alike else draw.pick(KEYS))(draw.rng, len(file))
            for name, make in keys.items()
        }
        filled.append(pd.concat([file, pd.DataFrame(more, index=file.index)], axis=1))
    several = [["region", "year"], [("region", "year")], ["region", ["year"]]]
    wrong = ["town", ["region", "region"], [["region"], []], ("region", {}), [None], *several]
    return tuple(filled), draw.of(
        ["region", ("region", "year"), ["region"], *(wrong if draw.wild else [])]
    )


def _distance(draw: Draw, pair, kind: str):
    """A distance for the files, now and then one that somebody else wrote."""
    if draw.chance(0.15) and all(isinstance(file, pd.DataFrame) for file in pair):
        return _own(draw)
    return _made(draw, pair, kind)


def _made(draw: Draw, pair, kind: str):
    """A distance that the package makes, mostly one that suits the kind of columns."""
    if kind == "mixed" and draw.chance(0.7):
        return draw.pick([distances.gower(), distances.mixed()])
    distance = distances_calls.distance(draw, pair, kind)
    return distances.gower() if distance is None and kind != "numbers" else distance


def _own(draw: Draw):
    """A distance made of arrays and a function; in a wild call, ones that do not fit."""
    columns = draw.pick([1, 2, 3])
    odd = draw.wild and draw.chance(0.5)

    def rows(file):
        values = draw.rng.integers(0, 3, (len(file), columns))
        values = draw.pick([values, values.astype(float), values.astype(np.uint8), values > 1])
        if not odd:
            return values
        spoilt = [values[:-1], values[:, :-1], values[0], values.tolist(), None, values + 1j]
        spoilt += [np.full(values.shape, odd) for odd in (np.nan, np.inf, -1e200, 1e149)]
        return draw.pick([values, values.astype(object), *spoilt])

    def table(a, b):
        values = (a[:, None] != b[None, :]).sum(axis=2)
        if not odd:
            return draw.pick([values, values * 0.5, np.broadcast_to(3.0, values.shape)])
        spoilt = [values[0], values.tolist(), None, values * np.nan, values.T, -values, 3.0]
        return draw.pick([values, *spoilt])

    more = int(odd and draw.chance(0.3))
    compared = draw.pick(
        [
            table,
            squared_euclidean,
            SumOverColumns(
                ["square"] * (columns + more),
                [draw.pick([0, 1.0, 1 / 3, 1e308]) for _ in range(columns + more)],
                draw.pick([1, 7, 1e-300]),
                draw.pick([0, 0, 0.25, 1e-300]),
            ),
            AgreementPattern(
                [draw.pick([0, 1, 2.5, np.inf, -odd]) for _ in range(2 ** (columns + more))]
            ),
        ]
    )
    squared = draw.pick([True, False])
    if odd and draw.chance(0.1):
        return draw.pick([lambda a, b: None, lambda a, b: (a, b)])
    return lambda a, b: PreparedFiles(rows(a), rows(b), compared, squared)


def _options(draw: Draw):
    return draw.of(DIRECTIONS), draw.of(TIES)


def _check_links(links, pair, direction, blocks):
    linking, candidates = pair if direction == DIRECTIONS[1] else pair[::-1]
    assert links.index.equals(linking.index)
    assert links["correct"].between(0, 1).all()
    assert blocks is not None or (links["ties"].between(1, len(candidates))).all()
    assert links["nearest"].isin([*candidates.index, None]).all()
    value = "distance" if "distance" in links else "weight"
    assert not links[value].isna().any() or blocks is not None
    if value == "distance" and blocks is None:
        assert (links["distance"] <= links["second_distance"]).all()


def _link(draw: Draw):
    kind, pair = _files(draw)
    distance = _distance(draw, pair, kind)
    keyed, blocks = _keyed(draw, pair)
    direction, ties = _options(draw)
    links = linkage.link(*keyed, distance, direction, ties, blocks)
    _check_links(links, pair, direction, blocks)


def _correct_links(draw: Draw):
    kind, pair = _files(draw)
    distance = _made(draw, pair, kind)
    keyed, blocks = _keyed(draw, pair)
    direction, ties = _options(draw)
    correct = linkage.correct_links(*keyed, distance, direction, ties, blocks)
    rate = linkage.reidentification_rate(*keyed, distance, direction, ties, blocks)
    assert ((correct >= 0) & (correct <= 1)).all() and rate == correct.mean()


def _one_to_one(draw: Draw):
    kind, pair = _files(draw)
    links = linkage.link_one_to_one(*pair, _distance(draw, pair, kind))
    assert len(links) == min(map(len, pair)) and links["partner"].is_unique
    assert links["correct"].between(0, 1 + 1e-9).all() and np.isfinite(links["distance"]).all()


def _ranks(draw: Draw):
    kind, pair = _files(draw)
    direction, ties = _options(draw)
    found = linkage.ranks(*pair, _distance(draw, pair, kind), direction)
    candidates = len(pair[0] if direction == DIRECTIONS[0] else pair[1])
    assert ((found["nearer"] + found["tied"]).between(0, candidates)).all()
    if draw.wild and draw.chance(0.3):
        spoilt = [found.iloc[:, :1], found * np.nan, -found, found.astype(str), found["tied"], None]
        found = draw.pick([*spoilt, pd.concat([found, found], axis=1), found.iloc[:0]])
    share = linkage.correct_at(found, draw.number(1, 5, whole=True), ties)
    assert share.between(0, 1).all()


def _tabled(draw: Draw):
    kind, pair = _files(draw)
    direction, ties = _options(draw)
    distance = _made(draw, pair, kind)
    kept = tabled(distance, *pair)
    links = link_within(*pair, kept, direction, ties, None)
    _check_links(links, pair, direction, None)
    pd.testing.assert_frame_equal(links, linkage.link(*pair, distance, direction, ties))


def _comparison(draw: Draw):
    if draw.wild and draw.chance(0.08):
        wrong = [linkage.exact, linkage.same_bin(), lambda x, y: (x, y), lambda x, y: None, "exact"]
        return draw.pick(wrong)
    return draw.pick(
        [
            lambda: None,
            linkage.exact,
            lambda: linkage.within(draw.number(0, 5)),
            lambda: linkage.within_share(draw.number(0, 1)),
            lambda: linkage.same_bin(draw.number(1, 7, whole=True)),
        ]
    )()


def _comparisons(draw: Draw, file):
    if not isinstance(file, pd.DataFrame) or draw.chance(0.6):
        return _comparison(draw)
    names = list(file.columns)
    if draw.wild and draw.chance(0.1):
        names = [*names[1:], "another"]
    return {name: _comparison(draw) or linkage.exact() for name in names}


def _model(draw: Draw, kind: str, file):
    options = {
        "probability_floor": draw.of([1e-6, 1e-6, 0, None, 0.4, 1e-320]),
        "start": (draw.number(0, 1), draw.number(0, 1), draw.number(0, 1)),
        "tolerance": draw.of([1e-6, 0.1, -1, 0]),
        "max_iterations": draw.of([1, 5, 30, 5.0]),
        "u": draw.of(["em", "pairs"]),
        "prorate": draw.of([False, False, kind == "numbers"]),
    }
    if draw.chance(0.5):
        options["start"] = draw.of([(0.9, 0.1, 0.1), [0.8, 0.2, 0.5], (0, 0, 0), (1, 1, 1)])
    comparisons = linkage.exact() if kind != "numbers" else _comparisons(draw, file)
    chosen = {name: value for name, value in options.items() if draw.chance(0.5)}
    return FellegiSunter(comparisons, **chosen)


def _compared_files(draw: Draw):
    """Files that records may be compared in: texts and missing values too."""
    kind, pair = _files(draw)
    if draw.chance(0.3) and all(isinstance(file, pd.DataFrame) and len(file) for file in pair):
        pair = tuple(file.mask(draw.rng.random(file.shape) < 0.2) for file in pair)
    return kind, pair


def _fitted(draw: Draw):
    kind, pair = _compared_files(draw)
    model = _model(draw, kind, pair[0])
    keyed, blocks = _keyed(draw, pair)
    if blocks is not None:
        model.comparisons = linkage.exact()
        model.prorate = False
    before = [file.copy() if isinstance(file, pd.DataFrame) else None for file in keyed]
    alone = draw.chance(0.25)
    if draw.wild and draw.chance(0.03):
        return model, pair, keyed, blocks
    model.fit(keyed[0], None if alone else keyed[1], blocks)
    for file, copy in zip(keyed, before, strict=True):
        if copy is not None:
            pd.testing.assert_frame_equal(file, copy)
    return model, pair, keyed, blocks


def _probability(values):
    return np.all((np.asarray(values) >= 0) & (np.asarray(values) <= 1))


def _fit(draw: Draw):
    model, *_ = _fitted(draw)
    table, history = model.patterns_, model.history_
    assert _probability(model.m_) and _probability(model.u_) and _probability(model.p_)
    assert _probability(table["probability"]) and not table["weight"].isna().any()
    assert (table["pairs"] > 0).all() and _probability(history[["m", "u", "p"]])
    assert repr(model)


def _model_links(draw: Draw):
    model, _, keyed, blocks = _fitted(draw)
    direction, ties = _options(draw)
    if isinstance(blocks, list):
        blocks = None
    links = model.link(*keyed, direction, ties, blocks)
    _check_links(links, keyed, direction, blocks)


def _model_one_to_one(draw: Draw):
    model, _, keyed, _ = _fitted(draw)
    threshold = draw.of([-np.inf, np.inf, 0, -3.5])
    links = model.link_one_to_one(*keyed, threshold)
    assert (links["weight"] >= threshold).all() and links["partner"].is_unique


def _model_distance(draw: Draw):
    model, _, keyed, _ = _fitted(draw)
    compared = model.distance(*keyed)
    table = compared.distances(compared.original, compared.masked)
    assert table.shape == (len(keyed[0]), len(keyed[1])) and not np.isnan(table).any()


def _classify(draw: Draw):
    model, pair, keyed, blocks = _fitted(draw)
    if draw.wild and draw.chance(0.15):
        keyed = draw.pick([pair, keyed[::-1], (keyed[0], None), draw.pair()])
    bounds = draw.number(0, 1), draw.number(0, 1)
    upper, lower = model.thresholds(*bounds)
    assert upper >= lower
    alone = draw.chance(0.25)
    found = model.classify(keyed[0], None if alone else keyed[1], *bounds, blocks)
    assert (found["weight"] >= lower).all() and found["class"].isin(["linked", "clerical"]).all()


def _pairs(draw: Draw):
    _, pair = _files(draw)
    (first, second), blocks = _keyed(draw, pair)
    if blocks is None and isinstance(first, pd.DataFrame) and first.shape[1]:
        names = list(first.columns)
        blocks = draw.pick([names[:1], [names], names])
    if draw.chance(0.3):
        second = None
    rows, others = pairs_in_blocks(first, second, blocks)
    other = first if second is None else second
    assert len(rows) == len(others) == len({*zip(rows.tolist(), others.tolist(), strict=True)})
    assert ((rows >= 0) & (rows < len(first)) & (others >= 0) & (others < len(other))).all()
    assert second is not None or (rows < others).all()


def _operators(draw: Draw):
    if draw.wild and draw.chance(0.1):
        own = lambda values, missing: values.sum(axis=1)  # noqa: E731
        wrong = lambda values, missing: values  # noqa: E731
        return draw.pick([{"own": own}, {"own": wrong}, {"own": "mean"}, {}, [own], own])
    alphas = [None, None, [draw.number(0, 1), draw.number(1, 2)], [1], np.array([0.5, 1])]
    if draw.wild:
        alphas += [[], [1, 1], ["a"], [np.nan], [-1]]
    return draw.pick(
        [
            None,
            linkage.symmetric_operators(
                draw.of(["choquet", "sugeno"]), draw.of(["Qe", "Qs", "Qt"]), draw.of(alphas)
            ),
        ]
    )


def _with_holes(draw: Draw):
    file = draw.file()
    if isinstance(file, pd.DataFrame) and len(file) and draw.chance(0.4):
        return file.mask(draw.rng.random(file.shape) < 0.2)
    return file


def _representatives(draw: Draw):
    file, operators = _with_holes(draw), _operators(draw)
    normalise = draw.of(["standard", "range", None])
    missing = draw.of(["zero", "zero", "project", "refuse"])
    made = linkage.representatives(file, operators, normalise, missing)
    assert made.index.equals(file.index) and np.isfinite(made.to_numpy()).all()
    values = normalised(file, normalise)
    assert values.columns.equals(file.columns)
    assert (values.isna().to_numpy() == file.isna().to_numpy(bool)).all()


def _without_common(draw: Draw):
    a, b = draw.pair()
    if isinstance(b, pd.DataFrame) and b.shape[1] > 1 and draw.chance(0.5):
        b = b.iloc[:, :-1]
    keyed, blocks = _keyed(draw, (a, b))
    direction, ties = _options(draw)
    links = linkage.link_without_common(
        *keyed,
        _operators(draw),
        draw.of(["standard", "range", None]),
        draw.of(["zero", "zero", "project", "refuse"]),
        direction,
        ties,
        blocks,
    )
    _check_links(links, (a, b), direction, blocks)


def _chance(draw: Draw):
    n, r = draw.number(1, 60, whole=True), draw.number(0, 30, whole=True)
    exactly, at_least = linkage.links_by_chance(n, r), linkage.links_by_chance_at_least(n, r)
    assert 0 <= exactly <= at_least <= 1


def _permutation(draw: Draw):
    candidates = draw.number(1, 20, whole=True)
    links = draw.rng.integers(0, 9, draw.pick([1, 2, 5, 9])).tolist()
    more = [pd.Series(links, dtype=object), np.array(links), [*links[1:], None], range(len(links))]
    if draw.wild:
        more += [[[1]], "aab", {1: 2}, np.ones((2, 2)), [], [np.nan]]
    chance = linkage.links_by_permutation(
        draw.of([links, *more]), candidates, draw.number(0, 9, whole=True)
    )
    assert 0 <= chance <= 1


def _simulated(draw: Draw):
    n, times = draw.number(1, 60, whole=True), draw.number(1, 60, whole=True)
    links = linkage.simulate_links(n, times, draw.seed())
    assert links.shape == (times,) and ((links >= 0) & (links <= n)).all()


CALLS = [
    Call("linkage.link", (linkage.link, PreparedFiles), _link, 40),
    Call(
        "linkage.correct_links",
        (linkage.correct_links, linkage.reidentification_rate),
        _correct_links,
    ),
    Call("linkage.link_one_to_one", (linkage.link_one_to_one,), _one_to_one, 15),
    Call("linkage.ranks", (linkage.ranks, linkage.correct_at), _ranks, 15),
    Call("linkage.tabled", (tabled, linkage.link), _tabled),
    Call(
        "linkage.FellegiSunter.fit",
        (
            FellegiSunter,
            FellegiSunter.fit,
            linkage.exact,
            linkage.same_bin,
            linkage.within,
            linkage.within_share,
        ),
        _fit,
        20,
    ),
    Call("linkage.FellegiSunter.link", (FellegiSunter.link,), _model_links, 15),
    Call(
        "linkage.FellegiSunter.link_one_to_one", (FellegiSunter.link_one_to_one,), _model_one_to_one
    ),
    Call("linkage.FellegiSunter.distance", (FellegiSunter.distance,), _model_distance),
    Call(
        "linkage.FellegiSunter.classify",
        (FellegiSunter.classify, FellegiSunter.thresholds),
        _classify,
        15,
    ),
    Call("linkage.pairs_in_blocks", (pairs_in_blocks,), _pairs),
    Call(
        "linkage.representatives",
        (linkage.representatives, linkage.symmetric_operators, normalised, power_quantifier),
        _representatives,
    ),
    Call("linkage.link_without_common", (linkage.link_without_common,), _without_common),
    Call(
        "linkage.links_by_chance",
        (linkage.links_by_chance, linkage.links_by_chance_at_least),
        _chance,
        5,
    ),
    Call("linkage.links_by_permutation", (linkage.links_by_permutation,), _permutation, 5),
    Call("linkage.simulate_links", (linkage.simulate_links,), _simulated, 5),
]
