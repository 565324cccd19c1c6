"""The command `rlpaper`: help, mistakes, and the subcommands that no other test runs."""

import os
import re
import sqlite3
import subprocess
import sys
import tomllib
from contextlib import closing

import pytest

import rlpaper
from conftest import ROOT
from rlpaper import datasets, examples
from rlpaper.cli import EXTRAS, main
from rlpaper.compendium.build import PROFILES
from rlpaper.compendium.paths import NoCheckout, checkout
from rlpaper.compendium.published import papers

COMMANDS = [
    [],
    ["assess"],
    ["build"],
    ["verify"],
    ["course"],
    ["review"],
    ["review", "serve"],
    ["review", "audit"],
    ["data"],
]

OUTSIDE = (
    "this command needs a checkout of the project: "
    "run it in the folder that holds notebooks/ and data/\n"
)


def run(*words, cwd=ROOT):
    """The command in a process of its own."""
    return subprocess.run(
        [sys.executable, "-m", "rlpaper", *words],
        cwd=cwd,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
    )


# Help.


@pytest.mark.parametrize("words", COMMANDS, ids=" ".join)
def test_help_ends_with_an_example_that_the_command_takes(words, capsys):
    with pytest.raises(SystemExit) as end:
        main([*words, "--help"])
    said = capsys.readouterr().out
    assert end.value.code == 0
    example = re.search(r"\nexample:\n  (rlpaper .+)\n$", said)[1]
    assert example.startswith(" ".join(["rlpaper", *words]))
    for option in re.findall(r"--\w+", example):
        assert f"{option} " in said


def test_the_help_names_every_command(capsys):
    with pytest.raises(SystemExit):
        main(["--help"])
    said = capsys.readouterr().out
    assert re.findall(r"^    (\w+) +\w", said, flags=re.M) == [
        words[0] for words in COMMANDS if len(words) == 1
    ]


@pytest.mark.parametrize("words", [[], ["review"]], ids=" ".join)
def test_without_a_command_the_help_says_which_there_are(words, capsys):
    assert main(words) == 2
    assert "commands:" in capsys.readouterr().err


@pytest.mark.parametrize("words", [["--help"], ["build", "--help"], ["--version"]], ids=" ".join)
def test_help_and_version_import_nothing_slow(words):
    code = (
        "import sys; from rlpaper.cli import main\n"
        "try: main(sys.argv[1:])\n"
        "finally: print(*sorted({'numpy', 'pandas', 'numba', 'matplotlib'} & set(sys.modules)))"
    )
    said = subprocess.run(
        [sys.executable, "-c", code, *words],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    assert said.endswith("\n\n") and len(said) > 2


def test_the_version_is_that_of_the_package():
    assert run("--version").stdout == f"rlpaper {rlpaper.__version__}\n"
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert project["version"] == rlpaper.__version__
    assert project["scripts"] == {"rlpaper": "rlpaper.cli:main"}


def test_an_unknown_command_is_told_with_those_there_are(capsys):
    with pytest.raises(SystemExit) as end:
        main(["nonsense"])
    said = capsys.readouterr().err
    assert end.value.code == 2 and "'assess'" in said and said.count("\n") == 1


# Checkouts.


@pytest.mark.parametrize("command", ["build", "verify", "course"])
def test_outside_a_checkout_it_says_where_to_go(command, capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert main([command]) == 2
    assert capsys.readouterr().err == OUTSIDE
    assert not any(tmp_path.iterdir())


def test_the_checkout_is_the_nearest_folder_at_or_above(tmp_path, monkeypatch):
    for part in ("notebooks", "data/published", "rlpaper", "notebooks/inner/deep"):
        (tmp_path / part).mkdir(parents=True, exist_ok=True)
    for start in (".", "notebooks/inner/deep", "data/published"):
        assert checkout(tmp_path / start) == tmp_path
        monkeypatch.chdir(tmp_path / start)
        assert checkout() == tmp_path
    (tmp_path / "data/published").rmdir()
    with pytest.raises(NoCheckout, match="needs a checkout of the project"):
        checkout(tmp_path)


def test_an_unknown_paper_is_told_with_those_there_are(capsys, monkeypatch):
    monkeypatch.chdir(ROOT)
    assert main(["build", "--paper", "smith2020"]) == 2
    said = capsys.readouterr().err
    assert "there is no paper 'smith2020'" in said and all(paper in said for paper in papers())


@pytest.mark.parametrize("words", [["--jobs", "0"], ["--jobs", "x"], ["--profile", "slow"]])
def test_wrong_options_of_a_build_are_told(words, capsys):
    with pytest.raises(SystemExit) as end:
        main(["build", *words])
    assert end.value.code == 2 and f"argument {words[0]}" in capsys.readouterr().err


def test_a_wrong_number_of_workers_is_told(capsys, monkeypatch):
    monkeypatch.chdir(ROOT)
    monkeypatch.setenv("RLPAPER_WORKERS", "many")
    assert main(["build"]) == 2
    assert "RLPAPER_WORKERS" in capsys.readouterr().err


def test_a_build_gets_what_was_asked_for(monkeypatch):
    asked = []
    monkeypatch.chdir(ROOT / "notebooks")
    monkeypatch.setattr("rlpaper.compendium.build.build", lambda *words: asked.append(words) or 1)
    monkeypatch.setenv("RLPAPER_WORKERS", "3")
    assert main(["build"]) == 1
    words = ["--profile", "quick", "--paper", "torra2008", "--only", "31", "--jobs", "2"]
    assert main(["build", *words, "--seed", "5"]) == 1
    assert asked == [("full", None, "", 3, 1), ("quick", "torra2008", "31", 2, 5)]
    assert PROFILES == ("full", "quick")


def test_verify_names_every_file_and_says_by_its_code_whether_one_differs(
    capsys, tmp_path, monkeypatch
):
    for part in ("notebooks", "data/published", "rlpaper", "figures", "build/shipped"):
        (tmp_path / part).mkdir(parents=True)
    for folder in ("figures", "build/shipped"):
        for name in ("a.csv", "b.csv", "manifest.json"):
            (tmp_path / folder / name).write_text("x\n1\n")
    monkeypatch.chdir(tmp_path)
    assert main(["verify"]) == 0
    assert capsys.readouterr().out.splitlines() == [
        "same       a.csv",
        "same       b.csv",
        "left out   manifest.json",
        "All 2 files compared are as committed.",
    ]
    (tmp_path / "figures/b.csv").write_text("x\n2\n")
    assert main(["verify"]) == 1
    assert "DIFFERENT  b.csv: 1 cells differ" in capsys.readouterr().out


def test_lessons_are_run_and_one_that_fails_is_told(capsys, monkeypatch):
    from rlpaper.course import lessons

    first, second, *_ = lessons.lessons()
    monkeypatch.chdir(ROOT)
    monkeypatch.setattr(lessons, "run_all", lambda: [(first, 2.0, None), (second, 1.0, "Oh.")])
    assert main(["course"]) == 1
    said = capsys.readouterr().out
    assert f"{first.name}: done in 2 s\n{second.name}: FAILED. Oh.\n" in said
    assert said.endswith("Pages: build/course\n")


# Packages that are missing.


@pytest.mark.parametrize(
    "words, package, extra",
    [
        (["build"], "papermill", '"rlpaper[papers]"'),
        (["course"], "nbconvert", '"rlpaper[papers]"'),
        (["review", "serve"], "voila", '"rlpaper[review]"'),
        (["assess", "a.csv", "b.csv"], "numba", "rlpaper"),
    ],
)
def test_a_missing_package_is_told_with_what_installs_it(
    words, package, extra, capsys, monkeypatch
):
    monkeypatch.chdir(ROOT)
    monkeypatch.setitem(sys.modules, package, None)
    assert main(words) == 2
    assert capsys.readouterr().err == (
        f"rlpaper {words[0]} needs {package}, which is not installed: pip install {extra}\n"
    )


@pytest.mark.parametrize("command", EXTRAS)
def test_a_package_found_missing_on_the_way_is_told_too(command, capsys, monkeypatch):
    function = {"review": "audit"}.get(command, command)
    words = ["review", "audit", "folder"] if command == "review" else [command]

    def fail(options):
        raise ModuleNotFoundError("No module named 'other.part'", name="other.part")

    monkeypatch.setattr(f"rlpaper._commands.{function}", fail)
    assert main(words) == 2
    assert f'needs other, which is not installed: pip install "rlpaper[{EXTRAS[command]}]"' in (
        capsys.readouterr().err
    )


@pytest.mark.parametrize(
    "fault",
    [
        ModuleNotFoundError("No module named 'rlpaper.gone'", name="rlpaper.gone"),
        ModuleNotFoundError("No module named '_sqlite3'", name="_sqlite3"),
        ImportError("cannot import name 'x' from 'numpy'", name="numpy"),
    ],
    ids=str,
)
def test_other_faults_of_imports_are_raised_as_they_are(fault, monkeypatch):
    def fail(options):
        raise fault

    monkeypatch.setattr("rlpaper._commands.verify", fail)
    with pytest.raises(type(fault)):
        main(["verify"])


# Reviews.


def test_a_sound_project_is_what_its_log_says_and_a_damaged_one_is_not(capsys, tmp_path):
    folder = tmp_path / "project"
    examples.markups(folder).close()
    assert main(["review", "audit", str(folder)]) == 0
    said = capsys.readouterr().out
    head = said.split()[-1]
    assert "is what its log says" in said and re.fullmatch("[0-9a-f]{64}", head)
    assert main(["review", "audit", str(folder), "--head", head]) == 0
    capsys.readouterr()
    assert main(["review", "audit", str(folder), "--head", "0" * 64]) == 1
    assert "it was cut or written anew" in capsys.readouterr().out
    with closing(sqlite3.connect(folder / "identifying.sqlite")) as connection, connection:
        connection.execute("UPDATE pairs SET second = first WHERE pair = 1")
    assert main(["review", "audit", str(folder)]) == 1
    assert "pairs are not those that the project was made with" in capsys.readouterr().out


@pytest.mark.parametrize("command", ["audit", "serve"])
def test_a_folder_without_a_project_is_told(command, capsys, tmp_path):
    assert main(["review", command, str(tmp_path)]) == 2
    assert "there is no review project in" in capsys.readouterr().err
    assert not any(tmp_path.iterdir())


def test_outside_a_checkout_there_is_no_example_to_serve(capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert main(["review", "serve"]) == 2
    said = capsys.readouterr().err
    assert "RLPAPER_DATA" in said and said.endswith("; or name a project to serve\n")


# Data.


def test_the_data_sets_are_listed_with_licence_and_source(capsys):
    assert main(["data"]) == 0
    head, *rows = capsys.readouterr().out.splitlines()
    assert head.split() == ["name", "records", "columns", "licence", "source"]
    assert [row.split()[0] for row in rows] == [*datasets.catalogue().index, "ahs"]
    assert re.match(r"census +1080 +13 +public domain \(US Census Bureau\) +CRAN", rows[0])


@pytest.mark.parametrize(
    "name, expected",
    [
        ("iris", ["records:  150", "V5  target (nominal, 3 categories)", "Fisher (1936)"]),
        ("rldata500", ["(text)", "(number)"]),
        ("ahs", ["American Housing Survey 1993", "V1  BUILT (ordinal,"]),
    ],
)
def test_one_data_set_is_described_with_its_variables(name, expected, capsys):
    assert main(["data", name]) == 0
    said = capsys.readouterr().out
    assert all(text in said for text in expected)
    assert f'rlpaper.datasets.load("{name}")' in said


def test_an_unknown_data_set_is_told_with_those_there_are(capsys):
    assert main(["data", "nonsense"]) == 2
    said = capsys.readouterr().err
    assert "no data file named 'nonsense'" in said and "census" in said
