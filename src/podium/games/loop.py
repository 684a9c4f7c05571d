"""The loop of every game: ask the referee whom to ask, answer, until it is over.

It keeps no clock and forgives nothing: what an answer may cost, and what a bot that fails is worth, is the arena's
business, which stands on this loop. Games use it for their benchmarks, studies and openings.
"""

from collections.abc import Callable, Sequence

from podium.games.game import Answer, Bot, Budget, Outcome, Referee, Request

Answering = Callable[[Sequence[Request]], Sequence[Answer]]  # the answers to all requests of a turn, in their order
Watching = Callable[[Sequence[Request], Sequence[Answer]], None]


def watch_nothing(requests: Sequence[Request], answers: Sequence[Answer]) -> None:
    """For those who only want to know how a game ends."""


def conduct(referee: Referee, answering: Answering, watch: Watching = watch_nothing) -> Outcome:
    """Play a game to its end; `watch` is called after each turn's answers were played."""
    while requests := referee.requests():
        answers = answering(requests)
        referee.answer(answers)
        watch(requests, answers)
    assert referee.outcome is not None
    return referee.outcome


def play_bots(referee: Referee, bots: Sequence[Bot], budget: Budget, watch: Watching = watch_nothing) -> Outcome:
    """A game between bots of this process, each answer on the same budget; what a bot raises ends it."""

    def answering(requests: Sequence[Request]) -> list[Answer]:
        return [Answer(bots[request.seat].reply(request.lines, budget)) for request in requests]

    return conduct(referee, answering, watch)
