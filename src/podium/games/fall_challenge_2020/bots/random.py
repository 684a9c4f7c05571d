"""`random` plays a random legal move, `wait` does nothing: two bots without a plan, as references."""

from typing import Any

import numpy as np

from podium.games.fall_challenge_2020.legality import seat_moves
from podium.games.fall_challenge_2020.state import MOST_MOVES, REST, WAIT
from podium.games.fall_challenge_2020.view import ME, View
from podium.games.game import BotKind, Budget
from podium.games.view import RuleBot, ViewBot
from podium.kernel.random import draw_below, generator
from podium.model.params import Parameter, ParamSpec

RANDOM_PARAMS = ParamSpec(
    "fall challenge 2020 random parameters", Parameter("waits", True, "WAIT is among the moves; it is always legal")
)
WAIT_PARAMS = ParamSpec("fall challenge 2020 wait parameters", Parameter("rest", False, "answer REST instead of WAIT"))


class Random(RuleBot):
    """Plays a random legal move."""

    def __init__(self, params: Any, seed: int) -> None:
        super().__init__(View())
        self.first = 0 if params.waits else 1  # WAIT is the first of the legal moves
        self.random = generator(seed)
        self._moves = np.zeros(MOST_MOVES, np.int64)

    def choose(self, budget: Budget) -> int:
        """A legal move, all equally likely."""
        count = seat_moves(self.state, ME, self._moves)
        first = min(self.first, count - 1)
        return int(self._moves[first + draw_below(self.random, count - first)])


class Wait(ViewBot):
    """Does nothing, for a hundred turns."""

    def __init__(self, params: Any, seed: int) -> None:
        super().__init__(View())
        self.move = REST if params.rest else WAIT

    def choose(self, budget: Budget) -> int:
        """WAIT, or REST if the parameters say so."""
        return self.move


KINDS = (
    BotKind("random", "a random legal move", RANDOM_PARAMS, Random),
    BotKind("wait", "does nothing", WAIT_PARAMS, Wait),
)
