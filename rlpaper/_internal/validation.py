"""What a function refuses before it computes: one wording for one mistake.

What to do about it differs from method to method, so whoever checks says it (`instead`).
"""

import math
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
import pandas as pd

from .hints import Label, RandomState, Transitions

MAX_SHOWN = 60  # characters of a wrong value
MAX_SQUARED = 1e150  # up to which squares and their sums are finite
SHARE_ROUNDING = 1e-9  # by which a share may miss 1


def check_option(name: str, value: object, options: Iterable) -> None:
    """Refuse a value that is none of the options."""
    options = list(options)
    if not any(isinstance(value, type(option)) and value == option for option in options):
        raise ValueError(f"{name} is {shown(value)}; it is one of {', '.join(map(str, options))}")


def check_number(
    name: str,
    value: Any,
    what: str,
    least: float = -math.inf,
    largest: float = math.inf,
    *,
    whole: bool = False,
) -> None:
    """Refuse what is not a finite number between two others, these included."""
    # Whole numbers of any size are compared as they are.
    number: Any = float(value) if isinstance(value, np.floating) else value
    if (
        isinstance(value, bool | np.bool_)
        or not isinstance(number, int | float | np.integer)
        or number in (-math.inf, math.inf)
        or not least <= number <= largest
        or (whole and number % 1 != 0)
    ):
        raise ValueError(f"{name} is {shown(value)}; it is {what}")


def check_list(name: str, value: Any) -> list:
    """Return what is given for one thing after the other; refuse what holds none."""
    if (
        isinstance(value, str | bytes)
        or not isinstance(value, Sequence | np.ndarray | pd.Series | pd.Index)
        or (isinstance(value, np.ndarray) and value.ndim == 0)
    ):
        raise ValueError(f"{name} is {shown(value)}; give a list")
    return [*value]


def random_generator(random_state: RandomState) -> np.random.Generator:
    """Return the generator that a seed stands for; refuse what is none."""
    if random_state is not None and not isinstance(random_state, np.random.Generator):
        check_number(
            "random_state",
            random_state,
            "a whole number, 0 or more, or a numpy Generator",
            0,
            whole=True,
        )
        random_state = int(random_state)
    return np.random.default_rng(random_state)


def check_frame(frame: object, name: str) -> None:
    """Refuse what is not a table of pandas."""
    if not isinstance(frame, pd.DataFrame):
        raise ValueError(
            f"{name} is {shown(frame)}; give a pandas DataFrame with one row per record "
            "(pd.DataFrame(...) makes one)"
        )


def shown(value: object) -> str:
    """Return a wrong value in a few words, for the message that refuses it."""
    if value is None or isinstance(value, str | int | float | bool | np.generic):
        text = repr(value.item() if isinstance(value, np.generic) else value)
        return text if len(text) <= MAX_SHOWN else f"{text[:MAX_SHOWN]}..."
    if isinstance(value, type):
        return f"the class {value.__name__}"
    if callable(value):
        return f"the function {getattr(value, '__name__', type(value).__name__)}"
    return f"of the type {type(value).__name__}"


def check_file(df: pd.DataFrame, file: str) -> None:
    """Refuse what is not a table with records, and columns of different names."""
    check_frame(df, file)
    if df.empty:
        raise ValueError(f"{file} is empty; it needs at least one record and one column")
    check_column_names(df, file)


def check_comparable(original: pd.DataFrame, masked: pd.DataFrame) -> None:
    """Refuse two files whose records cannot be compared: both need the same columns."""
    check_file(original, "the original file")
    check_file(masked, "the masked file")
    check_columns(original, masked)


def check_files(original: pd.DataFrame, masked: pd.DataFrame) -> None:
    """Refuse two files that cannot be linked: labels must say who is who, columns must be equal."""
    check_comparable(original, masked)
    check_record_labels(original, "the original file")
    check_record_labels(masked, "the masked file")
    if original.index.equals(masked.index):
        return
    smaller, larger = sorted((original.index, masked.index), key=len)
    stranger = smaller.difference(larger, sort=False)
    if len(stranger):
        raise ValueError(
            f"the files are misaligned: record {stranger.tolist()[0]!r} is in one file only; give "
            "the records of an individual the same index label in both files"
        )


def check_column_names(df: pd.DataFrame, file: str) -> None:
    """Refuse a file with two columns of one name."""
    if not df.columns.is_unique:
        repeated = df.columns[df.columns.duplicated()].tolist()[0]
        raise ValueError(f"{file} has two columns {repeated!r}; give each a name of its own")


def check_record_labels(df: pd.DataFrame, file: str) -> None:
    """Refuse a file with two records of one label."""
    if not df.index.is_unique:
        repeated = df.index[df.index.duplicated()].tolist()[0]
        raise ValueError(
            f"the index of {file} has {repeated!r} twice; labels say who is who, so each must "
            "occur once (reset_index(drop=True) numbers the records)"
        )


def check_columns(original: pd.DataFrame, masked: pd.DataFrame) -> None:
    """Refuse two files that differ in their columns or in the order of these."""
    if list(original.columns) != list(masked.columns):
        raise ValueError(
            f"the files have different columns, {list(original.columns)} and "
            f"{list(masked.columns)}; select the same ones, in the same order, from both"
        )


def aligned(original: pd.DataFrame, masked: pd.DataFrame) -> pd.DataFrame:
    """Return the masked file in the order of the original records; refuse missing values."""
    check_file(original, "the original file")
    check_file(masked, "the masked file")
    if (
        list(original.columns) != list(masked.columns)
        or len(original) != len(masked)
        or not original.index.is_unique
        or not masked.index.is_unique
        or len(original.index.difference(masked.index, sort=False))
    ):
        raise ValueError(
            "original and masked file must have the same columns in the same order, and the same "
            "individuals, each under its own index label"
        )
    check_missing(original)
    check_missing(masked)
    return masked.loc[original.index]


def check_missing(
    df: pd.DataFrame,
    file: str = "",
    instead: str = "make missing a category of its own, or drop the record first",
) -> None:
    """Refuse missing values of any kind of column."""
    refuse_values(df, df.isna().to_numpy(), "missing", instead, file)


def finite_array(df: pd.DataFrame, file: str) -> np.ndarray:
    """Return a frame's values as floats; refuse what is not numeric, missing or infinite."""
    values = numeric_array(
        df,
        "leave it out, or make it a category (.astype('category')) and use a distance for "
        "categories (gower, mixed, categorical)",
        file,
    )
    refuse_values(
        df, ~np.isfinite(values), "missing or infinite", "fill it or drop the record first", file
    )
    return values


def numeric_array(
    df: pd.DataFrame, instead: str, file: str = "", booleans: bool = True
) -> np.ndarray:
    """Return a frame's values as floats, missing ones as NaN; refuse columns of another type."""
    for column, dtype in df.dtypes.items():
        if (
            not pd.api.types.is_numeric_dtype(dtype)
            or pd.api.types.is_complex_dtype(dtype)
            or (not booleans and pd.api.types.is_bool_dtype(dtype))
        ):
            raise ValueError(f"column {column!r}{_of(file)} is not numeric; {instead}")
    return df.to_numpy(float, na_value=np.nan)


def refuse_values(
    df: pd.DataFrame, wrong: np.ndarray, what: str, instead: str, file: str = ""
) -> None:
    """Refuse a file some of whose values are wrong, and say where the first of them stands."""
    if wrong.any():
        row, column = np.argwhere(wrong)[0]
        record, name = df.index[[row]].tolist()[0], df.columns[[column]].tolist()[0]
        raise ValueError(
            f"column {name!r}{_of(file)} has a value that is {what} in record {record!r}; {instead}"
        )


def check_size(values: np.ndarray, df: pd.DataFrame, file: str) -> None:
    """Refuse numbers whose differences cannot be squared and summed; `df` has their names."""
    refuse_values(
        df,
        ~(np.abs(values) < MAX_SQUARED),
        "too large to be squared",
        "divide the column, or standardise it by its own file",
        file,
    )


def transition_table(transitions: Transitions, column: Label) -> pd.DataFrame:
    """Return the table of what becomes of a column's categories; refuse what is none."""
    check_transitions(transitions)
    if column not in transitions:
        raise ValueError(
            f"transitions has no table for column {column!r}; those of a masking have one for each"
        )
    table = transitions[column]
    check_frame(table, f"the table of column {column!r} in transitions")
    for labels, kind in ((table.index, "rows"), (table.columns, "columns")):
        if not labels.is_unique:
            raise ValueError(
                f"the transitions of column {column!r} have two {kind} "
                f"{labels[labels.duplicated()].tolist()[0]!r}; give one for each category"
            )
    types = pd.api.types
    real = all(types.is_numeric_dtype(d) and not types.is_complex_dtype(d) for d in table.dtypes)
    shares = table.to_numpy(float, na_value=np.nan) if real else np.full(table.shape, -1)
    if ((shares < 0) | (shares > 1 + SHARE_ROUNDING)).any():
        raise ValueError(
            f"the transitions of column {column!r} have a cell that is no probability; they are "
            "numbers from 0 to 1"
        )
    return table


def check_transitions(transitions: Transitions) -> None:
    """Refuse what does not hold a table for each column."""
    if not isinstance(transitions, dict):
        raise ValueError(
            f"transitions is {shown(transitions)}; it is a dict with a table for each column, as "
            "the method transitions of a masking returns it"
        )


def check_hashable(df: pd.DataFrame, file: str = "") -> None:
    """Refuse lists and whatever else cannot be told apart as a category."""
    objects = df.loc[:, df.dtypes == "object"]
    wrong = ~objects.map(pd.api.types.is_hashable).to_numpy(bool)
    refuse_values(objects, wrong, "no category", "write it as text", file)


def records_in_rows(name: str, values: Any) -> pd.DataFrame:
    """Return a table of numbers, a frame or anything with records in rows, as a frame."""
    if isinstance(values, pd.DataFrame):
        frame = values
    elif isinstance(values, np.ndarray) and values.ndim == 2:
        frame = pd.DataFrame(values)
    else:
        rows = [
            check_list(f"an item of {name}, which has records in rows,", row)
            for row in check_list(name, values)
        ]
        if len({len(row) for row in rows}) > 1:
            raise ValueError(f"{name} has rows of different lengths; give one row per record")
        frame = pd.DataFrame(rows)
    frame = frame.infer_objects()
    check_file(frame, f"the file of {name}")
    return frame


def _of(file: str) -> str:
    return f" of the {file} file" if file else ""
