"""Calls of rlpaper.review: scores, candidate pairs, and projects in folders that are removed."""

import atexit
import gzip
import shutil
import tempfile
from contextlib import closing
from fractions import Fraction
from functools import cache
from pathlib import Path

import numpy as np
import pandas as pd

from rlpaper import review

from .call import Call
from .draws import Draw

TYPES = ("string", "name", "date", "category")
MODES = ("masked", "partial", "full")
NAMES = ("ANN", "ANNE", "MARIA SANCHEZ JR", "MARIA SANCHEZ", "Ж", "a\0b", "*@&", " ", "x" * 40)
REVIEWERS = [["ann", "bob"], ["ann"], ("ann", "\0"), {"ann": "1/2", "bob": 0.25}, [1, 2], {"ann"}]
FILES = ("identifying.sqlite", "sensitive.sqlite")
DOCUMENTED = (
    review.RefusedError,
    review.TamperedError,
    FileExistsError,
    FileNotFoundError,
)


def _people(draw: Draw):
    """A file of persons, as texts of all types; in a wild call, now and then no such file."""
    file = draw.file("mixed", rows=draw.pick([1, 2, 3, 6] if draw.wild else [2, 3, 6]), columns=1)
    if not isinstance(file, pd.DataFrame):
        return file
    columns = {name: _texts(draw, one, len(file)) for name, one in zip("abcd", TYPES, strict=True)}
    people = pd.DataFrame(columns, file.index, dtype=object)
    if draw.chance(0.5):
        people = pd.concat([people, file], axis=1)
    if draw.wild and draw.chance(0.05):
        people = draw.pick([people.rename(columns={"a": "b"}), people.iloc[:, :2], people.iloc[:0]])
    draw.labels |= {repr(name) for name in people}
    return people


def _texts(draw: Draw, one: str, n: int):
    dates = [f"{at % 12 + 1:02}/{at % 3 + 10}/19{at % 2 + 60}" for at in range(12)]
    values = {"date": dates, "category": ["f", "m"]}.get(one, NAMES)
    values = [draw.pick(values) if draw.chance(0.9) else None for _ in range(n)]
    if n and draw.wild and draw.chance(0.05):
        values[-1] = draw.pick(["\ud800", "", "08/09/64", "1964-08-09", 3, np.nan, [1], b"x"])
    return values


def _types(draw: Draw, people: object):
    """Which attributes are shown, and as what."""
    names = [name for name in getattr(people, "columns", "abcd") if str(name) in "abcd"]
    types = {name: dict(zip("abcd", TYPES, strict=True))[name] for name in names}
    chosen = {name: one for name, one in types.items() if draw.chance(0.7)} or types
    if draw.wild and draw.chance(0.08):
        chosen[draw.pick(["z", 3, "k", "pair", "", "\ud800"])] = draw.of(TYPES)
    return draw.of([chosen])


def _pairs(draw: Draw, people: object, other: object = None):
    """Pairs of labels: as a list, as a table, as an index, or what is none."""
    if not isinstance(people, pd.DataFrame):
        return draw.of([[(0, 1)]])
    labels = list(people.index)
    others = list(other.index) if isinstance(other, pd.DataFrame) else labels
    pairs = [(a, b) for a in labels for b in others if other is not None or a != b][:7]
    if draw.wild and draw.chance(0.1):
        pairs.append(draw.pick([(0, 0), (0,), (0, 1, 2), 3, "ab", ([1], {}), (None, np.nan)]))
    return pairs


def _k_anonymity(draw: Draw):
    file = draw.file(draw.pick(["numbers", "categories", "mixed"]))
    names = list(getattr(file, "columns", "a"))
    columns = draw.of([None, names[:2], names[:1] * 2, {*names}])
    k = review.k_anonymity(file, columns)
    assert 1 <= k <= len(file)


def _kapr(draw: Draw):
    people = _people(draw)
    types, pairs = _types(draw, people), _pairs(draw, people)
    modes = draw.of([*MODES, _modes(draw, pairs if isinstance(pairs, list) else [], types)])
    if isinstance(pairs, list) and draw.chance(0.3):
        pairs = iter(pairs)
    before = people.copy() if isinstance(people, pd.DataFrame) else None
    table = review.kapr(
        people,
        pairs,
        types,
        modes,
        draw.number(1, 2, whole=True),
        draw.of(["agreement", "definition"]),
        draw.of(["digits", "elements"]),
        draw.of(["symbols", "hidden"]),
    )
    assert 0 <= table["K"].sum() <= len(people) and all(
        isinstance(value, Fraction) for value in table["K"]
    )
    assert table["k"].between(1, len(people)).all()
    pd.testing.assert_frame_equal(people, before)


def _modes(draw: Draw, pairs: object, types: object):
    n = len(types) if isinstance(types, dict) else 2
    return [draw.of([[draw.of(MODES) for _ in range(n)]]) for _ in pairs or [None]]


def _option(draw: Draw, legal: list, wrong: list):
    """One of the legal options; in a wild call, now and then a wrong one."""
    return draw.pick(wrong) if draw.wild and draw.chance(0.05) else draw.of(legal)


def _score(draw: Draw):
    people = _people(draw)
    types = _types(draw, people)
    n = len(people) if isinstance(people, pd.DataFrame) else 1
    names = list(types) if isinstance(types, dict) else ["a"]
    score = review.PrivacyScore(
        people,
        types,
        draw.number(2, 9, whole=True),
        draw.number(1, 2, whole=True) if draw.wild else 1,
        draw.of(["agreement", "definition"]),
        draw.of(["digits", "elements"]),
        _option(draw, [None, [0] * n, np.arange(n) % 2, (["x", 1, "1"] * n)[:n]], [[None] * n]),
        _option(
            draw,
            [(), [names[:2]] * (len(names) > 1), [names[-2:][::-1]] * (len(names) > 1)],
            [[("a", "z")], [names[:1] * 2], ["ab"]],
        ),
    )
    first = draw.number(0, n - 1, whole=True)
    both = (first, draw.number(0, n - 1, whole=True)) if draw.wild else (first, (first + 1) % n)
    modes = _modes(draw, [], types)[0]
    for k, shares, risk in score.rows(*both, modes):
        assert 1 <= k <= n and all(0 <= share <= 1 for share in shares) and risk >= 0
    assert len(score.comparisons(*both)) == len(types)


def _candidates(draw: Draw):
    first = _people(draw)
    second = draw.of([None, _people(draw)])
    blocks = _option(draw, ["a", ["a", "b"], ("a", "c"), [("a", "b"), "d"]], [[], "z"])
    found = review.block(first, second, blocks=blocks)
    every = review.all_pairs(first, second)
    assert list(found) == list(every) == ["first", "second"] and len(found) <= len(every)
    same = review.read_pairs(every, first, second)
    assert same["first"].tolist() == every["first"].tolist()


def _read_pairs(draw: Draw):
    first = _people(draw)
    second = draw.of([None, None, _people(draw)])
    pairs = _pairs(draw, first, second)
    if isinstance(pairs, list) and all(
        isinstance(pair, tuple) and len(pair) == 2 for pair in pairs
    ):
        pairs = pd.DataFrame(
            np.array([*pairs, None], object)[:-1].tolist(), columns=["first", "second"]
        )
    if not isinstance(pairs, pd.DataFrame):
        return review.read_pairs(pairs, first, second)
    names = draw.pick([("first", "second"), ("unique_id_l", "unique_id_r"), ("x", "y")])
    table = pairs.set_axis(names, axis=1)
    if draw.chance(0.3) and table.map(pd.api.types.is_hashable).all(axis=None):
        table = table.set_index(list(names))
    if draw.wild and draw.chance(0.3):
        table = draw.pick([table.iloc[:, :1], table.iloc[:0], pd.concat([table] * 2, axis=1)])
    if draw.chance(0.3):
        with tempfile.TemporaryDirectory() as folder:
            return _checked(review.read_pairs(_csv(draw, table, folder), first, second))
    if draw.chance(0.3) and table.index.nlevels == 2:
        return _checked(review.read_pairs(table.index, first, second))
    return _checked(review.read_pairs(draw.of([table]), first, second))


def _checked(pairs: pd.DataFrame):
    assert list(pairs) == ["first", "second"] and not pairs.duplicated().any()


def _csv(draw: Draw, table: pd.DataFrame, folder: str):
    path = Path(folder) / draw.pick(["pairs.csv", "pairs.csv.gz"])
    table = table.reset_index() if table.index.nlevels == 2 else table
    content = table.to_csv(index=False).encode("utf-8", "surrogatepass")
    if draw.wild:
        content = draw.pick(
            [
                content[: len(content) // 2],
                content + b'"1,2\n',
                content + b"1,2,3,4\n",
                content.replace(b",", b";"),
                content.replace(b"\n", b"\0\n"),
                gzip.compress(content)[:-3],
                content.decode("utf-8", "replace").encode("utf-16"),
                b"",
                b"\n\n",
                b"\xff" * 9,
            ]
        )
    path.write_bytes(content)
    return draw.of([path, path, str(path)]) if draw.chance(0.9) else Path(folder, "none")


def _create(draw: Draw):
    first, second = _people(draw), draw.of([None, None, _people(draw)])
    types = _types(draw, first)
    shown = list(types) if isinstance(types, dict) else ["a"]
    more = [name for name in getattr(first, "columns", []) if name not in list("abcd")]
    files = [file.copy() for file in (first, second) if isinstance(file, pd.DataFrame)]
    pairs = _pairs(draw, first, second)
    if isinstance(pairs, list):
        pairs = pd.DataFrame([pair for pair in pairs if isinstance(pair, tuple)][:3]).iloc[:, :2]
    with tempfile.TemporaryDirectory() as folder:
        project = review.create(
            draw.of([folder, Path(folder) / "new" / "project"]),
            first,
            second,
            identifiers=draw.of([types]),
            quasi_identifiers=_option(draw, [None, {}], [{"e": "string"}, {"a": "name"}]),
            sensitive=_option(
                draw, [(), ["d"] * (shown != ["d"]), more, more], [["z"], [*shown], ["person"]]
            ),
            pairs=draw.of(["all", "all", pairs]),
            budget=_option(
                draw, [1, 0.05, "1/20", Fraction(1, 3), 5e-324], ["1e-999999999", "1/0", "1e400"]
            ),
            kappa=draw.number(1, 2, whole=True),
            reviewers=_option(draw, REVIEWERS, [["ann", "ann"], [None], {"ann": 2}, ["\ud800"]]),
            reviewers_per_pair=draw.number(1, 2, whole=True) if draw.wild else 1,
            k_counts=draw.of(["own", "both"]),
            counting=draw.of(["agreement", "definition"]),
            dates=draw.of(["digits", "elements"]),
            swaps=_option(draw, [(), [shown[:2]] * ("d" not in shown[:2])], [["z"], "ab", [3]]),
        )
        with closing(project):
            assert project.kapr() == 0 and project.audit()
            assert len(project.linked_table()) == sum(map(len, files))
    for file, before in zip((first, second), files, strict=False):
        pd.testing.assert_frame_equal(file, before)


@cache
def _made() -> Path:
    """A project on which there has been work, for copies; the folder is removed in the end."""
    folder = Path(tempfile.mkdtemp())
    atexit.register(shutil.rmtree, folder)
    people = pd.DataFrame(
        {
            "name": ["MARIA", "MARIE", "ANN", "ANNE", "BOB"],
            "born": ["08/09/1964", "09/08/1964", "08/09/1964", None, "01/02/1980"],
            "sex": ["f", "f", "m", None, "m"],
            "wage": [1, 2, 3, 4, 5],
        }
    )
    with closing(
        review.create(
            folder / "project",
            people,
            identifiers={"name": "name"},
            quasi_identifiers={"born": "date", "sex": "category"},
            sensitive=["wage"],
            reviewers=["ann", "bob"],
            reviewers_per_pair=2,
            budget="9/10",
        )
    ) as project:
        project.issue_tokens()
        with closing(project.session("ann")) as session:
            session.reveal([(0, 0), (1, 1)], "partial")
            session.decide(0, "same", 3)
    return folder / "project"


def _work(draw: Draw):
    """What reviewers and the manager do."""
    with tempfile.TemporaryDirectory() as folder:
        copy = shutil.copytree(_made(), Path(folder) / "project")
        with closing(review.Project(draw.of([copy, str(copy)]))) as project:
            with closing(project.session(draw.of(project.reviewers))) as session:
                for _ in range(4):
                    _act(draw, project, session)
            project.resolve(draw.number(0, 9, whole=True), draw.of(["same", "different"]))
            assert 0 <= project.kapr() <= Fraction(9, 10)
            assert project.linked_table()["person"].between(1, 5).all()
            assert len(project.decisions()) == 20 and len(project.pairs()) == 10
            assert project.disagreement()["agree"].between(0, 1).all()
            project.conflicts(), project.progress(), project.issue_tokens()
            project.audit(draw.of([None, project.log()["hash"].iloc[0]]))


def _act(draw: Draw, project: review.Project, session):
    position = draw.number(0, 9, whole=True)
    if not draw.wild:
        position = int(position)
    cells = [(position, draw.of([0, 1, np.int64(2)])) for _ in range(draw.pick([1, 1, 3]))]
    draw.pick(
        [
            lambda: session.reveal(
                draw.of([cells, tuple(cells), iter(cells)]), draw.of(["partial", "full"])
            ),
            lambda: session.decide(
                position, draw.of(["same", "different", "unsure"]), draw.of([1, 2, 3])
            ),
            lambda: session.page(draw.of([None, 0])),
            lambda: session.handle(draw.of([{"type": "open", "page": position}])),
            lambda: (session.decide(0, "same", 1), session.undo()),
        ]
    )()


def _damage(draw: Draw):
    """A project of which a file was cut, replaced or taken away is no project any more."""
    with tempfile.TemporaryDirectory() as folder:
        copy = shutil.copytree(_made(), Path(folder) / "project")
        file = copy / draw.pick(FILES)
        content = file.read_bytes()
        at = int(draw.rng.integers(len(content)))
        spoilt = {
            "cut": content[:at],
            "text": b"This is no database.\n" * 99,
            "empty": b"",
            "edited": content[:at] + draw.rng.bytes(9) + content[at + 9 :],
        }
        how = draw.pick([*spoilt, "gone", "folder"])
        file.unlink()
        if how in spoilt:
            file.write_bytes(spoilt[how])
        elif how == "folder":
            file.mkdir()
        try:
            review.audit(copy)
            noticed = False
        except (review.TamperedError, FileNotFoundError, OSError):
            noticed = True
        assert noticed or how == "edited", how  # which may be where nothing is kept
        if how != "edited":
            with closing(review.Project(copy)) as project:
                project.progress(), project.linked_table()


def _folder(draw: Draw):
    """Folders that are none, or without a project."""
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "file").write_text("text")
        named = draw.of(
            [folder, Path(folder, "none"), f"{folder}/file", "a\0b", "\ud800", "x" * 300]
        )
        draw.pick(
            [
                lambda: review.Project(named),
                lambda: review.audit(named, draw.of([None, "0" * 64])),
                lambda: review.create(
                    f"{folder}/file/{named}",
                    pd.DataFrame({"name": ["ANN", "BOB"]}),
                    identifiers={"name": "name"},
                ).close(),
            ]
        )()


CALLS = [
    Call("review.k_anonymity", (review.k_anonymity,), _k_anonymity, 10),
    Call("review.kapr", (review.kapr,), _kapr, 20),
    Call("review.PrivacyScore", (review.PrivacyScore, review.PrivacyScore.rows), _score, 20),
    Call("review.block", (review.all_pairs, review.block), _candidates, 10),
    Call("review.read_pairs", (review.read_pairs,), _read_pairs, 20),
    Call("review.create", (review.create,), _create, 2, DOCUMENTED),
    Call("review.Project", (review.Project, review.Project.resolve), _work, 1, DOCUMENTED),
    Call("review.audit", (review.audit,), _damage, 1, DOCUMENTED),
    Call("review.folder", (review.audit,), _folder, 1, DOCUMENTED),
]
