"""What CONTRIBUTING.md tells one who adds a distance to do, done in a copy of the package."""

import json
import re

from conftest import ROOT, copy_package, run_in

TEST = """
import numpy as np
import pandas as pd

from rlpaper.distances import chebyshev, combined, dbrl1
from rlpaper.linkage import link


def test_the_largest_of_two_differences():
    original = pd.DataFrame({"x": [0.0, 2.0], "y": [0.0, 5.0]})
    masked = pd.DataFrame({"x": [1.0, 1.5], "y": [3.0, 4.0]})
    compared = chebyshev(None)(original, masked)
    found = compared.distances(compared.original, compared.masked)
    assert found.tolist() == [[3.0, 4.0], [2.0, 1.0]]
    assert link(original, masked, chebyshev(None))["correct"].tolist() == [0.0, 1.0]
    both = combined(chebyshev(), dbrl1())(original, original)
    assert np.diag(both.distances(both.original, both.masked)).tolist() == [0.0, 0.0]
"""
ASSESS = """
import json
import numpy as np
import pandas as pd
import rlpaper
from rlpaper.masking import add_noise

rng = np.random.default_rng(1)
original = pd.DataFrame({"age": rng.integers(20, 60, 60), "income": rng.normal(50, 9, 60)})
assessment = rlpaper.assess(
    original, add_noise(original, 20, 1), alternatives=False, progress=False
)
table = assessment.attacks
print(json.dumps([rlpaper.__file__, *table[table.attack == "largest difference"].direction]))
"""


def test_a_distance_touches_three_files_and_one_more_to_attack_with_it(tmp_path):
    guide = (ROOT / "CONTRIBUTING.md").read_text("utf-8")
    part = guide.split("## How to add a distance\n")[1].split("\n## ")[0]
    module, imported, known, attack = re.findall(r"```python\n(.*?)```", part, flags=re.S)
    copy_package(tmp_path)

    (tmp_path / "rlpaper/distances/largest.py").write_text(module)
    edit(tmp_path / "rlpaper/distances/__init__.py", "from .numeric import", imported)
    edit(tmp_path / "rlpaper/distances/__init__.py", '    "combined",\n', '    "chebyshev",\n')
    (tmp_path / "tests").mkdir()
    (tmp_path / "tests/test_largest.py").write_text(TEST)
    run_in(tmp_path, "-m", "pytest", "-q", "-p", "no:cacheprovider", "tests/test_largest.py")

    attacks = tmp_path / "rlpaper/risk/attacks.py"
    edit(attacks, "from ..learning import", "from ..distances import chebyshev\n")
    edit(attacks, '    LEARNED: f"the true links', known)
    edit(attacks, "        run(MAHALANOBIS,", attack)
    path, *directions = json.loads(run_in(tmp_path, "-c", ASSESS))
    assert path.startswith(str(tmp_path))
    assert set(directions) == {"masked to original", "original to masked"}


def edit(path, before, addition):
    """Write lines into a file, before a text that it has once."""
    text = path.read_text()
    assert text.count(before) == 1
    path.write_text(text.replace(before, addition + before))
