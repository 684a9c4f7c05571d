"""`random`: plays any move that succeeds. The floor of every scale."""

from typing import Any

import numpy as np

from podium.games.fall_challenge_2020.legality import seat_moves
from podium.games.fall_challenge_2020.state import MOST_MOVES
from podium.games.fall_challenge_2020.view import ME, View
from podium.games.follow import Instant
from podium.games.game import BotKind, Budget
from podium.kernel.minds import MindType, Parameter
from podium.kernel.random import draw_below, generator

MINDS = MindType(
    "fall challenge 2020 random mind",
    Parameter("waits", True, "whether WAIT is among the moves (it always succeeds)"),
)


class Random(Instant):
    """Plays any move that succeeds."""

    def __init__(self, mind: Any, seed: int) -> None:
        super().__init__(View())
        self.first = 0 if mind.waits else 1  # WAIT is the first of the legal moves
        self.random = generator(seed)
        self._moves = np.zeros(MOST_MOVES, np.int64)

    def choose(self, budget: Budget) -> int:
        """Any legal move."""
        count = seat_moves(self.state, ME, self._moves)
        first = min(self.first, count - 1)
        return int(self._moves[first + draw_below(self.random, count - first)])


KINDS = (BotKind("random", "plays any move that succeeds", MINDS, Random),)
