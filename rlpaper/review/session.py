"""A reviewer's session: what the page may ask for, what it is told, and the budget in between.

The page sends messages and gets frames, both plain dictionaries. A frame holds no character of a
record but those that have been disclosed to this reviewer; what a click would cost is computed
here. A disclosure is in the store before it is in a frame. A cost tells something too, how many
records would fit what is shown; that is how the paper has it.
"""

import json
from fractions import Fraction

import pandas as pd

from .display import MODES
from .score import PrivacyScore
from .store import Store, fraction_text

ANSWERS = ("same", "different", "unsure")
CONFIDENCES = {1: "low", 2: "middle", 3: "high"}
PAIRS_A_PAGE = 10

#: More cells than a page has are no click.
MOST_CELLS = 1000


class RefusedError(Exception):
    """What the page asked for is not done; the text says why."""


class Session:
    """One reviewer at work on a project.

    Parameters
    ----------
    folder : path
    reviewer : str
    """

    def __init__(self, folder, reviewer):
        self.store = Store(folder)
        self.settings = self.store.settings
        if reviewer not in self.settings["limits"]:
            self.store.close()
            raise ValueError(
                f"{reviewer!r} is no reviewer of this project; "
                f"its reviewers are {', '.join(self.settings['limits'])}"
            )
        self.reviewer = reviewer
        self.limit = Fraction(self.settings["limits"][reviewer])
        self.kinds = self.settings["kinds"]
        self.risk = open_risk(self.store)
        self.pairs = self.store.query(
            "SELECT first, second FROM assignments JOIN pairs USING (pair) WHERE reviewer = ? ORDER BY place",
            (reviewer,),
        )
        self.characters = int(
            self.risk.characters[[record for pair in self.pairs for record in pair]].sum()
        )

    def handle(self, message):
        """Answer a message of the page; whatever it holds, with a frame."""
        try:
            kind = message.get("type") if isinstance(message, dict) else None
            if not isinstance(kind, str) or kind not in self._ACTIONS:
                raise RefusedError(f"A message has a type, one of {', '.join(self._ACTIONS)}.")
            return self._ACTIONS[kind](self, message)
        except RefusedError as refusal:
            return {"type": "refused", "reason": str(refusal), **self._standing()}

    def page(self, number=None):
        """A page of pairs as they are shown to this reviewer; without a number, the one with the first pair to decide."""
        answers = self.store.answers(self.reviewer)
        if number is None:
            number = (
                next((place for place in range(len(self.pairs)) if place not in answers), 0)
                // PAIRS_A_PAGE
            )
        places = range(number * PAIRS_A_PAGE, min((number + 1) * PAIRS_A_PAGE, len(self.pairs)))
        return {
            "type": "page",
            "page": number,
            "pages": -(-len(self.pairs) // PAIRS_A_PAGE),
            "reviewer": self.reviewer,
            "attributes": [{"name": name, "kind": kind} for name, kind in self.kinds.items()],
            "kappa": self.risk.kappa,
            "pairs": [self._pair(place, answers.get(place)) for place in places],
            **self._standing(answers),
        }

    def reveal(self, cells, mode):
        """Disclose cells, given as (place of the pair, place of the attribute), up to a mode: all of them or none.

        Raises
        ------
        RefusedError
            If it would leave an anonymity set smaller than kappa, or cost more than is left.
        """
        with self.store.transaction():
            changes, cost, characters = self._changes(cells, mode)
            if not changes:
                return
            spent, shown = self.store.spent(self.reviewer)
            left = self._left(spent)
            if cost > left:
                raise RefusedError(
                    f"This would cost {worth(cost)['text']}, and {worth(left)['text']} of the privacy budget is left."
                )
            self.store.connection.executemany(
                "INSERT OR REPLACE INTO modes VALUES (?, ?, ?, ?)",
                [(self.reviewer, *cell, new) for cell, new in changes],
            )
            self.store.connection.execute(
                "UPDATE spent SET kapr = ?, characters = ? WHERE reviewer = ?",
                (fraction_text(spent + cost), shown + characters, self.reviewer),
            )
            self.store.log(
                self.reviewer,
                "disclose",
                {
                    "cells": [[*cell, new] for cell, new in changes],
                    "cost": fraction_text(cost),
                    "characters": characters,
                },
            )

    def decide(self, place, answer, confidence):
        """Record whether the two records of a pair are the same person; a later decision takes the place of an earlier one."""
        with self.store.transaction():
            if self.store.answers(self.reviewer).get(place) == (answer, confidence):
                return
            number = self.store.connection.execute(
                "INSERT INTO decisions (reviewer, place, answer, confidence) VALUES (?, ?, ?, ?)",
                (self.reviewer, place, answer, confidence),
            ).lastrowid
            self.store.log(
                self.reviewer,
                "decide",
                {"number": number, "place": place, "answer": answer, "confidence": confidence},
            )

    def undo(self):
        """Take the last decision back; returns the place of its pair. What was disclosed stays disclosed."""
        with self.store.transaction():
            last = self.store.query(
                "SELECT number, place FROM decisions WHERE reviewer = ? AND NOT undone "
                "ORDER BY number DESC LIMIT 1",
                (self.reviewer,),
            )
            if not last:
                raise RefusedError("There is no decision to take back.")
            number, place = last[0]
            self.store.connection.execute(
                "UPDATE decisions SET undone = 1 WHERE number = ?", (number,)
            )
            self.store.log(self.reviewer, "undo", {"number": number})
        return place

    def close(self):
        self.store.close()

    # Messages of the page.

    def _on_open(self, message):
        number = message.get("page")
        if number is not None and not (
            _whole(number) and 0 <= number < max(1, -(-len(self.pairs) // PAIRS_A_PAGE))
        ):
            raise RefusedError("There is no such page.")
        return self.page(number)

    def _on_reveal(self, message):
        cells, mode = message.get("cells"), message.get("mode")
        if mode not in MODES[1:] or not isinstance(cells, list) or not 0 < len(cells) <= MOST_CELLS:
            raise RefusedError("To reveal, name cells and one of the modes partial and full.")
        for cell in cells:
            if not (
                isinstance(cell, list)
                and len(cell) == 2
                and self.is_place(cell[0])
                and _whole(cell[1])
                and 0 <= cell[1] < len(self.kinds)
            ):
                raise RefusedError("There is no such cell.")
        self.reveal({tuple(cell) for cell in cells}, mode)
        return self._update({cell[0] for cell in cells})

    def _on_decide(self, message):
        place, answer, confidence = (
            message.get("pair"),
            message.get("answer"),
            message.get("confidence"),
        )
        if not self.is_place(place):
            raise RefusedError("There is no such pair.")
        if answer not in ANSWERS or not _whole(confidence) or confidence not in CONFIDENCES:
            raise RefusedError(
                "A decision is same, different or unsure, with a confidence from 1 to 3."
            )
        self.decide(place, answer, confidence)
        return self._update({place})

    def _on_undo(self, message):
        place = self.undo()
        return {**self.page(place // PAIRS_A_PAGE), "focus": place}

    _ACTIONS = {"open": _on_open, "reveal": _on_reveal, "decide": _on_decide, "undo": _on_undo}

    # What the page is told.

    def _update(self, places):
        answers = self.store.answers(self.reviewer)
        pairs = [self._pair(place, answers.get(place)) for place in sorted(places)]
        return {"type": "pairs", "pairs": pairs, **self._standing(answers)}

    def _standing(self, answers=None):
        spent, shown = self.store.spent(self.reviewer)
        answers = self.store.answers(self.reviewer) if answers is None else answers
        return {
            "meters": {
                "kapr": {"spent": worth(spent), "limit": worth(spent + self._left(spent))},
                "characters": {"shown": shown, "total": self.characters},
            },
            "progress": {"decided": len(answers), "pairs": len(self.pairs)},
        }

    def _left(self, spent):
        """What this reviewer may still disclose: of the own part of the budget, and of what others have left of the whole."""
        return min(self.limit - spent, Fraction(self.settings["budget"]) - self.store.spent()[0])

    def _pair(self, place, answer):
        modes = self._modes(place)
        cells = []
        for attribute, cell in enumerate(self.risk.comparisons(*self.pairs[place])):
            cells.append(
                {
                    "agreement": cell.agreement,
                    "mode": modes[attribute],
                    "rows": [cell.shown(row, modes[attribute]) for row in (0, 1)],
                    "next": [
                        self._offer({(place, attribute)}, mode)
                        for mode in cell.modes
                        if MODES.index(mode) > MODES.index(modes[attribute])
                    ],
                }
            )
        everything = {(place, attribute) for attribute in range(len(cells))}
        return {
            "place": place,
            "cells": cells,
            "decision": answer and dict(zip(("answer", "confidence"), answer)),
            "all": [self._offer(everything, mode) for mode in MODES[1:]],
        }

    def _offer(self, cells, mode):
        """What revealing cells of one pair would cost, or why it is not possible."""
        try:
            changes, cost, _ = self._changes(cells, mode)
        except RefusedError as refusal:
            return {"mode": mode, "refused": str(refusal)}
        return {"mode": mode, "cost": worth(cost), "cells": len(changes)}

    def _changes(self, cells, mode):
        """The cells that would change, the KAPR that this costs, and the characters shown."""
        changes, cost, characters = [], Fraction(0), 0
        for place in sorted({place for place, _ in cells}):
            pair = self.pairs[place]
            comparisons = self.risk.comparisons(*pair)
            before = self._modes(place)
            after = list(before)
            for attribute in sorted(attribute for other, attribute in cells if other == place):
                if mode in comparisons[attribute].modes and MODES.index(mode) > MODES.index(
                    before[attribute]
                ):
                    after[attribute] = mode
                    changes.append(((place, attribute), mode))
            if after == before:
                continue
            rows = self.risk.rows(*pair, after)
            if (smallest := min(k for k, _, _ in rows)) < self.risk.kappa:
                raise RefusedError(
                    f"Then only {smallest} record{'s' * (smallest > 1)} would fit what is shown, "
                    f"and the project asks for at least {self.risk.kappa}."
                )
            cost += sum(score for _, _, score in rows) - sum(
                score for _, _, score in self.risk.rows(*pair, before)
            )
            characters += sum(
                cell.disclosed(row, new) - cell.disclosed(row, old)
                for cell, old, new in zip(comparisons, before, after)
                for row in (0, 1)
            )
        return changes, cost, characters

    def _modes(self, place):
        modes = ["masked"] * len(self.kinds)
        for attribute, mode in self.store.query(
            "SELECT attribute, mode FROM modes WHERE reviewer = ? AND place = ?",
            (self.reviewer, place),
        ):
            modes[attribute] = mode
        return modes

    def is_place(self, value):
        """Whether there is a pair at this place."""
        return _whole(value) and 0 <= value < len(self.pairs)


def open_risk(store):
    """The `PrivacyScore` of a project."""
    settings = store.settings
    rows = store.query("SELECT file, cells FROM records ORDER BY record")
    records = pd.DataFrame(
        [json.loads(cells) for _, cells in rows], columns=list(settings["kinds"]), dtype=object
    )
    files = [file for file, _ in rows] if settings["k_counts"] == "own" else None
    return PrivacyScore(
        records,
        settings["kinds"],
        settings["rows"],
        settings["kappa"],
        settings["counting"],
        settings["dates"],
        files,
        settings["swaps"],
    )


def worth(value):
    """A KAPR for the page: as a number, and as text, the fraction where it is short."""
    text = (
        f"{float(value):.4f}"
        if value >= Fraction(1, 1000)
        else f"{float(value):.6f}"
        if value >= Fraction(1, 10**6)
        else "under 0.000001"
    )
    if 1 < value.denominator < 10_000:
        text = f"{value} = {text}"
    elif value.denominator == 1:
        text = str(value)
    return {"value": float(value), "text": text}


def _whole(value):
    return isinstance(value, int) and not isinstance(value, bool)
