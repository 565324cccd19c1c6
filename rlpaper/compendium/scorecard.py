"""Published against reproduced: fixed bands, one row per number.

A difference is a **match** within max(2 standard errors, half a unit), **near** within max(4
standard errors, 2 units), and else **differs**. The unit belongs to the table (a percentage point,
a record, 0.01 of a ratio; the last printed digit where there is one right answer) and is stated in
``data/published/index.toml``.
"""

import fnmatch
import math
import re
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from . import published, results

COLUMNS = [
    "paper",
    "item",
    "cell",
    "published",
    "reproduced",
    "se",
    "unit",
    "verdict",
    "explanation",
]

#: From best to worst; `input` is what a paper gives, `missing` what is not reproduced yet.
VERDICTS = ["match", "near", "differs", "not comparable", "input", "missing"]


def band(difference: float, se: float, unit: float) -> str:
    """Return the verdict on a difference.

    Examples
    --------
    >>> [band(difference, se=0.5, unit=1) for difference in (0.9, 1.9, 2.1)]
    ['match', 'near', 'differs']
    """
    # A hair of room for decimal fractions that binary ones cannot hold.
    distance = abs(difference) * (1 - 1e-9)
    if distance <= max(2 * se, 0.5 * unit):
        return "match"
    if distance <= max(4 * se, 2 * unit):
        return "near"
    return "differs"


def compare(frame: pd.DataFrame, paper: str, item: str) -> pd.DataFrame:
    """Hold a tidy frame of reproduced values against the published cells of one table.

    Parameters
    ----------
    frame : DataFrame
        Columns `cell` and `value`, one row per execution. A claim has `holds` (true or false)
        beside the value that was measured. Rows computed from a surrogate say so in a column
        `data`; where a surrogate may stand in for the paper's data, a frame without this column
        is refused.
    paper, item : str

    Returns
    -------
    DataFrame
        The columns of the scorecard, one row per published cell, `missing` where the frame has
        none. One surrogate row makes all numbers of the table `not comparable`; only claims are
        judged, as they can be tried on any file.
        `se` combines both sides: with standard deviation s over our n executions, and m executions
        in the paper, ``s * sqrt(1/n + 1/m)``.

    Raises
    ------
    ValueError
        As `results.check_table`.
    """
    results.check_table(frame, paper, item)
    cells = published.cells(paper, item)
    values = dict(tuple(frame.groupby("cell", sort=False)))
    surrogate = results.is_surrogate(frame)
    rows = [_judged(cell, values.get(cell["cell"]), surrogate) for cell in cells.to_dict("records")]
    return _explained(pd.DataFrame(rows, columns=COLUMNS))


def scorecard(folder: str | Path) -> pd.DataFrame:
    """List all published numbers with their verdicts, from the tables in a folder of figures."""
    parts = []
    for (paper, item), _ in published.cells().groupby(["paper", "item"], sort=False):
        path = Path(folder) / f"{paper}_{item}.csv"
        if path.exists():
            frame = pd.read_csv(path, dtype={"value": str, "data": str}, keep_default_na=False)
        else:
            frame = pd.DataFrame(columns=["cell", "value"])
        parts.append(compare(frame, paper, item))
    table = pd.concat(parts, ignore_index=True)
    papers = list(published.papers())
    order = [
        (papers.index(paper), _item_order(item))
        for paper, item in zip(table["paper"], table["item"], strict=True)
    ]
    return table.iloc[sorted(range(len(table)), key=order.__getitem__)].reset_index(drop=True)


def _item_order(item: str) -> tuple[bool, str, int]:
    """Put numbered tables and figures first, in the order of their numbers."""
    number = re.search(r"\d+$", item)
    return number is None, item.rstrip("0123456789"), int(number.group()) if number else 0


def _judged(cell: dict[str, Any], rows: pd.DataFrame | None, surrogate: bool) -> dict[str, Any]:
    """Return one row of the scorecard, but for the explanation."""
    judge, unit = cell["judge"], cell["unit"]
    reproduced, se, verdict = "", math.nan, "missing"
    if judge in ("input", "not comparable"):
        verdict = judge
    elif rows is not None and judge == "text":
        reproduced = _single(rows, cell)
        verdict = "match" if reproduced == cell["published"] else "differs"
    elif rows is not None and judge == "claim":
        reproduced = _single(rows, cell)
        verdict = "match" if str(rows["holds"].iloc[0]) == "True" else "differs"
    elif rows is not None:
        values = rows["value"].replace("", math.nan).astype(float).to_numpy()  # in files "" is NaN
        mean = values.mean()
        spread = values.std(ddof=1) if len(values) > 1 else 0.0
        se = spread * math.sqrt(1 / len(values) + 1 / cell["executions"])
        reproduced = f"{mean:.12g}"
        verdict = (
            band(mean - float(cell["published"]), se, unit) if np.isfinite(mean) else "differs"
        )
    if surrogate and verdict != "missing" and judge not in ("input", "claim"):
        verdict = "not comparable"
    return {**cell, "reproduced": reproduced, "se": se, "verdict": verdict}


def _single(rows: pd.DataFrame, cell: dict[str, Any]) -> str:
    if len(rows) != 1:
        raise ValueError(
            f"{cell['paper']} {cell['item']} {cell['cell']!r} is one text, not {len(rows)}"
        )
    return str(rows["value"].iloc[0])


def _explained(table: pd.DataFrame) -> pd.DataFrame:
    lines = list(published.explanations().itertuples(index=False))

    def explanation(paper: str, item: str, cell: str, verdict: str) -> str:
        for line in lines:
            if (line.paper, line.item) == (paper, item) and fnmatch.fnmatchcase(cell, line.cell):
                return line.explanation
        return "not reproduced yet" if verdict == "missing" else ""

    rows = table[["paper", "item", "cell", "verdict"]].itertuples(index=False)
    return table.assign(explanation=[explanation(*row) for row in rows])
