"""The files that a notebook leaves: tidy tables as CSV."""

from pathlib import Path

import numpy as np

from . import published

SURROGATE = "surrogate data"


def save_table(frame, paper, item, folder):
    """Write the tidy frame behind a table or figure as ``<folder>/<paper>_<item>.csv``.

    Numbers are written with 12 significant digits: enough for every comparison, and free of the
    last bits that differ between processors. A frame with ``attrs["surrogate"]`` gets a column that
    says so; where the frame names its data sets, in the rows of the survey that a surrogate stands
    for.

    Parameters
    ----------
    frame : DataFrame
        A table whose cells are published has at least the columns `cell` and `value`, one row an
        execution.
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
        If the paper has this table and the frame names a cell that is not in it.
    """
    if "cell" in frame:
        published.check_cells(frame, paper, item)
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    if frame.attrs.get("surrogate"):
        made_up = frame["dataset"] == "ahs" if "dataset" in frame else True
        frame = frame.assign(data=np.where(made_up, SURROGATE, ""))
    path = folder / f"{paper}_{item}.csv"
    frame.to_csv(path, index=False, float_format="%.12g", lineterminator="\n")
    return path
