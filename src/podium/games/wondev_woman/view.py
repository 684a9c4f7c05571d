"""What a player knows of Wondev Woman, from its prompts and its own answers.

The player itself is always seat 0 of its own state. A prompt shows heights, own units and enemies in sight; what can be
told of the others from all prompts so far is for the tracker to say.
"""

from collections.abc import Sequence

from podium.games import follow
from podium.games.game import IllegalError, MalformedError
from podium.games.wondev_woman.board import GIVE_UP
from podium.games.wondev_woman.protocol import Prompt, answer_of, read_answer, read_prompt
from podium.games.wondev_woman.tracker import Tracker

ME, ENEMY = 0, 1


class View(follow.View):
    """Follows one game from a player's seat. In its state, enemies that are not seen are NOWHERE."""

    prompt: Prompt  # the last one

    def __init__(self) -> None:
        self.seat = ME
        self.size = 0
        self.tracker = Tracker()

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
