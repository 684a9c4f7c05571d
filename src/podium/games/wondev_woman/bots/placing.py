"""Chooses the enemy's place for the search among all that are possible.

The write-up's order of preference: where the enemy would be if it had played what the last search expected; else the
worst place for me by evaluation. The other ways exist to be measured against it.
"""

from typing import Any

import numpy as np

from podium.games.wondev_woman.board import CELLS, NOWHERE
from podium.games.wondev_woman.state import ROUNDS, State, put, rehash
from podium.games.wondev_woman.tracker import ALIVE, OUT, Tracker
from podium.kernel import allocate, kernel
from podium.kernel.bits import ONE, lowest
from podium.kernel.random import draw_below
from podium.model.rules import evaluate

Pair = tuple[int, int]


@kernel
def rate(now: Any, belief: Any, status: Any, params: Any, work: Any, pairs: Any, values: Any) -> Any:
    """List the pairs of a status with my evaluation of each; return how many there are."""
    count = 0
    state = work[0]
    for one in range(CELLS):
        rest = belief.sets[status, one]
        while rest:
            two = lowest(rest)
            rest &= rest - ONE
            work[0] = now
            put(state, 2, one)
            put(state, 3, two)
            state.out[1] = status
            pairs[count, 0] = one
            pairs[count, 1] = two
            values[count] = evaluate(state, params, 0)
            count += 1
    return count


class Placer:
    """Chooses places; owns the buffers for it."""

    def __init__(self, params: Any, random: Any) -> None:
        self.params = params
        self.random = random
        self._pairs = np.zeros((CELLS * CELLS, 2), np.int64)
        self._values = np.zeros(CELLS * CELLS)
        self._work = allocate(State, 1)

    def status(self, tracker: Tracker) -> int:
        """Whether the enemy is assumed to be ALIVE: yes, as long as that is possible."""
        return ALIVE if tracker.belief.sets[ALIVE].any() else OUT

    def worst(self, tracker: Tracker, count: int = 1) -> list[Pair]:
        """The worst places for me, the very worst first."""
        found = self._rate(tracker)
        order = np.argsort(self._values[:found], kind="stable")[:count]
        return [(int(self._pairs[i, 0]), int(self._pairs[i, 1])) for i in order]

    def any(self, tracker: Tracker) -> Pair:
        """A random possible place."""
        i = draw_below(self.random, self._rate(tracker))
        return int(self._pairs[i, 0]), int(self._pairs[i, 1])

    def _rate(self, tracker: Tracker) -> int:
        return int(
            rate(
                tracker.seen[-1],
                tracker.belief,
                self.status(tracker),
                self.params,
                self._work,
                self._pairs,
                self._values,
            )
        )


def placed(tracker: Tracker, pair: Pair, status: int, points: bool = True) -> Any:
    """What I see, with the enemy's units on a pair of cells (or NOWHERE), and the rounds and `points` so far."""
    work = allocate(State, 1)
    work[0] = tracker.seen[-1]
    state = work[0]
    put(state, 2, pair[0])
    put(state, 3, pair[1])
    state.out[1] = status
    state.rounds = min(len(tracker.seen) - 1, ROUNDS - 1)
    state.score[:] = tracker.points[-1] if points else 0
    if points and NOWHERE not in pair:
        low, high = (int(side[status, pair[0], pair[1]]) for side in (tracker.belief.low, tracker.belief.high))
        state.score[1] = (low + high + 1) // 2
    state.zobrist = rehash(state)
    return state
