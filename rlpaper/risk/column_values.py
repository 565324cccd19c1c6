"""The values of a column as people write them: texts, numbers, dates, truth values, or none."""

import datetime
import re
from collections.abc import Iterable
from decimal import Decimal
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from .._internal.hints import Label
from .column_forms import date, date_order, decimal_mark, number
from .files import FilesError

#: Texts that stand for a missing value, unless an order of categories names them.
MISSING_TEXTS = frozenset({"", "NA", "N/A", "n/a", "NaN", "nan", "NULL", "null", "None", "?", "."})

#: A whole number written as a float, and one that a float cannot hold.
WHOLE_FLOAT = re.compile(r"([+-]?\d+)\.0+", re.ASCII)
LONG_INTEGER = re.compile(r"[+-]?\d{16,}", re.ASCII)
ACCEPTED_TYPES, REFUSED_TYPES = (
    (str, int, float, np.number, np.bool_, Decimal, datetime.date),
    (complex, np.complexfloating, np.timedelta64),
)
MAX_VALUE_CHARACTERS = 60  # in a message
MAX_NAMES_LISTED, MAX_NAME_CHARACTERS = 10, 30  # in a message
MAX_EXACT = 2**53  # up to which floats hold every whole number
EPOCH = datetime.datetime(1970, 1, 1)


def as_text_categories(
    column: pd.Series, name: Label, file: str, keep: Iterable[str] = ()
) -> pd.Series:
    """Make a column categories that are texts, in the order of the file.

    Where its dtype says numbers or times, it stays as it is. Texts that stand for a missing value
    are missing, but for those in `keep`.
    """
    dtype, types = column.dtype, pd.api.types
    if types.is_complex_dtype(dtype):
        raise FilesError(
            f"column {name!r} of the {file} file has complex numbers; convert them to real ones"
        )
    if isinstance(dtype, pd.CategoricalDtype):
        column = column.cat.remove_unused_categories()
        codes, values = column.cat.codes, column.cat.categories
        _check_types(values, name, file)
    elif types.is_object_dtype(dtype) or types.is_bool_dtype(dtype) or types.is_string_dtype(dtype):
        if types.is_object_dtype(dtype) and set(map(type, column)) - {str, type(None)}:
            _check_types(column, name, file)
            # Before equal ones are put together: True is 1 in Python.
            texts = [None if pd.isna(value) else as_text(value) for value in column]
            column = pd.Series(texts, dtype=object)
        codes, values = pd.factorize(column)
    elif types.is_numeric_dtype(dtype) or types.is_datetime64_any_dtype(dtype):
        return column.reset_index(drop=True)
    else:
        raise FilesError(
            f"column {name!r} of the {file} file has dtype {dtype}; convert it to numbers, "
            "dates or text"
        )
    gone = MISSING_TEXTS.difference(keep)
    return from_texts(codes, (None if text in gone else text for text in map(as_text, values)))


def from_texts(codes: ArrayLike, texts: Iterable[str | None]) -> pd.Series:
    """Make categories of texts, given the number of each value's text.

    Equal texts are one category, None is missing.
    """
    again, different = pd.factorize(np.array(list(texts), object))
    # Many are looked at one by one, for which the dtype of texts is slow.
    index = pd.Index(different, dtype=object)
    return pd.Series(pd.Categorical.from_codes(np.append(again, -1)[np.asarray(codes)], index))


def _check_types(values: pd.Series | pd.Index, name: Label, file: str) -> None:
    """Refuse values that are neither numbers, texts, dates nor truth values."""
    for position, value in enumerate(values):
        if isinstance(value, REFUSED_TYPES) or not (
            isinstance(value, ACCEPTED_TYPES) or pd.api.types.is_scalar(value) and pd.isna(value)
        ):
            where = (
                f", in {record(values.index, position)} first"
                if isinstance(values, pd.Series)
                else ""
            )
            raise FilesError(
                f"column {name!r} of the {file} file holds values of type {type(value).__name__}"
                f"{where}; convert them to numbers or text"
            )


def as_text(value: Any) -> str:
    """Write a value as text: 7, 7.0 and "7" are the same, and so are a day and its midnight."""
    if isinstance(value, datetime.date):
        return str(value).removesuffix(" 00:00:00")
    text = in_utf8(str(value).strip())
    whole = text.endswith("0") and WHOLE_FLOAT.fullmatch(text)
    return whole[1] if whole else text


def texts_of(column: pd.Series) -> list[str]:
    """Return the different texts of a column, none where its dtype says numbers or times."""
    return list(column.cat.categories) if isinstance(column.dtype, pd.CategoricalDtype) else []


def in_utf8(text: str) -> str:
    """Replace what UTF-8 cannot write, half of a pair of surrogates, by its number."""
    return text if text.isascii() else text.encode("utf-8", "backslashreplace").decode()


def as_numbers(column: pd.Series, other: pd.Series) -> tuple[pd.Series | None, bool]:
    """Read a column as floats.

    Parameters
    ----------
    column, other : Series
        The column, and the same one in the other file, which may show how numbers are written.

    Returns
    -------
    Series or None, bool
        None if it holds something else, such as truth values; and whether it is unsure what a mark
        in front of three digits means.
    """
    if pd.api.types.is_datetime64_any_dtype(column):
        return (None if column.notna().any() else pd.Series(np.nan, column.index)), False
    if not isinstance(column.dtype, pd.CategoricalDtype):
        return pd.Series(column.to_numpy(float, na_value=np.nan)), False
    texts = texts_of(column)
    decimal, unsure = decimal_mark(texts, texts_of(other))
    if decimal is None:
        return None, False
    return _by_text(column, (number(text, decimal) for text in texts)), unsure


def as_dates(days: pd.Series) -> pd.Series:
    """Write days since 1970 as texts, with the time where one of them has a time.

    Examples
    --------
    >>> as_dates(pd.Series([-1054.0, 0.0])).tolist()
    ['1967-02-12', '1970-01-01']
    """
    times = np.datetime64(EPOCH, "s") + (days * 86_400).round().astype("timedelta64[s]").to_numpy()
    texts = np.datetime_as_string(times, "D" if (days % 1 == 0).all() else "s")
    return pd.Series(np.char.replace(texts, "T", " "), days.index, dtype=object)


def as_days(
    column: pd.Series, other: pd.Series, name: Label, file: str
) -> tuple[pd.Series | None, bool]:
    """Read a column as days since 1970.

    Parameters
    ----------
    column, other : Series
        As for `as_numbers`.
    name, file : str
        Of the column and of its file, for messages.

    Returns
    -------
    Series or None, bool
        None if it holds something else than dates; and whether it is unsure if the day or the
        month comes first.
    """
    if pd.api.types.is_datetime64_any_dtype(column):
        days = (column.dt.tz_localize(None) - pd.Timestamp(EPOCH)) / pd.Timedelta(days=1)
        return days, False
    if not isinstance(column.dtype, pd.CategoricalDtype):
        return (None if column.notna().any() else pd.Series(np.nan, column.index)), False
    texts = texts_of(column)
    order, unsure = date_order(texts, texts_of(other))
    if order is None:
        return None, False
    dates = {text: date(text, order) for text in texts}
    wrong = [text for text, day in dates.items() if day is None]
    if 2 * len(wrong) > len(texts):
        return None, False  # codes
    if wrong:
        raise FilesError(
            f"column {name!r} of the {file} file has {wrong[0]!r}, which is not a day of the "
            "calendar; correct it or leave it empty, or give the column the type nominal"
        )
    one = datetime.timedelta(days=1)
    return _by_text(column, ((day - EPOCH) / one for day in dates.values() if day)), unsure


def _by_text(column: pd.Series, values: Iterable[float]) -> pd.Series:
    """Put a number in the place of each category of a column; missing values stay so."""
    return pd.Series(
        np.append(np.fromiter(values, float, len(column.cat.categories)), np.nan)[column.cat.codes]
    )


def are_truths(column: pd.Series) -> bool:
    """Tell whether a column has no other values than true and false."""
    return isinstance(column.dtype, pd.CategoricalDtype) and {
        text.lower() for text in column.cat.categories
    } <= {"true", "false"}


def are_too_long(column: pd.Series) -> bool:
    """Tell whether whole numbers are so long that different ones would be the same float."""
    if isinstance(column.dtype, pd.CategoricalDtype):
        return any(map(LONG_INTEGER.fullmatch, column.cat.categories))
    return (
        pd.api.types.is_integer_dtype(column)
        and column.notna().any()
        and max(-int(column.min()), int(column.max())) > MAX_EXACT
    )


def stringify(column: pd.Series) -> pd.Series:
    """Write every value of a column as text, also numbers and times; texts are categories."""
    if isinstance(column.dtype, pd.CategoricalDtype):
        return column
    codes, values = pd.factorize(column)
    return from_texts(codes, map(as_text, values))


def record(index: pd.Index, position: int) -> str:
    """Name a record: by its number where its position says who it is, else by its label."""
    return (
        f"record {position + 1}"
        if isinstance(index, pd.RangeIndex)
        else f"record {short_repr(index[position])}"
    )


def short_repr(value: Any) -> str:
    """Write a value for a message: not more of it than tells which it is."""
    text = " ".join(repr(value.item() if isinstance(value, np.generic) else value).splitlines())
    most = MAX_VALUE_CHARACTERS
    return text if len(text) <= most else f"{text[: most - 3]}..."


def listed(names: Iterable, most: int = MAX_NAMES_LISTED) -> str:
    """Name columns in a message: the first, and how many more."""
    texts = [" ".join(str(name).split())[:MAX_NAME_CHARACTERS] for name in names]
    more = f" and {len(texts) - most} more" if len(texts) > most else ""
    return (", ".join(texts[:most]) or "none") + more
