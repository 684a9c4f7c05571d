"""A recorded game played again through its referee: every prompt is compared, and the result."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from podium.arena.game.record import GameRecord, checksum
from podium.games.game import Answer, Outcome, Referee, Request
from podium.games.loop import RefereeError, run_game

# Called before the answers of a turn are played, with the requests and the index of the first answer in the record.
WatchReplay = Callable[[Referee, Sequence[Request], int], None]

FAILED = "the referee fails"  # a departure, unless the stored game is annulled


@dataclass(frozen=True)
class Departure:
    """Where playing a stored game again departs from it."""

    turn: int  # from 0; -1: at the end
    what: str
    stored: Any
    found: Any

    @property
    def where(self) -> str:
        """At which place of the game, for people."""
        return "at the end" if self.turn < 0 else f"at turn {self.turn + 1}"


def replay(referee: Referee, record: GameRecord, watch: WatchReplay | None = None) -> Departure | None:
    """Give a referee the recorded answers, comparing every prompt.

    Afterwards the referee is at the end, or where the game departs from its record.
    """
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
        run_game(referee, answering)
    except _DepartedError as error:
        referee.close()
        return error.departure
    except RefereeError as error:
        return Departure(referee.turn, FAILED, "an answer that it could judge", str(error))
    if index < len(record):
        return Departure(referee.turn, "the end", f"{len(record)} answers", f"{index} answers")
    return None


class _DepartedError(Exception):
    """Raised to end a replay at a departure."""

    def __init__(self, departure: Departure) -> None:
        self.departure = departure


def departure_at(referee: Referee, requests: Sequence[Request], record: GameRecord, index: int) -> Departure | None:
    """Where a turn departs from the one that was stored, whose first answer has that index; None if it does not."""
    asked = [request.seat for request in requests]
    stored = record.seats[index : index + len(requests)]
    if asked != stored:
        return Departure(referee.turn, "who is asked", stored, asked)
    for offset, request in enumerate(requests):
        if checksum(request.lines) != record.prompts[index + offset]:
            return Departure(referee.turn, f"the prompt of seat {request.seat}", "another one", list(request.lines))
    return None


def compare_outcome(outcome: Outcome, scores: Sequence[float], ranks: Sequence[int], ending: str) -> Departure | None:
    """Compare the result of a replay with the stored one."""
    for what, stored, found in (
        ("scores", list(scores), list(outcome.scores)),
        ("ranks", list(ranks), list(outcome.ranks)),
        ("why it ended", ending, outcome.ending),
    ):
        if stored != found:
            return Departure(-1, what, stored, found)
    return None
