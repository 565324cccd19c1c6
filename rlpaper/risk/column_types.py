"""What kind each variable is: a number, a date, a nominal or an ordinal category; inferred from both files together."""

import numpy as np
import pandas as pd

from .column_values import (
    COMMA,
    DATE,
    NUMBER,
    THOUSANDS,
    are_too_long,
    are_truths,
    as_days,
    as_numbers,
    as_text,
    stringify,
    from_texts,
    as_text_categories,
    record,
    short_repr,
)
from .files import FilesError

KINDS = ("number", "date", "nominal", "ordinal")
FILES = ("original", "masked")

#: Whole numbers with so few different values, in both files together, are taken as codes of
#: categories.
MAX_CODES = 10


def common_type(original, masked, requested, name):
    """A variable of both files in one type.

    Parameters
    ----------
    original, masked : Series
        With the same index; it says what records are called.
    requested : str, list or None
        A kind, the categories of an ordinal variable from the lowest to the highest, or None to
        infer it.
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
        (list(map(as_text, requested)), "order given")
        if isinstance(requested, (list, tuple))
        else (None, "ordered categories")
    )
    if (
        order is None
        and requested is not None
        and not (isinstance(requested, str) and requested in KINDS)
    ):
        raise FilesError(
            f"column {name!r} cannot be of type {short_repr(requested)}; give {', '.join(KINDS)}, or a list of the categories "
            "in their order"
        )
    categories = [
        column for column in (original, masked) if isinstance(column.dtype, pd.CategoricalDtype)
    ]
    if order is None and requested in (None, "ordinal"):
        order = _common_order([column for column in categories if column.cat.ordered], name)
    both = [
        as_text_categories(column, name, file, order or ())
        for column, file in zip((original, masked), FILES)
    ]
    if order is not None:
        return "ordinal", *_ordinal(both, order, name), why
    if requested == "ordinal":
        numbers = [as_numbers(column) for column in both]
        if any(column is None for column in numbers):
            raise FilesError(
                f"column {name!r} has categories whose order is not known; give them in their order, from the lowest "
                "to the highest"
            )
        return "ordinal", *_categories(numbers, True), "as asked, in the order of the numbers"
    if requested == "nominal" or requested is None and categories:
        return "nominal", *_nominal(both), "as asked" if requested else "categories"
    return _from_values(both, requested, name, original.index)


def _from_values(both, requested, name, index):
    """Number, date or nominal, by the values."""
    _check_zones(both, name)
    known = [column.notna().any() for column in both]
    dates = [as_days(column, name, file) for column, file in zip(both, FILES)]
    if (
        requested != "number"
        and all(column is not None for column in dates)
        and (any(known) or requested == "date")
    ):
        return "date", *dates, "dates, in days"
    for column, file in zip(both, FILES):
        _check_thousands(column, name, file)
    numbers = [as_numbers(column) for column in both]
    if all(column is not None for column in numbers):
        if requested == "date":
            raise FilesError(f"column {name!r} has numbers, not dates; write dates as 2001-12-31")
        return _number(both, numbers, requested, name, index)
    if requested is not None:
        _refuse(both, numbers if requested == "number" else dates, requested, name)
    whats = [
        "dates"
        if day is not None
        else "numbers"
        if number is not None
        else "truth values"
        if are_truths(column)
        else "text"
        for column, day, number in zip(both, dates, numbers)
    ]
    if all(known) and whats[0] != whats[1]:
        _check_codes(both, whats, name)
    return "nominal", *_nominal(both), whats[known.index(True)]


def _number(both, numbers, requested, name, index):
    for column, file in zip(numbers, FILES):
        infinite = np.isinf(column)
        if infinite.any():
            raise FilesError(
                f"column {name!r} of the {file} file is infinite in {record(index, infinite.to_numpy().argmax())}; "
                "correct it or leave it empty"
            )
    if requested is None and any(map(are_too_long, both)):
        return "nominal", *_nominal(both), "whole numbers of more than 15 digits"
    values = np.unique(np.concatenate([column.dropna().unique() for column in numbers]))
    if requested is None and len(values) <= MAX_CODES and (values == np.round(values)).all():
        return (
            "nominal",
            *_categories(numbers),
            f"whole numbers, {MAX_CODES} different ones at most",
        )
    return "number", *numbers, "as asked" if requested else "numbers"


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
    first, second = (set(stringify(column).cat.categories) for column in both)
    if not (first <= second or second <= first) or not all(map(str.isdigit, first | second)):
        raise FilesError(
            f"column {name!r} has {whats[0]} in the original file and {whats[1]} in the masked one; give it the type "
            "nominal, or correct one of the files"
        )


def _refuse(both, found, requested, name):
    """Name the first value that is not what it was wished to be."""
    column, file = next(
        (column, file) for column, file, values in zip(both, FILES, found) if values is None
    )
    texts = [
        text
        for text in stringify(column).cat.categories
        if not (NUMBER if requested == "number" else DATE).fullmatch(text)
    ]
    value = next((text for text in texts if not COMMA.fullmatch(text)), texts[0])
    raise FilesError(
        f"column {name!r} of the {file} file has {short_repr(value)}, which is no {requested}; correct it, or give the column "
        "another type"
    )


def _common_order(columns, name):
    """The order of the ordered categories of one or both files; None where there are none."""
    if not columns:
        return None
    orders = [list(map(as_text, column.cat.categories)) for column in columns]
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
            f"column {name!r} has ordered categories of its own in each file, {short_repr(alone[0])} and "
            f"{short_repr(alone[1])}; give one order for both"
        )
    return max(orders, key=len)


def _ordinal(both, order, name):
    texts = [stringify(column) for column in both]
    repeated = next((text for place, text in enumerate(order) if text in order[:place]), None)
    if repeated is not None:
        raise FilesError(
            f"column {name!r}: the order names {short_repr(repeated)} twice; name each category once"
        )
    for column, file in zip(texts, FILES):
        unknown = sorted(set(column.cat.categories).difference(order))
        if unknown:
            raise FilesError(
                f"column {name!r} of the {file} file has category {short_repr(unknown[0])}, which the order does not name; "
                "add it"
            )
    return tuple(pd.Series(column.cat.set_categories(order, ordered=True)) for column in texts)


def _nominal(both):
    numbers = [as_numbers(column) for column in both]
    if (
        all(column is not None for column in numbers)
        and not any(map(are_too_long, both))
        and all((column.dropna() % 1 == 0).all() for column in numbers)
    ):  # codes; but 10.1 and 10.10 can be two of them
        return _categories(numbers)
    texts = [stringify(column) for column in both]
    if all(map(are_truths, texts)):
        texts = [
            from_texts(column.cat.codes, map(str.capitalize, column.cat.categories))
            for column in texts
        ]
    return _categories(texts)


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
