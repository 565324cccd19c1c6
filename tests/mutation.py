"""Do the tests notice faults that are put into the code at random? No part of `make test`.

    python tests/mutation.py linkage --mutants 60 --seed 1 [--jobs 2] [--only ID ...]

A mutant is a copy of the project with one place changed: `<` for `<=`, `and` for `or`, `+` for `-`,
a number plus one, `return None`, a statement left out. Kinds are drawn first and places of the kind
then, so the sample depends on the seed and the source only. Each mutant is run against the tests
that call the changed function, up to the first that fails; code that leaves no trace of its own,
which is what runs at import or is compiled, against those of its module, of all that import it, and
those that call nothing. A test that takes ten times as long as it should has failed too. Which
tests call what, and that they pass as things stand, is found out first and kept in `build/mutation`
for each test file and state of the source.

Each mutant that no test noticed is told, and how many were caught in the end. For a survivor there
are three ways: a test of what a user would notice; away with code that does nothing; or, if the two
programs cannot be told apart, an entry with the reason in `mutation_equivalents.toml`, which sets
it aside. `--only` then runs the named ones again.
"""

import argparse
import ast
import contextlib
import hashlib
import importlib
import itertools
import json
import math
import os
import random
import re
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import tomllib
from dataclasses import dataclass
from pathlib import Path

import pytest
from hypothesis import Phase, settings

ROOT = Path(__file__).resolve().parent.parent
KEPT = ROOT / "build" / "mutation"

#: The tests of each package; the examples in its docstrings count besides.
TESTS = {
    "review": "review_project review_score li2019_budget li2019 html",
    "risk": "risk pairs bad_pairs nasty_pairs risk_report assess_command new_measure",
    "linkage": "progress linkage categorical_linkage chance fellegi_sunter no_common_variables "
    "exhaustive kdtree estimators",
    "learning": "progress learning milp estimators exhaustive categorical_linkage",
    "masking": "progress masking categorical_masking new_masking kdtree estimators",
    "distances": "distances new_distance linkage categorical_linkage exhaustive kdtree",
    "compendium": "compendium scorecard sweep report project keys cli sixth_paper citation",
}
#: Modules left out, and why.
LEFT_OUT = {
    "risk/figures.py": "draws",
    "compendium/figures.py": "draws",
    "compendium/report.py": "tests read it in a browser, after a whole build",
    "compendium/console.py": "shows how far a build is",
    "compendium/compile.py": "compiles ahead of use; a fault in it takes time and changes nothing",
    "review/server.py": "starts a server, which tests that take a browser try",
    "review/widget.py": "hands the page's files to the browser",
}
PATIENCE, COMPILING = 30, 120  # seconds on top of ten times what a test takes
MEMORY = 10 * 2**30  # bytes
BROKEN = 70  # how a process ends that could not run pytest
WARM = """highspy hypothesis jinja2 matplotlib.pyplot multiprocessing.context numba numpy pandas
scipy.optimize scipy.spatial scipy.special scipy.stats concurrent.futures.process""".split()

#: What becomes of each operator.
OPERATORS = dict(
    pair.split(":")
    for pair in "<:<= <=:< >:>= >=:> ==:!= !=:== in:not~in not~in:in is:is~not is~not:is and:or "
    "or:and &:| |:& +:- -:+ *:/ /:* //:* %:* **:* @:* <<:>> >>:<<".split()
)
OPERATOR = re.compile(
    "|".join(map(re.escape, sorted(OPERATORS, reverse=True))).replace(r"\~", r"\s+")
)

#: Appended to these modules of the copies: it writes down which function runs under which test.
#: One of them is in every process that uses the package, and no test looks at their text.
WATCHING = "compendium/__init__.py", "cli.py"
TRACER = r"""
import os as _os
_seen = {}
def _trace(frame, event, argument):
    code = frame.f_code
    if id(code) not in _seen:
        _seen[id(code)] = code
        _, inside, path = code.co_filename.rpartition("/rlpaper/")
        if inside and "RLPAPER_TRACED" in _os.environ:
            with open(_os.environ["RLPAPER_TRACE"], "a") as log:
                log.write(f"{_os.environ['RLPAPER_TRACED']}\t{path}:{code.co_firstlineno}\n")
if "RLPAPER_TRACE" in _os.environ:
    import sys as _sys, threading as _threading
    if _sys.gettrace() is None:
        _sys.settrace(_trace)
        _threading.settrace(_trace)
"""


@dataclass(frozen=True)
class Mutant:
    """One place of a file, in bytes, and the text that takes its place."""

    file: str  # below rlpaper/
    source: bytes
    kind: str
    start: int
    end: int
    text: bytes
    scope: int | None  # first line of the function around it; None if that leaves no trace

    @property
    def mutated(self):
        return self.source[: self.start] + self.text + self.source[self.end :]

    @property
    def name(self):
        before = self.source[: self.start].split(b"\n")
        return f"{self.file}:{len(before)}:{len(before[-1])}:{self.kind}"

    @property
    def lines(self):
        """The line before and after."""
        line = self.source.count(b"\n", 0, self.start)
        return tuple(
            text.decode().split("\n")[line].strip() for text in (self.source, self.mutated)
        )


def mutants_of(file):
    """All mutants of a module, in the order of its text."""
    source = (ROOT / "rlpaper" / file).read_bytes()
    lines = [0, *itertools.accumulate(len(line) for line in source.splitlines(keepends=True))]
    found = []

    def span(node):
        start, end = lines[node.lineno - 1], lines[node.end_lineno - 1]
        return start + node.col_offset, end + node.end_col_offset

    def operators(kind, operands, scope):
        for left, right in itertools.pairwise(operands):
            start, end = span(left)[1], span(right)[0]
            gap = re.sub(r"#.*", lambda found: " " * len(found[0]), source[start:end].decode())
            sign = OPERATOR.search(gap)
            text = OPERATORS["~".join(sign[0].split())].replace("~", " ")
            place = start + sign.start(), start + sign.end()
            found.append(Mutant(file, source, kind, *place, text.encode(), scope))

    def visit(node, scope):
        def add(kind, node, text):
            found.append(Mutant(file, source, kind, *span(node), text.encode(), scope))

        match node:
            case ast.FunctionDef(decorator_list=decorators):
                first = min(each.lineno for each in [node, *decorators])
                scope = None if "compiled" in map(ast.unparse, decorators) else first
            case ast.JoinedStr() | ast.Expr(value=ast.Constant()):
                return  # what is shown, and docstrings
            case ast.If(test=ast.Name("TYPE_CHECKING")) | ast.Assign(targets=[ast.Name("__all__")]):
                return
            case ast.Assign(value=ast.Subscript() | ast.BinOp(op=ast.BitOr())) if scope is None:
                return  # the name of a type
            case ast.Call(func=ast.Name(name)) if re.search("(Error|Warning|cast|TypeVar)$", name):
                return
            case ast.Raise():
                return add("statement", node, "pass")
            case ast.Expr(value=ast.Call()) | ast.AugAssign():
                add("statement", node, "pass")
            case ast.Return(value=ast.expr() as value) if ast.unparse(value) != "None":
                add("return", value, "None")
            case ast.Compare():
                operators("comparison", [node.left, *node.comparators], scope)
            case ast.BoolOp():
                operators("boolean", node.values, scope)
            case ast.UnaryOp(op=ast.Not()):
                add("boolean", node, f"({ast.get_source_segment(source.decode(), node.operand)})")
            case ast.BinOp(op=ast.BitOr() | ast.BitAnd()):
                operators("boolean", [node.left, node.right], scope)
            case (
                ast.BinOp(ast.JoinedStr() | ast.Constant(str()))
                | ast.BinOp(right=ast.JoinedStr() | ast.Constant(str()))
            ):
                pass  # texts put together
            case ast.BinOp():
                operators("arithmetic", [node.left, node.right], scope)
            case ast.Constant(bool(value)):
                add("constant", node, str(not value))
            case ast.Constant(int(value) | float(value)):
                add("constant", node, str(value + 1))
            case ast.Constant(str(value)) if value and not re.search(r"\s", value):
                add("constant", node, repr(value + "X"))
        for name, field in ast.iter_fields(node):
            for child in field if isinstance(field, list) else [field]:
                if isinstance(child, ast.AST) and name not in ("annotation", "returns"):
                    visit(child, scope)

    visit(ast.parse(source), None)
    return sorted(found, key=lambda mutant: (mutant.start, mutant.end))


def drawn(package, seed):
    """All mutants of a package in an order by chance: each time a kind, then one of the kind."""
    rng, kinds = random.Random(seed), {}
    for path in sorted((ROOT / "rlpaper" / package).glob("*.py")):
        if f"{package}/{path.name}" not in LEFT_OUT:
            for mutant in mutants_of(f"{package}/{path.name}"):
                kinds.setdefault(mutant.kind, []).append(mutant)
    while kinds:
        kind = rng.choice(sorted(kinds))
        yield kinds[kind].pop(rng.randrange(len(kinds[kind])))
        if not kinds[kind]:
            del kinds[kind]


class Plugin:
    """What pytest is to do: run the given tests, each within its time, or note what tests call."""

    def __init__(self, limits=None):
        self.limits, self.seconds = limits, {}

    def pytest_sessionstart(self):
        settings.register_profile("mutation", phases=(Phase.explicit, Phase.generate))
        settings.load_profile("mutation")  # that of conftest.py, but no example is made smaller

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, items):
        if self.limits is None:
            items[:] = [item for item in items if not {"built", "browser"} & {*item.fixturenames}]
        else:
            found = {item.nodeid: item for item in items}
            items[:] = [found[name] for name in self.limits]

    def pytest_runtest_logstart(self, nodeid):
        if self.limits is not None:
            signal.alarm(self.limits[nodeid])  # nobody answers it, which ends the process
            return
        self.note(nodeid)
        for module in [module for name, module in sys.modules.items() if name[:8] == "rlpaper."]:
            for value in vars(module).values():  # what is remembered would not be called again
                getattr(value, "cache_clear", int)()

    def note(self, name):
        """From now on, what is called is noted under this name."""
        os.environ["RLPAPER_TRACED"] = name
        importlib.import_module("rlpaper.compendium")._seen.clear()

    @pytest.hookimpl(wrapper=True)
    def pytest_fixture_setup(self, fixturedef):
        if self.limits is None and fixturedef.scope != "function":  # for all tests of the file
            before = os.environ["RLPAPER_TRACED"]
            self.note(before.split("::")[0])
            value = yield
            self.note(before)
            return value
        return (yield)

    def pytest_runtest_logreport(self, report):
        took = report.duration if report.passed else float("-inf")
        self.seconds[report.nodeid] = self.seconds.get(report.nodeid, 0) + took


class Copies:
    """Copies of the project, and processes that run tests in them, one in each."""

    def __init__(self, folder, number):
        self.folder, self.free = folder, [*map(str, range(number))]
        command = [sys.executable, "-c", "from rlpaper._internal import jit; print(jit.FOLDER)"]
        compiled = Path(subprocess.check_output(command, cwd=ROOT, text=True).strip())
        if compiled.exists():
            shutil.copytree(compiled, folder / "numba" / "rlpaper" / compiled.name)
        ignored = shutil.ignore_patterns("__pycache__")
        for copy in [folder / name for name in self.free]:
            copy.mkdir()
            for path in ROOT.iterdir():
                if path.name in ("rlpaper", "tests"):
                    shutil.copytree(path, copy / path.name, ignore=ignored)
                elif path.name not in ("build", ".git", ".venv"):
                    (copy / path.name).symlink_to(path)
            for module in WATCHING:
                with (copy / "rlpaper" / module).open("a") as text:
                    text.write(TRACER)
        for name in WARM:
            importlib.import_module(name)

    def start(self, copy, tests, plugin, trace=None):
        """Start a process that runs tests in a copy; with `trace`, a file, note what they call."""
        if process := os.fork():
            return process
        code = BROKEN
        try:
            os.setsid()
            os.chdir(self.folder / copy)
            sys.path[0] = str(self.folder / copy)
            os.environ.update(PYTHONPATH=sys.path[0], NUMBA_CACHE_DIR=str(self.folder / "numba"))
            os.environ.update({"RLPAPER_TRACE": str(trace)} if trace else {})
            resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
            output = os.open(self.folder / f"{copy}.txt", os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
            os.dup2(output, 1), os.dup2(output, 2)
            signal.alarm(0 if trace else PATIENCE + COMPILING)  # for the imports
            words = ["-q" if trace else "-qx", "-p", "no:cacheprovider", "-p", "no:xdist"]
            words += [f"--basetemp={self.folder / copy}-files", *tests]
            code = int(pytest.main(words, plugins=[plugin]))
            if trace:
                trace.with_suffix(".json").write_text(json.dumps(plugin.seconds))
        finally:
            sys.stdout.flush()
            os._exit(code)

    def each(self, tasks, begin):
        """Yield every task, its copy, how it ended and what it said."""
        tasks, running = iter(tasks), {}
        try:
            while True:
                for task in itertools.islice(tasks, len(self.free)):
                    copy = self.free.pop()
                    running[begin(task, copy)] = task, copy
                if not running:
                    return
                process, status = os.wait()
                self.end(process)
                task, copy = running.pop(process)
                self.free.append(copy)
                said = (self.folder / f"{copy}.txt").read_text(errors="replace")
                yield task, copy, os.waitstatus_to_exitcode(status), said
        finally:
            for process in running:
                self.end(process)

    def end(self, process):
        with contextlib.suppress(ProcessLookupError):  # what the tests have left running
            os.killpg(process, signal.SIGKILL)


def measured(copies, files):
    """What each test takes, and what it calls: {test: [seconds, functions]}; all must pass."""
    code = [*sorted((ROOT / "rlpaper").rglob("*.py")), ROOT / "tests" / "conftest.py"]
    kept = {}
    for file in files:
        paths = [*code, ROOT / file] if file.endswith(".py") else code
        checksum = hashlib.sha256(b"".join(path.read_bytes() for path in paths)).hexdigest()
        kept[file] = KEPT / f"{Path(file).stem}-{checksum[:16]}.json"

    def trace(file):
        return copies.folder / f"{kept[file].stem}.trace"

    def begin(file, copy):
        return copies.start(copy, [file], Plugin(), trace(file))

    missing = [file for file in files if not kept[file].exists()]
    for file, _, code, said in copies.each(missing, begin):
        if code not in (0, 5):  # all passed, or there are none
            sys.exit(f"{said}\n{file} fails as it stands.")
        calls = {}
        for line in trace(file).read_text().splitlines() if trace(file).exists() else ():
            test, function = line.split("\t")
            calls.setdefault(test, set()).add(function)
        found = {
            test: [took, sorted(calls.get(test, set()) | calls.get(test.split("::")[0], set()))]
            for test, took in json.loads(trace(file).with_suffix(".json").read_text()).items()
            if took >= 0
        }
        KEPT.mkdir(parents=True, exist_ok=True)
        kept[file].write_text(json.dumps(found))
    return {k: v for path in kept.values() for k, v in json.loads(path.read_text()).items()}


def importers(file):
    """Yield the modules that import a module, going by its name."""
    for path in sorted((ROOT / "rlpaper").rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_bytes())):
            if isinstance(node, ast.ImportFrom):
                names = [(node.module or "").split(".")[-1], *(each.name for each in node.names)]
                if Path(file).stem in names:
                    yield path.relative_to(ROOT / "rlpaper").as_posix()


def limits(mutant, tests):
    """The tests that may notice a mutant, quick ones first, and the seconds that each may take."""
    function = f"{mutant.file}:{mutant.scope}"
    chosen = [test for test, (_, calls) in tests.items() if function in calls]
    if not chosen:
        near = {mutant.file, *importers(mutant.file)}
        chosen = [
            test
            for test, (_, calls) in tests.items()
            if not calls or near & {call.split(":")[0] for call in calls}  # or looks at constants
        ]
    ordered = sorted(chosen or tests, key=lambda test: math.ceil(math.log2(1 + tests[test][0])))
    more = PATIENCE + COMPILING * (mutant.scope is None)
    return {test: int(10 * tests[test][0] + more) for test in ordered}


def main():
    parser = argparse.ArgumentParser(description="Do the tests notice random faults?")
    parser.add_argument("package", choices=TESTS)
    parser.add_argument("--mutants", type=int, default=60)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=2, help="mutants at a time")
    parser.add_argument("--only", nargs="+", metavar="ID", help="run these mutants and no others")
    options, start = parser.parse_args(), time.monotonic()
    mutants = list(drawn(options.package, options.seed))
    listed = tomllib.loads((ROOT / "tests" / "mutation_equivalents.toml").read_text())
    equivalent = {(each["file"], each["before"], each["after"]) for each in listed["equivalent"]}
    chosen = [each for each in mutants if (each.file, *each.lines) not in equivalent]
    chosen = chosen[: options.mutants]
    aside = mutants.index(chosen[-1]) + 1 - len(chosen)
    if options.only:
        chosen = [each for each in mutants if each.name in options.only]
    survivors, late, ages = 0, 0, itertools.count(10**9)
    with tempfile.TemporaryDirectory() as folder:
        copies = Copies(Path(folder), options.jobs)
        files = [f"tests/test_{name}.py" for name in TESTS[options.package].split()]
        tests = measured(copies, [*files, f"rlpaper/{options.package}"])

        def write(mutant, copy, text):
            path, age = copies.folder / copy / "rlpaper" / mutant.file, next(ages)
            path.write_bytes(text)
            os.utime(path, (age, age))  # so Python does not take what it compiled of another text

        def begin(mutant, copy):
            write(mutant, copy, mutant.mutated)
            chosen = limits(mutant, tests)
            return copies.start(
                copy, sorted({test.split("::")[0] for test in chosen}), Plugin(chosen)
            )

        for mutant, copy, code, said in copies.each(chosen, begin):
            write(mutant, copy, mutant.source)
            if code == BROKEN:
                sys.exit(f"{said}\npytest could not be run for {mutant.name}.")
            late += code == -signal.SIGALRM
            if code in (0, 5):
                survivors += 1
                print(f"{mutant.name} survived", *mutant.lines, sep="\n    ", flush=True)
    caught = len(chosen) - survivors
    print(
        f"{options.package}: caught {caught} of {len(chosen)} "
        f"({100 * caught // len(chosen)} percent), seed {options.seed}, {late} as they took too "
        f"long, {aside} equivalent set aside; {(time.monotonic() - start) / 60:.0f} minutes"
    )


if __name__ == "__main__":
    main()
