"""`random`: draws any legal wall. The floor of every scale."""

from typing import Any

import numpy as np

from podium.games.follow import Instant
from podium.games.game import BotKind, Budget
from podium.games.zuniq.board import WALLS
from podium.games.zuniq.protocol import answer_of
from podium.games.zuniq.rules import zuniq_legal_moves
from podium.games.zuniq.view import View
from podium.kernel.minds import MindType, Parameter
from podium.kernel.random import draw_below, generator

MINDS = MindType("zuniq random mind", Parameter("claim", False, "claim the win with the first move"))


class Random(Instant):
    """Draws any legal wall."""

    def __init__(self, mind: Any, seed: int) -> None:
        super().__init__(View())
        self.claim = bool(mind.claim)
        self.random = generator(seed)
        self._walls = np.zeros(WALLS, np.int64)

    def choose(self, budget: Budget) -> int:
        """Any legal wall."""
        count = zuniq_legal_moves(self.state, self._walls)
        return int(self._walls[draw_below(self.random, count)])

    def say(self, move: int) -> str:
        """The wall, claimed or not."""
        return answer_of(self.state, self.seat, move, self.claim)


KINDS = (BotKind("random", "draws any legal wall", MINDS, Random),)
