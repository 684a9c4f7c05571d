"""Which choices of an enemy are plausible: those that serve the enemy itself, as far as one look around can tell.

Paranoid search gives the enemies every choice that hurts me, even those that hurt them more. Real explorers run from
minions and stay in company. So the steps of an enemy are given a penalty by the wanderers and slashers around the cell
they lead to and by the way to the nearest explorer, as all stand now, and only the best are searched.
"""

from typing import Any

import numpy as np

from podium.games.code_of_kutulu.mazes import (
    NEIGHBOUR,
    SHELTER_CELL,
    SHELTERS,
    SIGHT_SHIFT,
    crow,
    distance_at,
    row_of,
    word_at,
)
from podium.games.code_of_kutulu.state import (
    COMPANY_RADIUS,
    RUSHING,
    SEATS,
    SHELTER_HEAL,
    SPAWNING,
    STUNNED,
    WAIT,
    WANDERING,
)
from podium.kernel import kernel

MOVE_BITS = 13  # of a choice with its seat and cell
MOVE_MASK = (1 << MOVE_BITS) - 1
FRACTION = 64  # penalties are kept in this part of a point
FEARED_STEPS = 3
FARTHEST = 63


@kernel
def penalty(state: Any, mind: Any, seat: Any, cell: Any) -> float:
    """How bad a cell looks to a seat that is about to step on it."""
    total = 0.0
    for i in range(np.int64(state.minions)):
        mode = state.mode[i]
        if mode in (SPAWNING, STUNNED):
            continue
        row = row_of(state.maze, state.where[i])
        word = word_at(row + cell)
        distance = distance_at(row + cell)
        if state.slasher[i]:
            if word >> SIGHT_SHIFT:
                total += mind.fear_rush if mode == RUSHING else mind.fear_stalk
        elif mode == WANDERING and distance <= FEARED_STEPS:
            nearer = False
            for other in range(SEATS):
                if other != seat and state.living >> other & 1:
                    nearer |= distance_at(row + state.cell[other]) < distance
            if not nearer:
                total += mind.fear_touch if distance <= 1 else mind.fear_two if distance == 2 else mind.fear_three
    row = row_of(state.maze, cell)
    nearest, alone = FARTHEST, True
    for other in range(SEATS):
        if other != seat and state.living >> other & 1:
            nearest = min(nearest, distance_at(row + state.cell[other]))
            alone &= crow(state.maze, cell, state.cell[other]) > COMPANY_RADIUS
    if alone:
        total += np.int64(state.lonely) - np.int64(state.group)
    total += mind.herd * nearest
    for index in range(SHELTERS[state.maze]):
        if state.shelter[index] and SHELTER_CELL[state.maze, index] == cell:
            total -= SHELTER_HEAL
    return total + SHELTER_HEAL


@kernel
def keep_plausible(state: Any, mind: Any, seat: Any, out: Any, count: Any, most: Any) -> Any:
    """Keep the best of an enemy's listed choices, the best first; how many they are."""
    for i in range(count):
        choice = out[i] & 7
        cell = np.int64(state.cell[seat])
        if choice < WAIT:
            cell = np.int64(NEIGHBOUR[state.maze, cell, choice])
        weighed = np.int64(penalty(state, mind, seat, cell) * FRACTION) << MOVE_BITS | out[i]
        j = i
        while j > 0 and out[j - 1] >> MOVE_BITS > weighed >> MOVE_BITS:
            out[j] = out[j - 1]
            j -= 1
        out[j] = weighed
    kept = min(count, most)
    for i in range(kept):
        out[i] &= MOVE_MASK
    return kept
