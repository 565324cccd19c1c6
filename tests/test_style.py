"""The style of the house: lint, types, words, and lines that fit a screen."""

import ast
import importlib
import inspect
import re
import subprocess
import sys
import tomllib
from fnmatch import fnmatch

import pytest
import yaml

from conftest import ROOT
from rlpaper._internal import sources

HOOKS = yaml.safe_load((ROOT / ".pre-commit-config.yaml").read_text())["repos"][0]["hooks"]
LIBRARY = (
    "aggregation",
    "plotting",
    "datasets",
    "distances",
    "masking",
    "information_loss",
    "linkage",
    "learning",
    "risk",
    "review",
    "examples",
)
CODE = sorted([*(ROOT / "rlpaper").rglob("*.py"), *(ROOT / "tests").rglob("*.py")])
NOTEBOOKS = sorted(
    path for path in (ROOT / "notebooks").rglob("*.ipynb") if "checkpoints" not in str(path)
)


@pytest.mark.parametrize("hook", HOOKS, ids=lambda hook: hook["id"])
def test_what_pre_commit_runs_finds_nothing(hook):
    interpreter, *words = hook["entry"].split()
    assert interpreter == ".venv/bin/python"
    run = subprocess.run([sys.executable, *words], cwd=ROOT, capture_output=True, text=True)
    assert run.returncode == 0, run.stdout + run.stderr


def test_pre_commit_can_read_its_hooks():
    command = [sys.executable, "-m", "pre_commit", "validate-config"]
    run = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert run.returncode == 0, run.stdout + run.stderr


def test_every_function_is_typed_where_a_package_of_the_library_takes_its_public_names_from():
    modules = {"rlpaper.aggregation", "rlpaper.plotting"}
    for package in set(LIBRARY) - {"aggregation", "plotting"}:
        path = ROOT / "rlpaper" / package / "__init__.py"
        tree = ast.parse(path.read_text())
        offered = next(
            (
                ast.literal_eval(node.value)
                for node in tree.body
                if isinstance(node, ast.Assign) and node.targets[0].id == "__all__"
            ),
            None,
        )
        for node in ast.walk(tree):
            public = (
                [alias.name for alias in node.names if not alias.name.startswith("_")]
                if isinstance(node, ast.ImportFrom) and node.level == 1
                else [node.name]
                if isinstance(node, ast.FunctionDef) and not node.name.startswith("_")
                else []
            )
            module = getattr(node, "module", None)
            # Of a package that offers no list, all names are public.
            if {name for name in public if offered is None or name in offered}:
                if module or isinstance(node, ast.FunctionDef):
                    modules.add(".".join(["rlpaper", package, *([module] if module else [])]))
    tool = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["mypy"]
    strict = {
        name
        for part in tool["overrides"]
        if part.get("disallow_untyped_defs")
        for name in part["module"]
    }
    listed = {
        name
        for name in sources.modules()
        for each in strict
        if fnmatch(name, each) or f"{name}.*" == each
    }
    assert modules <= listed, f"add to pyproject.toml, tool.mypy: {sorted(modules - listed)}"


@pytest.mark.parametrize("path", CODE, ids=lambda path: str(path.relative_to(ROOT)))
def test_no_line_is_longer_than_100_characters(path):
    assert [line for line in path.read_text().splitlines() if len(line) > 100] == []


def test_directions_are_spelled_out_everywhere():
    short = re.compile(r"\b(m2[o]|o2[m])\b")
    texts = [*CODE, *NOTEBOOKS, *(ROOT / "figures").glob("*.csv"), *(ROOT / "data").rglob("*.csv")]
    assert [path.name for path in texts if short.search(path.read_text(errors="ignore"))] == []


def documented(docstring):
    """Return the names in the section Parameters of a docstring; None if it has none."""
    lines = inspect.cleandoc(docstring or "").splitlines()
    if "Parameters" not in lines:
        return None
    section = lines[lines.index("Parameters") + 2 :]
    ends = [at - 1 for at, line in enumerate(section) if at and line and set(line) == {"-"}]
    heads = [line for line in section[: ends[0] if ends else None] if line and line[0] != " "]
    return {name.strip().lstrip("*") for head in heads for name in head.split(":")[0].split(",")}


@pytest.mark.parametrize("module", [name for name in sources.modules() if "._" not in name])
def test_documented_parameters_are_those_of_the_signature(module):
    """Whoever renames a parameter is told of the docstring, and whoever adds one too."""
    tree = importlib.import_module(module)
    public = [value for name, value in vars(tree).items() if not name.startswith("_")]
    for own in public:
        if not (inspect.isfunction(own) or inspect.isclass(own)) or own.__module__ != module:
            continue
        methods = [m for m in vars(own).values() if inspect.isfunction(m)]
        for each in (own, *(methods if inspect.isclass(own) else [])):
            names = documented(each.__doc__)
            if names is not None:
                taken = set(inspect.signature(each).parameters) - {"self"}
                for base in own.__mro__[1:] if inspect.isclass(own) else []:
                    taken -= documented(base.__doc__) or set()
                assert names == taken, f"{module}.{each.__qualname__}: {sorted(names ^ taken)}"
