"""The files that a notebook leaves: tidy tables as CSV."""

from pathlib import Path

import pandas as pd

from ..datasets.ahs import ORIGINAL, SURROGATE
from . import published


def save_table(frame: pd.DataFrame, paper: str, item: str, folder: str | Path) -> Path:
    """Write the tidy frame behind a table or figure as ``<folder>/<paper>_<item>.csv``.

    Numbers are written with 12 significant digits: enough for every comparison, and free of the
    last bits that differ between processors. A column `data`, which says what a row was computed
    from, comes last.

    Parameters
    ----------
    frame : DataFrame
        A table whose cells are published has at least the columns `cell` and `value`, one row per
        execution, and what `check_table` asks for.
    paper, item : str
        For example ``"torra2008", "table3"``.
    folder : path

    Returns
    -------
    Path
        The file written.

    Raises
    ------
    ValueError
        As `check_table`.
    """
    if "cell" in frame:
        check_table(frame, paper, item)
    if "data" in frame:
        frame = frame[[*frame.columns.drop("data"), "data"]]
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{paper}_{item}.csv"
    frame.to_csv(path, index=False, float_format="%.12g", lineterminator="\n")
    return path


def check_table(frame: pd.DataFrame, paper: str, item: str) -> None:
    """Refuse reproduced values that cannot be held against the published ones.

    Raises
    ------
    ValueError
        If the frame names a cell that the published table does not have; or if a surrogate may
        stand in for the paper's data and some row does not say, in the column `data`, whether it
        was computed from the surrogate.
    """
    published.check_cells(frame, paper, item)
    cells = published.cells(paper, item)
    rows = frame[frame["cell"].isin(cells.loc[cells["marked"], "cell"])]
    if len(rows) and not ("data" in rows and rows["data"].isin([ORIGINAL, SURROGATE]).all()):
        raise ValueError(
            f"{paper} {item}: a surrogate may stand in for the paper's data, so every row needs a "
            f"column `data` that is {SURROGATE!r} or {ORIGINAL!r}; keep the column of the rows "
            "from which this table is made"
        )


def is_surrogate(frame: pd.DataFrame) -> bool:
    """Whether any row of a table was computed from surrogate data, as its column `data` says."""
    return "data" in frame and bool((frame["data"] == SURROGATE).any())
