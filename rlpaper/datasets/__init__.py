"""The data of the papers: typed, checked against their checksums, with provenance.

>>> from rlpaper import datasets
>>> datasets.load("census").shape
(1080, 13)
>>> datasets.load("census").attrs["variables"]["V7"]
'TAXINC'
"""

import hashlib
import io
import logging
import tomllib

import pandas as pd

from ..compendium import fingerprints
from . import ahs

log = logging.getLogger(__name__)


class DatasetError(ValueError):
    """A data file is unknown, missing, damaged or not what it should be; the message says what to do."""


def load(name, *, order="file", refresh=False, folder=None):
    """Load a data file as a typed frame, after checking its checksum.

    Parameters
    ----------
    name : str
        A name of `catalogue()`, or ``"ahs"`` for the American Housing Survey 1993 (see `rlpaper.datasets.ahs`).
    order : {"file", "alphabetical"}
        Order of the columns, and so the papers' variable numbers: `V1` is the first column. For Census, the
        order of the file is what the printed results of abril2012 and abril2011 fit; alphabetical order is the
        numbering that Table 1 of abril2012 prints.
    refresh : bool
        Fetch the file from the UCI repository and compare it with the vendored copy, which stays as it is.
        The fetched frame is returned as it came, the differences in ``attrs["differences"]``, a row a column.
    folder : path, optional
        Another data folder than the project's.

    Returns
    -------
    DataFrame
        Numbers as numbers, categories as categoricals, ordered where they are ordinal. ``attrs`` has `name`,
        `title`, `source`, `licence`, `citation`, `surrogate`, and `variables` (V1, V2, ... to column names).

    Raises
    ------
    DatasetError
        With what is wrong and what to do.

    Examples
    --------
    >>> load("census", order="alphabetical").attrs["variables"]["V7"]
    'INTVAL'
    """
    folder = fingerprints.DATA if folder is None else folder
    if order not in ("file", "alphabetical"):
        raise DatasetError(f"order is {order!r}; use 'file' or 'alphabetical'")
    if name == "ahs":
        if refresh:
            raise DatasetError(
                "the American Housing Survey 1993 cannot be fetched; "
                f"put your own copy at data/{ahs.LOCAL_FILE} (see data/README.md)"
            )
        try:
            frame = ahs.load(folder)
        except ahs.FormatError as error:
            raise DatasetError(str(error)) from None
    else:
        entry = _entry(name, folder)
        frame = _fetch(name, entry, folder) if refresh else _read(entry, folder)
        frame.attrs.update(
            {key: entry[key] for key in ("title", "source", "licence", "citation")}, surrogate=False
        )
    if order == "alphabetical":
        frame = frame[sorted(frame.columns)]
    frame.attrs.update(
        name=name, variables={f"V{i}": column for i, column in enumerate(frame.columns, 1)}
    )
    return frame


def catalogue(folder=None):
    """Every data file with its shape, source, licence, citation and checksum.

    Examples
    --------
    >>> catalogue().loc["iris", ["rows", "columns"]].tolist()
    [150, 5]
    """
    columns = [
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
    table = pd.DataFrame.from_dict(
        _entries(fingerprints.DATA if folder is None else folder), orient="index"
    )
    return table[columns].astype({"uci_id": "Int64"}).rename_axis("name")


def _entries(folder):
    path = folder / "catalogue.toml"
    if not path.exists():
        raise DatasetError(
            f"there is no {path.name} in {folder}: rlpaper reads its data from a clone of the project; "
            "run it from there, installed with `make` or `pip install -e .`"
        )
    return tomllib.loads(path.read_text())


def _entry(name, folder):
    entries = _entries(folder)
    if name not in entries:
        raise DatasetError(
            f"there is no data file named {name!r}; choose one of {', '.join([*entries, 'ahs'])}"
        )
    return entries[name]


def _read(entry, folder):
    path = folder / entry["file"]
    repair = f"restore it with `git checkout -- data/{entry['file']}`"
    if not path.exists():
        raise DatasetError(f"data/{entry['file']} is missing; {repair}")
    content = path.read_bytes()
    if hashlib.sha256(content).hexdigest() != entry["sha256"]:
        raise DatasetError(
            f"data/{entry['file']} is not the file of data/catalogue.toml (its checksum differs); {repair}"
        )
    # Only an empty cell is missing: "NA" or "None" would be somebody's name or answer.
    frame = pd.read_csv(
        io.BytesIO(content), dtype=_text_columns(entry), keep_default_na=False, na_values=[""]
    )
    if frame.shape != (entry["rows"], entry["columns"]):
        raise DatasetError(
            f"data/{entry['file']} has shape {frame.shape}, data/catalogue.toml says "
            f"{(entry['rows'], entry['columns'])}; correct the catalogue"
        )
    return _typed(frame, entry)


def _text_columns(entry):
    """What pandas must read as text: everything, or the columns that are no numbers."""
    if "all" in (entry.get("nominal"), entry.get("text")):
        return str
    return {
        column: str
        for column in [*entry.get("nominal", []), *entry.get("ordinal", {}), *entry.get("text", [])]
    }


def _typed(frame, entry):
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
                f"data/{entry['file']}: {column} has values that data/catalogue.toml does not order: "
                f"{', '.join(unknown)}"
            )
        frame[column] = pd.Categorical(frame[column], categories, ordered=True)
    return frame


def _fetch(name, entry, folder):
    """The UCI repository's copy, with its differences from the vendored one."""
    if "uci_id" not in entry:
        raise DatasetError(
            f"{name} is not served by the UCI repository ({entry['source']}); load it without refresh"
        )
    import ucimlrepo

    try:
        fetched = ucimlrepo.fetch_ucirepo(id=entry["uci_id"]).data.original
    except (OSError, ucimlrepo.fetch.DatasetNotFoundError) as error:
        raise DatasetError(
            f"the UCI repository did not give {name} (id {entry['uci_id']}): {error}; "
            "load it without refresh to use the vendored copy"
        ) from None
    vendored = _read(entry, folder)
    differences = compare(vendored, fetched)
    fetched.attrs["differences"] = differences
    cells = int(differences["different"].sum())
    log.warning(
        "%s: UCI's copy has shape %s, the vendored one %s; %d cells differ in %d columns",
        name,
        fetched.shape,
        vendored.shape,
        cells,
        int((differences["different"] > 0).sum()),
    )
    return fetched


def compare(vendored, fetched):
    """Where two copies of a file differ, a row a column, matched by position.

    Numbers are compared as numbers (to nine digits), the rest as text; two missing values are equal. Records
    or columns that only one copy has count as different throughout.

    Examples
    --------
    >>> compare(pd.DataFrame({"a": [1.0, 2.0]}), pd.DataFrame({"A": ["1", "3"]})).values.tolist()
    [['a', 'A', 1]]
    """
    rows = []
    longest = max(len(vendored), len(fetched))
    for i in range(max(vendored.shape[1], fetched.shape[1])):
        if i >= vendored.shape[1] or i >= fetched.shape[1]:
            ours = vendored.columns[i] if i < vendored.shape[1] else None
            theirs = fetched.columns[i] if i < fetched.shape[1] else None
            rows.append((ours, theirs, longest))
            continue
        common = min(len(vendored), len(fetched))
        a, b = (frame.iloc[:common, i].astype(object) for frame in (vendored, fetched))
        x, y = pd.to_numeric(a, errors="coerce"), pd.to_numeric(b, errors="coerce")
        same = (
            (a.isna() & b.isna())
            | (a.astype(str) == b.astype(str))
            | ((x - y).abs() <= 1e-9 * x.abs())
        )
        rows.append(
            (vendored.columns[i], fetched.columns[i], int((~same).sum()) + longest - common)
        )
    return pd.DataFrame(rows, columns=["vendored", "fetched", "different"])
