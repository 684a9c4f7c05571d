"""`wait`: stands still. It can neither score nor be thrown out: a yardstick from below."""

from podium.games.code4life.bots.robot import Robot
from podium.games.code4life.state import WAIT
from podium.games.game import BotKind, Budget
from podium.kernel.minds import MindType

MINDS = MindType("code4life wait mind")


class Wait(Robot):
    """Stands still."""

    def choose(self, budget: Budget) -> int:
        """Nothing."""
        return WAIT


KINDS = (BotKind("wait", "stands still", MINDS, Wait),)
