"""The board of Wondev Woman: cells, directions, neighbourhoods and the codes of actions.

A cell (x, y) of a grid of up to 7 x 7 is bit 8y + x: the eighth column and the eighth row stay empty, so that a set of
cells is widened by shifts without a cell wrapping around. Cell 63 is nowhere: a unit that is not on the board stands
there, and it has no neighbours.

Directions are numbered in the order in which the referee sorts their names. An action is one whole number: 6 bits
for the cell it starts from and 3 bits for each direction, plus one bit for a push. It names the unit by its cell, not
by its id, so that swapping the two units of a side changes nothing (the write-up's pawn permutation symmetry).
"""

import numpy as np

SIDE = 7  # of the largest grid
STRIDE = 8
CELLS = 64
NOWHERE = 63

DIRECTIONS = ("E", "N", "NE", "NW", "S", "SE", "SW", "W")
STEPS = ((1, 0), (0, -1), (1, -1), (-1, -1), (0, 1), (1, 1), (-1, 1), (-1, 0))
COMPASS = ("N", "NE", "E", "SE", "S", "SW", "W", "NW")  # neighbours in this ring are 45 degrees apart

MOVE, PUSH = 0, 1
COMMANDS = ("MOVE&BUILD", "PUSH&BUILD")
PUSH_BIT = 1 << 12
ACTIONS = 1 << 13  # codes are below this
GIVE_UP = NOWHERE << 6  # the move of a player without a legal action, which puts it out
PASS = (NOWHERE << 6) + 1  # what a player without a unit on the board does; a search may take hidden units off it


def cell_at(x: int, y: int) -> int:
    """The number of a cell."""
    return STRIDE * y + x


def place_of(cell: int) -> tuple[int, int]:
    """The (x, y) of a cell."""
    return cell % STRIDE, cell // STRIDE


def on_grid(x: int, y: int) -> bool:
    """Whether a cell lies on the largest grid."""
    return 0 <= x < SIDE and 0 <= y < SIDE


def action(kind: int, start: int, first: int, second: int) -> int:
    """The code of an action."""
    return kind * PUSH_BIT + (start << 6) + (first << 3) + second


def start_of(code: int) -> int:
    """The cell that an action starts from."""
    return code >> 6 & 63


def _target(cell: int, direction: int) -> int:
    (x, y), (dx, dy) = place_of(cell), STEPS[direction]
    return cell_at(x + dx, y + dy) if on_grid(x, y) and on_grid(x + dx, y + dy) else NOWHERE


def _bits(cells: list[int]) -> int:
    return sum(1 << cell for cell in set(cells) if cell != NOWHERE)


def _onward(direction: int) -> list[int]:
    """The directions in which a unit met in a direction may be pushed: the same one and its two neighbours."""
    ring = COMPASS.index(DIRECTIONS[direction])
    return [DIRECTIONS.index(COMPASS[(ring + turn) % 8]) for turn in (-1, 0, 1)]


# The cell one step away, or NOWHERE.
TARGET = np.array([[_target(cell, d) for cell in range(CELLS)] for d in range(8)], dtype=np.int64)
STEP = np.array([STRIDE * dy + dx for dx, dy in STEPS], dtype=np.int64)
# The direction that leads from a cell to the one whose number is greater by index - 9.
DIRECTION = np.full(19, -1, dtype=np.int64)
for _direction in range(8):
    DIRECTION[STEP[_direction] + 9] = _direction

NEIGHBOURS = np.array([_bits([_target(cell, d) for d in range(8)]) for cell in range(CELLS)], dtype=np.uint64)
# Where a unit on a cell may be pushed by one that stands in the opposite of the direction.
ONWARD = np.array(
    [[_bits([_target(cell, e) for e in _onward(d)]) for cell in range(CELLS)] for d in range(8)], dtype=np.uint64
)
IS_ONWARD = np.array([[e in _onward(d) for e in range(8)] for d in range(8)])
