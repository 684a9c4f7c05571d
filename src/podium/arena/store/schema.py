"""The tables of a store. That of games is derived from `GameRow`: its columns by their types, rows to and from them.

Numbers, texts and bytes are stored as they are, codes as their values, everything else as JSON, which is read back as
the type that the field declares: what does not fit that type is a damaged row.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields
from enum import Enum
from functools import lru_cache
from typing import Any, get_args, get_type_hints

import msgspec

from podium.arena.store import game_columns
from podium.arena.store.game_columns import GameColumns
from podium.arena.store.game_row import MOST_ROUNDS, GameResult, GameRow
from podium.games.game import Fault

RECORD = "record"  # the one field that has a table of its own
MOST_KNOWN = 100_000  # texts that are decoded only once, for most games of a run share most of them
_SQL = {int: "INTEGER", float: "REAL", str: "TEXT", bytes: "BLOB"}


@dataclass(frozen=True)
class Column:
    """A column of the table of games."""

    name: str
    sql: str
    types: tuple[type, ...]  # of a value in the database
    encode: Callable[[Any], Any] | None = None  # None: values are stored as they are
    decode: Callable[[Any], Any] | None = None  # ValueError if a value stands for nothing


def _column(name: str, kind: Any) -> Column:
    if kind in _SQL:
        return Column(name, f"{_SQL[kind]} NOT NULL", (kind,))
    options = get_args(kind)
    codes = next((each for each in (kind, *options) if isinstance(each, type) and issubclass(each, Enum)), None)
    if codes and type(None) in options:
        return Column(
            name, "TEXT", (str, type(None)), lambda code: code and code.value, lambda text: text and codes(text)
        )
    if codes:
        return Column(name, "TEXT NOT NULL", (str,), lambda code: code.value, codes)
    decoder = msgspec.json.Decoder(kind)
    return Column(name, "TEXT NOT NULL", (str,), _json, lru_cache(MOST_KNOWN)(decoder.decode))


def _json(value: Any) -> str:
    return msgspec.json.encode(value).decode()


_TYPES = get_type_hints(GameRow, include_extras=True)
COLUMNS = tuple(_column(field.name, _TYPES[field.name]) for field in fields(GameRow) if field.name != RECORD)
_BY_NAME = {column.name: column for column in COLUMNS}
_RESULT = tuple(_BY_NAME[name] for name in GameResult._fields)

_KEYS = {"id": "INTEGER PRIMARY KEY", "run": "INTEGER NOT NULL REFERENCES runs"}
TABLE = (
    f"CREATE TABLE games ({', '.join(f'{each.name} {_KEYS.get(each.name, each.sql)}' for each in COLUMNS)},"
    " UNIQUE (run, pairing, round, part))"
)
# A checkpoint is what the games of a run up to one of them add up to; it goes when one of its games changes.
CHECKPOINTS = (
    "CREATE INDEX games_of_runs ON games (run)",  # in the order of their numbers
    "CREATE TABLE checkpoints (run INTEGER PRIMARY KEY REFERENCES runs, key TEXT NOT NULL, last INTEGER NOT NULL,"
    " data BLOB NOT NULL)",
    *(
        f"CREATE TRIGGER checkpoint_{event.lower()} AFTER {event} ON games"
        " BEGIN DELETE FROM checkpoints WHERE run = OLD.run; END"
        for event in ("UPDATE", "DELETE")
    ),
)
DELETED = "CREATE TABLE deleted (run INTEGER NOT NULL, game INTEGER NOT NULL)"  # numbers that are not given again
SCHEMA = (
    "CREATE TABLE runs (id INTEGER PRIMARY KEY, identity TEXT NOT NULL UNIQUE, kind TEXT NOT NULL, game TEXT NOT NULL,"
    " name TEXT NOT NULL, seed INTEGER NOT NULL, conditions TEXT NOT NULL, created REAL NOT NULL,"
    " wanted TEXT NOT NULL DEFAULT '{}', remarks TEXT NOT NULL DEFAULT '{}', summary TEXT NOT NULL DEFAULT '{}')",
    DELETED,
    "CREATE TABLE bots (id INTEGER PRIMARY KEY, game TEXT NOT NULL, fingerprint TEXT NOT NULL, name TEXT NOT NULL,"
    " handicap REAL NOT NULL, detail TEXT NOT NULL, UNIQUE (game, fingerprint))",
    "CREATE TABLE entries (run INTEGER NOT NULL REFERENCES runs, bot INTEGER NOT NULL REFERENCES bots,"
    " PRIMARY KEY (run, bot)) WITHOUT ROWID",
    TABLE,
    "CREATE TABLE records (game INTEGER PRIMARY KEY REFERENCES games, data BLOB NOT NULL)",
    *CHECKPOINTS,
)
ROW = ", ".join(_BY_NAME)
# What is counted of a game: the few columns that differ, and what many games share as one text.
COUNTED = f"{', '.join(game_columns.NAMES)}, json_array({', '.join(GameResult._fields)})"
INSERT = f"INSERT OR IGNORE INTO games ({ROW}) VALUES (NULL{', ?' * (len(COLUMNS) - 1)})"


def to_row(game: GameRow) -> list[Any]:
    """The values to insert; the store gives the number."""
    return [
        column.encode(getattr(game, column.name)) if column.encode else getattr(game, column.name)
        for column in COLUMNS[1:]
    ]


def from_row(row: Sequence[Any]) -> GameRow:
    """The game that a row stands for, without its record. ValueError if it stands for none."""
    game = GameRow(*_decoded(COLUMNS, row))
    _check_seats(game)
    if not (len(game.scores) == len(game.bots) and len(game.times) == 4 * len(game.asked)):
        raise ValueError("bots, scores or times do not belong together")
    if not (0 <= game.round < MOST_ROUNDS and game.part >= 0):
        raise ValueError("its round or part is out of range")
    return game


def from_rows(rows: Sequence[Sequence[Any]]) -> GameColumns:
    """The games that rows of the counted columns stand for. ValueError or TypeError if one stands for none."""
    return game_columns.columns_from(rows, _result)


@lru_cache(MOST_KNOWN)
def _result(text: str) -> GameResult:
    result = GameResult(*_decoded(_RESULT, msgspec.json.decode(text)))
    _check_seats(result)
    return result


def decode_faults(text: str) -> tuple[Fault, ...]:
    """The faults of a game as they are stored. ValueError if the text is damaged."""
    faults: tuple[Fault, ...] = _decoded([_BY_NAME["faults"]], [text])[0]
    return faults


def _decoded(columns: Sequence[Column], values: Sequence[Any]) -> list[Any]:
    found = []
    for column, value in zip(columns, values, strict=True):
        if type(value) not in column.types:
            raise ValueError(f"{column.name} is a {type(value).__name__}")
        try:
            found.append(column.decode(value) if column.decode else value)
        except ValueError as error:
            raise ValueError(f"{column.name}: {error}") from None
    return found


def _check_seats(game: GameRow | GameResult) -> None:
    seats = len(game.bots)
    if seats != len(game.ranks):
        raise ValueError("bots and ranks do not belong together")
    named = [fault.seat for fault in game.faults] + [each.seat for each in game.irregularities]
    if not all(0 <= seat < seats for seat in named):
        raise ValueError("a seat is named that the game does not have")
