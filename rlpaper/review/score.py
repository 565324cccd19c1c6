"""The k-anonymized privacy risk (KAPR) of li2019, in exact fractions (Section 4)."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence, Set
from fractions import Fraction
from functools import lru_cache

import numpy as np
import pandas as pd

from .._internal.hints import Label
from .._internal.validation import (
    check_file,
    check_list,
    check_number,
    check_option,
    check_record_labels,
    shown,
)
from ..linkage.blocking import common_codes
from .differences import date_parts
from .display import ATTRIBUTE_TYPES, CATEGORIES, DATES, MODES, Comparison

#: How the records that fit a partial cell are counted: see `PrivacyScore`.
COUNTINGS = ("agreement", "definition")

#: Patterns of partial cells whose fitting records are kept: those of some pages, not of a project.
_MAX_PATTERNS = 1000

#: Of a displayed row: size of its anonymity set, shares of the characters shown, score.
Row = tuple[int, list[Fraction], Fraction]


def k_anonymity(frame: pd.DataFrame, columns: Sequence[Label] | None = None) -> int:
    """Return the largest k for which a file is k-anonymous (Definition 4.1).

    It is the size of the smallest group of equal records. A missing value is a value of its own.

    Examples
    --------
    >>> k_anonymity(pd.DataFrame({"sex": ["f", "f", "m", "m", "m"]}))
    2
    """
    check_file(frame, "the file")
    columns = list(frame.columns) if columns is None else check_names("columns", columns)
    check_present(columns, frame, "the file")
    if not columns:
        raise ValueError("columns is empty; k-anonymity needs at least one column")
    codes = [common_codes(frame[column], frame[column].head(0))[0] for column in columns]
    return int(np.unique(np.column_stack(codes), axis=0, return_counts=True)[1].min())


class PrivacyScore:
    """Anonymity sets and KAPR of the pairs of a project.

    With N displayed rows, D attributes, the smallest anonymity set allowed kappa, and for row i the
    size k_i of its anonymity set and the share p_ij of the characters of attribute j that are
    shown, ``K = kappa / (N D) * sum_i (1 / k_i) sum_j p_ij`` (Definition 4.6). N counts rows, two
    per pair, as the example of the paper does; Definition 4.2 calls N the number of records, with
    which full disclosure could exceed 1. A missing value has no characters, p = 0, and excludes no
    record, so k stays as it is.

    Parameters
    ----------
    records : DataFrame
        The D attributes of all records, as text, missing values as None or NaN.
    attribute_types : dict
        Attribute -> one of `display.ATTRIBUTE_TYPES`.
    rows : int
        N, the displayed rows of the whole project.
    kappa : int
    counting : {"agreement", "definition"}
        k_i counts the records that fit every cell of the row that is not masked. With
        ``"agreement"``, which gives Table 4, a partial cell whose two values agree also requires
        that the record's value occurs in at least two records. ``"definition"`` does without, as
        Definition 4.4 says.
    dates : {"digits", "elements"}
        See `display.Comparison`.
    files : sequence, optional
        The file of each record. Records of other files than the row's own are then not counted in
        k_i; whether a value occurs twice is asked of all files.
    swaps : sequence of pairs of attributes, optional
        Attributes whose values may have changed places.
    """

    def __init__(
        self,
        records: pd.DataFrame,
        attribute_types: dict[str, str],
        rows: int,
        kappa: int = 1,
        counting: str = "agreement",
        dates: str = "digits",
        files: Sequence[int] | None = None,
        swaps: Sequence[Sequence[str]] = (),
    ) -> None:
        check_attributes(records, attribute_types)
        check_number("rows", rows, "the number of displayed rows, two per pair", 1, whole=True)
        check_option("counting", counting, COUNTINGS)
        check_option("dates", dates, DATES)
        self._files = None if files is None else _file_numbers(files, len(records))
        counted = len(records) if self._files is None else int(np.bincount(self._files).min())
        _check_limits(attribute_types, kappa, counted, swaps)
        self.attribute_types = dict(attribute_types)
        self.counting, self.dates, self.kappa = counting, dates, int(kappa)
        self.unit = Fraction(self.kappa, int(rows) * len(attribute_types))
        values = records[list(attribute_types)].astype(object)
        self._values = values.where(values.notna(), None).to_numpy()
        counts = [_digits if one == "date" else len for one in attribute_types.values()]
        # One code per record: its value among the distinct ones, -1 where it is missing.
        factorized = [pd.factorize(column) for column in self._values.T]
        self._codes = [codes for codes, _ in factorized]
        self._distinct = [distinct for _, distinct in factorized]
        self._twice = [
            pd.Series(codes).duplicated(keep=False).to_numpy() & (codes >= 0)
            for codes in self._codes
        ]
        #: Characters of each record, as `display.Comparison.characters` counts them.
        self.characters = np.array(
            [
                sum(
                    count(value)
                    for count, value in zip(counts, row, strict=True)
                    if value is not None
                )
                for row in self._values
            ]
        )
        names = list(attribute_types)
        self._swaps = [(names.index(a), names.index(b)) for a, b in swaps]
        self._fitting: dict[tuple[int, str], np.ndarray] = {}
        self._compare = lru_cache(maxsize=100_000)(Comparison)  # forgotten with the score

    def comparisons(self, first: int, second: int) -> list[Comparison]:
        """Return the attributes of two records, given by their numbers, side by side."""
        last = len(self._values) - 1
        for name, number in (("first", first), ("second", second)):
            if type(number) is not int or not 0 <= number <= last:  # a page asks for many
                what = f"the number of a record, from 0 to {last}"
                check_number(name, number, what, 0, last, whole=True)
        if first == second:
            raise ValueError(f"record {first} is paired with itself")
        a, b = self._values[int(first)], self._values[int(second)]
        swapped = {
            attribute: number
            for one, two in self._swaps
            if a[one] == b[two] != a[two] == b[one] and None not in (a[one], a[two])
            for number, attribute in ((1, one), (2, two))
        }
        return [
            self._compare(a[j], b[j], attribute_type, self.dates, swapped.get(j, 0))
            for j, attribute_type in enumerate(self.attribute_types.values())
        ]

    def rows(self, first: int, second: int, modes: Sequence[str]) -> list[Row]:
        """Return (k, [p], K) of both rows of a pair under the given modes, one per attribute."""
        modes = check_list("modes", modes)
        if len(modes) != len(self.attribute_types) or not all(
            isinstance(mode, str) and mode in MODES for mode in modes
        ):
            raise ValueError(
                f"a pair needs {len(self.attribute_types)} modes, each one of {', '.join(MODES)}, "
                f"not {modes}"
            )
        pair = self.comparisons(first, second)
        result = []
        for row, record in enumerate((int(first), int(second))):
            k = self._fit(record, row, pair, modes)
            shares = [
                Fraction(cell.disclosed(row, mode), cell.characters(row) or 1)
                for cell, mode in zip(pair, modes, strict=True)
            ]
            result.append((k, shares, self.unit * sum(shares) / k))
        return result

    def _fit(self, record: int, row: int, pair: list[Comparison], modes: Sequence[str]) -> int:
        """Size of the anonymity set of a row."""
        fits = (
            np.ones(len(self._values), bool)
            if self._files is None
            else self._files == self._files[record]
        )
        for j, (cell, mode) in enumerate(zip(pair, modes, strict=True)):
            if cell.values[row] is None or mode == "masked":
                continue
            if mode == "full":
                fits &= self._codes[j] == self._codes[j][record]
            elif (pattern := cell.pattern(row, mode)) is not None:
                fits &= self._matching(j, pattern)
                if self.counting == "agreement" and cell.agreement == "equal":
                    fits &= self._twice[j]
        return int(fits.sum())

    def _matching(self, attribute: int, pattern: str) -> np.ndarray:
        """Which records have a value that matches."""
        if (attribute, pattern) not in self._fitting:
            matches = re.compile(pattern, re.DOTALL).fullmatch
            known = [matches(value) is not None for value in self._distinct[attribute]]
            if len(self._fitting) >= _MAX_PATTERNS:
                self._fitting.clear()
            # The last is that of missing values, whose code is -1.
            self._fitting[attribute, pattern] = np.array([*known, False])[self._codes[attribute]]
        return self._fitting[attribute, pattern]


def kapr(
    records: pd.DataFrame,
    pairs: Iterable[tuple[Label, Label]],
    attribute_types: dict[str, str],
    modes: str | Sequence[Sequence[str]],
    kappa: int = 1,
    counting: str = "agreement",
    dates: str = "digits",
    categories: str = "symbols",
) -> pd.DataFrame:
    """Return the KAPR score of a display, row by row.

    Parameters
    ----------
    records : DataFrame
        One row per record, whose label in the index names it.
    pairs : sequence of pairs of index labels
    attribute_types : dict
        Attribute -> one of `display.ATTRIBUTE_TYPES`, the D attributes that are displayed.
    modes : str, or one sequence of modes per pair
        ``"masked"``, ``"partial"`` or ``"full"`` for all, or one mode for each attribute of each
        pair.
    kappa, counting, dates
        See `PrivacyScore`.
    categories : {"symbols", "hidden"}
        See `display.Comparison.text`.

    Returns
    -------
    DataFrame
        One row per displayed row: `pair`, `row`, the text of each attribute, `k`,
        `p_<attribute>`, `K`. Shares and scores are `fractions.Fraction`; the score of the display
        is ``frame["K"].sum()``.

    Examples
    --------
    >>> people = pd.DataFrame({"name": ["Mary", "Mark", "Mary"]}, index=[1, 2, 3])
    >>> rows = kapr(people, [(1, 2)], {"name": "name"}, "partial")
    >>> rows[["name", "k", "p_name", "K"]].astype(str).values.tolist()
    [['***y', '2', '1/4', '1/16'], ['***k', '1', '1/4', '1/8']]
    """
    check_file(records, "the file")
    check_record_labels(records, "the file")
    check_types("attribute_types", attribute_types)
    check_option("categories", categories, CATEGORIES)
    names = ["pair", "row", *attribute_types, "k", *(f"p_{name}" for name in attribute_types), "K"]
    if twice := [name for name, count in Counter(names).items() if count > 1]:
        raise ValueError(
            f"the result would have two columns {twice[0]!r}; rename the attribute first"
        )
    number = {label: number for number, label in enumerate(records.index)}
    pairs = list(pairs) if isinstance(pairs, Iterable) else [pairs]
    for pair in pairs:
        _check_pair(pair, number)
    if not pairs:
        raise ValueError("there are no pairs, so nothing is displayed")
    if isinstance(modes, str):
        modes = [[modes] * len(attribute_types)] * len(pairs)
    modes = check_list("modes", modes)
    if len(modes) != len(pairs):
        raise ValueError(f"there are {len(pairs)} pairs, and modes for {len(modes)}")
    score = PrivacyScore(records, attribute_types, 2 * len(pairs), kappa, counting, dates)
    rows: list[dict] = []
    for (first, second), chosen in zip(pairs, modes, strict=True):
        numbers = number[first], number[second]
        both = score.rows(*numbers, chosen)
        cells = list(zip(attribute_types, score.comparisons(*numbers), chosen, strict=True))
        for row, (k, shares, K) in enumerate(both):
            rows.append(
                {
                    "pair": f"{first}-{second}",
                    "row": len(rows) + 1,
                    **{name: cell.text(row, mode, categories) for name, cell, mode in cells},
                    "k": k,
                    **{f"p_{name}": p for name, p in zip(attribute_types, shares, strict=True)},
                    "K": K,
                }
            )
    return pd.DataFrame(rows)


def check_attributes(records: pd.DataFrame, attribute_types: dict[str, str]) -> None:
    """Raise a ValueError unless every attribute is a column of text that fits its type.

    Missing values are allowed.
    """
    check_file(records, "the file")
    check_types("attribute_types", attribute_types)
    if not attribute_types:
        raise ValueError(
            "attribute_types is empty, so there is no attribute to show; name at least one with "
            "its type"
        )
    check_present(attribute_types, records, "the file")
    for column, attribute_type in attribute_types.items():
        check_option(f"the type of column {column!r}", attribute_type, ATTRIBUTE_TYPES)
        values = records[column].dropna()
        if wrong := [value for value in values if not isinstance(value, str)]:
            raise ValueError(
                f"column {column!r} holds {wrong[0]!r}, which is not text; convert it, for example "
                "with .astype(str)"
            )
        if (values == "").any():
            raise ValueError(
                f"column {column!r} holds an empty text; write missing values as None or NaN"
            )
        if attribute_type == "date":
            _check_dates(column, values)


def check_types(name: str, value: object) -> None:
    """Refuse what does not say of which type each column is."""
    if not isinstance(value, dict):
        raise ValueError(
            f"{name} is {shown(value)}; give a dict, column -> type, such as "
            f"{{'town': 'category'}} (types are {', '.join(ATTRIBUTE_TYPES)})"
        )


def check_names(name: str, value: object) -> list:
    """Return names that are given in some order or none; refuse what holds none."""
    return check_list(name, list(value) if isinstance(value, Set) else value)


def check_present(columns: Iterable[Label], frame: pd.DataFrame, file: str) -> None:
    """Refuse columns that a file does not have."""
    there = list(frame.columns)
    if unknown := [column for column in columns if column not in there]:
        raise ValueError(
            f"{file} has no column {unknown[0]!r}; it has {', '.join(map(str, there))}"
        )


def _check_pair(pair: object, number: dict[Label, int]) -> None:
    """Refuse what does not name two records; `number` has those that there are."""
    if not isinstance(pair, tuple | list | np.ndarray) or len(pair) != 2:
        raise ValueError(
            f"pairs has {shown(pair)}; give a list of pairs of index labels, such as [(1, 2)]"
        )
    for label in pair:
        if not pd.api.types.is_hashable(label) or label not in number:
            raise ValueError(f"there is no record {label!r}")
    if number[pair[0]] == number[pair[1]]:
        raise ValueError(f"record {pair[0]!r} is paired with itself")


def _file_numbers(files: Sequence[int], records: int) -> np.ndarray:
    """Return the files of the records, numbered from 0."""
    files = check_list("files", files)
    if len(files) != records:
        raise ValueError(f"files names the file of {len(files)} records; there are {records}")
    if wrong := [file for file in files if not isinstance(file, str | int | np.integer)]:
        raise ValueError(f"files has {shown(wrong[0])}; name each file by a number or a text")
    return pd.factorize(np.array([*files, None], object)[:-1])[0]


def _check_limits(
    attribute_types: dict[str, str], kappa: int, counted: int, swaps: Sequence[Sequence[str]]
) -> None:
    check_number("kappa", kappa, "the smallest anonymity set allowed, a whole number")
    if kappa != int(kappa) or not 1 <= kappa <= counted:
        raise ValueError(
            f"kappa, the smallest anonymity set allowed, is a whole number from 1 to the "
            f"{counted} records that are counted, not {kappa}"
        )
    for swap in check_list("swaps", swaps):
        names = check_list("a pair of attributes in swaps", swap)
        if (
            len(names) != 2
            or names[0] == names[1]
            or not all(name in list(attribute_types) for name in names)
        ):
            raise ValueError(
                f"swaps has {names}, which is not a pair of attributes whose values may be "
                f"swapped; there are {', '.join(map(str, attribute_types))}"
            )


def _digits(date: str) -> int:
    return sum(map(str.isdigit, date))


def _check_dates(column: str, values: pd.Series) -> None:
    layouts: dict[tuple, str] = {}
    for value in values.unique():
        try:
            parts = date_parts(value)
        except ValueError as error:
            raise ValueError(f"column {column!r}: {error}") from None
        layout = tuple(len(part) if part.isdigit() else part for part in parts)
        layouts.setdefault(layout, value)
    if len(layouts) > 1:
        one, two = list(layouts.values())[:2]
        raise ValueError(
            f"column {column!r} writes dates in two ways, {one!r} and {two!r}; "
            "write them all in one"
        )
