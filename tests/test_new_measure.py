"""What CONTRIBUTING.md tells a contributor to do, done in a copy of the package."""

import re

import pandas as pd
import pytest

from conftest import ROOT, copy_package, run_in

ASSESS = """
import sys
import numpy as np, pandas as pd
import rlpaper
from rlpaper.masking import add_noise

rng = np.random.default_rng(1)
original = pd.DataFrame({"age": rng.integers(20, 60, 60), "income": rng.normal(50, 9, 60)})
masked = add_noise(original, 20, 1)
assessment = rlpaper.assess(original, masked, alternatives=False, progress=False)
folder = assessment.save(sys.argv[1])
assessment.report(folder / "report.html")
print(rlpaper.__file__)
"""


def package_files(root):
    return {
        path.relative_to(root).as_posix(): path.read_bytes()
        for path in (root / "rlpaper").rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }


def assessed(root, folder):
    """What the package below a folder says of a pair of files: its tables, summary and page."""
    assert run_in(root, "-c", ASSESS, str(folder)).startswith(str(root))
    return {path.name: path.read_text("utf-8") for path in folder.iterdir()}


@pytest.mark.slow
def test_a_risk_measure_touches_two_files_and_is_told_everywhere(tmp_path):
    guide = (ROOT / "CONTRIBUTING.md").read_text("utf-8")
    part = guide.split("## How to add a risk measure\n")[1].split("\n## ")[0]
    module, imported, entry = re.findall(r"```python\n(.*?)```", part, flags=re.S)
    copy_package(tmp_path)
    before, told_before = package_files(tmp_path), assessed(tmp_path, tmp_path / "before")

    (tmp_path / "rlpaper/risk/uniqueness.py").write_text(module)
    listed = tmp_path / "rlpaper/risk/measures.py"
    text = listed.read_text().replace("from . import ", f"{imported}from . import ", 1)
    place = text.index('    Measure(\n        "types"')
    listed.write_text(text[:place] + entry + text[place:])
    after = package_files(tmp_path)
    touched = {name for name in after if after[name] != before.get(name)}
    assert touched == {"rlpaper/risk/uniqueness.py", "rlpaper/risk/measures.py"}

    told = assessed(tmp_path, tmp_path / "after")
    table = pd.read_csv(tmp_path / "after/uniqueness.csv")
    assert table["file"].tolist() == ["original", "masked"] and (table["unique"] > 0.9).all()
    sentence = "100% of the masked records are like no other."
    assert sentence in told["summary.txt"] and sentence in told["report.html"]
    page = told["report.html"]
    assert '<h2 id="uniqueness">Unique records</h2>' in page
    assert '<svg role="img" aria-label="Records that are like no other."' in page
    assert page.index('id="variables"') < page.index('id="uniqueness"') < page.index('id="types"')
    # All other numbers stay.
    changed = {name for name in told if told[name] != told_before.get(name)}
    assert changed == {"uniqueness.csv", "summary.txt", "report.html"}
