"""Two files made comparable: records aligned, variables typed, missing values by a stated policy."""

import os
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import pandas as pd

from .alignment_check import belong_together
from .column_types import NUMBER, as_dates, as_texts, plain, shown, typed
from .files import FilesError, check_path, read_csv

LEAST = 10  # records
MISSING = "(missing)"

#: What a variable that was not masked is called, and why.
UNMASKED, RENAMED, RESCALED, SUPPRESSED, CONSTANT, MASKED = (
    "unmasked",
    "renamed",
    "rescaled",
    "suppressed",
    "constant",
    "masked",
)


@dataclass(frozen=True)
class Pair:
    """Two files ready to be linked.

    Attributes
    ----------
    original, masked : DataFrame
        The persons in both files, in the same order, numbered by their row in the original file from 1. Numbers as floats,
        categories as categoricals. A number that is missing has its file's mean, and a column of its own says so.
    variables : DataFrame
        A row a variable: `type` and `why`, `different` values, share of `missing` values in either file, share of values
        `changed`, and `state` (see `state`).
    columns : dict
        The columns of `original` and `masked` that stand for each variable; none for a constant one.
    labels : Index
        What the records are called: key or index.
    notes : list of str
        What was done to get here that a reader must know.
    """

    original: pd.DataFrame
    masked: pd.DataFrame
    variables: pd.DataFrame
    columns: dict
    labels: pd.Index
    notes: list

    def __len__(self):
        return len(self.original)

    def only(self, variables):
        """Both files with the columns of some variables."""
        names = [name for variable in variables for name in self.columns[variable]]
        return self.original[names], self.masked[names]

    @property
    def used(self):
        """The variables that can say something."""
        return [variable for variable, names in self.columns.items() if names]

    @property
    def values(self):
        """The original values of the variables that can say something: dates as texts, missing numbers and dates empty."""
        values = {}
        for variable in self.used:
            name, *flag = self.columns[variable]
            values[name] = self.original[name]
            if flag:
                values[name] = values[name][self.original[flag[0]] == "known"]
            if self.variables.loc[variable, "type"] == "date":
                values[name] = as_dates(values[name])
        return pd.DataFrame(values, self.original.index)

    @property
    def numbers(self):
        """The columns that hold numbers."""
        return [name for name, dtype in self.original.dtypes.items() if dtype == float]


def prepare(original, masked, key=None, types=None, aligned=False):
    """Make two files comparable.

    Parameters
    ----------
    original, masked : DataFrame or path of a CSV file
        Columns are matched by name. Without a key, records are matched by index label; by order where one is a CSV file.
    key : str, optional
        A column that says who is who in both files. It is not linked on.
    types : dict, optional
        The type of some variables, ``number``, ``date``, ``nominal``, ``ordinal`` or a list of ordered categories, where what is
        inferred is not right.
    aligned : bool
        Take the records as aligned even where no variable of the masked file shows it.

    Returns
    -------
    Pair

    Raises
    ------
    FilesError
        With what is wrong and what to do.

    Examples
    --------
    >>> original = pd.DataFrame({"age": range(20, 40), "sex": list("fm") * 10})
    >>> pair = prepare(original, original.assign(age=original["age"] + 1))
    >>> pair.variables["state"].to_dict()
    {'age': 'rescaled', 'sex': 'unmasked'}
    """
    if types is not None and not isinstance(types, Mapping):
        raise FilesError(
            f"types is a {type(types).__name__}; give a dict of columns and their types"
        )
    if not isinstance(aligned, (bool, np.bool_)):
        raise FilesError(f"aligned is {shown(aligned)}; give True or False")
    given = (original, "original"), (masked, "masked")
    for file, name in given:  # before the first one is read, which may take long
        if isinstance(file, (str, os.PathLike)):
            check_path(file, name)
    files = [_frame(file, name) for file, name in given]
    if any(isinstance(file, (str, os.PathLike)) for file in (original, masked)):
        files = [
            file.reset_index(drop=True) for file in files
        ]  # the labels of the other file are not in a CSV file
    if key is not None:
        files = [_keyed(file, key, name) for file, name in zip(files, ("original", "masked"))]
    notes = []
    names = _common_columns(*files, key, notes)
    rows, *files = _same_persons(*files, key, notes)
    for wished in types or {}:
        if wished not in names:
            raise FilesError(
                f"a type is given for {shown(wished)}, which is no variable of both files; choose from "
                f"{_listed(names)}"
            )
    columns, prepared, table, taken = {}, [{}, {}], [], set(names)
    for name in names:
        kind, *both, why = typed(files[0][name], files[1][name], (types or {}).get(name), name)
        row = {"variable": name, "type": kind, "why": why, **_facts(kind, *both)}
        columns[name] = []
        if row["state"] != CONSTANT:
            for label, *values in _without_missing(name, kind, both, taken):
                columns[name].append(label)
                for frame, column in zip(prepared, values):
                    frame[label] = (
                        column.to_numpy()
                        if kind in ("number", "date") and label == name
                        else column.array
                    )
        table.append(row)
    variables = pd.DataFrame(table).set_index("variable")
    _check_informative(variables)
    first, second = (pd.DataFrame(frame, index=pd.Index(rows, name="row")) for frame in prepared)
    pair = Pair(first, second, variables, columns, files[0].index, notes)
    if not (
        aligned
        or variables["state"].isin([UNMASKED, RENAMED, RESCALED]).any()
        or belong_together(first, second)
    ):
        where = f"by the key {key!r}" if key is not None else "in their order"
        raise FilesError(
            f"taken {where}, the records of the two files have nothing to do with each other; check who is who, or "
            "say aligned=True (--aligned on the command line, ALIGNED=1 with make) if the masking is so strong"
        )
    return pair


def _frame(file, name):
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
            f"the {name} file has two columns {shown(repeated[0])}; give each a name of its own"
        )
    if file.shape[1] == 0 or len(file) == 0:
        raise FilesError(
            f"the {name} file has no {'columns' if file.shape[1] == 0 else 'records'}; give a file of at least "
            f"{LEAST} records"
        )
    return file


def _same_persons(first, second, key, notes):
    """Row numbers in the original file, from 1, of the persons that both hold, and both files with these in that order."""
    what = f"key {key!r}" if key is not None else "index"
    for file, name in ((first, "original"), (second, "masked")):
        if not file.index.is_unique:
            raise FilesError(
                f"the {what} of the {name} file has {shown(file.index[file.index.duplicated()][0])} twice; give each "
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
        and len(first) >= LEAST
    ):
        return np.arange(len(first)) + 1, first, second
    places = second.index.get_indexer(first.index)
    common = places >= 0
    if common.sum() < LEAST:
        if len(first) >= LEAST and len(second) >= LEAST:
            raise FilesError(
                f"only {common.sum()} records of the original file are in the masked one by the {what}; "
                + (
                    "check that it is written alike in both"
                    if key is not None
                    else "reset it (reset_index) in both if their order says who is who, or name a column that does as the key"
                )
            )
        raise FilesError(f"the files share {common.sum()} records; give files of at least {LEAST}")
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


def _keyed(file, key, name):
    if isinstance(key, (list, pd.Series, pd.Index, np.ndarray)):
        raise FilesError(f"the key is a {type(key).__name__}; name one column")
    if key not in file:
        raise FilesError(
            f"the {name} file has no column {shown(key)} to be the key; name one of both files; it has "
            f"{_listed(file)}"
        )
    labels = as_texts(plain(file[key], key, name))  # 7 and 7.0 and "7" are the same person
    if labels.isna().any():
        raise FilesError(
            f"the key {key!r} of the {name} file is missing in record {int(labels.isna().to_numpy().argmax()) + 1}; "
            "fill it, or remove the record"
        )
    return file.drop(columns=key).set_axis(pd.Index(labels.astype(object), name=key))


def _common_columns(original, masked, key, notes):
    names = [name for name in original if name in masked.columns]
    alone = [
        [name for name in file if name not in other.columns]
        for file, other in ((original, masked), (masked, original))
    ]
    spelt = {_plain(name): name for name in alone[1]}
    for name in alone[0]:
        if _plain(name) in spelt:
            raise FilesError(
                f"the original file has a column {shown(name)} and the masked one {shown(spelt[_plain(name)])}; give "
                "them the same name, or unlike ones if they are different variables"
            )
    numbers = [next((name for name in some if NUMBER.fullmatch(str(name))), None) for some in alone]
    if None not in numbers:  # a first record each
        raise FilesError(
            f"both files have columns whose names are numbers, {shown(numbers[0])} in the original file and "
            f"{shown(numbers[1])} in the masked one; write a line of column names at the top of each"
        )
    if not names:
        raise FilesError(
            f"the files have no column in common{' but the key' if key is not None else ''}: the original has "
            f"{_listed(original)}, the masked one {_listed(masked)}; give columns that are the same variable the same "
            "name (for files without such, see rlpaper.linkage.no_common_variables)"
        )
    for some, which in zip(alone, ("original", "masked")):
        if some:
            notes.append(
                f"In the {which} file only, and so not linked on: {', '.join(map(str, some))}."
            )
    return names


def _listed(names, most=10):
    """Names in a message: the first, and how many more."""
    names = [" ".join(str(name).split())[:30] for name in names]
    return (", ".join(names[:most]) or "none") + (
        f" and {len(names) - most} more" if len(names) > most else ""
    )


def _plain(name):
    """What is left of a name when spelling is not minded."""
    return "".join(letter for letter in str(name).casefold() if letter.isalnum()) or str(name)


def _facts(kind, original, masked):
    """What can be said of a variable by looking at it."""
    same = (original == masked) | (original.isna() & masked.isna())
    if kind in ("number", "date"):
        # The last digit of a fraction can get lost between two programs, that of a whole number not.
        same |= ((original - masked).abs() <= 1e-12 * original.abs()) & (
            (original % 1 != 0) | (masked % 1 != 0)
        )
    return {
        "different": original.nunique(),
        "different masked": masked.nunique(),
        "missing": float(original.isna().mean()),
        "missing masked": float(masked.isna().mean()),
        "changed": float(1 - same.mean()),
        "state": state(kind, original, masked, same),
    }


def state(kind, original, masked, same):
    """Whether a variable was masked at all.

    ``unmasked``: all values are as they were. ``renamed``: categories have other names, one for one. ``rescaled``: numbers are
    other ones in the same (or the opposite) order, equal where they were equal. ``suppressed``: one value, or none, is left.
    ``constant``: there never was another one. Else ``masked``.
    """
    values, left = original.nunique(), masked.nunique()
    if values + original.isna().any() <= 1:
        return CONSTANT
    if same.all():
        return UNMASKED
    if left + masked.isna().any() <= 1:
        return SUPPRESSED
    if values != left or (original.isna() != masked.isna()).any():
        return MASKED
    first, second = (
        pd.factorize(column, sort=True)[0][column.notna()].astype(np.int64)
        for column in (original, masked)
    )
    pairs = np.unique(first * left + second)
    if len(pairs) > values:
        return MASKED
    # One for one. A text of its own for nearly every record says nothing once it has changed: pseudonyms, say.
    if kind in ("nominal", "ordinal"):
        return RENAMED if values <= len(original) / 2 else MASKED
    steps = np.diff(pairs % left)
    return RESCALED if (steps > 0).all() or (steps < 0).all() else MASKED


def _without_missing(name, kind, both, taken):
    """Columns of a variable, without missing values: (label, original, masked) each."""
    missing = [column.isna() for column in both]
    if not any(flags.any() for flags in missing):
        yield name, *both
    elif kind in ("number", "date"):
        yield (
            name,
            *(column.fillna(column.mean() if column.notna().any() else 0.0) for column in both),
        )
        label = f"{name} {MISSING}"
        while label in taken:
            label += "'"
        taken.add(label)
        dtype = pd.CategoricalDtype(["known", "missing"])
        yield (
            label,
            *(
                pd.Series(pd.Categorical.from_codes(flags.astype(int), dtype=dtype))
                for flags in missing
            ),
        )
    else:
        names = [str(value) for value in both[0].cat.categories]
        label = MISSING
        while label in names:
            label += "'"
        yield name, *(column.cat.add_categories([label]).fillna(label) for column in both)


def _check_informative(variables):
    if (variables["state"] == CONSTANT).all():
        raise FilesError(
            "every variable has one value only in the original file; give files with one that tells persons apart"
        )
