"""The referee of Code 4 Life: both players are asked in every round; an unacceptable answer ends the game."""

from collections.abc import Sequence

from podium.games.code4life.catalogue import ROUNDS
from podium.games.code4life.protocol import opening_lines, prompt, read_answer
from podium.games.code4life.rules import code4life_is_over, code4life_play
from podium.games.code4life.setup import initial_state
from podium.games.code4life.state import SEATS, THROWN_OUT
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

LIMITS = Limits(first=1000.0, later=50.0)
FULL_LENGTH = "max rounds reached"  # the recordings' word for a game of 200 rounds


class Code4LifeReferee(Referee):
    """One game of Code 4 Life."""

    def __init__(self, seed: int) -> None:
        self.state = initial_state(seed)
        self.turn = 0
        self.outcome: Outcome | None = None
        self.answers: list[str] = ["", ""]  # of the last round, for pictures

    def requests(self) -> Sequence[Request]:
        """Both players, each with its own view of the same state."""
        if self.outcome:
            return ()
        head = [] if self.turn else opening_lines(self.state)
        limit = LIMITS.later if self.turn else LIMITS.first
        return tuple(Request(seat, head + prompt(self.state, seat), limit) for seat in range(SEATS))

    def answer(self, answers: Sequence[Answer]) -> None:
        """Read both answers against the state at the start of the round, then play the round."""
        moves, faults = [], []
        for seat, answer in enumerate(answers):
            try:
                if answer.line is None:
                    raise TimeoutError("no answer in time")
                moves.append(read_answer(self.state, seat, answer.line))
            except (TimeoutError, MalformedError, IllegalError) as error:
                moves.append(THROWN_OUT)
                sentence = f"seat {seat} was thrown out in round {self.turn}: {error}"
                faults.append(Fault(seat, _ending(error), self.turn, sentence))
        for move in moves:
            code4life_play(self.state, move)
        self.answers = [answer.line or "" for answer in answers]
        self.turn += 1
        if code4life_is_over(self.state):
            self._end(tuple(faults))

    def _end(self, faults: tuple[Fault, ...]) -> None:
        scores = tuple(float(score) for score in self.state.score)
        ending = faults[0].ending if faults else Ending.TURN_LIMIT
        sentence = "; ".join(fault.sentence for fault in faults) or f"{ROUNDS} rounds were played"
        note = "" if faults else FULL_LENGTH
        self.outcome = Outcome(scores, ranks_of(scores), ending, sentence, note, faults)


def _ending(error: Exception) -> Ending:
    if isinstance(error, TimeoutError):
        return Ending.NO_ANSWER
    return Ending.MALFORMED if isinstance(error, MalformedError) else Ending.ILLEGAL
