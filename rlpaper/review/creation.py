"""Making a review project: what reviewers see, what is split off, which pairs, whose budget."""

import json
import math
import secrets
from fractions import Fraction

import numpy as np
import pandas as pd

from .pairs import all_pairs, read_pairs
from .project import Project
from .score import PrivacyScore
from .store import Store


def create(
    folder,
    first,
    second=None,
    *,
    identifiers=None,
    quasi_identifiers=None,
    sensitive=(),
    pairs="all",
    budget=1,
    kappa=1,
    reviewers=("reviewer",),
    reviewers_per_pair=1,
    k_counts="own",
    counting="agreement",
    dates="digits",
    swaps=(),
):
    """Make a review project from one file with duplicates, or from two files to be linked.

    Parameters
    ----------
    folder : path
        Where the project is kept; nothing else should be there.
    first, second : DataFrame
        One row a record.
    identifiers, quasi_identifiers : dict
        Column -> kind (``"string"``, ``"name"``, ``"date"``, ``"category"``): what reviewers see,
        under the budget. Both files have these columns.
    sensitive : sequence of columns
        Split off under random pseudonyms; never shown. A column that is named here and above is
        never shown either, and is exported only if it is no identifier. Each file may have its own.
    pairs : "all", DataFrame, MultiIndex or path
        Candidate pairs: all of them, or a table as `pairs.block` and `pairs.read_pairs` take and
        make.
    budget : number or Fraction
        The largest KAPR that the whole project may reach, from 0 to 1. Decimals are taken as
        written: 0.1 is 1/10.
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
    shown, exported = _columns(identifiers or {}, quasi_identifiers or {}, sensitive)
    files = [first] if second is None else [first, second]
    for number, file in enumerate(files):
        _check_file(file, "the file" if second is None else f"file {number + 1}", shown)
    if unknown := [column for column in exported if not any(column in file for file in files)]:
        raise ValueError(f"there is no column {unknown[0]!r} to be kept apart as sensitive")
    if k_counts not in ("own", "both"):
        raise ValueError(f"k_counts is own or both, not {k_counts!r}")
    table = _pair_table(pairs, first, second)
    limits, budget = _limits(reviewers, budget)
    if reviewers_per_pair not in range(1, len(limits) + 1):
        raise ValueError(
            f"a pair has a whole number of reviewers, from 1 to the {len(limits)} that there are, "
            f"not {reviewers_per_pair}"
        )
    attributes = pd.concat(
        [pd.DataFrame({column: _text(file[column]) for column in shown}) for file in files],
        ignore_index=True,
    )
    numbers = [file for file, frame in enumerate(files) for _ in range(len(frame))]
    assigned = _assign(len(table), limits, reviewers_per_pair)
    # What sessions will compute with; it checks the attributes and the choices.
    PrivacyScore(
        attributes,
        shown,
        2 * len(assigned),
        kappa,
        counting,
        dates,
        numbers if k_counts == "own" else None,
        swaps,
    )
    pseudonyms = [secrets.token_hex(16) for _ in range(len(attributes))]
    records = [
        (record, number, pseudonym, json.dumps(list(cells), ensure_ascii=False))
        for record, (number, pseudonym, cells) in enumerate(
            zip(numbers, pseudonyms, attributes.itertuples(index=False, name=None))
        )
    ]
    # As objects: whole numbers beside missing ones stay whole.
    values = pd.concat(
        [file[[column for column in exported if column in file]].astype(object) for file in files],
        ignore_index=True,
    ).reindex(columns=exported)
    rows = [
        (pseudonym, json.dumps([_plain(value) for value in cells], ensure_ascii=False))
        for pseudonym, cells in zip(pseudonyms, values.itertuples(index=False, name=None))
    ]
    settings = {
        "kinds": shown,
        "budget": str(budget),
        "kappa": int(kappa),
        "rows": 2 * len(assigned),
        "files": len(files),
        "limits": {name: str(limit) for name, limit in limits.items()},
        "k_counts": k_counts,
        "counting": counting,
        "dates": dates,
        "swaps": [list(swap) for swap in swaps],
    }
    Store.create(folder, settings, records, (exported, rows), table, assigned).close()
    return Project(folder)


def _columns(identifiers, quasi_identifiers, sensitive):
    """What is shown, with kinds, and what is exported."""
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
            f"column {sorted(twice)[0]!r} is named as an identifier and as a quasi-identifier; choose one"
        )
    shown = {
        column: kind
        for column, kind in {**identifiers, **quasi_identifiers}.items()
        if column not in sensitive
    }
    if not shown:
        raise ValueError(
            "reviewers would see nothing: name at least one identifier or quasi-identifier that is not sensitive"
        )
    if reserved := {"person", "file"} & set(sensitive):
        raise ValueError(
            f"the linked table has a column {sorted(reserved)[0]!r} of its own; rename the sensitive one"
        )
    return shown, [column for column in dict.fromkeys(sensitive) if column not in identifiers]


def _check_file(file, name, shown):
    if not len(file):
        raise ValueError(f"{name} has no records")
    if not file.index.is_unique:
        raise ValueError(
            f"{name}: two records have the index label {file.index[file.index.duplicated()].tolist()[0]!r}; "
            "use reset_index() or a unique identifier"
        )
    if file.columns.has_duplicates:
        raise ValueError(
            f"{name} has two columns {file.columns[file.columns.duplicated()].tolist()[0]!r}; rename one"
        )
    if missing := [column for column in shown if column not in file]:
        raise ValueError(
            f"{name} has no column {missing[0]!r}; it has {', '.join(map(str, file.columns))}"
        )


def _pair_table(pairs, first, second):
    if isinstance(pairs, str) and pairs == "all":
        pairs = all_pairs(first, second)
    pairs = read_pairs(pairs, first, second)
    if not len(pairs):
        raise ValueError("there are no candidate pairs to review")
    place = {label: number for number, label in enumerate(first.index)}
    other = (
        place
        if second is None
        else {label: number + len(first) for number, label in enumerate(second.index)}
    )
    return [
        (number, place[a], other[b])
        for number, (a, b) in enumerate(zip(pairs["first"], pairs["second"]))
    ]


def _limits(reviewers, budget):
    """The KAPR that each reviewer may reach, and the project."""
    budget = Fraction(str(budget))
    if not 0 <= budget <= 1:
        raise ValueError(f"the budget is a KAPR score from 0 to 1, not {budget}")
    if not reviewers or isinstance(reviewers, str):
        raise ValueError("name the reviewers, as a list or as a dictionary of shares")
    if not isinstance(reviewers, dict):
        if len(set(map(str, reviewers))) < len(reviewers):
            raise ValueError("two reviewers have the same name")
        return {str(name): budget for name in reviewers}, budget
    shares = {str(name): Fraction(str(share)) for name, share in reviewers.items()}
    if min(shares.values()) < 0 or sum(shares.values()) > 1:
        raise ValueError(
            f"shares of the budget are not negative and at most 1 in all, not {float(sum(shares.values()))}"
        )
    return {name: share * budget for name, share in shares.items()}, budget


def _assign(pairs, limits, each):
    """(reviewer, place, pair): pairs go to those who have the fewest for their part of the budget."""
    # Who has no part gets hardly any; where nobody has, all get as many.
    weights = {name: limit or Fraction(1, 10**9) for name, limit in limits.items()}
    counts = dict.fromkeys(limits, 0)
    assigned = []
    for pair in range(pairs):
        for name in sorted(counts, key=lambda name: Fraction(counts[name] + 1) / weights[name])[
            :each
        ]:
            assigned.append((name, counts[name], pair))
            counts[name] += 1
    return assigned


def _text(column):
    """A column as text, missing values as None; whole numbers without decimals, dates as month/day/year."""
    if pd.api.types.is_datetime64_any_dtype(column):
        column = column.dt.strftime("%m/%d/%Y")

    def text(value):
        if (
            value is None
            or value is pd.NA
            or value is pd.NaT
            or (isinstance(value, float) and math.isnan(value))
            or value == ""
        ):
            return None
        if isinstance(value, (float, np.floating)) and float(value).is_integer():
            return str(int(value))
        return str(value)

    return pd.Series([text(value) for value in column], index=column.index, dtype=object)


def _plain(value):
    """A value as JSON can hold it."""
    if (
        value is None
        or value is pd.NA
        or value is pd.NaT
        or (isinstance(value, float) and math.isnan(value))
    ):
        return None
    if isinstance(value, np.generic):
        return value.item()
    return value if isinstance(value, (str, int, float, bool)) else str(value)
