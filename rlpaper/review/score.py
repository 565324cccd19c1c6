"""The k-anonymized privacy risk (KAPR) of li2019, in exact fractions (Section 4)."""

import re
from fractions import Fraction

import numpy as np
import pandas as pd

from .differences import date_parts
from .display import DATES, KINDS, MODES, compare

#: How the records that fit a partial cell are counted: see `PrivacyScore`.
COUNTINGS = ("agreement", "definition")


def k_anonymity(frame, columns=None):
    """The largest k for which a file is k-anonymous (Definition 4.1): the size of the smallest group of equal records.

    A missing value is a value of its own.

    Examples
    --------
    >>> k_anonymity(pd.DataFrame({"sex": ["f", "f", "m", "m", "m"]}))
    2
    """
    columns = list(frame.columns if columns is None else columns)
    if unknown := [column for column in columns if column not in frame]:
        raise ValueError(
            f"the file has no column {unknown[0]!r}; it has {', '.join(map(str, frame.columns))}"
        )
    if not columns or not len(frame):
        raise ValueError("k-anonymity needs at least one record and one column")
    return int(frame.groupby(columns, dropna=False, observed=True).size().min())


class PrivacyScore:
    """Anonymity sets and KAPR of the pairs of a project.

    With N displayed rows, D attributes, the smallest anonymity set allowed kappa, and for row i the
    size k_i of its anonymity set and the share p_ij of the characters of attribute j that are
    shown, ``K = kappa / (N D) * sum_i (1 / k_i) sum_j p_ij`` (Definition 4.6). N counts rows, two a
    pair, as the example of the paper does; Definition 4.2 calls N the number of records, with which
    full disclosure could exceed 1.

    Parameters
    ----------
    records : DataFrame
        The D attributes of all records, as text, missing values as None or NaN.
    kinds : dict
        Attribute -> kind of `display.KINDS`.
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

    A missing value has no characters, p = 0, and excludes no record: it does nothing to k.
    """

    def __init__(
        self,
        records,
        kinds,
        rows,
        kappa=1,
        counting="agreement",
        dates="digits",
        files=None,
        swaps=(),
    ):
        check_kinds(records, kinds)
        for name, value, known in (("counting", counting, COUNTINGS), ("dates", dates, DATES)):
            if value not in known:
                raise ValueError(f"{name} is one of {', '.join(known)}, not {value!r}")
        if files is not None and len(files) != len(records):
            raise ValueError(
                f"files names the file of {len(files)} records; there are {len(records)}"
            )
        counted = len(records) if files is None else int(pd.Series(files).value_counts().min())
        if kappa != int(kappa) or not 1 <= kappa <= counted:
            raise ValueError(
                f"kappa, the smallest anonymity set allowed, is a whole number from 1 to the {counted} records that "
                f"are counted, not {kappa}"
            )
        for swap in swaps:
            if len(swap) != 2 or not set(swap) <= set(kinds):
                raise ValueError(
                    f"{swap!r} is no pair of attributes whose values may be swapped; there are {', '.join(kinds)}"
                )
        self.kinds = dict(kinds)
        self.counting, self.dates, self.kappa = counting, dates, int(kappa)
        self.unit = Fraction(int(kappa), rows * len(kinds))
        values = records[list(kinds)].astype(object)
        self._values = values.where(values.notna(), None).to_numpy()
        counts = [_digits if kind == "date" else len for kind in kinds.values()]
        # A code a record: the place of its value among the distinct ones, -1 where it is missing.
        self._codes, self._distinct = map(
            list, zip(*(pd.factorize(column) for column in self._values.T))
        )
        self._twice = [
            pd.Series(codes).duplicated(keep=False).to_numpy() & (codes >= 0)
            for codes in self._codes
        ]
        #: Characters of each record, as `display.Comparison.characters` counts them.
        self.characters = np.array(
            [
                sum(count(value) for count, value in zip(counts, row) if value is not None)
                for row in self._values
            ]
        )
        self._files = None if files is None else np.asarray(files)
        places = {name: place for place, name in enumerate(kinds)}
        self._swaps = [(places[a], places[b]) for a, b in swaps]
        self._fitting = {}

    def comparisons(self, first, second):
        """The attributes of two records, given by their numbers, side by side."""
        a, b = self._values[first], self._values[second]
        swapped = {
            place: number
            for one, two in self._swaps
            if a[one] == b[two] != a[two] == b[one] and None not in (a[one], a[two])
            for number, place in ((1, one), (2, two))
        }
        return [
            compare(a[place], b[place], kind, self.dates, swapped.get(place, 0))
            for place, kind in enumerate(self.kinds.values())
        ]

    def rows(self, first, second, modes):
        """Both rows of a pair under the given modes, one an attribute: a list of two (k, [p], K)."""
        if len(modes) != len(self.kinds) or not set(modes) <= set(MODES):
            raise ValueError(
                f"a pair needs {len(self.kinds)} modes, each one of {', '.join(MODES)}, not {list(modes)}"
            )
        pair = self.comparisons(first, second)
        result = []
        for row, record in enumerate((first, second)):
            k = self._fit(record, row, pair, modes)
            shares = [
                Fraction(cell.disclosed(row, mode), cell.characters(row) or 1)
                for cell, mode in zip(pair, modes)
            ]
            result.append((k, shares, self.unit * sum(shares) / k))
        return result

    def _fit(self, record, row, pair, modes):
        """Size of the anonymity set of a row."""
        fits = (
            np.ones(len(self._values), bool)
            if self._files is None
            else self._files == self._files[record]
        )
        for place, (cell, mode) in enumerate(zip(pair, modes)):
            if cell.values[row] is None or mode == "masked":
                continue
            if mode == "full":
                fits &= self._codes[place] == self._codes[place][record]
            elif (pattern := cell.pattern(row, mode)) is not None:
                fits &= self._matching(place, pattern)
                if self.counting == "agreement" and cell.agreement == "equal":
                    fits &= self._twice[place]
        return int(fits.sum())

    def _matching(self, place, pattern):
        """Which records have a value that matches."""
        if (place, pattern) not in self._fitting:
            matches = re.compile(pattern, re.DOTALL).fullmatch
            known = np.array(
                [matches(value) is not None for value in self._distinct[place]] + [False]
            )
            if (
                len(self._fitting) >= 1000
            ):  # what is kept stays small: a page of cells, not a project of them
                self._fitting.clear()
            self._fitting[place, pattern] = known[self._codes[place]]
        return self._fitting[place, pattern]


def kapr(
    records,
    pairs,
    kinds,
    modes,
    kappa=1,
    counting="agreement",
    dates="digits",
    categories="symbols",
):
    """The KAPR score of a display, row by row.

    Parameters
    ----------
    records : DataFrame
        One row a record, its index naming it.
    pairs : sequence of pairs of index labels
    kinds : dict
        Attribute -> kind, the D attributes that are displayed.
    modes : str, or one sequence of modes a pair
        ``"masked"``, ``"partial"`` or ``"full"`` for all, or a mode an attribute of each pair.
    kappa, counting, dates
        See `PrivacyScore`.
    categories : {"symbols", "hidden"}
        See `display.Comparison.text`.

    Returns
    -------
    DataFrame
        A row a displayed row: `pair`, `row`, the text of each attribute, `k`, `p_<attribute>`, `K`.
        Shares and scores are `fractions.Fraction`; the score of the display is
        ``frame["K"].sum()``.

    Examples
    --------
    >>> people = pd.DataFrame({"name": ["Mary", "Mark", "Mary"]}, index=[1, 2, 3])
    >>> kapr(people, [(1, 2)], {"name": "name"}, "partial")[["name", "k", "p_name", "K"]].astype(str).values.tolist()
    [['***y', '2', '1/4', '1/16'], ['***k', '1', '1/4', '1/8']]
    """
    if not records.index.is_unique:
        raise ValueError(
            "two records have the same index label; give every record its own, or reset_index()"
        )
    pairs = [tuple(pair) for pair in pairs]
    if unknown := [label for pair in pairs for label in pair if label not in records.index]:
        raise ValueError(f"there is no record {unknown[0]!r}")
    if alone := [first for first, second in pairs if first == second]:
        raise ValueError(f"record {alone[0]!r} is paired with itself")
    if not pairs:
        raise ValueError("there are no pairs, so nothing is displayed")
    if isinstance(modes, str):
        modes = [[modes] * len(kinds)] * len(pairs)
    if len(modes) != len(pairs):
        raise ValueError(f"there are {len(pairs)} pairs, and modes for {len(modes)}")
    risk = PrivacyScore(records, kinds, 2 * len(pairs), kappa, counting, dates)
    place = {label: number for number, label in enumerate(records.index)}
    lines = []
    for (first, second), choice in zip(pairs, modes):
        cells = risk.comparisons(place[first], place[second])
        for row, (k, shares, score) in enumerate(risk.rows(place[first], place[second], choice)):
            lines.append(
                {
                    "pair": f"{first}-{second}",
                    "row": len(lines) + 1,
                    **{
                        name: cell.text(row, mode, categories)
                        for name, cell, mode in zip(kinds, cells, choice)
                    },
                    "k": k,
                    **{f"p_{name}": share for name, share in zip(kinds, shares)},
                    "K": score,
                }
            )
    return pd.DataFrame(lines)


def check_kinds(records, kinds):
    """Raise a ValueError unless every attribute is a column of text (or missing) that fits its kind."""
    if not kinds:
        raise ValueError("there is no attribute to show; name at least one with its kind")
    for column, kind in kinds.items():
        if column not in records:
            raise ValueError(
                f"the file has no column {column!r}; it has {', '.join(map(str, records.columns))}"
            )
        if kind not in KINDS:
            raise ValueError(
                f"column {column!r}: {kind!r} is no kind of attribute; take one of {', '.join(KINDS)}"
            )
        values = records[column].dropna()
        if wrong := [value for value in values if not isinstance(value, str)]:
            raise ValueError(
                f"column {column!r} holds {wrong[0]!r}, which is no text; convert it, for example with .astype(str)"
            )
        if (values == "").any():
            raise ValueError(
                f"column {column!r} holds an empty text; write missing values as None or NaN"
            )
        if kind == "date":
            _check_dates(column, values)


def _digits(date):
    return sum(map(str.isdigit, date))


def _check_dates(column, values):
    layouts = {}
    for value in values.unique():
        try:
            parts = date_parts(value)
        except ValueError as error:
            raise ValueError(f"column {column!r}: {error}") from None
        layouts.setdefault(
            tuple(part if not part.isdigit() else len(part) for part in parts), value
        )
    if len(layouts) > 1:
        one, two = list(layouts.values())[:2]
        raise ValueError(
            f"column {column!r} writes dates in two ways, {one!r} and {two!r}; write them all in one"
        )
