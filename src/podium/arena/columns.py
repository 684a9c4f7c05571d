"""The table of games, derived from the shape of a finished game: its columns, and rows to and from them."""

import json
from collections.abc import Sequence
from dataclasses import fields
from typing import Any

from podium.arena.finished import FinishedGame
from podium.arena.shapes import Check, is_count, is_number, is_text, list_of, row_of

RECORD = "record"  # the one field that has a table of its own
NAMES = tuple(field.name for field in fields(FinishedGame) if field.name != RECORD)
_FIELD_TYPES: dict[str, Any] = {field.name: field.type for field in fields(FinishedGame)}
_PLAIN = {int: "INTEGER", float: "REAL", str: "TEXT", bytes: "BLOB"}  # fields of other types are kept as JSON
MOST_KNOWN = 10_000  # texts of a column that are read but once
# the places of all others, with what texts in them stand for
_JSON: dict[int, dict[str, tuple[Any, ...]]] = {
    index: {} for index, name in enumerate(NAMES) if _FIELD_TYPES[name] not in _PLAIN
}
_EXPECTED = tuple(_FIELD_TYPES[name] if _FIELD_TYPES[name] in _PLAIN else str for name in NAMES)

_SPECIAL = {"id": "INTEGER PRIMARY KEY", "run": "INTEGER NOT NULL REFERENCES runs"}
_DECLARED = [f"{name} {_SPECIAL.get(name) or _PLAIN.get(_FIELD_TYPES[name], 'TEXT') + ' NOT NULL'}" for name in NAMES]
SCHEMA = f"CREATE TABLE games ({', '.join(_DECLARED)}, UNIQUE (run, meeting, round, part))"
COLUMNS = ", ".join(NAMES)
INSERT = f"INSERT OR IGNORE INTO games ({COLUMNS}) VALUES (NULL{', ?' * (len(NAMES) - 1)})"


def to_row(game: FinishedGame) -> list[Any]:
    """The values to insert; the store gives the number."""
    row = [getattr(game, name) for name in NAMES]
    for index in _JSON:
        row[index] = json.dumps(row[index])
    return row[1:]


def from_rows(rows: Sequence[Sequence[Any]]) -> list[FinishedGame]:
    """The games that rows stand for, column by column: in half the time that one after the other takes.

    ValueError if one of them stands for none; `from_row` says why.
    """
    columns: list[Sequence[Any]] = list(zip(*rows, strict=True))
    for column, kind in zip(columns, _EXPECTED, strict=False):
        if set(map(type, column)) != {kind}:
            raise ValueError("a value is not what it should be")
    for index, known in _JSON.items():  # most games of a run share most of these texts
        found = list(map(known.get, columns[index]))
        if None in found:
            found = [_parse(index, text) for text in columns[index]]
        columns[index] = found
    games = list(map(FinishedGame, *columns))
    for game in games:
        _check(game)
    return games


def from_row(row: Sequence[Any]) -> FinishedGame:
    """The game that a row stands for, without its record. ValueError if it stands for none."""
    if tuple(map(type, row)) != _EXPECTED:
        wrong = next(name for name, value, kind in zip(NAMES, row, _EXPECTED, strict=True) if type(value) is not kind)
        raise ValueError(f"{wrong} is not what it should be")
    values = list(row)
    for index in _JSON:
        values[index] = _parse(index, values[index])
    game = FinishedGame(*values)
    _check(game)
    return game


def _check(game: FinishedGame) -> None:
    seats = len(game.bots)
    if not (seats == len(game.ranks) == len(game.scores) and len(game.times) == 4 * len(game.asked)):
        raise ValueError("bots, ranks, scores or times do not belong together")
    if (game.faults or game.marks) and any(seat >= seats for seat, *_ in (*game.faults, *game.marks)):
        raise ValueError("a seat is named that the game does not have")


def _parse(index: int, text: str) -> tuple[Any, ...]:
    known = _JSON[index].get(text)
    if known is not None:
        return known
    values = json.loads(text)
    if not _CHECKS[NAMES[index]](values):
        raise ValueError(f"{NAMES[index]} is not what it should be")
    found = tuple(tuple(value) if isinstance(value, list) else value for value in values)
    if len(_JSON[index]) < MOST_KNOWN:
        _JSON[index][text] = found
    return found


_CHECKS: dict[str, Check] = {
    "bots": list_of(is_count),
    "scores": list_of(is_number),
    "ranks": list_of(is_count),
    "faults": list_of(row_of(is_count, is_text, is_text)),
    "marks": list_of(row_of(is_count, is_text, is_count)),
}
