"""One SQLite file for all games ever played.

Every game is written as soon as it is known to have ended, in one transaction, through a write-ahead log: a process
may be killed at any moment, and what was committed stays. A game has its place in its run (pairing, round, part),
which the file keeps unique, so that a run that is started again neither loses nor doubles a game.
"""

import fcntl
import json
import os
import sqlite3
import struct
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from typing import Any

from podium.arena.entrants.bot_names import given_name
from podium.arena.entrants.entrant import Entrant, label_of
from podium.arena.game.conditions import Conditions, conditions_from
from podium.arena.store.game_columns import GameColumns
from podium.arena.store.game_row import GameRow
from podium.arena.store.schema import COUNTED, INSERT, ROW, from_row, from_rows, to_row
from podium.arena.store.store_file import UNREADABLE, StoreFile
from podium.errors import StoreError

DEFAULT_STORE = Path(os.environ.get("PODIUM_STORE") or "podium.db")
TOGETHER = 4000  # games that are read at once
SITE_PLAYER = "player"  # the kind of who played on a contest's site: such a bot cannot play here
RUN_COLUMNS = "id, kind, game, name, seed, conditions, created, wanted, remarks, summary"


@dataclass(frozen=True)
class Run:
    """A run as it is stored."""

    id: int
    kind: str  # match, league, calibration, ablation, tuning or play (one live game)
    game: str
    name: str
    seed: int
    conditions: Conditions
    created: float
    wanted: dict[str, Any]  # what was asked for last: games, rounds, bounds of a test, ...
    remarks: dict[str, Any]  # the user's: title, tags, note
    summary: dict[str, Any]  # of its last report, and the number of games that it is about

    @property
    def title(self) -> str:
        """The name that the user gave it, or else its own."""
        return str(self.remarks.get("title") or self.name)

    @property
    def tags(self) -> tuple[str, ...]:
        """The user's tags."""
        return tuple(map(str, self.remarks.get("tags") or ()))

    @property
    def note(self) -> str:
        """What the user noted."""
        return str(self.remarks.get("note") or "")


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

    @property
    def kind(self) -> str:
        """Which bot of the game it is; "" if it is a program or in Python."""
        return str(self.detail.get("kind", ""))


class Store(StoreFile):
    """The runs, bots and games in the file. One process plays a run; others may read meanwhile, or play other runs."""

    def __init__(self, path: Path, create: bool = True) -> None:
        """Open it for writing, making an empty one where there is none; or, if it must exist, only for reading."""
        self._locks: dict[int, int] = {}  # descriptors by run
        super().__init__(path, create)

    def close(self) -> None:
        """Let go of the file, and of the runs that were played."""
        super().close()
        for descriptor in self._locks.values():
            os.close(descriptor)
        self._locks.clear()

    def open_run(self, kind: str, identity: str, name: str, seed: int, conditions: Conditions) -> Run:
        """The run of that identity; a new one if there is none."""
        with self.writing():
            cursor = self.connection.execute(
                "INSERT OR IGNORE INTO runs (identity, kind, game, name, seed, conditions, created)"
                " VALUES (?,?,?,?,?,?,?)",
                (identity, kind, conditions.game, name, seed, conditions.text(), time.time()),
            )
            if cursor.rowcount == 1:
                self._new_number("runs", "run", cursor.lastrowid or 0)
            query = f"SELECT {RUN_COLUMNS} FROM runs WHERE identity = ?"
            return self._run(self.connection.execute(query, (identity,)).fetchone())

    def drop_unplayed(self, run: Run) -> None:
        """Delete a run without games, and the bots that no other run has."""
        execute = self.connection.execute
        with self.writing():
            if execute("SELECT COUNT(*) FROM games WHERE run = ?", (run.id,)).fetchone() != (0,):
                return
            bots = execute("SELECT bot FROM entries WHERE run = ?", (run.id,)).fetchall()
            execute("DELETE FROM entries WHERE run = ?", (run.id,))
            execute("DELETE FROM runs WHERE id = ?", (run.id,))
            for (bot,) in bots:
                execute("DELETE FROM bots WHERE id = ? AND id NOT IN (SELECT bot FROM entries)", (bot,))

    def claim(self, run: Run) -> None:
        """Be the one process that plays a run, until the store is closed; an error that says who is already.

        The lock is a byte of a file beside the store, one for each run; it ends with its process, however that ends.
        """
        if run.id in self._locks:
            return
        try:
            descriptor = os.open(f"{self.path}-lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o666)
        except OSError as error:
            raise StoreError(f"cannot use {self.path}-lock: {error.strerror}") from None
        try:
            fcntl.lockf(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB, 1, run.id)
        except OSError:
            holder = _holder(descriptor, run.id)
            os.close(descriptor)
            who = f"process {holder}" if holder else "another process"
            raise StoreError(
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

    def _new_number(self, table: str, column: str, number: int) -> int:
        """The number of a new row: one that no deleted row had."""
        (last,) = self.connection.execute(f"SELECT MAX({column}) FROM deleted").fetchone()
        if last is None or number > last:
            return number
        self.connection.execute(f"UPDATE {table} SET id = ? WHERE id = ?", (last + 1, number))
        return int(last) + 1

    def amend(self, run: Run, changes: Mapping[str, Any]) -> None:
        """Note what a run is asked for now, as one step: a merge patch, where null takes something away (RFC 7396)."""
        with self._access():
            query = "UPDATE runs SET wanted = json_patch(wanted, ?) WHERE id = ?"
            self.connection.execute(query, (json.dumps(changes), run.id))

    def run(self, number: int) -> Run:
        """The run of that number."""
        with self._access():
            row = self.connection.execute(f"SELECT {RUN_COLUMNS} FROM runs WHERE id = ?", (number,)).fetchone()
        if row is None:
            raise StoreError(f"there is no run r{number} in {self.path}; `podium runs` lists them")
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
        with self.writing():
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

    def add(self, run: Run, games: Iterable[GameRow]) -> list[GameRow]:
        """Write finished games; returns them as they are stored. What is there already stays as it is."""
        stored = []
        with self.writing("store a game in"):
            for game in games:
                row = to_row(replace(game, run=run.id))
                cursor = self.connection.execute(INSERT, row)
                if cursor.rowcount == 1:
                    number = self._new_number("games", "game", cursor.lastrowid or 0)
                    self.connection.execute("INSERT INTO records VALUES (?, ?)", (number, game.record))
                    stored.append(replace(game, id=number, run=run.id, record=b""))
                else:
                    where = "run = ? AND pairing = ? AND round = ? AND part = ?"
                    query = f"SELECT {ROW} FROM games WHERE {where}"
                    stored.append(self._game(self.connection.execute(query, (run.id, *game.place)).fetchone()))
        return stored

    def games(self, run: Run, after: int = 0) -> Iterator[GameRow]:
        """The games of a run in the order in which they were stored; those after a number."""
        with self._access():
            yield from map(self._game, self._rows(ROW, run, after))

    def columns(self, run: Run, after: int = 0) -> Iterator[GameColumns]:
        """The games of a run after a number, in the order in which they were stored, many at a time, with what is
        counted of them."""
        last = after
        with self._access(), self.decoding(f"r{run.id}"):
            cursor = self._rows(COUNTED, run, after)
            while True:
                try:
                    rows = cursor.fetchmany(TOGETHER)
                    columns = from_rows(rows)
                except (sqlite3.OperationalError, *UNREADABLE):
                    for _ in self.games(run, last):
                        continue  # until the damaged one is named
                    raise
                if not rows:
                    return
                last = rows[-1][0]
                yield columns

    def some_columns(self, games: Sequence[int]) -> GameColumns:
        """Games by their numbers, with what is counted of them."""
        query = f"SELECT {COUNTED} FROM games WHERE id IN (SELECT value FROM json_each(?)) ORDER BY id"
        with self._access():
            return from_rows(self.connection.execute(query, (json.dumps(list(games)),)).fetchall())

    def size(self, run: Run) -> tuple[int, int]:
        """How many games a run has, and the number of the last one, 0 if there is none."""
        with self._access():
            query = "SELECT COUNT(*), COALESCE(MAX(id), 0) FROM games WHERE run = ?"
            games, last = self.connection.execute(query, (run.id,)).fetchone()
        return games, last

    def matching(self, run: Run, after: int, fits: Callable[[str, str, str, str, int], bool]) -> list[int]:
        """The numbers of the games of a run after one that fit, by bots, ranks, ending, faults and number of answers.

        The first four are texts as they are stored.
        """
        self.connection.create_function("fits", 5, fits, deterministic=True)
        with self._access(), self.decoding(f"r{run.id}"):
            query = (
                f"SELECT id FROM games WHERE {self._by_run} = ? AND id > ?"
                " AND fits(bots, ranks, ending, faults, length(asked)) ORDER BY id"
            )
            return [number for (number,) in self.connection.execute(query, (run.id, after))]

    def last_games(self, run: Run, number: int, skipped: int = 0) -> list[GameRow]:
        """The games of a run that were stored last, or before as many as are skipped."""
        with self._access():
            rows = islice(self._rows("id", run, order="DESC"), skipped, skipped + number)
            return [self.game(number) for (number,) in rows][::-1]

    def _rows(self, columns: str, run: Run, after: int = 0, order: str = "ASC") -> sqlite3.Cursor:
        """The rows of a run's games by their numbers.

        In stores of former formats there is no index for it. Reading on from the first to the last takes half as long
        there as looking each one up through the index of places, from which the plus sign keeps SQLite.
        """
        own = "(SELECT {}(id) FROM games WHERE run = :run)"
        query = (
            f"SELECT {columns} FROM games WHERE {self._by_run} = :run AND id > :after"
            f" AND id BETWEEN {own.format('MIN')} AND {own.format('MAX')} ORDER BY id {order}"
        )
        return self.connection.execute(query, {"run": run.id, "after": after})

    def checkpoint(self, run: Run, key: str) -> tuple[int, bytes] | None:
        """What was kept under a key for the games of a run up to the one of a number; None if nothing was."""
        with self._access():
            query = "SELECT last, data FROM checkpoints WHERE run = ? AND key = ?"
            row = self.connection.execute(query, (run.id, key)).fetchone()
        return row if row and isinstance(row[0], int) and isinstance(row[1], bytes) else None

    def keep_checkpoint(self, run: Run, key: str, last: int, data: bytes) -> None:
        """Keep what the games of a run up to a number add up to, in the place of what was kept before.

        A store that is only read is written to as well, if that is possible at once.
        """
        query = "INSERT OR REPLACE INTO checkpoints VALUES (?, ?, ?, ?)"
        row = (run.id, key, last, data)
        if not self._is_reader:
            with self._access():
                self.connection.execute(query, row)
        elif self._by_run == "run" and not self._copy:
            with suppress(sqlite3.Error), closing(self._connect("?mode=rw")) as writer:
                writer.execute("PRAGMA busy_timeout = 0")
                writer.execute("PRAGMA synchronous = NORMAL")
                writer.execute(query, row)

    def game(self, number: int) -> GameRow:
        """The game of that number."""
        with self._access():
            row = self.connection.execute(f"SELECT {ROW} FROM games WHERE id = ?", (number,)).fetchone()
        if row is None:
            raise StoreError(f"there is no game g{number} in {self.path}")
        return self._game(row)

    def record(self, number: int) -> bytes:
        """The record of a game."""
        with self._access():
            row = self.connection.execute("SELECT data FROM records WHERE game = ?", (number,)).fetchone()
        if row is None or not isinstance(row[0], bytes):
            raise StoreError(f"the record of g{number} is missing in {self.path}")
        blob: bytes = row[0]
        return blob

    def _run(self, row: Sequence[Any]) -> Run:
        number, kind, game, name, seed, text, created, *more = row
        with self.decoding(f"r{number}"):
            wanted, remarks, summary = data = [json.loads(each) for each in more]
            if not all(isinstance(each, dict) for each in data):
                raise ValueError("what was asked for is not what it should be")
            known = (number, str(kind), str(game), str(name), int(seed), conditions_from(text), float(created))
            return Run(*known, wanted, remarks, summary)

    def _game(self, row: Sequence[Any]) -> GameRow:
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
