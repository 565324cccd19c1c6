"""What is run again after a change, and what is not."""

import ast
import importlib
import json
import re
import shutil
from types import ModuleType

import pytest

from conftest import ROOT, copy_package
from imitation import SWEPT
from rlpaper import datasets
from rlpaper._internal import inputs, sources
from rlpaper.compendium import fingerprints, notebooks, published
from rlpaper.compendium.sweep import generator, sweep

# Which modules a piece of code reaches.

PACKAGE = {
    "__init__": "if False:\n    from .inner import f\n",
    "inner/__init__": "from .leaf import f\nfrom .other import g\ndef own():\n    pass\n",
    "inner/leaf": "from .. import base\ndef f():\n    from ..late import g\n",
    "inner/other": "g = 1\n",
    "base": "import numpy\n",
    "late": "g = 2\n",
    "deep/__init__": "",
    "deep/down": "x = 1\n",
}


@pytest.fixture
def package(tmp_path):
    for name, text in PACKAGE.items():
        path = tmp_path / "rlpaper" / f"{name}.py"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return tmp_path


LEAF = {"inner.leaf", "base", "late"}


@pytest.mark.parametrize(
    ("code", "found"),
    [
        ("from rlpaper.inner import f", LEAF),
        ("from rlpaper.inner import f as h, g", {*LEAF, "inner.other"}),
        ("from rlpaper.inner import own", {"inner", "inner.leaf", "inner.other", "base", "late"}),
        ("from rlpaper import f", LEAF),
        ("import rlpaper\nrlpaper.f()", LEAF),
        ("from rlpaper import inner\ninner.g", {"inner.other"}),
        ("import rlpaper.inner as i\ni.leaf.f", LEAF),
        ("import rlpaper.deep.down\nrlpaper.deep.down.x", {"deep.down"}),
        ("from rlpaper import inner\nuse(inner)", {"inner", *LEAF, "inner.other"}),
        ("from rlpaper.inner import *", {"inner", *LEAF, "inner.other"}),
        ("import rlpaper\nr = rlpaper.deep\nr.down.x", {"deep", "deep.down"}),
        ("import rlpaper, rlpaper.deep.down\ngetattr(rlpaper.deep, 'down')", {"deep", "deep.down"}),
        ("from rlpaper.deep import *", {"deep", "deep.down"}),
        ("from rlpaper.deep import down", {"deep.down"}),
        ("from rlpaper.inner import leaf\nleaf.f", LEAF),
        ("import numpy\nfrom os import path", set()),
    ],
)
def test_a_name_counts_as_the_module_that_defines_it(package, code, found):
    assert sources.reached(code, home=package) == {f"rlpaper.{name}" for name in found}


def test_what_is_left_out_is_not_followed(package):
    left = sources.reached(
        "from rlpaper.inner import f", home=package, leave_out=lambda name: name.endswith("leaf")
    )
    assert left == set()


def test_a_module_is_what_the_interpreter_sees(package):
    path = package / "rlpaper/inner/leaf.py"
    before = sources.seen("rlpaper.inner.leaf", package)
    path.write_text(
        '"""New."""\n# Why.\n' + path.read_text().replace("f():\n", 'f():\n    "Doc."\n')
    )
    assert sources.seen("rlpaper.inner.leaf", package) == before
    path.write_text(path.read_text() + "y = 1\n")
    assert sources.seen("rlpaper.inner.leaf", package) != before


# What has to hold of this package for that to be right.

PACKAGES = {name for name in sources.modules() if sources.module_file(name).stem == "__init__"}


@pytest.mark.parametrize("package", sorted(PACKAGES - {"rlpaper.compendium"}))
def test_an_init_offers_names_each_from_one_place_and_does_nothing_else(package):
    tree = ast.parse(sources.module_file(package).read_text())
    for node in tree.body:
        if isinstance(node, ast.Expr):
            assert isinstance(node.value, ast.Constant), ast.unparse(node)
        elif isinstance(node, ast.Assign):
            assert all(isinstance(target, ast.Name) for target in node.targets)
            assert not any(isinstance(part, ast.Call) for part in ast.walk(node.value))
        elif isinstance(node, ast.If):
            assert ast.unparse(node.test) == "TYPE_CHECKING" and not node.orelse
        else:
            assert isinstance(node, (ast.Import, ast.ImportFrom, ast.FunctionDef, ast.ClassDef)), (
                ast.unparse(node)
            )
    bound = []
    for node in ast.walk(tree):
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            bound += [alias.asname or alias.name for alias in node.names]
        elif isinstance(node, (ast.FunctionDef, ast.ClassDef)) and node in tree.body:
            bound.append(node.name)
        elif isinstance(node, ast.Assign) and node in tree.body:
            bound += [target.id for target in node.targets]
    assert len(bound) == len(set(bound))


@pytest.mark.parametrize("package", sorted(PACKAGES))
def test_a_name_comes_from_where_it_is_looked_for(package):
    module = importlib.import_module(package)
    for name in getattr(module, "__all__", ()):
        offered = getattr(module, name)
        if isinstance(offered, ModuleType):
            assert offered.__name__ == f"{package}.{name}"
        else:
            origin = importlib.import_module(sources._origin(package, name, sources.HOME))
            assert vars(origin)[name] is offered
            if hasattr(offered, "__module__"):  # it is defined there, and not just passed on
                assert offered.__module__ == origin.__name__


#: What imports names when they are asked for (the two tests above), and other libraries.
BY_TEXT = {"rlpaper", "rlpaper.risk", "rlpaper.examples", "rlpaper._internal.extras"}
BY_TEXT |= {"rlpaper.compendium"}  # turns off an optional library of others, imports nothing


@pytest.mark.parametrize("module", sorted({*sources.modules()} - BY_TEXT))
def test_no_module_is_imported_by_a_text(module):
    code = sources.module_file(module).read_text()
    assert not re.search(r"import_module|__import__|sys\.modules|\bexec\(|\beval\(", code)


# Which data a piece of work asked for.


def test_what_was_asked_for_is_recorded_also_if_it_was_kept():
    @inputs.remembered
    def size(name):
        return len(datasets.load(name))

    for _ in range(2):
        with inputs.recorded() as outer:
            size("iris")
            with inputs.recorded() as inner:
                published.table("torra2008_table1_example")
                published.cells("torra2008", "table3")
                published.explanations()
        asked = {"torra2008_table1_example", "explanations"}
        assert inner == {*(f"published {name}" for name in asked), "cells torra2008 table3"}
        assert outer == {*inner, "data iris"}


def test_what_was_asked_for_is_written_to_a_list_once(tmp_path, monkeypatch):
    monkeypatch.setenv(inputs.LOG, str(tmp_path / "used"))
    monkeypatch.setattr(inputs, "_logged", set())
    for _ in range(2):
        datasets.load("iris")
    assert (tmp_path / "used").read_text() == "data iris\n"


@pytest.fixture
def data(tmp_path, monkeypatch):
    """A copy of the data that a test may change."""
    shutil.copytree(ROOT / "data", tmp_path / "data", ignore=shutil.ignore_patterns("local"))
    monkeypatch.setenv("RLPAPER_DATA", str(tmp_path / "data"))
    return tmp_path / "data"


def records(name, random_state):
    return {"records": len(datasets.load(name)), "draw": random_state.random()}


def test_a_call_is_made_again_when_data_that_it_asked_for_change_and_not_before(data, tmp_path):
    def made():
        with inputs.recorded() as names:
            sweep(records, {"name": ["iris", "census"]}, workers=1, cache=tmp_path, progress=False)
        paths = list((tmp_path / "records").glob("*.json"))
        used.append(names)
        return {path.stat().st_mtime_ns: json.loads(path.read_text()) for path in paths}

    used = []
    first = made()
    assert sorted(list(e["inputs"]) for e in first.values()) == [["data census"], ["data iris"]]
    (data / "more.csv").write_text("x\n1\n")
    with (data / "catalogue.toml").open("a") as catalogue:
        catalogue.write("\n[more]\nfile = 'more.csv'\nrows = 1\ncolumns = 1\nsha256 = ''\n")
    number = data / "published/abril2012_table2_rankswap.csv"
    number.write_text(number.read_text().replace("88", "87", 1))
    assert made() == first
    # Whoever uses the rows depends on the same, whether they were kept or not.
    assert used[0] == used[1] and {"data iris", "data census"} < used[0]
    kept = {f"kept records/{path.name}" for path in (tmp_path / "records").glob("*.json")}
    assert used[0] - {"data iris", "data census"} == kept
    text = (data / "catalogue.toml").read_text()
    (data / "catalogue.toml").write_text(text.replace("Iris plants", "Irises", 1))
    second = made()
    assert len(set(second) & set(first)) == 1


def test_a_published_number_is_part_of_the_table_that_it_stands_in(data):
    names = ["cells abril2012 table2", "cells abril2012 table3", "cells abril2012", "cells"]
    before = [fingerprints.of_input(name) for name in names]
    number = data / "published/abril2012_table2_rankswap.csv"
    number.write_text(number.read_text().replace("88", "87", 1))
    after = [fingerprints.of_input(name) for name in names]
    assert [a != b for a, b in zip(after, before, strict=True)] == [True, False, True, True]


def test_the_versions_of_all_libraries_that_can_change_what_is_shown_are_known():
    assert set(fingerprints.library_versions()) == {"python", *fingerprints.LIBRARIES}


# What the real notebooks and sweeps depend on.

NOTEBOOKS = notebooks.discover(ROOT / "notebooks")


def change(path, addition):
    path.write_text(path.read_text() + addition)


def named(function):
    """Such as torra2008.runs.experiment."""
    return f"{function.__module__.removeprefix('rlpaper.papers.')}.{function.__name__}"


class Copy:
    def __init__(self, home):
        self.home = home
        shutil.copytree(
            ROOT / "rlpaper", home / "rlpaper", ignore=shutil.ignore_patterns("__pycache__")
        )

    def keys(self):
        return {n.name: n.key({}, home=self.home) for n in NOTEBOOKS} | {
            named(f): fingerprints.of_function(f, home=self.home) for f in SWEPT
        }

    def concerned(self, *paths, addition="\nCHANGED = 1\n"):
        """Notebooks and swept functions whose keys change with files."""
        before = self.keys()
        for path in paths:
            path.write_text(path.read_text() + addition)
        after = self.keys()
        return {name for name in before if before[name] != after[name]}


@pytest.fixture
def copy(tmp_path):
    return Copy(tmp_path)


def papers_of(names):
    """Papers of notebooks such as 31-torra2008-example, and of functions."""
    return {name.split("-")[1] if name[0].isdigit() else name.split(".")[0] for name in names}


def test_a_comment_or_docstring_in_any_module_concerns_nothing(copy):
    before = copy.keys()
    for path in (copy.home / "rlpaper").rglob("*.py"):
        module = ".".join(path.relative_to(copy.home).with_suffix("").parts)
        module = module.removesuffix(".__init__")
        was = [part(module, copy.home) for part in (sources.seen, sources.uses, sources.texts)]
        text = path.read_text()
        if ast.get_docstring(ast.parse(text)) is None:
            text = '"""New."""\n' + text
        else:
            text = text.replace('"""', '"""New: ', 1)
        path.write_text(text + "\n# A comment.\n")
        now = [part(module, copy.home) for part in (sources.seen, sources.uses, sources.texts)]
        assert now == was, module
    assert copy.keys() == before


@pytest.mark.parametrize("paper", ["abril2012", "abril2011", "torra2008", "domingo2002", "li2019"])
def test_a_change_in_a_paper_concerns_that_paper_only(copy, paper):
    folder = copy.home / "rlpaper/papers" / paper
    main = folder / ("budget.py" if paper == "li2019" else "runs.py")
    assert papers_of(copy.concerned(main)) == {paper}
    assert papers_of(copy.concerned(*folder.glob("*.py"))) == {paper}


def test_judging_drawing_showing_and_managing_concern_no_sweep(copy):
    package = copy.home / "rlpaper"
    paths = [
        *(package / "compendium").glob("*.py"),
        *package.rglob("figures.py"),
        package / "plotting.py",
        package / "_internal/html.py",
        package / "_internal/progress.py",
        package / "_internal/sources.py",
        package / "_internal/extras.py",
        *(package / "review").glob("widget.*"),
    ]
    concerned = copy.concerned(*paths)
    assert concerned == {notebook.name for notebook in NOTEBOOKS}


def test_the_library_concerns_the_sweeps_that_use_it(copy):
    solver = copy.concerned(copy.home / "rlpaper/learning/_boxes.py")
    assert {named(f) for f in SWEPT if f.__name__ == "learn"} <= solver
    assert not {named(f) for f in SWEPT if "torra2008" in f.__module__} & solver
    assert "61-assess-household-survey" in solver  # by the attribute rlpaper.assess


def test_the_style_of_the_reviewers_page_concerns_the_notebook_that_shows_it(copy):
    style = copy.home / "rlpaper/review/widget.css"
    assert copy.concerned(style, addition="\n") == {"52-li2019-review"}


# Builds.


@pytest.fixture
def small(clone):
    """A project with three notebooks on the papers' own runs."""
    shutil.rmtree(clone.root / "notebooks")
    (clone.root / "notebooks").mkdir()
    clone.write(
        ABRIL,
        "from rlpaper.compendium import scorecard",
        "from rlpaper.compendium.sweep import sweep",
        "from rlpaper.papers.abril2012 import runs",
        "import pandas as pd",
        "rows = sweep(runs.key_attributes, [{}], executions=1, seed=seed)",
        'scorecard.compare(pd.DataFrame(columns=["cell", "value"]), "abril2012", "table2")',
        'rows.to_csv(f"{figures}/abril2012_x.csv")',
    )
    clone.write(
        TORRA,
        "from rlpaper.compendium.sweep import sweep",
        "from rlpaper.papers.torra2008.runs import count_links",
        'sweep(count_links, {"n": [5], "times": [10]}, seed=seed)',
    )
    clone.write(LI, "from rlpaper.papers.li2019 import screenshot")
    return clone


ABRIL, TORRA, LI = "11-abril2012-x", "31-torra2008-x", "52-li2019-x"


def kept(project):
    return {
        path.name: path.stat().st_mtime_ns
        for path in (project.root / "build/cache").rglob("*.json")
    }


def test_what_a_build_runs_again(small):
    def runs(*words):
        run = small.build(*words)
        assert run.returncode == 0, run.stdout + run.stderr
        return {name for name in (ABRIL, TORRA, LI) if f"{name}: done" in run.stdout}

    package, data = small.root / "rlpaper", small.root / "data"
    assert runs() == {ABRIL, TORRA, LI}
    calls = kept(small)
    assert len(calls) == 2
    for path in package.rglob("*.py"):
        change(path, "\n# A comment.\n")
    (data / "more.csv").write_text("x\n1\n")
    assert runs() == set()
    number = data / "published/abril2012_table2_rankswap.csv"
    number.write_text(number.read_text().replace("88", "87", 1))
    assert runs() == {ABRIL} and kept(small) == calls
    change(package / "review/widget.css", "\n")
    assert runs() == {LI}
    change(package / "papers/torra2008/runs.py", "\nCHANGED = 1\n")
    assert runs() == {TORRA}
    # The old call of torra2008 is used by nobody any more, and what stays is that of abril2012.
    assert len(kept(small)) == 2 and len(set(kept(small)) & set(calls)) == 1


@pytest.mark.slow
@pytest.mark.parametrize("function", SWEPT, ids=named)
def test_a_second_call_notes_the_same_data_as_the_first(function):
    """So no helper of a swept function keeps what it has read out of sight."""
    noted = []
    for _ in range(2):
        with inputs.recorded() as names:
            setting = SWEPT[function][0]
            function(**setting, random_state=generator(function, 1, setting, 0))
        noted.append(names)
    without = {"torra2008.persons.recover", "torra2008.runs.count_links"}  # they make up their data
    assert noted[0] == noted[1] and bool(noted[0]) == (named(function) not in without)


def test_a_function_typed_into_a_notebook_depends_on_all_that_makes_numbers(tmp_path):
    copy_package(tmp_path)
    before = fingerprints.of_function(records, tmp_path)
    for module, counts in (
        ("distances/numeric", True),
        ("papers/li2019/tables", True),
        ("papers/li2019/figures", False),
        ("compendium/scorecard", False),
        ("plotting", False),
    ):
        path = tmp_path / "rlpaper" / f"{module}.py"
        text = path.read_text()
        path.write_text(f"{text}\nTRIED = 1\n")
        assert (fingerprints.of_function(records, tmp_path) != before) == counts, module
        path.write_text(text)
