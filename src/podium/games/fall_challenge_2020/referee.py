"""The referee of Fall Challenge 2020: both players are asked each turn; faults end the game with the turn."""

from collections.abc import Sequence

from podium.games.fall_challenge_2020.cards import (
    FIRST_LEARNT_ID,
    FIRST_STARTING_ID,
    STARTING_SPELLS,
    TOME_SPELLS,
)
from podium.games.fall_challenge_2020.protocol import Spellbook, answer_of, prompt, read_answer, table_lines
from podium.games.fall_challenge_2020.rules import (
    disqualify,
    fall_is_over,
    fall_play,
    rupees,
)
from podium.games.fall_challenge_2020.setup import initial_state
from podium.games.fall_challenge_2020.state import (
    GOAL,
    LEARN,
    SEATS,
    WAIT,
    card_of,
    kind_of,
)
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
from podium.kernel.minds import Value

LIMITS = Limits(first=1000.0, later=50.0)


def starting_book(seat: int) -> Spellbook:
    """The spells that a player starts with."""
    first = FIRST_STARTING_ID + STARTING_SPELLS * seat
    return [(first + slot, TOME_SPELLS + slot) for slot in range(STARTING_SPELLS)]


class FallReferee(Referee):
    """One game of Fall Challenge 2020."""

    def __init__(self, seed: int, **settings: Value) -> None:
        self.state = initial_state(seed, settings)
        self.turn = 0
        self.outcome: Outcome | None = None
        self.books = [starting_book(seat) for seat in range(SEATS)]
        self.last: list[str] = ["", ""]  # what each player did in the last turn, for pictures
        self._next_id = FIRST_LEARNT_ID
        self._faults: list[Fault] = []

    def requests(self) -> Sequence[Request]:
        """Both players, seat 0 first."""
        if self.outcome:
            return ()
        limit = LIMITS.later if self.turn else LIMITS.first
        table = table_lines(self.state)
        lines = [tuple(prompt(self.state, self.books, seat, table)) for seat in range(SEATS)]
        return tuple(Request(seat, lines[seat], limit) for seat in range(SEATS))

    def answer(self, answers: Sequence[Answer]) -> None:
        """Carry out a turn. What the rules forbid does nothing; what cannot be read disqualifies."""
        self.turn += 1
        moves = [self._judge(seat, answer) for seat, answer in enumerate(answers)]
        self.last = [answer_of(self.state, seat, moves[seat], self.books[seat]) for seat in range(SEATS)]
        for fault in self._faults:
            disqualify(self.state, fault.seat)
            self.last[fault.seat] = "disqualified"
        for move in moves:
            fall_play(self.state, move)
        for seat, move in enumerate(moves):
            if kind_of(move) == LEARN:
                self.books[seat].append((self._next_id, card_of(move)))
                self._next_id += 1
        if fall_is_over(self.state):
            self._finish()

    def _judge(self, seat: int, answer: Answer) -> int:
        if answer.line is None:
            self._fault(seat, Ending.NO_ANSWER, "gave no answer in time")
            return WAIT
        try:
            return read_answer(self.state, seat, answer.line, self.books[seat])
        except MalformedError as error:
            self._fault(seat, Ending.MALFORMED, str(error))
        except IllegalError:
            pass
        return WAIT

    def _fault(self, seat: int, ending: Ending, reason: str) -> None:
        self._faults.append(Fault(seat, ending, self.turn, f"player {seat} was disqualified: {reason}"))

    def _finish(self) -> None:
        scores = tuple(float(rupees(self.state, seat)) for seat in range(SEATS))
        note = f"turns={self.turn}"
        if self._faults:
            note += " disqualified=" + ",".join(str(fault.seat) for fault in self._faults)
            ending, why = self._faults[0].ending, "; ".join(fault.sentence for fault in self._faults)
        elif max(self.state.brews) >= GOAL:
            ending = Ending.FINISHED
            why = " and ".join(f"player {s}" for s in range(SEATS) if self.state.brews[s] >= GOAL) + " brewed six"
        else:
            ending, why = Ending.TURN_LIMIT, "a hundred turns were played"
        sentence = f"{scores[0]:g} to {scores[1]:g} after {self.turn} turns: {why}"
        self.outcome = Outcome(scores, ranks_of(scores), ending, sentence, note, tuple(self._faults))
