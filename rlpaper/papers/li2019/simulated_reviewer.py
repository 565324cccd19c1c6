"""A simulated reviewer: naive Bayes on what the display shows of each pair, under a budget.

It is a rule instead of a person: what a human makes of a display may be quite another thing.
"""

import itertools
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

import numpy as np
import pandas as pd

from ..._internal.arithmetic import log
from ...review.display import MODES, Comparison
from ...review.score import PrivacyScore

#: Letters that sound alike (vowels, and the classes of Soundex) or look alike; digits that look
#: alike or are neighbours.
ALIKE = ("aeiouyhw", "bfpv", "cgjkqsxz", "dt", "mn", "uvw", "il", "rn")
DIGITS = ("17", "38", "06", "49", "01", "12", "23", "34", "45", "56", "67", "78", "89")


#: One per step of disclosure: what it refines, and the item.
Evidence = tuple[tuple[tuple, object], ...]
Modes = tuple[str, ...]


def evidence(cell: Comparison, mode: str, counts: Mapping[str, int]) -> Evidence:
    """Return what the reviewer notes of a cell, from what the mode shows alone.

    Masked: the agreement and, where values are close, how many edits of which kind. Partial: also
    whether the characters that differ are easily confused. Full: also how common the rarer value
    is, by the records that have it (`counts`), which stands for knowledge of names and places. The
    last two refine the first, so that what the markups have said counts once.
    """
    seen = (cell.agreement, *_differences(cell))
    items: list[tuple[tuple, object]] = [((), seen)]
    if mode != "masked" and "partial" in cell.modes:
        items.append((("partial", *seen), _likeness(cell)))
    if mode == "full" and "full" in cell.modes:
        items.append((("full", *seen), _rarity(cell, counts)))
    return tuple(items)


def _differences(cell: Comparison) -> tuple:
    """Return the number of edits, five and more as one, and their markup."""
    if cell.agreement != "close":
        return ()
    edits = [
        (
            "gap" if "gap" in (markup, other) else markup,
            1 if markup == "transposed" else max(len(text), len(beside)),
        )
        for (markup, text), (other, beside) in zip(
            cell.parts(0, "masked"), cell.parts(1, "masked"), strict=True
        )
        if markup not in ("equal", "separator")
    ]
    markups = {markup for markup, _ in edits}
    return min(sum(number for _, number in edits), 5), markups.pop() if len(
        markups
    ) == 1 else "mixed"


def _likeness(cell: Comparison) -> str:
    """Whether what differs sounds or looks alike, or is the next digit.

    Of what only one row has, what it is.
    """
    if cell.agreement != "close":
        return "nothing shown"
    shown = [
        (text.lower(), beside.lower())
        for (markup, text), (_, beside) in zip(
            cell.parts(0, "partial"), cell.parts(1, "partial"), strict=True
        )
        if markup not in ("equal", "separator")
    ]
    if not all(text and beside for text, beside in shown):
        added = "".join(text + beside for text, beside in shown)
        return (
            "digits"
            if added.isdigit()
            else "vowels"
            if set(added) <= set(ALIKE[0])
            else "consonants"
        )
    return (
        "alike"
        if all(
            a == b or any(a in group and b in group for group in (*ALIKE, *DIGITS))
            for text, beside in shown
            for a, b in zip(text, beside, strict=False)
        )
        else "unlike"
    )


def _rarity(cell: Comparison, counts: Mapping[str, int]) -> str | int:
    """Return the class of the rarer value by its records: 1, 2, 3 to 7, 8 to 31, more."""
    if cell.agreement == "missing":
        return "nothing to compare"
    values = ("".join(text for _, text in cell.parts(row, "full")) for row in (0, 1))
    return int(np.searchsorted([1, 2, 7, 31], min(counts[value] for value in values)))


class Project:
    """Pairs under review: their evidence in every mode, and what each display of them costs.

    Parameters
    ----------
    records : DataFrame
    pairs : sequence of pairs of record numbers
    attribute_types, swaps
        As in `rlpaper.review.score.PrivacyScore`.
    """

    def __init__(
        self,
        records: pd.DataFrame,
        pairs: Iterable[Sequence[int]],
        attribute_types: dict[str, str],
        swaps: Sequence[Sequence[str]] = (),
    ) -> None:
        self.pairs = [(int(first), int(second)) for first, second in pairs]
        self._score = PrivacyScore(records, attribute_types, rows=2, swaps=swaps)
        self._prices: dict[tuple[int, Modes], float] = {}
        self.cells = [self._score.comparisons(*pair) for pair in self.pairs]
        counts = [Counter(records[column]) for column in attribute_types]
        self.evidence = [
            [
                {mode: evidence(cell, mode, count) for mode in MODES}
                for cell, count in zip(cells, counts, strict=True)
            ]
            for cells in self.cells
        ]

    def price(self, number: int, modes: Modes) -> float:
        """Return the KAPR (kappa = 1) of a pair by itself.

        That of a review, whose N is two rows per pair, is the mean of its pairs.
        """
        if (number, modes) not in self._prices:
            self._prices[number, modes] = float(
                sum(score for _, _, score in self._score.rows(*self.pairs[number], modes))
            )
        return self._prices[number, modes]

    def characters(self, number: int, modes: Modes) -> int:
        """Return the number of characters shown of both rows."""
        return sum(
            cell.disclosed(row, mode)
            for cell, mode in zip(self.cells[number], modes, strict=True)
            for row in (0, 1)
        )


class Reviewer:
    """Naive Bayes: the score of a pair is the logarithm of the odds that it is one person.

    To the odds among the training pairs each item of evidence adds ``log P(item | same) / P(item |
    different)``. Of n pairs of a class with what the item refines, m with the item: ``P = (m + 2 q)
    / (n + 2) + 1 / t``, q being the item's share and t the number of the pairs of both classes. So
    what was seen seldom says little, and what was never seen nothing.

    Parameters
    ----------
    project : Project
    numbers : sequence of int
        The training pairs.
    same : sequence of bool
        Which of them are one person.
    """

    def __init__(self, project: Project, numbers: Sequence[int], same: Sequence[bool]) -> None:
        share = (sum(same) + 0.5) / (len(same) + 1)
        self.prior = float(log(share / (1 - share)))
        found: dict[tuple, list[int]] = {}
        changes: dict[tuple, list[float]] = {}
        for number, one in zip(numbers, same, strict=True):
            for attribute, cell in enumerate(project.evidence[number]):
                for refined, item in cell["full"]:
                    for key in ((attribute, refined), (attribute, refined, item)):
                        found.setdefault(key, [0, 0])[int(one)] += 1
        self._ratios = {
            key: self._ratio(counts, found[key[:2]])
            for key, counts in found.items()
            if len(key) == 3
        }
        cells = (both for number in numbers for both in enumerate(project.evidence[number]))
        for attribute, cell in cells:
            for low, high in itertools.combinations(MODES, 2):
                change = self.adds(attribute, cell[high]) - self.adds(attribute, cell[low])
                changes.setdefault((attribute, cell["masked"], low, high), []).append(abs(change))
        self._expected_change = {key: float(np.mean(values)) for key, values in changes.items()}

    @staticmethod
    def _ratio(counts: list[int], totals: list[int]) -> float:
        share = sum(counts) / sum(totals)
        different, same = (
            (m + 2 * share) / (n + 2) + 1 / sum(totals) for m, n in zip(counts, totals, strict=True)
        )
        return float(log(same / different))

    def adds(self, attribute: int, items: Evidence) -> float:
        """Return what the evidence of one attribute adds to the score."""
        return sum(self._ratios.get((attribute, *item), 0.0) for item in items)

    def expected_change(
        self, attribute: int, cell: dict[str, Evidence], low: str, high: str
    ) -> float:
        """Return the mean absolute change of the score from one mode to a higher one.

        The mean is over the training pairs that look the same when masked.
        """
        return self._expected_change.get((attribute, cell["masked"], low, high), 0.0)

    def score(self, project: Project, number: int, modes: Modes) -> float:
        """Return the logarithm of the odds that a pair is one person, under the given modes."""
        return self.prior + sum(
            self.adds(attribute, cell[mode])
            for attribute, (cell, mode) in enumerate(
                zip(project.evidence[number], modes, strict=True)
            )
        )


def disclose(
    project: Project, reviewer: Reviewer, number: int, certainty: float, budget: float = np.inf
) -> Modes:
    """Return the modes that a reviewer ends with who reveals a pair step by step.

    All is masked at first. As long as the answer is less probable than `certainty`, the cell is
    opened whose expected change of the score is largest for its price, if the pair then costs no
    more than the budget. A cell may go from masked to full at once: KAPR depends on the display
    alone, not on the clicks. Ties go to the cheaper, then to the first.
    """
    modes: Modes = ("masked",) * len(project.cells[number])
    while abs(reviewer.score(project, number, modes)) < odds(certainty):
        steps = []
        for j, cell in enumerate(project.cells[number]):
            for high in cell.modes[cell.modes.index(modes[j]) + 1 :]:
                opened = (*modes[:j], high, *modes[j + 1 :])
                price = project.price(number, opened)
                cost = price - project.price(number, modes)
                change = reviewer.expected_change(j, project.evidence[number][j], modes[j], high)
                if price <= budget:
                    preference = -change / cost if cost else -np.inf if change else 0.0
                    steps.append((preference, cost, j, opened))
        if not steps:
            break
        modes = min(steps)[-1]
    return modes


def spend(
    project: Project,
    reviewer: Reviewer,
    numbers: Sequence[int],
    certainty: float,
    budget: float = np.inf,
) -> list[Modes]:
    """Return the modes of pairs revealed one after another.

    It goes on as long as the KAPR score of the review stays within the budget.
    """
    left = budget * len(numbers)
    chosen: list[Modes] = []
    for number in numbers:
        chosen.append(disclose(project, reviewer, number, certainty, left))
        left -= project.price(number, chosen[-1])
    return chosen


def odds(certainty: float) -> float:
    """Return the logarithm of the odds, infinite for certainty 1."""
    return float(log(certainty / (1 - certainty))) if certainty < 1 else np.inf
