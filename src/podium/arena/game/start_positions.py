"""Positions that games begin in: from a file, one a line, each a JSON object.

    {"game": "zuniq", "settings": {}, "seed": 5, "answers": ["E5v", "A2h"], "from": "g41", "turn": 3}

A position is the way that led to it: the seed and settings of a game and all answers so far, which the referee plays
again. So what is hidden stays hidden, histories are right, and every game whose referee is deterministic can begin in
the middle. Bots observe each prompt and the real answer to it (`Bot.observe`), as if they had played so far.
"""

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec

from podium.arena.entrants.entrant import Entrant
from podium.arena.entrants.fingerprint import digest
from podium.arena.game.decoding import Whole, decoded
from podium.arena.game.recordings import json_lines
from podium.errors import PodiumError
from podium.games.game import Game
from podium.model.params import Value

TURNS = re.compile(r"turns? +(\d{1,9})(?: *\.\. *(\d{1,9}))?")


class PositionLine(msgspec.Struct):
    """A position as a line of a file has it."""

    game: str
    seed: Whole
    answers: list[str | None]
    settings: dict[str, Any] | None = None


@dataclass(frozen=True)
class Position:
    """Where a game begins: at the start of the game of a seed, after some answers."""

    seed: int
    answers: tuple[str | None, ...]
    where: str = ""  # the file and the line that tell of it


@dataclass(frozen=True)
class Positions:
    """Positions of one game with one set of settings; those of a stored run are known by their digest alone."""

    digest: str
    places: tuple[Position, ...] = ()


def read_positions(game: Game, path: Path, settings: Mapping[str, Value]) -> tuple[Positions, dict[str, Value]]:
    """The positions of a file, and the settings that they belong to; `settings` are what the user gave."""
    if not game.begins_anywhere:
        raise PodiumError(f"{game.title} cannot begin in a position: its referee is another program")
    found: list[Position] = []
    common: dict[str, Value] | None = None
    for number, data in json_lines(path):
        where = f"{path}, line {number}"
        try:
            line = decoded(data, PositionLine)
        except ValueError as error:
            raise PodiumError(f"{where}: not a position: {error}") from None
        if line.game != game.name:
            raise PodiumError(f"{where}: a position of {line.game}, not of {game.name}")
        own = game.read_settings(line.settings or {})
        if common not in (None, own):
            raise PodiumError(f"{where}: its settings are not those of the first position; make a file for each")
        common = own
        found.append(Position(line.seed, tuple(line.answers), where))
    if common is None:
        raise PodiumError(f"{path} holds no positions")
    if settings and settings != common:
        raise PodiumError(f"the positions of {path} have other settings: {common or 'none'}")
    text = json.dumps([[position.seed, position.answers] for position in found])
    return Positions(digest("positions", text), tuple(found)), common


def refuse_programs(entrants: Iterable[Entrant]) -> None:
    """PodiumError if somebody cannot be told how a game went before it came."""
    for who in entrants:
        if who.argv:
            raise PodiumError(
                f"{who.label} is a program, which cannot be told what was answered before it came; bots of the game "
                "and Python bots (py:) that can follow a game play from positions"
            )


def turns_of(text: str) -> range:
    """The turns, from 1, that a text such as `turn 20` or `turn 20..40` stands for."""
    found = TURNS.fullmatch(text.strip())
    first, last = (int(found[1]), int(found[2] or found[1])) if found else (0, 0)
    if not 1 <= first <= last:
        raise PodiumError(f"positions are named by their turns, such as 'turn 20' or 'turn 20..40', not {text!r}")
    return range(first, last + 1)


def position_lines(positions: Iterable[Mapping[str, Any]]) -> Iterator[str]:
    """Positions as the lines of a file, each way to a position once."""
    seen = set()
    for data in positions:
        way = json.dumps([data["seed"], data["answers"]])
        if way not in seen:
            seen.add(way)
            yield json.dumps(data)
