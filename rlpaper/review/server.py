"""The reviewer's page for colleagues who must not have a kernel, served by Voila.

Voila runs a notebook of one cell, keeps the kernel on this side and passes on the messages of
widgets only: a page that asks to execute code is not heard. Each reviewer has a link with a token
of their own.
"""

import hmac
import json
import logging
import os
import socket
import subprocess
import sys
import tempfile
from contextlib import closing
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs

from .._internal.extras import needed
from .._internal.validation import check_number, shown
from .auditing import token_hash
from .project import Project

log = logging.getLogger(__name__)

#: Where the kernel of a page finds the project.
VARIABLE = "RLPAPER_REVIEW"

_NOTEBOOK = {
    "cells": [
        {
            "cell_type": "code",
            "id": "page",
            "execution_count": None,
            "metadata": {},
            "outputs": [],
            "source": "from rlpaper.review.server import page\npage()",
        }
    ],
    "metadata": {
        "kernelspec": {"name": "python3", "display_name": "rlpaper", "language": "python"},
        "title": "Review",
    },
    "nbformat": 4,
    "nbformat_minor": 5,
}


def serve(folder: str | Path, port: int = 8866, ip: str = "127.0.0.1") -> int:
    """Serve a project until interrupted; the log names a link for each reviewer.

    Earlier links no longer work.
    """
    check_number("port", port, "a whole number from 1 to 65535", 1, 65535, whole=True)
    with closing(Project(folder)) as project:
        _check_free(ip, port)
        tokens = project.issue_tokens()
    # The folder that is served holds the page and nothing else.
    with tempfile.TemporaryDirectory() as served:
        path = Path(served) / "review.ipynb"
        path.write_text(json.dumps(_NOTEBOOK))
        for name, token in tokens.items():
            log.info("%s: http://%s:%d/?reviewer=%s", name, ip, port, token)
        log.info("Give each reviewer their link; Ctrl-C ends it.")
        voila = subprocess.Popen(
            [
                sys.executable,
                "-m",
                "voila",
                str(path),
                "--no-browser",
                f"--port={port}",
                f"--Voila.ip={ip}",
                "--Voila.log_level=WARN",
                "--VoilaConfiguration.show_tracebacks=False",
                "--MappingKernelManager.cull_idle_timeout=600",
                "--MappingKernelManager.cull_interval=60",
            ],
            env={**os.environ, VARIABLE: str(Path(folder).resolve())},
        )
        try:
            return voila.wait()
        except KeyboardInterrupt:
            return 0
        finally:
            voila.terminate()
            voila.wait()


def _check_free(ip: str, port: int) -> None:
    with socket.socket() as probe:
        try:
            taken = probe.connect_ex((ip, port)) == 0
        except (OSError, UnicodeError):
            raise ValueError(f"ip is {shown(ip)}; it is an address of this machine") from None
    if taken:
        raise OSError(f"port {port} is taken; choose another one")


def page() -> Any:
    """Return what the served notebook shows: the page of the reviewer with the address's token."""
    token = parse_qs(os.environ.get("QUERY_STRING", "")).get("reviewer", [""])[0]
    project = Project(os.environ[VARIABLE])
    reviewer = reviewer_of(project, token)
    if reviewer is None:
        return needed("ipywidgets", "review").HTML(
            "<p>This link is not valid, or no longer. Ask the manager of the project for yours.</p>"
        )
    return project.widget(reviewer)


def reviewer_of(project: Project, token: str) -> str | None:
    """Return the reviewer who has this token, or None."""
    known = project.store.token_hashes().items()
    return next(
        (name for name, kept in known if hmac.compare_digest(kept, token_hash(token))), None
    )
