"""A game played again up to a turn, with what each seat was told and answered on the way."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from podium.arena.game.limits import Clock, TimeControl
from podium.arena.game.players import InProcessPlayer, Player
from podium.arena.game.record import GameRecord, Recorder
from podium.arena.game.replay import departure_at
from podium.arena.game.start_positions import Position
from podium.errors import PodiumError
from podium.games.game import Answer, Game, IllegalError, MalformedError, Referee, Request
from podium.games.loop import play_turn, requests_of

PromptAndAnswer = tuple[tuple[str, ...], str | None]  # a prompt and what was answered to it


@dataclass
class Rewound:
    """A game at the beginning of a turn."""

    referee: Referee
    answers: int = 0  # of the record that led here
    history: dict[int, list[PromptAndAnswer]] = field(default_factory=dict)  # by seat


def rewind(game: Game, seed: int, settings: Mapping[str, Any], record: GameRecord, turn: int) -> Rewound:
    """Replay a game up to the beginning of a turn."""
    at = Rewound(game.new_referee(seed, settings))
    while at.referee.turn < turn:
        if not _play_on(at, record):
            raise PodiumError(f"the game has no turn {turn + 1}")
    return at


def rewind_to_answer(game: Game, seed: int, settings: Mapping[str, Any], record: GameRecord, answer: int) -> Rewound:
    """Play a game again up to the turn in which the answer of that number in its record was given."""
    at = Rewound(game.new_referee(seed, settings))
    while at.answers + len(requests_of(at.referee)) <= answer:
        if not _play_on(at, record):
            raise PodiumError(f"the game has no answer {answer}")
    return at


def _play_on(at: Rewound, record: GameRecord) -> bool:
    """Play one turn more; False if there is none in the record."""
    requests = requests_of(at.referee)
    first, last = at.answers, at.answers + len(requests)
    lines, times = record.lines[first:last], record.times[first:last]
    if not requests or len(lines) < len(requests):
        return False
    if departure := departure_at(at.referee, requests, record, first):
        raise PodiumError(f"the rules have changed since the game was played: {departure.what} differs")
    _advance(at, requests, lines, times)
    return True


def _advance(at: Rewound, requests: Sequence[Request], lines: Sequence[str | None], times: Sequence[float]) -> None:
    """Play the answers of one turn, and note them with their prompts."""
    for request, line in zip(requests, lines, strict=True):
        at.history.setdefault(request.seat, []).append((tuple(request.lines), line))
    play_turn(at.referee, requests, [Answer(line, ms) for line, ms in zip(lines, times, strict=True)])
    at.answers += len(requests)


def rewind_to_position(game: Game, settings: Mapping[str, Any], position: Position) -> Rewound:
    """Play the answers that lead to a position."""
    at = Rewound(game.new_referee(position.seed, settings))
    while at.answers < len(position.answers):
        requests = requests_of(at.referee)
        lines = position.answers[at.answers : at.answers + len(requests)]
        if not requests or len(lines) < len(requests):
            raise PodiumError(f"{position.where}: its answers do not lead to a turn; the rules may have changed since")
        _advance(at, requests, lines, [0.0] * len(lines))
    return at


def replay_history(one: Player, at: Rewound, seat: int, time_control: TimeControl) -> bool:
    """Give a player the history of a seat; returns whether it knows the answers of the game for its own.

    Who cannot observe, such as a program, gets every prompt again; its answers are ignored, but it may remember them.
    """
    clock, same = Clock(time_control), True
    for lines, line in at.history.get(seat, []):
        request = Request(seat, lines, time_control.milliseconds)
        if one.can_observe or isinstance(one, InProcessPlayer):
            one.observe(request, line)
        else:
            clock.start(request)
            same &= one.ask(request, clock).line == line
    return same


def play_opening(referee: Referee, players: Sequence[Player], position: Position) -> Recorder:
    """Play the answers that lead to a position while the players observe; the recorder, which continues with the game.

    Nobody's clock runs meanwhile, and none of it counts as theirs. PodiumError if that cannot be.
    """
    try:
        return _play_opening(referee, players, position.answers)
    except (PodiumError, MalformedError, IllegalError) as error:
        raise PodiumError(f"{position.where}: {error}" if position.where else str(error)) from None


def _play_opening(referee: Referee, players: Sequence[Player], answers: Sequence[str | None]) -> Recorder:
    recorder = Recorder()
    while recorder.opening_answers < len(answers) and (requests := referee.requests()):
        given = [Answer(line) for line in answers[recorder.opening_answers : recorder.opening_answers + len(requests)]]
        if len(given) < len(requests):
            raise PodiumError("a position ends in the middle of a turn")
        for request, answer in zip(requests, given, strict=True):
            players[request.seat].observe(request, answer.line)
            recorder.add_opening(request, answer)
        referee.answer(given)
    if recorder.opening_answers < len(answers) or not referee.requests():
        raise PodiumError("a position leads beyond the end of its game; the rules may have changed since")
    return recorder
