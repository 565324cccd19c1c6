"""What kind each variable is: a number, a date, a nominal or an ordinal category; inferred from both files together."""

import re

import numpy as np
import pandas as pd

from .reading import MISSING, FilesError

KINDS = ("number", "date", "nominal", "ordinal")

#: Whole numbers with so few different values, in both files together, are taken as codes of categories.
FEW = 10

#: Numbers as people write them; a leading zero makes a code of it (a postcode, say).
NUMBER = re.compile(r"[+-]?(0|[1-9]\d*)?(\.\d*)?([eE][+-]?\d+)?")
COMMA = re.compile(r"[+-]?(0|[1-9]\d*),\d+")
DATE = re.compile(r"\d{4}-\d{2}-\d{2}")


def typed(original, masked, wish, name):
    """A variable of both files in one type.

    Parameters
    ----------
    original, masked : Series
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
    both = [column.reset_index(drop=True) for column in (original, masked)]
    for column, file in zip(both, ("original", "masked")):
        _check_plain(column, name, file)
    if isinstance(wish, (list, tuple)):
        return "ordinal", *_ordinal(both, list(map(str, wish)), name), "order given"
    if wish is not None and wish not in KINDS:
        raise FilesError(f"column {name!r} cannot be of type {wish!r}; types are {', '.join(KINDS)}, or the categories of an ordinal "
                         "variable in their order")
    if wish in (None, "ordinal") and all(_ordered(column) for column in both):
        return "ordinal", *_ordinal(both, _common_order(both, name), name), "ordered categories"
    if wish == "ordinal":
        numbers = [_as_numbers(column) for column in both]
        if any(column is None for column in numbers):
            raise FilesError(f"column {name!r} has categories whose order is not known; give them in their order, from the lowest to "
                             "the highest")
        values = sorted(set(pd.concat(numbers).dropna()))
        return "ordinal", *_categories(numbers, values, True), "as asked, in the order of the numbers"
    if wish == "nominal" or wish is None and any(isinstance(column.dtype, pd.CategoricalDtype) for column in both):
        return "nominal", *_nominal(both), "as asked" if wish else "categories"
    return _from_values(both, wish, name)


def _from_values(both, wish, name):
    """Number, date or nominal, by the values."""
    dates = [_as_days(column) for column in both]
    if wish in (None, "date") and all(column is not None for column in dates):
        return "date", *dates, "dates, in days"
    numbers = [_as_numbers(column) for column in both]
    if all(column is not None for column in numbers):
        if wish == "date":
            raise FilesError(f"column {name!r} has numbers, not dates; write dates as 2001-12-31")
        return _number(numbers, wish, name)
    if wish in ("number", "date"):
        file, column = next((file, column) for file, column, found in zip(("original", "masked"), both, (
            numbers if wish == "number" else dates)) if found is None)
        parse = _as_numbers if wish == "number" else _as_days
        value = next(value for value in column.dropna() if parse(pd.Series([value])) is None)
        raise FilesError(f"column {name!r} of the {file} file has {value!r}, which is no {wish}; correct it, or give the column another "
                         "type")
    if any(column is not None and column.notna().any() for column in numbers) and not any(
            column.notna().sum() == 0 for column in both):
        known = ["original", "masked"][[column is not None for column in numbers].index(True)]
        raise FilesError(f"column {name!r} has numbers in the {known} file and text in the other; give it the type nominal, or correct "
                         "one of the files")
    return "nominal", *_nominal(both), "text"


def _number(numbers, wish, name):
    for column, file in zip(numbers, ("original", "masked")):
        infinite = np.isinf(column)
        if infinite.any():
            raise FilesError(f"column {name!r} of the {file} file is infinite in record {infinite.idxmax() + 1}; correct it or leave it "
                             "empty")
    values = pd.concat(numbers).dropna().unique()
    if wish is None and len(values) <= FEW and (values == np.round(values)).all():
        return "nominal", *_categories(numbers, sorted(values), False), f"whole numbers, {FEW} different ones at most"
    return "number", *numbers, "as asked" if wish else "numbers"


def _check_plain(column, name, file):
    """Refuse values that are neither numbers, texts, dates nor truth values."""
    if column.dtype == object or isinstance(column.dtype, pd.CategoricalDtype):
        for value in column.dropna().unique() if column.map(_hashable).all() else column:
            if not isinstance(value, (str, int, float, np.number, np.bool_, bool, pd.Timestamp)):
                raise FilesError(f"column {name!r} of the {file} file holds values of type {type(value).__name__}; convert them to "
                                 "numbers or text")
    elif not (pd.api.types.is_numeric_dtype(column) or pd.api.types.is_bool_dtype(column)
              or pd.api.types.is_datetime64_any_dtype(column) or pd.api.types.is_string_dtype(column)):
        raise FilesError(f"column {name!r} of the {file} file has dtype {column.dtype}; convert it to numbers, dates or text")
    elif pd.api.types.is_complex_dtype(column):
        raise FilesError(f"column {name!r} of the {file} file has complex numbers; convert them to real ones")


def _hashable(value):
    return value.__hash__ is not None


def _as_numbers(column):
    """The column as floats, or None where it is not one of numbers; truth values are none."""
    if pd.api.types.is_bool_dtype(column):
        return None
    if pd.api.types.is_numeric_dtype(column):
        return pd.Series(column.to_numpy(float, na_value=np.nan))
    known = column.dropna()
    if known.empty:
        return pd.Series(np.nan, column.index)
    texts = known.astype(str)
    if known.map(lambda value: isinstance(value, (bool, np.bool_))).any():
        return None
    if texts.map(lambda text: bool(re.search(r"\d", text)) and NUMBER.fullmatch(text) is not None
                 or text.lstrip("+-").lower() in ("inf", "infinity")).all():
        return pd.to_numeric(texts).astype(float).reindex(column.index)
    if texts.map(lambda text: COMMA.fullmatch(text) is not None or text.lstrip("+-").isdigit() and NUMBER.fullmatch(text) is not None).all():
        return pd.to_numeric(texts.str.replace(",", ".")).astype(float).reindex(column.index)
    return None


def _as_days(column):
    """The column as days since 1970, or None where it is not one of dates."""
    if pd.api.types.is_datetime64_any_dtype(column):
        times = column.dt.tz_localize(None) if column.dt.tz is not None else column
    else:
        known = column.dropna()
        if known.empty or not known.map(lambda value: isinstance(value, pd.Timestamp)
                                        or isinstance(value, str) and DATE.fullmatch(value) is not None).all():
            return None
        times = pd.to_datetime(known, errors="coerce").reindex(column.index)
        if times.isna().sum() > column.isna().sum():
            return None  # no day of the calendar
    return (times - pd.Timestamp("1970-01-01")) / pd.Timedelta(days=1)


def _ordered(column):
    return isinstance(column.dtype, pd.CategoricalDtype) and column.cat.ordered


def _common_order(both, name):
    first, second = (list(map(str, column.cat.categories)) for column in both)
    longer, shorter = (first, second) if len(first) >= len(second) else (second, first)
    if [value for value in longer if value in set(shorter)] != shorter:
        raise FilesError(f"column {name!r} has its categories in another order in each file; give one order for both")
    return longer


def _ordinal(both, order, name):
    texts = [_texts(column) for column in both]
    for column, file in zip(texts, ("original", "masked")):
        unknown = sorted(set(column.dropna()) - set(order))
        if unknown:
            raise FilesError(f"column {name!r} of the {file} file has category {unknown[0]!r}, which the order does not name; add it")
    if len(set(order)) < len(order):
        raise FilesError(f"column {name!r}: the order names a category twice; name each once")
    return _categories(texts, order, True)


def _nominal(both):
    numbers = [_as_numbers(column) for column in both]
    if all(column is not None for column in numbers):  # 1 and 1.0 are the same code
        return _categories(numbers, sorted(set(pd.concat(numbers).dropna())), False)
    texts = [_texts(column) for column in both]
    return _categories(texts, sorted(set(pd.concat(texts).dropna())), False)


def _texts(column):
    texts = column.astype(object).map(lambda value: value if pd.isna(value) else str(value).strip())
    return texts.where(texts.notna() & ~texts.isin(MISSING), None)


def _categories(both, names, ordered):
    dtype = pd.CategoricalDtype(names, ordered)
    return tuple(pd.Series(pd.Categorical(column, dtype=dtype), column.index) for column in both)
