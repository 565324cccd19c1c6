"""A reviewer's session: what the page may ask for, what it is told, and the budget in between.

The page sends messages and gets frames, both plain dictionaries. A frame holds no character of a
record except those that have been disclosed to this reviewer; what a click would cost is computed
here. A disclosure is in the store before it is in a frame. A cost, too, tells something: how many
records would fit what is shown. The paper has it so.
"""

from collections.abc import Collection, Iterable
from fractions import Fraction
from pathlib import Path
from typing import Any

import pandas as pd

from .._internal.validation import shown
from .display import MODES
from .ledger import Ledger, RefusedError, is_decision, is_whole
from .store import Store

PAIRS_PER_PAGE = 10

#: Cells in one message; a page has fewer.
MAX_CELLS = 1000

Frame = dict[str, Any]


class Session:
    """One reviewer at work on a project.

    Parameters
    ----------
    folder : path
    reviewer : str
    """

    def __init__(self, folder: str | Path, reviewer: str) -> None:
        self.store = Store(folder)
        self.settings = self.store.settings
        if not isinstance(reviewer, str) or reviewer not in self.settings["limits"]:
            self.store.close()
            raise ValueError(
                f"{shown(reviewer)} is not a reviewer of this project; "
                f"its reviewers are {', '.join(self.settings['limits'])}"
            )
        self.reviewer = reviewer
        self.ledger = open_ledger(self.store)
        self.pairs = self.ledger.pairs[reviewer]
        self.pages = -(-len(self.pairs) // PAIRS_PER_PAGE)
        self.characters = int(
            self.ledger.score.characters[[record for pair in self.pairs for record in pair]].sum()
        )

    def handle(self, message: Any) -> Frame:
        """Answer a message of the page; whatever it holds, with a frame."""
        try:
            action = message.get("type") if isinstance(message, dict) else None
            if not isinstance(action, str) or action not in self._ACTIONS:
                raise RefusedError(f"A message has a type, one of {', '.join(self._ACTIONS)}.")
            return self._ACTIONS[action](self, message)
        except RefusedError as refusal:
            answers = self.store.answers(self.reviewer)
            return {"type": "refused", "reason": str(refusal), **self._meters(answers)}

    def page(self, number: int | None = None) -> Frame:
        """Return a page of pairs as they are shown to this reviewer.

        Parameters
        ----------
        number : int, optional
            If left out, that of the page with the first pair to decide.

        Raises
        ------
        RefusedError
            If there is no such page.
        """
        if number is not None and not (is_whole(number) and 0 <= number < max(1, self.pages)):
            raise RefusedError("There is no such page.")
        answers = self.store.answers(self.reviewer)
        if number is None:
            positions = range(len(self.pairs))
            open_ = next((position for position in positions if position not in answers), 0)
            number = open_ // PAIRS_PER_PAGE
        number = int(number)
        first = number * PAIRS_PER_PAGE
        positions = range(first, min(first + PAIRS_PER_PAGE, len(self.pairs)))
        types = self.settings["attribute_types"].items()
        return {
            "type": "page",
            "page": number,
            "pages": self.pages,
            "reviewer": self.reviewer,
            "attributes": [{"name": name, "type": one} for name, one in types],
            "kappa": self.ledger.score.kappa,
            "pairs": self._pairs(positions, answers),
            **self._meters(answers),
        }

    def reveal(self, cells: Iterable[tuple[int, int]], mode: str) -> None:
        """Disclose cells up to a mode: all of them or none.

        Parameters
        ----------
        cells : iterable of (position of the pair, number of the attribute)
        mode : {"partial", "full"}

        Raises
        ------
        RefusedError
            If there is no such cell, if an anonymity set would be smaller than kappa, or if it
            costs more than is left.
        """
        if not (isinstance(cells, Iterable) and isinstance(mode, str) and mode in MODES[1:]):
            raise RefusedError("To reveal, name cells and one of the modes partial and full.")
        asked = [tuple(cell) if isinstance(cell, Iterable) else () for cell in cells]
        if not all(len(cell) == 2 and self.ledger.is_cell(self.reviewer, *cell) for cell in asked):
            raise RefusedError("There is no such cell.")
        cells = {(int(position), int(attribute)) for position, attribute in asked}
        with self.store.transaction():
            shown = self.store.modes(self.reviewer, [position for position, _ in cells])
            disclosure = self.ledger.disclosure(self.reviewer, shown, cells, mode)
            if not disclosure.cells:
                return
            left = self.ledger.remaining(self.reviewer, self.store.spent())
            if disclosure.cost > left:
                raise RefusedError(
                    f"This would cost {kapr_text(disclosure.cost)}, "
                    f"and {kapr_text(left)} of the privacy budget is left."
                )
            self.store.add_disclosure(self.reviewer, *disclosure)

    def decide(self, position: int, answer: str, confidence: int) -> None:
        """Record whether both records of a pair are one person; replaces an earlier decision.

        Parameters
        ----------
        position : int
            Of the pair.
        answer : {"same", "different", "unsure"}
        confidence : {1, 2, 3}
            Low, middle or high.

        Raises
        ------
        RefusedError
            If there is no such pair, answer or confidence.
        """
        if not self.ledger.is_position(self.reviewer, position):
            raise RefusedError("There is no such pair.")
        if not is_decision(answer, confidence):
            raise RefusedError(
                "A decision is same, different or unsure, with a confidence from 1 to 3."
            )
        position, confidence = int(position), int(confidence)
        with self.store.transaction():
            if self.store.answers(self.reviewer).get(position) != (answer, confidence):
                self.store.add_decision(self.reviewer, position, answer, confidence)

    def undo(self) -> int:
        """Take the last decision back; return the position of its pair.

        What was disclosed stays disclosed.
        """
        with self.store.transaction():
            position = self.store.undo_decision(self.reviewer)
        if position is None:
            raise RefusedError("There is no decision to take back.")
        return position

    def close(self) -> None:
        """Close the connection to the project's file."""
        self.store.close()

    # Messages of the page.

    def _on_open(self, message: Any) -> Frame:
        return self.page(message.get("page"))

    def _on_reveal(self, message: Any) -> Frame:
        cells, mode = message.get("cells"), message.get("mode")
        if not isinstance(cells, list) or not 0 < len(cells) <= MAX_CELLS:
            raise RefusedError("To reveal, name cells and one of the modes partial and full.")
        if not all(isinstance(cell, list) for cell in cells):
            raise RefusedError("There is no such cell.")
        self.reveal(cells, mode)
        return self._update({position for position, _ in cells})

    def _on_decide(self, message: Any) -> Frame:
        position, answer, confidence = map(message.get, ("position", "answer", "confidence"))
        self.decide(position, answer, confidence)
        return self._update({position})

    def _on_undo(self, message: Any) -> Frame:
        position = self.undo()
        return {**self.page(position // PAIRS_PER_PAGE), "focus": position}

    _ACTIONS = {"open": _on_open, "reveal": _on_reveal, "decide": _on_decide, "undo": _on_undo}

    # What the page is told.

    def _update(self, positions: set[int]) -> Frame:
        answers = self.store.answers(self.reviewer)
        pairs = self._pairs(sorted(positions), answers)
        return {"type": "pairs", "pairs": pairs, **self._meters(answers)}

    def _meters(self, answers: dict[int, tuple[str, int]]) -> Frame:
        """Return what the head of the page tells: budget, characters, progress."""
        everything = self.store.spent()
        spent, characters = everything[self.reviewer]
        limit = spent + self.ledger.remaining(self.reviewer, everything)
        return {
            "meters": {
                "kapr": {"spent": _kapr_told(spent), "limit": _kapr_told(limit)},
                "characters": {"shown": characters, "total": self.characters},
            },
            "progress": {"decided": len(answers), "pairs": len(self.pairs)},
        }

    def _pairs(
        self, positions: Collection[int], answers: dict[int, tuple[str, int]]
    ) -> list[Frame]:
        shown = self.store.modes(self.reviewer, positions)
        return [self._pair(position, shown, answers.get(position)) for position in positions]

    def _pair(
        self, position: int, shown: dict[int, dict[int, str]], decision: tuple[str, int] | None
    ) -> Frame:
        modes = self.ledger.modes(shown.get(position, {}))
        comparisons = self.ledger.score.comparisons(*self.pairs[position])
        everything = [(position, attribute) for attribute in range(len(modes))]
        return {
            "position": position,
            "cells": [
                {
                    "agreement": cell.agreement,
                    "mode": mode,
                    "rows": [cell.parts(row, mode) for row in (0, 1)],
                    "next": [
                        self._offer(shown, [(position, attribute)], more)
                        for more in cell.modes
                        if MODES.index(more) > MODES.index(mode)
                    ],
                }
                for attribute, (cell, mode) in enumerate(zip(comparisons, modes, strict=True))
            ],
            "decision": decision and dict(zip(("answer", "confidence"), decision, strict=True)),
            "all": [self._offer(shown, everything, mode) for mode in MODES[1:]],
        }

    def _offer(
        self, shown: dict[int, dict[int, str]], cells: list[tuple[int, int]], mode: str
    ) -> Frame:
        """Return what revealing cells of one pair would cost, or why it is not possible."""
        try:
            offer = self.ledger.disclosure(self.reviewer, shown, cells, mode)
        except RefusedError as refusal:
            return {"mode": mode, "refused": str(refusal)}
        return {"mode": mode, "cost": _kapr_told(offer.cost), "cells": len(offer.cells)}


def open_ledger(store: Store) -> Ledger:
    """Return the ledger of a project."""
    files, _, cells = zip(*store.records(), strict=True)
    attributes = list(store.settings["attribute_types"])
    pairs = store.pairs()
    return Ledger(
        store.settings,
        pd.DataFrame(list(cells), columns=attributes, dtype=object),
        list(files),
        {name: [pairs[pair] for pair in own] for name, own in store.assignments().items()},
    )


def kapr_text(value: Fraction) -> str:
    """Return a KAPR as text, with the fraction where it is short.

    Examples
    --------
    >>> kapr_text(Fraction(31, 432)), kapr_text(Fraction(1)), kapr_text(Fraction(1, 10**7))
    ('31/432 = 0.0718', '1', 'under 0.000001')
    """
    if value.denominator == 1:
        return str(value)
    text = (
        f"{float(value):.4f}"
        if value >= Fraction(1, 1000)
        else f"{float(value):.6f}"
        if value >= Fraction(1, 10**6)
        else "under 0.000001"
    )
    return f"{value} = {text}" if value.denominator < 10_000 else text


def _kapr_told(value: Fraction) -> Frame:
    return {"value": float(value), "text": kapr_text(value)}
