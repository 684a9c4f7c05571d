"""`random`: draws any legal wall. The floor of every scale."""

from typing import Any

import numpy as np

from podium.games.game import BotKind, Budget
from podium.games.view import RuleBot
from podium.games.zuniq.board import WALLS
from podium.games.zuniq.protocol import answer_of
from podium.games.zuniq.rules import zuniq_legal_moves
from podium.games.zuniq.view import View
from podium.kernel.random import draw_below, generator
from podium.model.params import Parameter, ParamSpec

PARAMS = ParamSpec("zuniq random parameters", Parameter("claim", False, "claim the win with the first move"))


class Random(RuleBot):
    """Draws any legal wall."""

    def __init__(self, params: Any, seed: int) -> None:
        super().__init__(View())
        self.claim = bool(params.claim)
        self.random = generator(seed)
        self._walls = np.zeros(WALLS, np.int64)

    def choose(self, budget: Budget) -> int:
        """A random legal wall."""
        count = zuniq_legal_moves(self.state, self._walls)
        return int(self._walls[draw_below(self.random, count)])

    def answer_for(self, move: int) -> str:
        """The wall, claimed or not."""
        return answer_of(self.state, self.seat, move, self.claim)


KINDS = (BotKind("random", "draws a random legal wall", PARAMS, Random),)
