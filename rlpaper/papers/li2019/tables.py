"""The tables of li2019: display modes, and the KAPR score of the worked example."""

from fractions import Fraction
from itertools import combinations
from typing import Any

import pandas as pd

from ...compendium import published
from ...review.display import MODES, Comparison
from ...review.score import PrivacyScore, kapr

ATTRIBUTE_TYPES = {"name": "name", "dob": "date", "race": "category"}
#: What Table 1 prints of an attribute's type, and how this package calls it.
PRINTED_TYPES = {"String": "string", "Varchar": "name", "Date": "date", "Category": "category"}


def records() -> pd.DataFrame:
    """Return Table 2, which the paper gives."""
    return published.table("li2019_table2_records").astype(str).set_index("id")


def table1() -> pd.DataFrame:
    """Return the display modes of four attributes, from the values that the last column gives."""
    given = published.table("li2019_table1_display_modes").astype(str)
    rows = []
    for attribute, part in given.groupby("attribute", sort=False):
        first, second = part["full"]
        pair = Comparison(first, second, PRINTED_TYPES[part["type"].iloc[0]], dates="elements")
        rows += [
            {"cell": f"{attribute} row {row + 1} {mode}", "value": pair.text(row, mode)}
            for row in (0, 1)
            for mode in MODES
        ]
    return pd.DataFrame(rows)


def table2() -> pd.DataFrame:
    """Return Table 2 cell by cell; it is the input of the others."""
    return pd.DataFrame(
        {"cell": f"id {label} {column}", "value": value}
        for label, row in records().iterrows()
        for column, value in row.items()
    )


def table(mode: str) -> pd.DataFrame:
    """Return Table 3, 4 or 5: every pair of the records in one mode.

    Shares are as the paper prints them, disclosed over all characters.
    """
    score, labels = example_score(), list(records().index.astype(str))
    rows = []
    for line in _display(mode).to_dict("records"):
        row = (line["row"] - 1) % 2
        for attribute, cell in zip(
            ATTRIBUTE_TYPES,
            score.comparisons(*map(labels.index, line["pair"].split("-"))),
            strict=True,
        ):
            line[f"p_{attribute}"] = _share(cell.disclosed(row, mode), cell.characters(row))
        rows += [
            {"cell": f"pair {line['pair']} row {line['row']} {column}", "value": str(line[column])}
            for column in (
                *ATTRIBUTE_TYPES,
                "k",
                *(f"p_{attribute}" for attribute in ATTRIBUTE_TYPES),
                "K",
            )
        ]
    return pd.DataFrame(rows)


def totals() -> pd.DataFrame:
    """Return the scores of the three states."""
    return pd.DataFrame(
        [{"cell": f"{mode} KAPR", "value": str(_display(mode)["K"].sum())} for mode in MODES]
    )


def readings() -> pd.DataFrame:
    """Return the scores of two states under other readings of what the paper leaves open."""
    printed = dict(
        zip(*published.table("li2019_totals")[["state", "KAPR"]].to_numpy().T, strict=True)
    )
    rows = []
    for name, choices, scale in (
        ("as in Tables 3-5", {}, 1),
        (
            "k as Definition 4.4 says, without the rule on values that agree",
            {"counting": "definition"},
            1,
        ),
        ("a partial date shows whole elements, as in Table 1", {"dates": "elements"}, 1),
        ("N = 4 records, as Definition 4.2 says, instead of 12 rows", {}, Fraction(12, 4)),
    ):
        scores = {mode: _display(mode, **choices)["K"].sum() * scale for mode in MODES[1:]}
        rows.append(
            {
                "reading": name,
                **{mode: str(score) for mode, score in scores.items()},
                "as printed": all(str(score) == printed[mode] for mode, score in scores.items()),
            }
        )
    return pd.DataFrame(rows)


def example_score(**choices: Any) -> PrivacyScore:
    """Return the privacy score of the paper's example, six pairs of records."""
    return PrivacyScore(records(), ATTRIBUTE_TYPES, 12, **choices)


def _display(mode: str, **choices: Any) -> pd.DataFrame:
    return kapr(
        records(),
        combinations(records().index, 2),
        ATTRIBUTE_TYPES,
        mode,
        categories="hidden",
        **choices,
    )


def _share(disclosed: int, characters: int) -> str:
    return (
        "0" if disclosed == 0 else "1" if disclosed == characters else f"{disclosed}/{characters}"
    )
