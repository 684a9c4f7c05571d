"""`random`: any legal action. The floor of every scale."""

from typing import Any

from podium.games.game import BotKind, Budget
from podium.games.view import RuleBot
from podium.games.wondev_woman.board import GIVE_UP
from podium.games.wondev_woman.view import View
from podium.kernel.random import draw_below, generator
from podium.model.params import Parameter, ParamSpec

PARAMS = ParamSpec(
    "wondev woman random parameters",
    Parameter("surrender", False, "give up in the first turn instead, to test the arena"),
)


class Random(RuleBot):
    """Any legal action of the list."""

    view: View

    def __init__(self, params: Any, seed: int) -> None:
        super().__init__(View())
        self.surrender = bool(params.surrender)
        self.random = generator(seed)

    def warm_up(self) -> None:
        """Compile what draws the action."""
        draw_below(generator(0), 1)

    def choose(self, budget: Budget) -> int:
        """Any action of the list."""
        actions = self.view.prompt.actions
        if self.surrender or not actions:
            return GIVE_UP
        return self.view.prompt.move_of(actions[draw_below(self.random, len(actions))])


KINDS = (BotKind("random", "any legal action", PARAMS, Random),)
