"""One bar that says what is running and what remains, and the table of where the time went."""

import json
import math
import shutil
import sys
import time
from collections import Counter
from types import SimpleNamespace
from typing import Any

from .notebooks import Notebook
from .pool import Pool
from .workspace import Workspace


class Display:
    """Progress of a build.

    What remains is estimated from what the notebooks cost the last time that they were run with
    nothing in the cache, in processor seconds: of the kernel, and of the calls of its sweeps. It is
    scaled by what those that are done cost now, by how many calls were in the cache, and by how
    much of the processors' time the build gets. Where there is nothing to go by, it says so.

    Attributes
    ----------
    pool : rlpaper.compendium.pool.Pool
        Tells what the calls of each notebook have cost so far.
    """

    # Seconds for which the pace is taken for that of the last time, before what is measured
    # outweighs it.
    PRIOR_SECONDS = 60

    def __init__(self, workspace: Workspace, stale: list[Notebook], cores: int) -> None:
        self.cores = cores
        self.total = len(stale)
        self.pending = list(stale)
        self.running: dict[Notebook, float] = {}
        self.taken: dict[Notebook, float] = {}
        self.calls: dict[str, float] = {}
        self.known = self._last_costs(workspace)
        self.done: dict[Notebook, float] = {}
        self.pool: Any = SimpleNamespace(spent=Counter(), asked=Counter(), kept=Counter())
        self.began = time.monotonic()
        self.next_word = 60.0
        self.width = 0

    @staticmethod
    def _last_costs(workspace):
        manifest = workspace.figures / "manifest.json"
        known = json.loads(manifest.read_text()).get("cost", {}) if manifest.exists() else {}
        for path in workspace.stamps.glob("*.json"):
            if cost := json.loads(path.read_text()).get("cost"):
                known[path.stem] = cost
        return known

    def expected(self, notebook: Notebook) -> float:
        """Return the processor seconds of the last run; unknown counts as long."""
        return sum(self.known.get(notebook.name, {"own": math.inf}).values())

    def begin(self, pool: Pool) -> None:
        """Start the clock; the pool is the one that the notebooks will use."""
        self.pool, self.began = pool, time.monotonic()

    def started(self, notebook: Notebook) -> None:
        """Take note that a notebook runs."""
        self.running[notebook] = time.monotonic()

    def finished(self, notebook: Notebook, seconds: float, own: float) -> dict | None:
        """Take a notebook from the list; returns what it cost.

        If some of its calls were in the cache, that is what it cost the last time.
        """
        del self.running[notebook]
        self.pending.remove(notebook)
        self.taken[notebook] = seconds
        self.done[notebook] = own + self._spent(notebook)
        if self.pool.kept[notebook.name]:
            return self.known.get(notebook.name)
        return {"own": round(own, 1), "sweeps": round(self._spent(notebook), 1)}

    def tell(self, notebook: Notebook, seconds: float, error: str | None) -> None:
        """Say that a notebook is done, and what remains."""
        self._line(
            f"{self._bar()} {notebook.name}: {'FAILED after' if error else 'done in'} "
            f"{duration(seconds)}; {self.remaining()}",
            keep=True,
        )

    def refresh(self) -> None:
        """Say what is running and what remains.

        Where no terminal overwrites the line, that is after a minute and then every five.
        """
        if not self.running:
            return
        elapsed = time.monotonic() - self.began
        if sys.stdout.isatty() or elapsed > self.next_word:
            names = ", ".join(notebook.name for notebook in self.running)
            self._line(
                f"{self._bar()} {self.remaining()}; running {names}", keep=not sys.stdout.isatty()
            )
            self.next_word = elapsed + 5 * 60

    def _bar(self):
        """Say how many notebooks are done and, where it can be told, what share of the time is."""
        done = f"[{self.total - len(self.pending)}/{self.total}]"
        if not self.pending or all(notebook.name not in self.known for notebook in self.pending):
            return done
        elapsed = time.monotonic() - self.began
        share = elapsed / max(1.0, elapsed + self._seconds_left())
        return f"{done} {'#' * round(20 * share):.<20} {share:4.0%}"

    def remaining(self) -> str:
        """Say what is left."""
        if not self.pending:
            return "all done"
        unknown = sum(notebook.name not in self.known for notebook in self.pending)
        if unknown == len(self.pending):
            return f"{unknown} to go, no estimate yet"
        seconds = self._seconds_left()
        return (
            f"more than {duration(seconds)} left, no estimate yet for {unknown}"
            if unknown
            else f"about {duration(seconds)} left"
        )

    def _seconds_left(self):
        before = sum(self._cost(notebook) for notebook in self.done if notebook.name in self.known)
        pace = (
            sum(cost for notebook, cost in self.done.items() if notebook.name in self.known)
            + self.PRIOR_SECONDS
        ) / (before + self.PRIOR_SECONDS)
        known = [notebook for notebook in self.pending if notebook.name in self.known]
        left = [max(0.0, pace * self._cost(notebook) - self._spent(notebook)) for notebook in known]
        alone = max(
            min(rest, pace * self.known[notebook.name]["own"])
            for notebook, rest in zip(known, left, strict=True)
        )
        elapsed = time.monotonic() - self.began
        used = sum(self._spent(notebook) for notebook in self.running) + sum(self.done.values())
        # Of the calls under way nothing is known yet, so that at first it is taken for granted that
        # the build has all processors.
        share = min(
            1.0,
            max(0.25, (used / self.cores + self.PRIOR_SECONDS) / (elapsed + self.PRIOR_SECONDS)),
        )
        return max(sum(left) / (self.cores * share), alone)

    def _cost(self, notebook):
        """Processor seconds that a notebook should take, at the pace of the last time.

        That depends on the share of its calls that must be made: its own share as soon as it is
        known, before that the share of all notebooks.
        """
        known, begun = self.known[notebook.name], notebook in self.running or notebook in self.done
        asked, kept = (
            calls[notebook.name] if begun else sum(calls.values())
            for calls in (self.pool.asked, self.pool.kept)
        )
        return known["own"] + known["sweeps"] * (asked / (asked + kept) if kept else 1.0)

    def _spent(self, notebook):
        return self.pool.spent[notebook.name]

    def where_the_time_went(self) -> None:
        """Print what took how long: notebooks on the clock, calls in processor time."""
        print(f"\nWhere the time went ({duration(time.monotonic() - self.began)} in all):")
        for notebook, seconds in sorted(self.taken.items(), key=lambda item: -item[1]):
            print(f"  {duration(seconds):>10}  {notebook.name}")
        if self.calls:
            print("Processor time of the calls, by function:")
        for name, seconds in self.calls.items():
            print(f"  {duration(seconds):>10}  {name}")

    def elapsed(self, notebook: Notebook) -> float:
        """Return the seconds since a notebook was started."""
        return time.monotonic() - self.running[notebook] if notebook in self.running else 0

    def _line(self, text, keep=False):
        if sys.stdout.isatty():
            if not keep:  # a line that is overwritten must not wrap
                text = text[: shutil.get_terminal_size().columns - 1]
            print("\r" + text.ljust(self.width), end="\n" if keep else "", flush=True)
            self.width = 0 if keep else len(text)
        elif keep:
            print(text, flush=True)


def duration(seconds: float) -> str:
    """Say seconds as a person does.

    Examples
    --------
    >>> duration(8.4), duration(135), duration(7320)
    ('8 s', '2 min 15 s', '2 h 2 min')
    """
    seconds = round(seconds)
    if seconds < 60:
        return f"{seconds} s"
    if seconds < 3600:
        return f"{seconds // 60} min {seconds % 60} s"
    return f"{seconds // 3600} h {seconds % 3600 // 60} min"
