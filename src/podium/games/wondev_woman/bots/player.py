"""What the thinking bots share: following the game by its prompts, and telling what they think."""

from abc import abstractmethod
from collections.abc import Sequence
from typing import Any

import numpy as np

from podium.games.game import Bot, Budget
from podium.games.wondev_woman.board import CELLS, cell_at, name_of
from podium.games.wondev_woman.bots.tracker import Tracker
from podium.games.wondev_woman.bots.view import View, read_prompt
from podium.games.wondev_woman.rules import State, wondev_play
from podium.kernel import allocate
from podium.kernel.random import generator

DEFEAT = "ACCEPT-DEFEAT"


class Player(Bot):
    """Keeps track of the enemy; a subclass chooses the action."""

    def __init__(self, seed: int) -> None:
        self.random = generator(seed)
        self.tracker = Tracker()
        self.size = 0

    @abstractmethod
    def choose(self, view: View, budget: Budget) -> int:
        """The code of the action to take; there is at least one."""

    def reply(self, lines: Sequence[str], budget: Budget) -> str:
        """Read a prompt, answer with one of its actions."""
        self.thoughts = None
        view = read_prompt(lines, self.size)
        self.size = view.size
        self.tracker.observe(view)
        if not view.actions:
            return DEFEAT
        code = self.choose(view, budget)
        self.tracker.act(code)
        return name_of(code, view.own)


def names_of_line(state: Any, line: Sequence[int]) -> list[str]:
    """The actions of a line by name."""
    work = allocate(State, 1)
    work[0] = state
    names = []
    for code in line:
        seat = int(work[0].mover)
        own = (int(work[0].unit[2 * seat]), int(work[0].unit[2 * seat + 1]))
        names.append(name_of(int(code), own))
        wondev_play(work[0], code)
    return names


def heat_of(tracker: Tracker, size: int) -> list[list[float]]:
    """The share of the possible pairs in which an enemy unit stands on each cell, by rows."""
    bits = (np.bitwise_or(*tracker.belief.sets)[:, None] >> np.arange(CELLS, dtype=np.uint64)) & np.uint64(1)
    counts = bits.sum(axis=0) + bits.sum(axis=1)
    total = max(1, int(bits.sum()))
    return [[float(counts[cell_at(x, y)]) / total for x in range(size)] for y in range(size)]
