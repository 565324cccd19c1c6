"""What kind each variable is: a number, a date, a nominal or an ordinal category; inferred from both files together."""

import datetime
import re
from decimal import Decimal

import numpy as np
import pandas as pd

from .files import FilesError

KINDS = ("number", "date", "nominal", "ordinal")
FILES = ("original", "masked")

#: Texts that stand for a missing value, unless an order of categories names them.
MISSING = frozenset({"", "NA", "N/A", "n/a", "NaN", "nan", "NULL", "null", "None", "?", "."})

#: Whole numbers with so few different values, in both files together, are taken as codes of categories.
FEW = 10

#: Numbers as people write them; a leading zero makes a code of it (a postcode, say).
NUMBER = re.compile(
    r"[+-]?(?:(?:(?:0|[1-9]\d*)(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?|inf(?:inity)?)",
    re.ASCII | re.IGNORECASE,
)
COMMA = re.compile(r"[+-]?(?:0|[1-9]\d*)(?:,\d+)?", re.ASCII)
THOUSANDS = re.compile(r"[+-]?[1-9]\d{0,2}(?:,\d{3})+(?:\.\d+)?", re.ASCII)
DATE = re.compile(r"\d{4}-\d{2}-\d{2}(?:[ T]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?)?", re.ASCII)
#: A whole number written as a float, and one that a float cannot hold.
WHOLE, LONG = re.compile(r"([+-]?\d+)\.0+", re.ASCII), re.compile(r"[+-]?\d{16,}", re.ASCII)

PLAIN, NOT_PLAIN = (
    (str, int, float, np.number, np.bool_, Decimal, datetime.date),
    (complex, np.complexfloating, np.timedelta64),
)
EPOCH = datetime.datetime(1970, 1, 1)


def typed(original, masked, wish, name):
    """A variable of both files in one type.

    Parameters
    ----------
    original, masked : Series
        With the same index; it says what records are called.
    wish : str, list or None
        A kind, the categories of an ordinal variable from the lowest to the highest, or None to infer it.
    name : str

    Returns
    -------
    kind : str
    original, masked : Series
        Floats (dates as days), or categories of one common dtype; missing values as they were.
    why : str
        How the kind was found, in a few words.
    """
    order, why = (
        (list(map(_text, wish)), "order given")
        if isinstance(wish, (list, tuple))
        else (None, "ordered categories")
    )
    if order is None and wish is not None and not (isinstance(wish, str) and wish in KINDS):
        raise FilesError(
            f"column {name!r} cannot be of type {shown(wish)}; give {', '.join(KINDS)}, or a list of the categories "
            "in their order"
        )
    categories = [
        column for column in (original, masked) if isinstance(column.dtype, pd.CategoricalDtype)
    ]
    if order is None and wish in (None, "ordinal"):
        order = _common_order([column for column in categories if column.cat.ordered], name)
    both = [
        plain(column, name, file, order or ()) for column, file in zip((original, masked), FILES)
    ]
    if order is not None:
        return "ordinal", *_ordinal(both, order, name), why
    if wish == "ordinal":
        numbers = [_as_numbers(column) for column in both]
        if any(column is None for column in numbers):
            raise FilesError(
                f"column {name!r} has categories whose order is not known; give them in their order, from the lowest "
                "to the highest"
            )
        return "ordinal", *_categories(numbers, True), "as asked, in the order of the numbers"
    if wish == "nominal" or wish is None and categories:
        return "nominal", *_nominal(both), "as asked" if wish else "categories"
    return _from_values(both, wish, name, original.index)


def _from_values(both, wish, name, index):
    """Number, date or nominal, by the values."""
    _check_zones(both, name)
    known = [column.notna().any() for column in both]
    dates = [_as_days(column, name, file) for column, file in zip(both, FILES)]
    if (
        wish != "number"
        and all(column is not None for column in dates)
        and (any(known) or wish == "date")
    ):
        return "date", *dates, "dates, in days"
    for column, file in zip(both, FILES):
        _check_thousands(column, name, file)
    numbers = [_as_numbers(column) for column in both]
    if all(column is not None for column in numbers):
        if wish == "date":
            raise FilesError(f"column {name!r} has numbers, not dates; write dates as 2001-12-31")
        return _number(both, numbers, wish, name, index)
    if wish is not None:
        _refuse(both, numbers if wish == "number" else dates, wish, name)
    whats = [
        "dates"
        if day is not None
        else "numbers"
        if number is not None
        else "truth values"
        if _truths(column)
        else "text"
        for column, day, number in zip(both, dates, numbers)
    ]
    if all(known) and whats[0] != whats[1]:
        _check_codes(both, whats, name)
    return "nominal", *_nominal(both), whats[known.index(True)]


def _number(both, numbers, wish, name, index):
    for column, file in zip(numbers, FILES):
        infinite = np.isinf(column)
        if infinite.any():
            raise FilesError(
                f"column {name!r} of the {file} file is infinite in {record(index, infinite.to_numpy().argmax())}; "
                "correct it or leave it empty"
            )
    if wish is None and any(map(_too_long, both)):
        return "nominal", *_nominal(both), "whole numbers of more than 15 digits"
    values = np.unique(np.concatenate([column.dropna().unique() for column in numbers]))
    if wish is None and len(values) <= FEW and (values == np.round(values)).all():
        return "nominal", *_categories(numbers), f"whole numbers, {FEW} different ones at most"
    return "number", *numbers, "as asked" if wish else "numbers"


def plain(column, name, file, keep=()):
    """The column as it is where its dtype says numbers or times; else categories that are texts, in the order of the file.

    Texts that stand for a missing value are missing, but for those in `keep`.
    """
    kind, kinds = column.dtype, pd.api.types
    if kinds.is_complex_dtype(kind):
        raise FilesError(
            f"column {name!r} of the {file} file has complex numbers; convert them to real ones"
        )
    if isinstance(kind, pd.CategoricalDtype):
        column = column.cat.remove_unused_categories()
        codes, values = column.cat.codes, column.cat.categories
        _check_plain(values, name, file)
    elif kind == object or kinds.is_bool_dtype(kind) or kinds.is_string_dtype(kind):
        if kind == object and set(map(type, column)) - {str, type(None)}:
            _check_plain(column, name, file)
            # Before equal ones are put together: True is 1 in Python.
            column = pd.Series(
                [None if pd.isna(value) else _text(value) for value in column], dtype=object
            )
        codes, values = pd.factorize(column)
    elif kinds.is_numeric_dtype(kind) or kinds.is_datetime64_any_dtype(kind):
        return column.reset_index(drop=True)
    else:
        raise FilesError(
            f"column {name!r} of the {file} file has dtype {kind}; convert it to numbers, dates or text"
        )
    gone = MISSING.difference(keep)
    return _from_texts(codes, (None if text in gone else text for text in map(_text, values)))


def _from_texts(codes, texts):
    """Categories that are texts, by the number of each value's text; equal texts are one, None is missing."""
    again, texts = pd.factorize(np.array(list(texts), object))
    texts = pd.Index(
        texts, dtype=object
    )  # many are looked at one by one, for which the dtype of texts is slow
    return pd.Series(pd.Categorical.from_codes(np.append(again, -1)[np.asarray(codes)], texts))


def _check_plain(values, name, file):
    """Refuse values that are neither numbers, texts, dates nor truth values."""
    for place, value in enumerate(values):
        if (
            isinstance(value, NOT_PLAIN)
            or not isinstance(value, PLAIN)
            and not (pd.api.types.is_scalar(value) and pd.isna(value))
        ):
            where = (
                f", in {record(values.index, place)} first" if isinstance(values, pd.Series) else ""
            )
            raise FilesError(
                f"column {name!r} of the {file} file holds values of type {type(value).__name__}{where}; convert them "
                "to numbers or text"
            )


def _text(value):
    """A value as text: 7, 7.0 and "7" are the same, and so are a day and its midnight."""
    if isinstance(value, datetime.date):
        return str(value).removesuffix(" 00:00:00")
    text = str(value).strip()
    whole = text.endswith("0") and WHOLE.fullmatch(text)
    return whole[1] if whole else text


def _as_numbers(column):
    """The column as floats, or None where it is not one of numbers; truth values are none."""
    if pd.api.types.is_datetime64_any_dtype(column):
        return None if column.notna().any() else pd.Series(np.nan, column.index)
    if not isinstance(column.dtype, pd.CategoricalDtype):
        return pd.Series(column.to_numpy(float, na_value=np.nan))
    texts = column.cat.categories
    if all(map(NUMBER.fullmatch, texts)):
        return _by_text(column, map(float, texts))
    if all(map(COMMA.fullmatch, texts)):
        return _by_text(column, (float(text.replace(",", ".")) for text in texts))
    return None


def as_dates(days):
    """Days since 1970 as texts, with the time where one of them has a time.

    Examples
    --------
    >>> as_dates(pd.Series([-1054.0, 0.0])).tolist()
    ['1967-02-12', '1970-01-01']
    """
    times = np.datetime64(EPOCH, "s") + (days * 86_400).round().astype("timedelta64[s]").to_numpy()
    texts = np.datetime_as_string(times, "D" if (days % 1 == 0).all() else "s")
    return pd.Series(np.char.replace(texts, "T", " "), days.index, dtype=object)


def _as_days(column, name, file):
    """The column as days since 1970, or None where it is not one of dates."""
    if pd.api.types.is_datetime64_any_dtype(column):
        return (column.dt.tz_localize(None) - pd.Timestamp(EPOCH)) / pd.Timedelta(days=1)
    if not isinstance(column.dtype, pd.CategoricalDtype):
        return None if column.notna().any() else pd.Series(np.nan, column.index)
    if not all(map(DATE.fullmatch, column.cat.categories)):
        return None
    days = []
    for text in column.cat.categories:
        try:
            days.append(
                (datetime.datetime.fromisoformat(text) - EPOCH) / datetime.timedelta(days=1)
            )
        except ValueError:
            raise FilesError(
                f"column {name!r} of the {file} file has {text!r}, which is no day of the calendar; correct it or "
                "leave it empty, or give the column the type nominal"
            ) from None
    return _by_text(column, days)


def _by_text(column, values):
    """A number for each category of the column, in its place; nothing where it is missing."""
    return pd.Series(
        np.append(np.fromiter(values, float, len(column.cat.categories)), np.nan)[column.cat.codes]
    )


def _truths(column):
    return isinstance(column.dtype, pd.CategoricalDtype) and {
        text.lower() for text in column.cat.categories
    } <= {"true", "false"}


def _too_long(column):
    """Whether whole numbers are so long that different ones would be the same float."""
    if isinstance(column.dtype, pd.CategoricalDtype):
        return any(map(LONG.fullmatch, column.cat.categories))
    return (
        pd.api.types.is_integer_dtype(column)
        and column.notna().any()
        and max(-int(column.min()), int(column.max())) > 2**53
    )


def _check_zones(both, name):
    times = [column for column in both if pd.api.types.is_datetime64_any_dtype(column)]
    zones = [str(column.dt.tz or "none") for column in times]
    if len(set(zones)) > 1:
        raise FilesError(
            f"column {name!r} is in the time zone {zones[0]} in the original file and {zones[1]} in the masked one; "
            "convert both to one"
        )


def _check_thousands(column, name, file):
    """Refuse 1,234 beside 950: read as a decimal comma, it would be the smaller one."""
    if not isinstance(column.dtype, pd.CategoricalDtype):
        return
    texts = column.cat.categories
    if (
        any(map(THOUSANDS.fullmatch, texts))
        and all(THOUSANDS.fullmatch(text) or NUMBER.fullmatch(text) for text in texts)
        and not all(text.count(",") == 1 and "." not in text for text in texts)
    ):
        first = max(texts, key=lambda text: text.count(","))
        raise FilesError(
            f"column {name!r} of the {file} file has {first!r}, where the comma seems to part thousands; write "
            "numbers without it (and decimals with a point), or give the column the type nominal"
        )


def _check_codes(both, whats, name):
    """Refuse a variable that is another thing in each file; but codes are codes where one file has none with leading zeros."""
    first, second = (set(as_texts(column).cat.categories) for column in both)
    if not (first <= second or second <= first) or not all(map(str.isdigit, first | second)):
        raise FilesError(
            f"column {name!r} has {whats[0]} in the original file and {whats[1]} in the masked one; give it the type "
            "nominal, or correct one of the files"
        )


def _refuse(both, found, wish, name):
    """Name the first value that is not what it was wished to be."""
    column, file = next(
        (column, file) for column, file, values in zip(both, FILES, found) if values is None
    )
    texts = [
        text
        for text in as_texts(column).cat.categories
        if not (NUMBER if wish == "number" else DATE).fullmatch(text)
    ]
    value = next((text for text in texts if not COMMA.fullmatch(text)), texts[0])
    raise FilesError(
        f"column {name!r} of the {file} file has {shown(value)}, which is no {wish}; correct it, or give the column "
        "another type"
    )


def _common_order(columns, name):
    """The order of the ordered categories of one or both files; None where there are none."""
    if not columns:
        return None
    orders = [list(map(_text, column.cat.categories)) for column in columns]
    first, second = orders[0], orders[-1]
    alone = [
        next((text for text in order if text not in other), None)
        for order, other in ((first, second), (second, first))
    ]
    if [text for text in first if text in second] != [text for text in second if text in first]:
        raise FilesError(
            f"column {name!r} has its categories in another order in each file; give one order for both"
        )
    if None not in alone:
        raise FilesError(
            f"column {name!r} has ordered categories of its own in each file, {shown(alone[0])} and "
            f"{shown(alone[1])}; give one order for both"
        )
    return max(orders, key=len)


def _ordinal(both, order, name):
    texts = [as_texts(column) for column in both]
    repeated = next((text for place, text in enumerate(order) if text in order[:place]), None)
    if repeated is not None:
        raise FilesError(
            f"column {name!r}: the order names {shown(repeated)} twice; name each category once"
        )
    for column, file in zip(texts, FILES):
        unknown = sorted(set(column.cat.categories).difference(order))
        if unknown:
            raise FilesError(
                f"column {name!r} of the {file} file has category {shown(unknown[0])}, which the order does not name; "
                "add it"
            )
    return tuple(pd.Series(column.cat.set_categories(order, ordered=True)) for column in texts)


def _nominal(both):
    numbers = [_as_numbers(column) for column in both]
    if (
        all(column is not None for column in numbers)
        and not any(map(_too_long, both))
        and all((column.dropna() % 1 == 0).all() for column in numbers)
    ):  # codes; but 10.1 and 10.10 can be two of them
        return _categories(numbers)
    texts = [as_texts(column) for column in both]
    if all(map(_truths, texts)):
        texts = [
            _from_texts(column.cat.codes, map(str.capitalize, column.cat.categories))
            for column in texts
        ]
    return _categories(texts)


def as_texts(column):
    """The column as categories that are texts."""
    if isinstance(column.dtype, pd.CategoricalDtype):
        return column
    codes, values = pd.factorize(column)
    return _from_texts(codes, map(_text, values))


def _categories(both, ordered=False):
    """Both columns as categories of one dtype, those of either file, sorted."""
    names = set().union(
        *(
            column.cat.categories if hasattr(column, "cat") else column.dropna().unique()
            for column in both
        )
    )
    dtype = pd.CategoricalDtype(sorted(names), ordered)
    return tuple(column.astype(dtype) for column in both)


def record(index, place):
    """What a record is called: by its number where its place says who it is, else by its label."""
    return (
        f"record {place + 1}"
        if isinstance(index, pd.RangeIndex)
        else f"record {shown(index[place])}"
    )


def shown(value):
    """A value in a message: not more of it than tells which it is."""
    text = repr(value.item() if isinstance(value, np.generic) else value)
    return text if len(text) <= 60 else f"{text[:57]}..."
