"""One SQLite file for all games ever played.

Every game is written as soon as it is known to have ended, in one transaction, through a write-ahead log: a process
may be killed at any moment, and what was committed stays. A game has its place in its run (meeting, round, part),
which the file keeps unique, so that a run that is started again neither loses nor doubles a game.
"""

import fcntl
import json
import os
import sqlite3
import struct
import sys
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from typing import Any
from urllib.parse import quote

from podium.arena.batch import Batch
from podium.arena.columns import BATCH_COLUMNS, COLUMNS, INSERT, from_row, from_rows, to_row
from podium.arena.columns import SCHEMA as GAMES_SCHEMA
from podium.arena.conditions import Conditions, conditions_from
from podium.arena.entrants import Entrant, given_name, label_of
from podium.arena.finished import FinishedGame
from podium.errors import PodiumError

DEFAULT_STORE = Path("podium.db")
VERSION = 1
APPLICATION = 0x506F6475  # "Podu" in the file's header: a database of ours
BUSY_SECONDS = 30.0
TOGETHER = 4000  # games that are read at once

SCHEMA = (
    "CREATE TABLE runs (id INTEGER PRIMARY KEY, identity TEXT NOT NULL UNIQUE, kind TEXT NOT NULL, game TEXT NOT NULL,"
    " name TEXT NOT NULL, seed INTEGER NOT NULL, conditions TEXT NOT NULL, created REAL NOT NULL,"
    " wanted TEXT NOT NULL DEFAULT '{}')",
    "CREATE TABLE bots (id INTEGER PRIMARY KEY, game TEXT NOT NULL, fingerprint TEXT NOT NULL, name TEXT NOT NULL,"
    " handicap REAL NOT NULL, detail TEXT NOT NULL, UNIQUE (game, fingerprint))",
    "CREATE TABLE entries (run INTEGER NOT NULL REFERENCES runs, bot INTEGER NOT NULL REFERENCES bots,"
    " PRIMARY KEY (run, bot)) WITHOUT ROWID",
    GAMES_SCHEMA,
    "CREATE TABLE records (game INTEGER PRIMARY KEY REFERENCES games, data BLOB NOT NULL)",
)
UNREADABLE = (ValueError, TypeError, KeyError, AttributeError, RecursionError)  # what damaged rows lead to
RUN_COLUMNS = "id, kind, game, name, seed, conditions, created, wanted"


@dataclass(frozen=True)
class Run:
    """A run as it is stored."""

    id: int
    kind: str  # match, league or calibration
    game: str
    name: str
    seed: int
    conditions: Conditions
    created: float
    wanted: dict[str, Any]  # what was asked for last: games, rounds, bounds of a test, ...


@dataclass(frozen=True)
class StoredBot:
    """A bot as it is stored."""

    id: int
    name: str
    fingerprint: str
    handicap: float
    detail: dict[str, Any]  # kind and parameters, or the command

    @property
    def label(self) -> str:
        """Its name for tables."""
        return label_of(self.name, self.handicap)


class Store:
    """The file. One process plays a run; others may read meanwhile, or play other runs."""

    def __init__(self, path: Path, create: bool = True) -> None:
        """Open it for writing, making an empty one where there is none; or, if it must exist, only for reading."""
        self.path = path
        self._locks: dict[int, int] = {}  # descriptors by run
        if str(path) in ("", ".", ":memory:"):
            raise PodiumError(f"a store is a file, not {str(path)!r}")
        if not create and not path.exists():
            raise PodiumError(f"there is no store {path}; matches and leagues create one, --store names another")
        with self._access("use it as a store"):
            self.connection = self._writer() if create else self._reader()

    def _connect(self, options: str) -> sqlite3.Connection:
        name = f"file:{quote(str(self.path))}{options}"
        return sqlite3.connect(name, timeout=BUSY_SECONDS, isolation_level=None, uri=True)

    def _writer(self) -> sqlite3.Connection:
        connection = self._connect("")
        try:
            if not self._is_ours(connection):
                connection.execute("BEGIN IMMEDIATE")
                if not self._is_ours(connection):  # another process may have been quicker
                    for statement in SCHEMA:
                        connection.execute(statement)
                    connection.execute(f"PRAGMA user_version = {VERSION}")
                    connection.execute(f"PRAGMA application_id = {APPLICATION}")
                connection.execute("COMMIT")
            connection.execute("PRAGMA journal_mode = WAL")
            connection.execute("PRAGMA synchronous = NORMAL")
        except BaseException:
            connection.close()
            raise
        return connection

    def _reader(self) -> sqlite3.Connection:
        """A connection that writes nothing. Where the log's index cannot be written, nobody else can write either."""
        try:
            return self._existing("?mode=ro")
        except sqlite3.OperationalError:
            return self._existing("?mode=ro&immutable=1")

    def _existing(self, options: str) -> sqlite3.Connection:
        connection = self._connect(options)
        try:
            if not self._is_ours(connection):
                raise PodiumError(f"{self.path} is empty, no store")
        except BaseException:
            connection.close()
            raise
        return connection

    def _is_ours(self, connection: sqlite3.Connection) -> bool:
        """Whether a database is a store; False for an empty one, an error for somebody else's."""
        (version,) = connection.execute("PRAGMA user_version").fetchone()
        (application,) = connection.execute("PRAGMA application_id").fetchone()
        tables = {name for (name,) in connection.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")}
        if not tables and not application and not version:
            return False
        # the first stores had no application id
        if application != APPLICATION and not {"runs", "bots", "entries", "games", "records"} <= tables:
            raise PodiumError(f"{self.path} is a database of another program, no store")
        if version != VERSION:
            raise PodiumError(f"{self.path} was written by another version of podium (format {version}, not {VERSION})")
        return True

    @contextmanager
    def _access(self, purpose: str = "use the store") -> Iterator[None]:
        """The one place where errors of the database become sentences."""
        try:
            yield
        except (sqlite3.Error, UnicodeDecodeError) as error:  # the text of an error can be damaged too
            raise PodiumError(f"cannot {purpose}: {self.path}: {error}") from None
        except OverflowError:
            raise PodiumError(f"there is nothing of so large a number in {self.path}") from None

    def __enter__(self) -> "Store":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the file."""
        self.connection.close()
        for descriptor in self._locks.values():
            os.close(descriptor)
        self._locks.clear()

    def open_run(self, kind: str, identity: str, name: str, seed: int, conditions: Conditions) -> Run:
        """The run of that identity; a new one if there is none."""
        with self._access():
            self.connection.execute(
                "INSERT OR IGNORE INTO runs (identity, kind, game, name, seed, conditions, created)"
                " VALUES (?,?,?,?,?,?,?)",
                (identity, kind, conditions.game, name, seed, conditions.text(), time.time()),
            )
            query = f"SELECT {RUN_COLUMNS} FROM runs WHERE identity = ?"
            return self._run(self.connection.execute(query, (identity,)).fetchone())

    def claim(self, run: Run) -> None:
        """Be the one process that plays a run, until the store is closed; an error that says who is already.

        The lock is a byte of a file beside the store, one for each run; it ends with its process, however that ends.
        """
        if run.id in self._locks:
            return
        try:
            descriptor = os.open(f"{self.path}-lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o666)
        except OSError as error:
            raise PodiumError(f"cannot use {self.path}-lock: {error.strerror}") from None
        try:
            fcntl.lockf(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB, 1, run.id)
        except OSError:
            holder = _holder(descriptor, run.id)
            os.close(descriptor)
            who = f"process {holder}" if holder else "another process"
            raise PodiumError(
                f"r{run.id} in {self.path} is being played by {who}; `podium show r{run.id}` shows how it goes"
            ) from None
        self._locks[run.id] = descriptor

    def is_played(self, run: Run) -> bool:
        """Whether another process has claimed a run, and so plays it now."""
        try:
            descriptor = os.open(f"{self.path}-lock", os.O_RDONLY | os.O_CLOEXEC)
        except OSError:
            return False
        try:
            return bool(_holder(descriptor, run.id))
        finally:
            os.close(descriptor)

    def want(self, run: Run, wanted: Mapping[str, Any]) -> None:
        """Note what a run is asked for now, for those who look at it later."""
        with self._access():
            self.connection.execute("UPDATE runs SET wanted = ? WHERE id = ?", (json.dumps(wanted), run.id))

    def amend(self, run: Run, changes: Mapping[str, Any]) -> None:
        """Change a part of what a run is asked for, as one step: null takes something away (RFC 7396)."""
        with self._access():
            query = "UPDATE runs SET wanted = json_patch(wanted, ?) WHERE id = ?"
            self.connection.execute(query, (json.dumps(changes), run.id))

    def run(self, number: int) -> Run:
        """The run of that number."""
        with self._access():
            row = self.connection.execute(f"SELECT {RUN_COLUMNS} FROM runs WHERE id = ?", (number,)).fetchone()
        if row is None:
            raise PodiumError(f"there is no run r{number} in {self.path}; `podium runs` lists them")
        return self._run(row)

    def runs(self) -> list[tuple[Run, int, float]]:
        """All runs, each with its number of games and the time of its last one."""
        query = (
            f"SELECT {RUN_COLUMNS}, (SELECT COUNT(*) FROM games WHERE run = runs.id),"
            " (SELECT started + seconds FROM games WHERE id = (SELECT MAX(id) FROM games WHERE run = runs.id))"
            " FROM runs ORDER BY id"
        )
        with self._access():
            rows = self.connection.execute(query).fetchall()
        return [(run, row[-2], row[-1] or run.created) for row in rows for run in [self._run(row[:-2])]]

    def enter(self, run: Run, entrants: Sequence[Entrant]) -> list[int]:
        """Note who takes part; the bots' numbers."""
        numbers = []
        with self._access(), self._transaction():
            for who in entrants:
                detail = json.dumps({"kind": who.kind, "changes": dict(who.changes), "argv": who.argv})
                self.connection.execute(
                    "INSERT OR IGNORE INTO bots (game, fingerprint, name, handicap, detail) VALUES (?,?,?,?,?)",
                    (run.game, who.fingerprint, who.name, who.handicap, detail),
                )
                query = "SELECT id FROM bots WHERE game = ? AND fingerprint = ?"
                (number,) = self.connection.execute(query, (run.game, who.fingerprint)).fetchone()
                if given_name(who.name)[0]:  # a bot may be given its name, or another one, later
                    self.connection.execute("UPDATE bots SET name = ? WHERE id = ?", (who.name, number))
                self.connection.execute("INSERT OR IGNORE INTO entries VALUES (?,?)", (run.id, number))
                numbers.append(number)
        return numbers

    def bots(self, run: Run) -> dict[int, StoredBot]:
        """The bots that take part in a run, by number."""
        return self._bots(f"a bot of r{run.id}", "JOIN entries ON bot = id WHERE run = ?", run.id)

    def bots_of(self, game: str) -> list[StoredBot]:
        """All bots that ever entered a run of a game, the newest last."""
        return list(self._bots(f"a bot of {game}", "WHERE game = ?", game).values())

    def _bots(self, what: str, condition: str, value: int | str) -> dict[int, StoredBot]:
        query = f"SELECT id, name, fingerprint, handicap, detail FROM bots {condition} ORDER BY id"
        with self._access():
            rows = self.connection.execute(query, (value,)).fetchall()
        with self.decoding(what):
            return {
                row[0]: StoredBot(row[0], str(row[1]), str(row[2]), float(row[3]), json.loads(row[4])) for row in rows
            }

    def add(self, run: Run, games: Iterable[FinishedGame]) -> list[FinishedGame]:
        """Write finished games; returns them as they are stored. What is there already stays as it is."""
        stored = []
        with self._access("store a game"), self._transaction():
            for game in games:
                row = to_row(replace(game, run=run.id))
                cursor = self.connection.execute(INSERT, row)
                if cursor.rowcount == 1:
                    number = cursor.lastrowid or 0
                    self.connection.execute("INSERT INTO records VALUES (?, ?)", (number, game.record))
                    stored.append(replace(game, id=number, run=run.id, record=b""))
                else:
                    where = "run = ? AND meeting = ? AND round = ? AND part = ?"
                    query = f"SELECT {COLUMNS} FROM games WHERE {where}"
                    stored.append(self._game(self.connection.execute(query, (run.id, *game.place)).fetchone()))
        return stored

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        with self.connection:
            self.connection.execute("BEGIN IMMEDIATE")
            yield

    def games(self, run: Run, after: int = 0) -> Iterator[FinishedGame]:
        """The games of a run in the order in which they were stored; those after a number."""
        with self._access():
            yield from map(self._game, self._rows(COLUMNS, run, after))

    def batches(self, run: Run) -> Iterator[Batch]:
        """The games of a run in the order in which they were stored, many at a time, with what is counted of them."""
        last = 0
        with self._access(), self.decoding(f"r{run.id}"):
            cursor = self._rows(BATCH_COLUMNS, run)
            while True:
                try:
                    rows = cursor.fetchmany(TOGETHER)
                    batch = from_rows(rows)
                except (sqlite3.OperationalError, *UNREADABLE):
                    for _ in self.games(run, last):
                        continue  # until the damaged one is named
                    raise
                if not rows:
                    return
                last = rows[-1][0]
                yield batch

    def last_games(self, run: Run, number: int) -> list[FinishedGame]:
        """The games of a run that were stored last."""
        with self._access():
            return [self._game(row) for row in islice(self._rows(COLUMNS, run, order="DESC"), number)][::-1]

    def _rows(self, columns: str, run: Run, after: int = 0, order: str = "ASC") -> sqlite3.Cursor:
        """The rows of a run's games by their numbers.

        They lie together in the file, or nearly so: reading on from the first to the last takes half as long as looking
        each one up through the index of places, from which the plus sign keeps SQLite, and sorting them.
        """
        own = "(SELECT {}(id) FROM games WHERE run = :run)"
        query = (
            f"SELECT {columns} FROM games WHERE +run = :run AND id > :after"
            f" AND id BETWEEN {own.format('MIN')} AND {own.format('MAX')} ORDER BY id {order}"
        )
        return self.connection.execute(query, {"run": run.id, "after": after})

    def game(self, number: int) -> FinishedGame:
        """The game of that number."""
        with self._access():
            row = self.connection.execute(f"SELECT {COLUMNS} FROM games WHERE id = ?", (number,)).fetchone()
        if row is None:
            raise PodiumError(f"there is no game g{number} in {self.path}")
        return self._game(row)

    def record(self, number: int) -> bytes:
        """The record of a game."""
        with self._access():
            row = self.connection.execute("SELECT data FROM records WHERE game = ?", (number,)).fetchone()
        if row is None or not isinstance(row[0], bytes):
            raise PodiumError(f"the record of g{number} is missing in {self.path}")
        blob: bytes = row[0]
        return blob

    @contextmanager
    def decoding(self, what: str) -> Iterator[None]:
        """The one place where what cannot be read becomes a sentence."""
        try:
            yield
        except UNREADABLE as error:
            raise PodiumError(f"{what} in {self.path} is damaged: {error}") from None

    def _run(self, row: Sequence[Any]) -> Run:
        number, kind, game, name, seed, text, created, wanted = row
        with self.decoding(f"r{number}"):
            data = json.loads(wanted)
            if not isinstance(data, dict):
                raise ValueError("what was asked for is not what it should be")
            return Run(number, str(kind), str(game), str(name), int(seed), conditions_from(text), float(created), data)

    def _game(self, row: Sequence[Any]) -> FinishedGame:
        with self.decoding(f"g{row[0]}"):
            return from_row(row)


def _holder(descriptor: int, byte: int) -> int:
    """The process that holds a lock; 0 if none does, or where the system's answer cannot be read."""
    if sys.platform != "linux":
        return 0
    layout = "hhqqi4x"  # struct flock of Linux on 64 bits
    question = struct.pack(layout, fcntl.F_WRLCK, os.SEEK_SET, byte, 1, 0)
    kind, *_, process = struct.unpack(layout, fcntl.fcntl(descriptor, fcntl.F_GETLK, question))
    return max(0, process) if kind != fcntl.F_UNLCK else 0
