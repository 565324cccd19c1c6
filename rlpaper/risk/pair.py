"""Two files made comparable: records aligned, variables common_type, missing values by a stated policy."""

import os
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import pandas as pd

from .alignment_check import records_look_aligned
from .column_types import common_type
from .column_values import as_dates, short_repr
from .files import FilesError, check_path
from .masking_state import CONSTANT, RENAMED, RESCALED, UNMASKED, facts
from .same_persons import as_frame, by_key, common_columns, listed, same_persons

MISSING_LABEL = "(missing)"


@dataclass(frozen=True)
class Pair:
    """Two files ready to be linked.

    Attributes
    ----------
    original, masked : DataFrame
        The persons in both files, in the same order, numbered by their row in the original file
        from 1. Numbers as floats, categories as categoricals. A number that is missing has its
        file's mean, and a column of its own says so.
    variables : DataFrame
        A row a variable: `type` and `why`, `different` values, share of `missing` values in either
        file, share of values `changed`, and `state` (see `state`).
    columns : dict
        The columns of `original` and `masked` that stand for each variable; none for a constant
        one.
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
        Columns are matched by name. Without a key, records are matched by index label; by order
        where one is a CSV file.
    key : str, optional
        A column that says who is who in both files. It is not linked on.
    types : dict, optional
        The type of some variables, ``number``, ``date``, ``nominal``, ``ordinal`` or a list of
        ordered categories, where what is inferred is not right.
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
        raise FilesError(f"aligned is {short_repr(aligned)}; give True or False")
    given = (original, "original"), (masked, "masked")
    for file, name in given:  # before the first one is read, which may take long
        if isinstance(file, (str, os.PathLike)):
            check_path(file, name)
    files = [as_frame(file, name) for file, name in given]
    if any(isinstance(file, (str, os.PathLike)) for file in (original, masked)):
        files = [
            file.reset_index(drop=True) for file in files
        ]  # the labels of the other file are not in a CSV file
    if key is not None:
        files = [by_key(file, key, name) for file, name in zip(files, ("original", "masked"))]
    notes = []
    names = common_columns(*files, key, notes)
    rows, *files = same_persons(*files, key, notes)
    for wished in types or {}:
        if wished not in names:
            raise FilesError(
                f"a type is given for {short_repr(wished)}, which is no variable of both files; choose from "
                f"{listed(names)}"
            )
    columns, prepared, table, taken = {}, [{}, {}], [], set(names)
    for name in names:
        kind, *both, why = common_type(files[0][name], files[1][name], (types or {}).get(name), name)
        row = {"variable": name, "type": kind, "why": why, **facts(kind, *both)}
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
        or records_look_aligned(first, second)
    ):
        where = f"by the key {key!r}" if key is not None else "in their order"
        raise FilesError(
            f"taken {where}, the records of the two files have nothing to do with each other; check who is who, or "
            "say aligned=True (--aligned on the command line, ALIGNED=1 with make) if the masking is so strong"
        )
    return pair


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
        label = f"{name} {MISSING_LABEL}"
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
        label = MISSING_LABEL
        while label in names:
            label += "'"
        yield name, *(column.cat.add_categories([label]).fillna(label) for column in both)


def _check_informative(variables):
    if (variables["state"] == CONSTANT).all():
        raise FilesError(
            "every variable has one value only in the original file; give files with one that tells persons apart"
        )
