"""`wait`: never moves. It shows what doing nothing is worth, and what the others make of it."""

from typing import Any

from podium.games.code_of_kutulu.state import PLAN, WAIT
from podium.games.code_of_kutulu.view import View, legal_choices
from podium.games.follow import Instant
from podium.games.game import BotKind, Budget
from podium.kernel.minds import MindType, Parameter

MINDS = MindType(
    "code of kutulu wait mind",
    Parameter("plan_below", 0, "sanity below which a PLAN is used if possible; 0: never", low=0, high=251),
)


class Wait(Instant):
    """Stays where it is."""

    def __init__(self, mind: Any, seed: int) -> None:
        super().__init__(View())
        self.plan_below = int(mind.plan_below)

    def choose(self, budget: Budget) -> int:
        """WAIT."""
        if self.state.sanity[self.seat] < self.plan_below and PLAN in legal_choices(self.state):
            return PLAN
        return WAIT


KINDS = (BotKind("wait", "never moves", MINDS, Wait),)
