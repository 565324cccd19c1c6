"""Properties 4.1 to 4.5 of li2019, tried on every state of its worked example."""

from collections import defaultdict
from fractions import Fraction
from itertools import combinations, product

import pandas as pd

from ...review.display import MODES
from ...review.score import COUNTINGS, PrivacyScore
from .tables import example_score

#: A state of a pair: modes, what is displayed, characters shown, both rows, score.
State = dict
#: Two states of a pair, the second one attribute further disclosed.
Step = tuple[State, State]


def properties() -> pd.DataFrame:
    """Try Properties 4.1 to 4.5 over every state of every pair: one row per statement.

    K is a sum over pairs, so that the states of single pairs (18 each) decide about all 18^6.
    """
    rows = [(counting, *tried) for counting in COUNTINGS for tried in _tried(counting)]
    return pd.DataFrame(rows, columns=["counting", "property", "holds", "evidence"])


def _tried(counting: str) -> list[tuple[str, bool, str]]:
    """Property, whether it holds, and the evidence."""
    score = example_score(counting=counting)
    states = _states(score)
    steps = [
        (one, other)
        for one in states
        for other in states
        if one["pair"] == other["pair"] and _is_step(one["modes"], other["modes"])
    ]
    told = [(one, other) for one, other in steps if other["shown"] > one["shown"]]
    rose = [
        other for one, other in steps if other["shown"] == one["shown"] and other["K"] > one["K"]
    ]
    alike = [
        (one, other) for one, other in combinations(states, 2) if one["display"] == other["display"]
    ]
    differ = [pair for pair in alike if pair[0]["K"] != pair[1]["K"]]
    largest = sum(
        max(state["K"] for state in states if state["pair"] == pair)
        for pair in {state["pair"] for state in states}
    )
    couples, cheaper, less = _penalties(steps, score.unit)
    return [
        (
            "4.1 never negative, and 0 only if nothing is shown",
            all((s["K"] > 0) == (s["shown"] > 0) and s["K"] >= 0 for s in states),
            f"{len(states)} states of a pair",
        ),
        (
            "4.2 depends on what is displayed only",
            not differ,
            f"{len(differ)} of {len(alike)} couples of states that look alike have different "
            "scores",
        ),
        ("4.3 from 0 to 1 with N displayed rows", largest <= 1, f"largest {largest}"),
        ("4.3 from 0 to 1 with N records", 3 * largest <= 1, f"largest {3 * largest}"),
        (
            "4.3 from 0 to 1 with kappa = 2 and nothing refused",
            2 * largest <= 1,
            f"largest {2 * largest}",
        ),
        (
            "4.4 rises with every character shown",
            all(other["K"] > one["K"] for one, other in told),
            f"{len(told)} steps that show characters",
        ),
        (
            "4.4 does not rise otherwise",
            not rose,
            f"{len(rose)} steps that show none and raise the score",
        ),
        (
            "4.5 costs at least what it would had the anonymity set stayed as large",
            not less,
            f"{less} steps of a row that cost less",
        ),
        (
            "4.5 costs no less where fewer records fitted before",
            not cheaper,
            f"{cheaper} of {couples} couples of steps, the one from the smaller set cheaper",
        ),
    ]


def _states(score: PrivacyScore) -> list[State]:
    states = []
    for pair in combinations(range(4), 2):
        cells = score.comparisons(*pair)
        for modes in product(*(cell.modes for cell in cells)):
            rows = score.rows(*pair, modes)
            sides = [
                (cell, mode, row) for cell, mode in zip(cells, modes, strict=True) for row in (0, 1)
            ]
            states.append(
                {
                    "pair": pair,
                    "modes": modes,
                    "K": sum(kapr for _, _, kapr in rows),
                    "rows": rows,
                    "shown": sum(cell.disclosed(row, mode) for cell, mode, row in sides),
                    "display": (pair, [cell.text(row, mode) for cell, mode, row in sides]),
                }
            )
    return states


def _is_step(before: tuple[str, ...], after: tuple[str, ...]) -> bool:
    """Whether one attribute is one or two modes further, and the others as before."""
    moved = [MODES.index(b) - MODES.index(a) for a, b in zip(before, after, strict=True)]
    return sorted(moved) in ([0, 0, 1], [0, 0, 2])


def _penalties(steps: list[Step], unit: Fraction) -> tuple[int, int, int]:
    """Couples of steps that show the same of a row, from anonymity sets of different sizes.

    Returns how many there are; in how many the step from the smaller set costs less; and how many
    steps of a row cost less than they would had the set stayed as large.
    """
    by_disclosure, less = defaultdict(list), 0
    for one, other in steps:
        change = tuple(zip(one["modes"], other["modes"], range(3), strict=True))
        changed = next(moved for moved in change if moved[0] != moved[1])
        for row in (0, 1):
            (k, shares_before, K_before), (_, shares_after, K_after) = (
                one["rows"][row],
                other["rows"][row],
            )
            cost, shares = K_after - K_before, sum(shares_after) - sum(shares_before)
            if shares:
                by_disclosure[one["pair"], row, changed].append((k, cost))
            less += cost < unit * shares / k
    couples = [
        couple
        for found in by_disclosure.values()
        for couple in combinations(sorted(found), 2)
        if couple[0][0] < couple[1][0]
    ]
    return len(couples), sum(few[1] < many[1] for few, many in couples), less
