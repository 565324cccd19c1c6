"""Who is who in two files: common columns, and the same persons in the same order."""

import os

import numpy as np
import pandas as pd

from .column_values import NUMBER, as_text_categories, short_repr, stringify
from .files import FilesError, read_csv

MIN_RECORDS = 10  # records


def as_frame(file, name):
    """The file as a frame with named columns, each once, and with records."""
    if isinstance(file, (str, os.PathLike)):
        file = read_csv(file, name)
    if not isinstance(file, pd.DataFrame):
        raise FilesError(
            f"the {name} file is a {type(file).__name__}; give a pandas DataFrame or the path of a CSV file"
        )
    if isinstance(file.columns, pd.MultiIndex):
        raise FilesError(
            f"the columns of the {name} file have several levels; give each column one name"
        )
    for place, column in enumerate(file.columns):
        if pd.isna(column) or not str(column).strip():
            raise FilesError(
                f"column {place + 1} of the {name} file has no name; name every column, or remove it"
            )
    repeated = file.columns[file.columns.duplicated()]
    if len(repeated):
        raise FilesError(
            f"the {name} file has two columns {short_repr(repeated[0])}; give each a name of its own"
        )
    if file.shape[1] == 0 or len(file) == 0:
        raise FilesError(
            f"the {name} file has no {'columns' if file.shape[1] == 0 else 'records'}; give a file of at least "
            f"{MIN_RECORDS} records"
        )
    return file


def same_persons(first, second, key, notes):
    """Row numbers in the original file, from 1, of the persons that both hold, and both files with these in that order."""
    what = f"key {key!r}" if key is not None else "index"
    for file, name in ((first, "original"), (second, "masked")):
        if not file.index.is_unique:
            raise FilesError(
                f"the {what} of the {name} file has {short_repr(file.index[file.index.duplicated()][0])} twice; give each "
                "record one of its own: it says who is who"
            )
    if key is None and len(first) != len(second):
        raise FilesError(
            f"the original file has {len(first)} records and the masked one {len(second)}: their order cannot say who "
            "is who; name a column that does as the key"
        )
    if (
        isinstance(first.index, pd.RangeIndex)
        and first.index.equals(second.index)
        and len(first) >= MIN_RECORDS
    ):
        return np.arange(len(first)) + 1, first, second
    places = second.index.get_indexer(first.index)
    common = places >= 0
    if common.sum() < MIN_RECORDS:
        if len(first) >= MIN_RECORDS and len(second) >= MIN_RECORDS:
            raise FilesError(
                f"only {common.sum()} records of the original file are in the masked one by the {what}; "
                + (
                    "check that it is written alike in both"
                    if key is not None
                    else "reset it (reset_index) in both if their order says who is who, or name a column that does as the key"
                )
            )
        raise FilesError(
            f"the files share {common.sum()} records; give files of at least {MIN_RECORDS}"
        )
    for count, name in (
        (len(first) - common.sum(), "original"),
        (len(second) - common.sum(), "masked"),
    ):
        if count:
            notes.append(
                f"{count:,} records are in the {name} file only and are left out. Linked are the {common.sum():,} persons "
                "in both; an attacker who does not know who is in both files finds fewer."
            )
    labels = pd.Index(first.index[common].to_numpy(), name=first.index.name)
    return (
        np.flatnonzero(common) + 1,
        first[common].set_axis(labels),
        second.iloc[places[common]].set_axis(labels),
    )


def by_key(file, key, name):
    """The file, its records named by a column of it."""
    if isinstance(key, (list, pd.Series, pd.Index, np.ndarray)):
        raise FilesError(f"the key is a {type(key).__name__}; name one column")
    if key not in file:
        raise FilesError(
            f"the {name} file has no column {short_repr(key)} to be the key; name one of both files; it has "
            f"{listed(file)}"
        )
    labels = stringify(
        as_text_categories(file[key], key, name)
    )  # 7 and 7.0 and "7" are the same person
    if labels.isna().any():
        raise FilesError(
            f"the key {key!r} of the {name} file is missing in record {int(labels.isna().to_numpy().argmax()) + 1}; "
            "fill it, or remove the record"
        )
    return file.drop(columns=key).set_axis(pd.Index(labels.astype(object), name=key))


def common_columns(original, masked, key, notes):
    """Names of the columns that both files have; what only one of them has goes into the notes."""
    names = [name for name in original if name in masked.columns]
    alone = [
        [name for name in file if name not in other.columns]
        for file, other in ((original, masked), (masked, original))
    ]
    spelt = {_spelling(name): name for name in alone[1]}
    for name in alone[0]:
        if _spelling(name) in spelt:
            raise FilesError(
                f"the original file has a column {short_repr(name)} and the masked one {short_repr(spelt[_spelling(name)])}; give "
                "them the same name, or unlike ones if they are different variables"
            )
    numbers = [next((name for name in some if NUMBER.fullmatch(str(name))), None) for some in alone]
    if None not in numbers:  # a first record each
        raise FilesError(
            f"both files have columns whose names are numbers, {short_repr(numbers[0])} in the original file and "
            f"{short_repr(numbers[1])} in the masked one; write a line of column names at the top of each"
        )
    if not names:
        raise FilesError(
            f"the files have no column in common{' but the key' if key is not None else ''}: the original has "
            f"{listed(original)}, the masked one {listed(masked)}; give columns that are the same variable the same "
            "name (for files without such, see rlpaper.linkage.no_common_variables)"
        )
    for some, which in zip(alone, ("original", "masked")):
        if some:
            notes.append(
                f"In the {which} file only, and so not linked on: {', '.join(map(str, some))}."
            )
    return names


def listed(names, most=10):
    """Names in a message: the first, and how many more."""
    names = [" ".join(str(name).split())[:30] for name in names]
    return (", ".join(names[:most]) or "none") + (
        f" and {len(names) - most} more" if len(names) > most else ""
    )


def _spelling(name):
    """What is left of a name when spelling is not minded."""
    return "".join(letter for letter in str(name).casefold() if letter.isalnum()) or str(name)
