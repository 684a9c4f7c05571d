"""The referee of Zuniq: alternating prompts of one line, claims, scores and errors."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from podium.games.game import (
    Answer,
    Ending,
    Fault,
    IllegalError,
    Limits,
    MalformedError,
    Outcome,
    Referee,
    Request,
    ranks_of,
)
from podium.games.zuniq.board import NAMES, NUMBERS, WALLS
from podium.games.zuniq.rules import (
    State,
    is_legal,
    reset,
    zone_of,
    zuniq_is_over,
    zuniq_legal_moves,
    zuniq_play,
)
from podium.kernel import blank
from podium.kernel.bits import popcount

LIMITS = Limits(first=30_000.0, later=30_000.0, bank=True)
COLOURS = ("White", "Black")
QUIT = "Quit"

WIN, LOSS, FAULT = 100, 50, 0
HIGHEST_BONUS = 10

ANSWER = re.compile(r"([A-F][1-5]h|[A-E][1-6]v)(!?)")
WHITE_SPACE = " \t\r\n\v\f"

# The words that recordings use for the ending.
NOTES = {
    Ending.FINISHED: "normal",
    Ending.NO_ANSWER: "no output",
    Ending.MALFORMED: "malformed",
    Ending.ILLEGAL: "illegal",
}


def read_answer(line: str) -> tuple[int, bool]:
    """The wall that an answer names, and whether it claims the win."""
    match = ANSWER.fullmatch(line.strip(WHITE_SPACE))
    if not match:
        raise MalformedError(f"expected a wall such as A1h or E6v, with or without '!', but got {line!r}")
    return NUMBERS[match[1]], bool(match[2])


def bonus(seat: int, ply: int) -> int:
    """What a claim made with the move at a ply (counted from 1 over both players) earns the winner."""
    return max(0, min(HIGHEST_BONUS, (39 + seat - ply) // 2))


def prompts(read: Callable[[], str]) -> Iterator[list[str]]:
    """A prompt is one line; `Quit` ends the game."""
    while (line := read()).strip() != QUIT:
        yield [line]


class ZuniqReferee(Referee):
    """One game of Zuniq. The seed changes nothing: the board is always empty at the start."""

    def __init__(self, seed: int) -> None:
        self.state = blank(State)
        reset(self.state)
        self.turn = 0
        self.outcome: Outcome | None = None
        self.moves: list[int] = []
        self.exclamations: list[bool] = []  # whether each move came with a "!"
        self.claims = [0, 0]  # the ply of each seat's first claim
        self.left = [LIMITS.first, LIMITS.first]

    def requests(self) -> Sequence[Request]:
        """The player to move, told the other's last wall."""
        if self.outcome:
            return ()
        seat = len(self.moves) & 1
        lines = (NAMES[self.moves[-1]],) if self.moves else ("Start",)
        return (Request(seat, lines, self.left[seat], bank=True),)

    def answer(self, answers: Sequence[Answer]) -> None:
        """Draw the wall, or end the game with a fault."""
        (answer,) = answers
        seat = len(self.moves) & 1
        self.turn += 1
        self.left[seat] = max(0.0, self.left[seat] - answer.milliseconds)
        if answer.line is None:
            self._fault(seat, Ending.NO_ANSWER, "gave no answer in time")
            return
        try:
            wall, claim = read_answer(answer.line)
            self._check(wall)
        except MalformedError as error:
            self._fault(seat, Ending.MALFORMED, str(error))
            return
        except IllegalError as error:
            self._fault(seat, Ending.ILLEGAL, str(error))
            return
        zuniq_play(self.state, wall)
        self.moves.append(wall)
        self.exclamations.append(claim)
        if claim and not self.claims[seat]:
            self.claims[seat] = len(self.moves)
        if zuniq_is_over(self.state):
            self._finish(seat)

    def farewell(self, seat: int) -> Sequence[str]:
        """Both players are told to quit."""
        return (QUIT,)

    def chronicle(self) -> Mapping[str, Any]:
        """Moves with claims, legal walls before each and at the end, sizes closed, claims, last lines."""
        state = blank(State)
        reset(state)
        legal, zones = [_legal_names(state)], []
        for wall in self.moves:
            zones.append(popcount(zone_of(state, wall)))
            zuniq_play(state, wall)
            legal.append(_legal_names(state))
        return {
            "moves": [NAMES[w] + "!" * claim for w, claim in zip(self.moves, self.exclamations, strict=True)],
            "legal": legal,
            "zones": zones,
            "claims": list(self.claims),
            "final": [list(self.farewell(seat)) for seat in (0, 1)],
        }

    def _check(self, wall: int) -> None:
        if is_legal(self.state, wall):
            return
        bit = 1 << wall
        if int(self.state.drawn) & bit:
            reason = "is drawn already"
        elif not int(self.state.free) & bit:
            reason = "lies inside a zone"
        else:
            reason = f"would close a second zone of size {popcount(zone_of(self.state, wall))}"
        raise IllegalError(f"{NAMES[wall]} {reason}")

    def _finish(self, winner: int) -> None:
        scores = [0.0, 0.0]
        scores[winner] = WIN + self._bonus(winner)
        scores[1 - winner] = FAULT if self.claims[1 - winner] else LOSS
        sentence = f"{COLOURS[winner]} drew the last wall at ply {len(self.moves)}"
        self._end(scores, Ending.FINISHED, sentence)

    def _fault(self, seat: int, ending: Ending, reason: str) -> None:
        scores = [0.0, 0.0]
        scores[seat] = FAULT
        scores[1 - seat] = WIN + self._bonus(1 - seat)
        sentence = f"{COLOURS[seat]} lost at ply {len(self.moves) + 1}: {reason}"
        self._end(scores, ending, sentence, (Fault(seat, ending, self.turn, sentence),))

    def _bonus(self, seat: int) -> int:
        return bonus(seat, self.claims[seat]) if self.claims[seat] else 0

    def _end(self, scores: list[float], ending: Ending, sentence: str, faults: tuple[Fault, ...] = ()) -> None:
        self.outcome = Outcome(tuple(scores), ranks_of(scores), ending, sentence, NOTES[ending], faults)


def _legal_names(state: Any) -> list[str]:
    walls = np.zeros(WALLS, np.int64)
    return sorted(NAMES[wall] for wall in walls[: zuniq_legal_moves(state, walls)])
