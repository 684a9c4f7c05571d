"""`random`: draws any legal wall. The floor of every scale."""

from typing import Any

from podium.games.game import BotKind, Budget
from podium.games.zuniq.bots.player import Player
from podium.kernel.minds import MindType, Parameter
from podium.kernel.random import draw_below, generator

MINDS = MindType("zuniq random mind", Parameter("claim", False, "claim the win with the first move"))


class RandomPlayer(Player):
    """Draws any legal wall."""

    def __init__(self, mind: Any, seed: int) -> None:
        super().__init__()
        self.claim = bool(mind.claim)
        self.random = generator(seed)

    def choose(self, budget: Budget) -> tuple[int, bool]:
        """Any legal wall."""
        walls = self.legal_walls()
        return int(walls[draw_below(self.random, len(walls))]), self.claim


KIND = BotKind("random", "draws any legal wall", MINDS, RandomPlayer)
