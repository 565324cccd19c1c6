"""Shared fixtures: a copy of the project that a test may change, and a browser."""

import json
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path
from types import SimpleNamespace

import rlpaper.compendium  # noqa: F401  isort: skip  before nbformat: it then loads in a moment

import nbformat
import pandas as pd
import pytest
from hypothesis import settings

from rlpaper.masking import compose_transitions
from rlpaper.papers.li2019 import screenshot

ROOT = Path(__file__).resolve().parent.parent

# The same examples in every run: a failure can be repeated by anybody.
settings.register_profile("rlpaper", derandomize=True, deadline=None)
settings.load_profile("rlpaper")


def pytest_collection_modifyitems(items):
    """Run the test that builds the project first and those that read the result last.

    So no worker has to wait. Tests that build notebooks, copy the project or open a browser are
    marked slow, whether they say so or not.
    """
    for item in items:
        if {"built", "clone", "toy", "built_toy", "browser"} & set(item.fixturenames):
            item.add_marker("slow")
    items.sort(
        key=lambda item: (
            0
            if item.name.startswith("test_every_notebook_runs")
            else 1 + ("built" in item.fixturenames)
        )
    )


def with_transitions(df, steps):
    """Mask a file in steps; return it, and what the steps do to each category."""
    tables = []
    for step in steps:
        tables.append(step.transitions(df))
        df = step.mask(df, 1)
    return df, compose_transitions(*tables)


def copy_package(root):
    """Copy the package into a folder, for a test that adds to it as CONTRIBUTING.md says."""
    ignored = shutil.ignore_patterns("__pycache__")
    shutil.copytree(ROOT / "rlpaper", root / "rlpaper", ignore=ignored)


def run_in(root, *words):
    """Run Python in such a copy, which stands before the checkout and any installed package."""
    environment = {**os.environ, "PYTHONPATH": str(root), "PYTHONDONTWRITEBYTECODE": "1"}
    run = subprocess.run(
        [sys.executable, *words], cwd=root, env=environment, capture_output=True, text=True
    )
    assert run.returncode == 0, run.stdout + run.stderr
    return run.stdout


class Clone:
    """A copy of the project in its own folder, made unless it is there; uses this Python."""

    def __init__(self, root):
        self.root = root
        if (root / "rlpaper").exists():
            return
        for name in ("rlpaper", "notebooks", "data"):
            shutil.copytree(
                ROOT / name,
                root / name,
                ignore=shutil.ignore_patterns("*.pyc", ".ipynb_checkpoints", "local"),
            )

    def write(self, name, *cells):
        """A notebook with a cell of parameters and the given cells of code."""
        notebook = nbformat.v4.new_notebook(
            metadata={
                "kernelspec": {"name": "python3", "display_name": "rlpaper", "language": "python"}
            }
        )
        parameters = nbformat.v4.new_code_cell(
            "profile, seed, figures = 'quick', 1, '.'", id="parameters"
        )
        parameters.metadata["tags"] = ["parameters"]
        notebook.cells = [
            nbformat.v4.new_markdown_cell(f"# {name}", id="title"),
            parameters,
            *(nbformat.v4.new_code_cell(cell, id=f"cell-{i}") for i, cell in enumerate(cells)),
        ]
        nbformat.write(notebook, self.root / "notebooks" / f"{name}.ipynb")

    def start(self, *words, workers=2):
        """Start the compendium as the Makefile does."""
        environment = {**os.environ, "PYTHONPATH": str(self.root), "RLPAPER_WORKERS": str(workers)}
        return subprocess.Popen(
            [sys.executable, "-m", "rlpaper", "build", *words],
            cwd=self.root,
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def build(self, *words, workers=2):
        """Run the compendium; returns the finished process, output as text."""
        process = self.start(*words, workers=workers)
        process.stdout, process.stderr = process.communicate(timeout=2400)
        return process

    def outputs(self, profile):
        """Every table and figure of a profile, as bytes; of those with times only the names."""
        folder = self.root / ("figures" if profile == "full" else f"build/{profile}/figures")
        return {
            path.name: b"" if path.stem.endswith("_seconds") else path.read_bytes()
            for path in sorted(folder.iterdir())
            if path.name != "manifest.json"
        }


@pytest.fixture
def clone(tmp_path):
    return Clone(tmp_path)


def write_toy(clone):
    shutil.rmtree(clone.root / "notebooks")
    (clone.root / "notebooks").mkdir()
    clone.write(
        "31-torra2008-first",
        "from rlpaper.compendium.results import save_table",
        "import pandas as pd",
        'save_table(pd.DataFrame({"x": [seed]}), "torra2008", "first", figures)',
    )
    clone.write(
        "32-torra2008-second",
        "from rlpaper.linkage.chance import links_by_chance",
        'open(f"{figures}/torra2008_second.csv", "w").write(str(links_by_chance(3, 1)))',
    )
    clone.write(
        "33-torra2008-third",
        "total = 1 + 1",
        'open(f"{figures}/torra2008_third.csv", "w").write("x\\n2\\n")',
    )
    return clone


@pytest.fixture
def toy(clone):
    """A project with three tiny notebooks of one paper, for tests of the build itself."""
    return write_toy(clone)


def build_once(tmp_path_factory, name, prepare=lambda project: project):
    """A project built at the quick profile, by the first of the parallel workers that asks."""
    base = tmp_path_factory.getbasetemp()
    root = (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / name
    result = root / "result.json"
    try:
        root.mkdir()
    except FileExistsError:
        deadline = time.monotonic() + 1800
        while not result.exists():  # another worker is building it
            assert time.monotonic() < deadline, (
                "the worker that builds the project has not finished"
            )
            time.sleep(0.5)
    else:
        run = prepare(Clone(root)).build("--profile", "quick")
        partial = result.with_suffix(".tmp")
        partial.write_text(
            json.dumps({"returncode": run.returncode, "stdout": run.stdout, "stderr": run.stderr})
        )
        partial.replace(result)
    project = Clone(root)
    project.run = SimpleNamespace(**json.loads(result.read_text()))
    assert project.run.returncode == 0, project.run.stdout + project.run.stderr
    return project


@pytest.fixture(scope="session")
def built(tmp_path_factory):
    """A project built once at the quick profile, to be read and not changed."""
    return build_once(tmp_path_factory, "built")


@pytest.fixture(scope="session")
def toy_built_once(tmp_path_factory):
    return build_once(tmp_path_factory, "toy", write_toy)


@pytest.fixture
def built_toy(toy_built_once, tmp_path):
    """A copy of the toy project as its first build leaves it; `run` is that build."""
    shutil.copytree(toy_built_once.root, tmp_path, dirs_exist_ok=True)
    project = Clone(tmp_path)
    project.run = toy_built_once.run
    return project


@pytest.fixture(scope="session")
def browser():
    """Debian's Chromium, driven by Playwright."""
    path = screenshot.chromium()
    if path is None:
        message = "no Chromium here; apt-get install chromium, to run the browser tests"
        if os.environ.get("CI"):
            pytest.fail(message)
        pytest.skip(message)
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(
            executable_path=path,
            args=[
                "--no-sandbox",
                "--disable-gpu",
                "--no-first-run",
                "--disable-background-networking",
                "--disable-component-update",
                "--disable-sync",
                "--disable-quic",
            ],
        )
        yield chromium
        chromium.close()


@pytest.fixture(scope="session")
def reference():
    """Tables of tests/reference by name."""
    return lambda name: pd.read_csv(Path(__file__).parent / "reference" / f"{name}.csv")
