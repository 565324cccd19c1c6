"""A review project as its manager sees it: followed, settled, exported."""

import math
import secrets
from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING

import pandas as pd

from .._internal.validation import check_number, check_option
from . import auditing
from .display import MODES, Comparison
from .ledger import ANSWERS
from .session import Session, open_ledger
from .store import Store

if TYPE_CHECKING:
    from .widget import Reviewer


class Project:
    """A review project, for its manager.

    Parameters
    ----------
    folder : path
        Of a project that `create` has made.
    """

    def __init__(self, folder: str | Path) -> None:
        self.store = Store(folder)
        self.folder = self.store.folder

    @property
    def reviewers(self) -> list[str]:
        """Names of the reviewers."""
        return list(self.store.settings["limits"])

    def session(self, reviewer: str) -> Session:
        """Return the work of one reviewer, without a page: see `session.Session`."""
        return Session(self.folder, reviewer)

    def widget(self, reviewer: str) -> "Reviewer":
        """Return the reviewer's page, for a notebook.

        Who has the notebook's kernel has the data: see `server.serve` for those who must not.
        """
        from .widget import Reviewer

        return Reviewer(self.session(reviewer))

    def progress(self) -> pd.DataFrame:
        """Return one row per reviewer: pairs, decisions, KAPR spent and allowed, characters."""
        spent, assigned = self.store.spent(), self.store.assignments()
        return pd.DataFrame(
            [
                {
                    "reviewer": reviewer,
                    "pairs": len(assigned[reviewer]),
                    "decided": len(self.store.answers(reviewer)),
                    "KAPR": float(spent[reviewer][0]),
                    "of": float(Fraction(limit)),
                    "characters": spent[reviewer][1],
                }
                for reviewer, limit in self.store.settings["limits"].items()
            ]
        )

    def kapr(self) -> Fraction:
        """Return the KAPR score of the whole project so far, exact."""
        return sum((kapr for kapr, _ in self.store.spent().values()), Fraction(0))

    def pairs(self) -> pd.DataFrame:
        """Return one row per candidate pair, with the numbers of both records."""
        pairs = self.store.pairs()
        return pd.DataFrame(pairs.values(), index=list(pairs), columns=["first", "second"])

    def log(self) -> pd.DataFrame:
        """Return one row per entry of the log; `body` holds the details as JSON."""
        return pd.DataFrame(self.store.log()).set_index("number")

    def decisions(self) -> pd.DataFrame:
        """Return one row per pair and reviewer, with the answer that stands and its confidence.

        Both are empty where there is none.
        """
        rows = []
        for reviewer, pairs in self.store.assignments().items():
            answers = self.store.answers(reviewer)
            rows += [
                (pair, reviewer, *answers.get(position, (None, None)))
                for position, pair in enumerate(pairs)
            ]
        table = pd.DataFrame(rows, columns=["pair", "reviewer", "answer", "confidence"]).astype(
            {"confidence": "Int64"}
        )
        return table.sort_values(["pair", "reviewer"], ignore_index=True)

    def disagreement(self) -> pd.DataFrame:
        """Return one row per two reviewers of the same pairs: how far they agree, Cohen's kappa."""
        wide = self.decisions().pivot(index="pair", columns="reviewer", values="answer")
        rows = []
        for one, two in combinations(wide.columns, 2):
            both = wide[[one, two]].dropna()
            if len(both):
                agree = float((both[one] == both[two]).mean())
                rows.append((one, two, len(both), agree, cohens_kappa(both[one], both[two])))
        return pd.DataFrame(rows, columns=["first", "second", "pairs", "agree", "kappa"])

    def conflicts(self) -> pd.DataFrame:
        """Return one row per pair to be settled by `resolve`, with what reviewers answered and saw.

        A pair is to be settled where reviewers disagree, or where all who decided are unsure. It
        also is where a chain of pairs that are the same makes one person of two records that were
        called different: then one pair of that chain has to be settled as different. What is shown
        here is at most what has been disclosed to a reviewer already.
        """
        final = self._final()
        entity, settled = self._entities(final), self.store.resolutions()
        pairs, seen, score = (
            self.store.pairs(),
            self.store.modes_by_pair(),
            open_ledger(self.store).score,
        )
        rows = []
        for pair, part in self.decisions().dropna(subset="answer").groupby("pair"):
            first, second = pairs[pair]
            given = set(part["answer"])
            if final.get(pair) == "different" and entity[first] == entity[second]:
                why = "same by way of other pairs"
            elif pair not in settled and len(given) > 1:
                why = "reviewers disagree"
            elif pair not in settled and given == {"unsure"}:
                why = "unsure"
            else:
                continue
            cells = dict(zip(score.attribute_types, score.comparisons(first, second), strict=True))
            answers = {
                f"answer of {name}": f"{answer} ({confidence})"
                for _, name, answer, confidence in part.itertuples(index=False)
            }
            rows.append({"pair": pair, "why": why, **_seen(pair, cells, seen), **answers})
        return pd.DataFrame(rows)

    def resolve(self, pair: int, answer: str) -> None:
        """Settle a pair, whatever the reviewers answered."""
        check_option("answer", answer, ANSWERS[:2])
        check_number("pair", pair, "the number of a candidate pair", whole=True)
        if int(pair) not in self.store.pairs():
            raise ValueError(f"there is no pair {pair}; see the table of pairs()")
        with self.store.transaction():
            self.store.add_resolution(int(pair), answer)

    def linked_table(self) -> pd.DataFrame:
        """Return the linked, de-identified table: one row per record, its sensitive values, person.

        Records are one person where a pair is the same by all its reviewers, or settled so. Persons
        are numbered in an order that tells nothing of the files'; there is no identifier, pseudonym
        or record number in the table. ``attrs["open"]`` counts the pairs that are not settled:
        their records stay apart. With two files, `file` is 1 or 2.
        """
        final = self._final()
        entity = self._entities(final)
        columns, cells = self.store.sensitive()
        persons: dict[int, int] = {}
        # In the order of the pseudonyms, which is random.
        records = sorted(zip(self.store.records(), entity, strict=True), key=lambda row: row[0][1])
        table = pd.DataFrame(
            [
                [persons.setdefault(one, len(persons) + 1), file + 1, *cells[pseudonym]]
                for (file, pseudonym, _), one in records
            ],
            columns=["person", "file", *columns],
            dtype=object,
        )
        table = table.apply(_common_type)
        if self.store.settings["files"] == 1:
            table = table.drop(columns="file")
        table = table.sort_values("person", kind="stable", ignore_index=True)
        table.attrs["open"] = len(self.store.pairs()) - len(final)
        return table

    def issue_tokens(self) -> dict[str, str]:
        """Return one new token per reviewer, for the served page; earlier ones no longer work.

        Only their hashes are kept.
        """
        tokens = {name: secrets.token_urlsafe(24) for name in self.reviewers}
        with self.store.transaction():
            self.store.replace_tokens(
                {name: auditing.token_hash(token) for name, token in tokens.items()}
            )
        return tokens

    def audit(self, head: str | None = None) -> str:
        """Check the log and everything that follows from it; see `auditing.audit`."""
        return auditing.audit(self.folder, head)

    def close(self) -> None:
        """Close the connection to the project's file."""
        self.store.close()

    def _final(self) -> dict[int, str]:
        """Pairs with one answer: settled, or the same from every reviewer they were given to."""
        answers = self.decisions().groupby("pair")["answer"].agg(set)
        agreed = {
            int(pair): answer
            for pair, given in answers.items()
            for answer in ANSWERS[:2]
            if given == {answer}
        }
        return {**agreed, **self.store.resolutions()}

    def _entities(self, final: dict[int, str]) -> list[int]:
        """For each record the smallest record of its person."""
        root = list(range(len(self.store.records())))

        def find(record: int) -> int:
            while root[record] != record:
                root[record] = record = root[root[record]]
            return record

        for pair, (first, second) in self.store.pairs().items():
            if final.get(pair) == "same":
                one, two = sorted((find(first), find(second)))
                root[two] = one
        return [find(record) for record in root]


def _seen(
    pair: int, cells: dict[str, Comparison], seen: set[tuple[int, int, str]]
) -> dict[str, str]:
    """Both rows of a pair, each attribute at the widest that a reviewer has seen."""
    rows = {}
    for attribute, (name, cell) in enumerate(cells.items()):
        modes = [mode for mode in MODES if (pair, attribute, mode) in seen]
        mode = modes[-1] if modes else MODES[0]
        rows[name] = " | ".join(
            "".join(text for _, text in cell.parts(row, mode)) for row in (0, 1)
        )
    return rows


def _common_type(column: pd.Series) -> pd.Series:
    """Return a column of objects as what they are.

    Whole numbers beside missing ones stay objects, as floats have no room for all of them.
    """
    present = column.dropna()
    return (
        column.infer_objects()
        if len(present) == len(column) or all(isinstance(value, float) for value in present)
        else column
    )


def cohens_kappa(one: Sequence[str], two: Sequence[str]) -> float:
    """Return the agreement of two lists of answers beyond chance (Cohen 1960).

    It is NaN where chance alone gives full agreement.

    Examples
    --------
    >>> one, two = ["same", "same", "different"], ["same", "different", "different"]
    >>> round(cohens_kappa(one, two), 6)
    0.4
    """
    one, two = list(one), list(two)
    observed = sum(a == b for a, b in zip(one, two, strict=True)) / len(one)
    counts = Counter(one), Counter(two)
    chance = sum(counts[0][answer] * counts[1][answer] for answer in counts[0]) / len(one) ** 2
    return math.nan if chance == 1 else (observed - chance) / (1 - chance)
