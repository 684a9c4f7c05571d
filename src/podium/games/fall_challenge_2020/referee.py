"""The referee of Fall Challenge 2020: both players are asked in every turn; a fault ends the game with the turn."""

from collections.abc import Mapping, Sequence
from typing import Any

from podium.games.fall_challenge_2020.cards import FIRST_LEARNT_ID
from podium.games.fall_challenge_2020.protocol import answer_of, prompt, read_answer, starting_book, table_lines
from podium.games.fall_challenge_2020.rules import disqualify, fall_play, rupees
from podium.games.fall_challenge_2020.setup import initial_state
from podium.games.fall_challenge_2020.state import GOAL, LEARN, SEATS, WAIT, card_of, kind_of
from podium.games.game import Ending, IllegalError, Limits
from podium.games.toolkit import SimultaneousReferee
from podium.model.params import Value

LIMITS = Limits(first=1000.0, later=50.0)


class FallReferee(SimultaneousReferee):
    """One game of Fall Challenge 2020."""

    def __init__(self, seed: int, **settings: Value) -> None:
        super().__init__(initial_state(seed, settings), LIMITS, SEATS)
        self.books = [starting_book(seat) for seat in range(SEATS)]
        self.last: list[str] = ["", ""]  # what each player did in the last turn, for pictures
        self._next_id = FIRST_LEARNT_ID

    def prompts(self) -> Mapping[int, Sequence[str]]:
        """Both players, each with its own spells first."""
        table = table_lines(self.state)
        return {seat: prompt(self.state, self.books, seat, table) for seat in range(SEATS)}

    def history(self) -> Mapping[str, Any]:
        """The ids of the players' spells, and what both did in the last turn."""
        return {"books": self.books, "last": self.last}

    def read_move(self, seat: int, line: str) -> int:
        """The move in an answer; a command that the rules forbid is a WAIT."""
        try:
            return read_answer(self.state, seat, line, self.books[seat])
        except IllegalError:
            return WAIT

    def fault_detail(self, seat: int, reason: str) -> str:
        """The fault and its reason."""
        return f"player {seat} was disqualified: {reason}"

    def play_turn(self, moves: Mapping[int, int]) -> None:
        """Simulate the turn; a disqualified player waits."""
        played = [moves.get(seat, WAIT) for seat in range(SEATS)]
        self.last = [answer_of(self.state, seat, played[seat], self.books[seat]) for seat in range(SEATS)]
        for fault in self.faults:
            disqualify(self.state, fault.seat)
            self.last[fault.seat] = "disqualified"
        for move in played:
            fall_play(self.state, move)
        for seat, move in enumerate(played):
            if kind_of(move) == LEARN:
                self.books[seat].append((self._next_id, card_of(move)))
                self._next_id += 1

    def finish(self) -> None:
        """The scores are rupees, with a point for each ingredient of a higher tier."""
        scores = [float(rupees(self.state, seat)) for seat in range(SEATS)]
        note = f"turns={self.turn}"
        if self.faults:
            note += " disqualified=" + ",".join(str(fault.seat) for fault in self.faults)
            ending, why = self.faults[0].code, "; ".join(fault.detail for fault in self.faults)
        elif max(self.state.brews) >= GOAL:
            ending = Ending.NORMAL
            why = " and ".join(f"player {s}" for s in range(SEATS) if self.state.brews[s] >= GOAL) + " brewed six"
        else:
            ending, why = Ending.TURN_LIMIT, "a hundred turns were played"
        self.end(scores, ending, f"{scores[0]:g} to {scores[1]:g} after {self.turn} turns: {why}", note)
