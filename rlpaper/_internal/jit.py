"""Functions compiled by numba, their machine code kept in the user's cache folder.

So they are compiled once for each machine and source, and not once for each copy of the project.
"""

import os
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path
from types import FunctionType
from typing import Any

import numba

from . import sources


def _user_cache() -> Path:
    """Return the folder for what programs keep: ``NUMBA_CACHE_DIR`` if set, else the system's."""
    if named := os.environ.get("NUMBA_CACHE_DIR"):
        return Path(named)
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA", Path.home() / "AppData" / "Local"))
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches"
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")


FOLDER = _user_cache() / "rlpaper" / "machine_code"


def compiled(function: Callable) -> Callable:
    """Compile a function of this package, or take the machine code of an earlier run.

    Machine code holds that of the functions called too, and values of their modules. So it is kept
    under the bytes of the function's module and of all modules with compiled functions that this
    one imports. Nothing that a compiled function uses may come from another module of this package;
    a test looks.
    """
    config: Any = numba.config  # numba makes its settings when it is imported
    before = config.CACHE_LOCATOR_CLASSES
    config.CACHE_LOCATOR_CLASSES = f"{__name__}.{Locator.__name__}"
    try:
        return numba.njit(cache=writable(), nogil=True)(function)
    finally:
        config.CACHE_LOCATOR_CLASSES = before


class Locator:
    """What tells numba where a function's machine code is.

    numba adds what the code depends on besides: signature, processor, versions.
    """

    def __init__(self, function: FunctionType):
        self.function = function

    @classmethod
    def from_function(cls, function: FunctionType, path: str) -> "Locator":
        """Make the locator of a function."""
        return cls(function)

    def get_cache_path(self) -> str:
        """Return the folder of the machine code."""
        return str(_folder(self.function.__module__))

    def ensure_cache_path(self) -> None:
        """Make the folder."""
        _folder(self.function.__module__).mkdir(parents=True, exist_ok=True)

    def get_source_stamp(self) -> str:
        """Return what changes when the source does."""
        return version(self.function.__module__)

    def get_disambiguator(self) -> str:
        """Tell functions of the same name apart."""
        return str(self.function.__code__.co_firstlineno)


@cache
def version(module: str) -> str:
    """Compute the checksum of a module with compiled functions and of all such that it imports.

    Those that are imported indirectly count too.
    """
    found: dict[str, str] = {}
    queue = [module]
    while queue:
        name = queue.pop()
        if name not in found and is_compiled(name):
            found[name] = sources.read(name)
            queue.extend(sources.uses(name))
    return sources.digest(*(part for item in sorted(found.items()) for part in item))[:16]


def is_compiled(module: str) -> bool:
    """Tell whether a module of this package holds compiled functions."""
    return "jit import compiled" in sources.read(module)


def is_kept(module: str) -> bool:
    """Tell whether there is machine code of a module, as it stands, from an earlier run."""
    return _folder(module).exists()


def _folder(module: str) -> Path:
    return FOLDER / version(module)


@cache
def writable() -> bool:
    """Tell whether there is a cache folder; without one everything is compiled anew, and works."""
    try:
        FOLDER.mkdir(parents=True, exist_ok=True)
    except OSError:
        return False
    return True
