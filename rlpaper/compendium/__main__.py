"""Command line of the compendium; the Makefile calls it."""

import argparse
import os
import sys

from .build import PROFILES, build
from .published import papers


def main():
    parser = argparse.ArgumentParser(
        prog="python -m rlpaper.compendium", description=build.__doc__.splitlines()[0]
    )
    parser.add_argument(
        "--profile",
        choices=PROFILES,
        default="full",
        help="full: the papers' protocol; quick: few executions",
    )
    parser.add_argument("--paper", choices=list(papers()), help="only the notebooks of this paper")
    parser.add_argument(
        "--only", default="", help="only the notebooks whose names begin with this, such as 61"
    )
    parser.add_argument(
        "--jobs",
        type=int,
        default=int(os.environ.get("RLPAPER_WORKERS", 0)) or os.cpu_count(),
        help="processes that compute; default the environment variable RLPAPER_WORKERS or all cores",
    )
    parser.add_argument("--seed", type=int, default=1, help="same seed, same tables")
    arguments = parser.parse_args()
    sys.exit(build(**vars(arguments)))


if __name__ == "__main__":
    main()
