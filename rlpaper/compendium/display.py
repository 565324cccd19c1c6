"""One line that says what is running and what remains, and the table of where the time went."""

import json
import math
import shutil
import sys
import time


class Display:
    """Progress of a build.

    What remains is estimated from the last run of the same notebooks, scaled by how fast this run has been so
    far, or, beyond that, from the progress of the sweep that a notebook is in. Where there is nothing to go
    by, it says so.
    """

    def __init__(self, workspace, stale, jobs):
        self.jobs = jobs
        self.total = len(stale)
        self.pending = list(stale)
        self.running = {}
        self.taken = {}
        self.calls = {}
        self.known = self._last_seconds(workspace)
        self.width = 0

    @staticmethod
    def _last_seconds(workspace):
        manifest = workspace.figures / "manifest.json"
        known = json.loads(manifest.read_text())["seconds"] if manifest.exists() else {}
        for path in workspace.stamps.glob("*.json"):
            known[path.stem] = json.loads(path.read_text())["seconds"]
        return known

    def expected(self, notebook):
        """Seconds of the last run; unknown counts as long."""
        return self.known.get(notebook.name, math.inf)

    def started(self, notebook, progress):
        self.running[notebook] = (time.monotonic(), progress)

    def finished(self, notebook, seconds, error):
        del self.running[notebook]
        self.pending.remove(notebook)
        self.taken[notebook] = seconds
        done = self.total - len(self.pending)
        self._line(f"[{done}/{self.total}] {notebook.name}: {'FAILED after' if error else 'done in'} "
                   f"{duration(seconds)}; {self.remaining()}", keep=True)

    def refresh(self):
        if sys.stdout.isatty() and self.running:
            names = ", ".join(self._state(notebook) for notebook in self.running)
            self._line(f"[{self.total - len(self.pending)}/{self.total}] running {names}; {self.remaining()}")

    def remaining(self):
        """What is left, in words."""
        if not self.pending:
            return "all done"
        left = [self._left(notebook) for notebook in self.pending]
        unknown = sum(seconds is None for seconds in left)
        known = [seconds for seconds in left if seconds is not None]
        seconds = max([sum(known) / self.jobs, *known]) if known else 0
        if not unknown:
            return f"about {duration(seconds)} left"
        if seconds < 1:
            return f"{unknown} to go, no estimate yet"
        return f"more than {duration(seconds)} left, no estimate yet for {unknown}"

    def where_the_time_went(self, total):
        print(f"\nWhere the time went ({duration(total)} in all):")
        for notebook, seconds in sorted(self.taken.items(), key=lambda item: -item[1]):
            print(f"  {duration(seconds):>10}  {notebook.name}")
        if self.calls:
            print("Of the processors, in the calls of their sweeps:")
        for name, seconds in self.calls.items():
            print(f"  {duration(seconds):>10}  {name}")

    def elapsed(self, notebook):
        """Seconds since a notebook was started."""
        return time.monotonic() - self.running[notebook][0] if notebook in self.running else 0

    def _left(self, notebook):
        elapsed = self.elapsed(notebook)
        done = [other for other in self.taken if other.name in self.known]
        speed = sum(self.taken[n] for n in done) / sum(self.known[n.name] for n in done) if done else 1
        if notebook.name in self.known and (seconds := speed * self.known[notebook.name] - elapsed) > 0:
            return seconds
        sweep = self._sweep(notebook)
        return sweep["left"] if sweep else None

    def _state(self, notebook):
        sweep = self._sweep(notebook)
        return notebook.name + (f" ({sweep['done']}/{sweep['total']} {sweep['name']})" if sweep else "")

    def _sweep(self, notebook):
        """The state of the sweep that a running notebook is in, as the runner leaves it."""
        if notebook not in self.running or not self.running[notebook][1].exists():
            return None
        return json.loads(self.running[notebook][1].read_text())

    def _line(self, text, keep=False):
        if sys.stdout.isatty():
            if not keep:  # a line that is overwritten must not wrap
                text = text[:shutil.get_terminal_size().columns - 1]
            print("\r" + text.ljust(self.width), end="\n" if keep else "", flush=True)
            self.width = 0 if keep else len(text)
        elif keep:
            print(text, flush=True)


def duration(seconds):
    """Seconds as a person says them.

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
