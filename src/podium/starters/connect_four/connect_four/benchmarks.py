"""How fast the searches of Connect Four are."""

from connect_four.bots import ALPHABETA_PARAMS, MCTS_PARAMS, alphabeta_search, mcts_search
from connect_four.rules import State
from podium.games.game import Benchmark
from podium.games.toolkit import search_rate
from podium.kernel import blank


def benchmarks() -> list[Benchmark]:
    """Rates of the two searches from the empty board, on one thread."""
    nodes = search_rate(lambda: alphabeta_search(ALPHABETA_PARAMS.params()), blank(State), 5_000_000)
    simulations = search_rate(lambda: mcts_search(MCTS_PARAMS.params()), blank(State), 500_000)
    return [
        Benchmark("nodes", "a move played by alpha-beta", nodes),
        Benchmark("simulations", "a simulation of MCTS with one playout", simulations),
    ]
