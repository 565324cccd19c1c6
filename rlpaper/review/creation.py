"""Making a review project: what reviewers see, what is split off, which pairs, whose budget."""

import json
import secrets
from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path

import numpy as np
import pandas as pd

from .._internal.validation import check_column_names, check_option, check_record_labels
from .ledger import Ledger
from .pairs import all_pairs, read_pairs
from .project import Project
from .store import Store


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
    attribute_types, exported = _columns(identifiers or {}, quasi_identifiers or {}, sensitive)
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
    settings = {
        "attribute_types": attribute_types,
        "budget": str(whole),
        "kappa": kappa,
        "files": len(files),
        "limits": {name: str(limit) for name, limit in limits.items()},
        "k_counts": k_counts,
        "counting": counting,
        "dates": dates,
        "swaps": [list(swap) for swap in swaps],
    }
    own: dict[str, list[tuple[int, int]]] = {name: [] for name in limits}
    for name, _, pair in assigned:
        own[name].append(pair_rows[pair][1:])
    # What sessions will compute with; it checks the attributes and the choices.
    settings["kappa"] = Ledger(settings, attributes, numbers, own).score.kappa
    pseudonyms = [secrets.token_hex(16) for _ in numbers]
    records = zip(range(len(numbers)), numbers, pseudonyms, _as_json(attributes), strict=True)
    rows = zip(pseudonyms, _as_json(_sensitive_values(files, exported)), strict=True)
    Store.create(folder, settings, records, exported, rows, pair_rows, assigned).close()
    return Project(folder)


def _columns(
    identifiers: dict[str, str], quasi_identifiers: dict[str, str], sensitive: Sequence[str]
) -> tuple[dict[str, str], list[str]]:
    """Columns that are shown, with their types, and those that are exported."""
    if isinstance(sensitive, str):
        raise ValueError(f"sensitive is a list of columns; write [{sensitive!r}]")
    if strange := [
        column
        for column in [*identifiers, *quasi_identifiers, *sensitive]
        if not isinstance(column, str)
    ]:
        raise ValueError(f"column {strange[0]!r}: names of columns are texts; rename it first")
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
    if reserved := {"person", "file"} & set(sensitive):
        raise ValueError(
            f"the linked table has a column {sorted(reserved)[0]!r} of its own; rename the "
            "sensitive one"
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
    if not len(file):
        raise ValueError(f"{name} has no records")
    check_record_labels(file, name)
    check_column_names(file, name)
    if missing := [column for column in attribute_types if column not in file]:
        raise ValueError(
            f"{name} has no column {missing[0]!r}; it has {', '.join(map(str, file.columns))}"
        )


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
    whole = Fraction(str(budget))
    if not 0 <= whole <= 1:
        raise ValueError(f"the budget is a KAPR score from 0 to 1, not {whole}")
    if not reviewers or isinstance(reviewers, str):
        raise ValueError("name the reviewers, as a list or as a dictionary of shares")
    if not isinstance(reviewers, dict):
        if len(set(map(str, reviewers))) < len(reviewers):
            raise ValueError("two reviewers have the same name")
        return {str(name): whole for name in reviewers}, whole
    shares = {str(name): Fraction(str(share)) for name, share in reviewers.items()}
    if min(shares.values()) < 0 or sum(shares.values()) > 1:
        raise ValueError(
            "shares of the budget are not negative and at most 1 in all, "
            f"not {float(sum(shares.values()))}"
        )
    return {name: share * whole for name, share in shares.items()}, whole


def _assign(pairs: int, limits: dict[str, Fraction], per_pair: int) -> list[tuple[str, int, int]]:
    """Reviewer, position, pair: to those with the fewest pairs for their part of the budget."""
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
        for name in sorted(load, key=load.__getitem__)[:per_pair]:
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


def _as_json(frame: pd.DataFrame) -> list[str]:
    """Return the values of each record as a list in JSON, missing ones as null."""

    def plain(value: object) -> object:
        if _is_missing(value):
            return None
        if isinstance(value, np.generic):
            return value.item()
        return value if isinstance(value, (str, int, float)) else str(value)

    return [json.dumps(list(map(plain, row)), ensure_ascii=False) for row in frame.to_numpy()]


def _is_missing(value: object) -> bool:
    return pd.api.types.is_scalar(value) and bool(pd.isna(value))
