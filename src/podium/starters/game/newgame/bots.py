"""The bots of Newgame: `random`, and `search`, which is the library's Monte Carlo search."""

from typing import Any

from newgame.referee import STONES, View
from newgame.rules import MOST_PLIES, MOST_TAKEN, State, initial_state
from podium.games.game import BotKind
from podium.games.kit import RandomBot, SearchBot
from podium.kernel.minds import MindType, Parameter, adjusted
from podium.search import mcts

RANDOM_MINDS = MindType("newgame random mind")
SEARCH_MINDS = MindType(
    "newgame search mind",
    *adjusted(mcts.PARAMETERS, playouts=1, rave=False, impact=0.0, exploration=1.0, memory=16),
    Parameter("margin", 10.0, "milliseconds that are never used", 0, 100),
)


def search_bot(mind: Any, seed: int) -> SearchBot:
    """The bot `search`. Moves are numbers up to MOST_TAKEN."""
    moves = MOST_TAKEN + 1

    def search() -> mcts.Mcts:
        return mcts.Mcts(State, mind, moves, moves, MOST_PLIES, seed)

    return SearchBot(View(), search, initial_state(STONES), margin=float(mind.margin), unit="result")


KINDS = (
    BotKind("search", "Monte Carlo search", SEARCH_MINDS, search_bot),
    BotKind("random", "any number of stones", RANDOM_MINDS, lambda mind, seed: RandomBot(View(), seed)),
)
