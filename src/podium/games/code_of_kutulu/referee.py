"""The referee of Code of Kutulu: whom to ask, faults, scores."""

from collections.abc import Sequence

from podium.games.code_of_kutulu.protocol import effect_lines, explorer_lines, minion_lines, opening_lines, read_answer
from podium.games.code_of_kutulu.rules import kutulu_play, next_living, remove
from podium.games.code_of_kutulu.setup import initial_state
from podium.games.code_of_kutulu.state import FAULT_SCORE, LAST_TURN, SEATS, living_seats
from podium.games.game import Answer, Ending, Fault, Limits, MalformedError, Outcome, Referee, Request, ranks_of
from podium.kernel.minds import Value

LIMITS = Limits(first=1000.0, later=50.0)


class KutuluReferee(Referee):
    """One game of Code of Kutulu."""

    def __init__(self, seed: int, **settings: Value) -> None:
        self.state = initial_state(seed, settings)
        self.turn = 0
        self.outcome: Outcome | None = None
        self.faults: list[Fault] = []
        self.answers: list[str | None] = [None] * SEATS  # of the last turn

    def requests(self) -> Sequence[Request]:
        """Everyone who is still in the game, in the order of the seats."""
        if self.outcome:
            return ()
        opening = [] if self.turn else opening_lines(self.state)
        common = minion_lines(self.state) + effect_lines(self.state)
        explorers = explorer_lines(self.state)
        limit = LIMITS.later if self.turn else LIMITS.first
        requests = []
        for seat in living_seats(self.state):
            # the receiving seat comes first
            entities = [line for line in explorers[seat:] + explorers[:seat] if line] + common
            requests.append(Request(seat, (*opening, str(len(entities)), *entities), limit))
        return requests

    def answer(self, answers: Sequence[Answer]) -> None:
        """Put out whoever answered badly; simulate the turn of the others."""
        seats = living_seats(self.state)
        choices = {}
        self.answers = [None] * SEATS
        for seat, answer in zip(seats, answers, strict=True):
            self.answers[seat] = answer.line
            if answer.line is None:
                self._put_out(seat, Ending.NO_ANSWER, "gave no answer in time")
                continue
            try:
                choices[seat] = read_answer(self.state, seat, answer.line)
            except MalformedError as error:
                self._put_out(seat, Ending.MALFORMED, str(error))
        self.turn += 1
        if choices:
            self.state.mover = next_living(self.state, 0)
            for choice in choices.values():
                kutulu_play(self.state, choice)
        else:
            self.state.over = 1
        if self.state.over:
            self._finish()

    def _put_out(self, seat: int, ending: Ending, reason: str) -> None:
        remove(self.state, seat, FAULT_SCORE)
        sentence = f"Explorer {seat} was put out on turn {self.turn}: {reason}"
        self.faults.append(Fault(seat, ending, self.turn, sentence))

    def _finish(self) -> None:
        scores = tuple(float(score) for score in self.state.score)
        ranks = ranks_of(scores)
        winners = [str(seat) for seat in range(SEATS) if ranks[seat] == 1]
        best = max(scores)
        who = f"Explorer{'s' * (len(winners) > 1)} {' and '.join(winners)}"
        if best > LAST_TURN or living_seats(self.state):
            ending, how = (
                Ending.TURN_LIMIT,
                f"kept the most sanity ({best - LAST_TURN:g}) to the end of turn {LAST_TURN}",
            )
        elif best >= 0:
            ending, how = Ending.FINISHED, f"stayed sane the longest, to turn {best:g}"
        else:
            ending, how = self.faults[-1].ending, "were put out like everybody else"
        self.outcome = Outcome(scores, ranks, ending, f"{who} {how}", faults=tuple(self.faults))
