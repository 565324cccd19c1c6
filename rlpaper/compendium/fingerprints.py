"""What a result depends on: code, data, library versions, commit and machine.

A result is recomputed exactly when one of these changes. Code is followed import by import, so that a
change to one module invalidates what imports it, directly or not, and nothing else.
"""

import ast
import hashlib
import importlib.metadata
import os
import platform
import subprocess
from contextlib import suppress
from functools import lru_cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
DATA = ROOT / "data"

#: Why a number is not a plain match: shown beside results, never an input of one.
EXPLANATIONS = DATA / "explanations.csv"

#: Libraries whose version can change a number; they enter every cache key and the colophon.
NUMERIC_LIBRARIES = (
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


def sha256(path):
    """Checksum of a file, as hexadecimal text."""
    return hashlib.sha256(Path(path).read_bytes()).hexdigest()


def digest(*parts):
    """Checksum of texts, in order; the parts cannot run into each other."""
    state = hashlib.sha256()
    for part in parts:
        encoded = part.encode()
        state.update(len(encoded).to_bytes(8, "big") + encoded)
    return state.hexdigest()


def module_file(name, root=ROOT):
    """The source file of a module of this package, or None if `name` is no such module."""
    base = root.joinpath(*name.split("."))
    for candidate in (base / "__init__.py", base.with_suffix(".py")):
        if candidate.is_file():
            return candidate
    return None


def imported_modules(source, module="", root=ROOT):
    """Names of this package's modules that a piece of Python source imports.

    Parameters
    ----------
    source : str
        Python source.
    module : str
        Name of the module that the source belongs to; relative imports are resolved against it.

    Examples
    --------
    >>> sorted(imported_modules("from rlpaper.linkage import chance\\nimport numpy"))
    ['rlpaper', 'rlpaper.linkage', 'rlpaper.linkage.chance']
    """
    is_package = bool(module) and (module_file(module, root) or Path()).name == "__init__.py"
    parents = module.split(".") if module else []
    found = set()
    for level, base, names in _import_statements(source):
        prefix = parents[: len(parents) - (level - is_package)] if level else []
        base = ".".join([*prefix, *([base] if base else [])])
        for name in [base, *(f"{base}.{name}" for name in names)]:
            parts = name.split(".")
            found.update(".".join(parts[:i]) for i in range(1, len(parts) + 1))
    return {name for name in found if name.split(".")[0] == "rlpaper" and module_file(name, root)}


@lru_cache(
    maxsize=None
)  # the same modules are looked at for every sweep and every piece of machine code
def _import_statements(source):
    """Level, module and names of every import in a piece of Python source."""
    found = []
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            found += [(0, alias.name, ()) for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            found.append((node.level, node.module, tuple(alias.name for alias in node.names)))
    return found


def package_modules():
    """Names of all modules of this package."""
    return [
        ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
        for path in sorted((ROOT / "rlpaper").rglob("*.py"))
    ]


def module_closure(modules, root=ROOT):
    """All modules of this package that the given ones import, directly or not, themselves included."""
    seen, queue = set(), list(modules)
    while queue:
        name = queue.pop()
        if name in seen:
            continue
        seen.add(name)
        queue.extend(imported_modules(module_file(name, root).read_text(), name, root))
    return sorted(seen)


def code_fingerprint(modules, root=ROOT):
    """Checksum of the sources of `modules` and of everything in this package that they import."""
    return _code_fingerprint(
        tuple(modules),
        root,
        tuple(
            (str(path), path.stat().st_mtime_ns, path.stat().st_size)
            for path in sorted((root / "rlpaper").rglob("*.py"))
        ),
    )


@lru_cache(maxsize=64)  # a notebook of many sweeps asks for the same modules every time
def _code_fingerprint(modules, root, files):
    closure = module_closure(modules, root)
    return digest(
        *(part for name in closure for part in (name, module_file(name, root).read_text()))
    )


def data_fingerprint(folder=DATA):
    """Checksum over the names and contents of all files below `folder` that a result can depend on."""
    return _data_fingerprint(
        tuple(
            (
                path.relative_to(folder).as_posix(),
                str(path),
                path.stat().st_mtime_ns,
                path.stat().st_size,
            )
            for path in sorted(folder.rglob("*"))
            if path.is_file() and path.suffix != ".md" and path.name != EXPLANATIONS.name
        )
    )


@lru_cache(maxsize=8)
def _data_fingerprint(files):
    return digest(*(part for name, path, _, _ in files for part in (name, sha256(path))))


@lru_cache(maxsize=2)  # of what is imported, which does not change while Python runs
def library_versions(names=NUMERIC_LIBRARIES):
    """Version of Python and of each named library that is installed."""
    found = {}
    for name in names:
        with suppress(importlib.metadata.PackageNotFoundError):
            found[name] = importlib.metadata.version(name)
    return {"python": platform.python_version(), **found}


def commit(root=ROOT):
    """The commit of the working tree, with `+changes` if files differ from it; `unknown` outside git."""

    def git(*words):
        return subprocess.run(
            ["git", "-C", str(root), *words], capture_output=True, text=True, check=True
        ).stdout

    try:
        head = git("rev-parse", "--short=12", "HEAD").strip()
        # What a build writes is no change of the source it was built from.
        changed = git("status", "--porcelain", "--", ".", ":!figures").strip()
    except (OSError, subprocess.CalledProcessError):
        return "unknown"
    return head + ("+changes" if changed else "")


def machine():
    """What the results were made on, in a few words that name no host and no user."""
    return {
        "system": f"{platform.system()} {platform.machine()}",
        "cores": os.cpu_count(),
    }
