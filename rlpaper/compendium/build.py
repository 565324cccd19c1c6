"""The build: stale notebooks in parallel, one display, figures of notebooks that succeeded, the report."""

import json
import os
import shutil
import time
import traceback
from concurrent.futures import FIRST_COMPLETED, ProcessPoolExecutor, wait
from functools import cache
from multiprocessing import get_context
from pathlib import Path

from . import fingerprints, notebooks, paths, verify
from .console import Display
from .pool import Pool, end_with

PROFILES = ("full", "quick")
AT_A_TIME = 2  # notebooks for each core: most of their time they wait for the calls of their sweeps

#: What the report adds to the figures that notebooks make.
OF_THE_REPORT = {"manifest.json", "scorecard.csv", "scorecard.svg", "scorecard.png"}


class Workspace:
    """Where a profile's notebooks, stamps and figures are kept.

    The full protocol's figures are the project's; those of a quick run stay in the build folder, so
    that it never replaces a result of the full protocol.
    """

    def __init__(self, profile, root=None):
        self.profile = profile
        self.root = root or paths.checkout()
        self.build = self.root / "build" / profile
        self.figures = self.root / "figures" if profile == "full" else self.build / "figures"
        self.report = self.root / "build" / "report"
        self.executed = self.build / "notebooks"
        self.stamps = self.build / "stamps"
        for folder in (self.figures, self.executed, self.stamps):
            folder.mkdir(parents=True, exist_ok=True)

    def outputs(self, notebook):
        """The folder of the files that a notebook writes."""
        return self.build / "outputs" / notebook.name

    def used(self, notebook):
        """The list that a running notebook leaves of the data and kept calls that it uses."""
        return self.executed / f"{notebook.name}.used"

    def stamp(self, notebook):
        """What is known of the last successful run: its key, what it used, what it cost, its files with their checksums."""
        path = self.stamps / f"{notebook.name}.json"
        return json.loads(path.read_text()) if path.exists() else {}

    def is_fresh(self, notebook, key, of_input=fingerprints.of_input):
        """Whether a notebook has been run as it stands now, on the data as they are now, and its files are there."""
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

    def keep(self, notebook, key, cost):
        """Remember a successful run. Costs are processor seconds, of the kernel and of the calls of its sweeps."""
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

    def fail(self, notebook):
        """After a failure nothing is fresh any more, even if the notebook is put back as it was before."""
        if stamp := self.stamp(notebook):
            self._write_stamp(notebook, {**stamp, "key": "failed since"})

    def _write_stamp(self, notebook, stamp):
        (self.stamps / f"{notebook.name}.json").write_text(json.dumps(stamp, indent=1))

    def collect(self, fresh, complete):
        """Copy the files of fresh notebooks to the figures; returns by notebook what is wrong with them.

        Where all notebooks are fresh, whatever else is among the figures goes.
        """
        writers, faults = {}, {}
        for notebook in fresh:
            for path in sorted(self.outputs(notebook).iterdir()):
                other = writers.setdefault(path.name, notebook)
                if other != notebook:
                    faults[notebook] = (
                        f"{path.name} is written by {other.name} too; give one of them another item name"
                    )
                else:
                    shutil.copyfile(path, self.figures / path.name)
        if complete and not faults:
            for path in self.figures.iterdir():
                if path.name not in writers and path.name not in OF_THE_REPORT:
                    path.unlink()
        return faults

    def forget(self, existing):
        """Forget notebooks that are gone."""
        for path in self.stamps.glob("*.json"):
            if path.stem not in existing:
                path.unlink()
                (self.executed / f"{path.stem}.ipynb").unlink(missing_ok=True)
                shutil.rmtree(self.build / "outputs" / path.stem, ignore_errors=True)


def build(profile="full", paper=None, only="", jobs=2, seed=1):
    """Run the notebooks whose code, data or parameters changed, and write the report.

    Returns 0, or 1 if a notebook failed; the others are run all the same.
    """
    start = time.monotonic()
    workspace = Workspace(profile)
    everything = notebooks.discover(workspace.root / "notebooks")
    workspace.forget({notebook.name for notebook in everything})
    chosen = [
        notebook
        for notebook in notebooks.discover(workspace.root / "notebooks", paper)
        if notebook.name.startswith(only)
    ]
    if not chosen:
        of = f"of {paper} yet" if paper else f"whose name begins with {only}"
        print(f"There is no notebook {of}; `ls notebooks` shows those there are.")
        return 1
    parameters = {"profile": profile, "seed": seed}
    keys = {notebook: notebook.key(parameters) for notebook in everything}
    of_input = cache(fingerprints.of_input)  # many notebooks use the same data
    outdated = [n for n in everything if not workspace.is_fresh(n, keys[n], of_input)]
    stale = [notebook for notebook in chosen if notebook in outdated]
    if profile == "full":
        verify.keep_shipped(workspace.root)
    if stale:
        cores = f"{jobs} core{'s' * (jobs > 1)}"
        print(f"{len(stale)} of {len(chosen)} notebooks to run on {cores}, profile {profile}")
        failures = _run_all(workspace, stale, keys, parameters, jobs)
        outdated = [n for n in outdated if n not in stale or n in failures]
    else:
        print(f"Nothing to run: {len(chosen)} notebooks are up to date, profile {profile}")
        failures = {}
    fresh = [notebook for notebook in everything if notebook not in outdated]
    for notebook, fault in workspace.collect(fresh, complete=not outdated).items():
        failures[notebook] = fault
        workspace.fail(notebook)
    states = {n: _state(workspace, n, failures, outdated) for n in everything}
    _report(workspace, states, seed, time.monotonic() - start, again=bool(stale))
    if profile == "full" and not outdated and not failures:
        _prune(workspace.root / "build")
    for notebook, error in failures.items():
        executed = (workspace.executed / notebook.name).relative_to(workspace.root)
        print(f"\n{notebook.name} failed. {error}\nWhat it did until then: {executed}.ipynb")
    print(f"\nReport: {(workspace.report / 'index.html').relative_to(workspace.root)}")
    return 1 if failures else 0


def _run_all(workspace, stale, keys, parameters, jobs):
    """Run notebooks, and remember those that succeed; returns the errors of the others."""
    from .compile import compile_all

    compile_all()
    display, failures = Display(workspace, stale, jobs), {}
    for notebook, seconds, own, error in _run(workspace, stale, parameters, jobs, display):
        cost = display.finished(notebook, seconds, own)
        display.tell(notebook, seconds, error)
        if error:
            failures[notebook] = error
            workspace.fail(notebook)
        else:
            workspace.keep(notebook, keys[notebook], cost)
    display.where_the_time_went()
    return failures


def _state(workspace, notebook, failures, outdated):
    """How a notebook stands, for the report."""
    if notebook in failures:
        return "failed"
    if notebook not in outdated:
        return "done"
    return "out of date" if workspace.stamp(notebook) else "not run"


def _report(workspace, states, seed, seconds, again):
    """Write the report, unless it is there and shows the same already."""
    key, current = workspace.report / "key", _report_key(workspace, states, seed)
    if not again and key.exists() and key.read_text() == current:
        return
    # Imported here: a build with nothing to do should not wait for what it does not use.
    from .report import write_report

    key.unlink(missing_ok=True)
    comparison = write_report(workspace, states, seed, seconds, workspace.profile == "full")
    if "failed" not in states.values():
        key.write_text(_report_key(workspace, states, seed))
    if comparison is not None:
        print(f"\n{comparison.sentence} `make verify` names every file.")


def _report_key(workspace, states, seed):
    """Checksum of all that a finished report shows."""
    templates = sorted((Path(__file__).parent / "templates").iterdir())
    return fingerprints.digest(
        workspace.profile,
        str(seed),
        *(f"{notebook.name} {state}" for notebook, state in states.items()),
        *(path.read_text() for path in sorted(workspace.stamps.glob("*.json"))),
        *(path.read_text() for path in templates),
        fingerprints.of_code("from rlpaper.compendium import report"),
        *(fingerprints.of_input(name) for name in ("cells", "published explanations")),
        *(
            fingerprints.sha256(workspace.figures / name)
            for name in sorted(OF_THE_REPORT - {"manifest.json"})
            if (workspace.figures / name).exists()
        ),
    )


def _prune(build):
    """Remove kept calls that no notebook used the last time that it was run, in either profile."""
    used = {
        name
        for path in build.glob("*/stamps/*.json")
        for name in json.loads(path.read_text()).get("kept", ())
    }
    for path in (build / "cache").glob("*/*.json"):
        if f"{path.parent.name}/{path.name}" not in used:
            path.unlink()


def _run(workspace, stale, parameters, jobs, display):
    """Yield (notebook, seconds, processor seconds of its kernel, error) as the notebooks finish."""
    # Long ones first, so that none is left to run alone at the end.
    waiting = sorted(stale, key=display.expected, reverse=True)
    with (
        Pool(jobs) as pool,
        ProcessPoolExecutor(
            AT_A_TIME * jobs, get_context("spawn"), end_with, (os.getpid(),)
        ) as kernels,
    ):
        display.begin(pool)
        running, finished = {}, []
        while waiting or running or finished:
            while waiting and len(running) < AT_A_TIME * jobs:
                notebook = waiting.pop(0)
                running[_submit(kernels, workspace, notebook, parameters, display)] = notebook
            # The next ones run already while the caller looks at these.
            for task, notebook in finished:
                if (
                    fault := task.exception()
                ) is not None:  # not of a cell: a kernel that did not start, or died
                    yield (
                        notebook,
                        display.elapsed(notebook),
                        0.0,
                        "".join(traceback.format_exception(fault)),
                    )
                else:
                    yield notebook, *task.result()
            done = wait(running, timeout=0.5, return_when=FIRST_COMPLETED).done if running else ()
            display.refresh()
            finished = [(task, running.pop(task)) for task in done]
        display.calls = pool.seconds()


def _submit(kernels, workspace, notebook, parameters, display):
    outputs = workspace.outputs(notebook)
    shutil.rmtree(outputs, ignore_errors=True)
    outputs.mkdir(parents=True)
    workspace.used(notebook).unlink(missing_ok=True)
    display.started(notebook)
    # Relative to the notebook, so that no path of this machine is in what is shown.
    figures = "../" + outputs.relative_to(workspace.root).as_posix()
    return kernels.submit(
        notebooks.execute,
        notebook.path,
        workspace.executed / f"{notebook.name}.ipynb",
        {**parameters, "figures": figures},
        workspace.used(notebook),
    )
