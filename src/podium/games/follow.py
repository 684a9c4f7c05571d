"""Following a game by its prompts: what a player knows of it, and the base of bots that keep such a view."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any

from podium.games.game import Bot, Budget
from podium.kernel.budget import NO_LIMIT


class View(ABC):
    """What one seat knows of a game in progress, from the text that it was sent."""

    state: Any  # the position as far as it is known, a record of the game's State
    seat: int  # the player's own seat in that state

    @abstractmethod
    def read(self, lines: Sequence[str]) -> None:
        """Bring the state up to date with a prompt."""

    @abstractmethod
    def answer_of(self, move: int) -> str:
        """The line that stands for a move of this seat in the present state."""

    def answered(self, line: str) -> None:  # noqa: B027 - where the next prompt tells all, there is nothing to note
        """Take note of what this seat really answered to the last prompt."""


class Follower(Bot):
    """A bot that keeps a view of the game; a subclass chooses the move."""

    def __init__(self, view: View) -> None:
        self.view = view

    @property
    def state(self) -> Any:
        """The position as far as it is known."""
        return self.view.state

    @property
    def seat(self) -> int:
        """The bot's own seat in that state."""
        return self.view.seat

    @abstractmethod
    def choose(self, budget: Budget) -> int:
        """The move to play in the present state."""

    def say(self, move: int) -> str:
        """The answer that stands for a chosen move."""
        return self.view.answer_of(move)

    def reply(self, lines: Sequence[str], budget: Budget) -> str:
        """Read the prompt, choose, answer."""
        self.thoughts = None
        self.view.read(lines)
        line = self.say(self.choose(budget))
        self.view.answered(line)
        return line

    def follow(self, lines: Sequence[str], line: str) -> None:
        """Read the prompt, and take note of the answer."""
        self.view.read(lines)
        self.view.answered(line)


class Instant(Follower):
    """A bot that chooses at once, at random or by a rule, and follows by choosing too: so its draws keep in step."""

    def follow(self, lines: Sequence[str], line: str) -> None:
        """Choose as if it were asked, whatever was answered."""
        self.view.read(lines)
        self.choose(NO_LIMIT)
        self.view.answered(line)
