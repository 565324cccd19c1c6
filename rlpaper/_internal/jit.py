"""Functions compiled by numba, their machine code kept in the user's cache folder.

So they are compiled once for each machine and source, and not once for each copy of the project.
"""

from functools import lru_cache

import numba
import platformdirs

from ..compendium import fingerprints

FOLDER = platformdirs.user_cache_path("rlpaper") / "machine_code"


def compiled(function):
    """Compile a function of this package, or take the machine code of an earlier run.

    Machine code holds that of the functions called too, and values of their modules. So it is kept under the bytes of the
    function's module and of all modules with compiled functions that this one imports. Nothing that a compiled function uses
    may come from another module of this package; a test looks.
    """
    before = numba.config.CACHE_LOCATOR_CLASSES
    numba.config.CACHE_LOCATOR_CLASSES = f"{__name__}.{Locator.__name__}"
    try:
        return numba.njit(cache=writable(), nogil=True)(function)
    finally:
        numba.config.CACHE_LOCATOR_CLASSES = before


class Locator:
    """Tells numba where a function's machine code is; numba adds what it depends on besides: signature, processor, versions."""

    def __init__(self, function):
        self.function = function

    @classmethod
    def from_function(cls, function, path):
        return cls(function)

    def get_cache_path(self):
        return str(FOLDER / version(self.function.__module__))

    def ensure_cache_path(self):
        (FOLDER / version(self.function.__module__)).mkdir(parents=True, exist_ok=True)

    def get_source_stamp(self):
        return version(self.function.__module__)

    def get_disambiguator(self):
        return str(self.function.__code__.co_firstlineno)


@lru_cache(maxsize=None)
def version(module):
    """Checksum of a module with compiled functions and of all such modules that it imports, directly or not."""
    sources, queue = {}, [module]
    while queue:
        name = queue.pop()
        if name not in sources and is_compiled(name):
            sources[name] = fingerprints.module_file(name).read_text()
            queue.extend(fingerprints.imported_modules(sources[name], name))
    return fingerprints.digest(*(part for item in sorted(sources.items()) for part in item))[:16]


def is_compiled(module):
    """Whether a module of this package holds compiled functions."""
    return "jit import compiled" in fingerprints.module_file(module).read_text()


@lru_cache(maxsize=None)
def writable():
    """Whether there is a cache folder; without one everything is compiled anew, and works."""
    try:
        FOLDER.mkdir(parents=True, exist_ok=True)
    except OSError:
        return False
    return True
