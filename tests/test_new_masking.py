"""What CONTRIBUTING.md says of adding things, done in a scratch copy as it is written there."""

import json

import numpy as np
import pandas as pd
import pytest

from conftest import copy_package, run_in
from rlpaper.masking import METHODS

# A masking method.

MODULE = '''"""Rounding: each value to a multiple of a base."""

from dataclasses import dataclass

import numpy as np
import pandas as pd

from .._internal.hints import Label
from .base import Method, NumericMasking, with_dtype


@dataclass(frozen=True)
class RoundTo(NumericMasking):
    """Round each value to a multiple of p percent of its variable's standard deviation."""

    p: float

    def __post_init__(self) -> None:
        """Refuse what is no percentage."""
        if not self.p > 0:
            raise ValueError(f"p is {self.p}; it is a percentage, above 0")

    def _masked_columns(self, df: pd.DataFrame, rng: np.random.Generator) -> dict[Label, object]:
        columns = {}
        for name in df:
            base = self.p / 100 * (df[name].std() or 1.0)
            rounded = np.round(df[name].to_numpy(float) / base) * base
            columns[name] = with_dtype(rounded, df[name].dtype)
        return columns


METHOD = Method(
    "rounding p",
    lambda p, df: RoundTo(p),
    (10, 25, 50, 100, 200),
    pram=(0.1, 0.3, 0.6, 0.8, 1.0),
)


def round_to(df: pd.DataFrame, p: float) -> pd.DataFrame:
    """Round each value to a multiple of p percent of a standard deviation; see `RoundTo`."""
    return RoundTo(p).mask(df)
'''
TEST = """import pandas as pd

from rlpaper.masking import METHODS, RoundTo, round_to


def test_rounding():
    file = pd.DataFrame({"x": [0, 3, 6]}, index=list("abc"))
    masked = RoundTo(200).mask(file)  # to multiples of 6
    assert masked["x"].tolist() == [0, 0, 6]
    pd.testing.assert_frame_equal(round_to(file, 200), masked)
    assert "rounding p" in [method.name for method in METHODS]
"""
#: What is written into masking/__init__.py: before which text, and what.
NAMES = {
    "noise, post_randomisation, rank_swapping": "multiples, ",
    "from .noise import": "from .multiples import RoundTo, round_to\n",
    "    post_randomisation.METHOD,": "    multiples.METHOD,\n",
    '    "TopCode",': '    "RoundTo",\n',
    '    "top_code",': '    "round_to",\n',
}
ASSESS = """
import json
import matplotlib
matplotlib.use("Agg")
import numpy as np
import pandas as pd
import rlpaper
from rlpaper.masking import add_noise
from rlpaper.risk.figures import risk_utility_map

rng = np.random.default_rng(1)
file = pd.DataFrame({"age": rng.integers(18, 90, 80), "income": rng.lognormal(3, 1, 80)})
masked = add_noise(file, 10, random_state=1)
file["town"] = masked["town"] = pd.Categorical(rng.choice(list("abc"), 80))
table = rlpaper.assess(file, masked, progress=False).alternatives
axis = risk_utility_map(table).axes[0]
print(json.dumps({
    "tried": table.groupby("method", sort=False)["parameter"].agg(list).to_dict(),
    "drawn": {line.get_label(): len(line.get_xdata()) for line in axis.get_lines()},
    "legend": [text.get_text() for text in axis.get_legend().get_texts()],
}))
"""


def contents(root):
    return {
        path.relative_to(root).as_posix(): path.read_bytes()
        for path in root.rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }


def test_a_masking_method_touches_three_files_and_shows_in_table_and_map(tmp_path):
    copy_package(tmp_path)
    before = contents(tmp_path)
    (tmp_path / "rlpaper/masking/multiples.py").write_text(MODULE)
    offers = tmp_path / "rlpaper/masking/__init__.py"
    text = offers.read_text()
    for place, addition in NAMES.items():
        assert text.count(place) == 1
        text = text.replace(place, addition + place)
    offers.write_text(text)
    (tmp_path / "tests").mkdir()
    (tmp_path / "tests/test_multiples.py").write_text(TEST)
    after = contents(tmp_path)
    assert {name for name in after if after[name] != before.get(name)} == {
        "rlpaper/masking/multiples.py",
        "rlpaper/masking/__init__.py",
        "tests/test_multiples.py",
    }

    run_in(tmp_path, "-m", "pytest", "-q", "-p", "no:cacheprovider", "tests/test_multiples.py")
    found = json.loads(run_in(tmp_path, "-c", ASSESS))
    this, *others = found["tried"]
    numeric = [method for method in METHODS if method.masks == "numbers"]
    names = [method.name for method in numeric]
    assert set(others) == {*names, "rounding p"}
    for method in numeric:
        assert len(found["tried"][method.name]) == len(method.strengths)
    # All five strengths, each with its strength of PRAM.
    assert found["tried"]["rounding p"] == [
        "10, PRAM 0.1",
        "25, PRAM 0.3",
        "50, PRAM 0.6",
        "100, PRAM 0.8",
        "200, PRAM 1.0",
    ]
    assert found["drawn"] == {name: len(tried) for name, tried in found["tried"].items()}
    assert found["legend"] == [*others, this]


@pytest.mark.parametrize("methods", [1, 4, 13])
def test_the_map_has_room_for_any_number_of_methods_and_strengths(methods):
    from rlpaper.risk.figures import plt, risk_utility_map

    rng = np.random.default_rng(1)
    names = ["your file", *np.repeat([f"method {i}" for i in range(methods)], 7)]
    table = pd.DataFrame({"method": names, "parameter": "1"})
    table = table.assign(risk=rng.random(len(table)), loss=rng.random(len(table)))
    figure = risk_utility_map(table)
    lines = figure.axes[0].get_lines()
    legend = [text.get_text() for text in figure.axes[0].get_legend().get_texts()]
    assert legend == [line.get_label() for line in lines] == [*dict.fromkeys(names[1:]), names[0]]
    assert [len(line.get_xdata()) for line in lines] == [7] * methods + [1]
    assert len({(line.get_color(), line.get_marker()) for line in lines}) == methods + 1
    plt.close(figure)
