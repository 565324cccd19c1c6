"""The command behind `make assess`: notebooks/assess.ipynb on somebody's own pair of files, as a page and as tables."""

import argparse
import json
import sys
import time
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

import papermill
from tqdm import tqdm

from . import fingerprints
from .console import duration
from .notebooks import run

NOTEBOOK = fingerprints.ROOT / "notebooks" / "assess.ipynb"


def main(words=None):
    parser = argparse.ArgumentParser(
        prog="make assess", description="Assess the risk of a masked file."
    )
    parser.add_argument("--original", type=Path, help="CSV file before masking")
    parser.add_argument("--masked", type=Path, help="CSV file after masking")
    parser.add_argument(
        "--key", help="column that says who is who; without one, the order of the records does"
    )
    parser.add_argument(
        "--types", default="", help="types of columns: age=number,sex=nominal,grade=low<middle<high"
    )
    parser.add_argument(
        "--out",
        type=Path,
        help="folder for the report; default build/assess/<name of the masked file>",
    )
    parser.add_argument(
        "--aligned",
        action="store_true",
        help="trust the order even if no variable shows that it is right",
    )
    parser.add_argument(
        "--values", action="store_true", help="show original values of the records most at risk"
    )
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args(words)
    if options.original is None or options.masked is None:
        print(
            "Name two CSV files: make assess ORIGINAL=before.csv MASKED=after.csv [KEY=column] [OUT=folder]",
            file=sys.stderr,
        )
        return 2
    out = options.out or fingerprints.ROOT / "build" / "assess" / options.masked.stem
    if out.exists() and not out.is_dir():
        print(f"{out} is a file; name a folder for the report with OUT=", file=sys.stderr)
        return 2
    try:
        types = parse_types(options.types)
    except ValueError as error:
        print(error, file=sys.stderr)
        return 2
    out.mkdir(parents=True, exist_ok=True)
    parameters = {
        "original": str(options.original.resolve()),
        "masked": str(options.masked.resolve()),
        "key": options.key,
        "types": types,
        "aligned": options.aligned,
        "values": options.values,
        "seed": options.seed,
        "out": str(out.resolve()),
    }
    return _write(out, parameters)


def parse_types(text):
    """Types of columns from the command line.

    Examples
    --------
    >>> parse_types("age=number, grade=low<middle<high")
    {'age': 'number', 'grade': ['low', 'middle', 'high']}
    """
    types = {}
    for part in filter(None, (part.strip() for part in text.split(","))):
        name, found, kind = part.partition("=")
        if not found or not name.strip() or not kind.strip():
            raise ValueError(
                f"TYPES has {part!r}; write name=type, as in age=number,grade=low<middle<high"
            )
        types[name.strip()] = (
            [level.strip() for level in kind.split("<")] if "<" in kind else kind.strip()
        )
    return types


def _write(out, parameters):
    """Run the notebook and write the page; the exit code."""
    start = time.monotonic()
    build = fingerprints.ROOT / "build" / "assess"
    build.mkdir(parents=True, exist_ok=True)
    progress, log = build / ".progress", build / ".log"
    progress.unlink(missing_ok=True)
    with ProcessPoolExecutor(1, get_context("spawn")) as pool:
        task = pool.submit(_run, out / "report.ipynb", parameters, progress, log)
        _show(task, progress)
        fault = task.result()
    if fault is not None:
        name, message, trace = fault
        # What is wrong with the files is a sentence; anything else is a fault of this program, with all that is known.
        print(message if name == "FilesError" else trace, file=sys.stderr)
        return 2 if name == "FilesError" else 1
    from .report import notebook_page

    page = out / "report.html"
    page.write_text(
        notebook_page(out / "report.ipynb", "Risk of a masked file", back=None, code=False)
    )
    print((out / "summary.txt").read_text())
    print(f"Report: {page}\nTables: {out}/*.csv\n{duration(time.monotonic() - start)}")
    return 0


def _run(output, parameters, progress, log):
    try:
        run(NOTEBOOK, output, parameters, progress, log)
    except papermill.PapermillExecutionError as error:
        return error.ename, error.evalue, "\n".join(error.traceback)
    return None


def _show(task, progress):
    """A bar of what the notebook says of its progress, until it is done."""
    with tqdm(
        total=1,
        desc="starting",
        bar_format="{desc} {bar} {percentage:3.0f}% {elapsed}",
        mininterval=0,
    ) as bar:
        while not task.done():
            if progress.exists():
                state = json.loads(progress.read_text())
                bar.total, bar.n = state["total"], state["done"]
                bar.set_description_str(f"{state['name']:<40}", refresh=False)
            bar.refresh()
            time.sleep(0.3)
        bar.n = bar.total
        bar.set_description_str(f"{'done':<40}")


if __name__ == "__main__":
    sys.exit(main())
