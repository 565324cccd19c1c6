"""Two files made comparable: records aligned, variables typed, missing values by a stated policy."""

from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd

from .reading import FilesError, read_csv
from .types import typed

LEAST = 10  # records
MISSING = "(missing)"

#: What a variable that was not masked is called, and why.
UNMASKED, RENAMED, RESCALED, SUPPRESSED, CONSTANT, MASKED = (
    "unmasked", "renamed", "rescaled", "suppressed", "constant", "masked")


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
    def numbers(self):
        """The columns that hold numbers."""
        return [name for name, dtype in self.original.dtypes.items() if dtype == float]


def prepare(original, masked, key=None, types=None, aligned=False):
    """Make two files comparable.

    Parameters
    ----------
    original, masked : DataFrame or path of a CSV file
        Columns are matched by name. Without a key, records are matched by index label (in CSV files: by order).
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
    files = [_frame(file, name) for file, name in ((original, "original"), (masked, "masked"))]
    notes = []
    rows, *files = _same_persons(files, key, notes)
    names = _common_columns(*files, key, notes)
    for wished in types or {}:
        if wished not in names:
            raise FilesError(f"a type is given for {wished!r}, which is no variable of both files; they share {', '.join(map(str, names))}")
    columns, prepared, table = {}, [{}, {}], []
    for name in names:
        kind, *both, why = typed(files[0][name], files[1][name], (types or {}).get(name), name)
        row = {"variable": name, "type": kind, "why": why, **_facts(kind, *both)}
        columns[name] = []
        if row["state"] != CONSTANT:
            for label, *values in _without_missing(name, kind, both, set(names)):
                columns[name].append(label)
                for frame, column in zip(prepared, values):
                    frame[label] = column.to_numpy() if kind in ("number", "date") and label == name else column.array
        table.append(row)
    variables = pd.DataFrame(table).set_index("variable")
    _check_informative(variables)
    first, second = (pd.DataFrame(frame, index=pd.Index(rows, name="row")) for frame in prepared)
    pair = Pair(first, second, variables, columns, files[0].index, notes)
    if not aligned:
        _check_alignment(pair, key)
    return pair


def _frame(file, name):
    if isinstance(file, (str, Path)):
        file = read_csv(file, name)
    if not isinstance(file, pd.DataFrame):
        raise FilesError(f"the {name} file is a {type(file).__name__}; give a DataFrame or the path of a CSV file")
    if isinstance(file.columns, pd.MultiIndex):
        raise FilesError(f"the columns of the {name} file have several levels; give each column one name")
    for column in file.columns:
        if pd.isna(column) or not str(column).strip():
            raise FilesError(f"the {name} file has a column without a name; name every column, or remove it")
    repeated = file.columns[file.columns.duplicated()]
    if len(repeated):
        raise FilesError(f"the {name} file has two columns {repeated[0]!r}; give each a name of its own")
    if file.shape[1] == 0 or len(file) == 0:
        raise FilesError(f"the {name} file has no {'columns' if file.shape[1] == 0 else 'records'}; there is nothing to link")
    return file


def _same_persons(files, key, notes):
    """Row numbers in the original file, from 1, of the persons that both hold, and both files with these in that order."""
    if key is not None:
        files = [_keyed(file, key, name) for file, name in zip(files, ("original", "masked"))]
    first, second = files
    what = f"key {key!r}" if key is not None else "index"
    for file, name in zip(files, ("original", "masked")):
        if not file.index.is_unique:
            raise FilesError(f"the {what} of the {name} file has {file.index[file.index.duplicated()][0]!r} twice; it says who is who, so "
                             "each record needs its own")
    if key is None and len(first) != len(second):
        raise FilesError(f"the original file has {len(first)} records and the masked one {len(second)}: their order cannot say who is who; "
                         "name a column that does as the key")
    common = first.index.isin(second.index)
    if common.sum() < LEAST:
        if len(first) >= LEAST and len(second) >= LEAST:
            raise FilesError(f"only {common.sum()} records of the original file are in the masked one by the {what}; check that it is "
                             "written alike in both")
        raise FilesError(f"the files share {common.sum()} records; an assessment needs at least {LEAST}")
    for count, name in ((len(first) - common.sum(), "original"), (len(second) - common.sum(), "masked")):
        if count:
            notes.append(f"{count:,} records are in the {name} file only and are left out. Linked are the {common.sum():,} persons in both; "
                         "an attacker who does not know who is in both files finds fewer.")
    first = first[common]
    return np.flatnonzero(common) + 1, first, second.loc[first.index]


def _keyed(file, key, name):
    if key not in file:
        raise FilesError(f"the {name} file has no column {key!r} to be the key; it has {', '.join(map(str, file.columns))}")
    values = file[key]
    if values.isna().any():
        raise FilesError(f"the key {key!r} of the {name} file is missing in record {int(values.isna().to_numpy().argmax()) + 1}; fill it, or "
                         "remove the record")
    # 7 and 7.0 and "7" are the same person.
    labels = values.astype(str).str.strip().str.replace(r"\.0$", "", regex=True)
    return file.drop(columns=key).set_axis(pd.Index(labels, name=key))


def _common_columns(original, masked, key, notes):
    names = [name for name in original if name in masked.columns]
    for file, other, which in ((original, masked, "original"), (masked, original, "masked")):
        alone = [name for name in file if name not in other.columns]
        for name in alone:
            similar = [candidate for candidate in other if candidate not in file.columns and _plain(candidate) == _plain(name)]
            if similar:
                raise FilesError(f"the original file has a column {name!r} and the masked one {similar[0]!r}; if they are the same "
                                 "variable, give them the same name")
        if alone:
            notes.append(f"In the {which} file only, and so not linked on: {', '.join(map(str, alone))}.")
    if not names:
        raise FilesError(f"the files have no column in common{' but the key' if key is not None else ''}: the original has "
                         f"{', '.join(map(str, original)) or 'none'}, the masked one {', '.join(map(str, masked)) or 'none'}; without "
                         "common variables, see rlpaper.linkage.representatives")
    return names


def _plain(name):
    return "".join(letter for letter in str(name).lower() if letter.isalnum())


def _facts(kind, original, masked):
    """What can be said of a variable by looking at it."""
    same = (original == masked) | (original.isna() & masked.isna())
    if kind in ("number", "date"):
        same |= (original - masked).abs() <= 1e-12 * original.abs()
    return {"different": original.nunique(), "different masked": masked.nunique(),
            "missing": float(original.isna().mean()), "missing masked": float(masked.isna().mean()),
            "changed": float(1 - same.mean()), "state": state(kind, original, masked, same)}


def state(kind, original, masked, same):
    """Whether a variable was masked at all.

    ``unmasked``: all values are as they were. ``renamed``: categories have other names, one for one. ``rescaled``: numbers are other
    ones in the same (or the opposite) order, equal where they were equal. ``suppressed``: one value, or none, is left. ``constant``: there
    never was another one. Else ``masked``.
    """
    values = original.nunique() + original.isna().any()
    if values <= 1:
        return CONSTANT
    if same.all():
        return UNMASKED
    if masked.nunique() + masked.isna().any() <= 1:
        return SUPPRESSED
    if not (original.isna() == masked.isna()).all() or original.nunique() != masked.nunique():
        return MASKED
    pairs = pd.DataFrame({"from": original.astype(object), "to": masked.astype(object)}).dropna().drop_duplicates()
    if len(pairs) > original.nunique():
        return MASKED
    # One for one. A text of its own for nearly every record says nothing once it has changed: pseudonyms, say.
    if kind in ("nominal", "ordinal"):
        return RENAMED if len(pairs) <= len(original) / 2 else MASKED
    order = pairs.sort_values("from")["to"].astype(float)
    return RESCALED if order.is_monotonic_increasing or order.is_monotonic_decreasing else MASKED


def _without_missing(name, kind, both, taken):
    """Columns of a variable, without missing values: (label, original, masked) each."""
    missing = [column.isna() for column in both]
    if not any(flags.any() for flags in missing):
        yield name, *both
    elif kind in ("number", "date"):
        yield name, *(column.fillna(column.mean() if column.notna().any() else 0.0) for column in both)
        label = f"{name} {MISSING}"
        while label in taken:
            label += "'"
        dtype = pd.CategoricalDtype(["known", "missing"])
        yield label, *(pd.Series(pd.Categorical.from_codes(flags.astype(int), dtype=dtype)) for flags in missing)
    else:
        names = [str(value) for value in both[0].cat.categories]
        label = MISSING
        while label in names:
            label += "'"
        yield name, *(column.cat.add_categories([label]).fillna(label) for column in both)


def _check_informative(variables):
    if (variables["state"] == CONSTANT).all():
        raise FilesError("every variable has one value only in the original file; there is nothing to tell persons apart by")


def _check_alignment(pair, key):
    """Refuse files whose records do not seem to belong together: no variable shows more agreement than other orders do."""
    if pair.variables["state"].isin([UNMASKED, RENAMED, RESCALED]).any():
        return
    largest = max((abs(_association(pair.original[name], pair.masked[name])) for name in pair.original), default=0)
    if largest < 4 / np.sqrt(len(pair)):  # four standard errors of no association
        where = f"by the key {key!r}" if key is not None else "in their order"
        raise FilesError(f"taken {where}, the records of the two files have nothing to do with each other (the largest correlation of a "
                         f"variable with its masked form is {largest:.2f}); check who is who, or say aligned if the masking is so strong")


def _association(original, masked):
    """Rank correlation of numbers; Cohen's kappa of categories."""
    if original.dtype == float:
        if original.nunique() < 2 or masked.nunique() < 2:
            return 0.0
        return float(np.corrcoef(original.rank(), masked.rank())[0, 1])
    codes = original.cat.codes.to_numpy(), masked.cat.codes.to_numpy()
    shares = [np.bincount(code, minlength=len(original.cat.categories)) / len(original) for code in codes]
    chance = float(shares[0] @ shares[1])
    return ((codes[0] == codes[1]).mean() - chance) / (1 - chance) if chance < 1 else 0.0
