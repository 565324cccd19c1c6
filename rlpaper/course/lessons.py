"""Execute the lessons with their exercises solved, as pages for the teacher: `rlpaper course`."""

import os
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from itertools import pairwise
from multiprocessing import get_context

import nbformat

from ..compendium import paths
from ..compendium.notebooks import Notebook, execute


def lessons() -> list[Notebook]:
    """Return the lessons, in order."""
    folder = paths.checkout() / "notebooks" / "course"
    return [Notebook(path) for path in sorted(folder.glob("[0-9]-*.ipynb"))]


def solved(lesson: Notebook) -> nbformat.NotebookNode:
    """Return a lesson with its exercises solved, as a notebook in memory.

    A code cell of the lesson is replaced by the one in solutions/ that has the same id. The text
    before that cell comes with it.
    """
    notebook, solutions = (
        nbformat.read(path, as_version=4)
        for path in (lesson.path, lesson.path.parent / "solutions" / lesson.path.name)
    )
    answers = {}
    for before, cell in pairwise([None, *solutions.cells]):
        if cell.cell_type == "code":
            text = before is not None and before.cell_type == "markdown"
            answers[cell.id] = [before, cell] if text else [cell]
    strangers = set(answers) - {cell.id for cell in notebook.cells}
    if strangers:
        raise ValueError(
            f"solutions/{lesson.path.name} answers {', '.join(sorted(strangers))}, which are no "
            "exercises of the lesson"
        )
    notebook.cells = [part for cell in notebook.cells for part in answers.get(cell.id, [cell])]
    return notebook


def run(lesson: Notebook) -> tuple[Notebook, float, str | None]:
    """Execute a solved lesson and write its page; return (lesson, seconds, error or None)."""
    from ..compendium.report import notebook_page

    pages = paths.checkout() / "build" / "course"
    pages.mkdir(parents=True, exist_ok=True)
    # Beside the lessons, so that relative paths in it lead to the same files.
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


def run_all() -> Iterator[tuple[Notebook, float, str | None]]:
    """Run all lessons, several at a time, and yield what `run` returns, in their order."""
    with ProcessPoolExecutor(os.cpu_count(), get_context("spawn")) as pool:
        yield from pool.map(run, lessons())
