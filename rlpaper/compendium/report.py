"""The report: the scorecard first, then every notebook and figure, then how it was made."""

import json
import re
import shutil
from collections import Counter
from datetime import UTC, datetime
from pathlib import Path
from xml.etree import ElementTree

import jinja2
from bs4 import BeautifulSoup
from latex2mathml.converter import convert as mathml
from nbconvert import HTMLExporter
from pygments.formatters import HtmlFormatter

from . import fingerprints, published, scorecard, verify
from .console import duration
from .notebooks import Notebook
from .workspace import Workspace

_PAGES = jinja2.Environment(
    loader=jinja2.PackageLoader("rlpaper.compendium"),
    autoescape=True,
    trim_blocks=True,
    lstrip_blocks=True,
)
_PAGES.filters["duration"] = duration


def write_report(
    workspace: Workspace,
    states: dict[Notebook, str],
    seed: int,
    seconds: float,
    compared: bool = False,
) -> verify.Comparison | None:
    """Write scorecard, manifest and report from what is there now.

    Returns the comparison, if one was asked for.

    Parameters
    ----------
    workspace : Workspace
    states : dict
        How each notebook stands.
    seed : int
    seconds : float
        Of this build.
    compared : bool
        Compare the figures with what was committed.
    """
    folder = workspace.report
    (folder / "notebooks").mkdir(parents=True, exist_ok=True)
    table = scorecard.scorecard(workspace.figures)
    table.to_csv(workspace.figures / "scorecard.csv", index=False, lineterminator="\n")
    _draw_scorecard(table, workspace)
    comparison = verify.compare(workspace.root) if compared else None
    manifest = _manifest(workspace, states, seed)
    (workspace.figures / "manifest.json").write_text(json.dumps(manifest, indent=1) + "\n")
    shown = [
        _notebook_entry(workspace, notebook, state, folder) for notebook, state in states.items()
    ]
    shutil.rmtree(folder / "figures", ignore_errors=True)
    shutil.copytree(workspace.figures, folder / "figures")
    page = _PAGES.get_template("index.html.j2").render(
        papers=[_paper_entry(paper, table, workspace.figures) for paper in published.papers()],
        verdicts=scorecard.VERDICTS,
        totals=table["verdict"].value_counts().to_dict(),
        numbers=len(table),
        open_questions=table[table["verdict"].isin(["near", "differs"])].to_dict("records"),
        plot=_inline_svg(workspace.figures / "scorecard.svg"),
        notebooks=shown,
        states=Counter(states.values()),
        manifest=manifest,
        total_cost=sum(sum(cost.values()) for cost in manifest["cost"].values()),
        comparison=comparison,
        seconds=seconds,
        written=datetime.now(UTC),
    )
    (folder / "index.html").write_text(page)
    return comparison


def _manifest(workspace, notebooks, seed):
    """Say how the figures were made.

    That is profile, seed, commit, versions, machine, cost, and every file with its notebook.
    """
    before = workspace.figures / "manifest.json"
    cost = json.loads(before.read_text()).get("cost", {}) if before.exists() else {}
    writers = {}
    for notebook in notebooks:
        stamp = workspace.stamp(notebook)
        cost |= {notebook.name: stamp["cost"]} if stamp.get("cost") else {}
        writers |= dict.fromkeys(stamp.get("files", ()), notebook.name)
    files = [
        path
        for path in sorted(workspace.figures.iterdir())
        if path.name != "manifest.json" and path.is_file()
    ]
    return {
        "profile": workspace.profile,
        "seed": seed,
        "commit": fingerprints.commit(workspace.root),
        "versions": fingerprints.library_versions(),
        "machine": fingerprints.machine(),
        "cost": {n.name: cost[n.name] for n in notebooks if n.name in cost},
        "files": {
            path.name: {"notebook": writers.get(path.name), "sha256": fingerprints.sha256(path)}
            for path in files
        },
    }


def _draw_scorecard(table, workspace):
    """Draw the scorecard, unless nothing has changed since the last time.

    Neither its numbers, nor the code, the libraries or the two pictures.
    """
    pictures = [workspace.figures / f"scorecard{suffix}" for suffix in (".svg", ".png")]
    key = workspace.build / "scorecard"

    def current():
        return fingerprints.digest(
            *(
                fingerprints.sha256(path)
                for path in [workspace.figures / "scorecard.csv", *pictures]
            ),
            fingerprints.of_code("from rlpaper.compendium import figures"),
            json.dumps(fingerprints.library_versions()),
        )

    if key.exists() and all(path.exists() for path in pictures) and key.read_text() == current():
        return
    # Imported here: most reports of a build in which little changed need no new picture.
    import matplotlib.pyplot as plt

    from .. import plotting
    from . import figures

    plotting.use_style()
    figure = figures.scorecard_panels(table)
    plotting.write_figure(
        figure,
        workspace.figures / "scorecard",
        "Reproduced against published values, one panel per table.",
    )
    plt.close(figure)
    key.write_text(current())


def _paper_entry(paper, table, figures):
    part = table[table["paper"] == paper]
    items = [
        {
            "name": item,
            "counts": rows["verdict"].value_counts().to_dict(),
            "rows": rows.to_dict("records"),
            "csv": f"{paper}_{item}.csv" if (figures / f"{paper}_{item}.csv").exists() else None,
        }
        for item, rows in part.groupby("item", sort=False)
    ]
    drawn = [
        {"file": path.name, "caption": _caption(path)}
        for path in sorted(figures.glob(f"{paper}_*.svg"))
    ]
    return {
        "name": paper,
        "citation": published.papers()[paper]["citation"],
        "items": items,
        "figures": drawn,
        "counts": part["verdict"].value_counts().to_dict(),
        "numbers": len(part),
    }


def _caption(path):
    title = ElementTree.parse(path).find(".//{http://purl.org/dc/elements/1.1/}title")
    return path.stem if title is None else title.text


def _inline_svg(path):
    """Return the drawing without the XML prologue, which does not belong inside a page."""
    text = path.read_text()
    return text[text.index("<svg") :]


def _notebook_entry(workspace, notebook, state, folder):
    executed = workspace.executed / f"{notebook.name}.ipynb"
    entry = {
        "name": notebook.name,
        "title": notebook.title,
        "paper": notebook.paper,
        "state": state,
        "cost": workspace.stamp(notebook).get("cost"),
        "page": None,
    }
    if state in ("done", "failed", "out of date") and executed.exists():
        page = executed.with_suffix(".html")
        sources = [executed, Path(__file__), *(Path(__file__).parent / "templates").iterdir()]
        if not page.exists() or page.stat().st_mtime_ns < max(
            path.stat().st_mtime_ns for path in sources
        ):
            page.write_text(notebook_page(executed, notebook.title))
        shutil.copyfile(page, folder / "notebooks" / page.name)
        entry["page"] = f"notebooks/{page.name}"
    return entry


def notebook_page(
    executed: Path, title: str, back: str | None = "../index.html", code: bool = True
) -> str:
    """Return an executed notebook as one page that needs no network.

    Formulas become MathML, images are inside. `back` is where its first line leads, if anywhere;
    without `code`, the page has texts and results only.
    """
    exporter = HTMLExporter(
        template_name="basic",
        exclude_input_prompt=True,
        exclude_output_prompt=True,
        exclude_input=not code,
    )
    body, _ = exporter.from_filename(str(executed))
    return _PAGES.get_template("notebook.html.j2").render(
        title=title,
        body=_formulas(body),
        back=back,
        highlighting=HtmlFormatter().get_style_defs(".highlight"),
    )


_FORMULA = re.compile(r"\$\$(.+?)\$\$|\$(.+?)\$", re.DOTALL)


def _formulas(html):
    """Replace TeX between dollars by MathML, outside code."""
    soup = BeautifulSoup(html, "html.parser")
    for text in soup.find_all(string=_FORMULA):
        if text.find_parent(["pre", "code", "style", "script", "svg"]) or not text.find_parent(
            class_="text_cell_render"
        ):
            continue
        drawn = _FORMULA.sub(
            lambda found: mathml(found[1] or found[2], display="block" if found[1] else "inline"),
            text,
        )
        text.replace_with(BeautifulSoup(drawn, "html.parser"))
    return str(soup)
