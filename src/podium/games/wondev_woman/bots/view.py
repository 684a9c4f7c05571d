"""What a player is told, read from the lines of a prompt."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from podium.errors import PodiumError
from podium.games.wondev_woman.board import (
    COMMANDS,
    DIRECTIONS,
    MOST_ACTIONS,
    NOWHERE,
    SIDE,
    action,
    cell_at,
)
from podium.games.wondev_woman.rules import FULL, State, rehash
from podium.kernel import blank

UNITS = 2
SMALLEST = 5


@dataclass(frozen=True)
class View:
    """One prompt."""

    size: int
    planes: tuple[int, ...]  # planes[h]: cells of height h or more
    own: tuple[int, int]  # cells of the player's units 0 and 1
    enemy: tuple[int, int]  # of the opponent's; NOWHERE if it is not seen
    actions: tuple[str, ...]  # the legal ones

    def codes(self) -> dict[int, str]:
        """The legal actions by code."""
        return {self.code(name): name for name in self.actions}

    def code(self, name: str) -> int:
        """The code of an action by its name."""
        words = name.split()
        try:
            command, unit, first, second = words
            return action(
                COMMANDS.index(command), self.own[int(unit)], DIRECTIONS.index(first), DIRECTIONS.index(second)
            )
        except (ValueError, IndexError):
            raise PodiumError(f"expected an action such as MOVE&BUILD 0 N SE, but got {name!r}") from None

    def state(self, enemy: tuple[int, int] | None = None) -> Any:
        """A state in which this player has seat 0 and is to move; `enemy` overrides where the opponent is."""
        state = blank(State)
        for level, cells in enumerate(self.planes):
            state.planes[level] = np.uint64(cells)
        for index, cell in enumerate((*self.own, *(enemy or self.enemy))):
            state.unit[index] = cell
        state.zobrist = rehash(state)
        return state


def read_prompt(lines: Sequence[str], size: int = 0) -> View:
    """Read a prompt; its first two lines may be the size of the grid and the number of units, else `size` is given."""
    rows = [line.strip() for line in lines]
    if not size or (len(rows) > 1 and rows[0] == str(size) and rows[1] == str(UNITS)):
        size = _number(rows, 0, "the size of the grid")
        if not SMALLEST <= size <= SIDE:
            raise PodiumError(f"line 1: the grid's side is {SMALLEST} to {SIDE}, not {size}")
        rows = rows[2:]
    if len(rows) < size + 2 * UNITS + 1:
        raise PodiumError(
            f"a prompt of size {size} has {size + 2 * UNITS + 1} lines before the actions, not {len(rows)}"
        )
    places = [_place(row, size) for row in rows[size : size + 2 * UNITS]]
    count = _number(rows, size + 2 * UNITS, "the number of legal actions")
    actions = tuple(rows[size + 2 * UNITS + 1 :][:count])
    if len(actions) != count or not 0 <= count <= MOST_ACTIONS:
        raise PodiumError(f"{count} legal actions were announced, but {len(actions)} lines follow")
    own, enemy = (places[0], places[1]), (places[2], places[3])
    if NOWHERE in own:
        raise PodiumError("a player always sees his own units")
    return View(size, _planes(rows[:size], size), own, enemy, actions)


def _number(rows: Sequence[str], index: int, what: str) -> int:
    try:
        return int(rows[index])
    except (ValueError, IndexError):
        raise PodiumError(f"expected {what}, but got {rows[index] if index < len(rows) else 'nothing'!r}") from None


def _place(row: str, size: int) -> int:
    try:
        x, y = (int(word) for word in row.split())
    except ValueError:
        raise PodiumError(f"expected the x y of a unit, but got {row!r}") from None
    if (x, y) == (-1, -1):
        return NOWHERE
    if not (0 <= x < size and 0 <= y < size):
        raise PodiumError(f"no cell of a grid of side {size}: {row!r}")
    return cell_at(x, y)


def _planes(rows: Sequence[str], size: int) -> tuple[int, ...]:
    planes = [0] * (FULL + 1)
    for y, row in enumerate(rows):
        if len(row) != size or set(row) - set(".01234"):
            raise PodiumError(f"expected a row of {size} heights 0 to 4 or dots, but got {row!r}")
        for x, letter in enumerate(row):
            if letter != ".":
                for level in range(int(letter) + 1):
                    planes[level] |= 1 << cell_at(x, y)
    return tuple(planes)
