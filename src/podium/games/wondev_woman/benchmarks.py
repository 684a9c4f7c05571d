"""How fast search, evaluation and deduction are: the search at three stages of a game."""

from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np

from podium.games.evaluation_share import evaluation_benchmark
from podium.games.game import Answer, Benchmark, Budget
from podium.games.toolkit import repeat
from podium.games.wondev_woman import GAME
from podium.games.wondev_woman.bots import evaluation  # noqa: F401 - registers the evaluation
from podium.games.wondev_woman.bots.params import CHAMPION_PARAMS
from podium.games.wondev_woman.referee import WondevReferee
from podium.games.wondev_woman.setup import RANDOM
from podium.games.wondev_woman.stages import MIDDLE, STAGES, positions
from podium.games.wondev_woman.state import MOST_MOVES, SEATS, State
from podium.games.wondev_woman.tracker import Belief, deduce
from podium.games.wondev_woman.view import View
from podium.kernel import allocate, blank
from podium.kernel.clock import SECOND, now
from podium.search.alphabeta import AlphaBeta

SEARCHED = "a node, with the full evaluation at the leaves"
POSITIONS = 4  # that are searched, of each stage
EVALUATED = 32  # positions that are evaluated in turn
DEDUCED = 8  # games whose second turn is deduced


def benchmarks() -> Sequence[Benchmark]:
    """Search at the three stages of a game, evaluation, deduction."""
    return (
        *(Benchmark(f"search, {stage}", SEARCHED, partial(_searches, plies)) for stage, plies in STAGES.items()),
        evaluation_benchmark(_evaluated),
        Benchmark("deduction", "a second turn, the one with the most possible places", _deductions),
    )


def _searches(plies: int, seconds: float) -> tuple[int, float]:
    """The champion's search, the time shared equally among the positions."""
    states = positions(plies, POSITIONS if seconds else 1)
    searcher = AlphaBeta(GAME, CHAMPION_PARAMS.params())
    nodes, start = 0, now()
    for state in states:
        searcher.forget()
        budget = Budget(now() + int(seconds / len(states) * SECOND), nodes=0 if seconds else 100)
        nodes += searcher.decide(state, int(state.mover), budget).nodes
    return nodes, (now() - start) / SECOND


def _evaluated(seconds: float) -> tuple[Any, Any]:
    return positions(STAGES[MIDDLE], EVALUATED if seconds else 1), CHAMPION_PARAMS.params()


SecondTurn = tuple[Any, int, Any, Any]  # what was seen at first, my action, what is seen then, the belief at first


def second_turns(games: int) -> list[SecondTurn]:
    """Second turns, where most pairs are possible: deduced from all that fit a first turn on which nothing was seen."""
    jobs = []
    for seed in range(1, 1 + games):
        referee, views = WondevReferee(seed, mapIndex=RANDOM), [View() for _ in range(SEATS)]
        for view in views:
            view.read(referee.requests()[0].lines)
            view.answered(view.prompt.actions[0])
            referee.answer([Answer(view.prompt.actions[0])])
        tracker = views[0].tracker
        belief = tracker.belief  # at the first turn
        views[0].read(referee.requests()[0].lines)
        jobs.append((tracker.seen[0], tracker.actions[0], tracker.seen[1], belief))
    return jobs


def deduction_of(job: SecondTurn, room: tuple[Any, Any, Any] | None = None) -> None:
    """Deduce a second turn, in `room` if the caller has some: states, moves and the belief that is written."""
    former, action, seen, belief = job
    work, moves, new = room or (allocate(State, 2), np.zeros(MOST_MOVES, np.int64), blank(Belief))
    deduce(former, action, seen, belief, new, 0, work, moves, False)


def _deductions(seconds: float) -> tuple[int, float]:
    jobs = second_turns(DEDUCED if seconds else 1)
    room = allocate(State, 2), np.zeros(MOST_MOVES, np.int64), blank(Belief)

    def step() -> int:
        for job in jobs:
            deduction_of(job, room)
        return len(jobs)

    return repeat(seconds, step)
