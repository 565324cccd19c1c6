"""Progress bars."""

from tqdm.auto import tqdm


def progress_bar(total, description, shown):
    """A bar that is shown only where the work takes longer than about a second.

    ``TQDM_DISABLE=1`` in the environment turns off all of them.
    """
    # Without a total nobody can tell beforehand whether it takes that long.
    return tqdm(total=total, desc=description, mininterval=0.5, delay=0 if total else 1, **({} if shown else {"disable": True}))
