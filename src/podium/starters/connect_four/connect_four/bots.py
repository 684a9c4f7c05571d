"""The bots of Connect Four: a random one, and one around each of three searches."""

from collections.abc import Callable
from typing import Any

from connect_four import GAME
from connect_four.learning import INPUTS
from connect_four.referee import View
from connect_four.rules import State, completing
from podium.games.game import BotKind
from podium.games.toolkit import RandomBot, Search, SearchBot
from podium.kernel import blank, kernel
from podium.kernel.bits import popcount
from podium.model.params import Parameter, ParamSpec, adjusted
from podium.model.rules import evaluate
from podium.search import alphabeta, mcts, puct
from podium.search.network import NETWORK, network_for

MARGIN = Parameter("margin", 10.0, "Part of each time limit that is left unused, in ms.", 0, 100)
ALPHABETA_PARAMS = ParamSpec(
    "connect_four alphabeta parameters",
    *adjusted(alphabeta.PARAMETERS, evaluation_cache=False, table_depth=2),
    Parameter("threat", 10.0, "Score of an empty cell that would complete a line, in points.", 0, 1000),
    MARGIN,
)
UCT = {"playouts": 1, "rave": False, "impact": 0.0, "exploration": 1.0, "opponent_epsilon": 0.0, "solve": 0}
MCTS_PARAMS = ParamSpec("connect_four mcts parameters", *adjusted(mcts.PARAMETERS, **UCT), MARGIN)
ALPHAZERO_PARAMS = ParamSpec("connect_four alphazero parameters", *adjusted(puct.PARAMETERS, solve=0), MARGIN, NETWORK)


@evaluate.register(State, ALPHABETA_PARAMS.dtype)
@kernel
def connect_four_evaluate(state: Any, params: Any, seat: int) -> float:
    """The number of cells that would complete a line of the seat, less those of the opponent."""
    own = popcount(completing(state.own, state.taken))
    other = popcount(completing(state.own ^ state.taken, state.taken))
    return params.threat * (own - other if (state.plies & 1) == seat else other - own)


def alphabeta_search(params: Any, seed: int = 0) -> alphabeta.AlphaBeta:
    """Alpha-beta with all moves of a position."""
    return alphabeta.AlphaBeta(GAME, params)


def mcts_search(params: Any, seed: int = 0) -> mcts.Mcts:
    """Monte Carlo with one random playout for each simulation."""
    return mcts.Mcts(GAME, params, seed=seed)


def alphazero_search(params: Any, seed: int = 0) -> puct.Puct:
    """PUCT with a network that learnt the game by self-play."""
    return puct.Puct(GAME, params, network=network_for(params, "connect_four", INPUTS), seed=seed)


def bot_around(search: Callable[[Any, int], Search], unit: str = "result") -> Callable[[Any, int], SearchBot]:
    """What makes a bot that plays what a search finds."""

    def make(params: Any, seed: int) -> SearchBot:
        return SearchBot(View(), lambda: search(params, seed), blank(State), margin=float(params.margin), unit=unit)

    return make


RANDOM_PARAMS = ParamSpec("connect_four random parameters")
KINDS = (
    BotKind("alphabeta", "NegaScout that counts threats", ALPHABETA_PARAMS, bot_around(alphabeta_search, "points")),
    BotKind("mcts", "UCT with random playouts", MCTS_PARAMS, bot_around(mcts_search)),
    BotKind("alphazero", "PUCT with a network trained by self-play", ALPHAZERO_PARAMS, bot_around(alphazero_search)),
    BotKind("random", "a random column", RANDOM_PARAMS, lambda params, seed: RandomBot(View(), seed)),
)
