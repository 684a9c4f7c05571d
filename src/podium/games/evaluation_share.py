"""The share of a search's time that its evaluations take: the study `evaluation` of a game.

An alpha-beta search to one depth, without iterations before it and without a cache, evaluates each position at its last
ply that does not end the game. Their number, times what an evaluation of such positions takes alone, over the time of
the search is the share. Where every unit of a search takes the same number of evaluations, the rates of two benchmarks
give it. Alone an evaluation has the processor's caches to itself, so that the true share is rather larger.
"""

import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from podium.games.game import Benchmark, Findings
from podium.games.sample_mean import SampleMean, sample_mean
from podium.games.toolkit import repeat
from podium.kernel import kernel
from podium.model.rules import evaluate
from podium.search.alphabeta import AlphaBeta

EVALUATIONS_A_CALL = 50_000
RUNS = 5


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


def evaluation_findings(shares: Mapping[str, SampleMean], what: str, sentence: str = "") -> Findings:
    """The table of the study, with a row for each of what the first column names; shares are means of `RUNS` runs."""
    note = f"{sentence} Low and high: the 95 % interval of the mean."
    rows = [[name, RUNS, *share] for name, share in shares.items()]
    return Findings([what, "runs", "share", "low", "high"], rows, note.lstrip())


def evaluation_share(
    game: Any, params: Any, states: Any, depth: int, context: Callable[[Any], Any] = lambda state: None
) -> SampleMean:
    """The mean share over several runs, each of a search of all states to a depth; by processor time.

    `context` makes the search context of a state, if the game has one.
    """
    searcher = AlphaBeta(game, params)
    contexts = [context(state) for state in states]
    shares = [_share(searcher, params, states, contexts, depth) for _ in range(RUNS + 1)]
    return sample_mean(shares[1:])  # the first run compiles or loads


def _share(searcher: AlphaBeta, params: Any, states: Sequence[Any], contexts: Sequence[Any], depth: int) -> float:
    evaluations, begin = 0, time.process_time()
    for state, context in zip(states, contexts, strict=True):
        searcher.forget()
        searcher.decide(state, 0, context=context, depth=depth, stride=depth)
        evaluations += int(searcher.work.visits[depth])
    searched = time.process_time()
    evaluate_all(states, params if contexts[0] is None else contexts[0], evaluations)
    return (time.process_time() - searched) / (searched - begin)


def share_by_rates(search: Benchmark, evaluations: Benchmark, seconds: float, each: int = 1) -> SampleMean:
    """The mean share over several runs of both benchmarks, a unit of the search being `each` of the other's units."""
    for benchmark in (search, evaluations):
        benchmark.run(0.0)  # compiles or loads
    return sample_mean([each * search.rate(seconds) / evaluations.rate(seconds) for _ in range(RUNS)])
