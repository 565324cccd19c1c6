"""The lessons: exercises that are open as they stand, and closed by their solutions."""

import matplotlib.pyplot as plt
import nbformat
import numpy as np
import pandas as pd
import pytest
from nbclient import NotebookClient

from conftest import ROOT
from rlpaper import course
from rlpaper.compendium.notebooks import Notebook
from rlpaper.compendium.pool import NOTEBOOK
from rlpaper.course.explore import explore
from rlpaper.course.lessons import lessons, solved

pytestmark = pytest.mark.slow

ALL, LESSONS = lessons(), ROOT / "notebooks" / "course"


def cells(notebook, start):
    return [
        cell for cell in notebook.cells if cell.cell_type == "code" and cell.id.startswith(start)
    ]


def test_there_are_six_lessons_each_with_solutions():
    assert [lesson.name[0] for lesson in ALL] == list("123456")
    assert sorted(path.name for path in (LESSONS / "solutions").glob("*.ipynb")) == [
        lesson.path.name for lesson in ALL
    ]


@pytest.mark.parametrize("lesson", ALL, ids=lambda lesson: lesson.name)
def test_a_lesson_opens_with_a_question_and_ends_with_what_to_read(lesson):
    notebook = nbformat.read(lesson.path, as_version=4)
    first, last = notebook.cells[0], notebook.cells[-1]
    assert first.cell_type == "markdown" and first.source.startswith("# ") and "?" in first.source
    assert last.cell_type == "markdown" and last.source.startswith("## What to read")
    exercises, checks = cells(notebook, "exercise-"), cells(notebook, "check-")
    assert len(exercises) >= 3
    assert [cell.id.split("-")[1] for cell in checks] == [
        cell.id.split("-")[1] for cell in exercises
    ]
    assert all("..." in cell.source for cell in exercises) and all(
        "check(" in cell.source for cell in checks
    )
    answered = nbformat.read(LESSONS / "solutions" / lesson.path.name, as_version=4)
    assert {cell.id for cell in answered.cells if cell.cell_type == "code"} == {
        cell.id for cell in exercises
    }


@pytest.mark.parametrize("lesson", ALL, ids=lambda lesson: lesson.name)
def test_the_solutions_solve_every_exercise_and_without_them_all_are_open(
    lesson, tmp_path, monkeypatch
):
    """First solved, as `make course` runs it, then as it stands; one kernel, names forgotten."""
    monkeypatch.setenv(NOTEBOOK, "a lesson")
    answered, notebook = solved(lesson), nbformat.read(lesson.path, as_version=4)
    forget = nbformat.v4.new_code_cell(
        f"%reset -f\nimport os; del os.environ['{NOTEBOOK}'], os\nprint('check' in globals())",
        id="forget",
    )
    for cell in answered.cells:
        cell.id = f"solved-{cell.id}"
    both = nbformat.v4.new_notebook(cells=[*answered.cells, forget, *notebook.cells])
    NotebookClient(
        both,
        kernel_name="python3",
        allow_errors=True,
        timeout=300,
        resources={"metadata": {"path": str(LESSONS)}},
    ).execute()
    for cell in cells(answered, ""):
        assert faults(cell) == [], (cell.id, cell.outputs)
        if cell.id.startswith("solved-check-"):
            assert any(
                "Right." in output.get("data", {}).get("text/plain", "") for output in cell.outputs
            ), cell.id
    # A kernel may send a printed line in parts.
    assert "".join(output.text for output in forget.outputs) == "False\n"
    for cell in cells(notebook, ""):
        assert faults(cell) == (["NotSolvedError"] if cell.id.startswith("check-") else []), (
            cell.id,
            cell.outputs,
        )


def faults(cell):
    return [output.ename for output in cell.outputs if output.output_type == "error"]


@pytest.mark.parametrize(
    "answer, correct",
    [
        (0.5, 1 / 2),
        (np.float64(0.5), 1 / 2),
        ("a", "a"),
        ([1, 2], (1.0, 2.0)),
        ({1, 2}, {2, 1}),
        (True, True),
        (None, None),
        (pd.Series([1.0, 2.0]), [1, 2]),
        (lambda x: x + 1, lambda f: f(1) == 2),
    ],
)
def test_a_right_answer_is_right_in_any_form(answer, correct):
    assert repr(course.check(answer, correct, note="So it is.")) == "Right. So it is."


@pytest.mark.parametrize(
    "answer, correct",
    [
        (0.4, 0.5),
        ("b", "a"),
        (1, True),
        ([1], [1, 2]),
        (None, 0.5),
        ("half", 0.5),
        (lambda x: None, lambda f: f(1) + 1 == 2),
        (3, lambda f: f(1) == 2),
        (pd.DataFrame(), lambda frame: frame.loc["a", "b"] == 1),
    ],
)
def test_a_wrong_answer_is_told_in_one_line_with_a_hint(answer, correct):
    with pytest.raises(course.NotSolvedError, match="Think again") as fault:
        course.check(answer, correct, hint="Think again.")
    assert len(fault.value._render_traceback_()) == 1 and "\n" not in str(fault.value)


@pytest.mark.parametrize("answer", [..., (1, ...), [...], {"a": ...}])
def test_dots_that_are_left_are_named(answer):
    with pytest.raises(course.NotSolvedError, match="Replace the dots"):
        course.check(answer, lambda value: True)


def test_a_solution_to_no_exercise_is_refused(tmp_path):
    (tmp_path / "solutions").mkdir()
    lesson, solution = nbformat.v4.new_notebook(), nbformat.v4.new_notebook()
    lesson.cells = [nbformat.v4.new_code_cell("x = ...", id="exercise-1")]
    solution.cells = [nbformat.v4.new_code_cell("x = 1", id="exercise-2")]
    nbformat.write(lesson, tmp_path / "1-a.ipynb")
    nbformat.write(solution, tmp_path / "solutions/1-a.ipynb")
    with pytest.raises(ValueError, match="exercise-2"):
        solved(Notebook(tmp_path / "1-a.ipynb"))


# Figures with sliders.


def line(power, colour="k"):
    figure, axis = plt.subplots()
    axis.plot([0, 1, 2], [x**power for x in (0, 1, 2)], color=colour)
    return figure


def test_moving_a_slider_draws_the_figure_anew(monkeypatch):
    monkeypatch.delenv(NOTEBOOK, raising=False)
    box = explore(line, power=[1, 2, 3], colour=["k", "r"], start={"power": 2})
    power, colour, picture = box.children
    assert power.value == 2 and colour.value == "k" and list(power.options) == [1, 2, 3]
    seen = [picture.value]
    power.value = 3
    seen.append(picture.value)
    colour.value = "r"
    seen.append(picture.value)
    assert len(set(map(bytes, seen))) == 3 and all(
        bytes(png).startswith(b"\x89PNG") for png in seen
    )
    assert not plt.get_fignums()


def test_under_make_the_figure_is_drawn_once_and_there_is_no_slider(monkeypatch, tmp_path):
    monkeypatch.setenv(NOTEBOOK, "a lesson")
    drawn = []
    assert explore(lambda power: drawn.append(power), power=[1, 2, 3], start={"power": 3}) is None
    assert drawn == [3]


@pytest.mark.parametrize(
    "choices, fault",
    [
        ({"power": []}, "no values"),
        ({"power": [1], "start": {"power": 2}}, "cannot start at 2"),
        ({"power": [1], "start": {"other": 2}}, "other"),
    ],
)
def test_sliders_without_sense_are_refused(choices, fault):
    with pytest.raises(ValueError, match=fault):
        explore(line, **choices)
