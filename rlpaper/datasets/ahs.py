"""The American Housing Survey 1993 of domingo2002: the user's own copy, or a labelled surrogate.

The survey's public-use file cannot be redistributed here and is not in any package registry. If
you have it, put it at ``data/local/ahs1993.csv``: comma-separated, with a header that has at least
the ten variables of the paper, and one record per housing unit, in the order of the survey's file.
Codes may stand in single or double quotes, as the Census Bureau writes them (``'02'``), and are
kept as text.

Codes for "not applicable" (``B``, -6), "do not know" (``D``, -8), "refused" (``R``, -7) and "not
reported" (blank, -9) are categories like any other: the paper counts six categories for SCH and
SHP, which have two substantive answers, so it must have counted them too.
"""

import csv
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from .._internal.arithmetic import exp
from .._internal.validation import check_number, random_generator
from .errors import DatasetError

LOCAL_FILE = "local/ahs1993.csv"

#: What tables say in their column `data`: the row was computed from the user's file, or from the
#: surrogate.
ORIGINAL, SURROGATE = "original data", "surrogate data"

# fmt: off
#: Categories of each variable in the paper's Table 2.
CATEGORIES = {"BUILT": 25, "DEGREE": 8, "GRADE1": 21, "METRO": 9, "SCH": 6, "SHP": 6,
              "TRAN1": 12, "WHYMOVE": 18, "WHYTOH": 13, "WHYTON": 13}
# fmt: on

#: The paper's group "o": variables on an ordinal scale.
ORDINAL = ("BUILT", "DEGREE", "GRADE1")

#: How the mark that some programs put before the header reads here.
BYTE_ORDER_MARK = "\xef\xbb\xbf"

MAX_RECORDS = 1_000_000  # made up at once

#: The label of a blank code, and all codes that are no answer.
BLANK = "blank"
NO_ANSWER = ("B", "D", "R", "-6", "-7", "-8", "-9", ".", BLANK)


def load(folder: Path) -> pd.DataFrame:
    """Return the user's file if it is present, else the surrogate; ``attrs`` says which it is."""
    path = folder / LOCAL_FILE
    if not path.exists():
        return surrogate()
    frame = read(path)
    frame.attrs.update(
        surrogate=False,
        title="American Housing Survey 1993 (the user's copy)",
        source=f"data/{LOCAL_FILE}",
        licence="public use (US Census Bureau)",
        citation="US Department of Housing and Urban Development & US Census Bureau (1993), "
        "American Housing Survey",
    )
    return frame


def read(path: str | Path) -> pd.DataFrame:
    """Parse a public-use CSV file into ten categorical columns; other columns are left out.

    Ordinal variables are ordered by their numeric code, codes that are no answer last.
    """
    path = Path(path)
    if not path.is_file():
        raise DatasetError(
            f"{path} is no file; put the survey's CSV file there, see data/README.md"
        )
    with open(path, newline="", encoding="latin-1") as file:
        rows = csv.reader(file)
        try:
            records = list(_records(rows, path.name))
        except csv.Error as error:
            raise DatasetError(
                f"{path.name}, line {rows.line_num}: {error}; correct the line or export the file "
                "again"
            ) from None
    if not records:
        raise DatasetError(
            f"{path.name} has no records; export the file again, or remove it to work on the "
            "surrogate"
        )
    frame = pd.DataFrame(records, columns=list(CATEGORIES))
    for column in frame:
        frame[column] = pd.Categorical(
            frame[column],
            _in_code_order(frame[column].unique(), column, path.name),
            ordered=column in ORDINAL,
        )
    return frame


def _records(rows: Any, file: str) -> Iterator[list[str]]:
    """Yield the ten codes of each row of a CSV file, the first of which is the header."""
    header = [_code(name.removeprefix(BYTE_ORDER_MARK)).upper() for name in next(rows, [])]
    absent = [name for name in CATEGORIES if name not in header]
    if absent:
        raise DatasetError(
            f"{file} lacks the column{'s' * (len(absent) > 1)} {', '.join(absent)}; "
            f"it needs {', '.join(CATEGORIES)} (see data/README.md), or remove it to work on "
            "the surrogate"
        )
    twice = [name for name in CATEGORIES if header.count(name) > 1]
    if twice:
        raise DatasetError(f"{file} has two columns {twice[0]}; leave one of them out")
    positions = [header.index(name) for name in CATEGORIES]
    for row in rows:
        if len(row) not in (0, len(header)):  # a blank line is no record
            raise DatasetError(
                f"{file}, line {rows.line_num}: {len(row)} cells where the header has "
                f"{len(header)}; correct the line or export the file again"
            )
        if row:
            yield [_code(row[position]) or BLANK for position in positions]


def surrogate(records: int = 5000, seed: int = 1993) -> pd.DataFrame:
    """Make up records with the variables, category counts and ordinal flags of Table 2.

    Numbers from these records say nothing about the American Housing Survey. They show that the
    method runs, and let the claims of domingo2002 be tried on a file of the same shape. Each record
    belongs to one of eight hidden classes; within a class, variables are independent. A nominal
    variable has Zipf-like frequencies (proportional to 1/rank): half of the time in an order of the
    class's own, otherwise in a common order. An ordinal variable has a discretised bell around a
    centre of the class. Every category occurs in the first 1000 records, which the paper masks; the
    others serve as the reference file.
    """
    least = max(CATEGORIES.values())
    what = f"a whole number, {least} to {MAX_RECORDS:,}"
    check_number("records", records, what, least, MAX_RECORDS, whole=True)
    records, rng = int(records), random_generator(seed)
    classes = rng.choice(8, size=records, p=np.arange(8, 0, -1) / 36)
    columns = {}
    for name, count in CATEGORIES.items():
        if name in ORDINAL:
            centres = rng.uniform(0.15, 0.85, 8) * count
            middles = np.arange(count) + 0.5
            table = exp(-0.5 * ((middles - centres[:, None]) / (0.22 * count)) ** 2) + 0.02
        else:
            common = rng.permutation(count)
            own = [rng.permutation(count) if rng.random() < 0.5 else common for _ in range(8)]
            table = np.array([1.0 / (1 + order) for order in own])
        table /= table.sum(axis=1, keepdims=True)
        draws = rng.random(records)
        codes = (draws[:, None] > np.cumsum(table, axis=1)[classes]).sum(axis=1).clip(max=count - 1)
        # One record for each category, so that none is empty in the file that is masked.
        codes[rng.choice(min(records, 1000), count, replace=False)] = np.arange(count)
        labels = [f"{code:02d}" for code in range(1, count + 1)]
        columns[name] = pd.Categorical.from_codes(codes, labels, ordered=name in ORDINAL)
    frame = pd.DataFrame(columns)
    frame.attrs.update(
        surrogate=True,
        title="surrogate for the American Housing Survey 1993: made-up records",
        source=f"rlpaper.datasets.ahs.surrogate(records={records}, seed={seed})",
        licence="CC0",
        citation="category counts: Domingo-Ferrer & Torra (2002), Table 2",
    )
    return frame


def _code(cell: str) -> str:
    return cell.strip().strip("'\"").strip()


def _in_code_order(codes: Iterable[str], column: str, file: str) -> list[str]:
    answers = [code for code in codes if code not in NO_ANSWER]
    if column in ORDINAL:
        strange = sorted(code for code in answers if not code.isdecimal())
        if strange:
            raise DatasetError(
                f"{file}: {column} is ordinal and has codes that are no numbers: "
                f"{', '.join(strange)}; correct them, or blank them if they mean 'no answer'"
            )
    longest = max(map(len, answers), default=0)  # to which numbers are filled up with zeros
    answers.sort(
        key=lambda code: (
            not code.isdecimal(),
            code.zfill(longest) if code.isdecimal() else code,
            code,
        )
    )
    return answers + sorted(code for code in codes if code in NO_ANSWER)
