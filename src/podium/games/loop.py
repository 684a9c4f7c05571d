"""The loop of a game: the referee says whom to ask, they answer, until the game is over.

It keeps no clock and catches nothing that a bot raises. The arena, which stands on this loop, limits time and judges
faults. Games use it for benchmarks, studies and opening books.
"""

from collections.abc import Callable, Sequence

from podium.errors import PodiumError
from podium.games.game import Annulment, Answer, Bot, Budget, Outcome, Referee, Request
from podium.kernel.diagnostics import KernelError

AnswerTurn = Callable[[Sequence[Request]], Sequence[Answer]]  # answers all requests of a turn, in their order
WatchTurn = Callable[[Sequence[Request], Sequence[Answer]], None]

SHOWN = 60  # characters of an answer in a message


class RefereeError(PodiumError):
    """A referee failed where it should judge, so nobody knows who won; `annulment` is the code of the reason."""

    def __init__(
        self, referee: Referee, error: Exception, requests: Sequence[Request] = (), answers: Sequence[Answer] = ()
    ) -> None:
        said = [
            f"seat {request.seat} had answered {answer.line if answer.line is None else answer.line[:SHOWN]!r}"
            for request, answer in zip(requests, answers, strict=False)
        ]
        reason = f"the referee failed in turn {getattr(referee, 'turn', 0)}: {type(error).__name__}: {error}"
        self.annulment = Annulment.REFEREE_FAILED
        if isinstance(error, PodiumError) and not isinstance(error, KernelError):  # of an external referee
            reason = f"in turn {getattr(referee, 'turn', 0)} {error}"
            self.annulment = Annulment.PROGRAM_FAILED
        super().__init__("; ".join([reason[:500], *said]))


def watch_nothing(requests: Sequence[Request], answers: Sequence[Answer]) -> None:
    """The default of `watch`: does nothing."""


def run_game(referee: Referee, answer_turn: AnswerTurn, watch: WatchTurn = watch_nothing) -> Outcome:
    """Play a game to its end; `watch` is called after each turn, when its answers have been played.

    Raises a RefereeError if the referee fails; what `answer_turn` or `watch` raise is passed on.
    """
    while requests := requests_of(referee):
        answers = answer_turn(requests)
        play_turn(referee, requests, answers)
        watch(requests, answers)
    assert referee.outcome is not None
    return referee.outcome


def play_turn(referee: Referee, requests: Sequence[Request], answers: Sequence[Answer]) -> None:
    """Let the referee judge and play the answers of a turn; a RefereeError if it fails."""
    try:
        referee.answer(answers)
    except Exception as error:
        raise RefereeError(referee, error, requests, answers) from error


def requests_of(referee: Referee) -> Sequence[Request]:
    """The present requests, none if the game is over. A RefereeError if the referee fails."""
    try:
        return referee.requests()
    except Exception as error:
        raise RefereeError(referee, error) from error


def play_bots(referee: Referee, bots: Sequence[Bot], budget: Budget, watch: WatchTurn = watch_nothing) -> Outcome:
    """Play a game between bots of this process, each answer within the same budget; what a bot raises is passed on."""

    def answer_turn(requests: Sequence[Request]) -> list[Answer]:
        return [Answer(bots[request.seat].reply(request.lines, budget)) for request in requests]

    return run_game(referee, answer_turn, watch)
