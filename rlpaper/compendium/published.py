"""The papers' numbers, one row per printed cell, and how each is judged.

The CSV files of ``data/published`` are transcriptions; ``data/published/index.toml`` says how each
is read.
"""

import re
import tomllib
from functools import lru_cache
from pathlib import Path

import numpy as np
import pandas as pd

from .. import datasets
from .._internal import inputs
from .._internal.sources import digest

#: How a prose row's "how to judge" translates.
_PROSE = {"claim": "claim", "number": "band", "exact": "printed"}

_COLUMNS = ["paper", "item", "cell", "published", "unit", "judge", "executions", "marked"]


def folder() -> Path:
    """Return where the published numbers are, and what the papers are."""
    return datasets.data_folder() / "published"


def papers() -> dict[str, dict]:
    """Return the papers in order: key -> what ``papers.toml`` says of it."""
    return tomllib.loads((folder() / "papers.toml").read_text())


def cells(paper: str | None = None, item: str | None = None) -> pd.DataFrame:
    """Return every published cell: `paper, item, cell, published, unit, judge, executions, marked`.

    `published` is the printed text. `unit` is the table's unit, or that of the last printed digit
    where the number has one right answer, twice that where the print is cut; empty where nothing is
    measured. `executions` is the number of runs behind a printed mean. A last column, `marked`, is
    true where the printed number is about a file that a surrogate may stand in for: what is held
    against it says in a column `data` what it was computed from.

    Examples
    --------
    >>> cell = cells("abril2012", "table2").query("cell == 'p=6 dbrl'")
    >>> cell[["published", "unit"]].values.tolist()
    [['88', 1.0]]
    """
    inputs.note(
        " ".join(["cells", *([paper] if paper else []), *([item] if paper and item else [])])
    )
    return _selected(paper, item)


def _selected(paper, item):
    table = _all_cells(folder(), _state(folder()))
    if paper is not None:
        table = table[table["paper"] == paper]
    if item is not None:
        table = table[table["item"] == item]
    return table.reset_index(drop=True)


def check_cells(frame: pd.DataFrame, paper: str, item: str) -> None:
    """Refuse reproduced values that name a cell which the paper does not have."""
    known = cells(paper, item)["cell"]
    unknown = sorted(set(frame["cell"]) - set(known))
    if unknown and len(known):
        raise ValueError(
            f"{paper} {item} has no cell {unknown[0]!r} ({len(unknown)} unknown in all); "
            f"its cells are named like {known.head(3).tolist()}, see data/published/index.toml"
        )


def table(name: str) -> pd.DataFrame:
    """Return one transcribed file as it stands, for the numbers that a paper gives as input.

    Examples
    --------
    >>> table("torra2008_table1_example").shape
    (10, 5)
    """
    inputs.note(f"published {name}")
    return pd.read_csv(folder() / f"{name}.csv")


def explanations() -> pd.DataFrame:
    """Return why numbers are no plain match: paper, item, cell (or a pattern of cells), a line."""
    inputs.note("published explanations")
    return pd.read_csv(folder() / "explanations.csv")


def version(kind: str, *names: str) -> str:
    """Return the checksum of what `table` reads or of what `cells` returns.

    `kind` is ``published`` or ``cells``.
    """
    if kind == "cells":
        paper, item = (*names, None, None)[:2]
        return digest(_selected(paper, item).to_csv())
    path = folder() / f"{names[0]}.csv"
    return digest(path.read_text()) if path.exists() else "none"


def _state(folder):
    """Return what changes when a file of the folder does."""
    return tuple((path.name, path.stat().st_mtime_ns) for path in sorted(folder.iterdir()))


# Read once for each `state` of the folder; what a call asked for is noted by `cells`, every time.
@lru_cache(maxsize=1)
def _all_cells(folder, state):
    index = tomllib.loads((folder / "index.toml").read_text())
    files = {path.name for path in folder.glob("*.csv")} - {"explanations.csv"}
    if files != set(index):
        raise ValueError(
            f"data/published and its index.toml disagree about {sorted(files ^ set(index))}"
        )
    rows = [row for file, spec in index.items() for row in _file_cells(folder / file, spec)]
    return pd.DataFrame(rows, columns=_COLUMNS)


def _file_cells(path, spec):
    frame = pd.read_csv(path, dtype=str, keep_default_na=False)
    keys = re.findall(r"{([^}]+)}", spec["row"])
    stated = {*keys, *spec.get("notes", []), *spec["columns"]}
    if stated != set(frame.columns):
        raise ValueError(
            f"index.toml does not say what these columns of {path.name} are: "
            f"{sorted(stated ^ set(frame.columns))}"
        )
    for _, row in frame.iterrows():
        name = "Avg" if row[keys[0]] == "Avg" else spec["row"].format(**row)
        for column, own in spec["columns"].items():
            settings = {**spec, **own}
            cell = " ".join(filter(None, [name, own.get("name", column)]))
            judge = settings["judge"]
            if judge == "prose":
                judge = _PROSE[re.match(r"\w+", row["how to judge"]).group()]
            judge = spec.get("cells", {}).get(cell, judge)
            item = settings.get("item") or spec["item_by"][row[keys[0]]]
            yield (
                spec["paper"],
                item,
                cell,
                row[column],
                _unit(row[column], cell, judge, settings),
                judge,
                settings.get("executions", 1),
                settings.get("marked", False),
            )


def _unit(printed, cell, judge, settings):
    if judge == "band":
        return float(settings["unit"])
    if judge == "printed":
        return last_digit(printed, settings.get("decimals", 0)) * (
            2 if cell in settings.get("cut", []) else 1
        )
    return np.nan


def last_digit(printed: str, decimals: int = 0) -> float:
    """Return the value of one unit in the last printed place.

    At least `decimals` places are taken as printed.

    Examples
    --------
    >>> last_digit("0.351"), last_digit("0.3", decimals=3), last_digit("1.0138E-7")
    (0.001, 0.001, 1e-11)
    """
    mantissa, _, exponent = printed.upper().partition("E")
    places = len(mantissa.partition(".")[2])
    if not exponent:
        places = max(places, decimals)
    return float(f"1e{int(exponent or 0) - places}")
