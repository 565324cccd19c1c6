"""The one place that runs sweeps: a function over a grid, several executions of each setting.

They run in parallel, and a sweep that is killed can be resumed.
"""

import hashlib
import itertools
import json
import logging
import os
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import joblib
import numpy as np
import pandas as pd
from threadpoolctl import threadpool_limits

from .._internal import inputs
from .._internal.progress import progress_bar
from . import fingerprints, paths, pool

log = logging.getLogger(__name__)


def sweep(
    function: Callable,
    grid: Mapping[str, Any] | Sequence[dict],
    *,
    executions: int = 1,
    seed: int = 0,
    workers: int | None = None,
    cache: bool | str | Path = True,
    progress: bool = True,
) -> pd.DataFrame:
    """Call `function` on every setting of a grid, several times each, and collect one tidy frame.

    Every call gets its own random generator, derived from the seed, the number of the execution and
    what the function says that it draws by (`drawn_by`; else the whole setting). So the result is
    the same, byte by byte, with any number of workers, in any order, on a cluster or not; adding
    settings or executions leaves the others as they were; and settings that differ in other options
    only are compared on the same draws.

    Each finished call is written to disk at once, keyed by the code of the function and of all that
    it uses of this library, by its parameters, the seed and the versions of numeric libraries; with
    it stands which data it asked for, and it counts while those are unchanged. A sweep that is
    killed loses the calls under way and no others.

    Parameters
    ----------
    function : callable
        Called as ``function(**setting, random_state=generator)``; returns a dict of plain values or
        a list of such dicts, one per row of the result. It takes all it needs by parameters:
        values that it would read from its surroundings are not part of the key.
    grid : dict of lists, or list of dicts
        Settings: all combinations of the lists, or the dicts themselves. Values are numbers, texts,
        booleans, None, or lists of these.
    executions : int
        Calls of each setting.
    seed : int
        Same seed, same bytes.
    workers : int, optional
        Processes; default the environment variable RLPAPER_WORKERS or all cores. Under `make`, all
        notebooks share its workers (`rlpaper.compendium.pool`). With RLPAPER_SCHEDULER set
        (``tcp://host:port``), the calls go to that Dask scheduler instead.
    cache : bool or path
        Where finished calls are kept; True means ``build/cache`` of the checkout, False keeps
        nothing.
    progress : bool
        Show a progress bar.

    Returns
    -------
    DataFrame
        The setting's columns, `execution`, and the columns that the function returned, in the
        grid's order.

    Examples
    --------
    >>> def draw(scale, random_state):
    ...     return {"value": round(scale * random_state.random(), 3)}
    >>> sweep(draw, {"scale": [1, 10]}, executions=2, workers=1, cache=False, progress=False)
       scale  execution  value
    0      1          0  0.143
    1      1          1  0.356
    2     10          0  0.026
    3     10          1  7.562
    """
    settings = _settings(grid)
    calls = [(setting, execution) for setting in settings for execution in range(executions)]
    if not calls:
        raise ValueError("the sweep is empty: give at least one setting and one execution")
    store = _Store(function, seed, cache)
    rows = {}
    for number, (setting, execution) in enumerate(calls):
        kept = store.read(setting, execution)
        if kept is not None:
            rows[number] = kept
    missing = {number: call for number, call in enumerate(calls) if number not in rows}
    kept_calls = [calls[number] for number in rows]
    with progress_bar(len(calls), function.__name__, progress, initial=len(rows)) as bar:
        for number, answer in _compute(function, seed, missing, workers, kept_calls):
            # One form for fresh and kept answers, so that both give the same bytes.
            rows[number] = store.write(*calls[number], *answer)
            bar.update()
    return _tidy(calls, [rows[number] for number in range(len(calls))])


def drawn_by(*names: str) -> Callable[[Callable], Callable]:
    """Name the parameters of a swept function that say what it draws.

    Such as data set, masking and sample size. The draws of a call depend on the seed, the execution
    and the values of these parameters, in this order, and on nothing else. All other parameters are
    options: how the same draw is read, linked or counted.

    Examples
    --------
    >>> @drawn_by("size")
    ... def draw(size, digits, random_state):
    ...     return {"value": round(random_state.random(), digits)}
    >>> grid = {"size": [3], "digits": [1, 4]}
    >>> sweep(draw, grid, workers=1, cache=False, progress=False)["value"].tolist()
    [0.3, 0.3213]
    """

    def mark(function):
        function.drawn_by = names
        return function

    return mark


def generator(function: Callable, seed: int, setting: dict, execution: int) -> np.random.Generator:
    """Return the random generator of one call.

    It depends on the seed, the execution and what the function is drawn by.
    """
    names = getattr(function, "drawn_by", None)
    design = setting if names is None else [setting[name] for name in names]
    spawn_key = hashlib.sha256(_canonical(design).encode()).digest()
    words = tuple(int.from_bytes(spawn_key[i : i + 4], "big") for i in range(0, 16, 4))
    return np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(*words, execution)))


def _settings(grid):
    if isinstance(grid, dict):
        settings = [
            dict(zip(grid, values, strict=True)) for values in itertools.product(*grid.values())
        ]
    else:
        settings = [dict(setting) for setting in grid]
    repeated = [text for text, count in Counter(map(_canonical, settings)).items() if count > 1]
    if repeated:
        raise ValueError(
            f"settings occur twice in the grid: {', '.join(sorted(repeated))}; "
            "use `executions` to repeat a setting"
        )
    return settings


def _canonical(value):
    return json.dumps(value, sort_keys=True, default=_plain)


def _plain(value):
    """Turn numpy scalars and arrays into plain Python; nothing else has a stable text form."""
    if isinstance(value, np.generic):
        return value.item()
    if isinstance(value, np.ndarray):
        return value.tolist()
    raise TypeError(
        f"a sweep takes and returns numbers, texts, booleans, None and lists of them, not "
        f"{type(value).__name__}; convert it inside the function"
    )


def _compute(function, seed, calls, workers, kept):
    """Yield (number, answer) as the calls finish.

    `calls` are settings and executions by number; `kept` are those that were in the cache.
    """
    scheduler = os.environ.get("RLPAPER_SCHEDULER")
    if scheduler is None and pool.reaches(function):
        # Notebooks that run side by side share calls; the text is what makes two of them the same.
        yield from pool.compute(
            _call,
            {
                number: (_canonical([seed, *call]), (function, seed, *call))
                for number, call in calls.items()
            },
            (_canonical([seed, *call]) for call in kept),
        )
        return
    if not calls:
        return
    tasks = (
        joblib.delayed(_numbered)(number, function, seed, *call) for number, call in calls.items()
    )
    if scheduler:
        from distributed import Client

        with Client(scheduler), joblib.parallel_config("dask"):
            yield from joblib.Parallel(batch_size=1, return_as="generator_unordered")(tasks)
    else:
        workers = min(
            workers or int(os.environ.get("RLPAPER_WORKERS", 0)) or os.cpu_count(), len(calls)
        )
        # One call per batch: what is finished is on disk, whatever happens next.
        yield from joblib.Parallel(workers, batch_size=1, return_as="generator_unordered")(tasks)


def _numbered(number, *call):
    return number, _call(*call)


def _call(function, seed, setting, execution):
    """Return the function's answer, and the names of the data that it asked for."""
    # One thread in linear algebra: sums then have one order, whatever the number of workers.
    with threadpool_limits(1), inputs.recorded() as names:
        answer = function(**setting, random_state=generator(function, seed, setting, execution))
    return answer, sorted(names)


class _Store:
    """Finished calls on disk, one file each: the rows, and what data they were made from.

    The data stand there by name and checksum.
    """

    def __init__(self, function, seed, cache):
        self.folder, self.versions = None, {}
        if cache:
            place = paths.checkout() / "build" / "cache" if cache is True else Path(cache)
            self.folder = place / function.__name__
            self.folder.mkdir(parents=True, exist_ok=True)
            self.version = fingerprints.digest(
                fingerprints.of_function(function),
                fingerprints.of_source(generator, _canonical, _plain),
                str(seed),
                _canonical(fingerprints.library_versions(fingerprints.NUMERIC_LIBRARIES)),
            )

    def _path(self, setting, execution):
        key = fingerprints.digest(self.version, _canonical(setting), str(execution))
        return self.folder / f"{key[:40]}.json"

    def read(self, setting, execution):
        if self.folder is None or not (path := self._path(setting, execution)).exists():
            return None
        try:
            entry = json.loads(path.read_text())
        except ValueError:
            log.warning("%s is damaged and is computed again", path.name)
            return None
        if any(self._version(name) != version for name, version in entry["inputs"].items()):
            return None
        self._note(path, entry["inputs"])
        return entry["rows"]

    def write(self, setting, execution, answer, names):
        rows = answer if isinstance(answer, list) else [answer]
        entry = {"inputs": {name: self._version(name) for name in names}, "rows": rows}
        text = json.dumps(entry, default=_plain)
        if self.folder is not None:
            path = self._path(setting, execution)
            # In one step: who reads it sees the old text or the new one, never half of it.
            partial = path.with_suffix(f".{os.getpid()}.tmp")
            partial.write_text(text)
            partial.replace(path)
            self._note(path, names)
        return json.loads(text)["rows"]

    def _version(self, name):
        if name not in self.versions:
            self.versions[name] = fingerprints.of_input(name)
        return self.versions[name]

    def _note(self, path, names):
        """Note what a call was made from: the notebook that uses it depends on it too."""
        for name in (*names, f"{fingerprints.KEPT} {path.parent.name}/{path.name}"):
            inputs.note(name)


def _tidy(calls, answers):
    rows = []
    for (setting, execution), answer in zip(calls, answers, strict=True):
        for row in answer:
            clash = set(row) & {*setting, "execution"}
            if clash:
                raise ValueError(
                    f"the function returned {', '.join(sorted(clash))}, which the setting has "
                    "already; rename it in the function's answer"
                )
            rows.append({**setting, "execution": execution, **row})
    return pd.DataFrame(rows)
