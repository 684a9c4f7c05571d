"""Random games of Zuniq, as fast as they can be made, and the impact of a wall.

A playout draws walls at random from a shrinking list. The winner's remark that testing a wall is the expensive part
holds here too, so most walls are never tested: one that joins two separate groups of dots is always legal, and one
that would close a size already used stays illegal until the next zone is closed, so it is set aside until then. The
cells that a wall would cut off are found once: later they are the same cells less those closed since.

Which walls each side drew is kept as a set of bits per playout. Counting over many playouts adds such sets into bit
planes (plane k holds bit k of the 60 counters), a few instructions a playout instead of one increment a move.
"""

from typing import Any

import numpy as np

from podium.games.zuniq.board import DOT_A, DOT_B, EAST, INNER, SOUTH, WALLS
from podium.games.zuniq.rules import enclosed, list_walls, walls_around, zone_of
from podium.games.zuniq.state import LABELS, State
from podium.kernel import kernel
from podium.kernel.bits import EMPTY, ONE, popcount
from podium.kernel.random import GOLDEN, mix
from podium.model.hooks import OTHER, OTHER_SUM, OWN, OWN_SUM, impact, playouts

PLANES = 4
BATCH = (1 << PLANES) - 1  # playouts that the bit planes can count
HALF = np.uint64(32)
LOW = np.uint64(0xFFFFFFFF)

# Where things lie in the buffers' bytes and words.
WALLS_AT, LABELS_AT, FREE_AT = 0, 64, 128
LABELS_PADDED = 64
REGIONS_AT = 4 * PLANES


@kernel
def random_game(state: Any, random: Any, scratch: Any, regions: Any, count: int) -> Any:
    """Play one game from a state, uniformly at random; the first `count` bytes at FREE_AT are its free walls.

    Returns the walls drawn by the side to move, those drawn by the other side, and whether the side to move won.
    """
    walls = scratch[WALLS_AT : WALLS_AT + 64]
    label = scratch[LABELS_AT : LABELS_AT + LABELS_PADDED]
    for i in range(64):
        walls[i] = scratch[FREE_AT + i]
    for i in range(LABELS):
        label[i] = state.label[i]
    east, south, sizes, closed = state.east, state.south, state.sizes, state.closed
    own, other, known = EMPTY, EMPTY, EMPTY
    bits = random[0] + GOLDEN
    ready = mix(bits)  # drawn one step ahead, so that nothing waits for it
    listed = np.uint64(count)  # walls in the list; those from `open_` on are set aside until a zone is closed
    open_ = listed
    while open_:
        index = ((ready & LOW) * open_) >> HALF
        bits += GOLDEN
        ready = mix(bits)
        wall = walls[index]
        if closed & INNER[wall]:  # it has come to lie inside a zone
            open_ -= ONE
            listed -= ONE
            walls[index] = walls[open_]
            walls[open_] = walls[listed]
            continue
        bit = ONE << np.uint64(wall)
        first, second = label[DOT_A[wall]], label[DOT_B[wall]]
        if first == second:
            if not known & bit:
                known |= bit
                regions[wall] = enclosed(east, south, wall)
            zone = regions[wall] & ~closed
            size = ONE << np.uint64(popcount(zone))
            if sizes & size:
                open_ -= ONE
                walls[index] = walls[open_]
                walls[open_] = wall
                continue
            sizes |= size
            closed |= zone
            listed -= ONE
            walls[index] = walls[open_ - ONE]
            walls[open_ - ONE] = walls[listed]
            open_ = listed
        else:
            for dot in range(LABELS_PADDED):  # one pass of two vectors
                label[dot] = second if label[dot] == first else label[dot]
            open_ -= ONE
            listed -= ONE
            walls[index] = walls[open_]
            walls[open_] = walls[listed]
        east |= EAST[wall]
        south |= SOUTH[wall]
        own, other = other, own | bit
    random[0] = bits
    # `own` and `other` changed places at every ply: an even number of plies means that the side to move has lost
    if popcount(own) == popcount(other):
        return own, other, False
    return other, own, True


@kernel
def list_free(state: Any, scratch: Any) -> int:
    """Write the free walls at FREE_AT; return how many there are."""
    return list_walls(state.free, scratch[FREE_AT:])


@kernel
def add_to_planes(planes: Any, at: int, walls: Any) -> None:
    """Count each wall of a set once more."""
    for plane in range(PLANES):
        carry = planes[at + plane] & walls
        planes[at + plane] ^= walls
        walls = carry


@kernel
def count_of(planes: Any, at: int, wall: int) -> Any:
    """How often a wall was counted."""
    count = EMPTY
    for plane in range(PLANES):
        count |= ((planes[at + plane] >> np.uint64(wall)) & ONE) << np.uint64(plane)
    return np.int64(count)


@playouts.register(State)
@kernel
def zuniq_playouts(state: Any, params: Any, buffers: Any, random: Any, number: int, amaf: Any) -> int:
    """Play random games, count in `amaf` who drew what, and return wins minus losses of the side to move."""
    scratch, planes, regions = buffers.bytes, buffers.words[:REGIONS_AT], buffers.words[REGIONS_AT:]
    count = list_free(state, scratch)
    balance = 0
    left = number
    while left > 0:
        batch = min(left, BATCH)
        left -= batch
        planes[:] = EMPTY
        for _ in range(batch):
            own, other, won = random_game(state, random, scratch, regions, count)
            add_to_planes(planes, 0, own)
            add_to_planes(planes, PLANES, other)
            if won:
                balance += 1
                add_to_planes(planes, 2 * PLANES, own)
                add_to_planes(planes, 3 * PLANES, other)
            else:
                balance -= 1
        for wall in range(WALLS):
            by_own, by_other = count_of(planes, 0, wall), count_of(planes, PLANES, wall)
            amaf[OWN, wall] += by_own
            amaf[OTHER, wall] += by_other
            amaf[OWN_SUM, wall] += 2 * count_of(planes, 2 * PLANES, wall) - by_own
            amaf[OTHER_SUM, wall] += 2 * count_of(planes, 3 * PLANES, wall) - by_other
    return balance


@impact.register(State)
@kernel
def zuniq_impact(state: Any, wall: int) -> Any:
    """How many walls are gone once this one is drawn: itself, and those inside the zone that it closes."""
    return 1 + popcount(state.free & walls_around(zone_of(state, wall)) & ~(ONE << np.uint64(wall)))
