"""Playouts of Zuniq: many random games (`random_games.py`) and their tally; the impact of a wall.

Which walls each side drew is kept as a set of bits per game. Counting over many games adds such sets into bit planes
(plane k holds bit k of the 60 counters), a few instructions a game instead of one increment a move.
"""

from typing import Any

import numpy as np

from podium.games.zuniq.board import WALLS
from podium.games.zuniq.random_games import GAME_BYTES, GAME_WORDS, deal_two, finish, grow_two, list_free, open_cells
from podium.games.zuniq.rules import walls_around, zone_of
from podium.games.zuniq.state import State
from podium.kernel import kernel
from podium.kernel.bits import EMPTY, ONE, popcount
from podium.model.hooks import OTHER, OTHER_SUM, OWN, OWN_SUM, impact, playouts

PLANES = 4
BATCH = (1 << PLANES) - 2  # games that the bit planes can count, in pairs
PLANES_AT = 2 * GAME_WORDS  # in the buffers' words


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
    scratch, words, planes = buffers.bytes, buffers.words, buffers.words[PLANES_AT:]
    count, cells = list_free(state, scratch), open_cells(state)
    balance = 0
    left = number
    while left > 0:
        batch = min(left, BATCH)
        left -= batch
        for i in range(4 * PLANES):
            planes[i] = EMPTY
        for game in range(batch):
            if game & 1 == 0:  # of an odd number the last game is dealt for nothing
                deal_two(random, scratch, words, count)
                grow_two(scratch, words, cells)
            side = game & 1
            own, other, won = finish(
                state, random, scratch[side * GAME_BYTES :], words[side * GAME_WORDS :], count, cells
            )
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
