"""The build: stale notebooks in parallel, one display, figures kept only of notebooks that succeeded."""

import json
import os
import shutil
import time
import traceback
from concurrent.futures import FIRST_COMPLETED, ProcessPoolExecutor, wait
from multiprocessing import get_context
from pathlib import Path

from . import fingerprints
from .pool import Pool, end_with
from . import notebooks, verify
from .console import Display

PROFILES = ("full", "quick")
AT_A_TIME = 2  # notebooks for each core: most of their time they wait for the calls of their sweeps
PAUSE = 20  # while notebooks are running, reports are written after a pause as many times as long as the last one took


class Workspace:
    """Where a profile's notebooks, stamps and figures are kept.

    The full protocol's figures are the project's; those of a quick run stay in the build folder, so that it
    never replaces a result of the full protocol.
    """

    def __init__(self, profile, root=fingerprints.ROOT):
        self.profile = profile
        self.root = root
        self.build = root / "build" / profile
        self.figures = root / "figures" if profile == "full" else self.build / "figures"
        self.report = root / "build" / "report"
        self.executed = self.build / "notebooks"
        self.stamps = self.build / "stamps"
        self.progress = self.build / "progress"
        for folder in (self.figures, self.executed, self.stamps, self.progress):
            folder.mkdir(parents=True, exist_ok=True)

    def outputs(self, notebook):
        return self.build / "outputs" / notebook.name

    def stamp(self, notebook):
        """What is known of the last successful run: fingerprint, costs, files with their checksums."""
        path = self.stamps / f"{notebook.name}.json"
        return json.loads(path.read_text()) if path.exists() else {}

    def is_fresh(self, notebook, fingerprint):
        stamp = self.stamp(notebook)
        return (
            stamp.get("fingerprint") == fingerprint
            and (self.executed / f"{notebook.name}.ipynb").exists()
            and all(
                (self.figures / name).exists()
                and fingerprints.sha256(self.figures / name) == checksum
                for name, checksum in stamp["files"].items()
            )
        )

    def keep(self, notebook, fingerprint, cost, pending):
        """Move a finished notebook's files to the figures and remember the run; returns an error or None.

        A file has one writer. What notebooks that are still to run wrote the last time is no claim to it: a
        table may move from one notebook to another. Costs are processor seconds, of the kernel and of the calls of its sweeps.
        """
        owners = self._owners(but={notebook.name, *(other.name for other in pending)})
        files = sorted(self.outputs(notebook).iterdir())
        for path in files:
            if path.name in owners:
                return f"{path.name} is written by {owners[path.name]} too; give one of them another item name"
        self._forget(notebook.name)
        for path in files:
            shutil.copyfile(path, self.figures / path.name)
        self._write_stamp(
            notebook,
            {
                "fingerprint": fingerprint,
                "cost": cost,
                "files": {path.name: fingerprints.sha256(path) for path in files},
            },
        )
        return None

    def fail(self, notebook):
        """After a failure nothing is fresh any more, even if the notebook is put back as it was before."""
        if stamp := self.stamp(notebook):
            self._write_stamp(notebook, {**stamp, "fingerprint": "failed since"})

    def _write_stamp(self, notebook, stamp):
        (self.stamps / f"{notebook.name}.json").write_text(json.dumps(stamp, indent=1))

    def prune(self, existing):
        """Forget notebooks that are gone, with their figures."""
        for path in self.stamps.glob("*.json"):
            if path.stem not in existing:
                self._forget(path.stem)
                path.unlink()
                (self.executed / f"{path.stem}.ipynb").unlink(missing_ok=True)

    def _owners(self, but):
        """Which notebook wrote each file, leaving some notebooks out."""
        return {
            name: path.stem
            for path in self.stamps.glob("*.json")
            if path.stem not in but
            for name in json.loads(path.read_text())["files"]
        }

    def _forget(self, name):
        """Remove the figures of a notebook's last run that no other notebook has written since."""
        own = {file for file, owner in self._owners(but=()).items() if owner == name}
        for file in own - set(self._owners(but={name})):
            (self.figures / file).unlink(missing_ok=True)


def build(profile="full", paper=None, only="", jobs=2, seed=1):
    """Run the notebooks whose code, data or parameters changed, and write the report, now and then while they run too.

    Returns 0, or 1 if a notebook failed; the others are run all the same.
    """
    start = time.monotonic()
    workspace = Workspace(profile)
    everything = notebooks.discover(workspace.root / "notebooks")
    workspace.prune({notebook.name for notebook in everything})
    chosen = [
        notebook
        for notebook in notebooks.discover(workspace.root / "notebooks", paper)
        if notebook.name.startswith(only)
    ]
    if not chosen:
        print(
            f"There is no notebook {f'of {paper} yet' if paper else f'whose name begins with {only}'}; `ls notebooks` shows those there are."
        )
        return 1
    parameters = {"profile": profile, "seed": seed}
    prints = {notebook: notebook.fingerprint(parameters) for notebook in everything}
    outdated = [
        notebook for notebook in everything if not workspace.is_fresh(notebook, prints[notebook])
    ]
    stale = [notebook for notebook in chosen if notebook in outdated]
    display = Display(workspace, stale, jobs)
    failures = {}
    key = workspace.report / "key"

    def report():
        # Imported here: a build with nothing to do should not wait for what it does not use.
        from .report import write_report

        key.unlink(missing_ok=True)
        states = {
            notebook: "failed"
            if notebook in failures
            else "waiting"
            if notebook in display.pending
            else "done"
            if notebook not in outdated
            else "out of date"
            if workspace.stamp(notebook)
            else "not run"
            for notebook in everything
        }
        return write_report(
            workspace,
            states,
            seed,
            time.monotonic() - start,
            profile == "full" and not display.pending,
        )

    written, took = start, 3
    if profile == "full":
        verify.keep_shipped(workspace.root)
    if stale:
        from .compile import compile_all

        compile_all()
        print(
            f"{len(stale)} of {len(chosen)} notebooks to run on {jobs} {'core' if jobs == 1 else 'cores'}, profile {profile}"
        )
        for notebook, seconds, own, error in _run(workspace, stale, parameters, jobs, display):
            cost = display.finished(notebook, seconds, own)
            error = error or workspace.keep(notebook, prints[notebook], cost, display.pending)
            display.tell(notebook, seconds, error)
            if error:
                failures[notebook] = error
                workspace.fail(notebook)
            else:
                outdated.remove(notebook)
            if time.monotonic() - written > PAUSE * took:
                took = -time.monotonic()
                report()
                written = time.monotonic()
                took += written
        display.where_the_time_went(time.monotonic() - start)
    else:
        print(f"Nothing to run: {len(chosen)} notebooks are up to date, profile {profile}")
    current = _report_key(workspace, everything, outdated, seed)
    if stale or not key.exists() or key.read_text() != current:
        comparison = report()
        if not failures:
            key.write_text(current)
        if comparison is not None:
            print(f"\n{comparison.sentence} `make verify` names every file.")
    for notebook, error in failures.items():
        print(
            f"\n{notebook.name} failed. {error}\n"
            f"What it did until then: {(workspace.executed / notebook.name).relative_to(workspace.root)}.ipynb"
        )
    print(f"\nReport: {(workspace.report / 'index.html').relative_to(workspace.root)}")
    return 1 if failures else 0


def _report_key(workspace, everything, outdated, seed):
    """Checksum of all that a finished report shows."""
    stamps = [path.read_text() for path in sorted(workspace.stamps.glob("*.json"))]
    templates = [
        path.read_text() for path in sorted((Path(__file__).parent / "templates").iterdir())
    ]
    return fingerprints.digest(
        workspace.profile,
        str(seed),
        *(f"{n.name} {n in outdated}" for n in everything),
        *stamps,
        *templates,
        fingerprints.code_fingerprint(["rlpaper.compendium.report"]),
        fingerprints.data_fingerprint(),
        fingerprints.EXPLANATIONS.read_text(),
    )


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
    progress = workspace.progress / f"{notebook.name}.json"
    progress.unlink(missing_ok=True)
    display.started(notebook, progress)
    # Relative to the notebook, so that no path of this machine is in what is shown.
    figures = "../" + outputs.relative_to(workspace.root).as_posix()
    return kernels.submit(
        notebooks.execute,
        notebook.path,
        workspace.executed / f"{notebook.name}.ipynb",
        {**parameters, "figures": figures},
        progress,
        progress.with_suffix(".log"),
    )
