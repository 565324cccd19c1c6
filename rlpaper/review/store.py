"""The files of a review project, and all SQL that reads or writes them.

Every change is in an append-only log whose entries are chained by hashes. There are two files.
`identifying.sqlite` is what reviewers' sessions open: the records' identifying attributes under
random pseudonyms, pairs, disclosures, decisions, log. `sensitive.sqlite`, the sensitive attributes
under the same pseudonyms, is opened to audit and to export only.
"""

import hashlib
import json
import os
import sqlite3
from collections import namedtuple
from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, closing, contextmanager
from datetime import UTC, datetime
from fractions import Fraction
from pathlib import Path
from typing import Any

from .._internal.validation import shown

IDENTIFYING, SENSITIVE = "identifying.sqlite", "sensitive.sqlite"

#: A project that is being made.
_UNFINISHED = "unfinished.sqlite"

#: Version of the tables and of the log's entries, kept in SQLite's `user_version`. Version 1, which
#: has 0 there, called a position a place and an attribute's type its kind.
FORMAT = 2

_SCHEMA = f"""
BEGIN IMMEDIATE;
PRAGMA user_version = {FORMAT};
CREATE TABLE settings (name TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE records (record INTEGER PRIMARY KEY, file INTEGER NOT NULL,
    pseudonym TEXT NOT NULL UNIQUE, cells TEXT NOT NULL);
CREATE TABLE pairs (pair INTEGER PRIMARY KEY, first INTEGER NOT NULL, second INTEGER NOT NULL);
CREATE TABLE assignments (reviewer TEXT NOT NULL, position INTEGER NOT NULL, pair INTEGER NOT NULL,
    PRIMARY KEY (reviewer, position));
CREATE TABLE modes (reviewer TEXT NOT NULL, position INTEGER NOT NULL, attribute INTEGER NOT NULL,
    mode TEXT NOT NULL, PRIMARY KEY (reviewer, position, attribute));
CREATE TABLE spent (reviewer TEXT PRIMARY KEY, kapr TEXT NOT NULL, characters INTEGER NOT NULL);
CREATE TABLE decisions (number INTEGER PRIMARY KEY, reviewer TEXT NOT NULL,
    position INTEGER NOT NULL, answer TEXT NOT NULL, confidence INTEGER NOT NULL,
    undone INTEGER NOT NULL DEFAULT 0);
CREATE TABLE resolutions (pair INTEGER PRIMARY KEY, answer TEXT NOT NULL);
CREATE TABLE tokens (reviewer TEXT PRIMARY KEY, hash TEXT NOT NULL);
CREATE TABLE log (number INTEGER PRIMARY KEY, time TEXT NOT NULL, actor TEXT NOT NULL,
    action TEXT NOT NULL, body TEXT NOT NULL, previous TEXT NOT NULL, hash TEXT NOT NULL);
CREATE INDEX decisions_of ON decisions (reviewer, position);
CREATE TRIGGER log_grows_at_its_end BEFORE INSERT ON log
    WHEN NEW.number <= (SELECT coalesce(max(number), 0) FROM log)
    BEGIN SELECT RAISE(ABORT, 'the log is append-only'); END;
CREATE TRIGGER log_is_never_changed BEFORE UPDATE ON log
    BEGIN SELECT RAISE(ABORT, 'the log is append-only'); END;
CREATE TRIGGER log_is_never_shortened BEFORE DELETE ON log
    BEGIN SELECT RAISE(ABORT, 'the log is append-only'); END;
"""

_SENSITIVE_SCHEMA = """
BEGIN IMMEDIATE;
CREATE TABLE columns (position INTEGER PRIMARY KEY, name TEXT NOT NULL);
CREATE TABLE sensitive (pseudonym TEXT PRIMARY KEY, cells TEXT NOT NULL) WITHOUT ROWID;
"""

#: What is written once, when the project is made, by file; the first entry of the log holds a
#: checksum of each.
FIXED = ("settings", "records", "pairs", "assignments")
FIXED_SENSITIVE = ("sensitive", "columns")

#: Of the log; `body` is JSON, `previous` the hash of the entry before.
Entry = namedtuple("Entry", "number time actor action body previous hash")


class FormatError(OSError):
    """A project that another version of the package has made."""


class Store:
    """One connection to a project's file; a session or a manager has its own.

    Parameters
    ----------
    folder : path
        Of a project that `Store.create` has made.
    """

    def __init__(self, folder: str | Path) -> None:
        self.folder = checked_folder(folder)
        path = self.folder / IDENTIFYING
        if not os.path.exists(path):
            raise FileNotFoundError(
                f"there is no review project in the folder {folder}; make one with "
                "rlpaper.review.create"
            )
        with self._usable():
            if not path.stat().st_size:
                raise sqlite3.DatabaseError(f"{IDENTIFYING} is empty")
            self.connection = _connect(path)
        if (version := self._query("PRAGMA user_version")[0][0]) != FORMAT:
            self.close()
            raise FormatError(
                f"the review project in {folder} was made by "
                f"{'an older' if version < FORMAT else 'a newer'} version of rlpaper, whose tables "
                "are different; finish and export it with that version, or make it anew with "
                "rlpaper.review.create, in another folder or after this one is deleted"
            )
        with self._usable():
            self.settings: dict[str, Any] = {
                name: json.loads(value) for name, value in self._query("SELECT * FROM settings")
            }

    @classmethod
    def create(
        cls,
        folder: str | Path,
        settings: dict[str, Any],
        records: Iterable[tuple],
        columns: Sequence[str],
        sensitive: Iterable[tuple],
        pairs: Iterable[tuple],
        assignments: Iterable[tuple],
    ) -> "Store":
        """Write a new project; the last thing written is what makes it one.

        Parameters
        ----------
        folder : path
        settings : dict
        records : rows (record, file, pseudonym, cells as JSON)
        columns : sequence of str
            Names of the sensitive columns.
        sensitive : rows (pseudonym, cells as JSON)
        pairs : rows (pair, first record, second record)
        assignments : rows (reviewer, position, pair)
        """
        folder = Path(folder)
        if os.path.exists(folder / IDENTIFYING):
            raise FileExistsError(
                f"there is a review project in the folder {folder} already; open it with "
                "rlpaper.review.Project, or choose another folder"
            )
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except (OSError, ValueError) as error:
            raise ValueError(
                f"the folder of the project cannot be made ({error}); choose another one"
            ) from None
        for name in (SENSITIVE, _UNFINISHED):  # of a creation that was cut off
            for suffix in ("", "-wal", "-shm"):
                (folder / f"{name}{suffix}").unlink(missing_ok=True)
        with closing(_connect(folder / SENSITIVE, new=True)) as vault:
            vault.executescript(_SENSITIVE_SCHEMA)
            with vault:
                vault.executemany("INSERT INTO columns VALUES (?, ?)", enumerate(columns))
                vault.executemany("INSERT INTO sensitive VALUES (?, ?)", sensitive)
            sums = {table: _checksum(vault, table) for table in FIXED_SENSITIVE}
        with closing(_connect(folder / _UNFINISHED, new=True)) as connection:
            connection.executescript(_SCHEMA)
            texts = [(name, json.dumps(value)) for name, value in sorted(settings.items())]
            with connection:
                connection.executemany("INSERT INTO settings VALUES (?, ?)", texts)
                connection.executemany("INSERT INTO records VALUES (?, ?, ?, ?)", records)
                connection.executemany("INSERT INTO pairs VALUES (?, ?, ?)", pairs)
                connection.executemany("INSERT INTO assignments VALUES (?, ?, ?)", assignments)
                connection.executemany(
                    "INSERT INTO spent VALUES (?, '0/1', 0)",
                    [(name,) for name in settings["limits"]],
                )
                sums |= {table: _checksum(connection, table) for table in FIXED}
                _append(connection, "manager", "create", {"checksums": sums})
        (folder / _UNFINISHED).rename(folder / IDENTIFYING)
        return cls(folder)

    @contextmanager
    def transaction(self, begin: str = "BEGIN IMMEDIATE") -> Iterator[None]:
        """Open a context: all or nothing, and no other connection writes meanwhile."""
        with self._usable():
            self.connection.execute(begin)
            with self.connection:  # which commits at the end of the context, or rolls back
                yield

    def snapshot(self) -> AbstractContextManager[None]:
        """Open a context with one look at everything, whatever others write meanwhile."""
        return self.transaction("BEGIN")

    def close(self) -> None:
        """Close the connection."""
        self.connection.close()

    # What is fixed when the project is made.

    def records(self) -> list[tuple[int, str, list[str | None]]]:
        """Return file, pseudonym and cells of each record, in the order of the records."""
        rows = self._query("SELECT file, pseudonym, cells FROM records ORDER BY record")
        return [(file, pseudonym, json.loads(cells)) for file, pseudonym, cells in rows]

    def pairs(self) -> dict[int, tuple[int, int]]:
        """Return the records of each candidate pair."""
        rows = self._query("SELECT pair, first, second FROM pairs ORDER BY pair")
        return {pair: (first, second) for pair, first, second in rows}

    def assignments(self) -> dict[str, list[int]]:
        """Return the pairs of each reviewer; the index in its list is the position."""
        assigned: dict[str, list[int]] = {name: [] for name in self.settings["limits"]}
        for reviewer, pair in self._query(
            "SELECT reviewer, pair FROM assignments ORDER BY reviewer, position"
        ):
            assigned[reviewer].append(pair)
        return assigned

    def sensitive(self) -> tuple[list[str], dict[str, list]]:
        """Return the names of the sensitive columns, and pseudonym -> values."""
        with self._usable(), closing(_connect(self.folder / SENSITIVE)) as vault:
            names = [
                name for (name,) in vault.execute("SELECT name FROM columns ORDER BY position")
            ]
            rows = vault.execute("SELECT pseudonym, cells FROM sensitive")
            return names, {pseudonym: json.loads(cells) for pseudonym, cells in rows}

    def checksums(self) -> dict[str, str]:
        """Return the checksum of each table that is fixed when the project is made."""
        with self._usable(), closing(_connect(self.folder / SENSITIVE)) as vault:
            return {
                **{table: _checksum(self.connection, table) for table in FIXED},
                **{table: _checksum(vault, table) for table in FIXED_SENSITIVE},
            }

    # What reviewers and the manager have done.

    def modes(self, reviewer: str, positions: Collection[int]) -> dict[int, dict[int, str]]:
        """Return what a reviewer has been shown: position -> attribute -> mode.

        Pairs between the first and the last of the positions are included, those of which nothing
        was shown are not.
        """
        modes: dict[int, dict[int, str]] = {}
        for position, attribute, mode in self._query(
            "SELECT position, attribute, mode FROM modes "
            "WHERE reviewer = ? AND position BETWEEN ? AND ?",
            (reviewer, min(positions, default=0), max(positions, default=-1)),
        ):
            modes.setdefault(position, {})[attribute] = mode
        return modes

    def modes_by_pair(self) -> set[tuple[int, int, str]]:
        """Return (pair, attribute, mode) for all that any reviewer has been shown."""
        return set(
            self._query(
                "SELECT pair, attribute, mode FROM modes "
                "JOIN assignments USING (reviewer, position)"
            )
        )

    def spent(self) -> dict[str, tuple[Fraction, int]]:
        """Return the KAPR and the number of characters disclosed so far, of each reviewer."""
        return {
            reviewer: (fraction(kapr), characters)
            for reviewer, kapr, characters in self._query("SELECT * FROM spent")
        }

    def answers(self, reviewer: str) -> dict[int, tuple[str, int]]:
        """Return the decisions of a reviewer that stand: position -> (answer, confidence)."""
        rows = self._query(
            "SELECT position, answer, confidence FROM decisions "
            "WHERE reviewer = ? AND NOT undone ORDER BY number",
            (reviewer,),
        )
        return {position: (answer, confidence) for position, answer, confidence in rows}

    def resolutions(self) -> dict[int, str]:
        """Return the answers by which the manager has settled pairs."""
        return dict(self._query("SELECT pair, answer FROM resolutions"))

    def token_hashes(self) -> dict[str, str]:
        """Return the hash of each reviewer's token."""
        return dict(self._query("SELECT reviewer, hash FROM tokens"))

    def state(self) -> dict[str, dict]:
        """Return all that follows from the log, one dictionary for each table."""
        return {
            "modes": {tuple(key): mode for *key, mode in self._query("SELECT * FROM modes")},
            "decisions": {key: row for key, *row in self._query("SELECT * FROM decisions")},
            "resolutions": self.resolutions(),
            "tokens": self.token_hashes(),
            "spent": self.spent(),
        }

    def log(self) -> list[Entry]:
        """Return the entries of the log."""
        return [Entry(*row) for row in self._query("SELECT * FROM log ORDER BY number")]

    # Changes, each with its entry in the log; within a transaction.

    def add_disclosure(
        self,
        reviewer: str,
        cells: Sequence[tuple[int, int]],
        mode: str,
        cost: Fraction,
        characters: int,
    ) -> None:
        """Write that cells, (position, attribute) each, are shown to a reviewer from now on."""
        kapr, shown = self.spent()[reviewer]
        self.connection.executemany(
            "INSERT OR REPLACE INTO modes VALUES (?, ?, ?, ?)",
            [(reviewer, *cell, mode) for cell in cells],
        )
        self.connection.execute(
            "UPDATE spent SET kapr = ?, characters = ? WHERE reviewer = ?",
            (fraction_text(kapr + cost), shown + characters, reviewer),
        )
        body = {
            "cells": [[*cell, mode] for cell in cells],
            "cost": fraction_text(cost),
            "characters": characters,
        }
        _append(self.connection, reviewer, "disclose", body)

    def add_decision(self, reviewer: str, position: int, answer: str, confidence: int) -> None:
        """Write a decision, which replaces earlier ones about the pair."""
        number = self.connection.execute(
            "INSERT INTO decisions (reviewer, position, answer, confidence) VALUES (?, ?, ?, ?)",
            (reviewer, position, answer, confidence),
        ).lastrowid
        body = {"number": number, "position": position, "answer": answer, "confidence": confidence}
        _append(self.connection, reviewer, "decide", body)

    def undo_decision(self, reviewer: str) -> int | None:
        """Take back a reviewer's last decision; return the position of its pair, None if none."""
        last = self._query(
            "SELECT number, position FROM decisions WHERE reviewer = ? AND NOT undone "
            "ORDER BY number DESC LIMIT 1",
            (reviewer,),
        )
        if not last:
            return None
        number, position = last[0]
        self.connection.execute("UPDATE decisions SET undone = 1 WHERE number = ?", (number,))
        _append(self.connection, reviewer, "undo", {"number": number})
        return position

    def add_resolution(self, pair: int, answer: str) -> None:
        """Write the answer by which the manager settles a pair."""
        self.connection.execute("INSERT OR REPLACE INTO resolutions VALUES (?, ?)", (pair, answer))
        _append(self.connection, "manager", "resolve", {"pair": pair, "answer": answer})

    def replace_tokens(self, hashes: dict[str, str]) -> None:
        """Write the hashes of new tokens, reviewer -> hash."""
        self.connection.executemany(
            "INSERT OR REPLACE INTO tokens VALUES (?, ?)", sorted(hashes.items())
        )
        _append(self.connection, "manager", "tokens", hashes)

    def _query(self, sql: str, values: Sequence = ()) -> list[tuple]:
        with self._usable():
            return self.connection.execute(sql, values).fetchall()

    @contextmanager
    def _usable(self) -> Iterator[None]:
        """Open a context in which the files are used: if that fails, they are not as they were."""
        try:
            yield
        except (sqlite3.Error, json.JSONDecodeError) as error:
            raise ValueError(
                f"the review project in the folder {self.folder} cannot be used ({error}); if a "
                "file of it is damaged or gone, put back a copy"
            ) from None


def checked_folder(folder: str | Path) -> Path:
    """Return the path of a folder; refuse what is none."""
    if not isinstance(folder, str | os.PathLike) or not str(folder):
        raise ValueError(f"folder is {shown(folder)}; it is the path of a folder")
    return Path(folder)


def _connect(path: Path, new: bool = False) -> sqlite3.Connection:
    """Open a file in WAL mode; what was written is on the disk before anything is shown."""
    if new:
        os.close(os.open(path, os.O_CREAT | os.O_EXCL, 0o600))  # for the eyes of its owner only
    # Read and write, but never create: a file that is gone is not replaced by an empty one.
    connection = sqlite3.connect(
        f"{Path(path).resolve().as_uri()}?mode=rw",
        uri=True,
        timeout=60,  # seconds to wait for other connections
        isolation_level=None,
        check_same_thread=False,
    )
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = FULL")
    if (found := connection.execute("PRAGMA quick_check(1)").fetchone()[0]) != "ok":
        raise sqlite3.DatabaseError(f"{path.name}: {found.splitlines()[-1]}")
    return connection


def _append(connection: sqlite3.Connection, actor: str, action: str, body: dict) -> None:
    """Append an entry to the log, within the transaction that makes the change it tells of."""
    number, previous = connection.execute(
        "SELECT number, hash FROM log ORDER BY number DESC LIMIT 1"
    ).fetchone() or (0, "")
    time = datetime.now(UTC).isoformat(timespec="milliseconds")
    entry = (number + 1, time, actor, action, json.dumps(body, sort_keys=True), previous)
    connection.execute("INSERT INTO log VALUES (?, ?, ?, ?, ?, ?, ?)", (*entry, entry_hash(entry)))


def entry_hash(entry: tuple) -> str:
    """Return the hash of an entry: number, time, actor, action, body and the hash before it."""
    return hashlib.sha256(json.dumps(entry, ensure_ascii=False, default=repr).encode()).hexdigest()


def _checksum(connection: sqlite3.Connection, table: str) -> str:
    """Return the checksum over all rows of a table, in the order of its key."""
    state = hashlib.sha256()
    for row in connection.execute(f"SELECT * FROM {table} ORDER BY 1, 2"):
        state.update(json.dumps(row, ensure_ascii=False, default=repr).encode() + b"\n")
    return state.hexdigest()


def fraction(text: str) -> Fraction:
    """Return a fraction from its text, hexadecimal, as long sums have very long terms."""
    numerator, _, denominator = text.partition("/")
    return Fraction(int(numerator, 16), int(denominator or "1", 16))


def fraction_text(value: Fraction) -> str:
    """Return the text that `fraction` reads."""
    return f"{value.numerator:x}/{value.denominator:x}"
