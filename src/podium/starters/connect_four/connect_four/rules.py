"""The rules of Connect Four on a bitboard, after Pascal Pons, "Solving Connect 4: how to build a perfect AI" (2015).

Column c has the bits 7c to 7c + 6: six cells from the bottom up, and one that is always empty, so that no line runs
from one column over into the next. A blank record is the empty board.
"""

from typing import Any

import numpy as np

from podium.kernel import kernel, record
from podium.kernel.bits import EMPTY, ONE
from podium.kernel.random import mix
from podium.model.rules import final_score, is_over, key, legal_moves, mover, play

COLUMNS, ROWS, CELLS = 7, 6, 42
STRIDE, TOP = np.uint64(ROWS + 1), np.uint64(ROWS - 1)  # bits to a column, and its highest cell
DIRECTIONS = np.array([1, ROWS, ROWS + 1, ROWS + 2], np.uint64)  # up, diagonally down, across, diagonally up
BOARD = np.uint64(sum((2**ROWS - 1) << (ROWS + 1) * column for column in range(COLUMNS)))
FROM_THE_MIDDLE = np.array([3, 2, 4, 1, 5, 0, 6])  # where most lines run: good moves first

State = record(
    "connect_four state",
    [
        ("own", "u8"),  # the stones of the player to move
        ("taken", "u8"),  # all stones
        ("plies", "i8"),
        ("connect_four", "?"),  # whether the last stone made a line of four
    ],
)


def move_text(state: Any, move: int) -> str:
    """A column, counted from 1."""
    return str(move + 1)


@kernel
def has_line(stones: Any) -> bool:
    """Whether four stones are in a line."""
    lines = EMPTY
    for i in range(len(DIRECTIONS)):
        pairs = stones & (stones >> DIRECTIONS[i])
        lines |= pairs & (pairs >> (DIRECTIONS[i] + DIRECTIONS[i]))
    return lines != EMPTY


@kernel
def completing(stones: Any, taken: Any) -> Any:
    """The empty cells that would complete a line of four."""
    cells = EMPTY
    for i in range(len(DIRECTIONS)):
        one, two, three = DIRECTIONS[i], DIRECTIONS[i] + DIRECTIONS[i], DIRECTIONS[i] + DIRECTIONS[i] + DIRECTIONS[i]
        cells |= (stones << one) & (stones << two) & ((stones << three) | (stones >> one))
        cells |= (stones >> one) & (stones >> two) & ((stones >> three) | (stones << one))
    return cells & BOARD & ~taken


@mover.register(State)
@kernel
def connect_four_mover(state: Any) -> int:
    """The two players alternate."""
    return state.plies & 1


@legal_moves.register(State)
@kernel
def connect_four_legal_moves(state: Any, out: Any) -> int:
    """The columns that are not full, from the middle outwards."""
    count = 0
    for i in range(COLUMNS):
        column = FROM_THE_MIDDLE[i]
        if not (state.taken >> (np.uint64(column) * STRIDE + TOP)) & ONE:
            out[count] = column
            count += 1
    return count


@play.register(State)
@kernel
def connect_four_play(state: Any, column: int) -> None:
    """Drop a stone; adding the lowest bit of a column to its stones carries up to the first empty cell."""
    taken = state.taken | (state.taken + (ONE << (np.uint64(column) * STRIDE)))
    state.connect_four = has_line(state.own | (taken ^ state.taken))
    state.own ^= state.taken
    state.taken = taken
    state.plies += 1


@is_over.register(State)
@kernel
def connect_four_is_over(state: Any) -> bool:
    """A line was made, or the board is full."""
    return state.connect_four or state.plies == CELLS


@final_score.register(State)
@kernel
def connect_four_final_score(state: Any, seat: int) -> int:
    """0 for a full board; the winner, who moved last, gets 1 plus the number of stones that it has left."""
    if not state.connect_four:
        return 0
    left = CELLS // 2 + 1 - (state.plies + 1) // 2
    return left if (state.plies & 1) != seat else -left


@key.register(State)
@kernel
def connect_four_key(state: Any) -> Any:
    """The sum of own and all stones is different for every position (Pons)."""
    return mix(state.own + state.taken)
