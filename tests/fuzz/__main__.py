"""Call the public functions of the library with whatever a seed draws, and see that none breaks.

    PYTHONPATH=tests python -m fuzz [--calls 10000] [--seed 1] [--only linkage] [--call NUMBER]

A call goes through or is refused: by a ValueError that the package itself raises at its door,
before it computes, and that names a column, a record, a file or an option. Anything else is a
fault: another error, an error from within numpy or from a compiled or private module, a warning
about numbers, a crash of the interpreter, a call that does not end. A fault is printed with the
line that repeats it.
"""

import argparse
import faulthandler
import os
import re
import resource
import subprocess
import sys
import tempfile
import traceback
import warnings
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from .draws import Draw

PROCESSES = 10
LIMIT_SECONDS = 120  # for one call, the first of which may compile
LIMIT_BYTES = 8 << 30
MAX_FAULTS = 5  # shown of each process
#: Private modules that are doors all the same.
DOORS = ("_internal/validation.py", "_internal/estimator.py", "_internal/extras.py")
ROOT = Path(__file__).resolve().parents[2] / "rlpaper"
PLAIN_WORDS = re.compile(r"\b(column|record|file|index|option)s?\b")


def main() -> int:
    """Run the calls in several processes; return 1 if one of them found a fault."""
    parser = argparse.ArgumentParser(prog="fuzz", description=__doc__.splitlines()[0])
    parser.add_argument("--calls", type=int, default=PROCESSES * 1000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", default="", help="what the names of the functions begin with")
    parser.add_argument("--call", type=int, help="repeat one call, by its number")
    parser.add_argument("--part", type=int, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.call is not None:
        return _run(options.seed, [options.call], options.only, sys.stderr)
    if options.part is not None:
        numbers = range(options.part, options.calls, PROCESSES)
        with open(os.environ["FUZZ_AT"], "w") as at:
            return _run(options.seed, numbers, options.only, at)
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        codes = list(pool.map(lambda part: _part(options, part), range(PROCESSES)))
    print(f"{options.calls} calls, seed {options.seed}: {sum(codes)} processes found a fault")
    return int(any(codes))


def _part(options: argparse.Namespace, part: int) -> int:
    """Run every tenth call in a process of its own; say which call it did not survive."""
    with tempfile.TemporaryDirectory() as folder:
        at = Path(folder) / "at"
        run = subprocess.run(
            [
                *(sys.executable, "-X", "faulthandler", "-m", "fuzz", "--part", str(part)),
                *("--calls", str(options.calls), "--seed", str(options.seed)),
                *("--only", options.only),
            ],
            env={**os.environ, "FUZZ_AT": str(at)},
            capture_output=True,
            text=True,
            errors="backslashreplace",
        )
        print(run.stdout, end="", flush=True)
        if run.returncode not in (0, 1):
            last = int(at.read_text().split()[-1])
            print(f"ended by signal or time in this call\n{_repeat(options.seed, last)}")
            print(run.stderr[-4000:], flush=True)
    return int(run.returncode != 0)


def _run(seed: int, numbers, only: str, at) -> int:
    """Make calls one after the other; `at` is told each before it is made."""
    from .calls import CALLS

    _limit_memory()
    warnings.simplefilter("ignore")
    warnings.simplefilter("error", RuntimeWarning)
    weighted = [call for call in CALLS if call.name.startswith(only) for _ in range(call.weight)]
    ended: Counter[str] = Counter()
    faults = 0
    for number in numbers:
        at.write(f"{number}\n")
        at.flush()
        faulthandler.dump_traceback_later(LIMIT_SECONDS, exit=True)
        draw = Draw(seed, number)
        call = draw.pick(weighted)
        fault = None
        try:
            call.make(draw)
            ended["went through"] += 1
        except Exception as error:
            fault = _fault(error, draw, call.errors)
            ended["refused" if fault is None else "faults"] += 1
        if fault is not None:
            faults += 1
            if faults <= MAX_FAULTS:
                print(f"{call.name}: {fault}\n{_repeat(seed, number, only)}\n", flush=True)
        elif at is sys.stderr:
            print(f"{call.name}: no fault")
    faulthandler.cancel_dump_traceback_later()
    print(", ".join(f"{count} {how}" for how, count in sorted(ended.items())), flush=True)
    return int(faults > 0)


def _fault(error: Exception, draw: Draw, documented: tuple[type[Exception], ...]) -> str | None:
    """Say what is wrong with an error, or nothing if it is one that a user can act on."""
    last = traceback.extract_tb(error.__traceback__)[-1]
    path = Path(last.filename)
    shown = "".join(traceback.format_exception(error)[-12:])
    if not isinstance(error, (ValueError, *documented)):
        return f"not a documented error\n{shown}"
    if not path.is_relative_to(ROOT):
        return f"an error from outside of the package\n{shown}"
    inside = path.relative_to(ROOT).as_posix()
    if inside not in DOORS and any(_is_private(part) for part in Path(inside).parts):
        return f"an error of an inner function\n{shown}"
    if (
        not isinstance(error, documented)
        and not PLAIN_WORDS.search(str(error))
        and not _names(str(error), draw)
    ):
        return f"an error that names no column, record, file or option\n{shown}"
    return None


def _is_private(part: str) -> bool:
    return part.startswith("_") and part != "__init__.py"


def _names(message: str, draw: Draw) -> bool:
    from .calls import OPTIONS

    words = set(re.findall(r"\w+", message))
    return bool(words & OPTIONS) or any(label in message for label in draw.labels)


def _repeat(seed: int, number: int, only: str = "") -> str:
    chosen = f" --only {only}" if only else ""
    return f"repeat: PYTHONPATH=tests python -m fuzz --seed {seed} --call {number}{chosen}"


def _limit_memory() -> None:
    resource.setrlimit(resource.RLIMIT_AS, (LIMIT_BYTES, LIMIT_BYTES))


if __name__ == "__main__":
    sys.exit(main())
