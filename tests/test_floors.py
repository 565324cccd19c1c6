"""The floors of the house: imports point down, names mean one thing, public ones come lazily."""

import ast
import importlib
import subprocess
import sys
from collections import defaultdict
from types import ModuleType

import pytest

import rlpaper
from rlpaper._internal import sources

FLOORS = [
    {"_internal"},
    {"aggregation", "plotting", "datasets", "distances"},
    {"masking", "information_loss", "linkage"},
    {"learning"},
    {"risk", "review"},
    {"examples"},
    {"compendium"},
    {"papers"},
    {"course"},
    {"_commands"},
    {"cli"},
    {"__main__"},
]
#: What may recur, as it means the same of another package.
SAME_OF_ANOTHER_PACKAGE = {
    "base",
    "beyond",
    "claims",
    "example",
    "figures",
    "numeric",
    "pairs",
    "protocol",
    "readings",
    "report",
    "runs",
    "tables",
}
MODULES = [name for name in sources.modules() if name != "rlpaper"]
#: What talks to a user at a terminal.
TALKS = ("rlpaper.compendium", "rlpaper._commands", "rlpaper.cli")
DRAWS = {"rlpaper.plotting", "rlpaper.course.explore", "rlpaper.risk.report", "rlpaper._commands"}


def floor(module):
    part = module.split(".")[1]
    return next(number for number, names in enumerate(FLOORS) if part in names)


@pytest.mark.parametrize("module", MODULES)
def test_imports_point_down(module):
    for imported in sources.uses(module) - {"rlpaper"}:
        if imported.split(".")[1] != module.split(".")[1]:
            assert floor(imported) < floor(module), f"{module} imports {imported}"


@pytest.mark.parametrize("module", MODULES)
def test_what_a_package_keeps_to_itself_is_not_used_by_another(module):
    """But for `_internal`, which is for all, and for what compiles the searches beforehand."""
    foreign = {
        name
        for name in sources.uses(module) - {"rlpaper"}
        if name.split(".")[1] != module.split(".")[1]
        and any(part.startswith("_") for part in name.split(".")[2:])
        and name.split(".")[1] != "_internal"
    }
    assert not foreign or module == "rlpaper.compendium.compile", f"{module} imports {foreign}"


@pytest.mark.parametrize("module", [name for name in MODULES if ".papers." in name])
def test_what_is_computed_does_not_know_how_it_is_judged(module):
    if module.endswith((".protocol", ".runs")):
        allowed = {"rlpaper.compendium.sweep", "rlpaper.compendium.published"}
        compendium = {name for name in sources.uses(module) if ".compendium" in name}
        assert compendium <= allowed, f"{module} imports {compendium - allowed}"


@pytest.mark.parametrize("module", [name for name in MODULES if ".papers." in name])
def test_nothing_is_read_when_a_paper_is_imported(module):
    """What is read then is in no call's list of inputs, and in no key."""
    tree = ast.parse(sources.module_file(module).read_text())
    outside = [node for node in tree.body if not isinstance(node, (ast.FunctionDef, ast.ClassDef))]
    names = {n.id for node in outside for n in ast.walk(node) if isinstance(n, ast.Name)}
    assert not names & {"published", "datasets"}


@pytest.mark.parametrize("module", [name for name in MODULES if ".papers." in name])
def test_no_paper_imports_another(module):
    papers = {name.split(".")[2] for name in sources.uses(module) if ".papers." in name}
    assert papers <= {module.split(".")[2]}


@pytest.mark.parametrize("module", MODULES)
def test_only_modules_of_figures_plot_and_only_commands_print(module):
    tree = ast.parse(sources.module_file(module).read_text())
    calls = {
        node.func.id
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
    }
    assert "print" not in calls or module.startswith(TALKS)
    imported = {
        alias.name.split(".")[0]
        for node in ast.walk(tree)
        if isinstance(node, ast.Import)
        for alias in node.names
    }
    draws = module in DRAWS or module.endswith("figures") or module.startswith("rlpaper.compendium")
    assert draws or not imported & {"matplotlib", "seaborn"}


@pytest.mark.parametrize("package", [name for name in MODULES if sources.is_package(name)])
def test_no_module_bears_a_name_that_its_package_offers(package):
    """Else an import would give one or the other, by what was imported before."""
    module = importlib.import_module(package)
    inside = {name.rpartition(".")[2] for name in MODULES if name.rpartition(".")[0] == package}
    shadowed = {
        name for name in inside if not isinstance(getattr(module, name, sources), ModuleType)
    }
    assert not shadowed


def test_the_name_of_a_module_means_one_thing():
    places = defaultdict(list)
    for module in MODULES:
        places[module.rpartition(".")[2].strip("_")].append(module)
    again = {name: modules for name, modules in places.items() if len(modules) > 1}
    assert set(again) <= SAME_OF_ANOTHER_PACKAGE


def test_the_public_names_are_the_table_and_what_tools_are_told():
    tree = ast.parse(sources.module_file("rlpaper").read_text())
    told = {
        alias.name: node.module
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and node.level
        for alias in node.names
    }
    assert told == rlpaper._PUBLIC and sorted(told) == sorted(rlpaper.__all__)
    for name in rlpaper.__all__:
        assert getattr(rlpaper, name) is not None and name in dir(rlpaper)
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = rlpaper.nothing


def test_importing_the_package_imports_nothing_else():
    heavy = "('numpy', 'pandas', 'numba', 'matplotlib')"
    code = f"import sys, rlpaper; print([name for name in {heavy} if name in sys.modules])"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "[]"
