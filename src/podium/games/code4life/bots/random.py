"""`random`: makes any legal move. The floor of every scale."""

from typing import Any

from podium.games.code4life.bots.robot import Robot
from podium.games.follow import Instant
from podium.games.game import BotKind, Budget
from podium.kernel.minds import MindType, Parameter
from podium.kernel.random import draw_below, draw_unit, generator

MINDS = MindType(
    "code4life random mind",
    Parameter("idle", 0.0, "chance to wait instead, from 0 to 1", low=0.0, high=1.0),
)


class Random(Robot, Instant):
    """Makes any legal move."""

    def __init__(self, mind: Any, seed: int) -> None:
        super().__init__(mind, seed)
        self.idle = float(mind.idle)
        self.random = generator(seed)

    def choose(self, budget: Budget) -> int:
        """Any legal move, waiting and staying included."""
        moves = self.legal_moves()
        if self.idle and draw_unit(self.random) < self.idle:
            return int(moves[0])
        return int(moves[draw_below(self.random, len(moves))])


KINDS = (BotKind("random", "makes any legal move", MINDS, Random),)
