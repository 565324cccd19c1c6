"""li2019: display modes, the KAPR score of the worked example, its properties, and a review from start to end."""

from fractions import Fraction
from itertools import combinations, product

import pandas as pd

from ...compendium import published
from ...review.display import MODES, Comparison
from ...review.score import Risk, kapr

KINDS = {"name": "name", "dob": "date", "race": "category"}
TYPES = {"String": "string", "Varchar": "name", "Date": "date", "Category": "category"}


def records():
    """Table 2, which the paper gives."""
    return published.table("li2019_table2_records").astype(str).set_index("id")


def table1():
    """The display modes of four attributes, from the values that the last column gives."""
    given = published.table("li2019_table1_display_modes").astype(str)
    rows = []
    for attribute, part in given.groupby("attribute", sort=False):
        pair = Comparison(*part["full"], TYPES[part["type"].iloc[0]], dates="elements")
        rows += [
            {"cell": f"{attribute} row {row + 1} {mode}", "value": pair.text(row, mode)}
            for row in (0, 1)
            for mode in MODES
        ]
    return pd.DataFrame(rows)


def table(mode):
    """Table 3, 4 or 5: every pair of the records in one mode; shares as the paper prints them, disclosed over all."""
    risk, labels = _risk(), list(records().index.astype(str))
    rows = []
    for line in _display(mode).to_dict("records"):
        row = (line["row"] - 1) % 2
        for attribute, cell in zip(
            KINDS, risk.comparisons(*map(labels.index, line["pair"].split("-")))
        ):
            line[f"p_{attribute}"] = _share(cell.disclosed(row, mode), cell.characters(row))
        rows += [
            {"cell": f"pair {line['pair']} row {line['row']} {column}", "value": str(line[column])}
            for column in (*KINDS, "k", *(f"p_{attribute}" for attribute in KINDS), "K")
        ]
    return pd.DataFrame(rows)


def totals():
    """The scores of the three states."""
    return pd.DataFrame(
        [{"cell": f"{mode} KAPR", "value": str(_display(mode)["K"].sum())} for mode in MODES]
    )


def readings():
    """The scores of the partial and the full state under other readings of what the paper leaves open."""
    printed = dict(zip(*published.table("li2019_totals")[["state", "KAPR"]].to_numpy().T))
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


def properties():
    """Properties 4.1 to 4.5 over every state of every pair of the example: a row a statement, and whether it holds.

    K is a sum over pairs, so that the states of single pairs (18 each) decide about all 18^6.
    """
    rows = []
    for counting in ("agreement", "definition"):
        risk = _risk(counting=counting)
        states = _states(risk)
        steps = [
            (one, other)
            for one in states
            for other in states
            if one["pair"] == other["pair"] and _one_step(one["modes"], other["modes"])
        ]
        told = [(one, other) for one, other in steps if other["shown"] > one["shown"]]
        rose = [
            other
            for one, other in steps
            if other["shown"] == one["shown"] and other["K"] > one["K"]
        ]
        alike = [
            (one, other)
            for one, other in combinations(states, 2)
            if one["display"] == other["display"]
        ]
        differ = [pair for pair in alike if pair[0]["K"] != pair[1]["K"]]
        largest = sum(
            max(state["K"] for state in states if state["pair"] == pair)
            for pair in {s["pair"] for s in states}
        )
        couples, cheaper, less = _penalties(steps, risk.unit)
        rows += [
            (
                counting,
                "4.1 never negative, and 0 only if nothing is shown",
                all((s["K"] > 0) == (s["shown"] > 0) and s["K"] >= 0 for s in states),
                f"{len(states)} states of a pair",
            ),
            (
                counting,
                "4.2 depends on what is displayed only",
                not differ,
                f"{len(differ)} of {len(alike)} couples of states that look alike have different scores",
            ),
            (counting, "4.3 from 0 to 1 with N displayed rows", largest <= 1, f"largest {largest}"),
            (
                counting,
                "4.3 from 0 to 1 with N records",
                3 * largest <= 1,
                f"largest {3 * largest}",
            ),
            (
                counting,
                "4.3 from 0 to 1 with kappa = 2 and nothing refused",
                2 * largest <= 1,
                f"largest {2 * largest}",
            ),
            (
                counting,
                "4.4 rises with every character shown",
                all(other["K"] > one["K"] for one, other in told),
                f"{len(told)} steps that show characters",
            ),
            (
                counting,
                "4.4 does not rise otherwise",
                not rose,
                f"{len(rose)} steps that show none and raise the score",
            ),
            (
                counting,
                "4.5 costs at least what it would had the anonymity set stayed as large",
                not less,
                f"{less} steps of a row that cost less",
            ),
            (
                counting,
                "4.5 costs no less where fewer records fitted before",
                not cheaper,
                f"{cheaper} of {couples} couples of steps, the one from the smaller set cheaper",
            ),
        ]
    return pd.DataFrame(rows, columns=["counting", "property", "holds", "evidence"])


def review_by_rule(session, mode, edits):
    """Let a rule review all pairs of a session: it stands for a person, so that a review can be shown from start to end.

    It reveals every cell that is close up to `mode`, as far as the budget goes, and answers *same* where at most `edits`
    characters differ and no attribute is wholly different, else *different*; a missing value makes it unsure.
    """
    page = 0
    while True:
        frame = session.handle({"type": "open", "page": page})
        for pair in frame["pairs"]:
            close = [
                [pair["place"], column]
                for column, cell in enumerate(pair["cells"])
                if cell["agreement"] == "close"
            ]
            if close and mode != "masked":
                session.handle({"type": "reveal", "cells": close, "mode": mode})
            differing = sum(
                len(text)
                for cell in pair["cells"]
                if cell["agreement"] == "close"
                for markup, text in max(
                    cell["rows"], key=lambda row: sum(len(t) for m, t in row if m != "equal")
                )
                if markup not in ("equal", "separator", "gap")
            )
            agreements = {cell["agreement"] for cell in pair["cells"]}
            answer = (
                "unsure"
                if "missing" in agreements
                else "different"
                if "different" in agreements or differing > edits
                else "same"
            )
            session.handle(
                {"type": "decide", "pair": pair["place"], "answer": answer, "confidence": 2}
            )
        page += 1
        if page >= frame["pages"]:
            return


def _risk(**choices):
    return Risk(records(), KINDS, 12, **choices)


def _display(mode, **choices):
    return kapr(
        records(), combinations(records().index, 2), KINDS, mode, categories="hidden", **choices
    )


def _share(disclosed, characters):
    return (
        "0" if disclosed == 0 else "1" if disclosed == characters else f"{disclosed}/{characters}"
    )


def _states(risk):
    """Every state of every pair: modes, what is displayed, characters shown, both rows, score."""
    states = []
    for pair in combinations(range(4), 2):
        cells = risk.comparisons(*pair)
        for modes in product(*(cell.modes for cell in cells)):
            rows = risk.rows(*pair, modes)
            states.append(
                {
                    "pair": pair,
                    "modes": modes,
                    "K": sum(score for _, _, score in rows),
                    "rows": rows,
                    "shown": sum(
                        cell.disclosed(row, mode)
                        for cell, mode in zip(cells, modes)
                        for row in (0, 1)
                    ),
                    "display": (
                        pair,
                        tuple(
                            cell.text(row, mode)
                            for cell, mode in zip(cells, modes)
                            for row in (0, 1)
                        ),
                    ),
                }
            )
    return states


def _one_step(before, after):
    """Whether one attribute is one mode further, and the others as before."""
    moved = [MODES.index(b) - MODES.index(a) for a, b in zip(before, after)]
    return sorted(moved) in ([0, 0, 1], [0, 0, 2]) and sum(m != 0 for m in moved) == 1


def _penalties(steps, unit):
    """Couples of steps that show the same of a row: how many, and in how many the one from the smaller anonymity set costs less.

    And how many steps of a row cost less than they would had the set stayed as large.
    """
    by_disclosure, less = {}, 0
    for one, other in steps:
        for row in (0, 1):
            change = tuple(zip(one["modes"], other["modes"], (0, 1, 2)))
            changed = next(moved for moved in change if moved[0] != moved[1])
            cost = other["rows"][row][2] - one["rows"][row][2]
            shares = sum(other["rows"][row][1]) - sum(one["rows"][row][1])
            if shares:
                by_disclosure.setdefault((one["pair"], row, changed), []).append(
                    (one["rows"][row][0], cost)
                )
            less += cost < unit * shares / one["rows"][row][0]
    couples = [
        couple
        for found in by_disclosure.values()
        for couple in combinations(sorted(found), 2)
        if couple[0][0] < couple[1][0]
    ]
    return len(couples), sum(few[1] < many[1] for few, many in couples), less
