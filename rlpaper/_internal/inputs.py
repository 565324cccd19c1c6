"""Which data a piece of work asked for, so that it is done again when they change, and not before.

Whoever reads data says so by `note`; whoever keeps results opens a recording. A name says what was
asked for: ``data census``, ``published torra2008_table1_example``.
"""

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from pathlib import Path
from typing import Any

#: Names a file to which everything that this process asks for is written, one name in a line.
LOG = "RLPAPER_INPUTS"

_recordings: list[set[str]] = []
_logged: set[str] = set()


def note(name: str) -> None:
    """Say that data of this name were asked for."""
    for names in _recordings:
        names.add(name)
    if LOG in os.environ and name not in _logged:
        _logged.add(name)
        with Path(os.environ[LOG]).open("a") as log:
            log.write(f"{name}\n")


@contextmanager
def recorded() -> Iterator[set[str]]:
    """Yield the set of names that are noted within the context."""
    names: set[str] = set()
    _recordings.append(names)
    try:
        yield names
    finally:
        _recordings.pop()


def remembered(function: Callable) -> Callable:
    """Keep what a function returns, by its arguments.

    Whoever takes a kept answer notes what it was made from.

    Examples
    --------
    >>> @remembered
    ... def double(x):
    ...     note(f"data {x}")
    ...     return 2 * x
    >>> double(2), double(2)
    (4, 4)
    >>> with recorded() as names:
    ...     _ = double(2)
    >>> names
    {'data 2'}
    """
    kept: dict[tuple, tuple[Any, set[str]]] = {}

    @wraps(function)
    def answer(*arguments: Any, **options: Any) -> Any:
        key = arguments, tuple(sorted(options.items()))
        if key not in kept:
            with recorded() as names:
                kept[key] = function(*arguments, **options), names
        value, names = kept[key]
        for name in names:
            note(name)
        return value

    return answer
