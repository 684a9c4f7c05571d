"""Following a game by its prompts: what a player knows of it, and the base of bots that keep such a view."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any

from podium.games.game import Bot, Budget, Judgement, Option, Thoughts
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

    def move_of(self, line: str) -> int | None:
        """The move that an answer of this seat stands for in the present state; None if it stands for none."""
        return None

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
        self.told(line)

    def told(self, line: str) -> None:
        """Take note of what was really answered to the prompt that was read last, whatever it would have answered."""
        self.view.answered(line)

    def weigh(self, moves: Sequence[int], budget: Budget) -> list[Option | None]:
        """Its opinion of each of these moves in the present state, all seen equally deep; None where it has none.

        Called after `choose`. A bot that cannot search single moves tells what it thought of them when it chose.
        """
        known = {option.move: option for option in self.thoughts.options} if self.thoughts else {}
        return [known.get(self.view.answer_of(move)) for move in moves]

    def judge(self, lines: Sequence[str], line: str | None, budget: Budget) -> Judgement:
        """Read the prompt and choose; weigh the choice against what was answered, and take note of that."""
        self.thoughts = None
        self.view.read(lines)
        thinking, comparing = budget.slices(2)
        chosen = self.choose(thinking)
        answer, thoughts = self.say(chosen), self.thoughts
        played = None if line is None else self.view.move_of(line)
        moves = [chosen] if played in (None, chosen) else [chosen, played]
        options = self.weigh(moves, comparing)
        mine = options[0].value if options[0] else thoughts.value if thoughts else None
        other = options[-1] if played is not None else None
        if line is not None:
            self.told(line)
        agreed = played == chosen or line == answer
        value = mine if agreed else other.value if other else None
        return Judgement(answer, thoughts, mine, value, other.line if other else [])

    def alternatives(self, budget: Budget) -> list[Option]:
        """Its opinion of the moves that it considers in the present state, best first; called after `choose`."""
        return self.thoughts.options if self.thoughts else []

    def analyze(self, lines: Sequence[str], budget: Budget) -> Thoughts:
        """Read a prompt and think; then compare the moves."""
        self.thoughts = None
        self.view.read(lines)
        thinking, comparing = budget.slices(2)
        answer = self.say(self.choose(thinking))
        thoughts = self.thoughts or Thoughts(line=[answer], note=f"answers {answer} without a search")
        thoughts.options = self.alternatives(comparing)
        return thoughts


class Instant(Follower):
    """A bot that chooses at once, at random or by a rule, and follows by choosing too: so its draws keep in step."""

    def follow(self, lines: Sequence[str], line: str) -> None:
        """Choose as if it were asked, whatever was answered."""
        self.view.read(lines)
        self.choose(NO_LIMIT)
        self.view.answered(line)
