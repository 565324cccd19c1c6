"""Functions compiled by numba, their machine code kept on disk."""

from functools import lru_cache

import numba

from . import provenance

FOLDER = provenance.ROOT / "build" / "numba"


def compiled(function, **options):
    """Compile a function of this package, or take the machine code of an earlier run.

    Numba notices a change in the function's own file only, yet machine code holds that of the functions called too. So
    each version of the module and of all that it imports from this package has a folder of its own. `options` are numba's.
    """
    before = numba.config.CACHE_DIR
    numba.config.CACHE_DIR = str(FOLDER / _version(function.__module__))
    try:
        return numba.njit(cache=True, nogil=True, **options)(function)
    finally:
        numba.config.CACHE_DIR = before


@lru_cache
def _version(module):
    return provenance.code_fingerprint([module])[:16]
