"""What `make` does, in copies of the project."""

import contextlib
import json
import os
import re
import shutil
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

import matplotlib.pyplot as plt
import nbformat
import pandas as pd
import pytest
from nbformat import v4

from conftest import ROOT
from rlpaper.compendium import figures as drawings, scorecard, verify
from rlpaper.compendium.console import Display
from rlpaper.compendium.notebooks import Notebook
from rlpaper.compendium.report import _draw_scorecard, _paper_entry, notebook_page
from rlpaper.compendium.workspace import Workspace
from rlpaper.papers.li2019 import screenshot


def edit(path, before, after):
    text = path.read_text()
    assert before in text
    path.write_text(text.replace(before, after, 1))


def ran(run):
    """Names of the notebooks that a build ran."""
    return {found[1] for found in re.finditer(r"^\[.* (\S+): (?:done in|FAILED)", run.stdout, re.M)}


FIRST, SECOND, THIRD = "31-torra2008-first", "32-torra2008-second", "33-torra2008-third"


def quick(project, *words):
    return project.build("--profile", "quick", *words)


def succeeds(run):
    assert run.returncode == 0, run.stdout + run.stderr
    return ran(run)


def test_every_notebook_runs_and_the_end_names_the_report(built):
    names = {path.stem for path in (built.root / "notebooks").glob("[0-9]*.ipynb")}
    assert ran(built.run) == names
    assert built.run.stdout.rstrip().endswith("Report: build/report/index.html")
    assert "Where the time went" in built.run.stdout
    assert not (built.root / "figures").exists() or not any((built.root / "figures").iterdir())


def test_the_written_tables_hold_what_the_papers_print(built):
    figures = built.root / "build/quick/figures"
    scorecard = pd.read_csv(figures / "scorecard.csv", keep_default_na=False)
    counts = scorecard.groupby(["paper", "item"])["verdict"].value_counts().to_dict()
    assert counts["abril2012", "table1", "match"] == 13
    assert counts["torra2008", "table2", "input"] == 40
    assert counts["torra2008", "table3", "match"] == 100
    assert counts["torra2008", "table4", "match"] == 26
    li2019 = scorecard[
        (scorecard["paper"] == "li2019") & ~scorecard["item"].isin(["table2", "user_study"])
    ]
    assert li2019["verdict"].value_counts().to_dict() == {
        "match": 307,
        "input": 8,
    }  # the full values of Table 1 are given
    prose = scorecard[
        (scorecard["paper"] == "torra2008") & scorecard["cell"].str.startswith("probability of")
    ]
    assert prose["verdict"].tolist() == ["match", "match"]
    exact = (scorecard["paper"] == "torra2008") & scorecard["item"].isin(
        ["table1", "table2", "table3", "table4"]
    )
    assert set(scorecard["verdict"][exact]) == {"input", "match"}
    table3 = pd.read_csv(figures / "torra2008_table3.csv")
    assert (table3["value"] == table3["value_b"]).all()
    simulation = pd.read_csv(figures / "torra2008_chance_simulation.csv")
    assert (
        (simulation["simulated"] - simulation["exact"]).abs() < 5 * simulation["se"] + 1e-4
    ).all()


def test_every_figure_is_there_as_csv_svg_and_png(built):
    figures = built.root / "build/quick/figures"
    expected = {
        "abril2012_figure1",
        "abril2012_standard_linkage",
        "abril2012_uneven_masking",
        "abril2012_readings",
        *(f"torra2008_figure{i}" for i in range(1, 6)),
    }
    for suffix in (".csv", ".svg", ".png"):
        assert expected <= {path.stem for path in figures.glob(f"*{suffix}")}


def test_every_committed_figure_is_one_that_a_notebook_makes(built):
    committed = {path.name for path in (ROOT / "figures").iterdir()} - {"manifest.json"}
    if screenshot.chromium() is None:
        committed.remove("li2019_figure1.png")  # a picture of a page takes a browser
    assert committed == set(built.outputs("quick"))


def test_figure_1_of_abril2012_moves_values_by_at_most_p_percent_of_the_ranks(built):
    figure = pd.read_csv(built.root / "build/quick/figures/abril2012_figure1.csv")
    for p, part in figure.groupby("p"):
        moved = (part["original"].rank() - part["masked"].rank()).abs()
        assert 0 < moved.max() <= int(p * 1080 / 100)


def test_the_manifest_tells_how_the_figures_were_made(built):
    manifest = json.loads((built.root / "build/quick/figures/manifest.json").read_text())
    assert manifest["profile"] == "quick" and manifest["seed"] == 1
    assert {"numpy", "pandas", "python"} <= set(manifest["versions"])
    names = {path.stem for path in (built.root / "notebooks").glob("[0-9]*.ipynb")}
    assert set(manifest["cost"]) == names
    assert set(manifest["files"]) == set(built.outputs("quick"))
    assert all(
        file["notebook"] in names or name.startswith("scorecard")
        for name, file in manifest["files"].items()
    )


def test_only_what_changed_is_run_again(built_toy):
    toy, notebook = built_toy, built_toy.root / "notebooks" / f"{THIRD}.ipynb"
    assert ran(toy.run) == {FIRST, SECOND, THIRD}
    assert toy.run.stderr == ""  # what kernels say beside their cells is in a file
    index = toy.root / "build/report/index.html"
    written = index.stat().st_mtime_ns
    run = quick(toy)
    assert succeeds(run) == set() and "Nothing to run: 3 notebooks are up to date" in run.stdout
    assert index.stat().st_mtime_ns == written
    loaded = "len(__import__('rlpaper').datasets.load('iris'))"
    edit(notebook, "1 + 1", loaded)
    figures = toy.root / "build/quick/figures"
    (figures / "torra2008_first.csv").write_text("gone wrong")
    (figures / "scorecard.svg").write_text("gone wrong")
    assert succeeds(quick(toy)) == {
        THIRD
    }  # what the first one wrote is there still, and copied anew
    assert (figures / "torra2008_first.csv").read_text() == "x\n1\n" and "<svg" in (
        figures / "scorecard.svg"
    ).read_text()
    # The second notebook imports this module, the others do not.
    chance = toy.root / "rlpaper/linkage/chance.py"
    edit(chance, '"""What linkage', '"""What record linkage')
    assert succeeds(quick(toy)) == set()
    chance.write_text(chance.read_text() + "\nMORE = 1\n")
    edit(notebook, loaded, "2 + 2")
    assert succeeds(quick(toy)) == {SECOND, THIRD}
    (toy.root / "data/local").mkdir()
    (toy.root / "data/local/ahs1993.csv").write_text("somebody's survey")
    edit(toy.root / "data/catalogue.toml", "Iris plants", "Irises")
    # None of them looks at these, the third one no more.
    assert succeeds(quick(toy, "--paper", "torra2008")) == set()
    shutil.rmtree(toy.root / "build/quick/outputs" / FIRST)
    assert succeeds(quick(toy)) == {FIRST}
    # Another seed concerns all three, of which one can be run alone.
    assert succeeds(quick(toy, "--only", "31", "--seed", "2")) == {FIRST}
    assert "2 notebooks are out of date" in " ".join(index.read_text().split())
    assert (figures / "torra2008_first.csv").read_text() == "x\n2\n"


def test_notebooks_that_take_long_begin_first_and_a_terminal_is_told_what_runs(built_toy):
    stamp = built_toy.root / f"build/quick/stamps/{THIRD}.json"
    stamp.write_text(
        json.dumps({**json.loads(stamp.read_text()), "cost": {"own": 1000, "sweeps": 0}})
    )
    terminal, end = os.openpty()
    words = ["-m", "rlpaper", "build", "--profile", "quick", "--seed", "2", "--jobs", "1"]
    build = subprocess.Popen(
        [sys.executable, *words],
        cwd=built_toy.root,
        env={**os.environ, "PYTHONPATH": str(built_toy.root)},
        stdout=end,
    )
    os.close(end)
    told = b""
    with contextlib.suppress(OSError):  # when the build is over
        while part := os.read(terminal, 1024):
            told += part
    os.close(terminal)
    assert build.wait() == 0
    assert re.search(rb"; running (\d+)", told)[1] == b"33"


def test_a_notebook_that_is_gone_takes_its_figures_along(built_toy):
    figures = built_toy.root / "build/quick/figures"
    assert (figures / "torra2008_third.csv").exists()
    (built_toy.root / "notebooks" / f"{THIRD}.ipynb").unlink()
    assert succeeds(quick(built_toy)) == set()
    assert (
        not (figures / "torra2008_third.csv").exists()
        and (figures / "torra2008_first.csv").exists()
    )
    assert THIRD not in (built_toy.root / "build/report/index.html").read_text()
    assert not list((built_toy.root / "build/quick").rglob(f"{THIRD}*"))


def test_a_failing_cell_shows_its_traceback_a_dead_kernel_is_a_failure_and_the_others_finish(toy):
    notebook, dying = toy.root / "notebooks" / f"{THIRD}.ipynb", "34-torra2008-fourth"
    edit(notebook, "1 + 1", "1 / 0")
    toy.write(dying, "import os; os._exit(1)")
    run = quick(toy)
    assert run.returncode == 1 and ran(run) == {FIRST, SECOND, THIRD, dying}
    assert "ZeroDivisionError" in run.stdout and "total = 1 / 0" in run.stdout
    assert f"{THIRD} failed" in run.stdout and f"build/quick/notebooks/{THIRD}.ipynb" in run.stdout
    assert f"{dying} failed" in run.stdout and "Kernel died" in run.stdout
    partial = json.loads((toy.root / "build/quick/notebooks" / f"{THIRD}.ipynb").read_text())
    assert any(cell.get("execution_count") for cell in partial["cells"])
    figures = toy.root / "build/quick/figures"
    assert (figures / "torra2008_first.csv").exists() and (
        figures / "torra2008_second.csv"
    ).exists()
    assert not (figures / "torra2008_third.csv").exists()
    assert "2 notebooks failed" in (toy.root / "build/report/index.html").read_text()
    (toy.root / "notebooks" / f"{dying}.ipynb").unlink()
    edit(notebook, "1 / 0", "1 + 1")
    assert succeeds(quick(toy)) == {THIRD}
    assert "failed" not in (toy.root / "build/report/index.html").read_text()


def test_a_notebook_put_back_after_a_failure_is_run_again(built_toy):
    notebook = built_toy.root / "notebooks" / f"{THIRD}.ipynb"
    writes_nothing = built_toy.root / "notebooks" / "34-torra2008-fourth.ipynb"
    built_toy.write(writes_nothing.stem, "2 + 2")
    assert succeeds(quick(built_toy)) == {writes_nothing.stem}
    edit(writes_nothing, "2 + 2", "2 / 0")
    assert quick(built_toy).returncode == 1
    edit(writes_nothing, "2 / 0", "2 + 2")
    edit(notebook, "1 + 1", "1 / 0")
    run = quick(built_toy)
    assert run.returncode == 1 and ran(run) == {writes_nothing.stem, THIRD}
    assert "1 notebook failed" in (built_toy.root / "build/report/index.html").read_text()
    edit(notebook, "1 / 0", "1 + 1")
    assert succeeds(quick(built_toy)) == {THIRD}
    assert (
        "ZeroDivisionError"
        not in (built_toy.root / f"build/report/notebooks/{THIRD}.html").read_text()
    )


def test_a_table_may_move_from_one_notebook_to_another(built_toy):
    edit(
        built_toy.root / "notebooks" / f"{SECOND}.ipynb",
        "torra2008_second.csv",
        "torra2008_third.csv",
    )
    edit(
        built_toy.root / "notebooks" / f"{THIRD}.ipynb",
        "torra2008_third.csv",
        "torra2008_second.csv",
    )
    assert succeeds(quick(built_toy, "--jobs", "1")) == {SECOND, THIRD}
    figures = built_toy.root / "build/quick/figures"
    assert (figures / "torra2008_third.csv").read_text() == "1/2"
    assert (figures / "torra2008_second.csv").read_text() == "x\n2\n"
    assert succeeds(quick(built_toy)) == set()


def test_the_report_says_what_is_out_of_date(built_toy):
    other = built_toy.root / "notebooks/11-abril2012-third.ipynb"
    (built_toy.root / "notebooks" / f"{THIRD}.ipynb").rename(other)
    assert succeeds(quick(built_toy)) == {other.stem}
    report = built_toy.root / "build/report/index.html"
    assert "out of date" not in report.read_text()
    edit(other, "1 + 1", "2 + 2")
    assert succeeds(quick(built_toy, "--paper", "torra2008")) == set()
    assert "1 notebook is out of date" in " ".join(report.read_text().split())
    succeeds(quick(built_toy))
    assert "out of date" not in report.read_text()


def test_a_build_that_is_killed_leaves_no_kernel_behind(toy):
    toy.write(
        "31-torra2008-first",
        "import os",
        "import time",
        'open("../pid", "w").write(str(os.getpid()))',
        "time.sleep(300)",
    )
    build = toy.start("--only", "31")
    wait_for(lambda: (toy.root / "pid").exists() and (toy.root / "pid").read_text())
    kernel = int((toy.root / "pid").read_text())
    assert alive(kernel)
    build.kill()
    wait_for(lambda: not alive(kernel))
    build.communicate()


def alive(pid):
    """Whether a process runs; one that has ended and waits to be collected does not."""
    try:
        return "(zombie)" not in Path(f"/proc/{pid}/status").read_text()
    except FileNotFoundError:
        return False


def wait_for(condition, seconds=60):
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "it did not happen"
        time.sleep(0.2)


def test_two_notebooks_cannot_write_the_same_file(toy):
    (toy.root / "notebooks" / f"{FIRST}.ipynb").unlink()
    edit(toy.root / "notebooks" / f"{THIRD}.ipynb", "torra2008_third.csv", "torra2008_second.csv")
    run = quick(toy, "--jobs", "1")
    assert run.returncode == 1 and "torra2008_second.csv is written by" in run.stdout


def test_a_full_build_fills_figures_and_a_quick_one_leaves_them_alone(toy):
    run = toy.build()
    assert succeeds(run) == {FIRST, SECOND, THIRD}
    assert "There is nothing that this run could be compared with." in run.stdout
    before = toy.outputs("full")
    assert {"torra2008_first.csv", "scorecard.csv", "scorecard.svg", "scorecard.png"} <= set(before)
    assert "quick profile" not in " ".join(
        (toy.root / "build/report/index.html").read_text().split()
    )
    assert succeeds(quick(toy, "--seed", "5")) == {FIRST, SECOND, THIRD}
    assert toy.outputs("full") == before
    assert "<b>quick</b> profile" in (toy.root / "build/report/index.html").read_text()
    # The other way round, the report is that of the full protocol again, though nothing had to be
    # run.
    assert succeeds(toy.build()) == set()
    assert "<b>quick</b> profile" not in (toy.root / "build/report/index.html").read_text()


def test_a_paper_without_notebooks_says_so(toy):
    run = toy.build("--paper", "li2019")
    assert run.returncode == 1 and "no notebook of li2019 yet" in run.stdout
    run = toy.build("--only", "99")
    assert run.returncode == 1 and "no notebook whose name begins with 99" in run.stdout


def test_the_scorecard_is_drawn_anew_when_its_numbers_or_its_pictures_change(tmp_path, monkeypatch):
    workspace, drawn, draw = Workspace("full", tmp_path), [], drawings.scorecard_panels
    monkeypatch.setattr(
        drawings, "scorecard_panels", lambda table: drawn.append(len(table)) or draw(table)
    )
    table = pd.read_csv(ROOT / "figures/scorecard.csv", keep_default_na=False).query(
        "paper == 'torra2008' and item == 'table4'"
    )
    svg, png = (workspace.figures / f"scorecard{suffix}" for suffix in (".svg", ".png"))

    def times(table):
        table.to_csv(workspace.figures / "scorecard.csv", index=False)
        with (
            plt.rc_context(),
            pd.option_context("display.max_colwidth", None, "display.precision", 4),
        ):  # as they were, afterwards
            _draw_scorecard(table, workspace)
        return len(drawn)

    assert times(table) == 1 and times(table) == 1
    before = svg.read_bytes()
    assert times(table.iloc[:-1]) == 2 and svg.read_bytes() != before
    assert times(table) == 3 and svg.read_bytes() == before
    svg.write_text("gone wrong")
    assert times(table) == 4 and svg.read_bytes() == before
    png.unlink()
    assert times(table) == 5 and png.exists() and times(table) == 5


class Pretend:
    """A workspace that knows what notebooks cost."""

    def __init__(self, folder, own, sweeps=0):
        self.figures = self.stamps = folder
        (folder / "manifest.json").write_text(
            json.dumps(
                {"cost": {name: {"own": cost, "sweeps": sweeps} for name, cost in own.items()}}
            )
        )


class Calls:
    """A pool that says what it is told to say."""

    def __init__(self):
        self.spent, self.asked, self.kept = Counter(), Counter(), Counter()


def test_the_title_of_a_notebook_is_its_first_heading(tmp_path):
    notebook, cells = Notebook(tmp_path / "31-torra2008-first.ipynb"), []
    for kind, source, title in (
        ("code", ["# Not this comment\n"], notebook.name),
        ("markdown", ["A text.\n", "# Records and links\n"], "Records and links"),
        ("markdown", ["# Another\n"], "Records and links"),
    ):
        cells.append({"cell_type": kind, "source": source})
        notebook.path.write_text(json.dumps({"cells": cells}))
        assert notebook.title == title


def test_a_page_of_a_notebook_has_no_numbers_of_cells_and_code_only_if_asked_for(tmp_path):
    result = v4.new_output("execute_result", {"text/plain": "2"}, execution_count=3)
    cell = v4.new_code_cell("1 + 1", execution_count=3, outputs=[result])
    nbformat.write(v4.new_notebook(cells=[v4.new_markdown_cell("$x^2$"), cell]), tmp_path / "a")
    for code in (True, False):
        page = notebook_page(tmp_path / "a", "A", code=code)
        assert "<pre>2</pre>" in page and "<msup><mi>x</mi>" in page
        assert "prompt" not in page and "[3]" not in page
        assert (">1</span>" in page) == code and ("Back to the report" in page)


def test_a_papers_part_of_the_report_has_its_numbers_and_figures():
    table = scorecard.scorecard(ROOT / "figures")
    entry = _paper_entry("li2019", table, ROOT / "figures")
    own = table[table["paper"] == "li2019"]
    assert entry["numbers"] == len(own) and "Li, D" in entry["citation"]
    assert entry["counts"] == own["verdict"].value_counts().to_dict()
    assert [item["name"] for item in entry["items"]] == list(dict.fromkeys(own["item"]))
    assert all(drawn["file"].startswith("li2019_") for drawn in entry["figures"])


def three(folder):
    return [Notebook(folder / f"3{i}-torra2008-{i}.ipynb") for i in range(3)]


def finish(display, notebook, own):
    display.started(notebook)
    return display.finished(notebook, own, own)


def test_the_estimate_of_what_remains_is_honest(tmp_path):
    a, b, c = three(tmp_path)
    unknown = Display(Pretend(tmp_path, {}), [a, b], 2)
    assert unknown.remaining() == "2 to go, no estimate yet"
    known = Display(Pretend(tmp_path, {a.name: 300, b.name: 240, c.name: 240}), [a, b, c], 2)
    assert known.remaining() == "about 6 min 30 s left"  # 780 processor seconds on two
    # More than twice the cost of the last time, so that is expected of the others; they have a
    # core each.
    finish(known, a, 660)
    assert known.remaining() == "about 8 min 0 s left"
    finish(known, b, 480)
    assert known.remaining() == "about 8 min 0 s left"  # alone on one core
    finish(known, c, 480)
    assert known.remaining() == "all done"


def test_the_estimate_follows_the_calls_of_sweeps(tmp_path):
    a, b, _ = three(tmp_path)
    display, calls = Display(Pretend(tmp_path, {a.name: 10, b.name: 10}, 590), [a, b], 2), Calls()
    display.begin(calls)
    display.started(a)
    assert display.remaining() == "about 10 min 0 s left"
    calls.asked[a.name], calls.spent[a.name] = 100, 300.0
    assert display.remaining() == "about 7 min 30 s left"
    display.began -= 300  # in five minutes on two cores 300 processor seconds: others work here too
    assert display.remaining() == "about 12 min 51 s left"


def test_without_a_terminal_what_remains_is_said_after_a_minute_and_then_every_five(
    tmp_path, capsys
):
    a, *_ = three(tmp_path)
    display = Display(Pretend(tmp_path, {a.name: 600}), [a], 2)
    display.begin(Calls())
    display.started(a)
    words = []
    for _ in range(13):
        display.refresh()
        words.append(capsys.readouterr().out)
        display.began -= 60.1
    assert [minute for minute, word in enumerate(words) if word] == [1, 6, 11]
    assert words[1].startswith("[0/1] ##") and "% about 10 min " in words[1]
    assert words[1].endswith(" left; running 30-torra2008-0\n")


def test_calls_that_are_in_the_cache_take_no_time(tmp_path):
    a, b, _ = three(tmp_path)
    display, calls = Display(Pretend(tmp_path, {a.name: 10, b.name: 10}, 590), [a, b], 1), Calls()
    display.begin(calls)
    display.started(a)
    calls.kept[a.name] = 50
    assert (
        display.remaining() == "about 20 s left"
    )  # what is true of the one is expected of the other
    assert display.finished(a, 10, 10.0) == {
        "own": 10,
        "sweeps": 590,
    }  # what it cost with nothing in the cache is kept
    calls.asked[b.name], calls.spent[b.name] = 50, 70.0
    display.started(b)
    assert display.finished(b, 80, 10.04) == {"own": 10.0, "sweeps": 70.0}


def test_costs_are_kept_with_the_run(tmp_path):
    workspace, notebook = Workspace("full", tmp_path), Notebook(tmp_path / "31-torra2008-x.ipynb")
    workspace.outputs(notebook).mkdir(parents=True)
    workspace.keep(notebook, "key", {"own": 3.0, "sweeps": 90.0})
    assert Display(workspace, [notebook], 2).expected(notebook) == 93


def committed(folder):
    """A project of four tables and figures in git."""
    (folder / "figures").mkdir()
    for name, text in {
        "a_table1.csv": "cell,value\nx,1.0\ny,2\n",
        "a_drawing.svg": "<svg/>",
        "manifest.json": "{}",
        "a_times_seconds.csv": "1",
        "scorecard.csv": "paper,item,cell,verdict\na,table1,x,match\n",
    }.items():
        (folder / "figures" / name).write_text(text)
    figure, axis = plt.subplots(figsize=(1, 1))
    figure.savefig(folder / "figures/a_drawing.png")
    plt.close(figure)
    for words in (
        ["init", "-q"],
        ["add", "."],
        ["-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", "x"],
    ):
        subprocess.run(["git", "-C", str(folder), *words], check=True)
    return folder / "figures"


def test_figures_as_committed_are_told_so(tmp_path):
    figures = committed(tmp_path)
    (figures / "manifest.json").write_text("other")
    (figures / "a_times_seconds.csv").write_text("2")
    figure = plt.imread(figures / "a_drawing.png")
    plt.imsave(
        figures / "a_drawing.png", figure, metadata={"Comment": "other bytes, the same picture"}
    )
    result = verify.compare(tmp_path)
    assert result.sentence == "All 4 files compared are as committed."
    assert result.left_out == ["a_times_seconds.csv", "manifest.json"]


def test_figures_that_differ_are_told_with_how_much_and_with_the_verdicts_that_change(tmp_path):
    figures = committed(tmp_path)
    edit(figures / "a_table1.csv", "1.0", "1.1")
    edit(figures / "scorecard.csv", "match", "differs")
    picture = plt.imread(figures / "a_drawing.png").copy()
    picture[3, 3, :3] = 0
    plt.imsave(figures / "a_drawing.png", picture)
    (figures / "a_drawing.svg").unlink()
    (figures / "a_new.csv").write_text("x\n")
    result = verify.compare(tmp_path)
    assert result.different == {
        "a_table1.csv": "1 cells differ; numbers by 0.091 of their size at most",
        "a_drawing.svg": "missing",
        "a_new.csv": "new",
        "a_drawing.png": "looks different",
        "scorecard.csv": "1 cells differ, 1 of them texts; numbers by 0 of their size at most",
    }
    assert result.verdicts == ["a table1 x: match -> differs"]
    assert (
        result.sentence
        == "5 of 5 files compared differ from what was committed; 1 verdicts change."
    )


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("cell,value\nx,1.0\n", "1 rows of 2 columns instead of 2 of 2"),
        ("cell,value,n\nx,1.0,1\ny,2,1\n", "2 rows of 3 columns instead of 2 of 2"),
    ],
)
def test_a_table_of_another_shape_is_told_with_both_shapes(text, told, tmp_path):
    (committed(tmp_path) / "a_table1.csv").write_text(text)
    assert verify.compare(tmp_path).different == {"a_table1.csv": told}


def test_outside_git_figures_are_compared_with_those_that_came_with_the_project(tmp_path):
    figures = committed(tmp_path)
    shutil.rmtree(tmp_path / ".git")
    assert (
        verify.compare(tmp_path).sentence
        == "There is nothing that this run could be compared with."
    )
    verify.keep_shipped(tmp_path)
    edit(figures / "a_table1.csv", "y,2", "y,3")
    verify.keep_shipped(tmp_path)  # of a later run: the first ones stay
    assert set(verify.compare(tmp_path).different) == {"a_table1.csv"}
