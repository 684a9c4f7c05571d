"""`random`: any choice that does something, or WAIT. The floor of every scale."""

from typing import Any

from podium.games.code_of_kutulu.state import WAIT
from podium.games.code_of_kutulu.view import View, legal_choices
from podium.games.follow import Instant
from podium.games.game import BotKind, Budget
from podium.kernel.minds import MindType, Parameter
from podium.kernel.random import draw_below, generator

MINDS = MindType(
    "code of kutulu random mind",
    Parameter("moves_only", False, "never use PLAN, LIGHT and YELL"),
)


class Random(Instant):
    """Chooses at random."""

    def __init__(self, mind: Any, seed: int) -> None:
        super().__init__(View())
        self.moves_only = bool(mind.moves_only)
        self.random = generator(seed)

    def choose(self, budget: Budget) -> int:
        """Any choice that does something, or WAIT."""
        choices = [choice for choice in legal_choices(self.state) if choice <= WAIT or not self.moves_only]
        return choices[draw_below(self.random, len(choices))]


KINDS = (BotKind("random", "any choice that does something, or WAIT", MINDS, Random),)
