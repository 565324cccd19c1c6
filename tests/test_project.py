"""The project's own promises: commands, dependencies, layers, notebooks, committed figures."""

import ast
import json
import re
import subprocess
import sys
import tomllib

import pandas as pd
import pytest
import yaml
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from conftest import ROOT
from rlpaper._internal import sources
from rlpaper.compendium import fingerprints, published, scorecard
from rlpaper.compendium.notebooks import discover

MODULES = sources.modules()
NOTEBOOKS = [
    path
    for path in sorted((ROOT / "notebooks").rglob("*.ipynb"))
    if path.parent.name != ".ipynb_checkpoints"
]


def make(*words):
    return subprocess.run(["make", *words], cwd=ROOT, capture_output=True, text=True)


# Commands.


def targets():
    return dict(re.findall(r"^  make (\S+) +(.+)$", make("help").stdout, flags=re.M))


def test_the_readmes_first_two_commands_are_make_and_make_test():
    commands = [
        line.strip()
        for block in re.findall(r"```\w*\n(.*?)```", (ROOT / "README.md").read_text(), re.S)
        for line in block.splitlines()
        if line.strip().startswith("make")
    ]
    words = [command.split("#")[0].strip() for command in commands]
    assert words[:2] == ["make", "make test"]
    for command in words:
        for word in command.split()[1:]:
            assert "=" in word or word in targets(), (
                f"README names `{command}`, the Makefile does not have it"
            )


README = (ROOT / "README.md").read_text()
EXAMPLES = re.findall(r"```python\n(.*?)```", README, re.S)
SAID = re.compile(r"(?P<code>[^#]*\S)\s*#.*?\b(?P<number>\d+(\.\d+)?)( bits| of \d+.*)?")


@pytest.mark.slow
@pytest.mark.parametrize("number", range(len(EXAMPLES)))
def test_the_readmes_examples_run_each_by_itself_and_give_what_they_say(
    number, tmp_path, monkeypatch
):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("RLPAPER_DATA", str(ROOT / "data"))
    names = {}
    exec(EXAMPLES[number], names)
    for line in EXAMPLES[number].splitlines():
        if said := SAID.fullmatch(line):
            digits = len(said["number"].partition(".")[2])
            assert round(float(eval(said["code"], names)), digits) == float(said["number"])


def test_the_readmes_examples_say_numbers():
    said = [match for match in map(SAID.fullmatch, README.splitlines()) if match]
    assert [match["number"] for match in said] == ["0.31", "41", "0.48", "8366"]


def test_make_help_lists_every_target_with_a_line():
    phony = re.search(r"^\.PHONY: (.+)$", (ROOT / "Makefile").read_text(), flags=re.M).group(1)
    papers = list(published.papers())
    declared = phony.replace("$(PAPERS)", " ".join(papers)).split()
    assert set(targets()) == set(declared)
    assert {"all", "quick", "test", "lab", *papers} <= set(declared)


def test_plain_make_builds_everything_and_make_test_runs_pytest():
    assert "rlpaper build" in make("-n").stdout and "--profile" not in make("-n").stdout
    assert "pytest" in make("-n", "test").stdout
    assert "--paper torra2008" in make("-n", "torra2008").stdout


def test_ci_runs_the_readmes_test_command():
    assert "make test" in (ROOT / ".ci/run").read_text().splitlines()


# Dependencies.


def requirements(lines):
    return {canonicalize_name(r.name): r.specifier for r in map(Requirement, lines)}


def project():
    return tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]


def stated():
    return requirements(
        [
            *project()["dependencies"],
            *(line for group in project()["optional-dependencies"].values() for line in group),
        ]
    )


def locked():
    lines = re.findall(
        r"^([A-Za-z0-9_.-]+)==(\S+)", (ROOT / "requirements.lock").read_text(), flags=re.M
    )
    return {canonicalize_name(name): version for name, version in lines}


def test_the_lock_pins_everything_that_pyproject_states_within_its_bounds():
    for name, specifier in stated().items():
        assert name in locked(), f"{name} is not locked; run `make lock`"
        assert locked()[name] in specifier, (
            f"{name} {locked()[name]} is locked outside {specifier}; run `make lock`"
        )


def test_conda_and_pip_state_the_same():
    lines = yaml.safe_load((ROOT / "environment.yml").read_text())["dependencies"]
    by_pip = next(line["pip"] for line in lines if isinstance(line, dict))
    conda = requirements(
        [line for line in lines if isinstance(line, str) and line != "pip"]
        + [line for line in by_pip if not line.startswith("-")]
    )
    assert str(conda.pop("python")) == project()["requires-python"]
    assert conda == stated()


def test_pulp_stays_below_4():
    assert "4.0" not in stated()["pulp"] and locked()["pulp"].startswith("3.")


def test_every_library_that_the_package_imports_is_stated():
    distribution = {"bs4": "beautifulsoup4"}
    for module in MODULES:
        for node in ast.walk(ast.parse(sources.module_file(module).read_text())):
            names = (
                [alias.name for alias in node.names]
                if isinstance(node, ast.Import)
                else [node.module]
                if isinstance(node, ast.ImportFrom) and not node.level
                else []
            )
            for name in (
                {name.split(".")[0] for name in names} - set(sys.stdlib_module_names) - {"rlpaper"}
            ):
                assert canonicalize_name(distribution.get(name, name)) in stated(), (
                    f"{module} imports {name}"
                )


def test_the_lock_names_no_registry():
    assert not re.search(
        r"https?://|index-url|find-links", (ROOT / "requirements.lock").read_text()
    )


# Notebooks.


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_notebooks_are_committed_clean_and_thin(path):
    notebook = json.loads(path.read_text())
    code = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
    assert not any(cell["outputs"] or cell["execution_count"] for cell in code)
    assert "course" in path.parts or any(
        "parameters" in cell["metadata"].get("tags", []) for cell in code
    )
    assert all(len("".join(cell["source"]).splitlines()) <= 25 for cell in code)


def reads_the_profile_itself(node):
    """Whether code decides by the profile, and not by a table of the paper's protocol."""

    def is_profile(part):
        return isinstance(part, ast.Name) and part.id == "profile"

    if isinstance(node, ast.Subscript):
        return is_profile(node.slice) and isinstance(node.value, ast.Dict)
    return isinstance(node, ast.Compare) and any(map(is_profile, [node.left, *node.comparators]))


@pytest.mark.parametrize(
    "notebook",
    [notebook for notebook in discover(ROOT / "notebooks") if notebook.paper],
    ids=lambda notebook: notebook.name,
)
def test_what_a_profile_runs_is_in_the_papers_protocol(notebook):
    for cell in json.loads(notebook.path.read_text())["cells"]:
        if cell["cell_type"] == "code":
            code = "".join(cell["source"])
            assert not any(map(reads_the_profile_itself, ast.walk(ast.parse(code)))), code


def test_the_first_notebook_and_the_readme_name_every_notebook():
    start = (ROOT / "notebooks" / "00-start-here.ipynb").read_text()
    readme = (ROOT / "README.md").read_text()
    for path in NOTEBOOKS:
        if path.parent.name == "notebooks" and path.name != "00-start-here.ipynb":
            assert f"({path.name})" in start and f"(notebooks/{path.name})" in readme


# Committed figures.


def test_committed_figures_are_those_of_the_full_protocol_and_unchanged():
    manifest = json.loads((ROOT / "figures" / "manifest.json").read_text())
    assert manifest["profile"] == "full"
    there = {
        path.name: fingerprints.sha256(path)
        for path in (ROOT / "figures").iterdir()
        if path.name != "manifest.json"
    }
    assert {name: file["sha256"] for name, file in manifest["files"].items()} == there


def test_the_committed_scorecard_follows_from_the_committed_tables(tmp_path):
    path = tmp_path / "scorecard.csv"
    scorecard.scorecard(ROOT / "figures").to_csv(path, index=False, lineterminator="\n")
    assert path.read_bytes() == (ROOT / "figures" / "scorecard.csv").read_bytes()


def test_the_scorecard_has_the_agreed_columns():
    header = pd.read_csv(ROOT / "figures" / "scorecard.csv", nrows=0).columns
    assert ",".join(header) == "paper,item,cell,published,reproduced,se,unit,verdict,explanation"


def test_links_of_the_readmes_lead_somewhere():
    for readme in (ROOT / "README.md", ROOT / "data" / "README.md"):
        for target in re.findall(r"\]\(([^)#]+)\)", readme.read_text()):
            if not target.startswith("http"):
                assert (readme.parent / target).exists(), f"{readme.name}: {target}"
