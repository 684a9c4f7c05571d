"""A finished game as data: enough for the referee to play it again bit for bit, and for people to see why it went so.

Kept are every answer with its time, a checksum of every prompt (the referee can print the prompts again), what bots
thought and wrote to standard error, and what the arena saw. Columns and not rows, compressed: a game of 50 turns
takes well under a kilobyte where bots think nothing worth telling.
"""

import json
import math
import re
import sys
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from hashlib import blake2b
from typing import Any

import numpy as np

from podium.arena.finished import FinishedGame
from podium.arena.limits import Verdict
from podium.arena.play import Turn
from podium.arena.shapes import (
    Check,
    dictionary_of,
    either,
    is_count,
    is_nothing,
    is_number,
    is_text,
    is_whole,
    list_of,
    misfit,
    row_of,
)
from podium.errors import PodiumError
from podium.games.game import Answer, Ending, Game, Option, Outcome, Referee, Request, Thoughts
from podium.games.loop import RefereeError, conduct

FAILED = "the referee fails"  # a departure, unless the stored game is void
STALLED = 0.1  # the share of an answer's time that the machine may take before it is worth telling
SHORTEST_STALL = 1.0  # ms
FASTEST = 1  # zlib's level: a third of the time of the default for a tenth more space

_encode = partial(json.dumps, separators=(",", ":"), ensure_ascii=False)


BY_INDEX = re.compile(r"[0-9]{1,9}", re.ASCII)


def by_index(check: Check) -> Check:
    """A dictionary, or nothing, whose names are the indices of answers."""
    fits = dictionary_of(check)
    return lambda value: value is None or (fits(value) and all(map(BY_INDEX.fullmatch, value)))


FIELDS: Mapping[str, Check] = {  # of a packed record
    "seats": list_of(lambda value: is_count(value) and value < 256),
    "lines": list_of(either(is_text, is_nothing)),
    "times": list_of(is_number),
    "prompts": list_of(is_count),
    "cpu": either(is_nothing, list_of(either(is_number, is_nothing))),
    "verdicts": by_index(row_of(is_text, is_text)),
    "thoughts": by_index(lambda value: isinstance(value, dict)),
    "stderr": by_index(is_text),
    "archive": either(is_nothing, dictionary_of(lambda value: True)),
    "stalls": by_index(is_number),
    "excused": either(is_nothing, list_of(is_count)),
}


_OPTION = row_of(is_text, either(is_number, is_nothing), is_whole, is_text, list_of(is_text))
THOUGHT_FIELDS: Mapping[str, Check] = {
    "value": either(is_number, is_nothing),
    "unit": either(is_text, is_nothing),
    "depth": either(is_whole, is_nothing),
    "nodes": either(is_whole, is_nothing),
    "seconds": either(is_number, is_nothing),
    "line": either(list_of(is_text), is_nothing),
    "note": either(is_text, is_nothing),
    "beliefs": either(dictionary_of(lambda value: True), is_nothing),
    "options": either(list_of(_OPTION), is_nothing),
}


def checksum(lines: Sequence[str]) -> int:
    """A checksum of a prompt."""
    return zlib.crc32("\n".join(lines).encode("utf-8", "surrogatepass"))


@dataclass
class Recorder:
    """Collects the turns of a game; it is a watcher of `play_game`."""

    seats: list[int] = field(default_factory=list)
    lines: list[str | None] = field(default_factory=list)
    times: list[float] = field(default_factory=list)
    prompts: list[int] = field(default_factory=list)
    cpu: list[float | None] = field(default_factory=list)
    verdicts: dict[int, tuple[str, str]] = field(default_factory=dict)  # by index of the answer
    thoughts: dict[int, dict[str, Any]] = field(default_factory=dict)
    stderr: dict[int, str] = field(default_factory=dict)
    keep_thoughts: bool = True
    stalls: dict[int, float] = field(default_factory=dict)  # ms that the machine took, where it is worth telling
    excused: list[int] = field(default_factory=list)  # late or silent, but by the machine's fault
    archive: Mapping[str, Any] = field(default_factory=dict)  # what the referee wants kept
    past: int = 0  # answers of the position that the game began in, which are nobody's here

    def note(self, request: Request, answer: Answer) -> None:
        """Keep an answer of which nothing else is known."""
        self.seats.append(request.seat)
        self.lines.append(answer.line)
        self.times.append(answer.milliseconds)
        self.prompts.append(checksum(request.lines))
        self.cpu.append(None)

    def __call__(self, turn: Turn) -> None:
        """Keep a turn."""
        heard = turn.heard
        index = len(self.seats)
        self.seats.append(turn.request.seat)
        self.lines.append(heard.line)
        self.times.append(heard.milliseconds)
        self.prompts.append(checksum(turn.request.lines))
        self.cpu.append(heard.cpu)
        if heard.verdict is not Verdict.ANSWERED:
            self.verdicts[index] = (heard.verdict.value, heard.reason)
        if turn.thoughts is not None and self.keep_thoughts:
            self.thoughts[index] = kept_thoughts(turn.thoughts)
        if heard.stderr:
            self.stderr[index] = heard.stderr
        if heard.excused:
            self.excused.append(index)
        if heard.waited > max(SHORTEST_STALL, STALLED * heard.milliseconds):
            self.stalls[index] = round(heard.waited, 1)

    def pack(self) -> bytes:
        """The whole as bytes."""
        data: dict[str, Any] = {"lines": self.lines, "times": self.times, "prompts": self.prompts, "seats": self.seats}
        for name in ("verdicts", "thoughts", "stderr", "archive", "stalls", "excused"):
            if getattr(self, name):
                data[name] = getattr(self, name)
        if any(value is not None for value in self.cpu):
            data["cpu"] = self.cpu
        return zlib.compress(_encode(data).encode("utf-8", "surrogatepass"), FASTEST)

    def signature(self) -> str:
        """A hash of who answered what: equal games have equal ones."""
        text = "\n".join([bytes(self.seats).hex(), *(repr(line) for line in self.lines)])
        return blake2b(text.encode("utf-8", "backslashreplace"), digest_size=8).hexdigest()

    def packed_times(self) -> bytes:
        """The times of the players' own answers as 32-bit floats."""
        return np.array(self.times[self.past :], np.float32).tobytes()


def unpack(blob: bytes) -> Recorder:
    """What `pack` made bytes of; a PodiumError for other bytes."""
    try:
        data = json.loads(zlib.decompress(blob).decode("utf-8", "surrogatepass"))
    except (ValueError, zlib.error, RecursionError) as error:
        raise PodiumError(f"the record of a game is damaged: {error}") from None
    if not isinstance(data, dict):
        raise PodiumError("the record of a game is damaged: it is no dictionary")
    if wrong := misfit(data, FIELDS):
        raise PodiumError(f"the record of a game is damaged: {wrong} cannot be read")
    seats, lines, times, prompts = (data[name] for name in ("seats", "lines", "times", "prompts"))
    cpu = data.get("cpu") or [None] * len(seats)
    if len({len(column) for column in (seats, lines, times, prompts, cpu)}) > 1:
        raise PodiumError("the record of a game is damaged: its columns differ in length")
    return Recorder(
        seats,
        lines,
        times,
        prompts,
        cpu,
        {int(index): (word, reason) for index, (word, reason) in (data.get("verdicts") or {}).items()},
        {int(index): value for index, value in (data.get("thoughts") or {}).items()},
        {int(index): value for index, value in (data.get("stderr") or {}).items()},
        archive=data.get("archive") or {},
        stalls={int(index): value for index, value in (data.get("stalls") or {}).items()},
        excused=data.get("excused") or [],
    )


def kept_thoughts(thoughts: Thoughts) -> dict[str, Any]:
    """What a bot thought as plain data; of thoughts that are none (a guest may say anything) only that."""
    try:
        data = thoughts_data(thoughts)
        wrong = misfit(data, THOUGHT_FIELDS)
    except Exception as error:
        return {"note": f"thoughts that cannot be kept: {error}"}
    return {"note": f"thoughts that cannot be kept, because of {wrong}"} if wrong else data


def thoughts_data(thoughts: Thoughts) -> dict[str, Any]:
    """What a bot thought as plain data, without what it left empty."""
    data = {}
    for name in ("value", "unit", "depth", "nodes", "seconds", "line", "note", "beliefs"):
        value = getattr(thoughts, name)
        if value or value == 0:
            data[name] = _plain(value)
    if thoughts.options:
        data["options"] = [_plain_option(option) for option in thoughts.options]
    return data


def _plain_option(option: Option) -> list[Any]:
    return [option.move, _plain(option.value), int(option.visits), option.proof, list(option.line)]


def _plain(value: Any) -> Any:
    """What JSON can hold of a value: NumPy's scalars and arrays become Python's, in lists and dictionaries too."""
    if isinstance(value, np.generic | np.ndarray):
        return _plain(value.tolist())
    if isinstance(value, float) and not math.isfinite(value):
        # JSON for everybody knows neither; a bot may well think "infinitely good"
        return None if math.isnan(value) else math.copysign(sys.float_info.max, value)
    if isinstance(value, str | int | float | bool) or value is None:
        return value
    if isinstance(value, Mapping):
        return {str(name): _plain(item) for name, item in value.items()}
    return [_plain(item) for item in value]


def thoughts_from(data: Mapping[str, Any]) -> Thoughts:
    """The thoughts that plain data stands for."""
    if wrong := misfit(data, THOUGHT_FIELDS) or ", ".join(data.keys() - THOUGHT_FIELDS.keys()):
        raise PodiumError(f"the record of a game is damaged: {wrong} of what a bot thought cannot be read")
    fields = {name: value for name, value in data.items() if name != "options" and value is not None}
    return Thoughts(**fields, options=[Option(*option) for option in data.get("options") or []])


@dataclass(frozen=True)
class Departure:
    """Where playing a stored game again departs from it."""

    turn: int
    what: str
    stored: Any
    found: Any

    @property
    def where(self) -> str:
        """At which place of the game, for people."""
        return "at the end" if self.turn < 0 else f"at turn {self.turn + 1}"


def replay(
    game: Game,
    seed: int,
    settings: Mapping[str, Any],
    record: Recorder,
    watch: Any = None,
) -> tuple[Referee, Departure | None]:
    """Play a stored game again through the referee, comparing every prompt.

    `watch(referee, requests, first)` is called before each turn's answers are played, with the index of its first
    answer. Returns the referee, at the end or where the game departs.
    """
    return _replay(game.new_referee(seed, settings), record, watch)


def retell(
    game: Game, settings: Mapping[str, Any], stored: FinishedGame, record: Recorder, watch: Any = None
) -> tuple[Referee, Departure | None]:
    """Tell a stored game again, to look at it: from what was kept of it, where its referee is another program."""
    if game.retold is None:
        return check(game, settings, stored, record, watch)
    return _replay(game.retold(record.archive), record, watch)


def _replay(referee: Referee, record: Recorder, watch: Any) -> tuple[Referee, Departure | None]:
    index = 0

    def answering(requests: Sequence[Request]) -> list[Answer]:
        nonlocal index
        if departure := departure_at(referee, requests, record, index):
            raise _DepartedError(departure)
        if watch:
            watch(referee, requests, index)
        first, index = index, index + len(requests)
        return [Answer(record.lines[i], record.times[i]) for i in range(first, index)]

    try:
        conduct(referee, answering)
    except _DepartedError as error:
        referee.close()
        return referee, error.departure
    except RefereeError as error:
        return referee, Departure(referee.turn, FAILED, "an answer that it could judge", str(error))
    if index < len(record.seats):
        return referee, Departure(referee.turn, "the end", f"{len(record.seats)} answers", f"{index} answers")
    return referee, None


class _DepartedError(Exception):
    """Ends a replay."""

    def __init__(self, departure: Departure) -> None:
        self.departure = departure


def departure_at(referee: Referee, requests: Sequence[Request], record: Recorder, index: int) -> Departure | None:
    """Where a turn departs from the one that was stored, whose first answer has that index; None if it does not."""
    asked = [request.seat for request in requests]
    stored = record.seats[index : index + len(requests)]
    if asked != stored:
        return Departure(referee.turn, "who is asked", stored, asked)
    for offset, request in enumerate(requests):
        if checksum(request.lines) != record.prompts[index + offset]:
            return Departure(referee.turn, f"the prompt of seat {request.seat}", "another one", list(request.lines))
    return None


def check(
    game: Game, settings: Mapping[str, Any], stored: FinishedGame, record: Recorder, watch: Any = None
) -> tuple[Referee, Departure | None]:
    """Replay a stored game and compare its result too, unless it is void: then the referee may fail again."""
    referee, departure = replay(game, stored.seed, settings, record, watch)
    if stored.ending == Ending.VOID.value and (departure is None or departure.what == FAILED):
        return referee, None
    if departure is None and referee.outcome is not None:
        departure = compare_outcome(referee.outcome, stored.scores, stored.ranks, stored.ending)
    return referee, departure


def compare_outcome(outcome: Outcome, scores: Sequence[float], ranks: Sequence[int], ending: str) -> Departure | None:
    """Compare the result of a replay with the stored one."""
    for what, stored, found in (
        ("scores", list(scores), list(outcome.scores)),
        ("ranks", list(ranks), list(outcome.ranks)),
        ("why it ended", ending, outcome.ending.value),
    ):
        if stored != found:
            return Departure(-1, what, stored, found)
    return None
