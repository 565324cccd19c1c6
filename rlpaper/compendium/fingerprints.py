"""What a result depends on, as checksums: code, data, library versions.

And how and where it was made.
"""

import ast
import importlib.metadata
import inspect
import os
import platform
import subprocess
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from hashlib import sha256 as _sha256
from pathlib import Path
from typing import Any

from .._internal import sources
from .._internal.sources import digest

#: Libraries whose version can change a number: they enter the key of every call that is kept.
NUMERIC_LIBRARIES = ("highspy", "numba", "numpy", "pandas", "scipy")

#: Those of them, and further ones whose version can change what a notebook shows; the colophon
#: names them.
LIBRARIES = (
    "highspy",
    "joblib",
    "matplotlib",
    "numba",
    "numpy",
    "pandas",
    "pulp",
    "scipy",
    "seaborn",
)

#: In the list of what a notebook used, a call that was kept begins with this word.
KEPT = "kept"

#: Modules that can change no number: they show, draw, or keep the books. Besides these the figures
#: and the compendium.
_UNCOUNTED = (
    "rlpaper._internal.extras",
    "rlpaper._internal.html",
    "rlpaper._internal.progress",
    "rlpaper._internal.sources",
    "rlpaper.plotting",
)


def sha256(path: str | Path) -> str:
    """Return the checksum of a file, as hexadecimal text."""
    return _sha256(Path(path).read_bytes()).hexdigest()


def of_function(function: Callable, home: Path = sources.HOME) -> str:
    """Return the checksum of all code that the answers of a swept function depend on.

    That is its module, and every module of the library that it reaches, as the interpreter sees
    them: comments and docstrings do not count. Neither do modules that can change no number, nor
    the compendium. A function that was typed into a notebook or script may reach anything, so it
    depends on the whole library.
    """
    if inspect.getclosurevars(function).nonlocals:
        raise ValueError(
            f"{function.__name__} reads values from the function around it; "
            "pass them as parameters, so that they are part of the cache key"
        )
    module = function.__module__
    if module.split(".")[0] == "rlpaper":
        code = f"from {module} import {function.__name__}"
        return digest(*_seen(sources.reached(code, home=home, leave_out=changes_no_number), home))
    whole = (name for name in sources.modules(home) if not changes_no_number(name))
    return digest(inspect.getsource(function), *_seen(whole, home))


def changes_no_number(module: str) -> bool:
    """Tell whether a module does not count for numbers: it shows, draws, judges or manages."""
    return (
        module in _UNCOUNTED
        or module.endswith(".figures")
        or f"{module}.".startswith("rlpaper.compendium.")
    )


def of_code(code: str, home: Path = sources.HOME) -> str:
    """Return the checksum of all modules that a piece of Python reaches, and of files they name.

    Modules and files of this package, that is.
    """
    modules = sources.reached(code, home=home)
    named = {text for module in modules for text in sources.texts(module, home)}
    files = [path for path in _package_data(home) if path.name in named]
    return digest(
        *_seen(modules, home), *(part for path in files for part in (path.name, sha256(path)))
    )


def _seen(modules, home):
    return [part for name in sorted(modules) for part in (name, sources.seen(name, home))]


def _package_data(home):
    """Files of the package that are no Python, such as the style of the reviewer's page."""
    return [
        path
        for path in sorted((home / "rlpaper").rglob("*"))
        if path.is_file() and path.suffix not in (".py", ".pyc")
    ]


def of_source(*functions: Callable) -> str:
    """Return the checksum of functions as the interpreter sees them."""
    trees = [ast.parse(inspect.getsource(function)) for function in functions]
    return digest(*(ast.dump(sources.without_docstrings(tree)) for tree in trees))


def of_input(name: str) -> str:
    """Return the checksum of data by the name under which they were noted.

    See `rlpaper._internal.inputs`.
    """
    # Imported here: most builds with nothing to do need no pandas.
    from .. import datasets
    from . import published

    kind, *rest = name.split(" ")
    return datasets.version(*rest) if kind == "data" else published.version(kind, *rest)


@cache  # of what is imported, which does not change while Python runs
def library_versions(names: tuple[str, ...] = LIBRARIES) -> dict[str, str]:
    """Return the version of Python and of each named library that is installed."""
    found = {}
    for name in names:
        with suppress(importlib.metadata.PackageNotFoundError):
            found[name] = importlib.metadata.version(name)
    return {"python": platform.python_version(), **found}


def commit(root: Path) -> str:
    """Return the commit of the working tree, `unknown` outside git.

    It ends in `+changes` if files differ from it.
    """

    def git(*words):
        return subprocess.run(
            ["git", "-C", str(root), *words], capture_output=True, text=True, check=True
        ).stdout

    try:
        head = git("rev-parse", "--short=12", "HEAD").strip()
        # What a build writes does not change the source that it was built from.
        changed = git("status", "--porcelain", "--", ".", ":!figures").strip()
    except (OSError, subprocess.CalledProcessError):
        return "unknown"
    return head + ("+changes" if changed else "")


def machine() -> dict[str, Any]:
    """Say what the results were made on, in a few words that name no host and no user."""
    return {"system": f"{platform.system()} {platform.machine()}", "cores": os.cpu_count()}
