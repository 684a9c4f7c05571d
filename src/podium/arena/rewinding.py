"""A game played again up to a turn, with what each seat was told and answered on the way."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

from podium.arena.players import Player
from podium.arena.positions import Position
from podium.arena.record import Recorder, departure_at
from podium.errors import PodiumError
from podium.games.game import Answer, Game, IllegalError, MalformedError, Referee
from podium.games.loop import play_turn, requests_of

T = TypeVar("T")
Told = tuple[tuple[str, ...], str | None]  # a prompt and what was answered to it


@dataclass
class Rewound:
    """A game at the beginning of a turn."""

    referee: Referee
    answers: int = 0  # so many answers of the record led here
    told: dict[int, list[Told]] = field(default_factory=dict)  # by seat


def rewind(game: Game, seed: int, settings: Mapping[str, Any], record: Recorder, turn: int) -> Rewound:
    """Play the first turns of a game again, so many of them."""
    at = Rewound(game.new_referee(seed, settings))
    while at.referee.turn < turn:
        if not _play_on(at, record):
            raise PodiumError(f"the game has no turn {turn + 1}")
    return at


def rewind_to_answer(game: Game, seed: int, settings: Mapping[str, Any], record: Recorder, answer: int) -> Rewound:
    """Play a game again up to the turn in which the answer of that number in its record was given."""
    at = Rewound(game.new_referee(seed, settings))
    while at.answers + len(requests_of(at.referee)) <= answer:
        if not _play_on(at, record):
            raise PodiumError(f"the game has no answer {answer}")
    return at


def _play_on(at: Rewound, record: Recorder) -> bool:
    """Play one turn more; False if there is none in the record."""
    requests = requests_of(at.referee)
    first, last = at.answers, at.answers + len(requests)
    lines, times = record.lines[first:last], record.times[first:last]
    if not requests or len(lines) < len(requests):
        return False
    if departure := departure_at(at.referee, requests, record, first):
        raise PodiumError(f"the rules have changed since the game was played: {departure.what} differs")
    for request, line in zip(requests, lines, strict=True):
        at.told.setdefault(request.seat, []).append((tuple(request.lines), line))
    play_turn(at.referee, requests, [Answer(line, ms) for line, ms in zip(lines, times, strict=True)])
    at.answers = last
    return True


def lead(referee: Referee, players: Sequence[Player], position: Position) -> Recorder:
    """Play answers that were given elsewhere, and let the players follow; the record of it, which goes on.

    Nobody's clock runs meanwhile, and none of it counts as theirs. PodiumError if that cannot be.
    """
    try:
        return _led(referee, players, position.answers)
    except (PodiumError, MalformedError, IllegalError) as error:
        raise PodiumError(f"{position.where}: {error}" if position.where else str(error)) from None


def _led(referee: Referee, players: Sequence[Player], answers: Sequence[str | None]) -> Recorder:
    record = Recorder()
    while len(record.seats) < len(answers) and (requests := referee.requests()):
        first = len(record.seats)
        given = [Answer(line) for line in answers[first : first + len(requests)]]
        if len(given) < len(requests):
            raise PodiumError("a position ends in the middle of a turn")
        for request, answer in zip(requests, given, strict=True):
            players[request.seat].follow(request, answer.line)
            record.note(request, answer)
        referee.answer(given)
    if len(record.seats) < len(answers) or not referee.requests():
        raise PodiumError("a position leads beyond the end of its game; the rules may have changed since")
    record.past = len(record.seats)
    return record


def beginning(record: Recorder, answers: int) -> Recorder:
    """The first answers of a record, as a record that goes on."""
    return Recorder(
        record.seats[:answers],
        record.lines[:answers],
        record.times[:answers],
        record.prompts[:answers],
        record.cpu[:answers],
        _before(record.verdicts, answers),
        _before(record.thoughts, answers),
        _before(record.stderr, answers),
    )


def _before(notes: Mapping[int, T], answers: int) -> dict[int, T]:
    return {index: note for index, note in notes.items() if index < answers}
