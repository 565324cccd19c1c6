"""How people write numbers and dates: with a decimal comma, parted thousands, the day first.

A form is found for a whole column: the values that can be read in one way only decide for all.
Where there are none, those of the same column in the other file do, and where these do not either,
the form is *unsure*.
"""

import datetime
import itertools
import re
from collections import Counter
from collections.abc import Iterable, Sequence

#: The mark that parts thousands, where the key parts decimals. Spaces and apostrophes do so too.
THOUSANDS = {".": ",", ",": "."}
SPACES_AND_APOSTROPHES = " \u00a0\u2009\u202f'\u2019"

WHOLE = r"(?:0|[1-9]\d*)"  # a leading zero makes a code of a number (a postcode, say)


def _number(decimal: str) -> re.Pattern:
    """Return the pattern of numbers with a decimal mark."""
    marks = THOUSANDS[decimal] + SPACES_AND_APOSTROPHES
    parted = rf"[1-9]\d{{0,2}}(?P<mark>[{marks}])\d{{3}}(?:(?P=mark)\d{{3}})*"
    value = rf"(?:{WHOLE}|{parted})(?:[{decimal}]\d*)?|[{decimal}]\d+"
    return re.compile(
        rf"[+-]?(?:(?:{value})(?:e[+-]?\d+)?|inf(?:inity)?)", re.ASCII | re.IGNORECASE
    )


#: Numbers by their decimal mark.
NUMBERS = {decimal: _number(decimal) for decimal in THOUSANDS}

#: What makes a number with a decimal mark one that Python reads.
AS_POINT = {
    decimal: str.maketrans({**dict.fromkeys(parting + SPACES_AND_APOSTROPHES, ""), decimal: "."})
    for decimal, parting in THOUSANDS.items()
}
UNPARTED = re.compile(r"[+-]?[1-9]\d{3,}", re.ASCII)  # a thousand or more that nothing parts

#: Year, month and day in some order, and a time.
DATE = re.compile(
    r"(\d{1,4})([-./])(\d{1,2})\2(\d{1,4})(?:[ T](\d{1,2})(:\d{2}(?::\d{2}(?:\.\d+)?)?))?", re.ASCII
)
YEAR_FIRST, DAY_FIRST, MONTH_FIRST = "year", "day", "month"

MAX_LOOKED_AT = 1_000  # different values that say what a column looks like

#: Numbers with a unit or a sign, and dates in words, short or without a day: for hints only.
CURRENCY = r"[^\w\s.,+-]|EUR|USD|GBP|CHF"
LOOKS_LIKE_NUMBER = re.compile(
    rf"(?:{CURRENCY})?\s*[+-]?\d+(?:[ .,']\d+)*\s*(?:{CURRENCY}|\s[^\W\d]{{1,6}})?", re.IGNORECASE
)
LOOKS_LIKE_DATE = re.compile(
    r"(?:\d{1,4}([-./])\d{1,2}\1\d{1,4}"
    r"|\d{4}[-/](?:0[1-9]|1[0-2])"
    r"|\d{1,2}\.?[ -][^\W\d]{3,9}\.?[ -]\d{2,4}"
    r"|[^\W\d]{3,9} \d{1,2},? \d{4})(?:[ T].*)?"
)


def decimal_mark(texts: Sequence[str], other: Sequence[str]) -> tuple[str | None, bool]:
    """Find the decimal mark of a column.

    Parameters
    ----------
    texts : list of str
        The different values of the column.
    other : list of str
        Those of the same column in the other file.

    Returns
    -------
    str or None, bool
        The mark, None if some value is no number with any; and whether it is unsure. Then it is
        the point.

    Examples
    --------
    >>> decimal_mark(["1.234,50", "7"], []), decimal_mark(["1,234,567", "7"], [])
    ((',', False), ('.', False))
    >>> decimal_mark(["1,234", "950"], []), decimal_mark(["1,234", "950"], ["0,5"])
    (('.', True), (',', False))
    """
    letters = "".join(texts)
    used = [mark for mark in NUMBERS if mark in letters]
    for values in (texts, other):
        marks = [mark for mark in NUMBERS if all(map(NUMBERS[mark].fullmatch, values))]
        if values is texts and not marks:
            return None, False
        if len(marks) == 1 or not used:
            return marks[0], False
    if len(used) == 1 and any(map(UNPARTED.fullmatch, texts)):
        return used[0], False  # who writes 1234 does not mean as much by 1,234
    return ".", True


def number(text: str, decimal: str) -> float:
    """Read a number.

    Examples
    --------
    >>> number("-1.234,5", ","), number("12 000", ".")
    (-1234.5, 12000.0)
    """
    return float(text.translate(AS_POINT[decimal]))


def date_order(texts: Sequence[str], other: Sequence[str]) -> tuple[str | None, bool]:
    """Find out in which order the dates of a column are written.

    Parameters
    ----------
    texts, other : list of str
        As for `decimal_mark`.

    Returns
    -------
    {"year", "day", "month"} or None, bool
        What comes first, None if some value is no date or they are written in different orders;
        and whether it is unsure. Then it is the day.

    Examples
    --------
    >>> date_order(["2001-12-31"], []), date_order(["31.12.2001"], [])
    (('year', False), ('day', False))
    >>> date_order(["1/2/2001"], []), date_order(["1/2/2001"], ["1/31/2001"])
    (('day', True), ('month', False))
    """
    orders = {YEAR_FIRST, DAY_FIRST, MONTH_FIRST}
    for values in (texts, other):
        shared = set(orders)
        for text in values:
            shared &= _date_orders(text)
            if not shared:
                break
        if values is texts and not shared:
            return None, False
        orders = shared or orders
        if len(orders) == 1:
            return orders.pop(), False
    return DAY_FIRST, bool(texts)


def odd_one(texts: Sequence[str], kind: str) -> str:
    """Return a value for which a column is not numbers, or not dates.

    That is one that is none at all; else one that is not written as most are.

    Examples
    --------
    >>> odd_one(["1.5", "many"], "number"), odd_one(["1.5", "2.5", "3,5"], "number")
    ('many', '3,5')
    """
    read = [(_marks if kind == "number" else _date_orders)(text) for text in texts]
    counts = Counter(form for forms in read for form in sorted(forms))
    usual = {form for form, _ in counts.most_common(1)}
    odd = [text for text, forms in zip(texts, read, strict=True) if not forms & usual]
    none = [text for text, forms in zip(texts, read, strict=True) if not forms]
    return [*none, *odd, *texts][0]


def _marks(text: str) -> set[str]:
    """Return the decimal marks with which a text is a number."""
    return {mark for mark, pattern in NUMBERS.items() if pattern.fullmatch(text)}


def _date_orders(text: str) -> set[str]:
    """Return the orders in which a date can be read."""
    parts = DATE.fullmatch(text)
    if not parts:
        return set()
    first, mark, second, third = parts[1], parts[2], parts[3], parts[4]
    if len(first) == 4 and len(third) <= 2:
        return {YEAR_FIRST}
    if len(first) > 2 or len(third) != 4:
        return set()
    if mark == "." or int(first) > 12:
        return {DAY_FIRST}
    return {MONTH_FIRST} if int(second) > 12 else {DAY_FIRST, MONTH_FIRST}


def date(text: str, order: str) -> datetime.datetime | None:
    """Read a date; None if the calendar has no such day.

    Examples
    --------
    >>> str(date("31.12.2001 9:30", "day")), str(date("1/2/2001", "month"))
    ('2001-12-31 09:30:00', '2001-01-02 00:00:00')
    """
    parts = DATE.fullmatch(text)
    assert parts is not None
    first, _, second, third, hour, rest = parts.groups()
    year, month, day = {
        YEAR_FIRST: (first, second, third),
        DAY_FIRST: (third, second, first),
        MONTH_FIRST: (third, first, second),
    }[order]
    time = f"T{hour:0>2}{rest}" if hour is not None else ""
    try:
        return datetime.datetime.fromisoformat(f"{year}-{month:0>2}-{day:0>2}{time}")
    except ValueError:
        return None


def looks_like(texts: Iterable[str]) -> str | None:
    """Tell whether texts that are read as categories look like something else.

    Examples
    --------
    >>> looks_like(["12 kg", "7 kg", "unknown"]), looks_like(["31 Dec 2001"]), looks_like(["A1"])
    ('numbers', 'dates', None)
    """
    some = list(itertools.islice(texts, MAX_LOOKED_AT))
    if any(len(text) > 1 and text.isdigit() and text[0] == "0" for text in some):
        return None  # codes
    for kind, pattern in (("dates", LOOKS_LIKE_DATE), ("numbers", LOOKS_LIKE_NUMBER)):
        if 2 * sum(pattern.fullmatch(text) is not None for text in some) >= len(some) > 0:
            return kind
    return None
