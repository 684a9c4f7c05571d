"""What all bots of Zuniq share: following the game by its prompts."""

from abc import abstractmethod
from collections.abc import Sequence
from typing import Any

import numpy as np

from podium.errors import PodiumError
from podium.games.game import Bot, Budget
from podium.games.zuniq.board import NAMES, NUMBERS, WALLS
from podium.games.zuniq.rules import State, is_legal, reset, zuniq_legal_moves, zuniq_play
from podium.kernel import blank


class Player(Bot):
    """Keeps the position; a subclass chooses the wall."""

    def __init__(self) -> None:
        self.state = blank(State)
        reset(self.state)
        self._walls = np.zeros(WALLS, np.int64)

    @abstractmethod
    def choose(self, budget: Budget) -> tuple[int, bool]:
        """The wall to draw, and whether to claim the win."""

    def reply(self, lines: Sequence[str], budget: Budget) -> str:
        """Read the other's wall, or `Start`; answer with a wall. Whatever follows the third character is ignored."""
        if lines[0].strip() != "Start":
            self.draw(lines[0].strip()[:3])
        wall, claim = self.choose(budget)
        zuniq_play(self.state, wall)
        return NAMES[wall] + ("!" if claim else "")

    def draw(self, name: str) -> None:
        """Play a wall that somebody else chose."""
        wall = NUMBERS.get(name)
        if wall is None:
            raise PodiumError(f"expected Start, Quit or a wall such as A1h, but got {name!r}")
        if not is_legal(self.state, wall):
            raise PodiumError(f"{name} is not a legal wall after {int(self.state.plies)} plies")
        zuniq_play(self.state, wall)

    def legal_walls(self) -> Any:
        """The legal walls."""
        return self._walls[: zuniq_legal_moves(self.state, self._walls)]
