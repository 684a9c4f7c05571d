"""The referee of Zuniq: alternating prompts of one line, claims, scores and errors."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from podium.games.game import Ending, Limits
from podium.games.toolkit import TurnReferee
from podium.games.zuniq.board import NAMES, WALLS
from podium.games.zuniq.protocol import CLAIM, QUIT, START, answer_of, read_move
from podium.games.zuniq.rules import zone_of, zuniq_is_over, zuniq_legal_moves, zuniq_play
from podium.games.zuniq.setup import initial_state
from podium.games.zuniq.state import SEAT_NAMES, SEATS
from podium.kernel.bits import popcount

LIMITS = Limits(first=30_000.0, later=30_000.0, bank=True)

POINTS_OF_THE_WINNER, POINTS_OF_THE_LOSER, POINTS_AFTER_A_FAULT = 100, 50, 0
HIGHEST_BONUS = 10

# The words that recordings use for the ending.
NOTES = {
    Ending.NORMAL: "normal",
    Ending.NO_ANSWER: "no output",
    Ending.MALFORMED: "malformed",
    Ending.ILLEGAL: "illegal",
}


def bonus(seat: int, ply: int) -> int:
    """What a claim made with the move at a ply (counted from 1 over both players) earns the winner."""
    return max(0, min(HIGHEST_BONUS, (39 + seat - ply) // 2))


class ZuniqReferee(TurnReferee):
    """One game of Zuniq. The seed changes nothing: the board is always empty at the start."""

    def __init__(self, seed: int) -> None:
        super().__init__(initial_state(seed), LIMITS, SEATS)
        self.exclamations: list[bool] = []  # whether each move came with a "!"
        self.claims = [0, 0]  # the ply of each seat's first claim

    def prompt(self) -> Sequence[str]:
        """The other player's last wall."""
        return (NAMES[self.moves[-1]] if self.moves else START,)

    def read_move(self, seat: int, line: str) -> int:
        """The wall in an answer; a claim with it is noted."""
        wall, claim = read_move(self.state, line), CLAIM in line
        self.exclamations.append(claim)
        if claim and not self.claims[seat]:
            self.claims[seat] = len(self.exclamations)
        return wall

    def history(self) -> Mapping[str, Any]:
        """The walls in their order, and the claims."""
        return {"moves": [NAMES[wall] for wall in self.moves], "claims": list(self.claims)}

    def farewell(self, seat: int) -> Sequence[str]:
        """Both players are sent the word that ends the game."""
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

    def fault_detail(self, seat: int, reason: str) -> str:
        """The fault and its ply."""
        return f"{SEAT_NAMES[seat]} lost at ply {len(self.moves) + 1}: {reason}"

    def disqualify(self, seat: int) -> None:
        """A fault loses the game."""
        self._end(1 - seat, POINTS_AFTER_A_FAULT, self.faults[-1].code, self.faults[-1].detail)

    def finish(self) -> None:
        """The player who drew the last wall wins; a false claim costs the loser its points."""
        winner = 1 - len(self.moves) % SEATS
        loss = POINTS_AFTER_A_FAULT if self.claims[1 - winner] else POINTS_OF_THE_LOSER
        self._end(winner, loss, Ending.NORMAL, f"{SEAT_NAMES[winner]} drew the last wall at ply {len(self.moves)}")

    def _end(self, winner: int, loss: int, ending: Ending, detail: str) -> None:
        claim = self.claims[winner]
        scores = [loss, loss]
        scores[winner] = POINTS_OF_THE_WINNER + (bonus(winner, claim) if claim else 0)
        self.end(scores, ending, detail, NOTES[ending])


def _legal_names(state: Any) -> list[str]:
    if zuniq_is_over(state):
        return []
    walls = np.zeros(WALLS, np.int64)
    return sorted(NAMES[wall] for wall in walls[: zuniq_legal_moves(state, walls)])
