"""The state of Wondev Woman and its hash.

The heights are kept as planes: `planes[h]` is the set of cells of height h or more, `planes[0]` the floor. So the cells
that a unit on height h may enter are the floor without `planes[min(h + 2, 4)]`. A record is one cache line.
"""

from typing import Any

import numpy as np

from podium.games.wondev_woman.board import CELLS
from podium.kernel import kernel, record
from podium.kernel.bits import ONE, lowest
from podium.kernel.random import draw, generator

SEATS = 2
UNITS = 2  # of each player
FULL = 4  # a cell of this height can be neither entered nor built on
POINT = 3  # entering a cell of this height scores a point
ROUNDS = 200
MOST_MOVES = 128  # legal at once, as the contest states

State = record(
    "wondev woman state",
    [
        ("planes", "u8", (FULL + 1,)),  # planes[h]: cells of height h or more
        ("zobrist", "u8"),  # hash of heights, units, who is out and who is to move
        ("unit", "u1", (4,)),  # cells of player 0's units 0 and 1, then of player 1's
        ("score", "i2", (2,)),
        ("out", "u1", (2,)),
        ("mover", "u1"),
        ("rounds", "u1"),
        ("over", "u1"),
    ],
)


def _numbers(seed: int, *shape: int) -> np.ndarray:
    random = generator(seed)
    return np.array([draw(random) for _ in range(int(np.prod(shape)))], dtype=np.uint64).reshape(shape)


# Zobrist's hash: both units of a side share a table, so swapping them changes nothing.
UNIT_HASH = _numbers(1, 2, CELLS)
HEIGHT_HASH = _numbers(2, FULL + 1, CELLS)
OUT_HASH = _numbers(3, 2)
MOVER_HASH = _numbers(4, 2)
SCORE_HASH = _numbers(5, 2 * ROUNDS + 1)  # by the difference of the scores
ROUND_HASH = _numbers(6, ROUNDS + 1)
# A search of up to 64 plies meets the last round only from here on; before, the round does not tell positions apart.
LATE = ROUNDS - 65


@kernel
def bit(cell: Any) -> Any:
    """The set that holds one cell; NOWHERE gives a bit off the board."""
    return ONE << np.uint64(cell)


@kernel
def height(state: Any, cell: Any) -> Any:
    """The height of a floor cell."""
    shift = np.uint64(cell)
    planes = state.planes
    total = (planes[1] >> shift) & ONE
    total += (planes[2] >> shift) & ONE
    total += (planes[3] >> shift) & ONE
    total += (planes[4] >> shift) & ONE
    return np.int64(total)


@kernel
def units_of(state: Any, seat: Any) -> Any:
    """The cells of a player's units."""
    return bit(state.unit[2 * seat]) | bit(state.unit[2 * seat + 1])


def own_units(state: Any, seat: int) -> tuple[int, int]:
    """The cells of a player's units 0 and 1."""
    first, second = state["unit"][2 * seat : 2 * seat + 2].tolist()
    return first, second


@kernel
def put(state: Any, index: Any, cell: Any) -> None:
    """Move a unit (0 .. 3) to a cell."""
    seat = index >> 1
    state.zobrist ^= UNIT_HASH[seat, state.unit[index]] ^ UNIT_HASH[seat, cell]
    state.unit[index] = cell


@kernel
def raise_cell(state: Any, cell: Any) -> None:
    """Build one level on a cell that is not full."""
    level = height(state, cell) + 1
    state.planes[level] |= bit(cell)
    state.zobrist ^= HEIGHT_HASH[level, cell]


@kernel
def rehash(state: Any) -> Any:
    """The hash of heights, units, who is out and who is to move, from scratch."""
    total = MOVER_HASH[state.mover]
    for index in range(4):
        total ^= UNIT_HASH[index >> 1, state.unit[index]]
    for seat in range(2):
        if state.out[seat]:
            total ^= OUT_HASH[seat]
    for level in range(1, FULL + 1):
        rest = state.planes[level]
        while rest:
            total ^= HEIGHT_HASH[level, lowest(rest)]
            rest &= rest - ONE
    return total
