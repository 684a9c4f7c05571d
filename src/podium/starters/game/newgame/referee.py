"""The text of Newgame, its referee, and what a player knows.

A prompt is one line: who you are and how many stones are left, `0 21`. An answer is a number of stones to take.
"""

from collections.abc import Sequence

from newgame.rules import MOST_PLIES, initial_state
from podium.games import follow
from podium.games.game import Limits, MalformedError
from podium.games.kit import TurnReferee
from podium.kernel.minds import Parameter
from podium.kernel.random import draw_below, generator

LIMITS = Limits(first=1000.0, later=100.0)  # milliseconds
FEWEST, DIFFERENT = 15, 16  # the seed draws a heap from 15 to 30 stones
STONES = 21  # unless the seed or the user says otherwise
SETTINGS = (Parameter("stones", STONES, "size of the heap", 1, MOST_PLIES, drawn=True),)


class NewgameReferee(TurnReferee):
    """One game. The seed draws the heap, unless its size is given."""

    def __init__(self, seed: int, stones: int = 0) -> None:
        heap = stones or FEWEST + int(draw_below(generator(seed), DIFFERENT))
        super().__init__(initial_state(heap), LIMITS)

    def prompt(self) -> Sequence[str]:
        """The seat to move, and the heap."""
        return (f"{self.state.plies & 1} {self.state.newgame_stones}",)

    def read(self, line: str) -> int:
        """A number of stones; whether it is legal is asked afterwards."""
        if not (line.strip().isascii() and line.strip().isdigit() and len(line.strip()) < 10):
            raise MalformedError(f"expected a number of stones, but got {line[:40]!r}")
        return int(line)


class View(follow.View):
    """What a player knows: everything."""

    def read(self, lines: Sequence[str]) -> None:
        """Set the state up anew: a prompt tells all."""
        self.seat, stones = map(int, lines[0].split())
        self.state = initial_state(stones)
        self.state.plies = self.seat

    def answer_of(self, move: int) -> str:
        """The number of stones."""
        return str(move)
