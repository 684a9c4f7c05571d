"""What a player knows of a game of Zuniq: everything."""

from collections.abc import Sequence

from podium.errors import IllegalError
from podium.games import view
from podium.games.game import MalformedError
from podium.games.zuniq.board import NAMES, NUMBERS
from podium.games.zuniq.protocol import START, answer_of, read_answer
from podium.games.zuniq.rules import is_legal, zuniq_mover, zuniq_play
from podium.games.zuniq.setup import initial_state


class View(view.View):
    """The board, drawn wall by wall."""

    def __init__(self) -> None:
        self.state = initial_state()
        self.seat = 0
        self.claimed = False  # whether this seat has claimed the win

    def read(self, lines: Sequence[str]) -> None:
        """The other's wall, or `Start`; whatever follows the third character is ignored."""
        text = lines[0].strip()
        if text != START:
            wall = NUMBERS.get(text[:3])
            if wall is None:
                raise MalformedError(f"expected Start, Quit or a wall such as A1h, but got {text[:3]!r}")
            self.draw(wall)
        self.seat = int(zuniq_mover(self.state))

    def draw(self, wall: int) -> None:
        """Draw a wall that somebody chose."""
        if not is_legal(self.state, wall):
            raise IllegalError(f"{NAMES[wall]} is not a legal wall after {int(self.state.plies)} plies")
        zuniq_play(self.state, wall)

    def answer_of(self, move: int) -> str:
        """The wall's name."""
        return answer_of(self.state, self.seat, move)

    def move_of(self, line: str) -> int | None:
        """The wall, if it is a legal one."""
        try:
            wall, _ = read_answer(self.state, self.seat, line)
        except MalformedError:
            return None
        return wall if is_legal(self.state, wall) else None

    def answered(self, line: str) -> None:
        """Draw my own wall."""
        wall, claim = read_answer(self.state, self.seat, line)
        self.draw(wall)
        self.claimed = self.claimed or claim
