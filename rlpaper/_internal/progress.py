"""Progress bars. ``TQDM_DISABLE=1`` in the environment turns off all of them, in notebooks too."""

import os
from collections.abc import Callable
from typing import Any

from tqdm.auto import tqdm


def progress_bar(total: int | None, description: str, shown: bool, **options: Any) -> tqdm:
    """Make a bar that is shown only where work takes about a second, and somebody looks."""
    # tqdm itself heeds the environment outside of notebooks only.
    shown = shown and os.environ.get("TQDM_DISABLE", "0") in ("", "0")
    # Without a total nobody can tell beforehand whether it takes that long.
    delay = 0 if total else 1
    return tqdm(
        total=total, desc=description, mininterval=0.5, delay=delay, disable=not shown, **options
    )


class Steps:
    """Progress of work that goes step by step.

    As a context, it gives a function that is called with the name of each step that begins.
    """

    def __init__(self, name: str, total: int, shown: bool):
        self.bar, self.begun = progress_bar(total, name, shown), False

    def __enter__(self) -> Callable[[str], None]:
        """Begin the work."""
        return self.step

    def step(self, what: str) -> None:
        """Begin a step."""
        self.bar.set_postfix_str(what, refresh=False)
        self.bar.update(int(self.begun))
        self.begun = True

    def __exit__(self, *_: object) -> None:
        """End the work."""
        self.bar.close()
