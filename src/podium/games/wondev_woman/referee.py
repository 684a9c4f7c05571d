"""The referee of Wondev Woman: prompts, faults, the end.

Points alone decide: a player who is out keeps its points, and the other plays on alone until it is ahead.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from podium.games.game import Answer, Ending, IllegalError, Limits, MalformedError
from podium.games.toolkit import TurnReferee
from podium.games.wondev_woman.board import GIVE_UP
from podium.games.wondev_woman.protocol import answer_of, legal_answers, opening_lines, prompt, read_answer
from podium.games.wondev_woman.rules import wondev_play
from podium.games.wondev_woman.setup import initial_state, side_of
from podium.games.wondev_woman.state import ROUNDS, SEATS
from podium.model.params import Value

LIMITS = Limits(first=1000.0, later=50.0)

# The official referee's words for what puts a player out, other than the reasons of the rules.
INVALID_INPUT, TIMEOUT, DEFEATED = "InvalidInput", "Timeout", "selfDestruct"
PLAIN_WORDS = {INVALID_INPUT: "invalid answer", TIMEOUT: "no answer in time", DEFEATED: "gave up"}


class WondevReferee(TurnReferee):
    """One game of Wondev Woman."""

    def __init__(self, seed: int, **settings: Value) -> None:
        super().__init__(initial_state(seed, settings), LIMITS, SEATS)
        self.size = side_of(self.state)
        self.actions: list[str] = []  # what was carried out, or why a player is out
        self.eliminations: list[tuple[int, int, str]] = []  # player, round, official word
        self._official = TIMEOUT  # the official word for the fault of the present answer

    def prompt(self) -> Sequence[str]:
        """What the player to move may see."""
        head = [] if self.answered[int(self.state.mover)] else opening_lines(self.size)
        return (*head, *prompt(self.state, self.size))

    def history(self) -> Mapping[str, Any]:
        """The last action, or why a player went out."""
        return {"last": self.actions[-1]} if self.actions else {}

    def read_move(self, seat: int, line: str) -> int:
        """The action in an answer, or GIVE_UP."""
        try:
            return read_answer(self.state, seat, line)
        except MalformedError:
            self._official = INVALID_INPUT
            raise
        except IllegalError as error:
            self._official = str(error)
            raise IllegalError(f"answered {line!r}: {error}") from None

    def judge(self, seat: int, answer: Answer) -> int | None:
        """Giving up is a fault only where an action was legal."""
        move = super().judge(seat, answer)
        if move == GIVE_UP and legal_answers(self.state):
            self.fault(seat, Ending.SURRENDER, "accepted defeat")
        return move

    def fault_detail(self, seat: int, reason: str) -> str:
        """The fault and its round."""
        return f"player {seat} went out in round {int(self.state.rounds)}: {reason}"

    def play(self, move: int) -> None:
        """Carry out an action."""
        seat = int(self.state.mover)
        if move == GIVE_UP:
            self._official = DEFEATED
            self.disqualify(seat)
        else:
            self.actions.append(answer_of(self.state, seat, move))
            wondev_play(self.state, move)

    def disqualify(self, seat: int) -> None:
        """Take the player out; the other goes on."""
        self.eliminations.append((seat, int(self.state.rounds), self._official))
        self.actions.append(f"player {seat} out: {self._official}")
        self._official = TIMEOUT
        wondev_play(self.state, GIVE_UP)

    def finish(self) -> None:
        """The scores are points."""
        scores = (int(self.state.score[0]), int(self.state.score[1]))
        both_or_ahead = int(self.state.rounds) < ROUNDS or self._settled(scores)
        why = "no further play needed" if both_or_ahead else f"{ROUNDS} rounds played"
        outs = [f"player {seat} out in round {number} ({word})" for seat, number, word in self.eliminations]
        ending = self.faults[-1].code if self.faults else Ending.NORMAL
        if not both_or_ahead:
            ending = Ending.TURN_LIMIT
        detail = f"{scores[0]} to {scores[1]} points after {int(self.state.rounds)} rounds: {why}"
        for seat, number, word in self.eliminations:
            detail += f"; player {seat} went out in round {number} ({PLAIN_WORDS.get(word, word)})"
        self.end(scores, ending, detail, f"{why}; {'; '.join(outs)}")

    def _settled(self, scores: tuple[int, int]) -> bool:
        out = [bool(self.state.out[seat]) for seat in range(SEATS)]
        return all(out) or any(out[seat] and scores[1 - seat] > scores[seat] for seat in range(SEATS))
