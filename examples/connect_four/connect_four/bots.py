"""The bots of Connect Four: a random one, and one around each of two searches; and how fast these are."""

from typing import Any

from connect_four.referee import View
from connect_four.rules import BOARD, CELLS, COLUMNS, DIRECTIONS, State
from podium.games.game import Benchmark, BotKind
from podium.games.kit import RandomBot, SearchBot, search_rate
from podium.kernel import blank, kernel
from podium.kernel.bits import EMPTY, popcount
from podium.kernel.minds import MindType, Parameter, adjusted
from podium.kernel.rules import evaluate
from podium.search import alphabeta, mcts

MARGIN = Parameter("margin", 10.0, "milliseconds that are never used", 0, 100)
ALPHABETA_MINDS = MindType(
    "connect_four alphabeta mind",
    *adjusted(alphabeta.PARAMETERS, evaluation_cache=False, table_depth=2),
    Parameter("threat", 10.0, "points for an empty cell that would complete a line", 0, 1000),
    MARGIN,
)
UCT = {"playouts": 1, "rave": False, "impact": 0.0, "exploration": 1.0, "pitfalls": 0.0, "solve": 0}
MCTS_MINDS = MindType("connect_four mcts mind", *adjusted(mcts.PARAMETERS, **UCT), MARGIN)


@kernel
def completing(stones: Any, taken: Any) -> Any:
    """The empty cells that would complete a line of four."""
    cells = EMPTY
    for i in range(len(DIRECTIONS)):
        one, two, three = DIRECTIONS[i], DIRECTIONS[i] + DIRECTIONS[i], DIRECTIONS[i] + DIRECTIONS[i] + DIRECTIONS[i]
        cells |= (stones << one) & (stones << two) & ((stones << three) | (stones >> one))
        cells |= (stones >> one) & (stones >> two) & ((stones >> three) | (stones << one))
    return cells & BOARD & ~taken


@evaluate.register(State, ALPHABETA_MINDS.dtype)
@kernel
def connect_four_evaluate(state: Any, mind: Any, seat: int) -> float:
    """How many more cells would complete a line of one's own than of the other's."""
    own = popcount(completing(state.own, state.taken))
    other = popcount(completing(state.own ^ state.taken, state.taken))
    return mind.threat * (own - other if (state.plies & 1) == seat else other - own)


def alphabeta_search(mind: Any) -> alphabeta.AlphaBeta:
    """Alpha-beta with all moves of a position."""
    return alphabeta.AlphaBeta(State, mind, COLUMNS)


def mcts_search(mind: Any, seed: int = 0) -> mcts.Mcts:
    """Monte Carlo with one random playout for each simulation."""
    return mcts.Mcts(State, mind, COLUMNS, COLUMNS, CELLS, seed)


def benchmarks() -> list[Benchmark]:
    """Rates of the two searches from the empty board, on one thread."""
    nodes = search_rate(lambda: alphabeta_search(ALPHABETA_MINDS.mind()), blank(State), 5_000_000)
    simulations = search_rate(lambda: mcts_search(MCTS_MINDS.mind()), blank(State), 500_000)
    return [
        Benchmark("nodes", "a move played by alpha-beta", nodes),
        Benchmark("simulations", "a simulation of MCTS with one playout", simulations),
    ]


def alphabeta_bot(mind: Any, seed: int) -> SearchBot:
    """The bot `alphabeta`."""
    return SearchBot(View(), lambda: alphabeta_search(mind), blank(State), margin=float(mind.margin))


def mcts_bot(mind: Any, seed: int) -> SearchBot:
    """The bot `mcts`."""
    return SearchBot(View(), lambda: mcts_search(mind, seed), blank(State), margin=float(mind.margin), unit="result")


KINDS = (
    BotKind("alphabeta", "NegaScout that counts threats", ALPHABETA_MINDS, alphabeta_bot),
    BotKind("mcts", "UCT with random playouts", MCTS_MINDS, mcts_bot),
    BotKind("random", "any column", MindType("connect_four random mind"), lambda mind, seed: RandomBot(View(), seed)),
)
