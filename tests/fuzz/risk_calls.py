"""Calls of rlpaper.risk: pairs of files of anybody's making, as frames and as CSV files."""

import tempfile
from pathlib import Path

import numpy as np
import pandas as pd

from rlpaper.risk import Assessment, Pair, assess, prepare

from .call import Call
from .draws import ILLEGAL, Draw

TYPES = ("number", "date", "nominal", "ordinal")

#: Columns as they stand in files: texts, of which some say numbers, dates or nothing.
WRITTEN = [
    lambda rng, n: [f"{at}.{at % 9}34,{at % 7}5" for at in range(1, n + 1)],
    lambda rng, n: [f"{at % 99},234" for at in range(1, n + 1)],
    lambda rng, n: rng.choice(["1,5", "2.5", "1'000", "1 000", "NA", "", "-3e5"], n),
    lambda rng, n: rng.choice(["1e999", "-inf", "7", "8"], n),
    lambda rng, n: [f"{1 + at % 28}.{1 + at % 12}.2001" for at in range(n)],
    lambda rng, n: [f"{1 + at % 12}/{1 + at % 12}/2001 {at % 24}:30" for at in range(n)],
    lambda rng, n: rng.choice(["2001-12-31", "0001-01-01", "9999-12-31 23:59", ""], n),
    lambda rng, n: rng.choice(["2001-02-28", "2001-02-30", "2001-03-01"], n),
    lambda rng, n: [f"{10**12 + at}" for at in range(n)],
    lambda rng, n: [f"{10**40 + at // 2}" for at in range(n)],
    lambda rng, n: rng.choice(["TRUE", "false", "?"], n),
    lambda rng, n: rng.choice(["<b>&", 'say "no"', "a\nb", "x;y,z", "{{ x }}", "$x_1$", "😀"], n),
    lambda rng, n: rng.choice(["01067", "80331", "\ud800", "NULL"], n),
    lambda rng, n: rng.choice(["12 kg", "€ 7", "31 Dec 2001"], n),
    lambda rng, n: ["" for _ in range(n)],
    lambda rng, n: ["x" if at == 1 else "" for at in range(n)],
]
NAMES = ("text", "row", "variable", "$\\frac{a$ b$", "a\nb <i>", "price (missing)", "{{ x }}" * 99)


def _frames(draw: Draw):
    """Two files with columns of any kind, now and then with one that could be a key."""
    rows = draw.pick([10, 10, 12, 24, 40] if not draw.wild or draw.chance(0.8) else [1, 2, 9])
    original, masked = draw.pair("mixed", rows=rows)
    if not (isinstance(original, pd.DataFrame) and isinstance(masked, pd.DataFrame)):
        return original, masked
    if not draw.wild and len(masked) < 10:
        masked = original.copy()
    for name in draw.rng.permutation(NAMES).tolist()[: draw.pick([0, 1, 1, 2, 3])]:
        written = draw.pick([*WRITTEN, *ILLEGAL] if draw.wild else WRITTEN)
        values = pd.Series(written(draw.rng, len(original))).astype(object)
        original = original.assign(**{name: values.array})
        order = draw.rng.permutation(len(values)) if draw.chance(0.4) else np.arange(len(values))
        masked = masked.assign(**{name: values.take(np.resize(order, len(masked))).array})
    if draw.chance(0.3):
        numbers = draw.pick([1, 10**11]) + np.arange(len(original))
        masked = masked.assign(id=np.resize(numbers, len(masked)))
        original = original.assign(id=numbers)
    return original, masked


def _files(draw: Draw, folder: Path):
    """The two files, sometimes as paths of CSV files; in wild calls, of spoilt ones."""
    files = []
    for name, file in zip(("original", "masked"), _frames(draw), strict=True):
        if isinstance(file, pd.DataFrame) and draw.chance(0.3):
            file = _written(draw, file, folder / f"{name}.csv")
        files.append(file)
    return files


def _written(draw: Draw, file: pd.DataFrame, path: Path):
    text = file.to_csv(
        index=draw.chance(0.1),
        sep=draw.pick(",;\t|"),
        decimal=draw.pick(".,"),
        lineterminator=draw.pick(["\n", "\r\n"]),
    )
    encoding = draw.pick(["utf-8", "utf-8-sig", "latin-1", "utf-16"] if draw.wild else ["utf-8"])
    content = text.encode(encoding, "backslashreplace")
    if draw.wild and draw.chance(0.3):
        at = int(draw.rng.integers(len(content) + 1))
        junk = draw.pick([b'"', b"\0", b"\n", b"\xff", b",", b";", b"\r", b"\x1a", b"x" * 200_000])
        content = draw.pick([content[:at] + junk + content[at:], content[:at], content[at:]])
    path.write_bytes(content)
    return draw.pick([path, str(path)])


def _options(draw: Draw, files):
    """Key, types and whether the files are aligned; most files are, though they do not show it."""
    frames = [file for file in files if isinstance(file, pd.DataFrame)]
    names = list(frames[0].columns) if frames else ["v0", "text"]
    options = {}
    if "id" in names and draw.chance(0.5):
        options["key"] = "id"
    elif draw.wild and draw.chance(0.2):
        options["key"] = draw.of(names or ["id"])
    if names and draw.chance(0.3 if draw.wild else 0.1):
        kinds = [*TYPES, ["a", "b", "c"], ["c", "b", "a", "d"], list(range(9))]
        options["types"] = draw.of([{draw.pick(names): draw.of(kinds)}])
    if draw.chance(0.9):
        options["aligned"] = draw.of([True])
    return options


def _prepare(draw: Draw):
    with tempfile.TemporaryDirectory() as folder:
        files = _files(draw, Path(folder))
        options = _options(draw, files)
        before = [file.copy() if isinstance(file, pd.DataFrame) else None for file in files]
        pair = prepare(*files, **options)
    for file, copy in zip(files, before, strict=True):
        if copy is not None:
            pd.testing.assert_frame_equal(file, copy)
    _check(pair)


def _check(pair: Pair):
    labels = [label for some in pair.columns.values() for label in some]
    for file in pair.select():
        assert len(file) == len(pair) >= 10 and list(file) == labels
        assert not file.isna().any(axis=None) and np.isfinite(file[pair.numbers]).all(axis=None)
    assert (pair.original.dtypes == pair.masked.dtypes).all()
    assert pair.variables["changed"].between(0, 1).all()
    assert list(pair.values) == [pair.columns[variable][0] for variable in pair.used]
    assert len(pair.labels) == len(pair) and all(isinstance(note, str) for note in pair.notes)


def _assess(draw: Draw):
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        files = _files(draw, folder)
        assessment = assess(
            *files,
            **_options(draw, files),
            alternatives=draw.of([False] * 9 + [True]),
            random_state=draw.of([0, 1, np.int64(7)]),
            progress=draw.of([False]),
        )
        _check(assessment.pair)
        assert 0 <= assessment.risk <= 1 and repr(assessment)
        attacks = assessment.attacks
        assert attacks[["low", "correct", "high", "strict"]].stack().between(0, 1).all()
        assert not attacks.isna().any(axis=None)
        assert (assessment.information_loss["value"] >= 0).all()
        assert len(assessment.records) == len(assessment.pair)
        assert (assessment.save(folder / "out", draw.chance(0.5)) / "summary.txt").stat().st_size
        if draw.chance(0.1):
            assert assessment.report(folder / "page.html", draw.chance(0.5)).stat().st_size


CALLS = [
    Call("risk.prepare", (prepare,), _prepare, 40),
    Call("risk.assess", (assess, Assessment.save, Assessment.report), _assess, 1),
]
