"""The command behind `make review`: serve a project, or an example if none is named."""

import argparse
import logging
import signal
import sys
from pathlib import Path

from .examples import persons
from .server import serve

EXAMPLE = Path("build/review-example")


def main():
    parser = argparse.ArgumentParser(
        prog="make review", description="Serve a review project to its reviewers."
    )
    parser.add_argument(
        "folder",
        nargs="?",
        type=Path,
        help="of a project that rlpaper.review.create has made; an example if left out",
    )
    parser.add_argument("--port", type=int, default=8866)
    parser.add_argument(
        "--ip",
        default="127.0.0.1",
        help="0.0.0.0 to let other machines in; put a proxy with HTTPS before it, as the links are secrets",
    )
    words = parser.parse_args()
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    if words.folder is None:
        words.folder = EXAMPLE
        if not EXAMPLE.exists():
            persons(EXAMPLE).close()
        logging.info("No PROJECT= is named, so this is an example, kept in %s.", EXAMPLE)
    signal.signal(
        signal.SIGTERM, lambda *_: sys.exit(0)
    )  # so that the server ends with this command
    try:
        return serve(words.folder, words.port, words.ip)
    except OSError as error:
        logging.error("%s", error)
        return 1


if __name__ == "__main__":
    sys.exit(main())
