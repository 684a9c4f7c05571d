"""What all bots of Code of Kutulu share: reading prompts, writing answers."""

from abc import abstractmethod
from collections.abc import Sequence
from typing import Any

import numpy as np

from podium.games.code_of_kutulu.protocol import answer_of
from podium.games.code_of_kutulu.rules import kutulu_legal_moves
from podium.games.code_of_kutulu.state import CHOICES
from podium.games.code_of_kutulu.view import View
from podium.games.game import Bot, Budget


class Player(Bot):
    """Keeps what its seat knows; a subclass chooses."""

    def __init__(self) -> None:
        self.view = View()
        self._choices = np.zeros(CHOICES, np.int64)

    @property
    def state(self) -> Any:
        """The position as far as it is known, with this seat to choose first."""
        return self.view.state

    @property
    def seat(self) -> int:
        """The seat that this bot plays."""
        return self.view.seat

    @abstractmethod
    def choose(self, budget: Budget) -> int:
        """The choice for this turn."""

    def reply(self, lines: Sequence[str], budget: Budget) -> str:
        """Read the prompt, choose."""
        self.view.read(lines)
        return answer_of(self.state, self.seat, self.choose(budget))

    def legal_choices(self) -> Any:
        """WAIT and the choices that do something."""
        return self._choices[: kutulu_legal_moves(self.state, self._choices)]
