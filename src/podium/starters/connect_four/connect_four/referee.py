"""The text of Connect Four, its referee, and what a player knows.

A prompt is one line: the word `moves`, and the columns (1 to 7) that were played so far: `moves 4453`. An answer is a
column. So a bot need not remember anything.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from connect_four.rules import COLUMNS, State, move_text
from podium.games import view
from podium.games.game import Limits, MalformedError
from podium.games.toolkit import TurnReferee, moves_of
from podium.kernel import blank
from podium.kernel.random import draw_below, generator
from podium.model.params import Parameter
from podium.model.rules import play

LIMITS = Limits(first=1000.0, later=100.0)
SETTINGS = (Parameter("opening", 2, "random stones before the players begin, so that games differ", 0, 6),)


class ConnectFourReferee(TurnReferee):
    """One game. The seed draws the opening."""

    def __init__(self, seed: int, opening: int = 2) -> None:
        super().__init__(blank(State), LIMITS)
        random = generator(seed)
        for _ in range(opening):
            self.play(moves_of(self.state)[draw_below(random, COLUMNS)])

    def prompt(self) -> Sequence[str]:
        """All moves so far."""
        return (f"moves {text_of(self.moves)}".strip(),)

    def history(self) -> Mapping[str, Any]:
        """All moves so far, for pictures."""
        return {"moves": text_of(self.moves)}

    def read(self, line: str) -> int:
        """A column; moves are counted from 0."""
        if len(line.strip()) != 1 or line.strip() not in "1234567":
            raise MalformedError(f"expected a column from 1 to {COLUMNS}, but got {line[:40]!r}")
        return int(line) - 1


def text_of(moves: Sequence[int]) -> str:
    """Moves as they stand in a prompt."""
    return "".join(move_text(None, move) for move in moves)


class View(view.View):
    """What a player knows: everything."""

    def read(self, lines: Sequence[str]) -> None:
        """Play all moves of the prompt."""
        moves = [int(column) - 1 for column in lines[0].removeprefix("moves").strip()]
        self.state, self.seat = blank(State), len(moves) % 2
        for move in moves:
            play(self.state, move)

    def answer_of(self, move: int) -> str:
        """A column, counted from 1."""
        return text_of([move])
