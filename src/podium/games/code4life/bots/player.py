"""What all bots of Code 4 Life share: reading prompts, answering moves."""

from abc import abstractmethod
from collections.abc import Sequence
from typing import Any

import numpy as np

from podium.games.code4life.protocol import answer_for
from podium.games.code4life.rules import MOST_MOVES, seat_moves
from podium.games.code4life.view import ME, View
from podium.games.game import Bot, Budget


class Player(Bot):
    """Keeps its view of the game; a subclass chooses the move."""

    def __init__(self) -> None:
        self.view = View()
        self._moves = np.zeros(MOST_MOVES, np.int64)

    @abstractmethod
    def choose(self, state: Any, budget: Budget) -> int:
        """A legal move of seat 0, which is the player itself."""

    def reply(self, lines: Sequence[str], budget: Budget) -> str:
        """Read a prompt, answer one line."""
        state = self.view.read(lines)
        return answer_for(state, ME, self.choose(state, budget))

    def legal_moves(self, state: Any) -> Any:
        """The legal moves that the player can be sure of: producing an undiagnosed sample is not listed."""
        return self._moves[: seat_moves(state, ME, self._moves)]
