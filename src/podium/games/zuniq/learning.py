"""How a network sees Zuniq: inputs that are on or off, and the symmetries of the board.

Per wall one of: drawn, free and joining nothing, free and closing a zone, forbidden now; no input is on for a wall
inside a zone, which matters to nobody any more. A wall that closes a zone, or would if it might, buries the free walls
inside it: whether these are odd or even is an input too, because parity decides an impartial game. Then the zone sizes
that exist, the sizes that one wall would close (of one, two or more such walls only one can be drawn), how many walls
are legal and how many free, each as a choice of one, and whether the free ones are odd or even, since a network
cannot count.

The player who draws the last wall wins. So the side to move wins if an odd number of the free walls will be drawn, and
a wall that closes nothing changes only the side to move and the number of free walls. The network predicts what such
moves do not change: whether an odd or an even number of the free walls will stay undrawn (`value_sign`). On the games
of nine generations from random weights, a network asked for the winner knew nothing while more than 30 walls were free
(50 % right); asked for this, it was right in 60 % with 35 to 45 free walls and in 67 % with 30 to 35.

The position alone decides, as for the search's key: who moves and which wall came last make no difference to the rest
of the game.
"""

from functools import cache
from typing import Any

import numpy as np

from podium.games.game import Learning
from podium.games.zuniq.board import DOT_A, DOT_B, EAST, SOUTH, SYMMETRIES, WALLS
from podium.games.zuniq.rules import ROW, enclosed, open_barriers
from podium.games.zuniq.state import State
from podium.kernel import kernel
from podium.kernel.bits import EMPTY, ONE, lowest, popcount
from podium.model.hooks import auxiliary_targets, features, value_sign

MOST_CELLS = 25  # of a zone
# Inputs by wall, where there are two of a kind for an even and for an odd number of walls that it would bury.
DRAWN, OPEN, CLOSING, FORBIDDEN = (WALLS * kind for kind in (0, 1, 2, 4))
SIZES = 6 * WALLS
CLOSABLE = SIZES + MOST_CELLS + 1  # by one wall, two, more; of each all sizes that bury an even number, then an odd one
ZONES = 2 * (MOST_CELLS + 1)
LEGAL = CLOSABLE + 3 * ZONES
FREE = LEGAL + WALLS + 1
PARITY = FREE + WALLS + 1
INPUTS = PARITY + 2
USUALLY_ON = 60

OPPONENTS = ("random", "uct", "champion:book=off")
SELF_PLAY = {"solve": 10, "endgame": 15}  # 15 walls mostly take the solver a few thousand positions


@kernel
def write_all(first: int, bits: Any, out: Any, count: int) -> int:
    """Turn on the inputs of a set of bits, from input `first` on; how many are on by then."""
    while bits:
        out[count] = first + lowest(bits)
        bits &= bits - ONE
        count += 1
    return count


@kernel
def buried(state: Any, zone: Any) -> Any:
    """How many free walls lie between two cells of a zone that is closed next."""
    return popcount(zone & (zone >> ONE) & ~state.east) + popcount(zone & (zone >> ROW) & ~state.south)


@features.register(State)
@kernel
def zuniq_features(state: Any, out: Any) -> int:
    """The inputs that are on."""
    count = 0
    east, south = open_barriers(state)
    rest = state.drawn
    while rest:
        wall = lowest(rest)
        rest &= rest - ONE
        if east & EAST[wall] or south & SOUTH[wall]:
            out[count] = DRAWN + wall
            count += 1
    once = twice = often = EMPTY  # sizes of zones that one, two, or more walls would close
    legal, rest = 0, state.free
    while rest:
        wall = lowest(rest)
        rest &= rest - ONE
        kind = OPEN
        if state.label[DOT_A[wall]] == state.label[DOT_B[wall]]:
            zone = enclosed(state.east, state.south, wall)
            size, odd = popcount(zone), buried(state, zone) & 1
            kind = CLOSING + odd * WALLS
            if (state.sizes >> np.uint64(size)) & ONE:
                kind = FORBIDDEN + odd * WALLS
            else:
                mark = ONE << np.uint64(size + odd * (MOST_CELLS + 1))
                often |= twice & mark
                twice |= once & mark
                once |= mark
        legal += kind < FORBIDDEN
        out[count] = kind + wall
        count += 1
    count = write_all(SIZES, state.sizes, out, count)
    count = write_all(CLOSABLE, once & ~twice, out, count)
    count = write_all(CLOSABLE + ZONES, twice & ~often, out, count)
    count = write_all(CLOSABLE + 2 * ZONES, often, out, count)
    free = popcount(state.free)
    out[count] = LEGAL + legal
    out[count + 1] = FREE + free
    out[count + 2] = PARITY + (free & 1)
    return count + 3


@value_sign.register(State)
@kernel
def zuniq_value_sign(state: Any) -> Any:
    """The side to move wins if an odd number of free walls stays undrawn when their number is even, and the reverse."""
    return 1 - 2 * (popcount(state.free) & 1)


@auxiliary_targets.register(State)
@kernel
def zuniq_auxiliary_targets(state: Any, out: Any) -> None:
    """Which walls were drawn in the end."""
    for wall in range(WALLS):
        out[wall] = np.float32((state.drawn >> np.uint64(wall)) & ONE)


@cache
def symmetries() -> tuple[Any, Any, Any]:
    """Where each of the 8 symmetries moves walls (as moves), inputs, and walls (as auxiliary targets)."""
    walls = SYMMETRIES.astype(np.int64)
    inputs = np.tile(np.arange(INPUTS), (len(walls), 1))
    for first in range(0, SIZES, WALLS):
        inputs[:, first : first + WALLS] = first + walls
    return walls, inputs, walls


def learning() -> Learning:
    """What Zuniq offers to a learner."""
    return Learning(INPUTS, USUALLY_ON, WALLS, symmetries, OPPONENTS, SELF_PLAY)
