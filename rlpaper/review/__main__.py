"""The command behind `make review`: serve a project, or an example if none is named."""

import argparse
import logging
import sys
from pathlib import Path

from .. import datasets
from . import block, create
from .serve import serve

EXAMPLE = Path("build/review-example")


def main():
    parser = argparse.ArgumentParser(prog="make review", description="Serve a review project to its reviewers.")
    parser.add_argument("folder", nargs="?", type=Path, help="of a project that rlpaper.review.create has made; an example if left out")
    parser.add_argument("--port", type=int, default=8866)
    parser.add_argument("--ip", default="127.0.0.1", help="0.0.0.0 to let other machines in")
    words = parser.parse_args()
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    if words.folder is None:
        words.folder = EXAMPLE
        if not EXAMPLE.exists():
            example(EXAMPLE).close()
        logging.info("No PROJECT= is named, so this is an example, kept in %s.", EXAMPLE)
    try:
        return serve(words.folder, words.port, words.ip)
    except OSError as error:
        logging.error("%s", error)
        return 1


def example(folder):
    """A project for two reviewers: persons of RLdata500 that agree on a part of the name and of the birth date."""
    persons = datasets.load("rldata500")
    born = persons["by"].astype(str) + "-" + persons["bm"].astype(str).str.zfill(2) + "-" + persons["bd"].astype(str).str.zfill(2)
    file = persons.assign(born=born, record=persons.index).rename(columns={"fname_c1": "first name", "lname_c1": "last name"})
    pairs = block(file, on=[("last name", "by"), ("first name", "born"), ("first name", "last name")])
    return create(folder, file, identifiers={"first name": "name", "last name": "name"}, quasi_identifiers={"born": "date"},
                  sensitive=["record"], pairs=pairs, budget="1/20", reviewers={"ann": "1/2", "bob": "1/2"}, reviewers_per_pair=2,
                  swaps=[("first name", "last name")])


if __name__ == "__main__":
    sys.exit(main())
