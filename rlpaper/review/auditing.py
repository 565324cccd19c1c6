"""Whether a project is what its log says: nothing edited, nothing added, every disclosure paid for."""

import hashlib
import json
import sqlite3
from contextlib import closing
from fractions import Fraction

from .session import ANSWERS, CONFIDENCES, RefusedError, Session
from .store import FIXED, SENSITIVE, Store, checksum, connect, entry_hash, fraction


class TamperedError(Exception):
    """A project is not what its log says; the text says where."""


def audit(folder, head=None):
    """Check a project against its log, and the log against itself.

    The entries are chained: each holds the hash of the one before. Records, pairs, settings and the
    sensitive file are held against the checksums of the first entry; disclosures, their costs,
    decisions and all else against what the entries tell, replayed. Who can write the files could
    still write a whole new log, or cut entries off its end with all that followed from them: to
    exclude that, keep the returned hash elsewhere and give it the next time.

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
    try:
        with closing(Store(folder)) as store:
            # One look at everything, whatever reviewers do meanwhile.
            store.connection.execute("BEGIN")
            entries = store.query("SELECT * FROM log ORDER BY number")
            _check_chain(entries, head)
            _check_fixed(store, json.loads(entries[0][4])["checksums"])
            _check_replay(store, entries[1:])
            return entries[-1][-1]
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


def token_hash(token):
    return hashlib.sha256(token.encode()).hexdigest()


def _check_chain(entries, head):
    previous = ""
    for number, entry in enumerate(entries, start=1):
        if entry[0] != number or entry[5] != previous or entry_hash(entry[:6]) != entry[6]:
            raise TamperedError(f"entry {number} of the log was changed, or one before it is gone")
        previous = entry[6]
    if not entries or entries[0][3] != "create":
        raise TamperedError("the log does not begin with the creation of the project")
    if head is not None and head not in {entry[6] for entry in entries}:
        raise TamperedError(
            "the log does not contain the hash that was kept: it was cut or written anew"
        )


def _check_fixed(store, checksums):
    with closing(connect(store.folder / SENSITIVE)) as vault:
        found = {
            **{table: checksum(store.connection, table) for table in FIXED},
            **{table: checksum(vault, table) for table in ("sensitive", "columns")},
        }
    for table, value in checksums.items():
        if found[table] != value:
            raise TamperedError(f"{table} are not those that the project was made with")


def _check_replay(store, entries):
    """Do again what the log tells, and compare."""
    state = {"modes": {}, "decisions": {}, "resolutions": {}, "tokens": {}}
    spent = {name: [Fraction(0), 0] for name in store.settings["limits"]}
    sessions = {}

    def session(name):
        if name not in sessions:
            sessions[name] = _Replay(store, name)
        return sessions[name]

    for number, _, actor, action, body, _, _ in entries:
        body = json.loads(body)
        if action == "disclose":
            cost, characters = session(actor).disclose(body["cells"], number)
            if cost != fraction(body["cost"]) or characters != body["characters"]:
                raise TamperedError(
                    f"entry {number} of the log tells another cost than the disclosure has"
                )
            spent[actor][0] += cost
            spent[actor][1] += characters
            whole = sum(kapr for kapr, _ in spent.values())
            if spent[actor][0] > Fraction(store.settings["limits"][actor]) or whole > Fraction(
                store.settings["budget"]
            ):
                raise TamperedError(f"with entry {number} of the log {actor} is over the budget")
            state["modes"].update(
                {(actor, place, attribute): mode for place, attribute, mode in body["cells"]}
            )
        elif action == "decide":
            if not (
                session(actor).is_place(body["place"])
                and body["answer"] in ANSWERS
                and body["confidence"] in CONFIDENCES
            ):
                raise TamperedError(f"entry {number} of the log is no decision")
            state["decisions"][body["number"]] = [
                actor,
                body["place"],
                body["answer"],
                body["confidence"],
                0,
            ]
        elif action == "undo":
            state["decisions"][body["number"]][-1] = 1
        elif action == "resolve":
            state["resolutions"][body["pair"]] = body["answer"]
        elif action == "tokens":
            state["tokens"].update(body)
        else:
            raise TamperedError(
                f"entry {number} of the log tells of {action!r}, which is nothing that is done"
            )
    found = {
        "modes": {tuple(row[:3]): row[3] for row in store.query("SELECT * FROM modes")},
        "decisions": {row[0]: list(row[1:]) for row in store.query("SELECT * FROM decisions")},
        "resolutions": dict(store.query("SELECT * FROM resolutions")),
        "tokens": dict(store.query("SELECT * FROM tokens")),
    }
    for table, rows in state.items():
        if found[table] != rows:
            raise TamperedError(f"{table} are not what the log tells")
    kept = {row[0]: [fraction(row[1]), row[2]] for row in store.query("SELECT * FROM spent")}
    if kept != spent:
        raise TamperedError("what was spent of the budget is not what the log tells")


class _Replay(Session):
    """A session whose disclosures are in memory only."""

    def __init__(self, store, reviewer):
        super().__init__(store.folder, reviewer)
        self._seen = {}
        self.store.close()

    def disclose(self, cells, number):
        modes = {mode for _, _, mode in cells}
        known = all(
            self.is_place(place) and attribute in range(len(self.kinds))
            for place, attribute, _ in cells
        )
        if len(modes) != 1 or not known:
            raise TamperedError(f"entry {number} of the log is no disclosure")
        changes, cost, characters = self._changes(
            {(place, attribute) for place, attribute, _ in cells}, modes.pop()
        )
        if len(changes) != len(cells):
            raise TamperedError(f"entry {number} of the log discloses what was disclosed before")
        for (place, attribute), mode in changes:
            self._seen.setdefault(place, ["masked"] * len(self.kinds))[attribute] = mode
        return cost, characters

    def _modes(self, place):
        return list(self._seen.get(place, ["masked"] * len(self.kinds)))
