"""Where the checkout of the project is, found from the working folder."""

from pathlib import Path

#: What a folder holds that is a checkout.
PARTS = ("notebooks", "data/published", "rlpaper")


class NoCheckout(Exception):
    """There is no checkout of the project at or above a folder."""

    def __init__(self) -> None:
        super().__init__(
            "this command needs a checkout of the project: "
            "run it in the folder that holds notebooks/ and data/"
        )


def checkout(start: str | Path | None = None) -> Path:
    """Return the nearest folder at or above `start` that is a checkout of the project.

    Parameters
    ----------
    start : path, optional
        Where to begin; the working folder if left out.

    Returns
    -------
    Path

    Raises
    ------
    NoCheckout
        With what to do.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     for part in PARTS:
    ...         (Path(folder) / part).mkdir(parents=True)
    ...     checkout(Path(folder) / "notebooks") == Path(folder).resolve()
    True
    """
    start = Path.cwd() if start is None else Path(start).resolve()
    for folder in (start, *start.parents):
        if all((folder / part).is_dir() for part in PARTS):
            return folder
    raise NoCheckout
