"""What disclosures cost: modes in, KAPR out. Nothing is read or written here.

A session asks before it discloses; an audit asks again for every entry of the log.
"""

from collections import namedtuple
from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import Any

import numpy as np
import pandas as pd

from .display import MODES
from .score import PrivacyScore

ANSWERS = ("same", "different", "unsure")
CONFIDENCES = {1: "low", 2: "middle", 3: "high"}


#: Cells that would change, (position, attribute) each, and what that costs.
Disclosure = namedtuple("Disclosure", "cells mode cost characters")


class RefusedError(Exception):
    """What was asked for is not done; the text says why."""


class Ledger:
    """The books of a project, by what was fixed when it was made.

    Parameters
    ----------
    settings : dict
        Of the project.
    records : DataFrame
        The attributes of all records, as text.
    files : sequence
        The file of each record.
    pairs : dict
        Reviewer -> the records of both rows of each pair; the index of a pair is its position.
    """

    def __init__(
        self,
        settings: dict[str, Any],
        records: pd.DataFrame,
        files: list[int],
        pairs: dict[str, list[tuple[int, int]]],
    ) -> None:
        self.pairs = pairs
        self.limits = {name: Fraction(limit) for name, limit in settings["limits"].items()}
        self.budget = Fraction(settings["budget"])
        self.score = PrivacyScore(
            records,
            settings["attribute_types"],
            2 * sum(map(len, pairs.values())),
            settings["kappa"],
            settings["counting"],
            settings["dates"],
            files if settings["k_counts"] == "own" else None,
            settings["swaps"],
        )
        self.attributes = len(settings["attribute_types"])

    def modes(self, shown: Mapping[int, str]) -> list[str]:
        """Return one mode for each attribute of a pair; what was not shown is masked."""
        return [shown.get(attribute, MODES[0]) for attribute in range(self.attributes)]

    def remaining(self, reviewer: str, spent: Mapping[str, tuple[Fraction, int]]) -> Fraction:
        """Return the KAPR that may still be disclosed to a reviewer.

        It is the smaller of what is left of the reviewer's part of the budget and of the whole.
        """
        whole = sum((kapr for kapr, _ in spent.values()), Fraction(0))
        return min(self.limits[reviewer] - spent[reviewer][0], self.budget - whole)

    def disclosure(
        self,
        reviewer: str,
        shown: Mapping[int, Mapping[int, str]],
        cells: Iterable[tuple[int, int]],
        mode: str,
    ) -> Disclosure:
        """Return what it takes to show cells up to a mode.

        Parameters
        ----------
        reviewer : str
        shown : dict
            Position -> attribute -> mode: what the reviewer sees before.
        cells : iterable of (position, attribute)
        mode : {"partial", "full"}

        Raises
        ------
        RefusedError
            If an anonymity set would be smaller than kappa.
        """
        asked: dict[int, list[int]] = {}
        for position, attribute in sorted(cells):
            asked.setdefault(position, []).append(attribute)
        changed, cost, characters = [], Fraction(0), 0
        for position, attributes in asked.items():
            pair = self.pairs[reviewer][position]
            comparisons = self.score.comparisons(*pair)
            before = self.modes(shown.get(position, {}))
            after = list(before)
            for attribute in attributes:
                if mode in comparisons[attribute].modes and MODES.index(mode) > MODES.index(
                    before[attribute]
                ):
                    after[attribute] = mode
                    changed.append((position, attribute))
            if after == before:
                continue
            rows = self.score.rows(*pair, after)
            if (smallest := min(k for k, _, _ in rows)) < self.score.kappa:
                raise RefusedError(
                    f"Then only {smallest} record{'s' * (smallest > 1)} would fit what is shown, "
                    f"and the project asks for at least {self.score.kappa}."
                )
            cost += sum(kapr for _, _, kapr in rows)
            cost -= sum(kapr for _, _, kapr in self.score.rows(*pair, before))
            characters += sum(
                cell.disclosed(row, new) - cell.disclosed(row, old)
                for cell, old, new in zip(comparisons, before, after, strict=True)
                for row in (0, 1)
            )
        return Disclosure(changed, mode, cost, characters)

    def is_position(self, reviewer: str, value: object) -> bool:
        """Return whether a reviewer has a pair at this position."""
        return is_whole(value) and value in range(len(self.pairs[reviewer]))

    def is_cell(self, reviewer: str, position: object, attribute: object) -> bool:
        """Return whether a reviewer has such a cell."""
        return (
            self.is_position(reviewer, position)
            and is_whole(attribute)
            and attribute in range(self.attributes)
        )


def is_decision(answer: object, confidence: object) -> bool:
    """Return whether an answer and a confidence are ones that a reviewer can give."""
    return (
        isinstance(answer, str)
        and answer in ANSWERS
        and is_whole(confidence)
        and confidence in CONFIDENCES
    )


def is_whole(value: object) -> bool:
    """Return whether a value is a whole number, which True and False are not."""
    return isinstance(value, int | np.integer) and not isinstance(value, bool)
