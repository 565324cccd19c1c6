"""Where the checkout is that the compendium works on."""

from pathlib import Path


class NoCheckout(Exception):
    """The working folder is not inside a checkout of the project."""

    def __init__(self):
        super().__init__(
            "this needs a checkout of the project: run it in the folder that holds notebooks/ and data/"
        )


def checkout(start=None):
    """The nearest folder at or above the working folder that is a checkout of the project."""
    start = Path(start or Path.cwd()).resolve()
    for place in (start, *start.parents):
        if all((place / name).is_dir() for name in ("notebooks", "data/published", "rlpaper")):
            return place
    raise NoCheckout
