"""The table of games, derived from the shape of a finished game: its columns, and rows to and from them."""

import json
from collections.abc import Sequence
from dataclasses import fields
from functools import lru_cache
from typing import Any

from podium.arena import batch
from podium.arena.batch import Batch
from podium.arena.finished import MOST_ROUNDS, VOID, FinishedGame, Result
from podium.arena.shapes import Check, is_count, is_number, is_text, list_of, row_of

RECORD = "record"  # the one field that has a table of its own
NAMES = tuple(field.name for field in fields(FinishedGame) if field.name != RECORD)
_FIELD_TYPES: dict[str, Any] = {field.name: field.type for field in fields(FinishedGame)}
_PLAIN = {int: "INTEGER", float: "REAL", str: "TEXT", bytes: "BLOB"}  # fields of other types are kept as JSON
MOST_KNOWN = 100_000  # texts that are read but once, for most games of a run share most of them
_JSON = {name: index for index, name in enumerate(NAMES) if _FIELD_TYPES[name] not in _PLAIN}  # with their places
_EXPECTED = tuple(_FIELD_TYPES[name] if _FIELD_TYPES[name] in _PLAIN else str for name in NAMES)

_SPECIAL = {"id": "INTEGER PRIMARY KEY", "run": "INTEGER NOT NULL REFERENCES runs"}
_DECLARED = [f"{name} {_SPECIAL.get(name) or _PLAIN.get(_FIELD_TYPES[name], 'TEXT') + ' NOT NULL'}" for name in NAMES]
SCHEMA = f"CREATE TABLE games ({', '.join(_DECLARED)}, UNIQUE (run, meeting, round, part))"
COLUMNS = ", ".join(NAMES)
# what is counted of a game: the few columns that differ, and what many games share as one text
_SHARED = f"meeting, bots, ranks, ending, CASE ending WHEN '{VOID}' THEN sentence ELSE '' END, faults, marks"
BATCH_COLUMNS = f"{', '.join(batch.NAMES)}, json_array({_SHARED})"
INSERT = f"INSERT OR IGNORE INTO games ({COLUMNS}) VALUES (NULL{', ?' * (len(NAMES) - 1)})"


def to_row(game: FinishedGame) -> list[Any]:
    """The values to insert; the store gives the number."""
    row = [getattr(game, name) for name in NAMES]
    for index in _JSON.values():
        row[index] = json.dumps(row[index])
    return row[1:]


def from_row(row: Sequence[Any]) -> FinishedGame:
    """The game that a row stands for, without its record. ValueError if it stands for none."""
    if tuple(map(type, row)) != _EXPECTED:
        wrong = next(name for name, value, kind in zip(NAMES, row, _EXPECTED, strict=True) if type(value) is not kind)
        raise ValueError(f"{wrong} is not what it should be")
    values = list(row)
    for name, index in _JSON.items():
        values[index] = _parse(name, values[index])
    game = FinishedGame(*values)
    _check(game)
    if not (len(game.scores) == len(game.bots) and len(game.times) == 4 * len(game.asked)):
        raise ValueError("bots, scores or times do not belong together")
    if not (0 <= game.round < MOST_ROUNDS and game.part >= 0):
        raise ValueError("its round or part is not what it should be")
    return game


def from_rows(rows: Sequence[Sequence[Any]]) -> Batch:
    """The games that rows of the columns of a batch stand for. ValueError or TypeError if one stands for none."""
    return batch.batch_from(rows, _result)


@lru_cache(MOST_KNOWN)
def _result(text: str) -> Result:
    meeting, bots, ranks, ending, sentence, faults, marks = json.loads(text)
    if not (is_text(meeting) and is_text(ending) and is_text(sentence)):
        raise ValueError("a text is not what it should be")
    who = meeting, _parse("bots", bots), _parse("ranks", ranks)
    result = Result(*who, ending, sentence, _parse("faults", faults), _parse("marks", marks))
    _check(result)
    return result


def _check(game: FinishedGame | Result) -> None:
    seats = len(game.bots)
    if seats != len(game.ranks):
        raise ValueError("bots and ranks do not belong together")
    if (game.faults or game.marks) and any(seat >= seats for seat, *_ in (*game.faults, *game.marks)):
        raise ValueError("a seat is named that the game does not have")


@lru_cache(MOST_KNOWN)
def _parse(name: str, text: str) -> tuple[Any, ...]:
    values = json.loads(text)
    if not _CHECKS[name](values):
        raise ValueError(f"{name} is not what it should be")
    return tuple(tuple(value) if isinstance(value, list) else value for value in values)


_CHECKS: dict[str, Check] = {
    "bots": list_of(is_count),
    "scores": list_of(is_number),
    "ranks": list_of(is_count),
    "faults": list_of(row_of(is_count, is_text, is_text)),
    "marks": list_of(row_of(is_count, is_text, is_count)),
}
