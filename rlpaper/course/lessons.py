"""What `rlpaper course` does: the lessons with their exercises solved, executed, as pages for the teacher."""

import os
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

import nbformat

from ..compendium import paths
from ..compendium.notebooks import Notebook, execute


def lessons():
    """The lessons, in order."""
    folder = paths.checkout() / "notebooks" / "course"
    return [Notebook(path) for path in sorted(folder.glob("[0-9]-*.ipynb"))]


def solved(lesson):
    """A lesson with its exercises solved: each cell of code of the same name in solutions/ stands in for the lesson's.

    Text before such a cell comes with it. The result is a notebook in memory.
    """
    notebook, solutions = (
        nbformat.read(path, as_version=4) for path in (lesson.path, _solutions(lesson.path))
    )
    answers = {}
    for before, cell in zip([None, *solutions.cells], solutions.cells):
        if cell.cell_type == "code":
            answers[cell.id] = (
                [before, cell] if before is not None and before.cell_type == "markdown" else [cell]
            )
    strangers = set(answers) - {cell.id for cell in notebook.cells}
    if strangers:
        raise ValueError(
            f"solutions/{lesson.path.name} answers {', '.join(sorted(strangers))}, which the lesson does not ask"
        )
    notebook.cells = [part for cell in notebook.cells for part in answers.get(cell.id, [cell])]
    return notebook


def _solutions(path):
    return path.parent / "solutions" / path.name


def run(lesson):
    """Execute a solved lesson and write its page; returns (lesson, seconds, error or None)."""
    from ..compendium.report import notebook_page

    pages = paths.checkout() / "build" / "course"
    pages.mkdir(parents=True, exist_ok=True)
    # Beside the lessons, so that paths in it lead where they lead from there.
    source = lesson.path.with_name(f".solved-{lesson.path.name}")
    output = pages / lesson.path.name
    nbformat.write(solved(lesson), source)
    try:
        seconds, _, error = execute(source, output, {}, output.with_suffix(".used"))
    finally:
        source.unlink()
    if error is None:
        output.with_suffix(".html").write_text(notebook_page(output, lesson.title, back=None))
    return lesson, seconds, error


def run_all():
    """Run all lessons, several at a time; yields what `run` returns, in order."""
    with ProcessPoolExecutor(os.cpu_count(), get_context("spawn")) as pool:
        yield from pool.map(run, lessons())
