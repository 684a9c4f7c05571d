"""Recorded games, and replaying them through a referee to compare every line.

A recording is a file of JSON lines, gzipped or not, one game a line: `seed`, `params`, `init` (lines sent once to
each seat), `turns` (`player`, `input`, `output`), `result` (`scores`, `ranks`, `note`), and whatever else the game's
referee can tell (its chronicle).
"""

import gzip
import json
import zlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import msgspec

from podium.arena.game.decoding import Count, Finite, Whole, decoded
from podium.errors import PodiumError
from podium.games.game import Answer, Game, Request
from podium.games.loop import run_game

NOTHING = "(nothing)"


class RecordedTurn(msgspec.Struct):
    """An answer of a recorded game."""

    player: Count
    input: list[str]
    output: list[str] | None


class RecordedResult(msgspec.Struct):
    """How a recorded game ended."""

    scores: list[Finite]
    ranks: list[Count]


class RecordedGame(msgspec.Struct):
    """What every recorded game has."""

    game: str
    seed: Whole
    init: list[list[str]]
    turns: list[RecordedTurn]
    result: RecordedResult
    params: dict[str, Any] | None = None


@dataclass
class Comparison:
    """What agreed so far, and what did not."""

    games: int = 0  # that agree in everything
    differing: int = 0
    positions: int = 0  # prompts that agree in every line
    lines: int = 0  # that agree
    facts: int = 0  # entries of results and chronicles that agree
    first: "Difference | None" = None

    def add(self, other: "Comparison") -> None:
        """Count another game's comparison in."""
        self.games += other.first is None
        self.differing += other.first is not None
        self.positions += other.positions
        self.lines += other.lines
        self.facts += other.facts
        self.first = self.first or other.first


@dataclass(frozen=True)
class Difference:
    """Where a replay departs from its recording."""

    game: int  # the line of the file, from 1
    seed: Any
    where: str
    expected: Any
    found: Any
    context: list[str] = field(default_factory=list)


class _DifferenceError(Exception):
    """Ends the comparison of one game."""


def read(path: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    """The games of a recording with their line numbers."""
    for number, game in json_lines(path):
        yield number, _game(path, number, game)


def json_lines(path: Path) -> Iterator[tuple[int, Any]]:
    """What the lines of a file hold, gzipped or not, with their numbers."""
    with (
        reading(path),
        gzip.open(path, "rt", encoding="utf-8") if _is_gzip(path) else path.open(encoding="utf-8") as file,
    ):
        for number, line in enumerate(file, 1):
            if line.strip():
                yield number, _parsed(path, number, line)


@contextmanager
def reading(path: Path) -> Iterator[None]:
    """A PodiumError for a file that cannot be read, or that is neither text nor gzipped text."""
    try:
        yield
    except (EOFError, gzip.BadGzipFile, zlib.error) as error:
        raise PodiumError(f"{path} is damaged: {error}") from None
    except UnicodeDecodeError as error:
        raise PodiumError(f"{path} is not UTF-8 text: {error.reason}") from None
    except OSError as error:
        raise PodiumError(f"cannot read {path}: {error.strerror}") from None


def _is_gzip(path: Path) -> bool:
    with path.open("rb") as file:
        return file.read(2) == b"\x1f\x8b"


def _parsed(path: Path, number: int, line: str) -> Any:
    try:
        return json.loads(line)
    except ValueError as error:
        raise PodiumError(f"{path}, line {number}: not JSON: {error}") from None


def _game(path: Path, number: int, game: Any) -> dict[str, Any]:
    """A recorded game with all else that its referee told; a PodiumError if it is not what every game is."""
    try:
        decoded(game, RecordedGame)
    except ValueError as error:
        raise PodiumError(f"{path}, line {number}: not a recorded game: {error}") from None
    found: dict[str, Any] = game
    return found


def verify(game: Game, number: int, recorded: dict[str, Any]) -> Comparison:
    """Replay one recorded game and compare every line, the result, and the referee's chronicle."""
    if recorded["game"] != game.name:
        raise PodiumError(f"game {number} of the file is one of {recorded['game']}, not of {game.name}")
    if len(recorded["init"]) != game.seats:
        raise PodiumError(f"game {number} of the file is for {len(recorded['init'])} seats, not for {game.seats}")
    comparison = Comparison()

    def check(where: str, expected: Any, found: Any, context: list[str] | None = None) -> None:
        if expected != found:
            comparison.first = Difference(number, recorded["seed"], where, expected, found, context or [])
            raise _DifferenceError

    with suppress(_DifferenceError):
        _replay(game, recorded, comparison, check)
    return comparison


def _replay(game: Game, recorded: dict[str, Any], comparison: Comparison, check: Any) -> None:
    referee = game.new_referee(recorded["seed"], game.settings_among(recorded.get("params") or {}))
    turns = iter(recorded["turns"])
    asked = [0] * game.seats

    def answer(request: Request) -> Answer:
        turn = next(turns, None)
        where = f"turn {referee.turn}, seat {request.seat}"
        check(f"{where}: who is asked", turn and turn["player"], request.seat)
        assert turn is not None
        expected = ([] if asked[request.seat] else list(recorded["init"][request.seat])) + turn["input"]
        asked[request.seat] += 1
        found = list(request.lines)
        for index in range(max(len(expected), len(found))):
            check(
                f"{where}, line {index + 1}",
                expected[index] if index < len(expected) else NOTHING,
                found[index] if index < len(found) else NOTHING,
                found,
            )
            comparison.lines += 1
        comparison.positions += 1
        return Answer(turn["output"][0] if turn["output"] else None)

    outcome = run_game(referee, lambda requests: [answer(request) for request in requests])
    check("the end of the game", next(turns, NOTHING), NOTHING)
    result = recorded["result"]
    check("scores", result["scores"], list(outcome.scores))
    check("ranks", result["ranks"], list(outcome.ranks))
    if outcome.note and "note" in result:
        check("why it ended", result["note"], outcome.note)
    comparison.facts += 2
    _compare_chronicle(referee.chronicle(), recorded, comparison, check)


def _compare_chronicle(
    chronicle: Mapping[str, Any], recorded: dict[str, Any], comparison: Comparison, check: Any
) -> None:
    """Compare what the referee noted of the game (scores by turn, maps ...) with what the recording has of it."""
    for key, found in chronicle.items():
        if key not in recorded:
            continue
        expected = recorded[key]
        if not isinstance(expected, list):
            expected, found = [expected], [found]
        check(f"length of {key}", len(expected), len(found))
        for index, (left, right) in enumerate(zip(expected, found, strict=True)):
            check(f"{key}[{index}]", left, right)
            comparison.facts += 1
