"""`wait`: does nothing, a hundred times. What a working opponent must beat without a brew by luck."""

from typing import Any

from podium.games.fall_challenge_2020.state import REST, WAIT
from podium.games.fall_challenge_2020.view import View
from podium.games.follow import Follower
from podium.games.game import BotKind, Budget
from podium.kernel.minds import MindType, Parameter

MINDS = MindType("fall challenge 2020 wait mind", Parameter("rest", False, "say REST instead of WAIT"))


class Wait(Follower):
    """Does nothing."""

    def __init__(self, mind: Any, seed: int) -> None:
        super().__init__(View())
        self.move = REST if mind.rest else WAIT

    def choose(self, budget: Budget) -> int:
        """Nothing."""
        return self.move


KINDS = (BotKind("wait", "does nothing", MINDS, Wait),)
