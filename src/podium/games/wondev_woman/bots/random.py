"""`random`: any legal action. The floor of every scale."""

from collections.abc import Sequence
from typing import Any

from podium.games.game import Bot, BotKind, Budget
from podium.games.wondev_woman.bots.view import read_prompt
from podium.kernel.minds import MindType, Parameter
from podium.kernel.random import draw_below, generator

MINDS = MindType(
    "wondev woman random mind", Parameter("surrender", False, "give up at once instead (to try out the arena)")
)
DEFEAT = "ACCEPT-DEFEAT"


class RandomPlayer(Bot):
    """Any legal action of the list."""

    def __init__(self, mind: Any, seed: int) -> None:
        self.surrender = bool(mind.surrender)
        self.random = generator(seed)
        self.size = 0

    def warm_up(self) -> None:
        """Compile what draws the action."""
        draw_below(generator(0), 1)

    def reply(self, lines: Sequence[str], budget: Budget) -> str:
        """Any action of the list."""
        view = read_prompt(lines, self.size)
        self.size = view.size
        if self.surrender or not view.actions:
            return DEFEAT
        return view.actions[draw_below(self.random, len(view.actions))]


KIND = BotKind("random", "any legal action", MINDS, RandomPlayer)
