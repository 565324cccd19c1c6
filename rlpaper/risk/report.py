"""An assessment as one HTML page that stands alone: no notebook, no script, nothing to fetch."""

import io
import os
import re
import tempfile
import warnings
from contextlib import contextmanager, suppress
from html import escape
from importlib.resources import files
from pathlib import Path

import jinja2
import matplotlib as mpl
import matplotlib.pyplot as plt
import pandas as pd

from .. import __version__
from .._internal.html import as_texts
from ..plotting import use_style, write_figure
from .figures import attack_shares, fewer_known, found_by_attacks, risk_utility_map, variable_bars

TITLE = "Risk of a masked file"
PAGE = "report.html"
MOST_AT_RISK = 10  # records that the page shows

#: The share of its drawn size below which a figure is not shrunk, so that its words can be read.
MIN_FIGURE_SCALE = 0.7

#: The figures by the name of their files: what each shows, and how it is drawn.
FIGURES = {
    "attacks": (
        "Share of the persons found by each attack.",
        lambda assessment: attack_shares(assessment.attacks, assessment.bound),
    ),
    "variables": (
        "What each variable gives away.",
        lambda assessment: variable_bars(assessment.variables),
    ),
    "records": (
        "How many attacks find how many persons.",
        lambda assessment: found_by_attacks(assessment.records),
    ),
    "attackers": (
        "What attackers find who know fewer persons or take a short list.",
        lambda assessment: fewer_known(assessment.subsets, assessment.shortlist),
    ),
    "alternatives": (
        "Risk against loss, for the file and for other maskings.",
        lambda assessment: risk_utility_map(assessment.alternatives),
    ),
}


def write_report(assessment, path, values=False):
    """Write the page in one step: who reads it sees the old one or the new one."""
    path = Path(path)
    text = page(assessment, draw(assessment), values)
    partial = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        partial.write_text(text, "utf-8")
        partial.replace(path)
    finally:
        partial.unlink(missing_ok=True)
    return path


def write_folder(assessment, folder, values=False):
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
            unfinished = Path(unfinished)
            assessment.save(unfinished, values)
            text = page(assessment, draw(assessment, unfinished), values)
            (unfinished / PAGE).write_text(text, "utf-8")
            for path in sorted(unfinished.iterdir(), key=lambda path: path.name == PAGE):
                path.replace(folder / path.name)
    except BaseException:
        with suppress(OSError):  # one that is not empty stays
            for path in new:
                path.rmdir()
        raise
    return folder / PAGE


def draw(assessment, folder=None):
    """The figures by name, as the text of an SVG file; in a folder also as files, SVG and PNG.

    The caller's settings of matplotlib, backend and open figures stay as they are, and the
    settings have no say in what is drawn.
    """
    drawn = {}
    with _look():
        for name, (caption, make) in FIGURES.items():
            if name == "alternatives" and assessment.alternatives is None:
                continue
            figure = make(assessment)
            try:
                if folder is None:
                    text = io.StringIO()
                    figure.savefig(text, format="svg", metadata={"Date": None})
                    drawn[name] = text.getvalue()
                else:
                    write_figure(figure, folder / name, caption)
                    drawn[name] = (folder / f"{name}.svg").read_text("utf-8")
            finally:
                plt.close(figure)
    return drawn


@contextmanager
def _look():
    """The look of this project's figures, for a while."""
    # `use_style` sets these of pandas too.
    options = pd.option_context("display.max_colwidth", None, "display.precision", 4)
    with mpl.rc_context(), options, plt.ioff(), warnings.catch_warnings():
        # Columns may have names in any script; what the font lacks is drawn as a box.
        warnings.filterwarnings("ignore", "Glyph .* missing")
        mpl.rcdefaults()
        use_style()
        yield


def page(assessment, drawn, values=False):
    """The page as text.

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
    return environment.from_string(template).render(
        title=TITLE,
        headline=headline,
        lines=lines,
        tables=_tables(assessment, values),
        figures={name: _inline(name, svg) for name, svg in drawn.items()},
        values=values,
        version=__version__,
    )


def _tables(assessment, values):
    """The tables of the page, as texts."""
    records = assessment.tables(values)["records"].head(MOST_AT_RISK)
    first = ["row", "risk", "ties", "found by"]
    if values:  # what the attacks say one by one is in the table that `save` writes
        start = 1 + assessment.records.shape[1]
        first = [*first, "label", *records.columns[start:].drop("label")]
    known = [name for name in assessment.subsets if name not in ("masked records", "known")]
    read = assessment.pair.variables.drop(columns=["changed", "state"])
    shares = ["correct", "low", "high", "strict"]
    # What was found before how it was counted: on a telephone only the first columns are in sight.
    attacks = assessment.attacks[["attack", "direction", *shares, "linked", "candidates", "knows"]]
    tables = {
        "attacks": as_texts(attacks, shares),
        "variables": as_texts(assessment.variables, ["changed", "alone", "shapley"]),
        "types": as_texts(read, ["missing", "missing masked"]),
        "records": as_texts(records[first], ["risk"]),
        "subsets": as_texts(assessment.subsets, known),
        "new_records": as_texts(assessment.new_records, list(assessment.new_records)[2:]),
        "loss": as_texts(assessment.loss),
    }
    if assessment.alternatives is not None:
        tables["alternatives"] = as_texts(assessment.alternatives, ["risk"])
    return tables


def _inline(name, svg):
    """A drawing as part of a page: its ids are its own there, and a text says what it shows."""
    # Comments hold what is drawn as paths; the title is the caption.
    beside = r"\s*(?:<!--.*?-->|<metadata>.*?</metadata>|<title>.*?</title>)"
    text = re.sub(beside, "", svg[svg.index("<svg") :], flags=re.S)
    text = re.sub(r'(\sid="|href="#|url\(#)', rf"\g<1>{name}-", text)
    caption, width = FIGURES[name][0], float(re.search(r'\swidth="([\d.]+)pt"', text)[1]) * 4 / 3
    attributes = (
        f'role="img" aria-label="{escape(caption)}" style="min-width: {MIN_FIGURE_SCALE * width:.0f}px"'
    )
    return {"caption": caption, "svg": text.replace("<svg ", f"<svg {attributes} ", 1)}
