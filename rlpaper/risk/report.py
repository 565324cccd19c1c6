"""An assessment as one HTML page that stands alone: no notebook, no script, nothing to fetch."""

import io
import os
import re
import tempfile
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from html import escape
from importlib.resources import files
from pathlib import Path

import jinja2
import matplotlib as mpl
import matplotlib.pyplot as plt
import pandas as pd
from matplotlib.figure import Figure

from .. import __version__
from .._internal.html import as_texts
from ..plotting import use_style, write_figure
from .assessment import Assessment
from .measures import MEASURES, Measure

TITLE = "Risk of a masked file"
PAGE = "report.html"

#: A measure, its text, what draws its figure, and the table that is shown.
Part = tuple[Measure, str, Callable[[Assessment], Figure] | None, pd.DataFrame | None]

#: The share of its drawn size below which a figure is not shrunk, so that its words can be read.
MIN_FIGURE_SCALE = 0.7
PIXELS_PER_POINT = 4 / 3


def write_report(assessment: Assessment, path: str | os.PathLike, values: bool = False) -> Path:
    """Write the page in one step: who reads it sees the old one or the new one."""
    path = Path(path)
    if not path.parent.is_dir():
        raise FileNotFoundError(f"the folder {path.parent} does not exist; make it first")
    text = page(assessment, draw(assessment), values)
    partial = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        partial.write_text(text, "utf-8", "backslashreplace")
        partial.replace(path)
    finally:
        partial.unlink(missing_ok=True)
    return path


def write_folder(assessment: Assessment, folder: str | os.PathLike, values: bool = False) -> Path:
    """Write all that there is of an assessment: page, tables, summary, figures as SVG and PNG.

    The files are made in a folder inside and then moved to their places, the page last: none is
    ever seen in part, also where two runs write to the same folder. After an error, no folder is
    left that was not there.

    Returns
    -------
    Path
        Of the page.
    """
    folder = Path(folder)
    new = [path for path in (folder, *folder.parents) if not path.exists()]
    folder.mkdir(parents=True, exist_ok=True)
    try:
        with tempfile.TemporaryDirectory(prefix=".unfinished-", dir=folder) as unfinished:
            inside = assessment.save(unfinished, values)
            text = page(assessment, draw(assessment, inside), values)
            (inside / PAGE).write_text(text, "utf-8", "backslashreplace")
            for path in sorted(inside.iterdir(), key=lambda path: path.name == PAGE):
                path.replace(folder / path.name)
    except BaseException:
        with suppress(OSError):  # one that is not empty stays
            for path in new:
                path.rmdir()
        raise
    return folder / PAGE


def draw(assessment: Assessment, folder: Path | None = None) -> dict[str, str]:
    """Draw the figures: the text of an SVG file by name; in a folder also as files, SVG and PNG.

    The caller's settings of matplotlib, backend and open figures stay as they are, and the
    settings have no say in what is drawn.
    """
    drawn = {}
    with _look():
        for measure, _, make, _ in parts(assessment):
            if make is None:
                continue
            figure = make(assessment)
            try:
                if folder is None:
                    text = io.StringIO()
                    figure.savefig(text, format="svg", metadata={"Date": None})
                    drawn[measure.name] = text.getvalue()
                else:
                    write_figure(figure, folder / measure.name, measure.caption)
                    drawn[measure.name] = (folder / f"{measure.name}.svg").read_text("utf-8")
            finally:
                plt.close(figure)
    return drawn


@contextmanager
def _look() -> Iterator[None]:
    """Take on the look of this project's figures, for a while."""
    # `use_style` sets these of pandas too.
    options = pd.option_context("display.max_colwidth", None, "display.precision", 4)
    with mpl.rc_context(), options, plt.ioff(), warnings.catch_warnings():
        # Columns may have names in any script; what the font lacks is drawn as a box.
        warnings.filterwarnings("ignore", "Glyph .* missing")
        mpl.rcdefaults()
        use_style()
        yield


def page(assessment: Assessment, drawn: dict[str, str], values: bool) -> str:
    """Return the page as text.

    Parameters
    ----------
    assessment : Assessment
    drawn : dict
        Figures as `draw` gives them.
    values : bool
        Show labels and original values of the records most at risk.
    """
    environment = jinja2.Environment(autoescape=True, trim_blocks=True, lstrip_blocks=True)
    template = files(__package__).joinpath("report.html.j2").read_text("utf-8")
    headline, *lines = assessment.summary()
    shown = [
        {
            "measure": measure,
            "text": text,
            "figure": _inline(measure, drawn),
            "table": None if table is None else as_texts(table, measure.shares),
        }
        for measure, text, _, table in parts(assessment, values)
    ]
    return environment.from_string(template).render(
        title=TITLE, headline=headline, lines=lines, parts=shown, version=__version__
    )


def parts(assessment: Assessment, values: bool = False) -> Iterator[Part]:
    """Yield what a page or a notebook shows of each measure: text, figure and table, if any."""
    tables = assessment.tables(values)
    for measure in MEASURES:
        table = tables.get(measure.name)
        if table is None:
            yield measure, measure.absent, None, None
        elif measure.columns == ():
            yield measure, measure.text, measure.figure, None
        else:
            columns = list(table if measure.columns is None else measure.columns)
            shown = table[columns].head(measure.rows)
            yield measure, measure.text, measure.figure, shown


def _inline(measure: Measure, drawn: dict[str, str]) -> str | None:
    """Make a drawing part of a page: its ids are its own there, and a text says what it shows."""
    if measure.name not in drawn:
        return None
    svg = drawn[measure.name]
    # Comments hold what is drawn as paths; the title is the caption.
    beside = r"\s*(?:<!--.*?-->|<metadata>.*?</metadata>|<title>.*?</title>)"
    text = re.sub(beside, "", svg[svg.index("<svg") :], flags=re.S)
    text = re.sub(r'(\sid="|href="#|url\(#)', rf"\g<1>{measure.name}-", text)
    width = float(re.findall(r'\swidth="([\d.]+)pt"', text)[0]) * PIXELS_PER_POINT
    label, least = escape(measure.caption), f"{MIN_FIGURE_SCALE * width:.0f}px"
    attributes = f'role="img" aria-label="{label}" style="min-width: {least}"'
    return text.replace("<svg ", f"<svg {attributes} ", 1)
