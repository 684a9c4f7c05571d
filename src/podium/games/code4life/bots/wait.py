"""`wait`: stands still. It can neither score nor be thrown out: a yardstick from below."""

from typing import Any

from podium.games.code4life.bots.player import Player
from podium.games.code4life.rules import WAIT
from podium.games.game import BotKind, Budget
from podium.kernel.minds import MindType

MINDS = MindType("code4life wait mind")


class WaitingPlayer(Player):
    """Stands still."""

    def choose(self, state: Any, budget: Budget) -> int:
        """Nothing."""
        return WAIT


KIND = BotKind("wait", "stands still", MINDS, WaitingPlayer)
