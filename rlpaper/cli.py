"""The command `rlpaper`: its words, its help, and how mistakes are told."""

import argparse
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, NoReturn

from . import __version__, _commands
from ._commands import CommandError

#: What a subcommand does with its options; it returns the exit code.
Run = Callable[[argparse.Namespace], int]

#: What installs the packages that a subcommand needs beyond those of the library.
EXTRAS = {"build": "papers", "verify": "papers", "course": "papers", "review": "review"}


def main(words: list[str] | None = None) -> int:
    """Run the command.

    Parameters
    ----------
    words : list of str, optional
        The words after ``rlpaper``; those of the command line if left out.

    Returns
    -------
    int
        The exit code: 0, 1 for a result that is not good, 2 for a mistake.
    """
    options = _parser().parse_args(words)
    try:
        return options.run(options)
    except CommandError as error:
        message = " ".join(str(error).split())
    except ModuleNotFoundError as error:
        package = (error.name or "").split(".")[0]
        if package in ("", "rlpaper") or package in sys.stdlib_module_names:
            raise
        extra = EXTRAS.get(options.command)
        name = f'"rlpaper[{extra}]"' if extra else "rlpaper"
        message = (
            f"rlpaper {options.command} needs {package}, which is not installed: pip install {name}"
        )
    except KeyboardInterrupt:
        return 130
    print(message, file=sys.stderr)
    return 2


class _Parser(argparse.ArgumentParser):
    """A parser whose help ends with an example, and that tells a mistake in one sentence."""

    def __init__(self, *, example: str, **options: Any) -> None:
        super().__init__(
            formatter_class=argparse.RawDescriptionHelpFormatter,
            epilog=f"example:\n  {example}",
            allow_abbrev=False,
            **options,
        )
        self.example = example.splitlines()[0]

    def error(self, message: str) -> NoReturn:
        self.exit(2, f"{self.prog}: {message}; write, say, {self.example}\n")


def _whole(text: str) -> int:
    if not text.isascii() or not text.isdigit():
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number, 0 or more")
    return int(text)


def _positive(text: str) -> int:
    if _whole(text) == 0:
        raise argparse.ArgumentTypeError("it takes one process at least")
    return int(text)


def _parser() -> _Parser:
    parser = _Parser(
        prog="rlpaper",
        description="Record linkage for disclosure-risk assessment.",
        example="rlpaper assess before.csv after.csv",
    )
    parser.add_argument("--version", action="version", version=f"rlpaper {__version__}")
    commands = _group(parser, dest="command")
    _assess_options(
        _add(
            commands,
            "assess",
            _commands.assess,
            "measure the risk of a masked file; write a page, tables and figures",
            "rlpaper assess before.csv after.csv --key id --types 'grade=low<middle<high'",
        )
    )
    _build_options(
        _add(
            commands,
            "build",
            _commands.build,
            "rerun the notebooks that changed, and write the report",
            "rlpaper build --profile quick --paper torra2008",
        )
    )
    _add(
        commands,
        "verify",
        _commands.verify,
        "say file by file whether figures/ is what was committed",
        "rlpaper verify",
    )
    _add(
        commands,
        "course",
        _commands.course,
        "run the lessons with their exercises solved, as pages for the teacher",
        "rlpaper course",
    )
    review = _add(
        commands,
        "review",
        None,
        "review pairs of records under a privacy budget",
        "rlpaper review serve my-project",
    )
    _review_options(_group(review))
    data = _add(
        commands,
        "data",
        _commands.data,
        "list the data sets, or describe one",
        "rlpaper data census",
    )
    data.add_argument("name", metavar="NAME", nargs="?", help="a data set, to list its variables")
    return parser


def _group(parser: argparse.ArgumentParser, **options: Any) -> Any:
    """Open commands below a command; without one of them, the help says which there are."""

    def tell(options: argparse.Namespace) -> int:
        parser.print_help(sys.stderr)
        return 2

    parser.set_defaults(run=tell)
    return parser.add_subparsers(metavar="COMMAND", title="commands", **options)


def _add(
    group: Any, name: str, run: Run | None, text: str, example: str
) -> argparse.ArgumentParser:
    part = group.add_parser(
        name, help=text, description=f"{text[0].upper()}{text[1:]}.", example=example
    )
    part.set_defaults(run=run)
    return part


def _assess_options(part: argparse.ArgumentParser) -> None:
    part.add_argument("original", metavar="ORIGINAL", type=Path, help="CSV file before masking")
    part.add_argument("masked", metavar="MASKED", type=Path, help="CSV file after masking")
    part.add_argument(
        "--key",
        metavar="COLUMN",
        help="column that says who is who; without one, the order of the records does",
    )
    part.add_argument(
        "--types",
        action="append",
        default=[],
        help="types of columns where what is inferred is not right: "
        "age=number,sex=nominal,grade=low<middle<high",
    )
    part.add_argument(
        "--out",
        metavar="FOLDER",
        type=Path,
        help="folder for the report; default assess-<name of the masked file>",
    )
    part.add_argument(
        "--aligned",
        action="store_true",
        help="trust the order even if no variable shows that it is right",
    )
    part.add_argument(
        "--values", action="store_true", help="show original values of the records most at risk"
    )
    part.add_argument(
        "--seed", metavar="N", type=_whole, default=1, help="same seed, same report; default 1"
    )


def _build_options(part: argparse.ArgumentParser) -> None:
    part.add_argument(
        "--profile",
        choices=("full", "quick"),
        default="full",
        help="full: the papers' protocol; quick: few executions",
    )
    part.add_argument("--paper", metavar="P", help="only the notebooks of this paper")
    part.add_argument(
        "--only",
        metavar="PREFIX",
        default="",
        help="only the notebooks whose names begin with this, such as 61",
    )
    part.add_argument(
        "--jobs",
        metavar="N",
        type=_positive,
        help="processes that compute; default the variable RLPAPER_WORKERS or all cores",
    )
    part.add_argument(
        "--seed", metavar="N", type=_whole, default=1, help="same seed, same tables; default 1"
    )


def _review_options(group: Any) -> None:
    serve = _add(
        group,
        "serve",
        _commands.serve,
        "serve a project to its reviewers, with a link for each",
        "rlpaper review serve my-project --port 8866",
    )
    serve.add_argument(
        "folder",
        metavar="FOLDER",
        nargs="?",
        type=Path,
        help="of a project that rlpaper.review.create has made; an example if left out",
    )
    serve.add_argument("--port", metavar="N", type=_whole, default=8866, help="default 8866")
    serve.add_argument(
        "--ip",
        default="127.0.0.1",
        help="0.0.0.0 to let other machines in; put a proxy with HTTPS before it, as the links are "
        "secrets",
    )
    audit = _add(
        group,
        "audit",
        _commands.audit,
        "say whether a project is what its log says; exit code 1 if it is not",
        "rlpaper review audit my-project",
    )
    audit.add_argument("folder", metavar="FOLDER", type=Path, help="of the project")
    audit.add_argument(
        "--head", metavar="HASH", help="hash that an earlier audit printed: it has to be in the log"
    )
