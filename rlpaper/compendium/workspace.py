"""What a build keeps on disk: notebooks as executed, what is known of each run, figures."""

import json
import shutil
from functools import cache
from pathlib import Path

from . import fingerprints, paths
from .notebooks import Notebook

#: What the report adds to the figures that notebooks make.
OF_THE_REPORT = {"manifest.json", "scorecard.csv", "scorecard.svg", "scorecard.png"}


class Workspace:
    """Where a profile's notebooks, stamps and figures are kept.

    The full protocol's figures are the project's; those of a quick run stay in the build folder, so
    that it never replaces a result of the full protocol.
    """

    def __init__(self, profile: str, root: Path | None = None) -> None:
        self.profile = profile
        self.root = root or paths.checkout()
        self.build = self.root / "build" / profile
        self.figures = self.root / "figures" if profile == "full" else self.build / "figures"
        self.report = self.root / "build" / "report"
        self.executed = self.build / "notebooks"
        self.stamps = self.build / "stamps"
        for folder in (self.figures, self.executed, self.stamps):
            folder.mkdir(parents=True, exist_ok=True)

    def outputs(self, notebook: Notebook) -> Path:
        """Return the folder of the files that a notebook writes."""
        return self.build / "outputs" / notebook.name

    def used(self, notebook: Notebook) -> Path:
        """Return the list of data and kept calls that a running notebook leaves."""
        return self.executed / f"{notebook.name}.used"

    def stamp(self, notebook: Notebook) -> dict:
        """Return what is known of the last successful run.

        That is its key, what it used, what it cost, and its files with their checksums.
        """
        path = self.stamps / f"{notebook.name}.json"
        return json.loads(path.read_text()) if path.exists() else {}

    def outdated(self, keys: dict[Notebook, str]) -> list[Notebook]:
        """Return the notebooks that must be run: code, data or files are not those of the last run.

        `keys` are the notebooks' keys as they stand now.
        """
        of_input = cache(fingerprints.of_input)  # many notebooks use the same data
        return [n for n, key in keys.items() if not self._is_fresh(n, key, of_input)]

    def _is_fresh(self, notebook, key, of_input):
        stamp, folder = self.stamp(notebook), self.outputs(notebook)
        return (
            stamp.get("key") == key
            and (self.executed / f"{notebook.name}.ipynb").exists()
            and all(of_input(name) == now for name, now in stamp["inputs"].items())
            and all(
                (folder / name).exists() and fingerprints.sha256(folder / name) == checksum
                for name, checksum in stamp["files"].items()
            )
        )

    def keep(self, notebook: Notebook, key: str, cost: dict | None) -> None:
        """Remember a successful run.

        Its cost is in processor seconds, of the kernel and of the calls of its sweeps.
        """
        used = self.used(notebook).read_text().splitlines() if self.used(notebook).exists() else []
        files = sorted(self.outputs(notebook).iterdir())
        stamp = {
            "key": key,
            "inputs": {
                n: fingerprints.of_input(n) for n in used if not n.startswith(fingerprints.KEPT)
            },
            "kept": [
                name.removeprefix(f"{fingerprints.KEPT} ")
                for name in used
                if name.startswith(fingerprints.KEPT)
            ],
            "cost": cost,
            "files": {path.name: fingerprints.sha256(path) for path in files},
        }
        self._write_stamp(notebook, stamp)

    def fail(self, notebook: Notebook) -> None:
        """Remember a failure: the notebook is out of date, even if it is put back as it was."""
        if stamp := self.stamp(notebook):
            self._write_stamp(notebook, {**stamp, "key": "failed since"})

    def _write_stamp(self, notebook, stamp):
        (self.stamps / f"{notebook.name}.json").write_text(json.dumps(stamp, indent=1))

    def collect(self, fresh: list[Notebook], complete: bool) -> dict[Notebook, str]:
        """Copy the files of fresh notebooks to the figures; returns what is wrong, by notebook.

        Where that is all of them, whatever else is among the figures goes.
        """
        writers: dict[str, Notebook] = {}
        faults = {}
        for notebook in fresh:
            for path in sorted(self.outputs(notebook).iterdir()):
                other = writers.setdefault(path.name, notebook)
                if other == notebook:
                    shutil.copyfile(path, self.figures / path.name)
                else:
                    faults[notebook] = (
                        f"{path.name} is written by {other.name} too; "
                        "give one of them another item name"
                    )
                    self.fail(notebook)
        if complete and not faults:
            for path in self.figures.iterdir():
                if path.name not in writers and path.name not in OF_THE_REPORT:
                    path.unlink()
        return faults

    def forget(self, existing: set[str]) -> None:
        """Forget notebooks that are gone."""
        for path in self.stamps.glob("*.json"):
            if path.stem not in existing:
                path.unlink()
                for shown in self.executed.glob(f"{path.stem}.*"):  # as notebook, page and log
                    shown.unlink()
                shutil.rmtree(self.build / "outputs" / path.stem, ignore_errors=True)
