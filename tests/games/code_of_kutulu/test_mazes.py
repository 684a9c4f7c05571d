"""The mazes and their tables."""

import numpy as np
import pytest

from podium.games.code_of_kutulu.mazes import (
    BASE,
    CELLS,
    MAZES,
    UNREACHABLE,
    WORDS,
    make_words,
    sees,
    step_towards,
    walk,
)
from podium.kernel import JIT
from tests.games.code_of_kutulu.twin import Twin


@pytest.mark.parametrize("maze", MAZES if JIT else MAZES[8:9], ids=lambda maze: maze.name)
def test_the_stored_tables_are_those_of_the_mazes(maze):
    size = int(CELLS[maze.index])
    stored = WORDS[BASE[maze.index] : BASE[maze.index] + size * size].reshape(size, size)
    assert np.array_equal(stored, make_words(maze))


@pytest.mark.parametrize("index", range(16))
def test_ways_and_sights_are_those_of_the_plain_twin(index):
    maze = MAZES[index]
    twin = Twin(1, [m.rows for m in MAZES], index)
    cells = np.random.default_rng(index).integers(0, len(maze.points), size=(12, 2)).tolist()
    for start, goal in cells:
        for offset in range(4):
            found = twin.path(maze.points[start], maze.points[goal], offset, lambda at: 1)
            if found is None:
                assert walk(index, start, goal) == UNREACHABLE
            elif start != goal:
                assert walk(index, start, goal) == found[0]
                assert maze.points[step_towards(index, start, goal, offset)] == found[1]
        seen = any(maze.points[goal] in line for line in twin.line_of_sight(maze.points[start]))
        assert bool(sees(index, start, goal)) == seen


def test_the_mazes_are_those_of_the_contest():
    assert [maze.name for maze in MAZES][::5] == ["Four of a kind", "Typhoon", "Roommates", "Pixelated"]
    assert all(len(maze.starts) == 4 for maze in MAZES)
    assert [len(maze.spawns) for maze in MAZES] == [4] * 11 + [1, 4, 1, 4, 8]
    assert [len(maze.shelters) for maze in MAZES] == [4, 0, 4, 8, 4, 4, 5, 6, 4, 4, 0, 0, 0, 4, 4, 0]
