"""The notebooks: which there are, what each depends on, and how one is executed."""

import json
import os
import re
import tempfile
import time
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from .._internal import inputs, sources
from . import fingerprints
from .pool import NOTEBOOK


@dataclass(frozen=True)
class Notebook:
    """A numbered notebook, such as ``31-torra2008-example``: its name has number and paper."""

    path: Path

    @property
    def name(self) -> str:
        """The file's name without its ending."""
        return self.path.stem

    @property
    def paper(self) -> str | None:
        """The key of its paper, if it is about one."""
        # Imported here: a process that only executes a notebook needs no pandas.
        from .published import papers

        word = self.name.split("-")[1]
        return word if word in papers() else None

    @property
    def title(self) -> str:
        """The first heading."""
        for cell in self._cells():
            for line in _source(cell).splitlines():
                if cell["cell_type"] == "markdown" and line.startswith("# "):
                    return line[2:].strip()
        return self.name

    def key(self, parameters: dict, home: Path = sources.HOME) -> str:
        """Return the checksum of what it shows, but for the data that it uses.

        That is its cells, the code of the package that they reach, and libraries.
        """
        cells = self._cells()
        # Lines that are IPython's own (%magic, !command) are no Python and import nothing.
        code = re.sub(
            r"^\s*[%!].*$",
            "pass",
            "\n".join(_source(c) for c in cells if c["cell_type"] == "code"),
            flags=re.M,
        )
        return fingerprints.digest(
            *(part for cell in cells for part in (cell["cell_type"], _source(cell))),
            fingerprints.of_code(code, home),
            json.dumps(fingerprints.library_versions()),
            json.dumps(parameters, sort_keys=True),
        )

    def _cells(self):
        return json.loads(self.path.read_text())["cells"]


def _source(cell):
    return "".join(cell["source"])


def discover(folder: Path) -> list[Notebook]:
    """Return the numbered notebooks of a folder, in order."""
    return [Notebook(path) for path in sorted(folder.glob("[0-9][0-9]-*.ipynb"))]


def execute(
    path: Path, output: Path, parameters: dict, used: Path
) -> tuple[float, float, str | None]:
    """Run a notebook by papermill; returns (seconds, processor seconds of its kernel, error).

    The error is a text to show, or None. What was executed up to the error is in `output`, for
    reading; beside it, what the kernel says outside of its cells. `used` is a file that gets the
    names of the data that it asks for, and of the calls that its sweeps make or find.
    """
    import papermill

    start, before = time.monotonic(), _of_children()
    error = None
    try:
        _run(path, output, parameters, used)
    except papermill.PapermillExecutionError as fault:
        shown = "\n".join(fault.traceback) if fault.traceback else f"{fault.ename}: {fault.evalue}"
        error = f"In cell {fault.exec_count}:\n{fault.source}\n\n{shown}"
    return time.monotonic() - start, _of_children() - before, error


def _of_children():
    """Processor seconds of processes that this one has started and that have ended."""
    used = os.times()
    return used.children_user + used.children_system


def _run(path, output, parameters, used):
    """Run a notebook as `execute` does, but raise its error.

    This is for a process of its own: its standard error becomes a file.
    """
    import papermill

    # Nobody looks at bars in there.
    os.environ.update({inputs.LOG: str(used), NOTEBOOK: path.stem, "TQDM_DISABLE": "1"})
    with output.with_suffix(".log").open("w") as log:
        os.dup2(log.fileno(), 2)
    with _own_sockets() as config:
        papermill.execute_notebook(
            str(path),
            str(output),
            parameters,
            kernel_name="python3",
            cwd=str(path.parent),
            progress_bar=False,
            log_output=False,
            config=config,
        )


@contextmanager
def _own_sockets():
    """Give a kernel sockets in a folder of its own, so that none can race another for a port."""
    from traitlets.config import Config

    if os.name != "posix":
        yield Config()
        return
    with tempfile.TemporaryDirectory(prefix="rlpaper-") as folder:
        yield Config({"KernelManager": {"transport": "ipc", "ip": f"{folder}/kernel"}})
