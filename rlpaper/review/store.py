"""The files of a review project: SQLite, every change in an append-only log whose entries are chained by hashes.

Two files. `identifying.sqlite` is what reviewers' sessions open: the records' identifying
attributes under random pseudonyms, pairs, disclosures, decisions, log. `sensitive.sqlite`, the
sensitive attributes under the same pseudonyms, is opened to audit and to export only.
"""

import hashlib
import json
import os
import sqlite3
from contextlib import contextmanager
from datetime import UTC, datetime
from fractions import Fraction
from pathlib import Path

IDENTIFYING, SENSITIVE = "identifying.sqlite", "sensitive.sqlite"

#: A project that is being made.
_UNFINISHED = "unfinished.sqlite"

_SCHEMA = """
CREATE TABLE settings (name TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE records (record INTEGER PRIMARY KEY, file INTEGER NOT NULL, pseudonym TEXT NOT NULL UNIQUE, cells TEXT NOT NULL);
CREATE TABLE pairs (pair INTEGER PRIMARY KEY, first INTEGER NOT NULL, second INTEGER NOT NULL);
CREATE TABLE assignments (reviewer TEXT NOT NULL, place INTEGER NOT NULL, pair INTEGER NOT NULL, PRIMARY KEY (reviewer, place));
CREATE TABLE modes (reviewer TEXT NOT NULL, place INTEGER NOT NULL, attribute INTEGER NOT NULL, mode TEXT NOT NULL,
                    PRIMARY KEY (reviewer, place, attribute));
CREATE TABLE spent (reviewer TEXT PRIMARY KEY, kapr TEXT NOT NULL, characters INTEGER NOT NULL);
CREATE TABLE decisions (number INTEGER PRIMARY KEY, reviewer TEXT NOT NULL, place INTEGER NOT NULL, answer TEXT NOT NULL,
                        confidence INTEGER NOT NULL, undone INTEGER NOT NULL DEFAULT 0);
CREATE TABLE resolutions (pair INTEGER PRIMARY KEY, answer TEXT NOT NULL);
CREATE TABLE tokens (reviewer TEXT PRIMARY KEY, hash TEXT NOT NULL);
CREATE TABLE log (number INTEGER PRIMARY KEY, time TEXT NOT NULL, actor TEXT NOT NULL, action TEXT NOT NULL, body TEXT NOT NULL,
                  previous TEXT NOT NULL, hash TEXT NOT NULL);
CREATE INDEX decisions_of ON decisions (reviewer, place);
CREATE TRIGGER log_grows_at_its_end BEFORE INSERT ON log WHEN NEW.number <= (SELECT coalesce(max(number), 0) FROM log)
    BEGIN SELECT RAISE(ABORT, 'the log is append-only'); END;
CREATE TRIGGER log_is_never_changed BEFORE UPDATE ON log BEGIN SELECT RAISE(ABORT, 'the log is append-only'); END;
CREATE TRIGGER log_is_never_shortened BEFORE DELETE ON log BEGIN SELECT RAISE(ABORT, 'the log is append-only'); END;
"""

#: What is written once, when the project is made; the first entry of the log holds a checksum of
#: each.
FIXED = ("settings", "records", "pairs", "assignments")


class Store:
    """One connection to a project's file; a session or a manager has its own.

    Parameters
    ----------
    folder : path
        Of a project that `Store.create` has made.
    """

    def __init__(self, folder):
        self.folder = Path(folder)
        path = self.folder / IDENTIFYING
        if not path.exists():
            raise FileNotFoundError(
                f"there is no review project in {folder}; make one with rlpaper.review.create"
            )
        self.connection = connect(path)
        self.settings = {
            name: json.loads(value)
            for name, value in self.connection.execute("SELECT name, value FROM settings")
        }

    @classmethod
    def create(cls, folder, settings, records, sensitive, pairs, assignments):
        """Write a new project; the last thing written is what makes it one."""
        folder = Path(folder)
        if (folder / IDENTIFYING).exists():
            raise FileExistsError(
                f"there is a review project in {folder} already; open it with rlpaper.review.Project, "
                "or choose another folder"
            )
        folder.mkdir(parents=True, exist_ok=True)
        for name in (SENSITIVE, _UNFINISHED):  # of a creation that was cut off
            for suffix in ("", "-wal", "-shm"):
                (folder / f"{name}{suffix}").unlink(missing_ok=True)
        columns, rows = sensitive
        vault = connect(folder / SENSITIVE, new=True)
        with transaction(vault):
            vault.execute("CREATE TABLE columns (place INTEGER PRIMARY KEY, name TEXT NOT NULL)")
            vault.execute(
                "CREATE TABLE sensitive (pseudonym TEXT PRIMARY KEY, cells TEXT NOT NULL) WITHOUT ROWID"
            )
            vault.executemany("INSERT INTO columns VALUES (?, ?)", enumerate(columns))
            vault.executemany("INSERT INTO sensitive VALUES (?, ?)", rows)
        sums = {"sensitive": checksum(vault, "sensitive"), "columns": checksum(vault, "columns")}
        vault.close()
        unfinished = folder / _UNFINISHED
        connection = connect(unfinished, new=True)
        connection.executescript(_SCHEMA)
        with transaction(connection):
            connection.executemany(
                "INSERT INTO settings VALUES (?, ?)",
                [(name, json.dumps(value)) for name, value in sorted(settings.items())],
            )
            connection.executemany("INSERT INTO records VALUES (?, ?, ?, ?)", records)
            connection.executemany("INSERT INTO pairs VALUES (?, ?, ?)", pairs)
            connection.executemany("INSERT INTO assignments VALUES (?, ?, ?)", assignments)
            connection.executemany(
                "INSERT INTO spent VALUES (?, '0', 0)", [(name,) for name in settings["limits"]]
            )
            sums |= {table: checksum(connection, table) for table in FIXED}
            append(connection, "manager", "create", {"checksums": sums})
        connection.close()
        unfinished.rename(folder / IDENTIFYING)
        return cls(folder)

    def transaction(self):
        return transaction(self.connection)

    def query(self, sql, values=()):
        return self.connection.execute(sql, values).fetchall()

    def log(self, actor, action, body):
        """Append an entry; within the transaction that makes the change it tells of."""
        append(self.connection, actor, action, body)

    def spent(self, reviewer=None):
        """KAPR and characters disclosed so far, to one reviewer or in all."""
        rows = self.query(
            "SELECT kapr, characters FROM spent"
            + (" WHERE reviewer = ?" if reviewer is not None else ""),
            () if reviewer is None else (reviewer,),
        )
        return sum((fraction(kapr) for kapr, _ in rows), Fraction(0)), sum(
            characters for _, characters in rows
        )

    def answers(self, reviewer):
        """The decisions of a reviewer that stand: place of the pair -> (answer, confidence)."""
        rows = self.query(
            "SELECT place, answer, confidence FROM decisions WHERE reviewer = ? AND NOT undone ORDER BY number",
            (reviewer,),
        )
        return {place: (answer, confidence) for place, answer, confidence in rows}

    def head(self):
        """The hash of the last entry of the log. Kept elsewhere, it shows later whether the log was cut."""
        return self.query("SELECT hash FROM log ORDER BY number DESC LIMIT 1")[0][0]

    def close(self):
        self.connection.close()


def connect(path, new=False):
    """A connection in WAL mode that waits for others, with changes on the disk before anything is shown."""
    if new:
        os.close(os.open(path, os.O_CREAT | os.O_EXCL, 0o600))  # for the eyes of its owner only
    # Read and write, but never create: a file that is gone is not replaced by an empty one.
    connection = sqlite3.connect(
        f"{Path(path).resolve().as_uri()}?mode=rw",
        uri=True,
        timeout=60,
        isolation_level=None,
        check_same_thread=False,
    )
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = FULL")
    return connection


@contextmanager
def transaction(connection):
    """All or nothing, and alone: no other connection writes between what is read here and what is written."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
    except BaseException:
        connection.execute("ROLLBACK")
        raise
    connection.execute("COMMIT")


def append(connection, actor, action, body):
    last = connection.execute(
        "SELECT number, hash FROM log ORDER BY number DESC LIMIT 1"
    ).fetchone() or (0, "")
    entry = (
        last[0] + 1,
        datetime.now(UTC).isoformat(timespec="milliseconds"),
        actor,
        action,
        json.dumps(body, sort_keys=True),
        last[1],
    )
    connection.execute("INSERT INTO log VALUES (?, ?, ?, ?, ?, ?, ?)", (*entry, entry_hash(entry)))


def entry_hash(entry):
    """The hash of an entry: number, time, actor, action, body and the hash before it."""
    return hashlib.sha256(json.dumps(entry, ensure_ascii=False, default=repr).encode()).hexdigest()


def checksum(connection, table):
    """Checksum over all rows of a table, in the order of its key."""
    state = hashlib.sha256()
    for row in connection.execute(f"SELECT * FROM {table} ORDER BY 1, 2"):
        state.update(json.dumps(row, ensure_ascii=False, default=repr).encode() + b"\n")
    return state.hexdigest()


def fraction(text):
    """A fraction from its text; hexadecimal, as sums over many records have very long terms."""
    numerator, _, denominator = text.partition("/")
    return Fraction(int(numerator, 16), int(denominator or "1", 16))


def fraction_text(value):
    return f"{value.numerator:x}/{value.denominator:x}"
