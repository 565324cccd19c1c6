"""Who is who in two files: common columns, and the same persons in the same order."""

import os
import shlex
from typing import Any

import numpy as np
import pandas as pd

from .._internal.hints import Label
from .column_forms import NUMBERS
from .column_values import as_numbers, as_text_categories, in_utf8, listed, short_repr, stringify
from .files import FilesError, read_csv

MIN_RECORDS = 10


def as_frame(file: Any, name: str) -> pd.DataFrame:
    """Return the file as a frame with named columns, each once, and with records."""
    if isinstance(file, (str, os.PathLike)):
        file = read_csv(file, name)
    if not isinstance(file, pd.DataFrame):
        raise FilesError(
            f"the {name} file is a {type(file).__name__}; give a pandas DataFrame or the path of a "
            "CSV file"
        )
    if isinstance(file.columns, pd.MultiIndex):
        raise FilesError(
            f"the columns of the {name} file have several levels; give each column one name"
        )
    for position, column in enumerate(file.columns):
        if not pd.api.types.is_scalar(column):
            raise FilesError(
                f"column {position + 1} of the {name} file has a {type(column).__name__} for a "
                "name; give it a text"
            )
        if pd.isna(column) or not str(column).strip():
            raise FilesError(
                f"column {position + 1} of the {name} file has no name; name every column, or "
                "remove it"
            )
        if in_utf8(str(column)) != str(column):
            raise FilesError(
                f"column {position + 1} of the {name} file has a name that UTF-8 cannot write, "
                f"{in_utf8(str(column))}; give it another one"
            )
    repeated = file.columns[file.columns.duplicated()]
    if len(repeated):
        raise FilesError(
            f"the {name} file has two columns {short_repr(repeated[0])}; give each a name of its "
            "own"
        )
    if file.empty:
        what = "records" if file.shape[1] else "columns"
        raise FilesError(
            f"the {name} file has no {what}; give a file of at least {MIN_RECORDS} records"
        )
    return file


def same_persons(
    first: pd.DataFrame, second: pd.DataFrame, key: Label | None, notes: list[str]
) -> tuple[np.ndarray, pd.DataFrame, pd.DataFrame]:
    """Find the persons that both files hold; who is left out goes into the notes.

    Returns
    -------
    array, DataFrame, DataFrame
        Their rows in the original file, from 1, and both files with them in that order.
    """
    what = f"key {key!r}" if key is not None else "index"
    for file, name in ((first, "original"), (second, "masked")):
        if not file.index.is_unique:
            raise FilesError(
                f"the {what} of the {name} file has "
                f"{short_repr(file.index[file.index.duplicated()][0])} twice; give each record one "
                "of its own: it says who is who"
            )
    if key is None and len(first) != len(second):
        raise FilesError(
            f"the original file has {len(first)} records and the masked one {len(second)}: their "
            "order cannot say who is who; name a column that does as the key"
            f"{perhaps_key(first, second)}"
        )
    if (
        isinstance(first.index, pd.RangeIndex)
        and first.index.equals(second.index)
        and len(first) >= MIN_RECORDS
    ):
        return np.arange(len(first)) + 1, first, second
    positions = second.index.get_indexer(first.index)
    common = positions >= 0
    number = common.sum()
    if number < MIN_RECORDS:
        if min(len(first), len(second)) < MIN_RECORDS:
            raise FilesError(
                f"the files share {number} records; give files of at least {MIN_RECORDS}"
            )
        hint = (
            "check that it is written alike in both"
            if key is not None
            else "reset it (reset_index) in both if their order says who is who, or name a column "
            f"that does as the key{perhaps_key(first, second)}"
        )
        raise FilesError(
            f"only {number} records of the original file are in the masked one by the {what}; "
            f"{hint}"
        )
    notes += [
        f"{len(file) - number:,} records are in the {name} file only and are left out. Linked are "
        f"the {number:,} persons in both; an attacker who does not know who is in both files finds "
        "fewer."
        for file, name in ((first, "original"), (second, "masked"))
        if len(file) > number
    ]
    labels = pd.Index(first.index[common].to_numpy(), name=first.index.name)
    return (
        np.flatnonzero(common) + 1,
        first[common].set_axis(labels),
        second.iloc[positions[common]].set_axis(labels),
    )


def perhaps_key(first: pd.DataFrame, second: pd.DataFrame) -> str:
    """Name a column that seems to say who is who, for a message; nothing if there is none.

    Its values are texts or whole numbers, all different, and half of those of the shorter file at
    least are in the other.
    """
    for name in first.columns.intersection(second.columns, sort=False):
        both = [
            as_text_categories(file[name], name, which)
            for file, which in ((first, "original"), (second, "masked"))
        ]
        numbers, _ = as_numbers(*both)
        texts = [stringify(column) for column in both]
        if (numbers is None or (numbers % 1 == 0).all()) and all(
            column.notna().all() and column.is_unique for column in texts
        ):
            common = set(texts[0]) & set(texts[1])
            if 2 * len(common) >= min(map(len, texts)):
                return f", perhaps key={name!r} (--key {shlex.quote(str(name))})"
    return ""


def by_key(file: pd.DataFrame, key: Any, name: str) -> pd.DataFrame:
    """Return the file with its records named by a column of it."""
    if not pd.api.types.is_hashable(key):
        raise FilesError(f"the key is a {type(key).__name__}; name one column")
    if key not in file:
        raise FilesError(
            f"the {name} file has no column {short_repr(key)} to be the key; name one of both "
            f"files; it has {listed(file)}"
        )
    # 7 and 7.0 and "7" are the same person.
    labels = stringify(as_text_categories(file[key], key, name))
    missing = labels.isna().to_numpy()
    if missing.any():
        raise FilesError(
            f"the key {key!r} of the {name} file is missing in record {int(missing.argmax()) + 1}; "
            "fill it, or remove the record"
        )
    return file.drop(columns=key).set_axis(pd.Index(labels.astype(object), name=key))


def common_columns(
    original: pd.DataFrame, masked: pd.DataFrame, key: Label | None, notes: list[str]
) -> list[Label]:
    """Name the columns that both files have; what only one of them has goes into the notes."""
    names = [name for name in original if name in masked.columns]
    alone = {
        "original": [name for name in original if name not in masked.columns],
        "masked": [name for name in masked if name not in original.columns],
    }
    spelt = {_spelling(name): name for name in alone["masked"]}
    for name in alone["original"]:
        if _spelling(name) in spelt:
            raise FilesError(
                f"the original file has a column {short_repr(name)} and the masked one "
                f"{short_repr(spelt[_spelling(name)])}; give them the same name, or unlike ones if "
                "they are different variables"
            )
    numbers = [
        [name for name in some if NUMBERS["."].fullmatch(str(name))] for some in alone.values()
    ]
    if all(numbers):  # a first record each
        raise FilesError(
            f"both files have columns whose names are numbers, {short_repr(numbers[0][0])} in the "
            f"original file and {short_repr(numbers[1][0])} in the masked one; write a line of "
            "column names at the top of each"
        )
    if not names:
        raise FilesError(
            f"the files have no column in common{' but the key' if key is not None else ''}: the "
            f"original has {listed(original)}, the masked one {listed(masked)}; give columns that "
            "are the same variable the same name (for files without such, see "
            "rlpaper.linkage.no_common_variables)"
        )
    notes += [
        f"In the {which} file only, and so not linked on: {', '.join(map(str, some))}."
        for which, some in alone.items()
        if some
    ]
    return names


def _spelling(name: Label) -> str:
    """Return what is left of a name when spelling is not minded."""
    return "".join(letter for letter in str(name).casefold() if letter.isalnum()) or str(name)
