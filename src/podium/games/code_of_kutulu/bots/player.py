"""What all bots of Code of Kutulu share: reading prompts, writing answers."""

from abc import abstractmethod
from collections.abc import Sequence
from typing import Any

import numpy as np

from podium.games.code_of_kutulu.mazes import MAZES, NO_CELL
from podium.games.code_of_kutulu.reader import Reader
from podium.games.code_of_kutulu.rules import kutulu_legal_moves
from podium.games.code_of_kutulu.state import CHOICES, WAIT, WORDS
from podium.games.game import Bot, Budget


def answer_of(state: Any, seat: int, choice: int) -> str:
    """A choice as the line that the contest's statement asks for; a step into a wall is a WAIT."""
    if choice >= WAIT:
        return WORDS[choice]
    maze = MAZES[state.maze]
    there = maze.neighbours(int(state.cell[seat]))[choice]
    if there == NO_CELL:
        return WORDS[WAIT]
    x, y = maze.points[there]
    return f"MOVE {x} {y}"


class Player(Bot):
    """Keeps what its seat knows; a subclass chooses."""

    def __init__(self) -> None:
        self.reader = Reader()
        self._choices = np.zeros(CHOICES, np.int64)

    @property
    def state(self) -> Any:
        """The position as far as it is known, with this seat to choose first."""
        return self.reader.state

    @property
    def seat(self) -> int:
        """The seat that this bot plays."""
        return self.reader.seat

    @abstractmethod
    def choose(self, budget: Budget) -> int:
        """The choice for this turn."""

    def reply(self, lines: Sequence[str], budget: Budget) -> str:
        """Read the prompt, choose."""
        self.reader.read(lines)
        return answer_of(self.state, self.seat, self.choose(budget))

    def legal_choices(self) -> Any:
        """WAIT and the choices that do something."""
        return self._choices[: kutulu_legal_moves(self.state, self._choices)]
