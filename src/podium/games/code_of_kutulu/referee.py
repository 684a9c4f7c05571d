"""The referee of Code of Kutulu: prompts, faults, scores."""

from collections.abc import Mapping, Sequence
from typing import Any

from podium.games.code_of_kutulu.protocol import effect_lines, explorer_lines, minion_lines, opening_lines, read_answer
from podium.games.code_of_kutulu.rules import kutulu_play, next_living, remove
from podium.games.code_of_kutulu.setup import initial_state
from podium.games.code_of_kutulu.state import FAULT_SCORE, LAST_TURN, SEATS, living_seats
from podium.games.game import Ending, Limits, ranks_of
from podium.games.toolkit import SimultaneousReferee
from podium.model.params import Value

LIMITS = Limits(first=1000.0, later=50.0)


class KutuluReferee(SimultaneousReferee):
    """One game of Code of Kutulu."""

    first_turn = 0

    def __init__(self, seed: int, **settings: Value) -> None:
        super().__init__(initial_state(seed, settings), LIMITS, SEATS)

    def active_seats(self) -> Sequence[int]:
        """The explorers who are still in the game."""
        return living_seats(self.state)

    def prompts(self) -> Mapping[int, Sequence[str]]:
        """The living explorers; each reads of itself first."""
        opening = [] if self.turn else opening_lines(self.state)
        common = minion_lines(self.state) + effect_lines(self.state)
        explorers = explorer_lines(self.state)
        prompts = {}
        for seat in living_seats(self.state):
            entities = [line for line in explorers[seat:] + explorers[:seat] if line] + common
            prompts[seat] = (*opening, str(len(entities)), *entities)
        return prompts

    def history(self) -> Mapping[str, Any]:
        """The answers of the last turn."""
        return {"answers": list(self.answers)}

    def read_move(self, seat: int, line: str) -> int:
        """The choice in an answer; what the rules forbid is a WAIT."""
        return read_answer(self.state, seat, line)

    def fault_detail(self, seat: int, reason: str) -> str:
        """The fault and its turn."""
        return f"Explorer {seat} was disqualified on turn {self.turn}: {reason}"

    def fault(self, seat: int, code: Ending, reason: str) -> None:
        """Take the explorer out of the game; the others play on."""
        super().fault(seat, code, reason)
        remove(self.state, seat, FAULT_SCORE)

    def play_turn(self, moves: Mapping[int, int]) -> None:
        """Simulate the turn of those who are left."""
        if moves:
            self.state.mover = next_living(self.state, 0)
            for choice in moves.values():
                kutulu_play(self.state, choice)
        else:
            self.state.over = 1

    def finish(self) -> None:
        """The highest score wins: the turn of the explorer's end, or 200 plus the sanity that is left."""
        scores = [float(score) for score in self.state.score]
        ranks = ranks_of(scores)
        winners = [str(seat) for seat in range(SEATS) if ranks[seat] == 1]
        best = max(scores)
        who = f"Explorer{'s' * (len(winners) > 1)} {' and '.join(winners)}"
        if best > LAST_TURN or living_seats(self.state):
            sanity = f"{best - LAST_TURN:g}"
            self.end(scores, Ending.TURN_LIMIT, f"{who} kept the most sanity ({sanity}) to the end of turn {LAST_TURN}")
        elif best >= 0:
            self.end(scores, Ending.NORMAL, f"{who} stayed sane the longest, to turn {best:g}")
        else:
            self.end(scores, self.faults[-1].code, f"{who} were disqualified like everybody else")
