"""What minions do in a turn: appearing, chasing, seeing, rushing, spooking."""

from typing import Any

import numpy as np

from podium.games.code_of_kutulu.lit_paths import (
    FAR,
    FIRSTS,
    bounded_nearest,
    cost_limit,
    cost_of_way,
    light_touches,
    lit_search,
)
from podium.games.code_of_kutulu.mazes import (
    NEIGHBOUR,
    NO_CELL,
    SIGHT_SHIFT,
    SIZE,
    SPAWN_CELL,
    SPAWNS,
    crow,
    distance_at,
    row_of,
    sees,
    step_towards,
    word_at,
)
from podium.games.code_of_kutulu.state import (
    LIGHT_BOUND,
    NOBODY,
    RUSHING,
    SEATS,
    SLASHER_SPAWN_TIME,
    SLASHER_STALKING,
    SLASHER_STUN,
    SPAWNING,
    SPOOK,
    STALKING,
    STUNNED,
    WANDERING,
)
from podium.kernel import inlined, kernel
from podium.kernel.bits import popcount
from podium.kernel.random import java_below, java_next

REPEATED = (1 << 31) - 2


@kernel
def create(state: Any, slasher: Any, where: Any, timer: Any, target: Any, remembered: Any, unlucky: Any) -> None:
    """Append a minion that is about to appear. The official referee draws a number for it that it never uses."""
    index = np.int64(state.minions)
    if unlucky == NOBODY:
        java_below(state.random, 4)
    state.slasher[index] = slasher
    state.where[index] = where
    state.mode[index] = SPAWNING
    state.timer[index] = timer
    state.target[index] = target
    state.remembered[index] = remembered
    state.number[index] = state.next_id
    state.next_id += 1
    state.minions += 1


@kernel
def spawn_slasher(state: Any, seat: Any, unlucky: Any) -> None:
    """The slasher of an explorer whose sanity has fallen below 200 appears where the explorer stands."""
    state.slashed |= 1 << seat
    here = np.int64(state.cell[seat])
    create(state, np.int64(1), here, np.int64(SLASHER_SPAWN_TIME), seat, here, unlucky)


@kernel
def nearest_by_crow(state: Any, cell: Any) -> Any:
    """The smallest Manhattan distance from a cell to a living explorer."""
    nearest = SIZE[state.maze]
    for seat in range(SEATS):
        if state.living >> seat & 1:
            nearest = min(nearest, crow(state.maze, cell, state.cell[seat]))
    return nearest


@kernel
def spawn_wanderers(state: Any, unlucky: Any) -> None:
    """A wanderer appears on every spawn cell that is farthest from the explorers."""
    maze = state.maze
    farthest = -1
    for index in range(SPAWNS[maze]):
        farthest = max(farthest, nearest_by_crow(state, SPAWN_CELL[maze, index]))
    for index in range(SPAWNS[maze]):
        if nearest_by_crow(state, SPAWN_CELL[maze, index]) == farthest:
            where, timer = np.int64(SPAWN_CELL[maze, index]), np.int64(state.spawn_time)
            create(state, np.int64(0), where, timer, np.int64(NOBODY), np.int64(NO_CELL), unlucky)


@kernel
def skip_shuffle(state: Any, target: Any) -> None:
    """Make the draws of a shuffle whose order does not matter."""
    living = np.int64(state.living)
    bound = popcount(living)
    if target != NOBODY and living >> target & 1:
        bound -= 1
    while bound > 1:
        # nextInt(3) draws again after the two highest of 2^31 values; nextInt(2) and nextInt(4) never do
        if java_next(state.random, 31) < REPEATED or bound != 3:
            bound -= 1


@kernel
def first_in_shuffle(state: Any, target: Any, tied: Any) -> Any:
    """The tied explorer that comes first when the referee shuffles the living ones.

    The order is kept four bits to an entry. A living target is swapped to the front, and is none of the tied ones.
    """
    count, order, start = 0, 0, 0
    for seat in range(SEATS):
        if state.living >> seat & 1:
            if seat == target:
                start = 1
                order |= (order & 15) << (4 * count)
                order = order & ~15 | seat
            else:
                order |= seat << (4 * count)
            count += 1
    for i in range(start, count - 1):
        j = i + java_below(state.random, count - i)
        difference = (order >> (4 * i) ^ order >> (4 * j)) & 15
        order ^= difference << (4 * i) | difference << (4 * j)
    for i in range(count):
        seat = order >> (4 * i) & 15
        if tied >> seat & 1:
            return seat
    return NOBODY


@kernel
def choose_target(state: Any, target: Any, met: Any, unlucky: Any) -> Any:
    """Which of the nearest explorers a minion chases: its present target if that is one of them, else any.

    Random numbers are drawn if and only if no seat is unlucky.
    """
    keeps = target != NOBODY and met >> target & 1
    alone = met & (met - 1) == 0
    if unlucky == NOBODY:
        if not keeps and not alone:
            return first_in_shuffle(state, target, met)
        skip_shuffle(state, target)
    if keeps:
        return target
    if unlucky != NOBODY and met >> unlucky & 1:
        return unlucky
    for seat in range(SEATS):
        if met >> seat & 1:
            return seat
    return NOBODY


@inlined
def chase(state: Any, index: Any, casters: Any, scratch: Any, unlucky: Any, light: Any) -> None:
    """Choose the nearest explorer, the present target in case of a tie, and step towards it."""
    where = np.int64(state.where[index])
    row = row_of(state.maze, where)
    nearest, met = np.int64(FAR), 0
    for seat in range(SEATS):
        if state.living >> seat & 1:
            distance = distance_at(row + state.cell[seat])
            if distance < nearest:
                nearest, met = distance, 0
            if distance == nearest:
                met |= 1 << seat
    lit = casters != 0 and light_touches(state, where, nearest, casters)
    if lit:
        if light == LIGHT_BOUND:
            met = bounded_nearest(state, where, casters)
            lit = False
        else:
            lit = False
            limit = cost_limit(state, where, casters)
            for seat in range(SEATS):
                if met >> seat & 1:
                    cost = cost_of_way(state, where, np.int64(state.cell[seat]), scratch)
                    limit = min(limit, cost)
                    lit |= cost > nearest
            if lit:
                met = lit_search(state, where, limit, scratch)
    chosen = choose_target(state, np.int64(state.target[index]), met, unlucky)
    if chosen == NOBODY:
        return
    state.target[index] = chosen
    goal = np.int64(state.cell[chosen])
    if goal != where:
        if lit:
            state.where[index] = NEIGHBOUR[state.maze, where, scratch[FIRSTS + goal]]
        else:
            state.where[index] = step_towards(state.maze, where, goal, state.turn)


@kernel
def spook(state: Any, index: Any) -> bool:
    """Every living explorer on the minion's cell loses sanity; whether there was one."""
    spooked = False
    for seat in range(SEATS):
        if state.living >> seat & 1 and state.cell[seat] == state.where[index]:
            state.sanity[seat] = max(0, np.int64(state.sanity[seat]) - SPOOK)
            spooked = True
    return spooked


@inlined
def begin_wanderer(state: Any, index: Any) -> bool:
    """The beginning of a wanderer's turn: it appears, or it is to chase, which the result says."""
    if state.mode[index] == SPAWNING:
        state.timer[index] -= 1
        if state.timer[index] == 0:
            state.mode[index] = WANDERING
            state.timer[index] = state.life_time
        return False
    return True


@inlined
def end_wanderer(state: Any, index: Any) -> Any:
    """The end of a wanderer's turn after its chase; whether it is to be deleted."""
    if spook(state, index):
        return True
    state.timer[index] -= 1
    return state.timer[index] == 0


@kernel
def acquire(state: Any, index: Any) -> bool:
    """A slasher looks for a target in its lines of sight; whether it has one now."""
    where = np.int64(state.where[index])
    target: Any = np.int64(state.target[index])
    if target != NOBODY and state.sanity[target] == 0:
        target = NOBODY
        state.remembered[index] = NO_CELL
    if target != NOBODY and sees(state.maze, where, state.cell[target]):
        state.target[index] = target
        state.remembered[index] = state.cell[target]
        return True
    row = row_of(state.maze, where)
    nearest, count, found = FAR, 0, NOBODY
    for seat in range(SEATS):
        if state.living >> seat & 1 and word_at(row + state.cell[seat]) >> SIGHT_SHIFT:
            distance = distance_at(row + state.cell[seat])
            if distance < nearest:
                nearest, count, found = distance, 0, seat
            if distance == nearest:
                count += 1
    if count == 1:
        state.target[index] = found
        state.remembered[index] = state.cell[found]
        return True
    state.target[index] = NOBODY
    if count > 1:
        state.remembered[index] = NO_CELL
    return False


@kernel
def rush(state: Any, index: Any) -> None:
    """Jump to the target or to the remembered cell, spook, and be stunned."""
    if acquire(state, index):
        state.where[index] = state.cell[state.target[index]]
    elif state.remembered[index] != NO_CELL:
        state.where[index] = state.remembered[index]
    spook(state, index)
    state.target[index] = NOBODY
    state.remembered[index] = NO_CELL
    state.mode[index] = STUNNED
    state.timer[index] = SLASHER_STUN


@inlined
def begin_slasher(state: Any, index: Any) -> bool:
    """One turn of a slasher, but for a chase; whether it is to chase."""
    mode = state.mode[index]
    if mode == RUSHING:
        rush(state, index)
    elif mode == WANDERING:
        if not acquire(state, index):
            return True
        state.mode[index] = STALKING
        state.timer[index] = SLASHER_STALKING
    else:
        state.timer[index] -= 1
        if mode == STALKING:
            acquire(state, index)
        if state.timer[index] == 0:
            state.mode[index] = WANDERING if mode == STUNNED else RUSHING
    return False


@kernel
def update_minions(state: Any, casters: Any, scratch: Any, unlucky: Any, light: Any) -> None:
    """All minions in the order of their creation; then those that are done vanish."""
    kept = 0
    for index in range(np.int64(state.minions)):
        gone = False
        slasher = state.slasher[index] != 0
        chases = begin_slasher(state, index) if slasher else begin_wanderer(state, index)
        if chases:
            chase(state, index, casters, scratch, unlucky, light)  # at one place: it is copied to where it is called
            if not slasher:
                gone = end_wanderer(state, index)
        if not gone:
            if kept != index:
                state.slasher[kept] = state.slasher[index]
                state.where[kept] = state.where[index]
                state.mode[kept] = state.mode[index]
                state.timer[kept] = state.timer[index]
                state.target[kept] = state.target[index]
                state.remembered[kept] = state.remembered[index]
                state.number[kept] = state.number[index]
            kept += 1
    state.minions = kept
