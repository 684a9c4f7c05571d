"""The rules of Zuniq on bitboards.

Two facts carry the speed. A wall closes a zone exactly when its two end dots are already joined by drawn walls, so
the record keeps a label per dot, equal for joined dots, and a wall that joins two labels is legal without another look.
And when it does close, at most one zone comes into being, which a fill of the board of cells finds in a few shifts.

A position is known to a search by the drawn walls that still touch an open cell or the outside, and the closed sizes:
loose walls inside a zone are forgotten (the winner's "generalised state").
"""

from typing import Any

import numpy as np

from podium.games.zuniq.board import (
    ALL_WALLS,
    AROUND,
    BOTH,
    DOT_A,
    DOT_B,
    EAST,
    INNER,
    RING,
    SOUTH,
    STRIDE,
)
from podium.games.zuniq.state import LABELS, State
from podium.kernel import kernel
from podium.kernel.bits import EMPTY, ONE, lowest, popcount
from podium.kernel.random import GOLDEN, mix
from podium.model.rules import final_score, is_over, key, legal_moves, mover, moves_unless_over, play

ROW = np.uint64(STRIDE)  # to the next row of cells
BLIND_STEPS = 3  # a few percent faster than testing after each step; other numbers were not tried


@kernel
def reset(state: Any) -> None:
    """The empty board."""
    state.drawn = EMPTY
    state.free = ALL_WALLS
    state.east = EMPTY
    state.south = EMPTY
    state.closed = EMPTY
    state.sizes = EMPTY
    state.plies = 0
    for dot in range(LABELS):
        state.label[dot] = dot


@kernel
def widen(cells: Any, open_east: Any, open_south: Any) -> Any:
    """The cells and their neighbours through open sides."""
    return (
        cells
        | ((cells & open_east) << ONE)
        | ((cells >> ONE) & open_east)
        | ((cells & open_south) << ROW)
        | ((cells >> ROW) & open_south)
    )


@kernel
def fill(cells: Any, open_east: Any, open_south: Any) -> Any:
    """All cells connected with `cells`; it stops early, with a part of them, once the outside is reached."""
    while True:
        wider = widen(widen(cells, open_east, open_south), open_east, open_south)
        if wider == cells or wider & RING:
            return wider
        cells = wider


@kernel
def enclosed(east: Any, south: Any, wall: int) -> Any:
    """The cells that a wall would cut off, given that it joins two dots that are joined already.

    Exactly one of its two sides is cut off. Both are widened at once for a few steps before the first test: that
    costs little more than one side alone, and it mostly tells which side reaches the outside.
    """
    open_east = ~(east | EAST[wall])
    open_south = ~(south | SOUTH[wall])
    one = INNER[wall]
    two = BOTH[wall] & ~one
    for _ in range(BLIND_STEPS):
        one = widen(one, open_east, open_south)
        two = widen(two, open_east, open_south)
    if not one & RING:
        if two & RING:
            return fill(one, open_east, open_south)
        one = fill(one, open_east, open_south)
        if not one & RING:
            return one
    return fill(two, open_east, open_south)


@kernel
def zone_of(state: Any, wall: int) -> Any:
    """The cells of the zone that a free wall would close; empty if it closes none."""
    if state.label[DOT_A[wall]] != state.label[DOT_B[wall]]:
        return EMPTY
    return enclosed(state.east, state.south, wall)


@kernel
def is_legal(state: Any, wall: int) -> bool:
    """Whether a wall (0 .. 59) may be drawn now."""
    if not (state.free >> np.uint64(wall)) & ONE:
        return False
    return not (state.sizes >> np.uint64(popcount(zone_of(state, wall)))) & ONE


@kernel
def legal_mask(state: Any) -> Any:
    """The legal walls as a set of bits."""
    legal = state.free
    rest = state.free
    while rest:
        wall = lowest(rest)
        rest &= rest - ONE
        if state.label[DOT_A[wall]] == state.label[DOT_B[wall]]:
            size = popcount(enclosed(state.east, state.south, wall))
            if (state.sizes >> np.uint64(size)) & ONE:
                legal ^= ONE << np.uint64(wall)
    return legal


@kernel
def walls_around(cells: Any) -> Any:
    """All walls of the given cells."""
    walls = EMPTY
    while cells:
        walls |= AROUND[lowest(cells)]
        cells &= cells - ONE
    return walls


@kernel
def list_walls(walls: Any, out: Any) -> int:
    """Write the walls of a set in the order of their numbers; return how many there are."""
    count = 0
    while walls:
        out[count] = lowest(walls)
        walls &= walls - ONE
        count += 1
    return count


@kernel
def open_barriers(state: Any) -> Any:
    """The drawn walls that touch an open cell or the outside, as barriers towards the east and the south."""
    east = state.east & ~(state.closed & (state.closed >> ONE))
    south = state.south & ~(state.closed & (state.closed >> ROW))
    return east, south


@mover.register(State)
@kernel
def zuniq_mover(state: Any) -> Any:
    """White (0) and Black (1) alternate."""
    return state.plies & 1


@moves_unless_over.register(State)
@legal_moves.register(State)
@kernel
def zuniq_legal_moves(state: Any, out: Any) -> int:
    """The legal walls in the order of their numbers. The game is over when there are none: looking for them tells."""
    return list_walls(legal_mask(state), out)


@play.register(State)
@kernel
def zuniq_play(state: Any, wall: int) -> None:
    """Draw a wall and update zones and hash."""
    first = state.label[DOT_A[wall]]
    second = state.label[DOT_B[wall]]
    zone = EMPTY
    if first == second:
        zone = enclosed(state.east, state.south, wall)
    else:
        for dot in range(LABELS):
            if state.label[dot] == first:
                state.label[dot] = second
    bit = ONE << np.uint64(wall)
    state.drawn |= bit
    state.free &= ~bit
    state.east |= EAST[wall]
    state.south |= SOUTH[wall]
    state.plies += 1
    if zone:
        state.closed |= zone
        state.sizes |= ONE << np.uint64(popcount(zone))
        # the zone's border is drawn, so every free wall around its cells lies inside it
        state.free &= ~walls_around(zone)


@is_over.register(State)
@kernel
def zuniq_is_over(state: Any) -> bool:
    """Nothing may be drawn any more."""
    rest = state.free
    while rest:
        wall = lowest(rest)
        rest &= rest - ONE
        if is_legal(state, wall):
            return False
    return True


@final_score.register(State)
@kernel
def zuniq_final_score(state: Any, seat: int) -> int:
    """The player who drew the last wall has won."""
    return 1 if (state.plies & 1) != seat else -1


@key.register(State)
@kernel
def zuniq_key(state: Any) -> Any:
    """Hash of the walls that touch something open, and of the closed sizes.

    It does not include the side to move: in an impartial game the value for the side to move is the same for both.
    """
    east, south = open_barriers(state)
    return mix(east ^ mix(south ^ mix(state.sizes + GOLDEN)))
