"""A finished game as data: enough for the referee to play it again bit for bit, and for people to see why it went so.

Kept are every answer with its time, a checksum of every prompt (the referee can print the prompts again), what bots
thought and wrote to standard error, and what the arena saw. Columns and not rows, compressed: a game of 50 turns
takes well under a kilobyte where bots have no thoughts to keep.
"""

import json
import math
import sys
import zlib
from collections.abc import Mapping, Sequence
from functools import partial
from hashlib import blake2b
from typing import Annotated, Any, NamedTuple

import msgspec
import numpy as np

from podium.arena.game.decoding import Count, Finite, Whole, decoded
from podium.arena.game.turn import Turn
from podium.errors import PodiumError
from podium.games.game import Answer, AnswerVerdict, Option, Request, Thoughts

FASTEST = 1  # zlib's level: a third of the time of the default for a tenth more space

Seat = Annotated[int, msgspec.Meta(ge=0, le=255)]
VERDICTS_OF_FORMAT_1 = {
    "too many lines": AnswerVerdict.EXTRA_LINES,
    "closed its output": AnswerVerdict.CLOSED_OUTPUT,
    "not started": AnswerVerdict.NOT_STARTED,
}

_encode = partial(json.dumps, separators=(",", ":"), ensure_ascii=False)


def checksum(lines: Sequence[str]) -> int:
    """A checksum of a prompt."""
    return zlib.crc32("\n".join(lines).encode("utf-8", "surrogatepass"))


class GameRecord(msgspec.Struct):
    """All answers of a game, column by column; what few answers have is kept by the index of the answer."""

    seats: list[Seat] = []
    lines: list[str | None] = []
    times: list[Finite] = []  # ms
    prompts: list[Count] = []  # checksums
    cpu: list[Finite | None] = []  # ms of processor time; empty if none is known
    verdicts: dict[Count, tuple[AnswerVerdict, dict[str, Any]]] = {}  # with their evidence; of all but plain answers
    thoughts: dict[Count, dict[str, Any]] = {}
    stderr: dict[Count, str] = {}
    stalls: dict[Count, Finite] = {}  # ms that the machine took, where it is more than a tenth of the answer's time
    excused: list[Count] = []  # answers that were late or silent by the machine's fault
    archive: dict[str, Any] = {}  # what the referee wants kept
    settings: dict[str, Any] = {}  # of this game alone, beside those of its run: an imported game has its own

    def __len__(self) -> int:
        return len(self.seats)

    def pack(self) -> bytes:
        """The whole as bytes."""
        data = {name: value for name in self.__struct_fields__ if (value := getattr(self, name)) or name in _REQUIRED}
        if not any(value is not None for value in self.cpu):
            data.pop("cpu", None)
        return zlib.compress(_encode(data).encode("utf-8", "surrogatepass"), FASTEST)

    def signature(self, *more: object) -> str:
        """A hash of who was sent what and answered what, and of `more`: equal games have equal ones."""
        text = "\n".join([bytes(self.seats).hex(), *map(repr, (*self.prompts, *self.lines, *more))])
        return blake2b(text.encode("utf-8", "backslashreplace"), digest_size=8).hexdigest()

    def beginning(self, answers: int) -> "GameRecord":
        """The first answers, as a record that can go on."""
        columns: dict[str, Any] = {name: getattr(self, name)[:answers] for name in (*_REQUIRED, "cpu")}
        for name in ("verdicts", "thoughts", "stderr"):
            columns[name] = {index: note for index, note in getattr(self, name).items() if index < answers}
        return GameRecord(**columns)

    def turn(self, index: int) -> Turn:
        """An answer without its prompt and thoughts, which the referee and `thoughts` can tell."""
        verdict, evidence = self.verdicts.get(index, (AnswerVerdict.ANSWERED, {}))
        return Turn(
            Request(self.seats[index], (), 0.0),
            self.lines[index],
            self.times[index],
            verdict,
            evidence,
            self.cpu[index] if self.cpu else None,
            self.stalls.get(index, 0.0),
            self.stderr.get(index, ""),
            index in self.excused,
        )


_REQUIRED = ("seats", "lines", "times", "prompts")


class Recorder:
    """Collects the turns of a game into its record."""

    def __init__(self, record: GameRecord | None = None, keep_thoughts: bool = True) -> None:
        """`record` is of what was played before, and goes on."""
        self.record = record or GameRecord()
        self.keep_thoughts = keep_thoughts
        self.opening_answers = 0  # answers before the starting position; they belong to no player of this game
        self.last: dict[int, int] = {}  # by seat: the index of its last answer

    def add(self, turn: Turn) -> None:
        """Append a turn to the record."""
        record, request = self.record, turn.request
        index = len(record.seats)
        record.seats.append(request.seat)
        record.lines.append(turn.line)
        record.times.append(turn.milliseconds)
        record.prompts.append(checksum(request.lines))
        record.cpu.append(turn.cpu_ms)
        if request.answers:
            self.last[request.seat] = index
        if turn.verdict is not AnswerVerdict.ANSWERED:
            record.verdicts[index] = (turn.verdict, dict(turn.evidence))
        if turn.thoughts is not None and self.keep_thoughts:
            record.thoughts[index] = kept_thoughts(turn.thoughts)
        if turn.stderr:
            record.stderr[index] = turn.stderr
        if turn.excused:
            record.excused.append(index)
        if turn.stalled_ms:
            record.stalls[index] = turn.stalled_ms

    def add_opening(self, request: Request, answer: Answer) -> None:
        """Keep an answer that was given before the game began here."""
        self.add(Turn(request, answer.line, answer.milliseconds))
        self.opening_answers = len(self.record)

    def add_last_words(self, seat: int, words: str) -> None:
        """Keep what a program wrote after its last answer with that answer."""
        if words and seat in self.record.seats:
            index = len(self.record) - 1 - self.record.seats[::-1].index(seat)
            self.record.stderr[index] = self.record.stderr.get(index, "") + words

    @property
    def asked(self) -> bytes:
        """The seats of the players' own answers."""
        return bytes(self.record.seats[self.opening_answers :])

    @property
    def times(self) -> bytes:
        """The times of the players' own answers in ms, as 32-bit floats."""
        return np.array(self.record.times[self.opening_answers :], np.float32).tobytes()


def unpack(blob: bytes) -> GameRecord:
    """The record that `pack` made bytes of; a PodiumError for other bytes."""
    try:
        data = json.loads(zlib.decompress(blob).decode("utf-8", "surrogatepass"))
        if not isinstance(data, dict) or not data.keys() >= {*_REQUIRED}:
            raise ValueError(f"it has no {', '.join(_REQUIRED)}")
        _translate_format_1(data)
        record = decoded(data, GameRecord)
    except (ValueError, TypeError, zlib.error, RecursionError) as error:
        raise PodiumError(f"the record of a game is damaged: {error}") from None
    columns = [getattr(record, name) for name in _REQUIRED]
    if len({len(column) for column in (*columns, record.cpu or record.seats)}) > 1:
        raise PodiumError("the record of a game is damaged: its columns differ in length")
    return record


def _translate_format_1(data: dict[str, Any]) -> None:
    """In records of format 1 a verdict is a word and a sentence."""
    verdicts: Any = data.get("verdicts")
    for index, found in verdicts.items() if isinstance(verdicts, dict) else ():
        if isinstance(found, list) and len(found) == 2 and isinstance(found[1], str):
            verdicts[index] = verdict_of_format_1(*found)


def verdict_of_format_1(word: str, sentence: str) -> tuple[AnswerVerdict, dict[str, Any]]:
    """A verdict of format 1 with its sentence as evidence. ValueError if there is no such verdict."""
    return VERDICTS_OF_FORMAT_1.get(word) or AnswerVerdict(word), {"text": sentence} if sentence else {}


class KeptOption(NamedTuple):
    """A move that a bot considered, as records hold it."""

    move: str
    value: Finite | None
    visits: Whole
    proof: str
    line: list[str]


class KeptThoughts(msgspec.Struct, forbid_unknown_fields=True):
    """What a bot thought, as records hold it: what it left empty is left out."""

    value: Finite | None = None
    unit: str | None = None
    depth: Whole | None = None
    nodes: Whole | None = None
    seconds: Finite | None = None
    line: list[str] | None = None
    note: str | None = None
    beliefs: dict[str, Any] | None = None
    options: list[KeptOption] | None = None


def kept_thoughts(thoughts: Thoughts) -> dict[str, Any]:
    """What a bot thought as plain data; of thoughts that are none (a plug-in may say anything) only that."""
    try:
        data = thoughts_data(thoughts)
        decoded(data, KeptThoughts)
    except Exception as error:
        return {"note": f"thoughts that cannot be kept: {error}"}
    return data


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
    try:
        decoded(data, KeptThoughts)
    except ValueError as error:
        raise PodiumError(f"the record of a game is damaged: what a bot thought cannot be read: {error}") from None
    fields = {name: value for name, value in data.items() if name != "options" and value is not None}
    return Thoughts(**fields, options=[Option(*option) for option in data.get("options") or []])
