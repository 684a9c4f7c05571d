"""The referee of Zuniq: alternating prompts of one line, claims, scores and errors."""

from collections.abc import Mapping, Sequence
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
from podium.games.zuniq.board import NAMES, WALLS
from podium.games.zuniq.protocol import QUIT, START, answer_of, read_answer
from podium.games.zuniq.rules import is_legal, zone_of, zuniq_is_over, zuniq_legal_moves, zuniq_play
from podium.games.zuniq.setup import initial_state
from podium.games.zuniq.state import COLOURS
from podium.kernel.bits import popcount

LIMITS = Limits(first=30_000.0, later=30_000.0, bank=True)

POINTS_OF_THE_WINNER, POINTS_OF_THE_LOSER, POINTS_AFTER_A_FAULT = 100, 50, 0
HIGHEST_BONUS = 10

# The words that recordings use for the ending.
NOTES = {
    Ending.FINISHED: "normal",
    Ending.NO_ANSWER: "no output",
    Ending.MALFORMED: "malformed",
    Ending.ILLEGAL: "illegal",
}


def bonus(seat: int, ply: int) -> int:
    """What a claim made with the move at a ply (counted from 1 over both players) earns the winner."""
    return max(0, min(HIGHEST_BONUS, (39 + seat - ply) // 2))


class ZuniqReferee(Referee):
    """One game of Zuniq. The seed changes nothing: the board is always empty at the start."""

    def __init__(self, seed: int) -> None:
        self.state = initial_state(seed)
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
        lines = (NAMES[self.moves[-1]],) if self.moves else (START,)
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
            wall, claim = read_answer(self.state, seat, answer.line)
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
        state = initial_state()
        legal, zones = [_legal_names(state)], []
        for wall in self.moves:
            zones.append(popcount(zone_of(state, wall)))
            zuniq_play(state, wall)
            legal.append(_legal_names(state))
        return {
            "moves": [
                answer_of(state, ply & 1, wall, claim)
                for ply, (wall, claim) in enumerate(zip(self.moves, self.exclamations, strict=True))
            ],
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
        scores[winner] = POINTS_OF_THE_WINNER + self._bonus(winner)
        scores[1 - winner] = POINTS_AFTER_A_FAULT if self.claims[1 - winner] else POINTS_OF_THE_LOSER
        sentence = f"{COLOURS[winner]} drew the last wall at ply {len(self.moves)}"
        self._end(scores, Ending.FINISHED, sentence)

    def _fault(self, seat: int, ending: Ending, reason: str) -> None:
        scores = [0.0, 0.0]
        scores[seat] = POINTS_AFTER_A_FAULT
        scores[1 - seat] = POINTS_OF_THE_WINNER + self._bonus(1 - seat)
        sentence = f"{COLOURS[seat]} lost at ply {len(self.moves) + 1}: {reason}"
        self._end(scores, ending, sentence, (Fault(seat, ending, self.turn, sentence),))

    def _bonus(self, seat: int) -> int:
        return bonus(seat, self.claims[seat]) if self.claims[seat] else 0

    def _end(self, scores: list[float], ending: Ending, sentence: str, faults: tuple[Fault, ...] = ()) -> None:
        self.outcome = Outcome(tuple(scores), ranks_of(scores), ending, sentence, NOTES[ending], faults)


def _legal_names(state: Any) -> list[str]:
    if zuniq_is_over(state):
        return []
    walls = np.zeros(WALLS, np.int64)
    return sorted(NAMES[wall] for wall in walls[: zuniq_legal_moves(state, walls)])
