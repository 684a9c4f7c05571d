"""The loop of every game: ask the referee whom to ask, answer, until it is over.

It keeps no clock and forgives nothing: what an answer may cost, and what a bot that fails is worth, is the arena's
business, which stands on this loop. Games use it for their benchmarks, studies and openings.
"""

from collections.abc import Callable, Sequence

from podium.errors import PodiumError
from podium.games.game import Answer, Bot, Budget, Outcome, Referee, Request

Answering = Callable[[Sequence[Request]], Sequence[Answer]]  # the answers to all requests of a turn, in their order
Watching = Callable[[Sequence[Request], Sequence[Answer]], None]

SHOWN = 60  # characters of an answer in a sentence


class RefereeError(PodiumError):
    """A referee that failed where it should judge: nobody knows who won."""

    def __init__(
        self, referee: Referee, error: Exception, requests: Sequence[Request] = (), answers: Sequence[Answer] = ()
    ) -> None:
        said = [
            f"seat {request.seat} had answered {answer.line if answer.line is None else answer.line[:SHOWN]!r}"
            for request, answer in zip(requests, answers, strict=False)
        ]
        reason = f"the referee failed in turn {getattr(referee, 'turn', 0)}: {type(error).__name__}: {error}"
        if isinstance(error, PodiumError):  # a sentence already
            reason = f"in turn {getattr(referee, 'turn', 0)} {error}"
        super().__init__("; ".join([reason[:500], *said]))


def watch_nothing(requests: Sequence[Request], answers: Sequence[Answer]) -> None:
    """For those who only want to know how a game ends."""


def conduct(referee: Referee, answering: Answering, watch: Watching = watch_nothing) -> Outcome:
    """Play a game to its end; `watch` is called after each turn's answers were played.

    A RefereeError if the referee fails; what `answering` or `watch` raise is theirs.
    """
    while requests := requests_of(referee):
        answers = answering(requests)
        play_turn(referee, requests, answers)
        watch(requests, answers)
    assert referee.outcome is not None
    return referee.outcome


def play_turn(referee: Referee, requests: Sequence[Request], answers: Sequence[Answer]) -> None:
    """Let the referee judge the answers of a turn; a RefereeError if it fails."""
    try:
        referee.answer(answers)
    except Exception as error:
        raise RefereeError(referee, error, requests, answers) from error


def requests_of(referee: Referee) -> Sequence[Request]:
    """Whom to ask what; nobody if the game is over. A RefereeError if the referee fails."""
    try:
        return referee.requests()
    except Exception as error:
        raise RefereeError(referee, error) from error


def play_bots(referee: Referee, bots: Sequence[Bot], budget: Budget, watch: Watching = watch_nothing) -> Outcome:
    """A game between bots of this process, each answer on the same budget; what a bot raises ends it."""

    def answering(requests: Sequence[Request]) -> list[Answer]:
        return [Answer(bots[request.seat].reply(request.lines, budget)) for request in requests]

    return conduct(referee, answering, watch)
