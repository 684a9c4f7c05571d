"""The referee of Wondev Woman: whom to ask, verdicts, the end.

Points are all that counts: a player who went out keeps his, and the other goes on alone until he is ahead.
"""

from collections.abc import Sequence

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
from podium.games.wondev_woman.board import GIVE_UP
from podium.games.wondev_woman.protocol import answer_of, legal_answers, opening_lines, prompt, read_answer
from podium.games.wondev_woman.rules import wondev_play
from podium.games.wondev_woman.setup import initial_state, side_of
from podium.games.wondev_woman.state import ROUNDS, SEATS
from podium.kernel.minds import Value

LIMITS = Limits(first=1000.0, later=50.0)

# The official referee's words for what puts a player out, other than the reasons of the rules.
INVALID_INPUT, TIMEOUT, DEFEATED = "InvalidInput", "Timeout", "selfDestruct"


class WondevReferee(Referee):
    """One game of Wondev Woman."""

    def __init__(self, seed: int, **settings: Value) -> None:
        self.state = initial_state(seed, settings)
        self.size = side_of(self.state)
        self.turn = 0
        self.outcome: Outcome | None = None
        self.asked = [0, 0]
        self.actions: list[str] = []  # what was carried out, or why somebody went out
        self.eliminations: list[tuple[int, int, str]] = []  # player, round, official word
        self.faults: list[Fault] = []
        self._request: Request | None = None

    def requests(self) -> Sequence[Request]:
        """The player to move, told what he may see."""
        if self.outcome:
            return ()
        if self._request is None:
            seat = int(self.state["mover"])
            head = [] if self.asked[seat] else opening_lines(self.size)
            limit = LIMITS.later if self.asked[seat] else LIMITS.first
            self._request = Request(seat, (*head, *prompt(self.state, self.size)), limit)
        return (self._request,)

    def answer(self, answers: Sequence[Answer]) -> None:
        """Carry out the action, or put the player out."""
        (answer,) = answers
        seat = int(self.state["mover"])
        self.turn += 1
        self.asked[seat] += 1
        self._request = None
        try:
            if answer.line is None:
                self._eliminate(seat, TIMEOUT, Ending.NO_ANSWER, "gave no answer in time")
            else:
                self._carry_out(seat, read_answer(self.state, seat, answer.line))
        except MalformedError as error:
            self._eliminate(seat, INVALID_INPUT, Ending.MALFORMED, str(error))
        except IllegalError as error:
            self._eliminate(seat, str(error), Ending.ILLEGAL, f"answered {answer.line!r}: {error}")
        if self.state["over"]:
            self._finish()

    def _carry_out(self, seat: int, move: int) -> None:
        if move == GIVE_UP:
            had_a_choice = legal_answers(self.state)
            self._eliminate(seat, DEFEATED, Ending.SURRENDER if had_a_choice else None, "accepted defeat")
        else:
            self.actions.append(answer_of(self.state, seat, move))
            wondev_play(self.state, move)

    def _eliminate(self, seat: int, word: str, ending: Ending | None, reason: str) -> None:
        """Put a player out; `ending` is None if he had no choice, which is no fault."""
        self.eliminations.append((seat, int(self.state.rounds), word))
        self.actions.append(f"player {seat} out: {word}")
        if ending:
            sentence = f"player {seat} went out in round {int(self.state.rounds)}: {reason}"
            self.faults.append(Fault(seat, ending, self.turn, sentence))
        wondev_play(self.state, GIVE_UP)

    def _finish(self) -> None:
        scores = (int(self.state.score[0]), int(self.state.score[1]))
        both_or_ahead = int(self.state.rounds) < ROUNDS or self._settled(scores)
        why = "no further play needed" if both_or_ahead else f"{ROUNDS} rounds played"
        outs = [f"player {seat} out in round {number} ({word})" for seat, number, word in self.eliminations]
        ending = self.faults[-1].ending if self.faults else Ending.FINISHED
        if not both_or_ahead:
            ending = Ending.TURN_LIMIT
        sentence = f"{scores[0]} to {scores[1]} points after {int(self.state.rounds)} rounds: {why}"
        if outs:
            sentence += f"; {'; '.join(outs)}"
        note = f"{why}; {'; '.join(outs)}"
        self.outcome = Outcome(scores, ranks_of(scores), ending, sentence, note, tuple(self.faults))

    def _settled(self, scores: tuple[int, int]) -> bool:
        out = [bool(self.state.out[seat]) for seat in range(SEATS)]
        return all(out) or any(out[seat] and scores[1 - seat] > scores[seat] for seat in range(SEATS))
