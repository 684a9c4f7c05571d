"""One SQLite file for all games ever played.

Every game is written as soon as it is known to have ended, in one transaction, through a write-ahead log: a process
may be killed at any moment, and what was committed stays. A game has its place in its run (meeting, round, part),
which the file keeps unique, so that a run that is started again neither loses nor doubles a game.
"""

import json
import sqlite3
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from podium.arena.entrants import Entrant
from podium.arena.limits import Allowance, Policy
from podium.arena.work import Conditions, Row
from podium.errors import PodiumError

VERSION = 1
BUSY_SECONDS = 30.0

SCHEMA = """
CREATE TABLE runs (
    id INTEGER PRIMARY KEY, identity TEXT NOT NULL UNIQUE, kind TEXT NOT NULL, game TEXT NOT NULL, name TEXT NOT NULL,
    seed INTEGER NOT NULL, conditions TEXT NOT NULL, created REAL NOT NULL, wanted TEXT NOT NULL DEFAULT '{}');
CREATE TABLE bots (
    id INTEGER PRIMARY KEY, game TEXT NOT NULL, fingerprint TEXT NOT NULL, name TEXT NOT NULL, handicap REAL NOT NULL,
    detail TEXT NOT NULL, UNIQUE (game, fingerprint));
CREATE TABLE entries (
    run INTEGER NOT NULL REFERENCES runs, bot INTEGER NOT NULL REFERENCES bots, PRIMARY KEY (run, bot)) WITHOUT ROWID;
CREATE TABLE games (
    id INTEGER PRIMARY KEY, run INTEGER NOT NULL REFERENCES runs, meeting TEXT NOT NULL, round INTEGER NOT NULL,
    part INTEGER NOT NULL, seed INTEGER NOT NULL, bots TEXT NOT NULL, scores TEXT NOT NULL, ranks TEXT NOT NULL,
    ending TEXT NOT NULL, sentence TEXT NOT NULL, faults TEXT NOT NULL, marks TEXT NOT NULL, signature TEXT NOT NULL,
    started REAL NOT NULL, seconds REAL NOT NULL, asked BLOB NOT NULL, times BLOB NOT NULL,
    UNIQUE (run, meeting, round, part));
CREATE TABLE records (game INTEGER PRIMARY KEY REFERENCES games, data BLOB NOT NULL);
"""


@dataclass(frozen=True)
class Run:
    """A run as it is stored."""

    id: int
    kind: str  # match, league or calibrate
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
        return self.name if self.handicap == 1 else f"{self.name} (x{self.handicap:g})"


@dataclass(slots=True)
class StoredGame:
    """A game without its record."""

    id: int
    run: int
    meeting: str
    round: int
    part: int
    seed: int
    bots: list[int]  # ids of bots by seat
    scores: list[float]
    ranks: list[int]
    ending: str
    sentence: str
    faults: list[list[Any]]
    marks: list[list[Any]]
    signature: str
    started: float
    seconds: float
    asked: bytes
    times: bytes


COLUMNS = ", ".join(StoredGame.__dataclass_fields__)
JSON_COLUMNS = ("bots", "scores", "ranks", "faults", "marks")


class Store:
    """The file. One process writes; others may read meanwhile."""

    def __init__(self, path: Path, create: bool = True) -> None:
        self.path = path
        if not create and not path.exists():
            raise PodiumError(f"there is no store {path}; matches and leagues create one, --store names another")
        try:
            self.connection = sqlite3.connect(path, timeout=BUSY_SECONDS, isolation_level=None)
            self.connection.execute("PRAGMA journal_mode = WAL")
            self.connection.execute("PRAGMA synchronous = NORMAL")
            self._prepare()
        except sqlite3.Error as error:
            raise PodiumError(f"cannot use {path} as a store: {error}") from None

    def _prepare(self) -> None:
        (version,) = self.connection.execute("PRAGMA user_version").fetchone()
        if version == VERSION:
            return
        if version:
            raise PodiumError(f"{self.path} was written by another version of podium (format {version}, not {VERSION})")
        self.connection.execute("BEGIN IMMEDIATE")
        # another process may have been quicker
        if self.connection.execute("PRAGMA user_version").fetchone() == (0,):
            for statement in filter(str.strip, SCHEMA.split(";")):
                self.connection.execute(statement)
            self.connection.execute(f"PRAGMA user_version = {VERSION}")
        self.connection.execute("COMMIT")

    def __enter__(self) -> "Store":
        return self

    def __exit__(self, *_: object) -> None:
        self.connection.close()

    def open_run(self, kind: str, identity: str, name: str, seed: int, conditions: Conditions) -> Run:
        """The run of that identity; a new one if there is none."""
        self.connection.execute(
            "INSERT OR IGNORE INTO runs (identity, kind, game, name, seed, conditions, created) VALUES (?,?,?,?,?,?,?)",
            (identity, kind, conditions.game, name, seed, conditions_text(conditions), time.time()),
        )
        row = self.connection.execute(f"SELECT {RUN_COLUMNS} FROM runs WHERE identity = ?", (identity,)).fetchone()
        return _run(row)

    def want(self, run: Run, wanted: Mapping[str, Any]) -> None:
        """Note what a run is asked for now, for those who look at it later."""
        self.connection.execute("UPDATE runs SET wanted = ? WHERE id = ?", (json.dumps(wanted), run.id))

    def run(self, number: int) -> Run:
        """The run of that number."""
        row = self.connection.execute(f"SELECT {RUN_COLUMNS} FROM runs WHERE id = ?", (number,)).fetchone()
        if row is None:
            raise PodiumError(f"there is no run r{number} in {self.path}; `podium runs` lists them")
        return _run(row)

    def runs(self) -> list[tuple[Run, int, float]]:
        """All runs, each with its number of games and the time of its last one."""
        rows = self.connection.execute(
            f"SELECT {RUN_COLUMNS}, (SELECT COUNT(*) FROM games WHERE run = runs.id),"
            " (SELECT MAX(started + seconds) FROM games WHERE run = runs.id) FROM runs ORDER BY id"
        )
        return [(_run(row[:-2]), row[-2], row[-1] or row[6]) for row in rows]

    def enter(self, run: Run, entrants: Sequence[Entrant]) -> dict[str, int]:
        """Note who takes part; the bots' ids by fingerprint."""
        ids = {}
        with self.connection:
            self.connection.execute("BEGIN IMMEDIATE")
            for who in entrants:
                detail = json.dumps({"kind": who.kind, "changes": dict(who.changes), "argv": who.argv})
                self.connection.execute(
                    "INSERT OR IGNORE INTO bots (game, fingerprint, name, handicap, detail) VALUES (?,?,?,?,?)",
                    (run.game, who.fingerprint, who.name, who.handicap, detail),
                )
                (ids[who.fingerprint],) = self.connection.execute(
                    "SELECT id FROM bots WHERE game = ? AND fingerprint = ?", (run.game, who.fingerprint)
                ).fetchone()
                self.connection.execute("INSERT OR IGNORE INTO entries VALUES (?,?)", (run.id, ids[who.fingerprint]))
        return ids

    def bots(self, run: Run) -> dict[int, StoredBot]:
        """The bots that take part in a run, by id."""
        rows = self.connection.execute(
            "SELECT id, name, fingerprint, handicap, detail FROM bots JOIN entries ON bot = id"
            " WHERE run = ? ORDER BY id",
            (run.id,),
        )
        return {row[0]: StoredBot(row[0], row[1], row[2], row[3], json.loads(row[4])) for row in rows}

    def add(self, run: Run, ids: Sequence[int], rows: Iterable[Row]) -> list[StoredGame]:
        """Write finished games; `ids` are the bots' by entrant. What is there already is not written again."""
        added = []
        with self.connection:
            self.connection.execute("BEGIN IMMEDIATE")
            for row in rows:
                cursor = self.connection.execute(
                    f"INSERT OR IGNORE INTO games ({COLUMNS}) VALUES (NULL{', ?' * 17})",
                    (
                        run.id,
                        row.meeting,
                        row.round,
                        row.part,
                        row.seed,
                        json.dumps([ids[index] for index in row.seats]),
                        json.dumps(row.scores),
                        json.dumps(row.ranks),
                        row.ending,
                        row.sentence,
                        json.dumps(row.faults),
                        json.dumps(row.marks),
                        row.signature,
                        row.started,
                        row.seconds,
                        row.asked,
                        row.times,
                    ),
                )
                if cursor.rowcount == 1:
                    number = cursor.lastrowid or 0
                    self.connection.execute("INSERT INTO records VALUES (?, ?)", (number, row.record))
                    added.append(_stored(run, number, ids, row))
        return added

    def games(self, run: Run, after: int = 0) -> Iterator[StoredGame]:
        """The games of a run in the order in which they were stored; those after a number."""
        query = f"SELECT {COLUMNS} FROM games WHERE run = ? AND id > ? ORDER BY id"
        for row in self.connection.execute(query, (run.id, after)):
            yield _game(row)

    def last_games(self, run: Run, number: int) -> list[StoredGame]:
        """The games of a run that were stored last."""
        query = f"SELECT {COLUMNS} FROM games WHERE run = ? ORDER BY id DESC LIMIT ?"
        return [_game(row) for row in self.connection.execute(query, (run.id, number))][::-1]

    def game(self, number: int) -> StoredGame:
        """The game of that number."""
        row = self.connection.execute(f"SELECT {COLUMNS} FROM games WHERE id = ?", (number,)).fetchone()
        if row is None:
            raise PodiumError(f"there is no game g{number} in {self.path}")
        return _game(row)

    def record(self, number: int) -> bytes:
        """The record of a game."""
        (data,) = self.connection.execute("SELECT data FROM records WHERE game = ?", (number,)).fetchone()
        blob: bytes = data
        return blob


RUN_COLUMNS = "id, kind, game, name, seed, conditions, created, wanted"


def conditions_text(conditions: Conditions) -> str:
    """Conditions as stable text."""
    data = asdict(conditions)
    data["allowance"]["policy"] = conditions.allowance.policy.value
    return json.dumps(data, sort_keys=True)


def _run(row: Sequence[Any]) -> Run:
    number, kind, game, name, seed, text, created, wanted = row
    data = json.loads(text)
    allowance = data.pop("allowance")
    allowance["policy"] = Policy(allowance["policy"])
    return Run(
        number,
        kind,
        game,
        name,
        seed,
        Conditions(**data, allowance=Allowance(**allowance)),
        created,
        json.loads(wanted),
    )


def _game(row: Sequence[Any]) -> StoredGame:
    game = StoredGame(*row)
    for column in JSON_COLUMNS:
        text = getattr(game, column)
        setattr(game, column, [] if text == "[]" else json.loads(text))
    return game


def _stored(run: Run, number: int, ids: Sequence[int], row: Row) -> StoredGame:
    return StoredGame(
        number,
        run.id,
        row.meeting,
        row.round,
        row.part,
        row.seed,
        [ids[index] for index in row.seats],
        list(row.scores),
        list(row.ranks),
        row.ending,
        row.sentence,
        [list(fault) for fault in row.faults],
        [list(mark) for mark in row.marks],
        row.signature,
        row.started,
        row.seconds,
        row.asked,
        row.times,
    )
