"""One game between bots of this process."""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from podium.games.game import Answer, Bot, Budget, Outcome, Referee, Request, Thoughts
from podium.kernel.clock import now

NANOSECONDS = 1_000_000  # in a millisecond


@dataclass(frozen=True)
class Allowance:
    """What bots may spend on each answer, where it is not what the contest gives."""

    milliseconds: float = 0.0  # 0: the contest's limit
    nodes: int = 0  # if positive: count nodes, ignore the clock

    def budget(self, request: Request) -> Budget:
        """The budget for one answer, beginning now."""
        limit = self.milliseconds or request.milliseconds
        return Budget(now() + int(limit * NANOSECONDS), request.bank and not self.milliseconds, self.nodes)


@dataclass(frozen=True)
class Turn:
    """One answered request."""

    request: Request
    answer: Answer
    thoughts: Thoughts | None


def play_game(
    referee: Referee,
    bots: Sequence[Bot],
    allowance: Allowance,
    watch: Callable[[Turn], None] = lambda turn: None,
) -> Outcome:
    """Play a game to its end; `watch` is called after each turn's answers were played."""
    while requests := referee.requests():
        turns = []
        for request in requests:
            budget = allowance.budget(request)
            start = time.perf_counter()
            line = bots[request.seat].reply(request.lines, budget)
            elapsed = (time.perf_counter() - start) * 1000
            late = not budget.nodes and now() > budget.deadline
            turns.append(Turn(request, Answer(None if late else line, elapsed), bots[request.seat].thoughts))
        referee.answer([turn.answer for turn in turns])
        for turn in turns:
            watch(turn)
    assert referee.outcome is not None
    return referee.outcome
