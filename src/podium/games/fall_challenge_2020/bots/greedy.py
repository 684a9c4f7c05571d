"""`greedy`: learns a few spells, then goes for the best potion within reach of a shallow search.

A baseline: it looks at its own moves only, a handful of turns deep, as if the other player were not there. The value
of a line is the discounted price of the first potion it brews, or a little for the ingredients it ends with.
"""

from typing import Any

import numpy as np

from podium.games.fall_challenge_2020.cards import TIERS
from podium.games.fall_challenge_2020.legality import seat_moves
from podium.games.fall_challenge_2020.rules import simulate
from podium.games.fall_challenge_2020.state import (
    BREW,
    LEARN,
    MOST_MOVES,
    REST,
    State,
    card_at,
    encode,
    kind_of,
)
from podium.games.fall_challenge_2020.view import View
from podium.games.game import BotKind, Budget, Thoughts
from podium.games.view import ViewBot
from podium.kernel import allocate, kernel
from podium.kernel.bits import popcount
from podium.kernel.clock import NEVER, now
from podium.model.params import Parameter, ParamSpec

MOST_DEPTH = 8
CLOCK_EVERY = 1024  # nodes between two looks at the clock

PARAMS = ParamSpec(
    "fall challenge 2020 greedy parameters",
    Parameter("spells", 8, "spells to own before it brews, the four starting ones included (forum: 8 to 10)", 4, 46),
    Parameter("depth", 5, "search depth in turns", 1, MOST_DEPTH),
    Parameter("discount", 0.9, "discount of a potion's price per turn until it is brewed", 0.0, 1.0),
    Parameter("ingredient", 0.3, "rupees per tier of an ingredient held at the end of a line", 0.0, 10.0),
)


@kernel
def best_line(stack: Any, ply: int, depth: int, moves: Any, params: Any, used: Any, nodes: int, deadline: int) -> float:
    """The value of the best line from `stack[ply]`; at ply 0 its first move is left in used[1]."""
    state = stack[ply]
    best = 0.0
    for tier in range(TIERS):
        best += params.ingredient * (tier + 1) * state.inventory[0, tier]
    if ply == depth:
        return best
    count = seat_moves(state, 0, moves[ply])
    for i in range(1, count):  # the first is WAIT
        move = moves[ply, i]
        if kind_of(move) == LEARN:
            continue
        used[0] += 1
        if used[0] > nodes or (used[0] % CLOCK_EVERY == 0 and now() > deadline):
            used[0] = nodes + 1
            break
        stack[ply + 1] = state
        simulate(stack[ply + 1], move, REST)
        if kind_of(move) == BREW:
            value = float(stack[ply + 1].score[0] - state.score[0])
        else:
            value = best_line(stack, ply + 1, depth, moves, params, used, nodes, deadline)
        value *= params.discount
        if value > best:
            best = value
            if ply == 0:
                used[1] = move
    return best


class Greedy(ViewBot):
    """Learns a few spells, then brews what it can reach soonest."""

    def __init__(self, params: Any, seed: int) -> None:
        super().__init__(View())
        self.params = params
        self._stack = allocate(State, MOST_DEPTH + 1)
        self._moves = np.zeros((MOST_DEPTH + 1, MOST_MOVES), np.int64)

    def warm_up(self) -> None:
        """Compile the search."""
        self._search(1, NEVER)

    def choose(self, budget: Budget) -> int:
        """Learn the spell in front, or play the first move of the best line."""
        if popcount(self.state.owned[0]) < self.params.spells and self.state.tome_size:
            self.thoughts = Thoughts(note="learns the spell in front")
            return encode(LEARN, card_at(self.state.tome, 0), 0)
        deadline = NEVER if budget.nodes else (now() + budget.deadline) // 2
        return self._search(budget.nodes or 2**62, deadline)

    def _search(self, nodes: int, deadline: int) -> int:
        used = np.array([0, REST])
        self._stack[0] = self.state
        value = best_line(self._stack, 0, int(self.params.depth), self._moves, self.params, used, nodes, deadline)
        self.thoughts = Thoughts(value=value, unit="rupees", depth=int(self.params.depth), nodes=int(used[0]))
        return int(used[1])


KINDS = (BotKind("greedy", "learns a few spells, then brews what a shallow search reaches", PARAMS, Greedy),)
