"""Progress bars."""

import os

from tqdm.auto import tqdm

#: Where `make` wants to read how far a sweep is; it has a display of its own, and nobody looks at the notebook meanwhile.
PROGRESS_FILE = "RLPAPER_PROGRESS_FILE"


def under_make():
    """Whether this is a notebook that `make` runs."""
    return PROGRESS_FILE in os.environ


def progress_bar(total, description, shown):
    """A bar that is shown only where the work takes longer than about a second.

    ``TQDM_DISABLE=1`` in the environment turns off all of them.
    """
    # Without a total nobody can tell beforehand whether it takes that long.
    return tqdm(total=total, desc=description, mininterval=0.5, delay=0 if total else 1, **({} if shown else {"disable": True}))
