"""The referee of Code 4 Life: both players are asked in every round; a fault ends the game."""

from collections.abc import Mapping, Sequence
from typing import Any

from podium.games.code4life.catalogue import ROUNDS
from podium.games.code4life.protocol import opening_lines, prompt, read_answer
from podium.games.code4life.rules import code4life_play
from podium.games.code4life.setup import initial_state
from podium.games.code4life.state import SEATS, THROWN_OUT
from podium.games.game import Ending, Limits
from podium.games.toolkit import SimultaneousReferee

LIMITS = Limits(first=1000.0, later=50.0)
FULL_LENGTH = "max rounds reached"  # the recordings' word for a game of 200 rounds


class Code4LifeReferee(SimultaneousReferee):
    """One game of Code 4 Life."""

    first_turn = 0

    def __init__(self, seed: int) -> None:
        super().__init__(initial_state(seed), LIMITS, SEATS)

    def prompts(self) -> Mapping[int, Sequence[str]]:
        """Both players, each with its own view of the same state."""
        head = [] if self.turn else opening_lines(self.state)
        return {seat: head + prompt(self.state, seat) for seat in range(SEATS)}

    def history(self) -> Mapping[str, Any]:
        """The answers of the last turn."""
        return {"answers": list(self.answers)}

    def read_move(self, seat: int, line: str) -> int:
        """The move in an answer."""
        return read_answer(self.state, seat, line)

    def fault_detail(self, seat: int, reason: str) -> str:
        """The fault and its round."""
        return f"seat {seat} was disqualified in round {self.turn}: {reason}"

    def play_turn(self, moves: Mapping[int, int]) -> None:
        """Play the answers of one round."""
        for seat in range(SEATS):
            code4life_play(self.state, moves.get(seat, THROWN_OUT))

    def finish(self) -> None:
        """The scores are the players' health points."""
        scores = [float(score) for score in self.state.score]
        if self.faults:
            self.end(scores, self.faults[0].code, "; ".join(fault.detail for fault in self.faults))
        else:
            self.end(scores, Ending.TURN_LIMIT, f"{ROUNDS} rounds were played", FULL_LENGTH)
