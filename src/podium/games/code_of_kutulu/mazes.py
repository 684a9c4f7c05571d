"""The sixteen mazes of Code of Kutulu, and what can be known of them before any game.

Walkable cells are numbered in scan order, so a cell fits a byte and all pairs of cells fit a table. One 16-bit word per
ordered pair says everything about walking from one to the other:

* bits 0 .. 7: two bits for each direction offset o = 0 .. 3: the first step of the referee's breadth-first search from
  the one to the other when neighbours are looked at in the directions o, o + 1, o + 2, o + 3 (modulo 4);
* bits 8 .. 13: the walking distance, UNREACHABLE if there is no way;
* bit 15: whether the one sees the other along a row or column.

The tables are global constant arrays, so a kernel that has a state in hand needs nothing else. They are made by `python
-m podium.games.code_of_kutulu.mazes` (some seconds) and kept in `data/paths.npz`, because a breadth-first search from
each cell of each maze is too slow to repeat on every import. Only few kernels use the large array, because each of them
gets a copy.
"""

import json
from collections import deque
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from podium.kernel import kernel
from podium.model.package_data import package_data

PACKAGE = "podium.games.code_of_kutulu"

UP, RIGHT, DOWN, LEFT = 0, 1, 2, 3
STEPS = ((0, -1), (1, 0), (0, 1), (-1, 0))

NO_CELL = 255
UNREACHABLE = 63  # the longest way in any maze takes 45 steps
MOST_CELLS = 256
MOST_SPAWNS = 8
MOST_SHELTERS = 8

DISTANCE_SHIFT = 8
DISTANCE_MASK = 63
SIGHT_SHIFT = 15

Point = tuple[int, int]


@dataclass(frozen=True)
class Maze:
    """A maze of the contest: its cells and spawns."""

    index: int
    name: str
    width: int
    height: int
    rows: tuple[str, ...]  # '#' wall, '.' floor, 'w' wanderer spawn, 'U' shelter, 'S' start

    def _all(self, marks: str) -> list[Point]:
        return [(x, y) for y, row in enumerate(self.rows) for x, mark in enumerate(row) if mark in marks]

    @cached_property
    def points(self) -> list[Point]:
        """The coordinates of each walkable cell."""
        return self._all(".wUS")

    @cached_property
    def cells(self) -> dict[Point, int]:
        """The cell at each walkable point."""
        return {point: cell for cell, point in enumerate(self.points)}

    def _marked(self, mark: str) -> list[int]:
        return [self.cells[point] for point in self._all(mark)]

    @cached_property
    def starts(self) -> list[int]:
        """The four cells on which explorers start."""
        return self._marked("S")

    @cached_property
    def spawns(self) -> list[int]:
        """The cells on which wanderers appear."""
        return self._marked("w")

    @cached_property
    def shelters(self) -> list[int]:
        """The cells of the shelters."""
        return self._marked("U")

    @cached_property
    def shown(self) -> tuple[str, ...]:
        """The rows as in prompts: without the starts."""
        return tuple(row.replace("S", ".") for row in self.rows)

    def neighbours(self, cell: int) -> list[int]:
        """The cells up, right, down and left of a cell; NO_CELL for a wall."""
        x, y = self.points[cell]
        return [self.cells.get((x + dx, y + dy), NO_CELL) for dx, dy in STEPS]


def _load() -> list[Maze]:
    entries = json.loads(package_data(PACKAGE, "mazes.json").read_text())
    return [Maze(e["index"], e["name"], e["width"], e["height"], tuple(e["rows"])) for e in entries]


MAZES = _load()
NAMES = {maze.name: maze.index for maze in MAZES}
BY_SHOWN_ROWS = {maze.shown: maze.index for maze in MAZES}


def search(neighbours: list[list[int]], start: int, offset: int) -> dict[int, tuple[int, int]]:
    """Distance and first direction of the referee's way from a cell to every cell it can reach."""
    found = {start: (0, 0)}
    queue = deque([start])
    while queue:
        here = queue.popleft()
        distance, first = found[here]
        for direction in ((i + offset) % 4 for i in range(4)):
            there = neighbours[here][direction]
            if there != NO_CELL and there not in found:
                found[there] = (distance + 1, direction if here == start else first)
                queue.append(there)
    return found


def make_words(maze: Maze) -> np.ndarray:
    """The word of every ordered pair of cells of a maze."""
    size = len(maze.points)
    neighbours = [maze.neighbours(cell) for cell in range(size)]
    words = np.full((size, size), UNREACHABLE << DISTANCE_SHIFT, np.uint16)
    for start in range(size):
        x, y = maze.points[start]
        ways = [search(neighbours, start, offset) for offset in range(4)]
        for there, (distance, _) in ways[0].items():
            other_x, other_y = maze.points[there]
            # with a wall between, the way round is longer than the straight line
            seen = (x == other_x or y == other_y) and distance == abs(x - other_x) + abs(y - other_y)
            firsts = sum(way[there][1] << (2 * offset) for offset, way in enumerate(ways))
            words[start, there] = seen << SIGHT_SHIFT | distance << DISTANCE_SHIFT | firsts
    return words


def _padded(rows: list[list[int]], width: int, dtype: type) -> np.ndarray:
    table: np.ndarray = np.full((len(rows), width), NO_CELL, dtype)
    for index, row in enumerate(rows):
        table[index, : len(row)] = row
    return table


CELLS = np.array([len(maze.points) for maze in MAZES], np.int64)
BASE = np.cumsum([0, *(len(maze.points) ** 2 for maze in MAZES[:-1])]).astype(np.int64)  # where a maze's words begin
X = _padded([[x for x, _ in maze.points] for maze in MAZES], MOST_CELLS, np.uint8)
Y = _padded([[y for _, y in maze.points] for maze in MAZES], MOST_CELLS, np.uint8)
SPAWNS = np.array([len(maze.spawns) for maze in MAZES], np.int64)
SPAWN_CELL = _padded([maze.spawns for maze in MAZES], MOST_SPAWNS, np.uint8)
SHELTERS = np.array([len(maze.shelters) for maze in MAZES], np.int64)
SHELTER_CELL = _padded([maze.shelters for maze in MAZES], MOST_SHELTERS, np.uint8)
SIZE = np.array([maze.width + maze.height for maze in MAZES], np.int64)
NEIGHBOUR = np.full((len(MAZES), MOST_CELLS, 4), NO_CELL, np.uint8)
for _maze in MAZES:
    for _cell in range(len(_maze.points)):
        NEIGHBOUR[_maze.index, _cell] = _maze.neighbours(_cell)


def _load_words() -> np.ndarray:
    path = package_data(PACKAGE, "paths.npz")
    if not path.exists():
        return np.concatenate([make_words(maze).ravel() for maze in MAZES])
    with np.load(path) as stored:
        return np.asarray(stored["words"])


WORDS = _load_words()


@kernel
def row_of(maze: Any, cell: Any) -> Any:
    """Where the words of ways from a cell begin; the caller adds the other cell's number."""
    return BASE[maze] + cell * CELLS[maze]


@kernel
def word_at(index: Any) -> Any:
    """A word of the table."""
    return np.int64(WORDS[index])


@kernel
def distance_of(word: Any) -> Any:
    """The walking distance in a word; UNREACHABLE if there is no way."""
    return (word >> DISTANCE_SHIFT) & DISTANCE_MASK


@kernel
def distance_at(index: Any) -> Any:
    """The walking distance in a word of the table; UNREACHABLE if there is no way."""
    return distance_of(word_at(index))


@kernel
def walk(maze: Any, start: Any, goal: Any) -> Any:
    """The walking distance between two cells; UNREACHABLE if there is no way."""
    return distance_at(row_of(maze, start) + goal)


@kernel
def sees(maze: Any, cell: Any, other: Any) -> Any:
    """Whether two cells see each other along a row or column (a cell sees itself)."""
    return word_at(row_of(maze, cell) + other) >> SIGHT_SHIFT != 0


@kernel
def step_towards(maze: Any, start: Any, goal: Any, offset: Any) -> Any:
    """The next cell on the referee's way between two different connected cells, for a direction offset."""
    direction = (word_at(row_of(maze, start) + goal) >> (2 * (offset & 3))) & 3
    return np.int64(NEIGHBOUR[maze, start, direction])


@kernel
def crow(maze: Any, cell: Any, other: Any) -> Any:
    """The Manhattan distance between two cells, through walls."""
    across = np.int64(X[maze, cell]) - np.int64(X[maze, other])
    down = np.int64(Y[maze, cell]) - np.int64(Y[maze, other])
    return abs(across) + abs(down)


if __name__ == "__main__":
    words = np.concatenate([make_words(maze).ravel() for maze in MAZES])
    np.savez_compressed(package_data(PACKAGE, "paths.npz"), words=words)
