"""Plausible choices of an enemy: those that are good for the enemy itself, by a static look at the cells around it.

Paranoid search gives the enemies every choice that hurts me, even those that hurt them more. Real explorers run from
minions and stay in company. So each cell to which an enemy can step is scored by what is near it now, and only the best
steps are searched. The weights are fitted to the steps of bots in games, by `podium bench code_of_kutulu --study
prediction` (see `prediction_study`).
"""

from typing import Any

import numpy as np

from podium.games.code_of_kutulu.bots.context import CHOICE_MASK, MOVE_BITS, MOVE_MASK
from podium.games.code_of_kutulu.mazes import (
    NEIGHBOUR,
    NO_CELL,
    SHELTER_CELL,
    SHELTERS,
    SIGHT_SHIFT,
    distance_at,
    row_of,
    word_at,
)
from podium.games.code_of_kutulu.state import MOST_SANITY, RUSHING, SEATS, SPAWNING, STUNNED, WAIT
from podium.kernel import kernel

FRACTION = 1024  # penalties are kept in this part of a point
FEARED_STEPS = 6
FOLLOWED_STEPS = 15
RESTFUL_STEPS = 8
HURT = MOST_SANITY - 10  # sanity below which shelters attract

# What a look at a cell counts, in the order of `look`: names of parameters, and whether it repels (1) or attracts (-1).
SIGHTS = (
    ("fear_touch", 1),
    ("fear_near", 1),
    ("fear_rush", 1),
    ("fear_stalk", 1),
    ("herd", 1),
    ("flock", 1),
    ("exits", -1),
    ("shelter", -1),
    ("shelter_near", -1),
)


@kernel
def look(state: Any, seat: Any, cell: Any) -> Any:
    """What a seat that is about to step on a cell sees there; see `SIGHTS`."""
    row = row_of(state.maze, cell)
    touch, near, rush, stalk = 0, 0, 0, 0
    for i in range(np.int64(state.minions)):
        mode = state.mode[i]
        if mode in (SPAWNING, STUNNED):
            continue
        distance = distance_at(row + state.where[i])
        if state.slasher[i]:
            if word_at(row + state.where[i]) >> SIGHT_SHIFT:
                if mode == RUSHING:
                    rush += 1
                else:
                    stalk += 1
        elif distance <= 1:
            touch += 1
        else:
            near += max(0, FEARED_STEPS - distance)
    nearest, together = FOLLOWED_STEPS, 0
    for other in range(SEATS):
        if other != seat and state.living >> other & 1:
            distance = min(FOLLOWED_STEPS, distance_at(row + state.cell[other]))
            nearest = min(nearest, distance)
            together += distance
    exits, shelter, shelter_near = 0, 0, 0
    for direction in range(4):
        exits += NEIGHBOUR[state.maze, cell, direction] != NO_CELL
    if state.sanity[seat] < HURT:
        for index in range(SHELTERS[state.maze]):
            if state.shelter[index]:
                distance = distance_at(row + SHELTER_CELL[state.maze, index])
                shelter += distance == 0
                shelter_near += max(0, RESTFUL_STEPS - distance)
    return touch, near, rush, stalk, nearest, together, exits, shelter, shelter_near


@kernel
def penalty(state: Any, context: Any, seat: Any, cell: Any) -> Any:
    """How bad a cell looks to a seat that is about to step on it."""
    touch, near, rush, stalk, nearest, together, exits, shelter, shelter_near = look(state, seat, cell)
    fear = context.fear_touch * touch + context.fear_near * near + context.fear_rush * rush + context.fear_stalk * stalk
    comfort = context.exits * exits + context.shelter * shelter + context.shelter_near * shelter_near
    return fear + context.herd * nearest + context.flock * together - comfort


@kernel
def best_step(state: Any, context: Any, seat: Any) -> Any:
    """The choice with the lowest `penalty` among WAIT and the steps of a seat; of equal ones the first."""
    here = np.int64(state.cell[seat])
    best, lowest = np.int64(WAIT), np.int64(penalty(state, context, seat, here) * FRACTION)
    for direction in range(4):
        there = np.int64(NEIGHBOUR[state.maze, here, direction])
        if there != NO_CELL:
            weighed = np.int64(penalty(state, context, seat, there) * FRACTION)
            if weighed < lowest:
                best, lowest = np.int64(direction), weighed
    return best


@kernel
def keep_plausible(state: Any, context: Any, seat: Any, out: Any, count: Any, most: Any) -> Any:
    """Keep the best of an enemy's listed choices, the best first; how many they are."""
    for i in range(count):
        choice = out[i] & CHOICE_MASK
        cell = np.int64(state.cell[seat])
        if choice < WAIT:
            cell = np.int64(NEIGHBOUR[state.maze, cell, choice])
        weighed = np.int64(penalty(state, context, seat, cell) * FRACTION) << MOVE_BITS | out[i]
        j = i
        while j > 0 and out[j - 1] >> MOVE_BITS > weighed >> MOVE_BITS:
            out[j] = out[j - 1]
            j -= 1
        out[j] = weighed
    kept = min(count, most)
    for i in range(kept):
        out[i] &= MOVE_MASK
    return kept
