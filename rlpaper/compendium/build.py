"""The build: stale notebooks in parallel, their figures, and the report."""

import json
import os
import shutil
import time
import traceback
from concurrent.futures import FIRST_COMPLETED, ProcessPoolExecutor, wait
from multiprocessing import get_context
from pathlib import Path

from . import fingerprints, notebooks, verify
from .console import Display
from .pool import Pool, end_with
from .workspace import OF_THE_REPORT, Workspace

PROFILES = ("full", "quick")
# Notebooks for each core: most of their time they wait for the calls of their sweeps.
NOTEBOOKS_PER_CORE = 2


def build(
    profile: str = "full", paper: str | None = None, only: str = "", jobs: int = 2, seed: int = 1
) -> int:
    """Run the notebooks whose code, data or parameters changed, and write the report.

    Returns 0, or 1 if a notebook failed; the others are run all the same.
    """
    start = time.monotonic()
    workspace = Workspace(profile)
    everything = notebooks.discover(workspace.root / "notebooks")
    workspace.forget({notebook.name for notebook in everything})
    chosen = [n for n in everything if n.name.startswith(only) and paper in (None, n.paper)]
    if not chosen:
        of = f"of {paper} yet" if paper else f"whose name begins with {only}"
        print(f"There is no notebook {of}; `ls notebooks` shows those there are.")
        return 1
    if profile == "full":
        verify.keep_shipped(workspace.root)
    parameters = {"profile": profile, "seed": seed}
    keys = {notebook: notebook.key(parameters) for notebook in everything}
    outdated = workspace.outdated(keys)
    stale = [notebook for notebook in chosen if notebook in outdated]
    failures = {}
    if stale:
        cores = f"{jobs} core{'s' * (jobs > 1)}"
        print(f"{len(stale)} of {len(chosen)} notebooks to run on {cores}, profile {profile}")
        failures = _run_all(workspace, stale, keys, parameters, jobs)
    else:
        print(f"Nothing to run: {len(chosen)} notebooks are up to date, profile {profile}")
    outdated = [n for n in outdated if n not in stale or n in failures]
    fresh = [notebook for notebook in everything if notebook not in outdated]
    failures |= workspace.collect(fresh, complete=not outdated)
    states = {n: _state(workspace, n, failures, outdated) for n in everything}
    _report(workspace, states, seed, time.monotonic() - start, again=bool(stale))
    if profile == "full" and not outdated and not failures:
        _prune(workspace.root / "build")
    return _tell_the_end(workspace, failures)


def _tell_the_end(workspace, failures):
    """Name what failed and where the report is; returns 1 if anything failed, else 0."""
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
            NOTEBOOKS_PER_CORE * jobs, get_context("spawn"), end_with, (os.getpid(),)
        ) as kernels,
    ):
        display.begin(pool)
        running, finished = {}, []
        while waiting or running or finished:
            while waiting and len(running) < NOTEBOOKS_PER_CORE * jobs:
                notebook = waiting.pop(0)
                running[_submit(kernels, workspace, notebook, parameters, display)] = notebook
            # The next ones run already while the caller looks at these.
            for task, notebook in finished:
                # Not the error of a cell: a kernel did not start, or died.
                if (fault := task.exception()) is not None:
                    error = "".join(traceback.format_exception(fault))
                    yield notebook, display.elapsed(notebook), 0.0, error
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
