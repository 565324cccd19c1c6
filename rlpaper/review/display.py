"""The display modes of li2019: masked, partial or full (Section 3.2, Table 1).

They say what is shown of one attribute of two records.
"""

import re

from .._internal.validation import check_option
from . import differences
from .differences import EQUAL, Segment, Segments

MODES = ("masked", "partial", "full")

#: The attribute types of Table 1, which calls them String, Varchar, Date and Category.
ATTRIBUTE_TYPES = ("string", "name", "date", "category")

#: What a partial date shows: the digits that differ (Tables 3 and 4) or the elements that do (Table
#: 1).
DATES = ("digits", "elements")

#: How a masked category is printed: by a symbol (Table 1) or not at all (Table 3).
CATEGORIES = ("symbols", "hidden")

#: Masked characters printed of a longer run, as in Table 1: a long value does not tell its length.
MAX_MASKED_CHARACTERS = 5

#: What is printed where there is nothing partial to show of a category.
NOT_AVAILABLE = "N/A"


class Comparison:
    """Two values of one attribute, side by side.

    Parameters
    ----------
    first, second : str or None
        The values of both rows; None is missing.
    attribute_type : {"string", "name", "date", "category"}
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

    def __init__(
        self,
        first: str | None,
        second: str | None,
        attribute_type: str,
        dates: str = "digits",
        swapped: int = 0,
    ) -> None:
        check_option("attribute_type", attribute_type, ATTRIBUTE_TYPES)
        check_option("dates", dates, DATES)
        self.attribute_type = attribute_type
        self.values = (first, second)
        self.modes: tuple[str, ...] = MODES
        self.segments: tuple[Segments | None, ...]
        if first is None or second is None:
            self.agreement = "missing"
            self.modes = ("masked",) if first is second else ("masked", "full")
        elif first == second:
            self.agreement = "equal"
            if attribute_type == "category":
                self.modes = ("masked", "full")
        elif (
            swapped
            or attribute_type == "category"
            or (attribute_type == "name" and differences.too_different(first, second))
        ):
            self.agreement = "swapped" if swapped else "different"
            self.modes = ("masked", "full")
        else:
            self.agreement = "close"
            self.segments = (
                differences.align_dates(first, second, dates)
                if attribute_type == "date"
                else differences.align_names(first, second)
                if attribute_type == "name"
                else differences.align_strings(first, second)
            )
            return
        markup = "different" if self.agreement == "missing" else self.agreement
        whole = differences.whole_date if attribute_type == "date" else differences.whole
        self.segments = tuple(
            None if value is None else whole(value, 1 - row if swapped == 2 else row, markup)
            for row, value in enumerate(self.values)
        )

    def parts(self, row: int, mode: str) -> list[tuple[str, str]]:
        """Return what a mode shows of one row, as (markup, text) of each segment, gaps included.

        There is none where the value is missing. A mode that the comparison does not have shows
        what the masked one does.
        """
        mode = mode if mode in self.modes else "masked"
        return [(segment.markup, self._text(segment, mode)) for segment in self.segments[row] or ()]

    def text(self, row: int, mode: str, categories: str = "symbols") -> str:
        """Return what a mode shows of one row, as the paper's tables print it.

        Parameters
        ----------
        row : int
            0 or 1.
        mode : str
            One of `MODES`.
        categories : {"symbols", "hidden"}
            See `CATEGORIES`.
        """
        check_option("categories", categories, CATEGORIES)
        if self.attribute_type == "category" and (
            mode == "partial" or (mode == "masked" and categories == "hidden")
        ):
            return NOT_AVAILABLE
        text = "".join(part for _, part in self.parts(row, mode))
        # Gaps are not printed, and what is on both sides of one is then one run.
        return (
            text
            if mode == "full" or self.attribute_type == "date"
            else re.sub(
                rf"\{EQUAL}{{{MAX_MASKED_CHARACTERS},}}", EQUAL * MAX_MASKED_CHARACTERS, text
            )
        )

    def characters(self, row: int) -> int:
        """Return the number of characters of one row, not counting the separators of a date.

        A missing value has none.
        """
        return sum(
            len(segment.characters)
            for segment in self.segments[row] or ()
            if segment.markup != "separator"
        )

    def disclosed(self, row: int, mode: str) -> int:
        """Return the number of characters whose true values a mode shows."""
        if mode == "full":
            return self.characters(row)
        if mode == "masked" or "partial" not in self.modes:
            return 0
        return sum(
            len(segment.characters)
            for segment in self.segments[row] or ()
            if not segment.hidden and segment.markup != "separator"
        )

    def pattern(self, row: int, mode: str) -> str | None:
        """Return the regular expression of the values that fit the display; None if all do.

        A masked cell tells nothing, nor does a missing value. A partial cell tells its characters,
        where they stand, and how many are masked: five masked characters are five or more.
        """
        if mode != "partial" or mode not in self.modes:
            return None
        return "".join(
            re.escape(segment.characters) if not segment.hidden else f".{{{self._length(segment)}}}"
            for segment in self.segments[row] or ()
        )

    def _text(self, segment: Segment, mode: str) -> str:
        if mode == "full" or (mode == "partial" and not segment.hidden):
            return segment.characters
        if segment.markup in ("different", "swapped") and self.attribute_type != "date":
            # One symbol for a category; else five whatever the length: it is not for telling.
            return segment.symbols[0] * (
                1 if self.attribute_type == "category" else MAX_MASKED_CHARACTERS
            )
        if self.attribute_type == "category":
            return EQUAL
        return (
            segment.symbols[:MAX_MASKED_CHARACTERS]
            if segment.markup == "equal" and self.attribute_type != "date"
            else segment.symbols
        )

    def _length(self, segment: Segment) -> str:
        length = len(segment.characters)
        masked = length >= MAX_MASKED_CHARACTERS and self.attribute_type != "date"
        return f"{MAX_MASKED_CHARACTERS}," if masked else str(length)
