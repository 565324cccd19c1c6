"""The display modes of li2019: one attribute of two records, masked, partial or full (Section 3.2, Table 1)."""

import re
from functools import lru_cache

from . import differences
from .differences import EQUAL

MODES = ("masked", "partial", "full")

#: The attribute types of Table 1: String, Varchar, Date, Category.
KINDS = ("string", "name", "date", "category")

#: What a partial date shows: the digits that differ (Tables 3 and 4) or the elements that do (Table
#: 1).
DATES = ("digits", "elements")

#: How a masked category is printed: by a symbol (Table 1) or not at all (Table 3).
CATEGORIES = ("symbols", "hidden")

#: Masked characters shown of a longer run, as in Table 1: a long value does not tell its length.
LONGEST = 5

#: Where there is nothing partial to show of a category.
NOTHING = "N/A"


class Comparison:
    """Two values of one attribute, side by side.

    Parameters
    ----------
    first, second : str or None
        The values of both rows; None is missing.
    kind : {"string", "name", "date", "category"}
    dates : {"digits", "elements"}
        See `DATES`.
    swapped : {0, 1, 2}
        Whether both values changed places with those of another attribute, such as first and last
        name: not, or as the first or the second of the two attributes. The symbols of masked values
        follow the values.

    Attributes
    ----------
    agreement : {"equal", "close", "different", "swapped", "missing"}
        What is told in every mode.
    modes : tuple
        The modes that there are. A category has no partial one, nor have names that differ in more
        than half of the longer. Of two missing values there is nothing to reveal.
    segments : tuple of two tuples of Segment
        None for a missing value.

    Examples
    --------
    >>> pair = Comparison("SANCHEZ JR", "SANCHEZ", "name")
    >>> pair.text(0, "masked"), pair.text(0, "partial"), pair.text(1, "partial")
    ('*****@@@', '***** JR', '*****')
    """

    def __init__(self, first, second, kind, dates="digits", swapped=0):
        if kind not in KINDS:
            raise ValueError(f"{kind!r} is no kind of attribute; take one of {', '.join(KINDS)}")
        if dates not in DATES:
            raise ValueError(f"dates is one of {', '.join(DATES)}, not {dates!r}")
        self.kind = kind
        self.values = (first, second)
        self.modes = MODES
        if first is None or second is None:
            self.agreement = "missing"
            self.modes = ("masked",) if first is second else ("masked", "full")
        elif first == second:
            self.agreement = "equal"
            if kind == "category":
                self.modes = ("masked", "full")
        elif (
            swapped
            or kind == "category"
            or (kind == "name" and differences.too_different(first, second))
        ):
            self.agreement = "swapped" if swapped else "different"
            self.modes = ("masked", "full")
        else:
            self.agreement = "close"
        if self.agreement == "close":
            self.segments = (
                differences.align_dates(first, second, dates)
                if kind == "date"
                else differences.align_names(first, second)
                if kind == "name"
                else differences.align_strings(first, second)
            )
        else:
            markup = "different" if self.agreement == "missing" else self.agreement
            whole = differences.whole_date if kind == "date" else differences.whole
            self.segments = tuple(
                None if value is None else whole(value, 1 - row if swapped == 2 else row, markup)
                for row, value in enumerate(self.values)
            )

    def shown(self, row, mode):
        """What a mode shows of one row: a list of (markup, text), gaps included; empty where the value is missing.

        A mode that there is not shows what the masked one does.
        """
        mode = mode if mode in self.modes else "masked"
        return [(segment.markup, self._text(segment, mode)) for segment in self.segments[row] or ()]

    def text(self, row, mode, categories="symbols"):
        """What a mode shows of one row, as the paper's tables print it.

        Parameters
        ----------
        categories : {"symbols", "hidden"}
            See `CATEGORIES`.
        """
        if categories not in CATEGORIES:
            raise ValueError(f"categories is one of {', '.join(CATEGORIES)}, not {categories!r}")
        if self.kind == "category" and (
            mode == "partial" or (mode == "masked" and categories == "hidden")
        ):
            return NOTHING
        text = "".join(part for _, part in self.shown(row, mode))
        # Gaps are not printed, and what is on both sides of one is then one run.
        return (
            text
            if mode == "full" or self.kind == "date"
            else re.sub(rf"\{EQUAL}{{{LONGEST},}}", EQUAL * LONGEST, text)
        )

    def characters(self, row):
        """Number of characters; separators of a date are none, a missing value has none."""
        return sum(
            len(segment.characters)
            for segment in self.segments[row] or ()
            if segment.markup != "separator"
        )

    def disclosed(self, row, mode):
        """Number of characters whose true values a mode shows."""
        if mode == "full":
            return self.characters(row)
        if mode == "masked" or "partial" not in self.modes:
            return 0
        return sum(
            len(segment.characters)
            for segment in self.segments[row]
            if not segment.hidden and segment.markup != "separator"
        )

    def pattern(self, row, mode):
        """What a value must match to fit the display, as a regular expression; None if every value does.

        A masked cell tells nothing, nor does a missing value. A partial cell tells its characters,
        where they stand, and how many are masked: five masked characters are five or more.
        """
        if mode != "partial" or mode not in self.modes:
            return None
        return "".join(
            re.escape(segment.characters)
            if not segment.hidden
            else ".{%d%s}" % self._counted(segment)
            for segment in self.segments[row]
        )

    def _text(self, segment, mode):
        if mode == "full" or (mode == "partial" and not segment.hidden):
            return segment.characters
        if segment.markup in ("different", "swapped") and self.kind != "date":
            # One symbol for a category; else five whatever the length: it is not for telling.
            return segment.symbols[0] * (1 if self.kind == "category" else LONGEST)
        if self.kind == "category":
            return EQUAL
        return (
            segment.symbols[:LONGEST]
            if segment.markup == "equal" and self.kind != "date"
            else segment.symbols
        )

    def _counted(self, segment):
        length = len(segment.characters)
        return (LONGEST, ",") if length >= LONGEST and self.kind != "date" else (length, "")


@lru_cache(maxsize=100_000)
def compare(first, second, kind, dates="digits", swapped=0):
    """A `Comparison`, remembered."""
    return Comparison(first, second, kind, dates, swapped)
