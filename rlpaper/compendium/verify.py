"""Whether a run gave what was committed: every table and figure, file by file.

Tables and drawings are compared byte by byte, pictures pixel by pixel. Not compared are the
manifest, files that hold times (their names end in ``_seconds``) and the picture that a browser
takes of a page.
"""

import io
import shutil
import subprocess
from dataclasses import dataclass, field
from pathlib import Path

BROWSER_PICTURE = "li2019_figure1.png"
KEYS = ["paper", "item", "cell"]


@dataclass
class Comparison:
    """What came of it: names of files, and what can be said of those that differ."""

    same: list[str] = field(default_factory=list)
    different: dict[str, str] = field(default_factory=dict)  # name -> how
    left_out: list[str] = field(default_factory=list)
    verdicts: list[str] = field(default_factory=list)  # those that changed, in words

    @property
    def sentence(self) -> str:
        """The result in one sentence."""
        compared = len(self.same) + len(self.different)
        if not compared:
            return "There is nothing that this run could be compared with."
        if not self.different:
            return f"All {compared} files compared are as committed."
        changed = f"{len(self.verdicts)} verdicts change" if self.verdicts else "no verdict changes"
        return (
            f"{len(self.different)} of {compared} files compared differ from what was committed; "
            f"{changed}."
        )


def keep_shipped(root: Path) -> None:
    """Outside git, keep the figures as they came with the project, before a run writes others."""
    shipped = root / "build" / "shipped"
    if (
        not shipped.exists()
        and (root / "figures").exists()
        and _git(root, "rev-parse", "HEAD") is None
    ):
        shipped.parent.mkdir(exist_ok=True)
        shutil.copytree(root / "figures", shipped)


def compare(root: Path) -> Comparison:
    """Compare figures/ with the last commit, or outside git with what the project came with."""
    before, result = committed(root), Comparison()
    now = {path.name: path.read_bytes() for path in (root / "figures").glob("*.*")}
    if not before:
        return result
    for name in sorted({*before, *now}):
        if name in ("manifest.json", BROWSER_PICTURE) or Path(name).stem.endswith("_seconds"):
            result.left_out.append(name)
        elif name not in now or name not in before:
            result.different[name] = "missing" if name not in now else "new"
        elif (
            before[name] == now[name]
            or name.endswith(".png")
            and _pixels(before[name]) == _pixels(now[name])
        ):
            result.same.append(name)
        else:
            result.different[name] = _how(name, before[name], now[name])
    if "scorecard.csv" in result.different:
        result.verdicts = _changed_verdicts(before.get("scorecard.csv"), now.get("scorecard.csv"))
    return result


def committed(root: Path) -> dict[str, bytes]:
    """Return the committed figures by name; outside git those that `keep_shipped` kept, or none."""
    listed = _git(root, "ls-tree", "--name-only", "HEAD:./figures")
    if listed is not None:
        # cat-file answers each name with a line that ends in the size, then the bytes, then a
        # line's end.
        names = listed.decode().split("\n")[:-1]
        asked = "".join(f"HEAD:./figures/{name}\n" for name in names).encode()
        stream = io.BytesIO(_git(root, "cat-file", "--batch", input=asked))
        return {
            name: (stream.read(int(stream.readline().split()[-1])), stream.readline())[0]
            for name in names
        }
    shipped = root / "build" / "shipped"
    return {path.name: path.read_bytes() for path in shipped.glob("*.*")}


def _git(root, *words, input=None):
    """Return what git says, or None if it cannot."""
    try:
        return subprocess.run(
            ["git", "-C", str(root), *words], input=input, capture_output=True, check=True
        ).stdout
    except (OSError, subprocess.CalledProcessError):
        return None


def _pixels(data):
    from matplotlib.image import imread

    pixels = imread(io.BytesIO(data), format="png")
    return pixels.shape, pixels.tobytes()


def _how(name, before, now):
    """Say how a file differs; of a table, in how many cells and by how much at most."""
    if not name.endswith(".csv"):
        return "looks different"
    a, b = _table(before), _table(now)
    if list(a.columns) != list(b.columns) or len(a) != len(b):
        return f"{len(b)} rows of {len(b.columns)} columns instead of {len(a)} of {len(a.columns)}"
    import pandas as pd

    changed = (a != b).to_numpy()
    ones, others = (
        pd.to_numeric(pd.Series(table.to_numpy()[changed]), errors="coerce") for table in (a, b)
    )
    away = (ones - others).abs() / ones.abs().clip(lower=others.abs())
    cells, texts, largest = len(away), int(away.isna().sum()), away.fillna(0).max()
    words = f", {texts} of them texts" if texts else ""
    return f"{cells} cells differ{words}; numbers by {largest:.2g} of their size at most"


def _table(data):
    import pandas as pd

    return pd.read_csv(io.BytesIO(data), dtype=str, keep_default_na=False)


def _changed_verdicts(before, now):
    if before is None or now is None:
        return ["the whole scorecard"]
    both = (
        _table(before)
        .merge(_table(now), on=KEYS, how="outer", suffixes=("_before", "_now"))
        .fillna("none")
    )
    both = both[both["verdict_before"] != both["verdict_now"]]
    return [
        f"{row.paper} {row.item} {row.cell}: {row.verdict_before} -> {row.verdict_now}"
        for row in both.itertuples()
    ]
