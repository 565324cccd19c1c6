"""Progress: bars, and what `make` is told of work in a notebook."""

import json
import os
import time
from pathlib import Path

from tqdm.auto import tqdm

#: Where `make` wants to read how far a sweep is; it has a display of its own, and nobody looks at the notebook meanwhile.
PROGRESS_FILE = "RLPAPER_PROGRESS_FILE"


def under_make():
    """Whether this is a notebook that `make` runs."""
    return PROGRESS_FILE in os.environ


def progress_bar(total, description, shown):
    """A bar that is shown only where the work takes longer than about a second, and somebody looks.

    ``TQDM_DISABLE=1`` in the environment turns off all of them.
    """
    shown = shown and not under_make()
    # Without a total nobody can tell beforehand whether it takes that long.
    return tqdm(
        total=total,
        desc=description,
        mininterval=0.5,
        delay=0 if total else 1,
        **({} if shown else {"disable": True}),
    )


def tell_make(name, done, total, left):
    """Let `make` know how far a piece of work is; `left` in seconds."""
    replace_text(
        Path(os.environ[PROGRESS_FILE]),
        json.dumps({"name": name, "done": done, "total": total, "left": round(left, 1)}),
    )


def replace_text(path, text):
    """Write a file in one step: who reads it sees the old text or the new one, never half of it."""
    partial = path.with_suffix(f".{os.getpid()}.tmp")
    partial.write_text(text)
    partial.replace(path)


class Steps:
    """Progress of work that goes step by step: a bar, or under `make` what its display shows.

    As a context, it gives a function to be called with the name of each step that begins.
    """

    def __init__(self, name, total, shown):
        self.name, self.total = name, total
        self.bar = tqdm(
            total=total,
            desc=name,
            mininterval=0.5,
            **({} if shown and not under_make() else {"disable": True}),
        )

    def __enter__(self):
        self.done, self.start = 0, time.monotonic()
        return self.step

    def step(self, what):
        if under_make():
            speed = (time.monotonic() - self.start) / max(1, self.done)
            tell_make(
                f"{self.name}: {what}", self.done, self.total, speed * (self.total - self.done)
            )
        self.bar.set_postfix_str(what, refresh=False)
        self.bar.update(int(self.done > 0))
        self.done += 1

    def __exit__(self, *_):
        self.bar.close()
