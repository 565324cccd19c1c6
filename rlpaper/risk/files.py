"""CSV files of anybody's making: their text, before anything is known of their columns."""

import csv
import io
from collections import defaultdict
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO

if TYPE_CHECKING:
    from os import PathLike

    import pandas as pd

SEPARATORS = ";\t|,"  # a comma last: it is in texts too

#: Separators that files come with and that are not read: they are part of too many values.
UNREAD_SEPARATORS = " :"

#: First bytes of files that are no CSV, and what they are.
OTHER_FORMATS = {
    b"PK\x03\x04": "an Excel workbook or a zip archive",
    b"\xd0\xcf\x11\xe0": "an old Excel workbook",
    b"PAR1": "a parquet file",
    b"%PDF": "a PDF",
    b"\x1f\x8b": "a compressed file",
    b"BZh": "a compressed file",
    b"\xfd7zXZ": "a compressed file",
    b"RDX": "an R data file",
    b"X\n\0": "an R data file",
    b"$FL": "an SPSS file",
    b"<stata_dta>": "a Stata file",
    b"<!DOCTYPE": "a web page",
    b"<html": "a web page",
    b"[{": "a JSON file",
    b'{"': "a JSON file",
}

MAX_SNIFFED_LINES = 20  # lines that show how values are separated
CHUNK_RECORDS = 5_000  # records that are held cell by cell


class FilesError(ValueError):
    """Two files that cannot be assessed; the message says why and what to do."""


def read_csv(path: "str | PathLike", name: str) -> "pd.DataFrame":
    """Read a CSV file as texts, just as they stand but for white space around them.

    Values are separated by commas, semicolons, tabs or bars.

    Parameters
    ----------
    path : path
        Of the file.
    name : str
        What the file is called in error messages: original or masked.
    """
    checked, file = check_path(path, name)
    try:
        content = checked.read_bytes()
    except OSError as error:
        raise _unopened(file, error) from None
    _check_text(content, file)
    try:
        return _table(content, _separator(content, file), file)
    except csv.Error as error:
        raise FilesError(f"{file} cannot be read ({error}); check the quotes") from None


def check_path(path: "str | PathLike", name: str) -> tuple[Path, str]:
    """Refuse a path that leads to no file.

    Returns
    -------
    Path, str
        The path, and what the file is called in messages.
    """
    if not str(path):
        raise FilesError(f"the path of the {name} file is empty; name a CSV file")
    if "\n" in str(path):
        raise FilesError(
            f"the {name} file is given as text of several lines; name a CSV file or give a pandas "
            "DataFrame"
        )
    path = Path(path)
    file = f"the {name} file {(path.name or str(path))[:80]}"
    try:
        if not path.exists():
            raise FilesError(f"{file} does not exist; check the path")
        if path.is_dir():
            raise FilesError(f"{file} is a folder; name a CSV file")
    except OSError as error:
        raise _unopened(file, error) from None
    return path, file


def _unopened(file: str, error: OSError) -> FilesError:
    return FilesError(
        f"{file} cannot be opened ({error.strerror}); check the path and that you may read it"
    )


def _check_text(content: bytes, file: str) -> None:
    for start, kind in OTHER_FORMATS.items():
        if content.startswith(start):
            raise FilesError(f"{file} is {kind}; save the table as CSV")
    if content[:2] in (b"\xff\xfe", b"\xfe\xff"):
        raise FilesError(f"{file} is written in UTF-16; save it as CSV in UTF-8")
    if b"\0" in content:
        raise FilesError(
            f"line {_line(content, content.index(0))} of {file} holds bytes that are no text; save "
            "the table as CSV"
        )
    try:
        empty = not content.decode("utf-8-sig").strip()
    except UnicodeDecodeError as error:
        raise FilesError(
            f"{file} is not written in UTF-8 (line {_line(content, error.start)}); save it in that "
            "encoding"
        ) from None
    if empty:
        raise FilesError(f"{file} is empty; write one line of column names and one line per record")


def _line(content: bytes, position: int) -> int:
    return content.count(b"\n", 0, position) + 1


def _lines(content: bytes) -> TextIO:
    """Read lines one by one: the text of a large file is not held a second time."""
    return io.TextIOWrapper(io.BytesIO(content), "utf-8-sig", newline="")


def _separator(content: bytes, file: str) -> str:
    """Find the separator that splits the first lines alike, and into the most values."""
    lines = list(islice(filter(str.strip, _lines(content)), MAX_SNIFFED_LINES))

    def widths(separator: str) -> tuple[int, int, int]:
        rows = [len(row) for row in csv.reader(lines, delimiter=separator, skipinitialspace=True)]
        return (rows.count(rows[0]), rows[0], len(rows)) if rows[0] > 1 else (0, 1, len(rows))

    best = max(SEPARATORS, key=widths)
    if widths(best)[1] > 1:
        return best
    for separator in UNREAD_SEPARATORS:
        alike, width, total = widths(separator)
        if width > 1 and alike == total > 1:
            raise FilesError(
                f"the values of {file} seem to be separated by {separator!r}; separate them by "
                "commas, semicolons, tabs or bars, or quote them if there is one column"
            )
    return ","


def _table(content: bytes, separator: str, file: str) -> "pd.DataFrame":
    """Read the table. Each different text of a column is kept once: most columns have few."""
    # Imported here: a file that does not exist is told without them.
    import numpy as np
    import pandas as pd

    rows = csv.reader(
        _lines(content.rstrip(b" \r\n")), delimiter=separator, skipinitialspace=True, strict=True
    )
    names = [cell.strip() for cell in next((cells for cells in rows if not _blank(cells)), [""])]
    seen: list[defaultdict[str, int]] = [defaultdict() for _ in names]
    parts: list[list[np.ndarray]] = [[] for _ in names]
    for texts in seen:
        texts.default_factory = texts.__len__  # numbers texts as they come
    records = _records(rows, len(names), separator, file)
    while chunk := list(islice(records, CHUNK_RECORDS)):
        for texts, part, cells in zip(seen, parts, zip(*chunk, strict=True), strict=True):
            part.append(np.fromiter(map(texts.__getitem__, cells), np.int32, len(cells)))
    columns = {
        number: np.array([text.strip() for text in texts], object)[np.concatenate(part)]
        for number, (texts, part) in enumerate(zip(seen, parts, strict=True))
        if part
    }
    return pd.DataFrame(columns, columns=range(len(names)), dtype=object).set_axis(names, axis=1)


def _records(rows: Any, width: int, separator: str, file: str) -> Iterator[list[str]]:
    """Yield the records; every one must have as many values as there are names."""
    line = rows.line_num + 1  # where the record starts: a quoted value can take several lines
    try:
        for cells in rows:
            if not cells and width == 1:  # nothing between two records of one value: a missing one
                cells = [""]
            if len(cells) == width:
                yield cells
            elif not _blank(cells):
                raise FilesError(
                    f"line {line} of {file} has {len(cells)} values for {width} columns; quote "
                    f"values that hold a {separator!r}, and name every column in the first line"
                )
            line = rows.line_num + 1
    except csv.Error as error:
        raise FilesError(
            f"the record at line {line} of {file} cannot be read ({error}); check the quotes"
        ) from None


def _blank(cells: list[str]) -> bool:
    return len(cells) < 2 and not "".join(cells).strip()
