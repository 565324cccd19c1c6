"""The wheel, outside the checkout, in an environment that has only the core dependencies."""

import importlib.metadata
import os
import pathlib
import re
import shutil
import subprocess
import sys
import venv

import pytest
from packaging.requirements import Requirement

from conftest import ROOT
from rlpaper import datasets
from rlpaper.masking import rank_swap

pytestmark = pytest.mark.slow


def needed(names):
    """Installed distributions that are needed by those named, and themselves."""
    found, queue = {}, list(names)
    while queue:
        name = queue.pop()
        if name not in found:
            found[name] = importlib.metadata.distribution(name)
            for line in found[name].requires or ():
                requirement = Requirement(line)
                if requirement.marker is None or requirement.marker.evaluate({"extra": ""}):
                    queue.append(requirement.name)
    return found.values()


@pytest.fixture(scope="module")
def installed(tmp_path_factory):
    """A function that runs a command of an environment with the wheel of this tree.

    The environment has the core dependencies and nothing else.
    """
    folder = tmp_path_factory.mktemp("wheel")
    source, home = folder / "source", folder / "home"
    listed = subprocess.run(
        [
            *("git", "ls-files", "--cached", "--others", "--exclude-standard"),
            *("rlpaper", "*.toml", "*.md", "LICENSE"),
        ],
        cwd=ROOT,
        check=True,
        capture_output=True,
        text=True,
    )
    for name in filter(lambda name: (ROOT / name).exists(), listed.stdout.splitlines()):
        (source / name).parent.mkdir(parents=True, exist_ok=True)
        (source / name).write_bytes((ROOT / name).read_bytes())
    build = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(folder)]
    subprocess.run([*build, str(source)], check=True, capture_output=True)
    (wheel,) = folder.glob("*.whl")
    venv.create(folder / "env", with_pip=False)
    (packages,) = (folder / "env").glob("lib/python*/site-packages")
    for distribution in needed(
        requirement.name
        for requirement in map(Requirement, importlib.metadata.requires("rlpaper"))
        if requirement.marker is None
    ):
        for top in {path.parts[0] for path in distribution.files if path.parts[0] != ".."}:
            if not (packages / top).exists() and top != "__pycache__":
                (packages / top).symlink_to(distribution.locate_file(top))
    python = folder / "env/bin/python"
    pip = [
        sys.executable,
        "-m",
        "pip",
        "--python",
        str(python),
        "install",
        "--no-deps",
        "--no-index",
    ]
    subprocess.run([*pip, "--quiet", str(wheel)], check=True)
    (folder / "work").mkdir()
    home.mkdir()

    # the machine code that other tests have compiled is the wheel's too, wherever this user keeps
    # it
    compiled = os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache"

    def run(program, *words, cache=compiled, **more):
        environment = {
            "PATH": os.environ["PATH"],
            "HOME": str(home),
            "MPLCONFIGDIR": str(folder / "matplotlib"),
            "TQDM_DISABLE": "1",
            **({"XDG_CACHE_HOME": str(cache)} if cache else {}),
            **more,
        }
        return subprocess.run(
            [folder / "env/bin" / program, *words],
            cwd=folder / "work",
            env=environment,
            capture_output=True,
            text=True,
        )

    run.folder, run.work, run.home, run.packages = folder, folder / "work", home, packages
    return run


def python(run, code, **options):
    answer = run("python", "-c", code, **options)
    assert answer.returncode == 0, answer.stderr
    return answer.stdout.strip()


def test_it_holds_the_package_and_its_data_files(installed):
    package = installed.packages / "rlpaper"
    assert not package.is_symlink()
    missing = {
        path.relative_to(ROOT / "rlpaper")
        for path in (ROOT / "rlpaper").rglob("*")
        if path.is_file() and path.suffix != ".pyc"
    } - {path.relative_to(package) for path in package.rglob("*")}
    assert not missing


def test_it_imports_without_extras_and_says_what_is_missing(installed):
    code = """
import importlib.util, rlpaper
assert importlib.util.find_spec("papermill") is None and importlib.util.find_spec("pulp") is None
for name in rlpaper.__all__:
    try:
        getattr(rlpaper, name)
    except ModuleNotFoundError as error:
        print(name, error)
try:
    import rlpaper.learning.milp
except ModuleNotFoundError as error:
    print(error)
"""
    assert python(installed, code).splitlines() == [
        'review this needs rapidfuzz, which is not installed: pip install "rlpaper[review]"',
        'this needs pulp, which is not installed: pip install "rlpaper[milp]"',
    ]
    build = installed("rlpaper", "build")
    assert build.returncode == 2 and "needs a checkout of the project" in build.stderr
    serve = installed("rlpaper", "review", "serve")
    assert serve.returncode == 2 and 'pip install "rlpaper[review]"' in serve.stderr
    data = python(
        installed,
        "from rlpaper import datasets\n"
        "try: datasets.load('census')\n"
        "except ValueError as e: print(e)",
    )
    assert "RLPAPER_DATA" in data


def test_the_readmes_first_example_runs(installed):
    example = re.search(r"```python\n(.*?)```", (ROOT / "README.md").read_text(), re.S)[1]
    assert "datasets" not in example
    python(installed, example)
    (installed.work / "risk.html").unlink()


@pytest.mark.parametrize("columns", [13, 3])
def test_it_assesses_a_pair_of_files(installed, columns):
    original = datasets.load("census").iloc[:150, :columns]
    original.to_csv(installed.work / f"before{columns}.csv", index=False)
    rank_swap(original, 10, 1).to_csv(installed.work / f"after{columns}.csv", index=False)
    before = set(installed.work.rglob("*"))
    run = installed(
        "rlpaper", "assess", f"before{columns}.csv", f"after{columns}.csv", "--out", "out"
    )
    assert run.returncode == 0, run.stderr
    assert "An attacker who holds the original values" in run.stdout
    written = {path for path in installed.work.rglob("*")} - before
    assert {path.relative_to(installed.work).parts[0] for path in written} == {"out"}
    assert (installed.work / "out/report.html").stat().st_size > 50_000
    assert not list(installed.home.iterdir())
    shutil.rmtree(installed.work / "out")


LINK = """
import pandas as pd, rlpaper
a = pd.DataFrame({"x": [1.0, 2.0, 3.0]})
print(rlpaper.reidentification_rate(a, a))
"""


def test_machine_code_is_kept_where_the_user_says_or_nowhere(installed, tmp_path):
    def kept(folder):
        return len(list(folder.rglob("*.nbc")))

    assert python(installed, LINK, cache=tmp_path / "xdg") == "1.0"
    assert kept(tmp_path / "xdg/rlpaper/machine_code") > 0
    assert python(installed, LINK, cache="", NUMBA_CACHE_DIR=str(tmp_path / "numba")) == "1.0"
    assert kept(tmp_path / "numba/rlpaper/machine_code") > 0
    (tmp_path / "file").write_text("")
    assert python(installed, LINK, cache=tmp_path / "file") == "1.0"  # no folder can be made there
    assert not list(installed.home.iterdir())
