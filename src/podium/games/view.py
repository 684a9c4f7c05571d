"""Views: what a player knows of a game from its prompts; and the base classes of bots that keep one."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any, Self

from podium.games.game import Bot, Budget, Judgement, Option, Thoughts
from podium.kernel import copy_of
from podium.model.budget import NO_LIMIT


class View(ABC):
    """What one seat knows of a game in progress, read from the prompts that it was sent."""

    state: Any  # the position as far as it is known, a record of the game's State
    seat: int  # the player's own seat in that state

    @classmethod
    def of(cls, state: Any, seat: int) -> Self:
        """The view of a seat that joins the game in a state, which holds no more than the seat may know."""
        view = cls()
        view.state, view.seat = copy_of(state), seat
        return view

    @abstractmethod
    def read(self, lines: Sequence[str]) -> None:
        """Bring the state up to date with a prompt."""

    @abstractmethod
    def answer_of(self, move: int) -> str:
        """The text of a move of this seat in the present state."""

    def move_of(self, line: str) -> int | None:
        """The move that an answer of this seat stands for in the present state; None if it is not a legal move."""
        return None

    def answered(self, line: str) -> None:  # noqa: B027 - where the next prompt tells all, there is nothing to note
        """Take note of what this seat really answered to the last prompt."""


class ViewBot(Bot):
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

    def answer_for(self, move: int) -> str:
        """The answer that plays a chosen move."""
        return self.view.answer_of(move)

    def reply(self, lines: Sequence[str], budget: Budget) -> str:
        """Read the prompt, choose a move, answer it."""
        self.thoughts = None
        self.view.read(lines)
        line = self.answer_for(self.choose(budget))
        self.view.answered(line)
        return line

    def observe(self, lines: Sequence[str], line: str) -> None:
        """Read the prompt, and take note of the answer."""
        self.view.read(lines)
        self.note_answer(line)

    def note_answer(self, line: str) -> None:
        """Take note of what was really answered to the last prompt, which may not be the bot's own choice."""
        self.view.answered(line)

    def score_moves(self, moves: Sequence[int], budget: Budget) -> list[Option | None]:
        """Its evaluation of each of these moves in the present state, all at the same depth; None for unknown ones.

        Called after `choose`. By default these are the evaluations that the bot made when it chose.
        """
        known = {option.move: option for option in self.thoughts.options} if self.thoughts else {}
        return [known.get(self.view.answer_of(move)) for move in moves]

    def judge(self, lines: Sequence[str], line: str | None, budget: Budget) -> Judgement:
        """Read the prompt and choose; compare the choice with the real answer, and take note of that answer."""
        self.thoughts = None
        self.view.read(lines)
        to_choose, to_compare = budget.slices(2)
        chosen = self.choose(to_choose)
        answer, thoughts = self.answer_for(chosen), self.thoughts
        played = None if line is None else self.view.move_of(line)
        moves = [chosen] if played in (None, chosen) else [chosen, played]
        options = self.score_moves(moves, to_compare)
        mine = options[0].value if options[0] else thoughts.value if thoughts else None
        other = options[-1] if played is not None else None
        if line is not None:
            self.note_answer(line)
        agreed = played == chosen or line == answer
        value = mine if agreed else other.value if other else None
        return Judgement(answer, thoughts, mine, value, other.line if other else [])

    def alternatives(self, budget: Budget) -> list[Option]:
        """Its evaluation of the moves that it considers in the present state, best first; called after `choose`."""
        return self.thoughts.options if self.thoughts else []

    def matrix(self) -> dict[str, Any] | None:
        """The turn of the last search as a matrix (`Thoughts.matrix`); None for searches without one."""
        return None

    def analyze(self, lines: Sequence[str], budget: Budget) -> Thoughts:
        """Read a prompt and choose; then compare the moves."""
        self.thoughts = None
        self.view.read(lines)
        to_choose, to_compare = budget.slices(2)
        answer = self.answer_for(self.choose(to_choose))
        thoughts = self.thoughts or Thoughts(line=[answer], note=f"answers {answer} without a search")
        thoughts.options = self.alternatives(to_compare)
        thoughts.matrix = self.matrix()
        return thoughts


class RuleBot(ViewBot):
    """A bot that chooses by a rule or at random, without a search.

    `observe` also calls `choose`, so that the bot's random generator stays in sync with a game that it really plays.
    """

    def observe(self, lines: Sequence[str], line: str) -> None:
        """Choose as if asked, then take note of the real answer."""
        self.view.read(lines)
        self.choose(NO_LIMIT)
        self.view.answered(line)
