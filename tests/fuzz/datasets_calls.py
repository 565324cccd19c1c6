"""Calls of rlpaper.datasets and rlpaper.examples."""

import tempfile
from pathlib import Path

from rlpaper import datasets, examples
from rlpaper.datasets import ahs, uci

from .call import Call
from .draws import Draw

NAMES = ("census", "iris", "income_esl", "febrl_dataset1", "water_treatment", "ahs")
CELLS = ("1", "'02'", "'B'", "-9", "", " ", '"3"', "''")
WRONG_CELLS = ("college", "\xb2", "9" * 5000, "x" * 140_000, '"', "\0", "1,2", "\u0661")


def _load(draw: Draw):
    options = {"order": draw.of(["file", "alphabetical"])}
    if draw.wild and draw.chance(0.3):
        options["refresh"] = draw.pick(["x", None, 0])
    if draw.wild and draw.chance(0.3):
        options["folder"] = draw.pick([3, b"data", "no folder", Path("rlpaper"), [], "\ud800"])
    frame = datasets.load(draw.of(NAMES), **options)
    assert frame.size and list(frame.attrs["variables"].values()) == list(frame.columns)


def _catalogue(draw: Draw):
    if not draw.wild:
        assert datasets.catalogue(draw.pick([None, "data", Path("data")])).index.is_unique
        return
    with tempfile.TemporaryDirectory() as folder:
        text = draw.pick([b"", b"a = 1", b"[a]\n", b"[a", b"\xff", b"[a]\nfile = 3", None])
        if text is not None:
            Path(folder, "catalogue.toml").write_bytes(text)
        draw.pick([datasets.catalogue, lambda folder: datasets.load("a", folder=folder)])(
            draw.of([folder])
        )


def _version(draw: Draw):
    assert datasets.version(draw.of(NAMES))


def _survey(draw: Draw):
    """The user's own copy of a survey, in which a program or a person may have made mistakes."""
    header = ["CONTROL", *ahs.CATEGORIES, "WEIGHT"]
    cells = [*CELLS, *WRONG_CELLS] if draw.wild and draw.chance(0.3) else CELLS
    rows = [[draw.pick(cells) for _ in header] for _ in range(draw.pick([1, 3, 30]))]
    between = "\n"
    if draw.wild and draw.chance(0.3):
        way = draw.pick(["short row", "no header", "two columns", "no records", "semicolons"])
        if way == "short row":
            rows[-1] = rows[-1][:-1]
        elif way == "no header":
            header = rows[0]
        elif way == "two columns":
            header[0] = "BUILT"
        elif way == "no records":
            rows = []
        else:
            header = [";".join(header)]
    elif draw.chance(0.3):
        between = draw.pick(["\r\n", "\n\n", "\r"])
    lines = [",".join(header), *(",".join(row) for row in rows)]
    mark = draw.pick(["", "\ufeff"])
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "ahs1993.csv")
        if not draw.wild or draw.chance(0.95):
            path.write_bytes((mark + between.join(lines) + between).encode("utf-8"))
        frame = ahs.read(path)
    assert list(frame.columns) == list(ahs.CATEGORIES) and len(frame) == len(rows)
    assert not frame.isna().any(axis=None)


def _surrogate(draw: Draw):
    frame = ahs.surrogate(draw.number(25, 200, whole=True), draw.seed())
    assert frame.shape[1] == len(ahs.CATEGORIES) and not frame.isna().any(axis=None)


def _compare(draw: Draw):
    original, masked = draw.pair("mixed")
    found = uci.compare(original, masked)["different"]
    assert (found >= 0).all()
    assert (uci.compare(original, original)["different"] == 0).all()


def _masked_example(draw: Draw):
    make = draw.pick([examples.adult, examples.household_survey, examples.household_survey])
    original, masked = make(draw.number(1, 60, whole=True))
    assert masked.index.equals(original.index) and masked.columns.equals(original.columns)


def _review_example(draw: Draw):
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "project")
        if draw.chance(0.7):
            examples.markups(draw.pick([path, str(path)]))
        else:
            examples.persons(path, budget=draw.pick(["1/20", 0.5]))
        assert any(path.iterdir())


CALLS = [
    Call("datasets.load", (datasets.load,), _load, 1),
    Call("datasets.catalogue", (datasets.catalogue,), _catalogue, 2),
    Call("datasets.version", (datasets.version,), _version, 1),
    Call("datasets.ahs.read", (ahs.read,), _survey, 5),
    Call("datasets.ahs.surrogate", (ahs.surrogate,), _surrogate, 2),
    Call("datasets.uci.compare", (uci.compare,), _compare, 5),
    Call("examples.adult", (examples.adult, examples.household_survey), _masked_example, 1),
    Call("examples.markups", (examples.markups, examples.persons), _review_example, 1),
]
