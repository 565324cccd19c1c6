"""Machine code: kept for all copies of the project, and never older than its source."""

import ast
import importlib
import os
import shutil
import subprocess
import sys

import numba

from conftest import Clone
from rlpaper._internal import jit, sources

INNER = (
    "from ._internal.jit import compiled\n\nSTEP = {}\n\n@compiled\ndef inner():\n    return STEP\n"
)
OUTER = (
    "from .inner import inner\nfrom ._internal.jit import compiled\n\n"
    "@compiled\ndef outer():\n    return inner() + 1\n"
)


def write(clone, step):
    (clone.root / "rlpaper" / "outer.py").write_text(OUTER)
    (clone.root / "rlpaper" / "inner.py").write_text(INNER.format(step))


def answer(clone, cache):
    code = (
        "import numba; from rlpaper.outer import outer; "
        "print(outer(), sum(outer.stats.cache_hits.values()), "
        "repr(numba.config.CACHE_LOCATOR_CLASSES))"
    )
    run = subprocess.run(
        [sys.executable, "-c", code],
        cwd=clone.root,
        env={**os.environ, "XDG_CACHE_HOME": str(cache)},
        check=True,
        capture_output=True,
        text=True,
    )
    value, hits, setting = run.stdout.split()
    assert setting == "''"  # other libraries are left alone
    return int(value), int(hits)


def test_machine_code_is_kept_until_what_it_was_made_from_changes(clone, tmp_path):
    cache = tmp_path / "cache"
    write(clone, 1)
    assert answer(clone, cache) == (2, 0)
    assert answer(clone, cache) == (2, 1)
    write(clone, 5)  # in another file, and as long as before
    assert answer(clone, cache) == (6, 0)
    write(clone, 1)
    assert answer(clone, cache) == (2, 1)


def test_copies_of_the_project_share_machine_code_of_the_same_source_only(clone, tmp_path):
    cache, other = tmp_path / "cache", Clone(tmp_path / "other")
    write(clone, 1)
    assert answer(clone, cache) == (2, 0)
    shutil.copytree(clone.root / "rlpaper", other.root / "rlpaper", dirs_exist_ok=True)
    assert answer(other, cache) == (2, 1)
    write(other, 5)
    assert answer(other, cache) == (6, 0)
    assert answer(clone, cache) == (2, 1)


def test_whether_machine_code_is_kept_can_be_asked_before_it_is_used(clone, tmp_path):
    def kept():
        code = "from rlpaper._internal import jit; print(jit.is_kept('rlpaper.outer'))"
        environment = {**os.environ, "XDG_CACHE_HOME": str(tmp_path / "cache")}
        run = [sys.executable, "-c", code]
        return subprocess.check_output(run, cwd=clone.root, env=environment, text=True).strip()

    write(clone, 1)
    assert kept() == "False"
    answer(clone, tmp_path / "cache")
    assert kept() == "True"
    write(clone, 5)
    assert kept() == "False"


def test_without_a_cache_folder_everything_works(clone, tmp_path):
    (tmp_path / "file").write_text("")
    write(clone, 1)
    assert answer(clone, tmp_path / "file") == (2, 0)


def test_compiled_functions_use_nothing_of_modules_that_are_not_part_of_their_version():
    modules = [name for name in sources.modules() if jit.is_compiled(name)]
    assert len(modules) > 8
    for name in modules:
        tree = ast.parse(sources.module_file(name).read_text())
        foreign = {
            alias.asname or alias.name
            for node in ast.walk(tree)
            if isinstance(node, ast.ImportFrom) and node.level
            for alias in node.names
            if not {f"{origin(name, node)}", f"{origin(name, node)}.{alias.name}"} & set(modules)
        }
        used = {
            word.id
            for function in ast.walk(tree)
            if isinstance(function, ast.FunctionDef)
            and any(
                isinstance(mark, ast.Name) and mark.id == "compiled"
                for mark in function.decorator_list
            )
            for statement in function.body
            for word in ast.walk(statement)
            if isinstance(word, ast.Name)
        }
        assert not foreign & used, (
            f"{name}: machine code would not follow a change of {foreign & used}"
        )


def origin(module, node):
    """The module that a relative import names."""
    parents = module.split(".")[: -node.level]
    return ".".join([*parents, *([node.module] if node.module else [])])


def test_every_compiled_function_is_kept():
    kept = 0
    for name in filter(jit.is_compiled, sources.modules()):
        for function in vars(importlib.import_module(name)).values():
            if (
                isinstance(function, numba.core.dispatcher.Dispatcher)
                and function.__module__ == name
            ):
                assert function._cache.cache_path == str(jit.FOLDER / jit.version(name))
                kept += 1
    assert kept > 50
