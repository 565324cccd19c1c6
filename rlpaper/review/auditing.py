"""Whether a project is what its log says.

That is: nothing was edited, nothing was added, and every disclosure was paid for.
"""

import hashlib
import json
import sqlite3
from contextlib import closing
from fractions import Fraction
from pathlib import Path

from .._internal.validation import shown
from .ledger import RefusedError, is_decision
from .session import open_ledger
from .store import Entry, Store, checked_folder, entry_hash, fraction


class TamperedError(Exception):
    """A project is not what its log says; the text says where."""


def audit(folder: str | Path, head: str | None = None) -> str:
    """Check a project against its log, and the log against itself.

    The entries are chained: each holds the hash of the one before. Records, pairs, settings and the
    sensitive file are compared with the checksums in the first entry. Disclosures, their costs,
    decisions and all else are compared with what the entries tell when they are replayed. Whoever
    can write the files could still write a whole new log, or cut entries off its end with all that
    followed from them: to exclude that, keep the returned hash elsewhere and give it the next time.

    Parameters
    ----------
    folder : path
    head : str, optional
        A hash that `audit` returned earlier; it has to be in the log.

    Returns
    -------
    str
        The hash of the last entry.

    Raises
    ------
    TamperedError
    """
    folder = checked_folder(folder)
    if not isinstance(head, str | None):
        raise ValueError(f"head is {shown(head)}; it is a hash that audit returned")
    try:
        with closing(Store(folder)) as store, store.snapshot():
            entries = store.log()
            _check_chain(entries, head)
            _check_fixed(store, json.loads(entries[0].body)["checksums"])
            _check_replay(store, entries[1:])
            return entries[-1].hash
    except (
        ValueError,
        TypeError,
        LookupError,
        AttributeError,
        ZeroDivisionError,
        sqlite3.DatabaseError,
        RefusedError,
    ) as fault:
        raise TamperedError(
            f"something in the project is not of the form that the package writes: {fault}"
        ) from fault


def token_hash(token: str) -> str:
    """Return what is kept of a reviewer's token."""
    return hashlib.sha256(token.encode()).hexdigest()


def _check_chain(entries: list[Entry], head: str | None) -> None:
    previous = ""
    for number, entry in enumerate(entries, start=1):
        told = (entry.number, entry.previous, entry.hash)
        if told != (number, previous, entry_hash(entry[:-1])):
            raise TamperedError(f"entry {number} of the log was changed, or one before it is gone")
        previous = entry.hash
    if not entries or entries[0].action != "create":
        raise TamperedError("the log does not begin with the creation of the project")
    if head is not None and head not in {entry.hash for entry in entries}:
        raise TamperedError(
            "the log does not contain the hash that was kept: it was cut or written anew"
        )


def _check_fixed(store: Store, checksums: dict[str, str]) -> None:
    found = store.checksums()
    for table, value in checksums.items():
        if found[table] != value:
            raise TamperedError(f"{table} are not those that the project was made with")


def _check_replay(store: Store, entries: list[Entry]) -> None:
    """Do again what the log tells, and compare."""
    replay = _Replay(store)
    for entry in entries:
        if entry.action not in replay.actions:
            raise TamperedError(
                f"entry {entry.number} of the log tells of {entry.action!r}, "
                "which is nothing that is done"
            )
        replay.actions[entry.action](entry, json.loads(entry.body))
    found = store.state()
    for table, rows in replay.state.items():
        if found[table] != rows:
            raise TamperedError(f"{table} are not what the log tells")
    if found["spent"] != replay.spent:
        raise TamperedError("what was spent of the budget is not what the log tells")


class _Replay:
    """What follows from the log, in memory only."""

    def __init__(self, store: Store) -> None:
        self.ledger = open_ledger(store)
        self.shown: dict[str, dict] = {name: {} for name in self.ledger.limits}
        self.spent = {name: (Fraction(0), 0) for name in self.ledger.limits}
        self.state: dict[str, dict] = {
            "modes": {},
            "decisions": {},
            "resolutions": {},
            "tokens": {},
        }
        self.actions = {
            "disclose": self.disclose,
            "decide": self.decide,
            "undo": self.undo,
            "resolve": self.resolve,
            "tokens": self.tokens,
        }

    def disclose(self, entry: Entry, body: dict) -> None:
        """Disclose what an entry tells of, and compare the cost."""
        actor = entry.actor
        cells = [(position, attribute) for position, attribute, _ in body["cells"]]
        modes = {mode for _, _, mode in body["cells"]}
        if len(modes) != 1 or not all(self.ledger.is_cell(actor, *cell) for cell in cells):
            raise TamperedError(f"entry {entry.number} of the log is not a disclosure")
        told = self.ledger.disclosure(actor, self.shown[actor], set(cells), modes.pop())
        if len(told.cells) != len(cells):
            raise TamperedError(
                f"entry {entry.number} of the log discloses what was disclosed before"
            )
        if told.cost != fraction(body["cost"]) or told.characters != body["characters"]:
            raise TamperedError(
                f"entry {entry.number} of the log tells another cost than the disclosure has"
            )
        if told.cost > self.ledger.remaining(actor, self.spent):
            raise TamperedError(f"with entry {entry.number} of the log {actor} is over the budget")
        kapr, characters = self.spent[actor]
        self.spent[actor] = kapr + told.cost, characters + told.characters
        for position, attribute in cells:
            self.shown[actor].setdefault(position, {})[attribute] = told.mode
            self.state["modes"][actor, position, attribute] = told.mode

    def decide(self, entry: Entry, body: dict) -> None:
        """Note a decision."""
        position, answer, confidence = body["position"], body["answer"], body["confidence"]
        if not (self.ledger.is_position(entry.actor, position) and is_decision(answer, confidence)):
            raise TamperedError(f"entry {entry.number} of the log is not a decision")
        self.state["decisions"][body["number"]] = [entry.actor, position, answer, confidence, 0]

    def undo(self, entry: Entry, body: dict) -> None:
        """Take a decision back."""
        self.state["decisions"][body["number"]][-1] = 1

    def resolve(self, entry: Entry, body: dict) -> None:
        """Settle a pair."""
        self.state["resolutions"][body["pair"]] = body["answer"]

    def tokens(self, entry: Entry, body: dict) -> None:
        """Replace tokens."""
        self.state["tokens"].update(body)
