"""A sixth paper, added to a copy as CONTRIBUTING.md says: built, judged and reported."""

import re
import shutil
import subprocess

import pandas as pd

from conftest import ROOT

PUBLISHED = {
    "papers.toml": '\n[smith2030]\ncitation = "Smith (2030), Linking records by heart"\n',
    "index.toml": """
["smith2030_table1.csv"]
paper = "smith2030"
item = "table1"
row = "n={n}"
judge = "band"
unit = 0.1
executions = 10
columns = { links = {} }
""",
    "smith2030_table1.csv": "n,links\n5,1.0\n9,7.0\n",
}
PACKAGE = {
    "__init__.py": '"""Smith (2030)."""\n',
    "protocol.py": '"""Choices."""\n\nSIZES = (5, 9)\nEXECUTIONS = {"quick": 3, "full": 10}\n',
    "runs.py": '''"""What is computed."""

from ...compendium.sweep import drawn_by
from ...linkage import simulate_links


@drawn_by("n")
def links(n, random_state):
    return {"links": float(simulate_links(n, 1000, random_state).mean())}
''',
    "tables.py": '''"""The cells as printed."""

from ...compendium.sweep import sweep
from .protocol import EXECUTIONS, SIZES
from .runs import links


def table1(profile, seed):
    rows = sweep(links, {"n": list(SIZES)}, executions=EXECUTIONS[profile], seed=seed)
    return rows.assign(cell=[f"n={n} links" for n in rows["n"]], value=rows["links"])
''',
}
CELLS = (
    "from rlpaper.compendium import results, scorecard",
    "from rlpaper.papers.smith2030 import tables",
    "table1 = tables.table1(profile, seed)",
    'results.save_table(table1[["cell", "execution", "value"]], "smith2030", "table1", figures)',
    'scorecard.compare(table1, "smith2030", "table1")',
)


def files(root):
    return {
        path.relative_to(root).as_posix(): path.read_bytes()
        for folder in ("rlpaper", "notebooks", "data")
        for path in (root / folder).rglob("*")
        if path.is_file() and "__pycache__" not in path.parts and "local" not in path.parts
    }


def test_a_sixth_paper_touches_four_places_and_is_built_judged_and_reported(clone):
    before = files(clone.root)
    for name, text in PUBLISHED.items():
        with (clone.root / "data/published" / name).open("a") as file:
            file.write(text)
    package = clone.root / "rlpaper/papers/smith2030"
    package.mkdir()
    for name, text in PACKAGE.items():
        (package / name).write_text(text)
    clone.write("71-smith2030-links", *CELLS)
    after = files(clone.root)
    touched = {name for name in after if after[name] != before.get(name)}
    places = r"data/published/.*|rlpaper/papers/smith2030/.*|notebooks/71-smith2030-.*"
    assert all(re.fullmatch(places, name) for name in touched) and len(touched) == 8

    run = clone.build("--profile", "quick", "--paper", "smith2030")
    assert run.returncode == 0, run.stdout + run.stderr
    card = pd.read_csv(clone.root / "build/quick/figures/scorecard.csv")
    rows = card[card["paper"] == "smith2030"]
    assert rows["cell"].tolist() == ["n=5 links", "n=9 links"]
    assert rows["verdict"].tolist() == [
        "match",
        "differs",
    ]  # chance finds one record, of any number
    page = (clone.root / "build/report/index.html").read_text()
    assert "Linking records by heart" in page and "71-smith2030-links" in page
    for name in ("Makefile", "pyproject.toml", "requirements.lock"):
        shutil.copy(ROOT / name, clone.root)
    make = subprocess.run(
        ["make", "-n", "smith2030"], cwd=clone.root, capture_output=True, text=True
    )
    assert "--paper smith2030" in make.stdout
