"""The board of Zuniq: 6 x 6 dots, 5 x 5 cells, 60 walls; names, neighbours and symmetries.

Walls are numbered 0 .. 59: horizontal 5a + d, vertical 30 + 6a + d, for the dot in row a and column d from which
the wall runs to the right or down. Cells live on a 7 x 7 board of their own with 8 bits to a row: a ring of outside
cells surrounds the 25 inner ones, so that the rim walls are walls between cells like all others, and a fill that
touches the ring has reached the outside.
"""

import numpy as np

DOTS = 6
CELLS = 5
WALLS = 60
HORIZONTAL = 30  # walls below this number are horizontal
STRIDE = 8  # bits to a row of cells

ALL_WALLS = np.uint64((1 << WALLS) - 1)


def wall_name(wall: int) -> str:
    """The three characters that name a wall: row letter, column digit, orientation."""
    if wall < HORIZONTAL:
        return f"{'ABCDEF'[wall // 5]}{wall % 5 + 1}h"
    return f"{'ABCDE'[(wall - HORIZONTAL) // 6]}{(wall - HORIZONTAL) % 6 + 1}v"


NAMES = [wall_name(wall) for wall in range(WALLS)]
NUMBERS = {name: wall for wall, name in enumerate(NAMES)}


def dots_of(wall: int) -> tuple[tuple[int, int], tuple[int, int]]:
    """The two dots, as (row, column), that a wall joins."""
    if wall < HORIZONTAL:
        row, column = divmod(wall, 5)
        return (row, column), (row, column + 1)
    row, column = divmod(wall - HORIZONTAL, 6)
    return (row, column), (row + 1, column)


def cells_of(wall: int) -> tuple[tuple[int, int], tuple[int, int]]:
    """The two cells, as (row, column) with -1 and 5 for the outside, that a wall separates."""
    if wall < HORIZONTAL:
        row, column = divmod(wall, 5)
        return (row - 1, column), (row, column)
    row, column = divmod(wall - HORIZONTAL, 6)
    return (row, column - 1), (row, column)


def cell_bit(row: int, column: int) -> int:
    """The bit of a cell; the outside ring has row or column -1 or 5."""
    return 1 << (STRIDE * (row + 1) + column + 1)


def _wall_at(first: tuple[int, int], second: tuple[int, int]) -> int:
    (row, column), (other_row, _) = sorted((first, second))
    return 5 * row + column if row == other_row else HORIZONTAL + 6 * row + column


def _symmetry(index: int) -> list[int]:
    """Where each wall goes under one of the 8 symmetries: bit 2 transposes, then bit 1 flips rows, bit 0 columns."""

    def image(dot: tuple[int, int]) -> tuple[int, int]:
        row, column = (dot[1], dot[0]) if index & 4 else dot
        return (5 - row if index & 2 else row, 5 - column if index & 1 else column)

    return [_wall_at(*(image(dot) for dot in dots_of(wall))) for wall in range(WALLS)]


SYMMETRIES = np.array([_symmetry(index) for index in range(8)], dtype=np.uint8)
INVERSES = np.argsort(SYMMETRIES, axis=1).astype(np.uint8)

DOT_A = np.array([6 * dots_of(w)[0][0] + dots_of(w)[0][1] for w in range(WALLS)], dtype=np.uint8)
DOT_B = np.array([6 * dots_of(w)[1][0] + dots_of(w)[1][1] for w in range(WALLS)], dtype=np.uint8)
# The cells on both sides of a wall; the first one is never outside.
INNER = np.array(
    [cell_bit(*next(c for c in cells_of(w) if 0 <= c[0] < CELLS and 0 <= c[1] < CELLS)) for w in range(WALLS)],
    dtype=np.uint64,
)
BOTH = np.array([cell_bit(*cells_of(w)[0]) | cell_bit(*cells_of(w)[1]) for w in range(WALLS)], dtype=np.uint64)
# A wall as a barrier on the board of cells: at its upper or left cell, towards the east or the south.
EAST = np.array([0 if w < HORIZONTAL else cell_bit(*cells_of(w)[0]) for w in range(WALLS)], dtype=np.uint64)
SOUTH = np.array([cell_bit(*cells_of(w)[0]) if w < HORIZONTAL else 0 for w in range(WALLS)], dtype=np.uint64)
# The four walls around each cell, by the cell's bit number.
AROUND = np.zeros(64, dtype=np.uint64)
for _wall in range(WALLS):
    for _row, _column in cells_of(_wall):
        AROUND[cell_bit(_row, _column).bit_length() - 1] |= np.uint64(1 << _wall)

RING = np.uint64(
    sum(cell_bit(r, c) for r in range(-1, 6) for c in range(-1, 6) if not (0 <= r < CELLS and 0 <= c < CELLS))
)
# The two cells of a wall by the numbers of their bits; the whole outside is one.
OUTSIDE = 0
CELL_A = np.array([int(cell).bit_length() - 1 for cell in INNER], dtype=np.uint8)
CELL_B = np.array(
    [
        OUTSIDE if (both ^ inner) & RING else int(both ^ inner).bit_length() - 1
        for inner, both in zip(INNER, BOTH, strict=True)
    ],
    dtype=np.uint8,
)
