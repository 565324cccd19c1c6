"""Two files made comparable: records aligned, variables typed, missing values replaced."""

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from .._internal.hints import Label
from .._internal.magnitudes import exponents, near_one
from .alignment_check import records_look_aligned
from .column_types import IDENTIFIER, common_type, hints
from .column_values import as_dates, listed, short_repr
from .files import FilesError, check_path
from .masking_state import CONSTANT, RENAMED, RESCALED, UNMASKED, facts
from .same_persons import as_frame, by_key, common_columns, perhaps_key, same_persons

MISSING_LABEL = "(missing)"


@dataclass(frozen=True)
class Pair:
    """Two files ready to be linked.

    Attributes
    ----------
    original, masked : DataFrame
        The persons in both files, in the same order, numbered by their row in the original file
        from 1. Numbers as floats, categories as categoricals. A missing number is replaced by the
        mean of its file, and a column of its own says that it was missing.
    variables : DataFrame
        One row per variable: `type` and `why`, `different` values, share of `missing` values in
        either file, share of values `changed`, and `state` (see `masking_state.state`).
    columns : dict
        The columns of `original` and `masked` that stand for each variable; none for a constant
        one and for record numbers.
    labels : Index
        What the records are called: key or index.
    notes : list of str
        What was done to get here that a reader must know.
    """

    original: pd.DataFrame
    masked: pd.DataFrame
    variables: pd.DataFrame
    columns: dict[Label, list[Label]]
    labels: pd.Index
    notes: list[str]

    def __len__(self) -> int:
        """Return the number of persons."""
        return len(self.original)

    def select(self, columns: list[Label] | None = None) -> tuple[pd.DataFrame, pd.DataFrame]:
        """Return both files with some columns, or with all."""
        if columns is None:
            return self.original, self.masked
        return self.original[columns], self.masked[columns]

    @property
    def used(self) -> list[Label]:
        """The variables that can say something."""
        return [variable for variable, names in self.columns.items() if names]

    @property
    def values(self) -> pd.DataFrame:
        """The original values of the variables that can say something.

        Dates are texts; missing numbers and dates are empty.
        """
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
    def numbers(self) -> list[Label]:
        """The columns that hold numbers."""
        dtypes = self.original.dtypes
        return [name for name, dtype in dtypes.items() if pd.api.types.is_float_dtype(dtype)]


def prepare(
    original: pd.DataFrame | str | os.PathLike,
    masked: pd.DataFrame | str | os.PathLike,
    key: Label | None = None,
    types: Mapping[Any, Any] | None = None,
    aligned: bool = False,
) -> Pair:
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
    _check_options(types, aligned)
    types = {} if types is None else types
    files = _read(original, masked)
    if key is not None:
        files = by_key(files[0], key, "original"), by_key(files[1], key, "masked")
    notes: list[str] = []
    names = common_columns(*files, key, notes)
    rows, first, second = same_persons(*files, key, notes)
    _check_types(types, names)
    table, taken = [], set(names)
    columns: dict[Label, list[Label]] = {}
    prepared: tuple[dict, dict] = {}, {}
    for name in names:
        column_type, *both, why = common_type(first[name], second[name], types.get(name), name)
        table.append(
            {"variable": name, "type": column_type, "why": why, **facts(column_type, *both)}
        )
        columns[name] = []
        if table[-1]["state"] != CONSTANT and column_type != IDENTIFIER:
            for label, *values in _without_missing(name, column_type, both, taken):
                columns[name].append(label)
                for frame, column in zip(prepared, values, strict=True):
                    frame[label] = column.array
    variables = pd.DataFrame(table).set_index("variable")
    _check_informative(columns, variables["type"])
    notes += hints(variables["why"])
    index = pd.Index(rows, name="row")
    original, masked = (pd.DataFrame(frame, index) for frame in prepared)
    notes += _identifying(variables.drop(list(types)), original, key)
    if not aligned:
        _check_aligned(original, masked, variables["state"], key, files)
    return Pair(original, masked, variables, columns, first.index, notes)


def check_truth(name: str, value: Any) -> None:
    """Refuse an option that is neither true nor false."""
    if not isinstance(value, (bool, np.bool_)):
        raise FilesError(f"{name} is {short_repr(value)}; give True or False")


def _check_options(types: Any, aligned: Any) -> None:
    if types is not None and not isinstance(types, Mapping):
        raise FilesError(
            f"types is a {type(types).__name__}; give a dict of columns and their types"
        )
    check_truth("aligned", aligned)


def _read(original: Any, masked: Any) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Read both files; where one is a CSV file, records are matched by their order."""
    given = {"original": original, "masked": masked}
    paths = {name: file for name, file in given.items() if isinstance(file, (str, os.PathLike))}
    for name, path in paths.items():  # before the first one is read, which may take long
        check_path(path, name)
    first, second = (as_frame(file, name) for name, file in given.items())
    if paths:  # the index labels of the other file are not in a CSV file
        return first.reset_index(drop=True), second.reset_index(drop=True)
    return first, second


def _check_types(types: Mapping[Any, Any], names: list[Label]) -> None:
    unknown = [name for name in types if name not in names]
    if unknown:
        raise FilesError(
            f"a type is given for {short_repr(unknown[0])}, which is not a variable of both files; "
            f"choose from {listed(names)}"
        )


def _without_missing(
    name: Label, column_type: str, both: list[pd.Series], taken: set[Label]
) -> Iterator[tuple]:
    """Yield the columns of a variable, without missing values: (label, original, masked) each."""
    missing = [column.isna() for column in both]
    if not any(flags.any() for flags in missing):
        yield name, *both
    elif column_type in ("number", "date"):
        yield name, *(column.fillna(_mean(column)) for column in both)
        label = f"{name} {MISSING_LABEL}"
        while label in taken:
            label += "'"
        taken.add(label)
        dtype = pd.CategoricalDtype(["known", "missing"])
        flags = [pd.Categorical.from_codes(each.astype(int), dtype=dtype) for each in missing]
        yield label, *map(pd.Series, flags)
    else:
        categories = [str(value) for value in both[0].cat.categories]
        label = MISSING_LABEL
        while label in categories:
            label += "'"
        yield name, *(column.cat.add_categories([label]).fillna(label) for column in both)


def _mean(column: pd.Series) -> float:
    """Return the mean of numbers of any size; 0 if all are missing."""
    if column.isna().all():
        return 0.0
    power = exponents(column.dropna().to_numpy())
    mean = pd.Series(near_one(column.to_numpy(), power)).mean()
    return float(near_one(np.array(mean), -power))


def _check_informative(columns: dict[Label, list[Label]], types: pd.Series) -> None:
    if any(columns.values()):
        return
    numbers = list(types.index[types == IDENTIFIER])
    if numbers:
        raise FilesError(
            f"no variable tells persons apart but record numbers: {listed(numbers)}; give it the "
            "type number if it is an amount, else give files with other variables"
        )
    raise FilesError(
        "every variable has one value only in the original file; give files with one that tells "
        "persons apart"
    )


def _check_aligned(
    original: pd.DataFrame,
    masked: pd.DataFrame,
    states: pd.Series,
    key: Label | None,
    files: tuple[pd.DataFrame, pd.DataFrame],
) -> None:
    if states.isin([UNMASKED, RENAMED, RESCALED]).any() or records_look_aligned(original, masked):
        return
    where = f"by the key {key!r}" if key is not None else "in their order"
    perhaps = perhaps_key(*files)
    raise FilesError(
        f"taken {where}, the records of the two files have nothing to do with each other; check "
        f"who is who{perhaps}, or say aligned=True (--aligned on the command line, ALIGNED=1 with "
        "make) if the masking is so strong"
    )


def _identifying(variables: pd.DataFrame, original: pd.DataFrame, key: Label | None) -> list[str]:
    """Return what to say of variables that may be names of persons and were not masked."""
    unlike = variables[
        (variables["different"] == len(original))
        & (variables["state"] == UNMASKED)
        & variables["type"].isin(["number", "nominal", "ordinal"])
    ]
    names = [
        name
        for name, column_type in unlike["type"].items()
        if column_type != "number" or (original[name] % 1 == 0).all()
    ]
    if not names:
        return []
    remedy = "name it as the key (key=, --key)" if key is None else "remove it"
    return [
        f"Different for every person, and left as they were: {listed(names)}. If one of them is "
        f"in the files only to say who is who, {remedy}, so that it is not linked on."
    ]
