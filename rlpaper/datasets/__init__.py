"""The data of the papers: typed, checked against their checksums, with provenance.

>>> from rlpaper import datasets
>>> datasets.load("census").shape
(1080, 13)
>>> datasets.load("census").attrs["variables"]["V7"]
'TAXINC'
"""

import hashlib
import io
import json
import os
import tomllib
from pathlib import Path
from typing import Any

import pandas as pd

from .._internal import inputs
from .._internal.sources import digest
from .._internal.validation import check_option, shown
from . import ahs, uci
from .errors import DatasetError

#: What the catalogue says of a data file; all but `uci_id` must be there.
COLUMNS = [
    "title",
    "rows",
    "columns",
    "file",
    "source",
    "licence",
    "citation",
    "uci_id",
    "sha256",
]


def data_folder() -> Path:
    """Return the folder of the data.

    That is the one named in the environment variable RLPAPER_DATA, or else data/ of the checkout in
    which the working folder lies.
    """
    if named := os.environ.get("RLPAPER_DATA"):
        return Path(named)
    for folder in (Path.cwd(), *Path.cwd().parents):
        if (folder / "data" / "catalogue.toml").is_file():
            return folder / "data"
    raise DatasetError(
        "the data of the papers are not here: work inside a checkout of the project, "
        "or name its folder data/ in the environment variable RLPAPER_DATA"
    )


def load(
    name: str, *, order: str = "file", refresh: bool = False, folder: str | Path | None = None
) -> pd.DataFrame:
    """Load a data file as a typed frame, after checking its checksum.

    Parameters
    ----------
    name : str
        A name of `catalogue()`, or ``"ahs"`` for the American Housing Survey 1993 (see
        `rlpaper.datasets.ahs`).
    order : {"file", "alphabetical"}
        Order of the columns, and so the papers' variable numbers: `V1` is the first column. For
        Census, the printed results of abril2012 and abril2011 fit the order of the file;
        alphabetical order is the numbering that Table 1 of abril2012 prints.
    refresh : bool
        Fetch the file from the UCI repository and compare it with the vendored copy, which is not
        changed. The fetched frame is returned as it came; ``attrs["differences"]`` has the
        differences, one row per column.
    folder : path, optional
        A data folder other than `data_folder()`.

    Returns
    -------
    DataFrame
        Numbers are numbers, categories are categoricals, ordered where they are ordinal. ``attrs``
        has `name`, `title`, `source`, `licence`, `citation`, `surrogate`, and `variables` (V1, V2,
        ... to column names).

    Raises
    ------
    DatasetError
        The data file is unknown, missing or damaged; the message says what to do.

    Examples
    --------
    >>> load("census", order="alphabetical").attrs["variables"]["V7"]
    'INTVAL'
    """
    if folder is None:
        inputs.note(f"data {name}")
    folder = _folder(folder)
    check_option("order", order, ("file", "alphabetical"))
    check_option("refresh", refresh, (True, False))
    if name == "ahs":
        if refresh:
            raise DatasetError(
                "the American Housing Survey 1993 cannot be fetched; "
                f"put your own copy at data/{ahs.LOCAL_FILE} (see data/README.md)"
            )
        frame = ahs.load(folder)
    else:
        entry = _entry(name, folder)
        frame = _read(entry, folder)
        if refresh:
            frame = uci.fetch(name, entry, frame)
        frame.attrs.update(
            {key: entry[key] for key in ("title", "source", "licence", "citation")}, surrogate=False
        )
    if order == "alphabetical":
        frame = frame[sorted(frame.columns)]
    frame.attrs.update(
        name=name, variables={f"V{i}": column for i, column in enumerate(frame.columns, 1)}
    )
    return frame


def catalogue(folder: str | Path | None = None) -> pd.DataFrame:
    """List every data file with its shape, source, licence, citation and checksum.

    Examples
    --------
    >>> catalogue().loc["iris", ["rows", "columns"]].tolist()
    [150, 5]
    """
    folder = _folder(folder)
    entries = {name: _entry(name, folder) for name in _entries(folder)}
    table = pd.DataFrame.from_dict(entries, orient="index")
    return table.reindex(columns=COLUMNS).astype({"uci_id": "Int64"}).rename_axis("name")


def version(name: str) -> str:
    """Compute a checksum of what `load` reads: the entry in the catalogue and the file."""
    folder = data_folder()
    known = {**_entries(folder), "ahs": {"file": ahs.LOCAL_FILE}}
    entry = known.get(name) if isinstance(name, str) else None
    if entry is None:
        return "none"
    path = folder / entry["file"]
    content = hashlib.sha256(path.read_bytes()).hexdigest() if path.exists() else "none"
    return digest(json.dumps(entry, sort_keys=True), content)


def _folder(folder: str | Path | None) -> Path:
    if folder is None:
        return data_folder()
    if not isinstance(folder, str | Path):
        raise DatasetError(f"folder is {shown(folder)}; give a path")
    return Path(folder)


def _entries(folder: Path) -> dict[str, Any]:
    path = folder / "catalogue.toml"
    if not path.exists():
        raise DatasetError(
            f"there is no {path.name} in {folder}; that file of the project says what each data "
            "file is"
        )
    try:
        return tomllib.loads(path.read_text("utf-8"))
    except ValueError as error:  # no TOML, or no UTF-8
        raise DatasetError(f"the file {path} cannot be read: {error}; restore it") from None


def _entry(name: str, folder: Path) -> dict[str, Any]:
    entries = _entries(folder)
    if not isinstance(name, str) or name not in entries:
        raise DatasetError(
            f"there is no data file named {shown(name)}; choose one of "
            f"{', '.join([*entries, 'ahs'])}"
        )
    entry = entries[name]
    if not isinstance(entry, dict) or not entry.keys() >= {*COLUMNS} - {"uci_id"}:
        raise DatasetError(
            f"the file catalogue.toml does not say all of {name}; it needs {', '.join(COLUMNS)}"
        )
    return entry


def _read(entry: dict[str, Any], folder: Path) -> pd.DataFrame:
    path = folder / entry["file"]
    repair = f"restore it with `git checkout -- data/{entry['file']}`"
    if not path.exists():
        raise DatasetError(f"data/{entry['file']} is missing; {repair}")
    content = path.read_bytes()
    if hashlib.sha256(content).hexdigest() != entry["sha256"]:
        raise DatasetError(
            f"data/{entry['file']} is not the file of data/catalogue.toml (its checksum differs); "
            f"{repair}"
        )
    # Only an empty cell is missing: "NA" or "None" may be somebody's name or answer.
    frame = pd.read_csv(
        io.BytesIO(content), dtype=_text_columns(entry), keep_default_na=False, na_values=[""]
    )
    if frame.shape != (entry["rows"], entry["columns"]):
        raise DatasetError(
            f"data/{entry['file']} has shape {frame.shape}, data/catalogue.toml says "
            f"{(entry['rows'], entry['columns'])}; correct the catalogue"
        )
    return _typed(frame, entry)


def _text_columns(entry: dict[str, Any]) -> type | dict[str, type]:
    """Say what pandas must read as text: everything, or the columns that are no numbers."""
    if "all" in (entry.get("nominal"), entry.get("text")):
        return str
    return {
        column: str
        for column in [*entry.get("nominal", []), *entry.get("ordinal", {}), *entry.get("text", [])]
    }


def _typed(frame: pd.DataFrame, entry: dict[str, Any]) -> pd.DataFrame:
    ordinal = entry.get("ordinal", {})
    nominal = entry.get("nominal", [])
    if nominal == "all":
        nominal = [column for column in frame if column not in ordinal]
    for column in nominal:
        frame[column] = frame[column].astype("category")
    for column, categories in ordinal.items():
        unknown = sorted(set(frame[column].dropna()) - set(categories))
        if unknown:
            raise DatasetError(
                f"data/{entry['file']}: {column} has values that data/catalogue.toml does not "
                f"order: {', '.join(unknown)}"
            )
        frame[column] = pd.Categorical(frame[column], categories, ordered=True)
    return frame
