"""How fast rules, evaluation, deduction and search are, and what move ordering saves.

`podium bench wondev_woman --study ordering` measures the average size of the tree at a fixed depth, as the author of
the write-up did; he measured fresh maps only, and regretted it, so positions of the middle and of the end of games are
measured too.
"""

import time
from typing import Any

import numpy as np

from podium.games.game import Answer, Benchmark, Budget, Findings, Study
from podium.games.wondev_woman import studies
from podium.games.wondev_woman.bots import evaluation  # noqa: F401 - registers the evaluation
from podium.games.wondev_woman.bots.mind import CHAMPION_MINDS
from podium.games.wondev_woman.positions import END, FRESH, MIDDLE, STAGES, positions
from podium.games.wondev_woman.referee import WondevReferee
from podium.games.wondev_woman.setup import RANDOM
from podium.games.wondev_woman.state import MOST_MOVES, SEATS, State
from podium.games.wondev_woman.tracker import Belief, deduce
from podium.games.wondev_woman.view import View
from podium.kernel import allocate, blank, kernel
from podium.kernel.clock import SECOND, now
from podium.kernel.rules import evaluate
from podium.search.alphabeta import AlphaBeta

A_CALL = 50_000  # evaluations or games' plies in one call

FEWEST, A_SECOND = 4, 4  # positions of the ordering study: at least, and for each second given

DEPTHS = {FRESH: 4, MIDDLE: 4, END: 5}  # of the ordering study

NONE = dict.fromkeys(("hash_move", "killers", "history", "tie_break", "table", "evaluation_cache", "scout"), False)
STEPS = {  # each adds to those above it
    "plain alpha-beta": {},
    "+ hash move": {"hash_move": True},
    "+ killers": {"killers": True},
    "+ history": {"history": True},
    "+ height": {"tie_break": True},
    "NegaScout": {"scout": True},
    "+ values of the table": {"table": True},
}


def searching(stage: str, plies: int) -> Benchmark:
    """Nodes per second of the champion's search, a second for each position as on a first turn."""

    def run(seconds: float) -> tuple[int, float]:
        states = positions(plies, 4 if seconds else 1)
        searcher = AlphaBeta(State, CHAMPION_MINDS.mind(), MOST_MOVES)
        nodes, begin = 0, time.perf_counter()
        for state in states:
            searcher.forget()
            budget = Budget(now() + int(seconds / len(states) * SECOND), nodes=0 if seconds else 100)
            nodes += searcher.search(state, int(state.mover), budget).nodes
        return nodes, time.perf_counter() - begin

    return Benchmark(f"search, {stage}", "a node, with the full evaluation at the leaves", run)


@kernel
def evaluate_all(states: Any, mind: Any, count: int) -> float:
    """Evaluate states in turn."""
    total = 0.0
    for i in range(count):
        total += evaluate(states[i % states.size], mind, 0)
    return total


def evaluating(seconds: float) -> tuple[int, float]:
    """Evaluations per second."""
    states, mind = positions(STAGES[MIDDLE], 32 if seconds else 1), CHAMPION_MINDS.mind()
    count, begin = 0, time.perf_counter()
    while count == 0 or time.perf_counter() - begin < seconds:
        evaluate_all(states, mind, A_CALL if seconds else 1)
        count += A_CALL
    return count, time.perf_counter() - begin


def deducing(seconds: float) -> tuple[int, float]:
    """Second turns, where most pairs are possible: deduced from all that fit a first turn on which nothing was seen."""
    jobs = []
    for seed in range(1, 9 if seconds else 2):
        referee, views = WondevReferee(seed, mapIndex=RANDOM), [View() for _ in range(SEATS)]
        for view in views:
            view.read(referee.requests()[0].lines)
            view.answered(view.prompt.actions[0])
            referee.answer([Answer(view.prompt.actions[0])])
        tracker = views[0].tracker
        belief = tracker.belief  # at the first turn
        views[0].read(referee.requests()[0].lines)
        jobs.append((tracker.seen[0], tracker.actions[0], tracker.seen[1], belief))
    work, moves, new = allocate(State, 2), np.zeros(MOST_MOVES, np.int64), blank(Belief)
    count, begin = 0, time.perf_counter()
    while count == 0 or time.perf_counter() - begin < seconds:
        for former, action, seen, belief in jobs:
            deduce(former, action, seen, belief, new, 0, work, moves, False)
            count += 1
    return count, time.perf_counter() - begin


def benchmarks() -> list[Benchmark]:
    """Search at the three stages of a game, evaluation, deduction."""
    return [
        *(searching(stage, plies) for stage, plies in STAGES.items()),
        Benchmark("evaluation", "a position evaluated", evaluating),
        Benchmark("deduction", "a second turn, the one with the most possible places", deducing),
    ]


def tree_sizes(seconds: float) -> Findings:
    """Average nodes of iterative deepening to a fixed depth, for each step of move ordering.

    The time given decides only how many positions are measured.
    """
    count = max(FEWEST, round(A_SECOND * seconds))
    rows = []
    for stage, plies in STAGES.items():
        states = positions(plies, count)
        plain, changes = 0, dict(NONE)
        for name, change in STEPS.items():
            changes |= change
            searcher = AlphaBeta(State, CHAMPION_MINDS.mind(changes), MOST_MOVES)
            total = 0
            for state in states:
                searcher.forget()
                total += searcher.search(state, int(state.mover), depth=DEPTHS[stage]).nodes
            plain = plain or total
            rows.append([stage, DEPTHS[stage], name, round(total / count), f"{100 * total / plain:.1f} %"])
    return Findings(
        ["positions", "depth", "search", "nodes on average", "of plain"],
        rows,
        f"{count} positions of each stage, from games between shallow searches that now and then play at random; the "
        "nodes of all depths up to the last are counted.",
    )


STUDIES = {"ordering": Study("what each part of move ordering saves", tree_sizes), **studies.STUDIES}
