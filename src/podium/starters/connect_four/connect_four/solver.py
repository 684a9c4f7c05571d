"""The winner of a position of Connect Four under perfect play: an exact solver, after Pascal Pons (see `rules.py`).

Alpha-beta over win, draw and loss alone. What makes it fast: a player that can complete a line does so, one that must
stop a line has no choice, cells below a line of the opponent are not played, moves that make most threats come first,
and a table keeps what was found.
"""

from typing import Any

import numpy as np

from connect_four.rules import BOARD, CELLS, COLUMNS, FROM_THE_MIDDLE, ROWS, STRIDE, completing
from podium.kernel import kernel
from podium.kernel.bits import EMPTY, ONE, popcount
from podium.kernel.random import mix

BOTTOM = np.uint64(sum(1 << (ROWS + 1) * column for column in range(COLUMNS)))
COLUMN = np.uint64(2**ROWS - 1)
SLOTS = 1 << 22

# What a slot tells of its position, in the three lowest bits beside the key.
CODE = np.uint64(7)
SHIFT = np.uint64(3)
AT_MOST, AT_LEAST = np.uint64(1), np.uint64(4)  # plus 0, 1 or 2 for a value of -1, 0 or 1


def new_table() -> Any:
    """An empty table; it serves any number of positions."""
    return np.zeros(SLOTS, np.uint64)


def value(state: Any, table: Any) -> int:
    """1, 0 or -1: the value of a position, in which the game is not over, for the player to move."""
    own, taken = np.uint64(state.own), np.uint64(state.taken)
    return int(solve(own, taken, np.int64(state.plies), np.int64(-1), np.int64(1), table))


@kernel
def solve(own: Any, taken: Any, plies: Any, low: Any, high: Any, table: Any) -> Any:
    """The value of a position, exact if it lies between the bounds; otherwise one beyond the bound that it reaches."""
    playable = (taken + BOTTOM) & BOARD
    if completing(own, taken) & playable:
        return np.int64(1)
    lines = completing(own ^ taken, taken)
    forced = playable & lines
    if forced & (forced - ONE):
        return np.int64(-1)
    if forced:
        playable = forced
    playable &= ~(lines >> ONE)
    if not playable:
        return np.int64(-1)
    if plies >= CELLS - 2:
        return np.int64(0)
    place = np.int64(mix(own + taken) & np.uint64(table.size - 1))
    known = table[place]
    if known >> SHIFT == own + taken:
        code = known & CODE
        if code >= AT_LEAST:
            low = max(low, np.int64(code - AT_LEAST) - 1)
        else:
            high = min(high, np.int64(code - AT_MOST) - 1)
        if low >= high:
            return low
    moves, scores = np.zeros(COLUMNS, np.uint64), np.zeros(COLUMNS, np.int64)
    count = order(own, taken, playable, moves, scores)
    best = np.int64(-1)
    alpha = low
    for i in range(count):
        found = -solve(own ^ taken, taken | moves[i], plies + 1, -high, -alpha, table)
        best, alpha = max(best, found), max(alpha, found)
        if alpha >= high:
            break
    bound = AT_LEAST if best > low else AT_MOST
    table[place] = (own + taken) << SHIFT | (bound + np.uint64(best + 1))
    return best


@kernel
def order(own: Any, taken: Any, playable: Any, moves: Any, scores: Any) -> int:
    """The playable cells, those that make most lines possible first, and from the middle outwards."""
    count = 0
    for i in range(COLUMNS):
        move = playable & (COLUMN << (np.uint64(FROM_THE_MIDDLE[i]) * STRIDE))
        if move == EMPTY:
            continue
        score = popcount(completing(own | move, taken | move))
        j = count
        while j > 0 and scores[j - 1] < score:
            moves[j], scores[j] = moves[j - 1], scores[j - 1]
            j -= 1
        moves[j], scores[j] = move, score
        count += 1
    return count
