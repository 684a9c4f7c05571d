"""`random` chooses at random, `wait` never moves: two bots without a plan, as references."""

from typing import Any

from podium.games.code_of_kutulu.state import PLAN, WAIT
from podium.games.code_of_kutulu.view import View, legal_choices
from podium.games.game import BotKind, Budget
from podium.games.view import RuleBot
from podium.kernel.random import draw_below, generator
from podium.model.params import Parameter, ParamSpec

WAIT_PARAMS = ParamSpec(
    "code of kutulu wait parameters",
    Parameter("plan_below", 0, "sanity below which PLAN is used if possible; 0: never", low=0, high=251),
)
RANDOM_PARAMS = ParamSpec(
    "code of kutulu random parameters",
    Parameter("moves_only", False, "never use PLAN, LIGHT and YELL"),
)


class Random(RuleBot):
    """Chooses at random."""

    def __init__(self, params: Any, seed: int) -> None:
        super().__init__(View())
        self.moves_only = bool(params.moves_only)
        self.random = generator(seed)

    def choose(self, budget: Budget) -> int:
        """A choice that has an effect, or WAIT, all equally likely."""
        choices = [choice for choice in legal_choices(self.state) if choice <= WAIT or not self.moves_only]
        return choices[int(draw_below(self.random, len(choices)))]


class Wait(RuleBot):
    """Stays where it is."""

    def __init__(self, params: Any, seed: int) -> None:
        super().__init__(View())
        self.plan_below = int(params.plan_below)

    def choose(self, budget: Budget) -> int:
        """WAIT, or PLAN if sanity is low."""
        if self.state.sanity[self.seat] < self.plan_below and PLAN in legal_choices(self.state):
            return PLAN
        return WAIT


KINDS = (
    BotKind("random", "a random choice that has an effect, or WAIT", RANDOM_PARAMS, Random),
    BotKind("wait", "never moves", WAIT_PARAMS, Wait),
)
