"""The table of games, derived from the shape of a finished game: its columns, and rows to and from them."""

import json
import math
from collections.abc import Callable, Sequence
from dataclasses import fields
from functools import lru_cache
from typing import Any

from podium.arena.finished import FinishedGame

RECORD = "record"  # the one field that has a table of its own
NAMES = tuple(field.name for field in fields(FinishedGame) if field.name != RECORD)
_FIELD_TYPES: dict[str, Any] = {field.name: field.type for field in fields(FinishedGame)}
_PLAIN = {int: "INTEGER", float: "REAL", str: "TEXT", bytes: "BLOB"}  # all others are kept as JSON
_JSON = [index for index, name in enumerate(NAMES) if _FIELD_TYPES[name] not in _PLAIN]
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


def from_row(row: Sequence[Any]) -> FinishedGame:
    """The game that a row stands for, without its record. ValueError if it stands for none."""
    if tuple(map(type, row)) != _EXPECTED:
        found = next(name for name, value, kind in zip(NAMES, row, _EXPECTED, strict=True) if type(value) is not kind)
        raise ValueError(f"{found} is not what it should be")
    values = list(row)
    for index in _JSON:
        values[index] = _parse(NAMES[index], values[index])
    game = FinishedGame(*values)
    seats = len(game.bots)
    if not (seats == len(game.ranks) == len(game.scores) and len(game.times) == 4 * len(game.asked)):
        raise ValueError("bots, ranks, scores or times do not belong together")
    if not (len(game.signature) == 16 and game.signature.isalnum() and int(game.signature, 16) >= 0):
        raise ValueError("signature is not what it should be")
    if any(seat >= seats for seat, *_ in (*game.faults, *game.marks)):
        raise ValueError("a seat is named that the game does not have")
    return game


@lru_cache(maxsize=10_000)  # most games of a run share most of these texts
def _parse(name: str, text: str) -> tuple[Any, ...]:
    values = json.loads(text)
    if not isinstance(values, list) or not all(map(_CHECKS[name], values)):
        raise ValueError(f"{name} is not what it should be")
    return tuple(tuple(value) if isinstance(value, list) else value for value in values)


def _is_count(value: Any) -> bool:
    return type(value) is int and 0 <= value < 2**63


def _is_score(value: Any) -> bool:
    return type(value) in (int, float) and math.isfinite(value)


def _are(*checks: Callable[[Any], bool]) -> Callable[[Any], bool]:
    return lambda values: (
        isinstance(values, list)
        and len(values) == len(checks)
        and all(check(value) for check, value in zip(checks, values, strict=True))
    )


def _is_text(value: Any) -> bool:
    return isinstance(value, str)


_CHECKS: dict[str, Callable[[Any], bool]] = {
    "bots": _is_count,
    "scores": _is_score,
    "ranks": _is_count,
    "faults": _are(_is_count, _is_text, _is_text),
    "marks": _are(_is_count, _is_text, _is_count),
}
