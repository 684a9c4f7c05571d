"""Pins: positions with what should, or should not, be played there; a bot's regression tests, made of lost games.

A file of pins is a file of positions (`podium.arena.game.start_positions`) whose lines also say whose turn it is, what
is expected and what is to be avoided:

    {"game": "zuniq", "seed": 5, "answers": ["E5v"], "seat": 1, "avoid": ["A2h"], "from": "g41", "turn": 2}

So it can be kept under version control beside the bot, and a match can begin in its positions (`--from`).
"""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec

from podium.arena.entrants.entrant import Entrant, entrant, label_of
from podium.arena.game.decoding import Count, Whole, decoded
from podium.arena.game.limits import Clock, TimeControl
from podium.arena.game.players import player
from podium.arena.game.recordings import json_lines
from podium.arena.game.rewind import Rewound, replay_history, rewind_to_answer, rewind_to_position
from podium.arena.game.start_positions import Position
from podium.arena.store.stored_game import StoredGame
from podium.display import Displayable
from podium.errors import IllegalError, MalformedError, PodiumError
from podium.files import writing
from podium.games import load
from podium.games.game import Game, Request

DEFAULT_PINS = Path("pins.jsonl")
NO_ANSWER = "nothing"
LONGEST_NOTE = 500  # characters that a page may send


class Pin(msgspec.Struct):
    """A position, whose turn it is, and what should or should not be played."""

    game: str
    seed: Whole
    answers: list[str | None]
    seat: Count
    settings: dict[str, Any] = {}
    expect: list[str] = []  # any of these is right
    avoid: list[str] = []  # all of these are wrong
    source: str = msgspec.field(default="", name="from")  # the stored game
    turn: Count = 0  # of that game, from 1
    note: str = ""

    @property
    def wanted(self) -> str:
        """What is right here, for people."""
        right, wrong = " or ".join(self.expect), f"not {' nor '.join(self.avoid)}" if self.avoid else ""
        return ", ".join(filter(None, (right, wrong)))


def pin_of(
    stored: StoredGame, turn: int, seat: int, *, expect: Sequence[str] = (), avoid: Sequence[str] = (), note: str = ""
) -> Pin:
    """Pin the position of a turn (from 1) of a stored game, in which a seat has to answer.

    Without `expect` and `avoid`, what was played there is to be avoided. Moves must be legal there.
    """
    rules, record = load(stored.run.game), stored.record
    if not rules.begins_anywhere:
        raise PodiumError(f"positions of {rules.title} cannot be pinned: its referee is another program")
    index = _answer_of(rules, stored, turn, seat)
    at = rewind_to_answer(rules, stored.row.seed, stored.settings, record, index)
    played = record.lines[index]
    if not expect and not avoid:
        if played is None:
            raise PodiumError(f"seat {seat} gave no answer at turn {turn}; say what is expected")
        avoid = [played]
    try:
        where = f"g{stored.id}, turn {turn}"
        wrong = [_move(at, seat, move, where) for move in avoid]
        for move in expect:
            if _move(at, seat, move, where) in wrong:
                raise PodiumError(f"{where}: {move} is both expected and to be avoided")
    finally:
        at.referee.close()
    answers, source = record.lines[: at.answers], f"g{stored.id}"
    settings = dict(stored.settings)
    return Pin(rules.name, stored.row.seed, answers, seat, settings, list(expect), list(avoid), source, turn, note)


def _answer_of(rules: Game, stored: StoredGame, turn: int, seat: int) -> int:
    """The index of the answer that a seat gave at a turn."""
    found: dict[tuple[int, int], int] = {}

    def watch(referee: Any, requests: Sequence[Request], first: int) -> None:
        for offset, request in enumerate(requests):
            found[referee.turn + 1, request.seat] = first + offset

    stored.replay_to_show(rules, watch)
    if (turn, seat) not in found:
        turns = sorted(number for number, other in found if other == seat)
        last = f"its turns are {turns[0]} to {turns[-1]}" if turns else "it is never asked"
        raise PodiumError(f"seat {seat} is not asked at turn {turn} of g{stored.id}: {last}")
    return found[turn, seat]


def _move(at: Rewound, seat: int, text: str, where: str) -> int | str:
    """The move that a text stands for; the text itself where a referee does not tell. A PodiumError if it is none."""
    read = getattr(at.referee, "read_move", None)
    if read is None:
        return text.strip()
    try:
        return int(read(seat, text))
    except (MalformedError, IllegalError) as error:
        raise PodiumError(f"{where}: {text!r} cannot be played there: {error}") from None


def add_pin(pin: Pin, path: Path) -> bool:
    """Append a pin to a file; False if the file has the same one already."""
    known = read_pins(path) if path.exists() else []
    if pin in known:
        return False
    line = msgspec.json.encode(pin).decode()
    with writing(path):
        start = "\n" if known and not path.read_bytes().endswith(b"\n") else ""  # which an editor may have left out
        with path.open("a", encoding="utf-8") as file:
            file.write(f"{start}{line}\n")
    return True


def read_pins(path: Path) -> list[Pin]:
    """The pins of a file, which may be none."""
    if not path.exists():
        raise PodiumError(f"there is no file {path}; podium pin makes it")
    pins = []
    for number, data in json_lines(path):
        try:
            pin = decoded(data, Pin)
        except ValueError as error:
            raise PodiumError(f"{path}, line {number}: not a pin: {error}") from None
        if not pin.expect and not pin.avoid:
            raise PodiumError(f"{path}, line {number}: a pin says what to expect or to avoid, and this one does not")
        pins.append(pin)
    return pins


@dataclass(frozen=True)
class PinResult:
    """What a bot played in the position of a pin."""

    pin: Pin
    number: int  # of the pin in its file, from 1
    played: tuple[str, ...]  # a move for each repeat
    passed: int  # of the repeats
    illegal: int = 0  # of the repeats: the move cannot be played there
    departed: int = 0  # of the repeats: on the way the bot answered otherwise than the game

    @property
    def is_passed(self) -> bool:
        """Whether every repeat was right."""
        return self.passed == len(self.played)

    @property
    def sentence(self) -> str:
        """Whether it passed, and how often it failed where it was played several times."""
        if self.is_passed:
            return "passed"
        repeats = len(self.played)
        if repeats == 1:
            return "failed: illegal" if self.illegal else "failed"
        illegal = f", {self.illegal} illegal" if self.illegal else ""
        return f"failed {repeats - self.passed} of {repeats}{illegal}"


@dataclass(frozen=True, repr=False)
class PinsReport(Displayable):
    """What a bot plays in all pinned positions."""

    bot: str
    results: tuple[PinResult, ...]

    @property
    def failed(self) -> int:
        """The number of pins that fail."""
        return sum(not result.is_passed for result in self.results)

    @property
    def headline(self) -> str:
        """How many pins the bot passes."""
        passed = len(self.results) - self.failed
        return f"{self.bot} passes {passed} of {len(self.results)} pins"

    @property
    def warnings(self) -> list[str]:
        """What casts doubt on the results, in sentences."""
        departed = sum(bool(result.departed) for result in self.results)
        if not departed:
            return []
        return [
            f"on the way to {departed} of {len(self.results)} pins {self.bot} answered otherwise than the game, "
            "and was not told: if it remembers its own moves, it was asked in another position"
        ]

    def rows(self) -> list[dict[str, Any]]:
        """A row for each pin."""
        return [
            {
                "pin": result.number,
                "game": result.pin.game,
                "from": f"{result.pin.source} turn {result.pin.turn}" if result.pin.source else "",
                "wanted": result.pin.wanted,
                "played": ", ".join(
                    f"{move} ({times}x)" if times > 1 else move for move, times in Counter(result.played).most_common()
                ),
                "result": result.sentence,
                "note": result.pin.note,
            }
            for result in self.results
        ]

    def data(self) -> dict[str, Any]:
        """As plain data, which is what `--json` prints."""
        figures = {"bot": self.bot, "pins": len(self.results), "failed": self.failed}
        return {**figures, "warnings": self.warnings, "results": self.rows()}


def run_pins(
    bot: str,
    path: Path,
    *,
    game: str = "",
    time: float = 0.0,
    nodes: int = 0,
    repeats: int = 1,
    seed: int = 1,
    progress: Callable[[int], None] = lambda done: None,
) -> PinsReport:
    """Let a bot play in all pinned positions (of one game), each `repeats` times with other seeds.

    Without a time (ms) or nodes it has the contest's limits. `progress` is called with the number of pins done.
    """
    chosen = [(number, pin) for number, pin in enumerate(read_pins(path), 1) if game in ("", pin.game)]
    if not chosen:
        raise PodiumError(f"{path} holds no pins{f' of {game}' if game else ''}; podium pin makes them")
    results = []
    for number, pin in chosen:
        rules = load(pin.game)
        who = entrant(rules, bot)
        played = [_play(rules, pin, number, who, TimeControl(time, nodes), seed + turn) for turn in range(repeats)]
        results.append(
            PinResult(
                pin,
                number,
                tuple(each.move for each in played),
                passed=sum(each.is_right for each in played),
                illegal=sum(each.is_illegal for each in played),
                departed=sum(each.has_departed for each in played),
            )
        )
        progress(len(results))
    return PinsReport(label_of(bot), tuple(results))


@dataclass(frozen=True)
class _Played:
    """What a bot plays in a pinned position."""

    move: str
    has_departed: bool  # on the way there
    is_right: bool = False
    is_illegal: bool = False


def _play(rules: Game, pin: Pin, number: int, who: Entrant, time_control: TimeControl, seed: int) -> _Played:
    where = f"pin {number}"
    settings = rules.read_settings(pin.settings)
    at = rewind_to_position(rules, settings, Position(pin.seed, tuple(pin.answers), where))
    one = player(rules, who, seed)
    try:
        request = next((request for request in at.referee.requests() if request.seat == pin.seat), None)
        if request is None:
            raise PodiumError(f"{where}: seat {pin.seat} is not asked there")
        departed = not replay_history(one, at, pin.seat, time_control)
        clock = Clock(time_control)
        clock.start(request)
        line = one.ask(request, clock).line
        if line is None:
            return _Played(NO_ANSWER, departed)
        try:
            move = _move(at, pin.seat, line, where)
        except PodiumError:
            return _Played(line, departed, is_illegal=True)
        return _Played(line, departed, is_right=_is_right(at, pin, move, where))
    finally:
        one.close(())
        at.referee.close()


def _is_right(at: Rewound, pin: Pin, move: int | str, where: str) -> bool:
    return (not pin.expect or move in _moves(at, pin, pin.expect, where)) and move not in _moves(
        at, pin, pin.avoid, where
    )


def _moves(at: Rewound, pin: Pin, texts: Iterable[str], where: str) -> list[int | str]:
    return [_move(at, pin.seat, text, where) for text in texts]
