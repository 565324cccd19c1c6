"""Properties 4.1 to 4.5 of li2019, tried on every state of its worked example."""

from itertools import combinations, product

import pandas as pd

from ...review.display import MODES
from .tables import _risk


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
