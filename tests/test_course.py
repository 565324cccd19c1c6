"""The lessons: exercises that are open as they stand, and closed by their solutions."""

import io
import json

import matplotlib.pyplot as plt
import nbformat
import pandas as pd
import papermill
import pytest
from nbclient import NotebookClient

from conftest import ROOT
from rlpaper import course, plotting, progress
from rlpaper.compendium.course import LESSONS, lessons, run, solved

ALL = lessons()


def cells(notebook, start):
    return [cell for cell in notebook.cells if cell.cell_type == "code" and cell.id.startswith(start)]


def test_there_are_six_lessons_each_with_solutions():
    assert [lesson.name[0] for lesson in ALL] == list("123456")
    assert sorted(path.name for path in (LESSONS / "solutions").glob("*.ipynb")) == [lesson.path.name for lesson in ALL]


@pytest.mark.parametrize("lesson", ALL, ids=lambda lesson: lesson.name)
def test_a_lesson_opens_with_a_question_and_ends_with_what_to_read(lesson):
    notebook = nbformat.read(lesson.path, as_version=4)
    first, last = notebook.cells[0], notebook.cells[-1]
    assert first.cell_type == "markdown" and first.source.startswith("# ") and "?" in first.source
    assert last.cell_type == "markdown" and last.source.startswith("## What to read")
    exercises, checks = cells(notebook, "exercise-"), cells(notebook, "check-")
    assert len(exercises) >= 3
    assert [cell.id.split("-")[1] for cell in checks] == [cell.id.split("-")[1] for cell in exercises]
    assert all("..." in cell.source for cell in exercises) and all("check(" in cell.source for cell in checks)
    answered = nbformat.read(LESSONS / "solutions" / lesson.path.name, as_version=4)
    assert {cell.id for cell in answered.cells if cell.cell_type == "code"} == {cell.id for cell in exercises}


@pytest.mark.parametrize("lesson", ALL, ids=lambda lesson: lesson.name)
def test_every_exercise_is_open_until_it_is_solved(lesson, tmp_path):
    notebook = nbformat.read(lesson.path, as_version=4)
    client = NotebookClient(notebook, kernel_name="python3", allow_errors=True, timeout=300,
                            resources={"metadata": {"path": str(LESSONS)}})
    client.execute()
    for cell in notebook.cells:
        if cell.cell_type != "code":
            continue
        faults = [output.ename for output in cell.outputs if output.output_type == "error"]
        assert faults == (["NotSolved"] if cell.id.startswith("check-") else []), (cell.id, cell.outputs)


@pytest.mark.parametrize("lesson", ALL, ids=lambda lesson: lesson.name)
def test_the_solutions_solve_every_exercise(lesson, tmp_path, monkeypatch):
    source = LESSONS / f".test-{lesson.path.name}"
    nbformat.write(solved(lesson), source)
    monkeypatch.setenv(progress.PROGRESS_FILE, str(tmp_path / "progress"))
    try:
        done = papermill.execute_notebook(str(source), str(tmp_path / "solved.ipynb"), kernel_name="python3", cwd=str(LESSONS),
                                          progress_bar=False)
    finally:
        source.unlink()
    for cell in cells(done, "check-"):
        assert any("Right." in output.get("data", {}).get("text/plain", "") for output in cell.outputs), cell.id
