"""The result of a search for people: moves as text, shown as a table in terminal and notebook."""

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Any

from podium.display import Displayable
from podium.kernel.records import allocate, copy_of
from podium.model.result import Proof, Result
from podium.model.rules import before_turn, mover
from podium.model.ruleset import Rules


class SearchResult(Displayable):
    """What a search found out about a position, with moves as text; `numbers` has them as numbers.

    Values are those of `seat`. A `line` is a principal variation, its first move included.
    """

    def __init__(
        self,
        numbers: Result,
        rules: Rules,
        state: Any,
        seat: int,
        seconds: float,
        step: Callable[[Any, int], Any],
    ) -> None:
        self.numbers = numbers
        self.seat = seat
        self.seconds = seconds
        self._rules, self._step = rules, step
        self._state = allocate(state.dtype, 1)
        self._state[0] = state

    @property
    def value(self) -> float:
        """For the seat, on the scale of the search's evaluation or of its playouts."""
        return self.numbers.value

    @property
    def depth(self) -> int:
        """The depth that was searched, in plies."""
        return self.numbers.depth

    @property
    def nodes(self) -> int:
        """Positions made, or simulations."""
        return self.numbers.nodes

    @property
    def proof(self) -> Proof:
        """What is proven of the position, for the seat."""
        return self.numbers.proof

    @property
    def move(self) -> str:
        """The best move, as text."""
        return self.line[self._before_own]

    @cached_property
    def _before_own(self) -> int:
        """How many moves of the line come before the seat's own: with simultaneous moves others may choose before."""
        position = copy_of(self._state[0])
        for count, move in enumerate(self.numbers.line):
            if move == self.numbers.move and mover(position) == self.seat:
                return count
            self._step(position, move)
            if before_turn(position):
                break
        return 0

    @cached_property
    def line(self) -> list[str]:
        """The principal variation."""
        return self._texts(self.numbers.line)

    @property
    def headline(self) -> str:
        """The result in one sentence."""
        proven = f", proven {self.proof}" if self.proof else ""
        return f"{self.move} (value {self.value:.4g}{proven}) after {self.nodes:,} nodes in {self.seconds:.3g} s"

    def rows(self) -> list[dict[str, Any]]:
        """A row for each root move that something is known about, best first; with mixed strategies, its share."""
        before, mixed = self.numbers.line[: self._before_own], any(each.share for each in self.numbers.options)
        return [
            {
                "move": self._texts([*before, option.move])[-1],
                "value": option.value,
                "visits": option.visits,
                "proof": str(option.proof),
                "line": " ".join(self._texts(option.line)),
                **({"share": option.share} if mixed else {}),
            }
            for option in self.numbers.options
        ]

    def data(self) -> dict[str, Any]:
        """All of it as plain data."""
        return {
            "move": self.move,
            "value": self.value,
            "depth": self.depth,
            "nodes": self.nodes,
            "seconds": self.seconds,
            "line": self.line,
            "proof": str(self.proof),
            "seat": self.seat,
            "options": self.rows(),
        }

    def _texts(self, moves: Sequence[int]) -> list[str]:
        """The texts of a sequence of moves."""
        position = allocate(self._state.dtype, 1)
        position[0] = self._state[0]
        texts = []
        for move in moves:
            texts.append(self._rules.move_text(position[0], move))
            self._step(position[0], move)
        return texts
