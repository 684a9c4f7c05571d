"""`greedy`: the action with the best evaluation after it. One ply, no reply looked at."""

from typing import Any

import numpy as np

from podium.games.game import BotKind, Budget, Option, Thoughts
from podium.games.wondev_woman.board import MOST_ACTIONS, NOWHERE, name_of
from podium.games.wondev_woman.bots.evaluation import GREEDY
from podium.games.wondev_woman.bots.placing import Placer, placed
from podium.games.wondev_woman.bots.player import Player
from podium.games.wondev_woman.bots.view import View
from podium.games.wondev_woman.rules import State, wondev_is_over, wondev_legal_moves, wondev_play
from podium.kernel import allocate, kernel
from podium.kernel.clock import NEVER
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
            values[i] = terminal_value(states[1], mind, 0)
        else:
            values[i] = evaluate(states[1], mind, 0)
    return count


class Greedy(Player):
    """One ply."""

    def __init__(self, mind: Any, seed: int) -> None:
        super().__init__(seed)
        self.mind = mind
        self.placer = Placer(mind, self.random)
        self._states = allocate(State, 2)
        self._moves = np.zeros(MOST_ACTIONS, np.int64)
        self._values = np.zeros(MOST_ACTIONS)

    def warm_up(self) -> None:
        """Compile everything on a made-up first turn."""
        lines = ["5", "2", *["00000"] * 5, "0 0", "4 4", "-1 -1", "-1 -1", "1", "MOVE&BUILD 0 E S"]
        twin = Greedy(self.mind, 0)
        twin.reply(lines, Budget(NEVER))
        twin.reply([*lines[2:7], "1 0", *lines[8:11], "1", "MOVE&BUILD 1 N W"], Budget(NEVER))

    def choose(self, view: View, budget: Budget) -> int:
        """The best action; among equals the first of the list."""
        pair = view.enemy
        if self.mind.one_ply and NOWHERE in pair:
            pair = self.placer.worst(self.tracker)[0]
        self._states[0] = placed(self.tracker, pair, self.placer.status(self.tracker))
        count = look(self._states, self.mind, self._moves, self._values)
        best = int(np.argmax(self._values[:count]))
        code, value = int(self._moves[best]), float(self._values[best])
        name = name_of(code, view.own)
        self.thoughts = Thoughts(value=value, depth=1, nodes=count, line=[name], options=[Option(name, value)])
        return code


KIND = BotKind("greedy", "the best evaluation after one action", GREEDY, Greedy)
