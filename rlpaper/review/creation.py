"""Making a review project: what reviewers see, what is split off, which pairs, whose budget."""

import json
import re
import secrets
from collections.abc import Collection, Sequence
from fractions import Fraction
from pathlib import Path

import numpy as np
import pandas as pd

from .._internal.validation import (
    check_column_names,
    check_frame,
    check_number,
    check_option,
    check_record_labels,
    shown,
)
from .ledger import Ledger
from .pairs import all_pairs, read_pairs
from .project import Project
from .score import check_names, check_present, check_types
from .store import Store, checked_folder

MAX_DIGITS = 1000  # of a number that is taken as it is written

#: Half a character, as texts have that were read in another encoding than they were written in.
_SURROGATE = re.compile("[\ud800-\udfff]")

#: What the tables of a project have of their own.
_OF_CONFLICTS, _OF_LINKED_TABLE = ("pair", "why"), ("person", "file")


def create(
    folder: str | Path,
    first: pd.DataFrame,
    second: pd.DataFrame | None = None,
    *,
    identifiers: dict[str, str] | None = None,
    quasi_identifiers: dict[str, str] | None = None,
    sensitive: Sequence[str] = (),
    pairs: str | Path | pd.DataFrame | pd.MultiIndex = "all",
    budget: float | str | Fraction = 1,
    kappa: int = 1,
    reviewers: Sequence[str] | dict[str, float | str] = ("reviewer",),
    reviewers_per_pair: int = 1,
    k_counts: str = "own",
    counting: str = "agreement",
    dates: str = "digits",
    swaps: Sequence[Sequence[str]] = (),
) -> Project:
    """Make a review project from one file with duplicates, or from two files to be linked.

    Parameters
    ----------
    folder : path
        Where the project is kept; nothing else should be there.
    first, second : DataFrame
        One row per record.
    identifiers, quasi_identifiers : dict
        Column -> type (``"string"``, ``"name"``, ``"date"``, ``"category"``): what reviewers see,
        under the budget. Both files have these columns.
    sensitive : sequence of columns
        Split off under random pseudonyms; never shown. A column that is named here and above is
        not shown either, and is exported only if it is no identifier. Each file may have its own.
    pairs : "all", DataFrame, MultiIndex or path
        Candidate pairs: all of them, or a table as `pairs.block` and `pairs.read_pairs` take and
        make.
    budget : number or Fraction
        The largest k-anonymized privacy risk (KAPR) that the whole project may reach, from 0 to 1.
        Decimals are taken as written: 0.1 is 1/10.
    kappa : int
        The smallest anonymity set allowed. A disclosure that would leave less is refused, whatever
        the budget.
    reviewers : sequence of names, or dict name -> share
        With shares (at most 1 in all) each reviewer has a part of the budget; without, all draw
        from the whole.
    reviewers_per_pair : int
        How many reviewers see each pair, each on their own.
    k_counts : {"own", "both"}
        For two files: whether an anonymity set counts the records of the row's own file, which is
        the smaller number and so the more careful, or of both.
    counting, dates, swaps
        See `score.PrivacyScore`.

    Returns
    -------
    Project
    """
    folder = checked_folder(folder)
    attribute_types, exported = _columns(
        {} if identifiers is None else identifiers,
        {} if quasi_identifiers is None else quasi_identifiers,
        sensitive,
    )
    files = [first] if second is None else [first, second]
    for number, file in enumerate(files, start=1):
        _check_file(file, "the file" if second is None else f"file {number}", attribute_types)
    if unknown := [column for column in exported if not any(column in file for file in files)]:
        raise ValueError(f"there is no column {unknown[0]!r} to be kept apart as sensitive")
    check_option("k_counts", k_counts, ("own", "both"))
    pair_rows = _pair_rows(pairs, first, second)
    limits, whole = _limits(reviewers, budget)
    assigned = _assign(len(pair_rows), limits, reviewers_per_pair)
    texts = [pd.DataFrame({name: _text(file[name]) for name in attribute_types}) for file in files]
    attributes = pd.concat(texts, ignore_index=True)
    numbers = [number for number, file in enumerate(files) for _ in range(len(file))]
    labels = [label for file in files for label in file.index]
    settings = {
        "attribute_types": attribute_types,
        "budget": str(whole),
        "kappa": kappa,
        "files": len(files),
        "limits": {name: str(limit) for name, limit in limits.items()},
        "k_counts": k_counts,
        "counting": counting,
        "dates": dates,
        "swaps": swaps,
    }
    own: dict[str, list[tuple[int, int]]] = {name: [] for name in limits}
    for name, _, pair in assigned:
        own[name].append(pair_rows[pair][1:])
    # What sessions will compute with; it checks the attributes and the choices.
    settings["kappa"] = Ledger(settings, attributes, numbers, own).score.kappa
    settings["swaps"] = [list(swap) for swap in swaps]
    pseudonyms = [secrets.token_hex(16) for _ in numbers]
    records = zip(
        range(len(numbers)), numbers, pseudonyms, _as_json(attributes, labels), strict=True
    )
    rows = zip(pseudonyms, _as_json(_sensitive_values(files, exported), labels), strict=True)
    Store.create(folder, settings, records, exported, rows, pair_rows, assigned).close()
    return Project(folder)


def _columns(
    identifiers: dict[str, str], quasi_identifiers: dict[str, str], sensitive: Sequence[str]
) -> tuple[dict[str, str], list[str]]:
    """Columns that are shown, with their types, and those that are exported."""
    check_types("identifiers", identifiers)
    check_types("quasi_identifiers", quasi_identifiers)
    sensitive = check_names("sensitive", sensitive)
    for column in [*identifiers, *quasi_identifiers, *sensitive]:
        if not isinstance(column, str) or _SURROGATE.search(column):
            raise ValueError(f"column {column!r}: names of columns are texts; rename it first")
    if twice := set(identifiers) & set(quasi_identifiers):
        raise ValueError(
            f"column {sorted(twice)[0]!r} is named as an identifier and as a quasi-identifier; "
            "choose one"
        )
    attribute_types = {
        column: attribute_type
        for column, attribute_type in {**identifiers, **quasi_identifiers}.items()
        if column not in sensitive
    }
    if not attribute_types:
        raise ValueError(
            "reviewers would see nothing: name at least one identifier or quasi-identifier that is "
            "not sensitive"
        )
    if reserved := set(_OF_LINKED_TABLE) & set(sensitive):
        raise ValueError(
            f"the linked table has a column {sorted(reserved)[0]!r} of its own; rename the "
            "sensitive one"
        )
    if reserved := set(_OF_CONFLICTS) & set(attribute_types):
        raise ValueError(
            f"the table of conflicts has a column {sorted(reserved)[0]!r} of its own; rename the "
            "one that is shown"
        )
    return attribute_types, [
        column for column in dict.fromkeys(sensitive) if column not in identifiers
    ]


def _sensitive_values(files: list[pd.DataFrame], columns: list[str]) -> pd.DataFrame:
    """Sensitive columns of all records; missing where the file of a record has none of that name.

    They are objects: whole numbers beside missing ones stay whole.
    """
    parts = [file.reindex(columns=columns).astype(object) for file in files]
    return pd.concat(parts, ignore_index=True)


def _check_file(file: pd.DataFrame, name: str, attribute_types: dict[str, str]) -> None:
    check_frame(file, name)
    if not len(file):
        raise ValueError(f"{name} has no records")
    check_record_labels(file, name)
    check_column_names(file, name)
    check_present(attribute_types, file, name)


def _pair_rows(
    pairs: str | Path | pd.DataFrame | pd.MultiIndex,
    first: pd.DataFrame,
    second: pd.DataFrame | None,
) -> list[tuple[int, int, int]]:
    """Pair, first record, second record; the records of the second file follow the first file's."""
    if isinstance(pairs, str) and pairs == "all":
        pairs = all_pairs(first, second)
    table = read_pairs(pairs, first, second)
    if not len(table):
        raise ValueError("there are no candidate pairs to review")
    one = {label: number for number, label in enumerate(first.index)}
    two = one
    if second is not None:
        two = {label: number for number, label in enumerate(second.index, start=len(first))}
    return [
        (pair, one[a], two[b])
        for pair, (a, b) in enumerate(zip(table["first"], table["second"], strict=True))
    ]


def _limits(
    reviewers: Sequence[str] | dict[str, float | str], budget: float | str | Fraction
) -> tuple[dict[str, Fraction], Fraction]:
    """Limits of the KAPR that each reviewer may reach, and of the whole project."""
    whole = _exact("the budget is a KAPR score", budget)
    if (
        isinstance(reviewers, str | bytes)
        or not isinstance(reviewers, Collection)
        or not len(reviewers)
    ):
        raise ValueError("name the reviewers, as a list or as a dictionary of shares")
    for name in reviewers:
        if not isinstance(name, str | int | np.integer) or _SURROGATE.search(str(name)):
            raise ValueError(f"reviewers has {shown(name)}; name each by a text")
    names = [str(name) for name in reviewers]
    if len(set(names)) < len(names):
        raise ValueError("reviewers has the same name twice; give each their own")
    if not isinstance(reviewers, dict):
        return dict.fromkeys(names, whole), whole
    shares = [
        _exact(f"the share of {name} in reviewers is a part of the budget, not negative", share)
        for name, share in zip(names, reviewers.values(), strict=True)
    ]
    if sum(shares) > 1:
        raise ValueError(
            f"shares of the budget in reviewers are at most 1 in all, not {float(sum(shares))}"
        )
    return {name: share * whole for name, share in zip(names, shares, strict=True)}, whole


def _exact(what: str, value: object) -> Fraction:
    """Return a number as it is written, so that 0.1 is 1/10; refuse what is not from 0 to 1."""
    try:
        text = str(value)
        power = text.lower().partition("e")[2]
        # With a long number as the power of ten there would be more digits than memory.
        number = Fraction(text) if len(text) <= MAX_DIGITS and len(power) <= 4 else None
    except (ValueError, ZeroDivisionError):
        number = None
    if number is None or not 0 <= number <= 1:
        raise ValueError(
            f"{what}, a number or a text such as '1/20', from 0 to 1, not "
            f"{shown(value) if number is None else number}"
        )
    return number


def _assign(pairs: int, limits: dict[str, Fraction], per_pair: int) -> list[tuple[str, int, int]]:
    """Reviewer, position, pair: to those with the fewest pairs for their part of the budget."""
    check_number("reviewers_per_pair", per_pair, "a whole number")
    if per_pair not in range(1, len(limits) + 1):
        raise ValueError(
            f"a pair has a whole number of reviewers, from 1 to the {len(limits)} that there are, "
            f"not {per_pair}"
        )
    # Who has no part gets hardly any; where nobody has, all get as many.
    weights = {name: limit or Fraction(1, 10**9) for name, limit in limits.items()}
    counts = dict.fromkeys(limits, 0)
    assigned = []
    for pair in range(pairs):
        load = {name: Fraction(count + 1) / weights[name] for name, count in counts.items()}
        for name in sorted(load, key=load.__getitem__)[: int(per_pair)]:
            assigned.append((name, counts[name], pair))
            counts[name] += 1
    return assigned


def _text(column: pd.Series) -> pd.Series:
    """Return a column as text, missing values as None.

    Whole numbers are written without decimals, dates as month/day/year.
    """
    if pd.api.types.is_datetime64_any_dtype(column):
        column = column.dt.strftime("%m/%d/%Y")

    def text(value: object) -> str | None:
        if _is_missing(value) or value == "":
            return None
        if isinstance(value, (float, np.floating)) and float(value).is_integer():
            return str(int(value))
        return str(value)

    return pd.Series([text(value) for value in column], index=column.index, dtype=object)


def _as_json(frame: pd.DataFrame, labels: list) -> list[str]:
    """Return the values of each record as a list in JSON, missing ones as null.

    Refuse texts that cannot be written; `labels` name the records.
    """

    def plain(value: object) -> object:
        if _is_missing(value):
            return None
        if isinstance(value, np.generic):
            value = value.item()
        return value if isinstance(value, (str, int, float)) else str(value)

    rows = []
    for label, row in zip(labels, frame.to_numpy(), strict=True):
        cells = list(map(plain, row))
        for column, cell in zip(frame, cells, strict=True):
            if isinstance(cell, str) and _SURROGATE.search(cell):
                raise ValueError(
                    f"column {column!r} has a text that no file can hold in record {label!r}, "
                    f"{shown(cell)}: a part of it is half a character (a surrogate); read the data "
                    "in the encoding in which they were written, or replace it"
                )
        rows.append(json.dumps(cells, ensure_ascii=False))
    return rows


def _is_missing(value: object) -> bool:
    return pd.api.types.is_scalar(value) and bool(pd.isna(value))
