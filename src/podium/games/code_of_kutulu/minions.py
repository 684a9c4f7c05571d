"""What minions do in a turn: appearing, chasing, seeing, rushing, spooking.

Without light a chase is two lookups per explorer. With light the referee's search is repeated from the minion
outwards until it meets the first explorers: costs are 1 or 5, so six queues used in rotation, one per cost, hold the search's
frontier in exactly the order of the referee's priority queue (cost, then time of insertion). A search may instead
use the lower bound of the runner-up's write-up (Agade): a light at walking distance d from an explorer surely
makes the last 6 - d steps towards it dear.
"""

from typing import Any

import numpy as np

from podium.games.code_of_kutulu.mazes import (
    MOST_CELLS,
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
    walk,
    word_at,
)
from podium.games.code_of_kutulu.state import (
    LIGHT_COST,
    LIGHT_RADIUS,
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
from podium.kernel import kernel
from podium.kernel.random import java_below

FAR = 1 << 20
QUEUES = LIGHT_COST + 2  # costs of the frontier differ by at most 5, so six queues suffice
# The scratch of a lit search: the cheapest known cost per cell, the first direction per cell, the queues.
COSTS, FIRSTS, QUEUE = 0, MOST_CELLS, 2 * MOST_CELLS
SCRATCH = (2 + QUEUES) * MOST_CELLS
UNKNOWN_COST = 255  # above every cost: no way is longer than 45 steps of 5


@kernel
def create(state: Any, slasher: int, where: int, timer: int, target: int, remembered: int) -> None:
    """Append a minion that is about to appear. The official referee draws a number for it that it never uses."""
    index = np.int64(state.minions)
    if state.unlucky == NOBODY:
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
def spawn_slasher(state: Any, seat: int) -> None:
    """The slasher of an explorer whose sanity has fallen below 200 appears where the explorer stands."""
    state.slashed |= 1 << seat
    create(state, 1, state.cell[seat], SLASHER_SPAWN_TIME, seat, state.cell[seat])


@kernel
def nearest_by_crow(state: Any, cell: int) -> Any:
    """The smallest Manhattan distance from a cell to a living explorer."""
    nearest = SIZE[state.maze]
    for seat in range(SEATS):
        if state.living >> seat & 1:
            nearest = min(nearest, crow(state.maze, cell, state.cell[seat]))
    return nearest


@kernel
def spawn_wanderers(state: Any) -> None:
    """A wanderer appears on every spawn cell that is farthest from the explorers."""
    maze = state.maze
    farthest = -1
    for index in range(SPAWNS[maze]):
        farthest = max(farthest, nearest_by_crow(state, SPAWN_CELL[maze, index]))
    for index in range(SPAWNS[maze]):
        if nearest_by_crow(state, SPAWN_CELL[maze, index]) == farthest:
            create(state, 0, SPAWN_CELL[maze, index], state.spawn_time, NOBODY, NO_CELL)


@kernel
def is_lit(state: Any, cell: int, casters: int) -> bool:
    """Whether the light of one of the casters falls on a cell."""
    row = row_of(state.maze, cell)
    for seat in range(SEATS):
        if casters >> seat & 1 and distance_at(row + state.cell[seat]) <= LIGHT_RADIUS:
            return True
    return False


@kernel
def lit_search(state: Any, start: int, casters: int, scratch: Any) -> Any:
    """Search from a cell through light until the first explorers are met; a bit per explorer met at that cost.

    The first direction towards each cell that was reached is left in the scratch.
    """
    maze = state.maze
    scratch[COSTS : COSTS + MOST_CELLS] = UNKNOWN_COST
    scratch[COSTS + start] = 0
    scratch[QUEUE] = start
    # a byte per queue says how many entries it holds, eight bits to each
    counts = np.int64(1)
    cost = 0
    while counts:
        met = 0
        for seat in range(SEATS):
            if state.living >> seat & 1 and scratch[COSTS + np.int64(state.cell[seat])] == cost:
                met |= 1 << seat
        if met:
            return met
        slot = cost % QUEUES
        size = (counts >> (8 * slot)) & 255
        counts &= ~(np.int64(255) << (8 * slot))
        for index in range(size):
            here = np.int64(scratch[QUEUE + slot * MOST_CELLS + index])
            if scratch[COSTS + here] != cost:
                continue  # a cheaper way here was found in the meantime
            for turn in range(4):
                direction = (turn + np.int64(state.turn)) & 3
                there = np.int64(NEIGHBOUR[maze, here, direction])
                if there == NO_CELL:
                    continue
                reached = cost + 1 + (LIGHT_COST if is_lit(state, there, casters) else 0)
                if reached < scratch[COSTS + there]:
                    scratch[COSTS + there] = reached
                    scratch[FIRSTS + there] = direction if here == start else scratch[FIRSTS + here]
                    other = reached % QUEUES
                    scratch[QUEUE + other * MOST_CELLS + ((counts >> (8 * other)) & 255)] = there
                    counts += np.int64(1) << (8 * other)
        cost += 1
    return 0


@kernel
def light_touches(state: Any, where: int, distance: int, casters: int) -> bool:
    """Whether any lit cell lies within a walking distance of a cell."""
    row = row_of(state.maze, where)
    for seat in range(SEATS):
        if casters >> seat & 1 and distance_at(row + state.cell[seat]) - LIGHT_RADIUS <= distance:
            return True
    return False


@kernel
def bounded_nearest(state: Any, where: int, casters: int) -> Any:
    """The explorers that are nearest when each light lengthens ways by the write-up's lower bound, a bit each."""
    row = row_of(state.maze, where)
    nearest, met = FAR, 0
    for seat in range(SEATS):
        if not state.living >> seat & 1:
            continue
        distance = distance_at(row + state.cell[seat])
        dear = 0
        for caster in range(SEATS):
            if casters >> caster & 1:
                covered = LIGHT_RADIUS + 1 - walk(state.maze, state.cell[seat], state.cell[caster])
                dear += min(max(0, covered), distance)
        distance += dear * LIGHT_COST
        if distance < nearest:
            nearest, met = distance, 0
        if distance == nearest:
            met |= 1 << seat
    return met


@kernel
def first_in_shuffle(state: Any, target: int, tied: int) -> Any:
    """The tied explorer that comes first when the referee shuffles the living ones; all its draws are made.

    The order is kept four bits to an entry. A living target stands first, so it is never part of a tie here.
    """
    count, order, start = 0, 0, 0
    for seat in range(SEATS):
        if state.living >> seat & 1:
            order |= seat << (4 * count)
            if seat == target:
                start = 1
                # swap the target with the first entry
                first = order & 15
                order = (order & ~(15 | 15 << (4 * count))) | seat | (first << (4 * count) if count else 0)
            count += 1
    for i in range(start, count - 1):
        j = i + java_below(state.random, count - i)
        if i != j:
            left, right = (order >> (4 * i)) & 15, (order >> (4 * j)) & 15
            order ^= ((left ^ right) << (4 * i)) | ((left ^ right) << (4 * j))
    for i in range(count):
        seat = (order >> (4 * i)) & 15
        if tied >> seat & 1:
            return seat
    return NOBODY


@kernel
def chase(state: Any, index: int, casters: int, scratch: Any) -> None:
    """Choose the nearest explorer, the present target in case of a tie, and step towards it."""
    where = np.int64(state.where[index])
    row = row_of(state.maze, where)
    nearest, met = FAR, 0
    for seat in range(SEATS):
        if state.living >> seat & 1:
            distance = distance_at(row + state.cell[seat])
            if distance < nearest:
                nearest, met = distance, 0
            if distance == nearest:
                met |= 1 << seat
    lit = casters != 0 and light_touches(state, where, nearest, casters)
    if lit:
        if state.light_bound:
            met = bounded_nearest(state, where, casters)
            lit = False
        else:
            met = lit_search(state, where, casters, scratch)
    target = np.int64(state.target[index])
    chosen = NOBODY
    if state.unlucky == NOBODY:
        chosen = first_in_shuffle(state, target, met)
    elif met >> state.unlucky & 1:
        chosen = np.int64(state.unlucky)
    else:
        for seat in range(SEATS - 1, -1, -1):
            if met >> seat & 1:
                chosen = seat
    if target != NOBODY and met >> target & 1:
        chosen = target
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
def spook(state: Any, index: int) -> bool:
    """Every living explorer on the minion's cell loses sanity; whether there was one."""
    spooked = False
    for seat in range(SEATS):
        if state.living >> seat & 1 and state.cell[seat] == state.where[index]:
            state.sanity[seat] = max(0, np.int64(state.sanity[seat]) - SPOOK)
            spooked = True
    return spooked


@kernel
def update_wanderer(state: Any, index: int, casters: int, scratch: Any) -> bool:
    """One turn of a wanderer; whether it is to be deleted."""
    if state.mode[index] == SPAWNING:
        state.timer[index] -= 1
        if state.timer[index] == 0:
            state.mode[index] = WANDERING
            state.timer[index] = state.life_time
        return False
    chase(state, index, casters, scratch)
    if spook(state, index):
        return True
    state.timer[index] -= 1
    return state.timer[index] == 0


@kernel
def acquire(state: Any, index: int) -> bool:
    """A slasher looks for a target in its lines of sight; whether it has one now."""
    where = np.int64(state.where[index])
    target = np.int64(state.target[index])
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
def rush(state: Any, index: int) -> None:
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


@kernel
def update_slasher(state: Any, index: int, casters: int, scratch: Any) -> None:
    """One turn of a slasher."""
    mode = state.mode[index]
    if mode == RUSHING:
        rush(state, index)
    elif mode == WANDERING:
        if acquire(state, index):
            state.mode[index] = STALKING
            state.timer[index] = SLASHER_STALKING
        else:
            chase(state, index, casters, scratch)
    else:
        state.timer[index] -= 1
        if mode == STALKING:
            acquire(state, index)
        if state.timer[index] == 0:
            state.mode[index] = WANDERING if mode == STUNNED else RUSHING


@kernel
def update_minions(state: Any, casters: int, scratch: Any) -> None:
    """All minions in the order of their creation; then those that are done vanish."""
    kept = 0
    for index in range(np.int64(state.minions)):
        gone = False
        if state.slasher[index]:
            update_slasher(state, index, casters, scratch)
        else:
            gone = update_wanderer(state, index, casters, scratch)
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
