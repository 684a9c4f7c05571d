"""`greedy`: the action with the best evaluation after it. One ply, no reply looked at."""

from typing import Any

import numpy as np

from podium.games.follow import Follower
from podium.games.game import BotKind, Budget, Option, Thoughts
from podium.games.wondev_woman.board import GIVE_UP, NOWHERE
from podium.games.wondev_woman.bots import evaluation  # noqa: F401 - registers the evaluation
from podium.games.wondev_woman.bots.mind import GREEDY_MINDS
from podium.games.wondev_woman.bots.placing import Placer, placed
from podium.games.wondev_woman.bots.warming import FIRST_PROMPT, SECOND_PROMPT
from podium.games.wondev_woman.rules import wondev_is_over, wondev_legal_moves, wondev_play
from podium.games.wondev_woman.state import MOST_MOVES, State
from podium.games.wondev_woman.view import ME, View
from podium.kernel import allocate, kernel
from podium.kernel.budget import NO_LIMIT
from podium.kernel.random import generator
from podium.kernel.rules import evaluate
from podium.search.hooks import terminal_value


@kernel
def look(states: Any, mind: Any, moves: Any, values: Any) -> Any:
    """Evaluate every action of states[0]; return how many there are."""
    count = wondev_legal_moves(states[0], moves)
    for i in range(count):
        states[1] = states[0]
        wondev_play(states[1], moves[i])
        if wondev_is_over(states[1]):
            values[i] = terminal_value(states[1], mind, ME)
        else:
            values[i] = evaluate(states[1], mind, ME)
    return count


class Greedy(Follower):
    """One ply."""

    view: View

    def __init__(self, mind: Any, seed: int) -> None:
        super().__init__(View())
        self.mind = mind
        self.placer = Placer(mind, generator(seed))
        self._states = allocate(State, 2)
        self._moves = np.zeros(MOST_MOVES, np.int64)
        self._values = np.zeros(MOST_MOVES)

    def warm_up(self) -> None:
        """Compile everything, or load it, by playing a made-up game."""
        twin = Greedy(self.mind, 0)
        twin.reply(FIRST_PROMPT, NO_LIMIT)
        twin.reply(SECOND_PROMPT, NO_LIMIT)

    def choose(self, budget: Budget) -> int:
        """The best action; among equals the first of the list."""
        if not self.view.prompt.actions:
            return GIVE_UP
        tracker, pair = self.view.tracker, self.view.prompt.enemy
        if self.mind.one_ply and NOWHERE in pair:
            pair = self.placer.worst(tracker)[0]
        self._states[0] = placed(tracker, pair, self.placer.status(tracker))
        count = look(self._states, self.mind, self._moves, self._values)
        best = int(np.argmax(self._values[:count]))
        move, value = int(self._moves[best]), float(self._values[best])
        line = [self.view.answer_of(move)]
        self.thoughts = Thoughts(value=value, depth=1, nodes=count, line=line, options=[Option(line[0], value)])
        return move


KINDS = (BotKind("greedy", "the best evaluation after one action", GREEDY_MINDS, Greedy),)
