"""The share of an alpha-beta search's time that its evaluations take.

A search to one depth, without iterations before it and without a cache, evaluates each position at its last ply that
does not end the game. Their number, times what an evaluation of such positions takes alone, over the time of the
search is the share. Alone an evaluation has the processor's caches to itself, so that the true share is rather larger.
"""

import time
from collections.abc import Callable, Sequence
from typing import Any

from podium.games.game import Benchmark
from podium.games.sample_mean import SampleMean, sample_mean
from podium.games.toolkit import repeat
from podium.kernel import kernel
from podium.model.rules import evaluate
from podium.search.alphabeta import AlphaBeta

EVALUATIONS_A_CALL = 50_000


@kernel
def evaluate_all(states: Any, params: Any, count: int) -> float:
    """Evaluate states in turn, `count` times; returns the sum, so that the compiler cannot leave any out."""
    total = 0.0
    for i in range(count):
        total += evaluate(states[i % states.size], params, 0)
    return total


def evaluation_benchmark(positions: Callable[[float], tuple[Any, Any]]) -> Benchmark:
    """The row `evaluation` of `podium bench`: states as a record array and parameters, given the seconds to measure.

    The rate of what a search evaluates, over this one, is the share of the search's time that evaluations take.
    """

    def run(seconds: float) -> tuple[int, float]:
        (states, params), count = positions(seconds), EVALUATIONS_A_CALL if seconds else 1

        def step() -> int:
            evaluate_all(states, params, count)
            return count

        return repeat(seconds, step)

    return Benchmark("evaluation", "a position evaluated", run)


def evaluation_share(game: Any, params: Any, states: Any, depth: int, runs: int) -> SampleMean:
    """The mean share over several runs, each of a search of all states to a depth; by processor time."""
    searcher = AlphaBeta(game, params)
    shares = [_share(searcher, params, states, depth) for _ in range(runs + 1)]
    return sample_mean(shares[1:])  # the first run compiles or loads


def _share(searcher: AlphaBeta, params: Any, states: Sequence[Any], depth: int) -> float:
    evaluations, begin = 0, time.process_time()
    for state in states:
        searcher.forget()
        searcher.decide(state, 0, depth=depth, stride=depth)
        evaluations += int(searcher.work.visits[depth])
    searched = time.process_time()
    evaluate_all(states, params, evaluations)
    return (time.process_time() - searched) / (searched - begin)
