"""How a network sees Zuniq: inputs that are on or off, and the symmetries of the board.

Per wall one of: drawn, free and joining nothing, free and closing a zone, forbidden now; no input is on for a wall
inside a zone, which matters to nobody any more. Then the zone sizes that exist, the sizes that one wall would close,
and how many walls are legal and how many free, each as a choice of one, and whether the free ones are odd or even: an
impartial game turns on parity, which a network cannot count but can be told.

Whoever draws the last wall wins. So whoever is to move wins if an odd number of the free walls will be drawn, and a
wall that closes nothing changes only whose turn it is and how many are free. The network is asked for what such moves
leave as it is: whether an odd or an even number of the free walls will stay undrawn (`sense`). On the games of nine
generations from random weights, a network asked for the winner knew nothing while more than 30 walls were free (50 %
right); asked for this, it was right in 60 % with 35 to 45 free walls and in 67 % with 30 to 35.

The position alone decides, as for the search's key: who moves and which wall came last make no difference to the rest
of the game.
"""

from functools import cache
from typing import Any

import numpy as np

from podium.games.game import Learning
from podium.games.zuniq.board import DOT_A, DOT_B, EAST, SOUTH, SYMMETRIES, WALLS
from podium.games.zuniq.rules import enclosed, open_barriers
from podium.games.zuniq.state import State
from podium.kernel import kernel
from podium.kernel.bits import ONE, lowest, popcount
from podium.search.hooks import features, omens, sense

MOST_CELLS = 25  # of a zone
DRAWN, OPEN, CLOSING, FORBIDDEN = (WALLS * kind for kind in range(4))
SIZES = 4 * WALLS
CLOSABLE = SIZES + MOST_CELLS + 1
LEGAL = CLOSABLE + MOST_CELLS + 1
FREE = LEGAL + WALLS + 1
PARITY = FREE + WALLS + 1
INPUTS = PARITY + 2
USUALLY_ON = 60

OPPONENTS = ("random", "uct", "champion:book=off")
PRACTICE = {"solve": 10, "endgame": 15}  # 15 walls mostly take the solver a few thousand positions


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
    closable = state.sizes & np.uint64(0)
    legal, rest = 0, state.free
    while rest:
        wall = lowest(rest)
        rest &= rest - ONE
        kind = OPEN
        if state.label[DOT_A[wall]] == state.label[DOT_B[wall]]:
            size = np.uint64(popcount(enclosed(state.east, state.south, wall)))
            closable |= ONE << size
            kind = FORBIDDEN if (state.sizes >> size) & ONE else CLOSING
        legal += kind != FORBIDDEN
        out[count] = kind + wall
        count += 1
    for bits, first in ((state.sizes, SIZES), (closable, CLOSABLE)):
        left = bits
        while left:
            out[count] = first + lowest(left)
            left &= left - ONE
            count += 1
    free = popcount(state.free)
    out[count] = LEGAL + legal
    out[count + 1] = FREE + free
    out[count + 2] = PARITY + (free & 1)
    return count + 3


@sense.register(State)
@kernel
def zuniq_sense(state: Any) -> int:
    """Whoever is to move wants an odd number of free walls to stay undrawn if their number is even, and the reverse."""
    return 1 - 2 * (popcount(state.free) & 1)


@omens.register(State)
@kernel
def zuniq_omens(state: Any, out: Any) -> None:
    """Which walls were drawn in the end."""
    for wall in range(WALLS):
        out[wall] = np.float32((state.drawn >> np.uint64(wall)) & ONE)


@cache
def symmetries() -> tuple[Any, Any, Any]:
    """Where each of the 8 symmetries moves walls (as moves), inputs, and walls (as omens)."""
    walls = SYMMETRIES.astype(np.int64)
    inputs = np.tile(np.arange(INPUTS), (len(walls), 1))
    for first in (DRAWN, OPEN, CLOSING, FORBIDDEN):
        inputs[:, first : first + WALLS] = first + walls
    return walls, inputs, walls


def learning() -> Learning:
    """What Zuniq offers to a learner."""
    return Learning(INPUTS, USUALLY_ON, WALLS, symmetries, OPPONENTS, PRACTICE)
