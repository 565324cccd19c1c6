"""A review project as its manager sees it: followed, settled, exported."""

import json
import math
import secrets
from collections import Counter
from contextlib import closing
from fractions import Fraction
from itertools import combinations

import pandas as pd

from . import auditing
from .session import ANSWERS, Session, open_risk
from .store import SENSITIVE, Store, connect


class Project:
    """A review project, for its manager.

    Parameters
    ----------
    folder : path
        Of a project that `create` has made.
    """

    def __init__(self, folder):
        self.store = Store(folder)
        self.folder = self.store.folder

    @property
    def reviewers(self):
        return list(self.store.settings["limits"])

    def session(self, reviewer):
        """The work of one reviewer, without a page: see `session.Session`."""
        return Session(self.folder, reviewer)

    def widget(self, reviewer):
        """The reviewer's page, for a notebook. Who has the notebook's kernel has the data: see `serve` for those who must not."""
        from .widget import Reviewer

        return Reviewer(self.session(reviewer))

    def progress(self):
        """A row a reviewer: pairs, decisions, KAPR disclosed and allowed, characters shown."""
        rows = []
        for reviewer, limit in self.store.settings["limits"].items():
            spent, characters = self.store.spent(reviewer)
            pairs = self.store.query(
                "SELECT count(*) FROM assignments WHERE reviewer = ?", (reviewer,)
            )[0][0]
            rows.append(
                {
                    "reviewer": reviewer,
                    "pairs": pairs,
                    "decided": len(self.store.answers(reviewer)),
                    "KAPR": float(spent),
                    "of": float(Fraction(limit)),
                    "characters": characters,
                }
            )
        return pd.DataFrame(rows)

    def kapr(self):
        """The KAPR score of the whole project so far, exact."""
        return self.store.spent()[0]

    def decisions(self):
        """A row a pair and reviewer: the answer that stands and its confidence, empty where there is none."""
        rows = []
        for reviewer in self.reviewers:
            answers = self.store.answers(reviewer)
            for place, pair in self.store.query(
                "SELECT place, pair FROM assignments WHERE reviewer = ?", (reviewer,)
            ):
                answer, confidence = answers.get(place, (None, None))
                rows.append(
                    {"pair": pair, "reviewer": reviewer, "answer": answer, "confidence": confidence}
                )
        table = pd.DataFrame(rows, columns=["pair", "reviewer", "answer", "confidence"]).astype(
            {"confidence": "Int64"}
        )
        return table.sort_values(["pair", "reviewer"], ignore_index=True)

    def disagreement(self):
        """How far reviewers of the same pairs agree: a row two reviewers, with Cohen's kappa."""
        wide = self.decisions().pivot(index="pair", columns="reviewer", values="answer")
        rows = []
        for one, two in combinations(wide.columns, 2):
            both = wide[[one, two]].dropna()
            if len(both):
                rows.append(
                    {
                        "first": one,
                        "second": two,
                        "pairs": len(both),
                        "agree": float((both[one] == both[two]).mean()),
                        "kappa": cohens_kappa(both[one], both[two]),
                    }
                )
        return pd.DataFrame(rows, columns=["first", "second", "pairs", "agree", "kappa"])

    def conflicts(self):
        """Pairs that the manager has to settle by `resolve`: a row a pair, with what each reviewer answered and saw.

        Reviewers disagree, or all who decided are unsure, or a chain of pairs that are the same
        makes two records one person that were called different: then one of that chain has to be
        settled as different. What is seen is at most what was disclosed to a reviewer already.
        """
        chained, settled = self._contradicted(self._final()), self._resolutions()
        decided = self.decisions().dropna(subset="answer")
        risk, rows = open_risk(self.store), []
        for pair, part in decided.groupby("pair"):
            given = set(part["answer"])
            why = (
                "same by way of other pairs"
                if pair in chained
                else None
                if pair in settled
                else "reviewers disagree"
                if len(given) > 1
                else "unsure"
                if given == {"unsure"}
                else None
            )
            if why:
                answers = {
                    f"answer of {name}": f"{answer} ({confidence})"
                    for _, name, answer, confidence in part.itertuples(index=False)
                }
                rows.append({"pair": pair, "why": why, **self._seen(risk, pair), **answers})
        return pd.DataFrame(rows)

    def resolve(self, pair, answer):
        """Settle a pair, whatever the reviewers answered."""
        if answer not in ANSWERS[:2]:
            raise ValueError(f"a pair is settled as same or different, not {answer!r}")
        if not self.store.query("SELECT 1 FROM pairs WHERE pair = ?", (int(pair),)):
            raise ValueError(f"there is no pair {pair!r}")
        with self.store.transaction():
            self.store.connection.execute(
                "INSERT OR REPLACE INTO resolutions VALUES (?, ?)", (int(pair), answer)
            )
            self.store.log("manager", "resolve", {"pair": int(pair), "answer": answer})

    def linked_table(self):
        """The linked, de-identified table: a row a record, its sensitive values and the number of its person.

        Records are one person where a pair is the same by all its reviewers, or settled so. Persons
        are numbered in an order that tells nothing of the files'; there is no identifier, pseudonym
        or record number in the table. ``attrs["open"]`` counts the pairs that are not settled:
        their records stay apart. With two files, `file` is 1 or 2.
        """
        final = self._final()
        entity = self._entities(final)
        records = self.store.query("SELECT record, file, pseudonym FROM records ORDER BY pseudonym")
        with closing(connect(self.folder / SENSITIVE)) as vault:
            columns = [
                name for _, name in vault.execute("SELECT place, name FROM columns ORDER BY place")
            ]
            cells = {
                pseudonym: json.loads(values)
                for pseudonym, values in vault.execute("SELECT pseudonym, cells FROM sensitive")
            }
        persons = {}
        table = pd.DataFrame(
            [
                [persons.setdefault(entity[record], len(persons) + 1), file + 1, *cells[pseudonym]]
                for record, file, pseudonym in records
            ],
            columns=["person", "file", *columns],
            dtype=object,
        )
        table = table.apply(_typed)
        if self.store.settings["files"] == 1:
            table = table.drop(columns="file")
        table = table.sort_values("person", kind="stable", ignore_index=True)
        table.attrs["open"] = self.store.query("SELECT count(*) FROM pairs")[0][0] - len(final)
        return table

    def issue_tokens(self):
        """A new token a reviewer, for the served page; earlier ones no longer work. Only their hashes are kept."""
        tokens = {name: secrets.token_urlsafe(24) for name in self.reviewers}
        hashes = {name: auditing.token_hash(token) for name, token in tokens.items()}
        with self.store.transaction():
            self.store.connection.executemany(
                "INSERT OR REPLACE INTO tokens VALUES (?, ?)", sorted(hashes.items())
            )
            self.store.log("manager", "tokens", hashes)
        return tokens

    def audit(self, head=None):
        """Check the log and everything that follows from it; see `audit.audit`."""
        return auditing.audit(self.folder, head)

    def close(self):
        self.store.close()

    def _resolutions(self):
        return dict(self.store.query("SELECT pair, answer FROM resolutions"))

    def _final(self):
        """Pairs with one answer: settled, or the same answer of every reviewer they were given to."""
        answers = self.decisions().groupby("pair")["answer"].agg(set)
        settled = {
            int(pair): answer
            for pair, given in answers.items()
            for answer in ANSWERS[:2]
            if given == {answer}
        }
        return {**settled, **self._resolutions()}

    def _entities(self, final):
        """Record -> the smallest record of its person."""
        root = {record: record for (record,) in self.store.query("SELECT record FROM records")}

        def find(record):
            while root[record] != record:
                root[record] = record = root[root[record]]
            return record

        for pair, first, second in self.store.query("SELECT pair, first, second FROM pairs"):
            if final.get(pair) == "same":
                one, two = sorted((find(first), find(second)))
                root[two] = one
        return {record: find(record) for record in root}

    def _contradicted(self, final):
        entity = self._entities(final)
        return {
            pair
            for pair, first, second in self.store.query("SELECT pair, first, second FROM pairs")
            if final.get(pair) == "different" and entity[first] == entity[second]
        }

    def _seen(self, risk, pair):
        """Both rows of a pair at the widest that a reviewer has seen, an attribute."""
        first, second = self.store.query(
            "SELECT first, second FROM pairs WHERE pair = ?", (int(pair),)
        )[0]
        modes = self.store.query(
            "SELECT attribute, mode FROM modes JOIN assignments USING (reviewer, place) WHERE pair = ?",
            (int(pair),),
        )
        seen = {}
        for place, (name, cell) in enumerate(zip(risk.kinds, risk.comparisons(first, second))):
            mode = (
                "full"
                if (place, "full") in modes
                else "partial"
                if (place, "partial") in modes
                else "masked"
            )
            seen[name] = " | ".join(
                "".join(text for _, text in cell.shown(row, mode)) for row in (0, 1)
            )
        return seen


def _typed(column):
    """A column of objects as what they are; whole numbers beside missing ones stay objects, as floats have no room for all."""
    present = column.dropna()
    return (
        column.infer_objects()
        if len(present) == len(column) or all(isinstance(value, float) for value in present)
        else column
    )


def cohens_kappa(one, two):
    """Agreement beyond chance of two lists of answers (Cohen 1960); NaN where chance alone gives full agreement.

    Examples
    --------
    >>> cohens_kappa(["same", "same", "different", "different"], ["same", "different", "different", "different"])
    0.5
    """
    one, two = list(one), list(two)
    observed = sum(a == b for a, b in zip(one, two, strict=True)) / len(one)
    counts = Counter(one), Counter(two)
    chance = sum(counts[0][answer] * counts[1][answer] for answer in counts[0]) / len(one) ** 2
    return math.nan if chance == 1 else (observed - chance) / (1 - chance)
