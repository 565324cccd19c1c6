"""The papers' numbers, one row a printed cell, each with what it is to be held against.

The CSV files of ``data/published`` are transcriptions; ``data/published/index.toml`` says how each is read.
"""

import re
import tomllib
from functools import lru_cache

import numpy as np
import pandas as pd

from . import fingerprints

PAPERS = {
    "abril2012": "Abril, Navarro-Arribas & Torra (2012), Improving record linkage with supervised learning for "
    "disclosure risk assessment, Information Fusion 13, 274-284",
    "abril2011": "Abril, Navarro-Arribas & Torra (about 2011; the copy at hand has no title), overview of supervised "
    "record linkage: weighted mean, Choquet integral and a Mahalanobis-like distance side by side",
    "torra2008": "Torra & Nin (2008), Record linkage for database integration using fuzzy integrals, "
    "International Journal of Intelligent Systems 23, 715-734",
    "domingo2002": "Domingo-Ferrer & Torra (2002), Distance-based and probabilistic record linkage for "
    "re-identification of records with categorical variables",
    "li2019": "Li, D'Souza, Schmit & Kum (2019), Increasing transparent and accountable use of data by quantifying "
    "the actual privacy risk in interactive record linkage (MINDFIRL)",
}

#: How a prose row's "how to judge" translates.
_PROSE = {"claim": "claim", "number": "band", "exact": "printed"}

_COLUMNS = ["paper", "item", "cell", "published", "unit", "judge", "executions"]


def cells(paper=None, item=None):
    """Every published cell: `paper, item, cell, published, unit, judge, executions`.

    `published` is the printed text. `unit` is the table's unit, or that of the last printed digit where the
    number has one right answer, twice that where the print is cut; empty where nothing is measured.
    `executions` is the number of runs behind a printed mean.

    Examples
    --------
    >>> cells("abril2012", "table2").query("cell == 'p=6 dbrl'")[["published", "unit"]].values.tolist()
    [['88', 1.0]]
    """
    table = _all_cells()
    if paper is not None:
        table = table[table["paper"] == paper]
    if item is not None:
        table = table[table["item"] == item]
    return table.reset_index(drop=True)


def check_cells(frame, paper, item):
    """Raise a ValueError if a frame of reproduced values names a cell that the paper does not have."""
    known = cells(paper, item)["cell"]
    unknown = sorted(set(frame["cell"]) - set(known))
    if unknown and len(known):
        raise ValueError(
            f"{paper} {item} has no cell {unknown[0]!r} ({len(unknown)} unknown in all); its cells are "
            f"named like {known.head(3).tolist()}, see data/published/index.toml"
        )


def table(name):
    """One transcribed file as it stands, for the numbers that a paper gives as input.

    Examples
    --------
    >>> table("torra2008_table1_example").shape
    (10, 5)
    """
    return pd.read_csv(fingerprints.DATA / "published" / f"{name}.csv")


@lru_cache(maxsize=1)
def _all_cells():
    folder = fingerprints.DATA / "published"
    index = tomllib.loads((folder / "index.toml").read_text())
    files = {path.name for path in folder.glob("*.csv")}
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
            )


def _unit(printed, cell, judge, settings):
    if judge == "band":
        return float(settings["unit"])
    if judge == "printed":
        return last_digit(printed, settings.get("decimals", 0)) * (
            2 if cell in settings.get("cut", []) else 1
        )
    return np.nan


def last_digit(printed, decimals=0):
    """The value of one unit in the last printed place, taking at least `decimals` places as printed.

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
