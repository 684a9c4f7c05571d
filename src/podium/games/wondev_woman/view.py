"""What a player knows of Wondev Woman, from its prompts and its own answers.

The player is always seat 0 of the state. A prompt shows heights, own units and enemies in sight; the tracker deduces
the others from all prompts so far.
"""

from collections.abc import Sequence
from typing import Any, Self

from podium.games import view
from podium.games.game import IllegalError, MalformedError
from podium.games.wondev_woman.board import GIVE_UP, NOWHERE
from podium.games.wondev_woman.protocol import WondevPrompt, answer_of, opening_lines, prompt, read_answer, read_prompt
from podium.games.wondev_woman.rules import sight
from podium.games.wondev_woman.setup import side_of
from podium.games.wondev_woman.state import UNITS, own_units, rehash
from podium.games.wondev_woman.tracker import Tracker
from podium.kernel import copy_of

ME, ENEMY = 0, 1

# A made-up game of two prompts, on which bots compile what they need before their clock starts. The second prompt
# contradicts the first, so that the search for the turn in which an enemy gave up is compiled too.
FIRST_PROMPT = ["5", "2", *["00000"] * 5, "0 0", "4 4", "-1 -1", "-1 -1", "1", "MOVE&BUILD 0 E S"]
SECOND_PROMPT = [*FIRST_PROMPT[2:7], "1 0", *FIRST_PROMPT[8:11], "1", "MOVE&BUILD 1 N W"]


def seen(state: Any, seat: int) -> Any:
    """The state with the enemy units that a player does not see off the board, and without the enemy's points."""
    known, enemy = copy_of(state), 1 - seat
    visible = int(sight(state, seat))
    for unit, cell in enumerate(own_units(state, enemy)):
        if not visible >> cell & 1:
            known.unit[UNITS * enemy + unit] = NOWHERE
    known.score[enemy] = 0
    known.zobrist = rehash(known)
    return known


class View(view.View):
    """Follows one game from a player's seat. In its state, enemies that are not seen are NOWHERE."""

    prompt: WondevPrompt  # the last one

    def __init__(self, first_move: bool = True) -> None:
        """`first_move`: the enemy's first move is deduced, if the first prompt shows that there was one."""
        self.seat = ME
        self.size = 0
        self.tracker = Tracker(first_move)

    @classmethod
    def of(cls, state: Any, seat: int) -> Self:
        """The view of a player that is sent the state as its first prompt."""
        asked, size = copy_of(state), side_of(state)
        asked.mover = seat
        view = cls()
        view.read([*opening_lines(size), *prompt(asked, size)])
        return view

    def read(self, lines: Sequence[str]) -> None:
        """Take a prompt into account; the first one begins with the size of the grid."""
        self.prompt = read_prompt(lines, self.size)
        self.size = self.prompt.size
        self.state = self.prompt.state()
        self.tracker.observe(self.state)

    def answer_of(self, move: int) -> str:
        """A move as the protocol writes it."""
        return answer_of(self.state, ME, move)

    def move_of(self, line: str) -> int | None:
        """The action, if it is a legal one."""
        try:
            move = read_answer(self.state, ME, line)
        except (MalformedError, IllegalError):
            return None
        return None if move == GIVE_UP else move

    def answered(self, line: str) -> None:
        """Take the answer into account. One that puts the player out has no next prompt."""
        move = self.move_of(line)
        if move is not None:
            self.tracker.act(move)
