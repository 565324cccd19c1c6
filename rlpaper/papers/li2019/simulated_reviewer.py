"""A simulated reviewer: naive Bayes on what the display shows of each pair, under a budget.

It is a rule in the place of a person: what a human makes of a display may be quite another thing.
"""

import itertools
from collections import Counter

import numpy as np

from ..._internal.arithmetic import log
from ...review.display import MODES
from ...review.score import PrivacyScore

#: Letters that sound alike (vowels, and the classes of Soundex) or look alike; digits that look
#: alike or are neighbours.
ALIKE = ("aeiouyhw", "bfpv", "cgjkqsxz", "dt", "mn", "uvw", "il", "rn")
DIGITS = ("17", "38", "06", "49", "01", "12", "23", "34", "45", "56", "67", "78", "89")


def evidence(cell, mode, counts):
    """What the reviewer notes of a cell, from what the mode shows alone: an item a step, as (what it refines, item).

    Masked: the agreement and, where values are close, how many edits of which kind. Partial: also
    whether the characters that differ are easily confused. Full: also how common the rarer value
    is, by the records that have it (`counts`), which stands for knowledge of names and places. The
    last two refine the first, so that what the markups have said counts once.
    """
    seen = (cell.agreement, *_differences(cell))
    items = [((), seen)]
    if mode != "masked" and "partial" in cell.modes:
        items.append((("partial", *seen), _likeness(cell)))
    if mode == "full" and "full" in cell.modes:
        items.append((("full", *seen), _rarity(cell, counts)))
    return tuple(items)


def _differences(cell):
    """Number of edits, five and more as one, and their kind."""
    if cell.agreement != "close":
        return ()
    edits = [
        (
            "gap" if "gap" in (markup, other) else markup,
            1 if markup == "transposed" else max(len(text), len(beside)),
        )
        for (markup, text), (other, beside) in zip(cell.shown(0, "masked"), cell.shown(1, "masked"))
        if markup not in ("equal", "separator")
    ]
    kinds = {markup for markup, _ in edits}
    return min(sum(number for _, number in edits), 5), kinds.pop() if len(kinds) == 1 else "mixed"


def _likeness(cell):
    """Whether what differs sounds or looks alike, or is the next digit; of what only one row has, what it is."""
    if cell.agreement != "close":
        return "nothing shown"
    shown = [
        (text.lower(), beside.lower())
        for (markup, text), (_, beside) in zip(cell.shown(0, "partial"), cell.shown(1, "partial"))
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
            for a, b in zip(text, beside)
        )
        else "unlike"
    )


def _rarity(cell, counts):
    """Records that have the rarer of both values: 1, 2, 3 to 7, 8 to 31, more."""
    if cell.agreement == "missing":
        return "nothing to compare"
    values = ("".join(text for _, text in cell.shown(row, "full")) for row in (0, 1))
    return int(np.searchsorted([1, 2, 7, 31], min(counts[value] for value in values)))


class Project:
    """Pairs under review, given by record numbers: their evidence in every mode, and what each display of them costs."""

    def __init__(self, records, pairs, kinds, swaps=()):
        self.pairs = [(int(first), int(second)) for first, second in pairs]
        self._risk, self._prices = PrivacyScore(records, kinds, rows=2, swaps=swaps), {}
        self.cells = [self._risk.comparisons(*pair) for pair in self.pairs]
        counts = [Counter(records[column]) for column in kinds]
        self.evidence = [
            [
                {mode: evidence(cell, mode, count) for mode in MODES}
                for cell, count in zip(cells, counts)
            ]
            for cells in self.cells
        ]

    def price(self, number, modes):
        """KAPR (kappa = 1) of a pair by itself; that of a review, whose N is two rows a pair, is the mean of its pairs."""
        if (number, modes) not in self._prices:
            self._prices[number, modes] = float(
                sum(score for _, _, score in self._risk.rows(*self.pairs[number], modes))
            )
        return self._prices[number, modes]

    def characters(self, number, modes):
        """Number of characters shown of both rows."""
        return sum(
            cell.disclosed(row, mode)
            for cell, mode in zip(self.cells[number], modes)
            for row in (0, 1)
        )


class Reviewer:
    """Naive Bayes: the score of a pair is the logarithm of the odds that it is one person.

    To the odds among the training pairs each item of evidence adds ``log P(item | same) / P(item |
    different)``. Of n pairs of a class with what the item refines, m with the item: ``P = (m + 2 q)
    / (n + 2) + 1 / t``, q being the item's share and t the number of the pairs of both classes. So
    what was seen seldom says little, and what was never seen nothing.
    """

    def __init__(self, project, numbers, same):
        share = (sum(same) + 0.5) / (len(same) + 1)
        self.prior = float(log(share / (1 - share)))
        found, changes = {}, {}
        for number, one in zip(numbers, same):
            for place, cell in enumerate(project.evidence[number]):
                for refined, item in cell["full"]:
                    for key in ((place, refined), (place, refined, item)):
                        found.setdefault(key, [0, 0])[int(one)] += 1
        self._ratios = {
            key: self._ratio(counts, found[key[:2]])
            for key, counts in found.items()
            if len(key) == 3
        }
        for place, cell in (
            place_and_cell
            for number in numbers
            for place_and_cell in enumerate(project.evidence[number])
        ):
            for low, high in itertools.combinations(MODES, 2):
                change = self.adds(place, cell[high]) - self.adds(place, cell[low])
                changes.setdefault((place, cell["masked"], low, high), []).append(abs(change))
        self._worth = {key: float(np.mean(values)) for key, values in changes.items()}

    @staticmethod
    def _ratio(counts, totals):
        share = sum(counts) / sum(totals)
        different, same = (
            (m + 2 * share) / (n + 2) + 1 / sum(totals) for m, n in zip(counts, totals)
        )
        return float(log(same / different))

    def adds(self, place, items):
        """What the evidence of one attribute adds to the score."""
        return sum(self._ratios.get((place, *item), 0.0) for item in items)

    def worth(self, place, cell, low, high):
        """Mean absolute change of the score from one mode to a higher one, of training pairs that look the same masked."""
        return self._worth.get((place, cell["masked"], low, high), 0.0)

    def score(self, project, number, modes):
        return self.prior + sum(
            self.adds(place, cell[mode])
            for place, (cell, mode) in enumerate(zip(project.evidence[number], modes))
        )


def disclose(project, reviewer, number, certainty, budget=np.inf):
    """The modes that a reviewer ends with who reveals a pair step by step.

    All masked at first. As long as the answer is less probable than `certainty`, the cell is opened
    whose expected change of the score is largest for its price, if the pair then costs no more than
    the budget. A cell may go from masked to full at once: KAPR depends on the display alone, not on
    the clicks. Ties: the cheaper, then the first.
    """
    modes, steps = ("masked",) * len(project.cells[number]), True
    while steps and abs(reviewer.score(project, number, modes)) < odds(certainty):
        steps = []
        for place, cell in enumerate(project.cells[number]):
            for high in cell.modes[cell.modes.index(modes[place]) + 1 :]:
                opened = (*modes[:place], high, *modes[place + 1 :])
                cost = project.price(number, opened) - project.price(number, modes)
                worth = reviewer.worth(place, project.evidence[number][place], modes[place], high)
                if project.price(number, opened) <= budget:
                    steps.append(
                        (-worth / cost if cost else -np.inf if worth else 0.0, cost, place, opened)
                    )
        modes = min(steps)[-1] if steps else modes
    return modes


def spend(project, reviewer, numbers, certainty, budget=np.inf):
    """The modes of pairs revealed one after another, as long as the KAPR score of the review stays within the budget."""
    left, chosen = budget * len(numbers), []
    for number in numbers:
        chosen.append(disclose(project, reviewer, number, certainty, left))
        left -= project.price(number, chosen[-1])
    return chosen


def odds(certainty):
    """Logarithm of the odds, infinite for certainty 1."""
    return float(log(certainty / (1 - certainty))) if certainty < 1 else np.inf
