"""CSV files of anybody's making: their text, before anything is known of its columns."""

import csv
import io
from pathlib import Path

import pandas as pd

#: Texts that stand for a missing value.
MISSING = frozenset({"", "NA", "N/A", "n/a", "NaN", "nan", "NULL", "null", "None", "?", "."})

#: First bytes of files that are no CSV, and what they are.
OTHERS = {b"PK\x03\x04": "an Excel workbook or a zip archive", b"\xd0\xcf\x11\xe0": "an old Excel workbook", b"PAR1": "a parquet file",
          b"\x1f\x8b": "a compressed file", b"%PDF": "a PDF", b"RDX": "an R data file"}


class FilesError(ValueError):
    """Two files that cannot be assessed; the message says why and what to do."""


def read_csv(path, name):
    """A CSV file as texts, None where a value is missing; separated by commas, semicolons, tabs or bars.

    Parameters
    ----------
    path : path
    name : str
        What the file is called in error messages: original or masked.
    """
    path = Path(path)
    if not path.exists():
        raise FilesError(f"the {name} file {path.name} does not exist; check the path")
    if path.is_dir():
        raise FilesError(f"the {name} file {path.name} is a folder; name a CSV file")
    content = path.read_bytes()
    text = _text(content, f"the {name} file {path.name}")
    try:
        separator = csv.Sniffer().sniff(text.partition("\n")[0], ",;\t|").delimiter
    except csv.Error:
        separator = ","  # a single column
    return _table(text, separator, f"the {name} file {path.name}")


def _text(content, file):
    for start, kind in OTHERS.items():
        if content.startswith(start):
            raise FilesError(f"{file} is {kind}; save the table as CSV")
    if content[:2] in (b"\xff\xfe", b"\xfe\xff"):
        raise FilesError(f"{file} is written in UTF-16; save it as CSV in UTF-8")
    if b"\0" in content:
        raise FilesError(f"{file} holds bytes that are no text; save the table as CSV")
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content[:error.start].count(b"\n") + 1
        raise FilesError(f"{file} is not written in UTF-8 (line {line}); save it in that encoding") from None
    if not text.strip():
        raise FilesError(f"{file} is empty; it needs a line of column names and a line a record")
    return text


def _table(text, separator, file):
    """The table; every line must have as many cells as there are names."""
    rows = csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=True)
    try:
        names = [cell.strip() for cell in next(rows)]
        records = []
        for cells in rows:
            if len(cells) == len(names):
                records.append(cells)
            elif any(cell.strip() for cell in cells):
                raise FilesError(f"line {rows.line_num} of {file} has {len(cells)} values for {len(names)} columns; quote values that "
                                 f"hold a {separator!r}")
    except csv.Error as error:
        raise FilesError(f"{file} cannot be read at line {rows.line_num}: {error}; check the quotes") from None
    frame = pd.DataFrame(records, columns=names, dtype=object)
    return frame.map(lambda cell: None if cell.strip() in MISSING else cell.strip())
