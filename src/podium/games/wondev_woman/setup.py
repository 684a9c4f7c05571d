"""The start of a game from its seed, in the official referee's order of draws."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from podium.games.wondev_woman.board import STRIDE, cell_at
from podium.games.wondev_woman.state import SEATS, UNITS, State, rehash
from podium.kernel import blank
from podium.kernel.random import JavaRandom
from podium.model.params import Parameter, Value

SQUARE, DIAMOND, RANDOM = 0, 1, 2
MAPS = 3

SQUARE_SIDE = 5
DIAMOND_RADIUS = 3
DIAMOND_CELLS = 25
RANDOM_SIDE = 6
FEWEST_CELLS, SPREAD = 25, 10  # a random map aims at 25 .. 34 cells
MOST_ITERATIONS = 1000

SETTINGS = (
    Parameter("mapIndex", -1, "map: 0 square, 1 diamond, 2 random; any other number: the seed draws one", -1e9, 1e9),
    Parameter("symmetric", False, "player 1's units start on the mirror images of player 0's"),
)

Cell = tuple[int, int]  # (x, y)


def random_map(random: JavaRandom) -> set[Cell]:
    """A mirrored, connected map of 6 x 6; single draws may overshoot the target."""
    target = FEWEST_CELLS + random.next_int(SPREAD)
    cells: set[Cell] = set()
    for _ in range(MOST_ITERATIONS):
        if len(cells) >= target and islands(cells) <= 1:
            break
        x = random.next_int(RANDOM_SIDE)
        y = random.next_int(RANDOM_SIDE)
        cells |= {(x, y), (RANDOM_SIDE - 1 - x, y)}
    return cells


def islands(cells: set[Cell]) -> int:
    """How many 8-connected components there are."""
    rest = set(cells)
    count = 0
    while rest:
        count += 1
        stack = [rest.pop()]
        while stack:
            x, y = stack.pop()
            near = {(x + dx, y + dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1)} & rest
            rest -= near
            stack.extend(near)
    return count


def cells_of_map(index: int, drawn: set[Cell]) -> set[Cell]:
    """The cells of the square, the diamond or the drawn map."""
    if index == SQUARE:
        return {(x, y) for x in range(SQUARE_SIDE) for y in range(SQUARE_SIDE)}
    if index == DIAMOND:
        side, r = 2 * DIAMOND_RADIUS + 1, DIAMOND_RADIUS
        return {(x, y) for x in range(side) for y in range(side) if abs(x - r) + abs(y - r) <= r}
    return drawn


def initial_state(seed: int, settings: Mapping[str, Value] | None = None) -> Any:
    """The state before the first turn; SETTINGS that are not given have their defaults."""
    chosen = {setting.name: setting.default for setting in SETTINGS} | dict(settings or {})
    _, floor, units = draw(seed, int(chosen["mapIndex"]), bool(chosen["symmetric"]))
    state = blank(State)
    state.planes[0] = np.uint64(sum(1 << cell_at(x, y) for x, y in floor))
    state.unit[:] = [cell_at(x, y) for x, y in units]
    state.zobrist = rehash(state)
    return state


def attributes(state: Any) -> dict[str, float | str]:
    """The map that the seed or the settings chose, and its number of cells."""
    cells = int(state.planes[0]).bit_count()
    names = {(SQUARE_SIDE, SQUARE_SIDE**2): "square", (2 * DIAMOND_RADIUS + 1, DIAMOND_CELLS): "diamond"}
    return {"map": names.get((side_of(state), cells), "random"), "cells": cells}


def side_of(state: Any) -> int:
    """The side of the smallest square grid that holds a state's floor."""
    floor = int(state.planes[0])
    return max(max(cell % STRIDE, cell // STRIDE) for cell in range(floor.bit_length()) if floor >> cell & 1) + 1


def draw(seed: int, map_index: int, symmetric: bool) -> tuple[int, set[Cell], list[Cell]]:
    """The map used, its cells, and the places of the units 0 and 1 of player 0, then of player 1."""
    random = JavaRandom(seed)
    drawn = random_map(random)
    index = random.next_int(MAPS)
    if 0 <= map_index < MAPS:
        index = map_index
    floor = cells_of_map(index, drawn)
    size = 1 + max(max(cell) for cell in floor)
    shuffled = sorted(floor)
    random.shuffle(shuffled)
    places = _mirrored(shuffled, size) if symmetric else shuffled[: SEATS * UNITS]
    return index, floor, places


def _mirrored(cells: list[Cell], size: int) -> list[Cell]:
    """Units of player 0 from the front of the list, those of player 1 on their mirror images."""
    mine: list[Cell] = []
    theirs: list[Cell] = []
    while len(mine) < UNITS and cells:
        x, y = cells.pop(0)
        mirror = (size - 1 - x, y)
        if mirror in cells:
            cells.remove(mirror)
            mine.append((x, y))
            theirs.append(mirror)
    return mine + theirs
