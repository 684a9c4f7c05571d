"""Which explorers are nearest to a minion when some cells are lit.

Entering a lit cell costs 5 instead of 1. The referee's search is repeated from the minion outwards until it meets the
first explorers: a few queues used in rotation, one per cost, hold the search's frontier in exactly the order of the
referee's priority queue (cost, then time of insertion). A bot may instead use the lower bound of the runner-up's
write-up (Agade): a light at walking distance d from an explorer surely makes the last 6 - d steps towards it dear.
"""

from typing import Any

import numpy as np

from podium.games.code_of_kutulu.mazes import (
    CELLS,
    DISTANCE_MASK,
    DISTANCE_SHIFT,
    MOST_CELLS,
    NEIGHBOUR,
    NO_CELL,
    UNREACHABLE,
    WORDS,
    distance_at,
    row_of,
    step_towards,
    walk,
)
from podium.games.code_of_kutulu.state import LIGHT_COST, LIGHT_RADIUS, SEATS
from podium.kernel import kernel
from podium.kernel.bits import ONE

FAR = 1 << 20
QUEUES = 8  # costs of the frontier differ by at most 5, so six queues would suffice; eight make a mask of the modulo
# The scratch of lit searches, per cell: the cost of entering it, the steps from it to the nearest explorer, the
# cheapest known cost of reaching it and the first direction on the way there; and the queues.
ENTRY, STEPS_LEFT, COSTS, FIRSTS, QUEUE = (part * MOST_CELLS for part in range(5))
SCRATCH = QUEUE + QUEUES * MOST_CELLS
BYTE = np.uint64(255)
UNKNOWN_COST = 255  # above every cost: no way is longer than 45 steps of 5


@kernel
def shine(state: Any, casters: Any, scratch: Any) -> None:
    """Write the cost of entering each cell under the light of the casters, and the steps left from it."""
    cells = CELLS[state.maze]
    entry, steps_left = scratch[ENTRY : ENTRY + cells], scratch[STEPS_LEFT : STEPS_LEFT + cells]
    entry[:] = 1
    steps_left[:] = UNREACHABLE
    for seat in range(SEATS):
        if not state.living >> seat & 1:
            continue
        row = row_of(state.maze, state.cell[seat])
        words = WORDS[row : row + cells]
        for cell in range(cells):
            steps_left[cell] = min(steps_left[cell], np.uint8((words[cell] >> DISTANCE_SHIFT) & DISTANCE_MASK))
        if casters >> seat & 1:
            for cell in range(cells):
                near = (words[cell] >> DISTANCE_SHIFT) & DISTANCE_MASK <= LIGHT_RADIUS
                entry[cell] |= np.uint8(near) << 2


@kernel
def cost_of_way(state: Any, start: Any, goal: Any, scratch: Any) -> Any:
    """What the way costs that would be taken without light.

    If it costs no more than its length it is the way that is taken: of all shortest ways the search finds the first in
    the alphabetical order of their directions, and light only takes ways away.
    """
    here = start
    cost: Any = 0
    while here != goal:
        here = step_towards(state.maze, here, goal, state.turn)
        cost += np.int64(scratch[ENTRY + here])
    return cost


@kernel
def cost_limit(state: Any, start: Any, casters: Any) -> Any:
    """What reaching an explorer costs at most.

    Step i of a shortest way of d steps can only be lit by a caster if both the i steps made and the d - i steps left
    allow it to be within the light's radius.
    """
    limit = FAR
    row = row_of(state.maze, start)
    for seat in range(SEATS):
        if not state.living >> seat & 1:
            continue
        distance = distance_at(row + state.cell[seat])
        lit = 0
        for caster in range(SEATS):
            if casters >> caster & 1:
                early = distance_at(row + state.cell[caster]) - LIGHT_RADIUS
                late = walk(state.maze, state.cell[seat], state.cell[caster]) - LIGHT_RADIUS
                lit += max(0, min(distance, distance - late) - max(1, early) + 1)
        limit = min(limit, distance + LIGHT_COST * min(lit, distance))
    return limit


@kernel
def lit_search(state: Any, start: Any, limit: Any, scratch: Any) -> Any:
    """Search from a cell through light until the first explorers are met; a bit per explorer met at that cost.

    The first direction towards each of them is left in the scratch. The caller guarantees that one can be reached at
    the limit's cost. Cells from which none can be reached within it are left out: they lie on no cheapest way, so the
    order of the others stays as it is.
    """
    maze = state.maze
    scratch[COSTS : COSTS + MOST_CELLS] = UNKNOWN_COST
    scratch[COSTS + NO_CELL] = 0  # walls are cheap to reach already, so they need no test of their own
    scratch[COSTS + start] = 0
    scratch[QUEUE] = start
    counts = np.uint64(1)  # how many entries each queue holds, eight bits to a queue
    cost = 0
    while cost < limit:
        slot = cost & (QUEUES - 1)
        size = np.int64(counts >> np.uint64(8 * slot) & BYTE)
        counts &= ~(BYTE << np.uint64(8 * slot))
        for index in range(size):
            here = np.int64(scratch[QUEUE + slot * MOST_CELLS + index])
            if scratch[COSTS + here] != cost:
                continue  # a cheaper way here was found in the meantime
            for turn in range(4):
                direction = (turn + np.int64(state.turn)) & 3
                there = np.int64(NEIGHBOUR[maze, here, direction])
                reached = cost + np.int64(scratch[ENTRY + there])
                steps_left = np.int64(scratch[STEPS_LEFT + there])
                if (reached < scratch[COSTS + there]) & (reached + steps_left <= limit):  # one jump, not two
                    scratch[COSTS + there] = reached
                    scratch[FIRSTS + there] = direction if here == start else scratch[FIRSTS + here]
                    other = reached & (QUEUES - 1)
                    free = np.int64(counts >> np.uint64(8 * other) & BYTE)
                    scratch[QUEUE + other * MOST_CELLS + free] = there
                    counts += ONE << np.uint64(8 * other)
                    if steps_left == 0:
                        limit = reached  # an explorer; nothing dearer matters any more
        cost += 1
    met = 0
    for seat in range(SEATS):
        if state.living >> seat & 1 and scratch[COSTS + np.int64(state.cell[seat])] == limit:
            met |= 1 << seat
    return met


@kernel
def light_touches(state: Any, where: Any, distance: Any, casters: Any) -> bool:
    """Whether any lit cell lies within a walking distance of a cell."""
    row = row_of(state.maze, where)
    for seat in range(SEATS):
        if casters >> seat & 1 and distance_at(row + state.cell[seat]) - LIGHT_RADIUS <= distance:
            return True
    return False


@kernel
def bounded_nearest(state: Any, where: Any, casters: Any) -> Any:
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
