"""What the subcommands of `rlpaper` do; each imports what it needs, so that help comes at once.

Each takes the options of the command line and returns the exit code: 0, or 1 for a result that is
not good. Mistakes of the user are raised as `CommandError`.
"""

import os
import sys
import time
from argparse import Namespace
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pandas import DataFrame

REVIEW_EXAMPLE = Path("build/review-example")


class CommandError(Exception):
    """What the user has to put right, in one sentence."""


def assess(options: Namespace) -> int:
    """Assess a masked file: a page, tables and figures in a folder."""
    start = time.monotonic()
    types = parse_types(",".join(options.types))
    out = options.out or Path(f"assess-{options.masked.stem}")
    _check_folder(out)
    _need("jinja2", "matplotlib", "numba")
    # What is wrong with the files is found before anything is imported that takes long.
    from .risk.files import FilesError, check_path

    try:
        check_path(options.original, "original")
        check_path(options.masked, "masked")
        from .risk.pair import prepare

        pair = prepare(options.original, options.masked, options.key, types, options.aligned)
    except FilesError as error:
        raise CommandError(error) from None
    import matplotlib

    matplotlib.use("Agg")  # files are drawn, no window
    from ._internal import jit
    from .compendium.console import duration
    from .risk.assessment import assess_pair
    from .risk.measures import MEASURES
    from .risk.report import write_folder

    _check_tables(out, [f"{measure.name}.csv" for measure in MEASURES], options)
    if not jit.is_kept("rlpaper.learning._boxes"):
        print("Compiling, once for each machine and version: half a minute", file=sys.stderr)
    assessment = assess_pair(pair, random_state=options.seed)
    try:
        page = write_folder(assessment, out, options.values)
    except OSError as error:
        raise CommandError(f"the report cannot be written to {out}: {error}") from None
    print("\n".join(assessment.summary()))
    print(f"\nReport: {page}\nTables: {out}/*.csv\n{duration(time.monotonic() - start)}")
    return 0


def parse_types(text: str) -> dict[str, str | list[str]]:
    """Read the types of columns from the command line.

    Examples
    --------
    >>> parse_types("age=number, grade=low<middle<high")
    {'age': 'number', 'grade': ['low', 'middle', 'high']}
    """
    types: dict[str, str | list[str]] = {}
    for part in filter(None, (part.strip() for part in text.split(","))):
        name, found, kind = part.partition("=")
        levels = [level.strip() for level in kind.split("<")]
        if not found or not name.strip() or not all(levels):
            raise CommandError(
                f"--types has {part!r}; write name=type, as in age=number,grade=low<middle<high"
            )
        if name.strip() in types:
            raise CommandError(f"--types names {name.strip()} twice; give it one type")
        types[name.strip()] = levels if len(levels) > 1 else levels[0]
    return types


def _check_folder(out: Path) -> None:
    """Refuse a folder that cannot be written."""
    there = next(path for path in (out, *out.absolute().parents) if path.exists())
    if not there.is_dir():
        raise CommandError(f"{there} is a file; name a folder for the report with --out")
    if not os.access(there, os.W_OK | os.X_OK):
        raise CommandError(
            f"{there} cannot be written; name another folder for the report with --out"
        )


def _check_tables(out: Path, tables: list[str], options: Namespace) -> None:
    """Refuse a folder where a table would replace one of the files."""
    written = {out.resolve() / name for name in ("summary.txt", *tables)}
    for file in (options.original, options.masked):
        if file.resolve() in written:
            raise CommandError(
                f"a table of the report would take the place of {file}; "
                "name another folder with --out"
            )


def build(options: Namespace) -> int:
    """Rerun the notebooks that changed, and write the report."""
    _checkout()
    _need("papermill", "nbconvert", "ipykernel")
    jobs = options.jobs or _workers() or os.cpu_count() or 1
    from .compendium.published import papers

    if options.paper is not None and options.paper not in papers():
        raise CommandError(
            f"there is no paper {options.paper!r}; choose one of {', '.join(papers())}"
        )
    from .compendium.build import build

    return build(options.profile, options.paper, options.only, jobs, options.seed)


def _workers() -> int:
    try:
        return int(os.environ.get("RLPAPER_WORKERS", 0))
    except ValueError:
        raise CommandError(
            "the variable RLPAPER_WORKERS is not a whole number; correct it"
        ) from None


def verify(options: Namespace) -> int:
    """Say file by file whether figures/ is what was committed."""
    root = _checkout()
    from .compendium import verify

    result = verify.compare(root)
    for name in result.same:
        print(f"same       {name}")
    for name in result.left_out:
        print(f"left out   {name}")
    for name, how in result.different.items():
        print(f"DIFFERENT  {name}: {how}")
    for change in result.verdicts:
        print(f"verdict    {change}")
    print(result.sentence)
    return 1 if result.different else 0


def course(options: Namespace) -> int:
    """Run the lessons with their exercises solved."""
    _checkout()
    _need("papermill", "nbconvert", "ipykernel")
    from .course.lessons import run_all

    failed = False
    for lesson, seconds, error in run_all():
        said = f"FAILED. {error}" if error else f"done in {seconds:.0f} s"
        print(f"{lesson.name}: {said}", flush=True)
        failed = failed or error is not None
    print("\nPages: build/course")
    return int(failed)


def serve(options: Namespace) -> int:
    """Serve a review project, or an example if none is named."""
    _need("voila")
    import logging
    import signal

    from .review.server import serve

    logging.basicConfig(level=logging.INFO, format="%(message)s")
    folder = options.folder
    if folder is None:
        from .examples import persons

        folder = REVIEW_EXAMPLE
        if not folder.exists():
            try:
                persons(folder).close()
            except (OSError, ValueError) as error:
                raise CommandError(f"{error}; or name a project to serve") from None
        logging.info("No project is named, so this is an example, kept in %s.", folder)
    # So that the server ends with this command.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    try:
        return serve(folder, options.port, options.ip)
    except (OSError, ValueError) as error:
        raise CommandError(error) from None


def audit(options: Namespace) -> int:
    """Hold a review project against its log."""
    from . import review

    try:
        head = review.audit(options.folder, options.head)
    except OSError as error:
        raise CommandError(error) from None
    except review.TamperedError as error:
        print(f"{options.folder} is not what its log says: {error}")
        return 1
    print(f"{options.folder} is what its log says. The last entry has the hash\n{head}")
    return 0


def data(options: Namespace) -> int:
    """List the data sets, or describe one."""
    from . import datasets

    try:
        if options.name is None:
            _list_data()
        else:
            _describe_data(datasets.load(options.name))
    except datasets.DatasetError as error:
        raise CommandError(error) from None
    return 0


def _list_data() -> None:
    from . import datasets

    survey = datasets.load("ahs")  # the user's own copy, or records made up in its place
    rows = [("name", "records", "columns", "licence", "source")]
    rows += datasets.catalogue()[["rows", "columns", "licence", "source"]].itertuples()
    rows += [("ahs", *survey.shape, survey.attrs["licence"], survey.attrs["source"])]
    texts = [[str(cell) for cell in row] for row in rows]
    widths = [max(map(len, column)) for column in zip(*texts, strict=True)]
    for name, records, columns, licence, source in texts:
        numbers = f"{records:>{widths[1]}}  {columns:>{widths[2]}}"
        print(f"{name:<{widths[0]}}  {numbers}  {licence:<{widths[3]}}  {source}")


def _describe_data(frame: "DataFrame") -> None:
    facts = {key: frame.attrs[key] for key in ("title", "source", "licence", "citation")}
    facts |= {"records": len(frame), "columns": frame.shape[1]}
    for name, fact in facts.items():
        print(f"{name + ':':<10}{fact}")
    for variable, name in frame.attrs["variables"].items():
        column = frame[name]
        if column.dtype == "category":
            number = len(column.cat.categories)
            kind = f"{'ordinal' if column.cat.ordered else 'nominal'}, {number} categories"
        else:
            kind = "number" if column.dtype.kind in "iuf" else "text"
        print(f"{variable:>5}  {name} ({kind})")
    print(f'\nIn Python: rlpaper.datasets.load("{frame.attrs["name"]}")')


def _checkout() -> Path:
    """Return the checkout that this is run in; outside of one it is a mistake."""
    from .compendium.paths import NoCheckout, checkout

    try:
        return checkout()
    except NoCheckout as error:
        raise CommandError(error) from None


def _need(*packages: str) -> None:
    """Tell now that a package is missing which is used later, or in another process."""
    for name in packages:
        if find_spec(name) is None:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)
