"""What type each variable has, inferred from both files: number, date, nominal or ordinal."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd

from .._internal.hints import Label
from .column_forms import looks_like, odd_one
from .column_values import (
    ACCEPTED_TYPES,
    MAX_EXACT,
    are_too_long,
    are_truths,
    as_days,
    as_numbers,
    as_text,
    as_text_categories,
    from_texts,
    listed,
    record,
    short_repr,
    stringify,
    texts_of,
)
from .files import FilesError

TYPES = ("number", "date", "nominal", "ordinal")
IDENTIFIER = "identifier"  # a type that is only inferred
FILES = ("original", "masked")

#: A variable that has at most so many different values, all whole numbers, in both files together
#: holds codes of categories.
MAX_CODES = 10

#: Whole numbers that are all different and have at least so many digits say who is who.
MIN_IDENTIFIER_DIGITS = 10

CODES = f"whole numbers, {MAX_CODES} different ones at most"
LONG_CODES = "whole numbers of more than 15 digits"
ALL_DIFFERENT = f"whole numbers of {MIN_IDENTIFIER_DIGITS} digits and more, all different"
UNSURE_NUMBERS = "numbers, thousands or decimals"
UNSURE_DATES = "dates, day or month first"
LOOKS_LIKE = {kind: f"text that looks like {kind}" for kind in ("numbers", "dates")}

#: What a reader must be told of variables that were read in these ways.
HINTS = {
    ALL_DIFFERENT: "Taken for record numbers, since they are long whole numbers that are all "
    "different, and so not linked on: {names}. Name the one that says who is who as the key (key=, "
    "--key); give those that are amounts the type number (types=, --types).",
    UNSURE_NUMBERS: "No value of {names} shows whether a mark in front of three digits parts "
    "thousands or decimals: a comma was taken for thousands, a point for decimals. Write numbers "
    "as 1234.56 to be sure.",
    UNSURE_DATES: "No date of {names} shows whether the day or the month comes first: the day was "
    "taken. Write dates as 2001-12-31 to be sure.",
    LOOKS_LIKE["numbers"]: "Read as categories, though many of the values look like numbers: "
    "{names}. Write all values as 1234.56, and missing ones as nothing; or give such a column the "
    "type nominal (types=, --types).",
    LOOKS_LIKE["dates"]: "Read as categories, though many of the values look like dates: {names}. "
    "Write all values as 2001-12-31, and missing ones as nothing; or give such a column the type "
    "nominal (types=, --types).",
    LONG_CODES: "Read as categories, being whole numbers of more than 15 digits: {names}. Give "
    "those that are amounts the type number (types=, --types).",
    CODES: f"Read as categories, being whole numbers with {MAX_CODES} different values at most: "
    "{names}. Give those that are amounts the type number (types=, --types).",
}

#: A type asked for: its name, or the categories of an ordinal variable in their order.
Requested = str | Sequence | None
#: The type of a variable, its columns in both files, and how the type was found.
Typed = tuple[Any, ...]
Columns = list[pd.Series]


def common_type(original: pd.Series, masked: pd.Series, requested: Requested, name: Label) -> Typed:
    """Give a variable the same type in both files.

    Parameters
    ----------
    original, masked : Series
        With the same index; it says what records are called.
    requested : str, list or None
        A type, the categories of an ordinal variable from the lowest to the highest, or None to
        infer it.
    name : str
        Of the variable.

    Returns
    -------
    column_type : str
    original, masked : Series
        Floats (dates as days), or categories of one common dtype; missing values as they were.
    why : str
        How the type was found, in a few words.
    """
    given = (original, masked)
    categories = [column for column in given if isinstance(column.dtype, pd.CategoricalDtype)]
    order, why = None, "ordered categories"
    if isinstance(requested, (list, tuple)):
        order, why = _order_given(requested, name), "order given"
    elif requested is not None and not (isinstance(requested, str) and requested in TYPES):
        raise FilesError(
            f"column {name!r} cannot be of type {short_repr(requested)}; give {', '.join(TYPES)}, "
            "or a list of the categories in their order"
        )
    elif requested in (None, "ordinal"):
        order = _common_order([column for column in categories if column.cat.ordered], name)
    both = [
        as_text_categories(column, name, file, order or ())
        for column, file in zip(given, FILES, strict=True)
    ]
    if order is not None:
        return "ordinal", *_ordinal(both, order, name), why
    if requested == "ordinal":
        numbers = _numbers(both)
        if numbers is None:
            raise FilesError(
                f"column {name!r} has categories whose order is not known; give them in their "
                "order, from the lowest to the highest"
            )
        return "ordinal", *_categories(numbers, True), "as asked, in the order of the numbers"
    if requested == "nominal" or requested is None and categories:
        return "nominal", *_nominal(both), "as asked" if requested else "categories"
    return _from_values(both, requested, name, original.index)


def hints(why: pd.Series) -> list[str]:
    """Return what a reader must be told of how variables were read; `why` says it by variable."""
    named = {way: list(why.index[why == way]) for way in HINTS}
    return [HINTS[way].format(names=listed(names)) for way, names in named.items() if names]


def _numbers(both: Columns) -> Columns | None:
    """Return both columns as numbers; None if one holds something else."""
    numbers = [as_numbers(*columns)[0] for columns in (both, both[::-1])]
    return None if any(column is None for column in numbers) else numbers


def _from_values(both: Columns, requested: Requested, name: Label, index: pd.Index) -> Typed:
    """Tell number, date or nominal by the values."""
    _check_zones(both, name)
    known = [column.notna().any() for column in both]
    sides = list(zip(both, both[::-1], FILES, strict=True))
    dates, unsure = zip(*(as_days(*side[:2], name, side[2]) for side in sides), strict=True)
    are_dates = all(column is not None for column in dates)
    if requested != "number" and are_dates and (any(known) or requested == "date"):
        return "date", *dates, UNSURE_DATES if any(unsure) else "dates, in days"
    numbers, unsure = zip(*(as_numbers(*side[:2]) for side in sides), strict=True)
    if all(column is not None for column in numbers):
        if requested == "date":
            raise FilesError(f"column {name!r} has numbers, not dates; write dates as 2001-12-31")
        return _number(both, numbers, requested, name, index, any(unsure))
    if requested is not None:
        _refuse(both, numbers if requested == "number" else dates, str(requested), name)
    whats = [
        "dates"
        if day is not None
        else "numbers"
        if number is not None
        else "truth values"
        if are_truths(column)
        else "text"
        for column, day, number in zip(both, dates, numbers, strict=True)
    ]
    if all(known) and whats[0] != whats[1]:
        _check_codes(both, whats, name)
    what = whats[known.index(True)]
    texts = dict.fromkeys(text for column in both for text in texts_of(column))
    alike = looks_like(texts) if what == "text" else None
    return "nominal", *_nominal(both), LOOKS_LIKE[alike] if alike else what


def _number(
    both: Columns,
    numbers: Sequence[pd.Series],
    requested: Requested,
    name: Label,
    index: pd.Index,
    unsure: bool,
) -> Typed:
    for column, file in zip(numbers, FILES, strict=True):
        infinite = np.isinf(column).to_numpy()
        if infinite.any():
            raise FilesError(
                f"column {name!r} of the {file} file has a value that is infinite in "
                f"{record(index, infinite.argmax())}; correct it or leave it empty"
            )
    if requested is not None:
        return "number", *numbers, UNSURE_NUMBERS if unsure else "as asked"
    if all(map(_are_record_numbers, both, numbers)):
        return IDENTIFIER, *_nominal(both), ALL_DIFFERENT
    if any(map(are_too_long, both)):
        return "nominal", *_nominal(both), LONG_CODES
    values = np.unique(np.concatenate([column.dropna().unique() for column in numbers]))
    if len(values) <= MAX_CODES and (values == np.round(values)).all():
        return "nominal", *_categories(numbers), CODES
    return "number", *numbers, UNSURE_NUMBERS if unsure else "numbers"


def _are_record_numbers(column: pd.Series, numbers: pd.Series) -> bool:
    """Tell whether a column holds long whole numbers that are all different."""
    known, exact = numbers.dropna(), not pd.api.types.is_float_dtype(column)
    return (
        len(known) > 0
        and bool((known >= 10 ** (MIN_IDENTIFIER_DIGITS - 1)).all())
        and bool((known % 1 == 0).all() and (exact or known.max() <= MAX_EXACT))
        and column.dropna().is_unique
    )


def _check_zones(both: Columns, name: Label) -> None:
    times = [column for column in both if pd.api.types.is_datetime64_any_dtype(column)]
    zones = [str(column.dt.tz or "none") for column in times]
    if len(set(zones)) > 1:
        raise FilesError(
            f"column {name!r} is in the time zone {zones[0]} in the original file and {zones[1]} "
            "in the masked one; convert both to one"
        )


def _check_codes(both: Columns, whats: list[str], name: Label) -> None:
    """Refuse a variable that is another thing in each file.

    Codes are codes, though, also where only one file has some with leading zeros.
    """
    first, second = (set(stringify(column).cat.categories) for column in both)
    if not (first <= second or second <= first) or not all(map(str.isdigit, first | second)):
        raise FilesError(
            f"column {name!r} has {whats[0]} in the original file and {whats[1]} in the masked "
            "one; give it the type nominal, or correct one of the files"
        )


def _refuse(both: Columns, found: Sequence[pd.Series | None], requested: str, name: Label) -> None:
    """Name the first value that is not of the type asked for."""
    column, file = next(
        (column, file)
        for column, file, values in zip(both, FILES, found, strict=True)
        if values is None
    )
    value = odd_one(list(stringify(column).cat.categories), requested)
    raise FilesError(
        f"column {name!r} of the {file} file has {short_repr(value)}, which is not a {requested}; "
        "correct it, or give the column another type"
    )


def _order_given(order: Sequence, name: Label) -> list[str]:
    """Return the categories of an order as texts; refuse what is no category."""
    odd = [value for value in order if not isinstance(value, ACCEPTED_TYPES)]
    if odd:
        raise FilesError(
            f"column {name!r}: the order names {short_repr(odd[0])}; name categories by text or "
            "number"
        )
    return list(map(as_text, order))


def _common_order(columns: Columns, name: Label) -> list[str] | None:
    """Return the order of the ordered categories of one or both files; None if there are none."""
    if not columns:
        return None
    orders = [list(map(as_text, column.cat.categories)) for column in columns]
    first, second = orders[0], orders[-1]
    if [text for text in first if text in second] != [text for text in second if text in first]:
        raise FilesError(
            f"column {name!r} has its categories in another order in each file; give one order "
            "for both"
        )
    alone = [text for text in first if text not in second][:1]
    alone += [text for text in second if text not in first][:1]
    if len(alone) == 2:
        raise FilesError(
            f"column {name!r} has ordered categories of its own in each file, "
            f"{short_repr(alone[0])} and {short_repr(alone[1])}; give one order for both"
        )
    return max(orders, key=len)


def _ordinal(both: Columns, order: list[str], name: Label) -> Columns:
    texts = [stringify(column) for column in both]
    repeated = next((text for position, text in enumerate(order) if text in order[:position]), None)
    if repeated is not None:
        raise FilesError(
            f"column {name!r}: the order names {short_repr(repeated)} twice; name each category "
            "once"
        )
    for column, file in zip(texts, FILES, strict=True):
        unknown = sorted(set(column.cat.categories).difference(order))
        if unknown:
            raise FilesError(
                f"column {name!r} of the {file} file has category {short_repr(unknown[0])}, which "
                "the order does not name; add it"
            )
    return [pd.Series(column.cat.set_categories(order, ordered=True)) for column in texts]


def _nominal(both: Columns) -> Columns:
    numbers = None if any(map(are_too_long, both)) else _numbers(both)
    if numbers is not None and all((column.dropna() % 1 == 0).all() for column in numbers):
        return _categories(numbers)  # codes; but 10.1 and 10.10 can be two of them
    texts = [stringify(column) for column in both]
    if all(map(are_truths, texts)):
        texts = [
            from_texts(column.cat.codes, map(str.capitalize, column.cat.categories))
            for column in texts
        ]
    return _categories(texts)


def _categories(both: Sequence[pd.Series], ordered: bool = False) -> Columns:
    """Make both columns categories of one dtype, those of either file, sorted."""
    names = {
        value
        for column in both
        for value in (column.cat.categories if hasattr(column, "cat") else column.dropna().unique())
    }
    dtype = pd.CategoricalDtype(sorted(names), ordered)
    return [column.astype(dtype) for column in both]
