"""`greedy`: the action with the best evaluation after it: one ply, without the enemy's reply."""

from typing import Any

import numpy as np

from podium.games.game import BotKind, Budget, Option, Thoughts
from podium.games.view import ViewBot
from podium.games.wondev_woman.board import GIVE_UP, NOWHERE
from podium.games.wondev_woman.bots import evaluation  # noqa: F401 - registers the evaluation
from podium.games.wondev_woman.bots.params import GREEDY_PARAMS
from podium.games.wondev_woman.bots.placing import Placer, placed
from podium.games.wondev_woman.rules import wondev_is_over, wondev_legal_moves, wondev_play
from podium.games.wondev_woman.state import MOST_MOVES, State
from podium.games.wondev_woman.view import FIRST_PROMPT, ME, SECOND_PROMPT, View
from podium.kernel import allocate, kernel
from podium.kernel.random import generator
from podium.model.budget import NO_LIMIT
from podium.model.hooks import terminal_value
from podium.model.rules import evaluate


@kernel
def look(states: Any, params: Any, moves: Any, values: Any) -> Any:
    """Evaluate every action of states[0]; return how many there are."""
    count = wondev_legal_moves(states[0], moves)
    for i in range(count):
        states[1] = states[0]
        wondev_play(states[1], moves[i])
        if wondev_is_over(states[1]):
            values[i] = terminal_value(states[1], params, ME)
        else:
            values[i] = evaluate(states[1], params, ME)
    return count


class Greedy(ViewBot):
    """Plays the action with the best evaluation one ply ahead."""

    view: View

    def __init__(self, params: Any, seed: int) -> None:
        super().__init__(View())
        self.params = params
        self.placer = Placer(params, generator(seed))
        self._states = allocate(State, 2)
        self._moves = np.zeros(MOST_MOVES, np.int64)
        self._values = np.zeros(MOST_MOVES)

    def warm_up(self) -> None:
        """Compile everything, or load it, by playing a made-up game."""
        twin = Greedy(self.params, 0)
        twin.reply(FIRST_PROMPT, NO_LIMIT)
        twin.reply(SECOND_PROMPT, NO_LIMIT)

    def choose(self, budget: Budget) -> int:
        """The best action; among equals the first of the list."""
        if not self.view.prompt.actions:
            return GIVE_UP
        tracker, pair = self.view.tracker, self.view.prompt.enemy
        if self.params.worst_place and NOWHERE in pair:
            pair = self.placer.worst(tracker)[0]
        self._states[0] = placed(tracker, pair, self.placer.status(tracker))
        count = look(self._states, self.params, self._moves, self._values)
        best = int(np.argmax(self._values[:count]))
        move, value = int(self._moves[best]), float(self._values[best])
        line = [self.view.answer_of(move)]
        self.thoughts = Thoughts(value=value, depth=1, nodes=count, line=line, options=[Option(line[0], value)])
        return move


KINDS = (BotKind("greedy", "the best evaluation after one action", GREEDY_PARAMS, Greedy),)
