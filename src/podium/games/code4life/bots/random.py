"""`random` plays a random legal move, `wait` stands still: two bots without a plan, as references."""

from typing import Any

from podium.games.code4life.bots.base import Code4LifeBot
from podium.games.code4life.state import WAIT
from podium.games.game import BotKind, Budget
from podium.games.view import RuleBot
from podium.kernel.random import draw_below, draw_unit, generator
from podium.model.params import Parameter, ParamSpec

PARAMS = ParamSpec(
    "code4life random parameters",
    Parameter("idle", 0.0, "probability of waiting instead, from 0 to 1", low=0.0, high=1.0),
)


class Random(Code4LifeBot, RuleBot):
    """Plays a random legal move."""

    def __init__(self, params: Any, seed: int) -> None:
        super().__init__(params, seed)
        self.idle = float(params.idle)
        self.random = generator(seed)

    def choose(self, budget: Budget) -> int:
        """A legal move, all equally likely, waiting and staying included."""
        moves = self.legal_moves()
        if self.idle and draw_unit(self.random) < self.idle:
            return int(moves[0])
        return int(moves[draw_below(self.random, len(moves))])


class Wait(Code4LifeBot):
    """Stands still: it can neither score nor be disqualified."""

    def choose(self, budget: Budget) -> int:
        """Answer WAIT in every turn."""
        return WAIT


KINDS = (
    BotKind("random", "a random legal move", PARAMS, Random),
    BotKind("wait", "stands still", ParamSpec("code4life wait parameters"), Wait),
)
