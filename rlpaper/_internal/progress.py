"""Progress bars. ``TQDM_DISABLE=1`` in the environment turns off all of them, in notebooks too."""

import os

from tqdm.auto import tqdm


def progress_bar(total, description, shown, **options):
    """A bar that is shown only where the work takes longer than about a second, and somebody looks."""
    # tqdm itself heeds the environment outside of notebooks only.
    shown = shown and os.environ.get("TQDM_DISABLE", "0") in ("", "0")
    # Without a total nobody can tell beforehand whether it takes that long.
    delay = 0 if total else 1
    return tqdm(
        total=total, desc=description, mininterval=0.5, delay=delay, disable=not shown, **options
    )


class Steps:
    """Progress of work that goes step by step: as a context, a function to be called with the name of each step that begins."""

    def __init__(self, name, total, shown):
        self.bar, self.begun = progress_bar(total, name, shown), False

    def __enter__(self):
        return self.step

    def step(self, what):
        self.bar.set_postfix_str(what, refresh=False)
        self.bar.update(int(self.begun))
        self.begun = True

    def __exit__(self, *_):
        self.bar.close()
