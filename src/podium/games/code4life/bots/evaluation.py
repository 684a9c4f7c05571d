"""The opinion of a position: the write-up's evaluation, and what was added to it.

`Eval(state) = Eval(state, me) - Eval(state, opponent)`. A sample is worth its health plus a coefficient for the
expertise it brings, and a growing share of that counts as it advances: undiagnosed, unproducible, producible, ready.
A sample whose molecules the opponent holds loses most of its value, which makes the search block, and expect to be
blocked.
"""

from typing import Any

import numpy as np

from podium.games.code4life.bots.mind import MINDS
from podium.games.code4life.bots.tray import (
    NO_SAMPLE,
    UNDIAGNOSED,
    UNKNOWN_SAMPLE,
    grade_of,
    order,
    slot_of,
)
from podium.games.code4life.catalogue import (
    CAPACITY,
    DIAGNOSIS,
    DISTANCE,
    KIND_COST,
    KIND_GAIN,
    KIND_HEALTH,
    KIND_RANK,
    PROJECTS,
    TRAY,
)
from podium.games.code4life.packed import UNIT, covers, shortfall, total
from podium.games.code4life.rules import code4life_is_over
from podium.games.code4life.state import KIND_MASK, State, left_in_pool
from podium.kernel import kernel
from podium.kernel.rules import evaluate

Mind = MINDS.dtype


@evaluate.register(State, Mind)
@kernel
def code4life_evaluate(state: Any, mind: Any, seat: Any) -> float:
    """In points, from a seat's point of view; at the end of the game the exact difference of the scores."""
    difference = np.float64(state.score[seat]) - np.float64(state.score[1 - seat])
    if code4life_is_over(state):
        return difference
    left = left_in_pool(state)
    return difference + standing(state, mind, seat, left) - mind.rivalry * standing(state, mind, 1 - seat, left)


@kernel
def standing(state: Any, mind: Any, seat: Any, left: Any) -> float:
    """What a robot has beside its score: expertise, samples, space."""
    storage, expertise = state.storage[seat], state.expertise[seat]
    space = CAPACITY - total(storage)
    coefficient = mind.expertise_coefficient
    value = coefficient * total(expertise) + mind.space_bonus * space
    if mind.project_bonus != 0.0:
        value += mind.project_bonus * project_progress(state, seat)
    if state.carried[seat] == 0:
        return value
    entries = order(state, mind, seat, left)
    penalty = mind.missing_penalty
    producible_worth = 0.0
    fewest = np.int64(255)
    for index in range(TRAY):
        entry = entries[index]
        grade = grade_of(entry)
        if grade == NO_SAMPLE:
            break
        kind = state.tray[seat, slot_of(entry)] & KIND_MASK
        if grade in (UNDIAGNOSED, UNKNOWN_SAMPLE):
            value += unknown_value(state, mind, seat, kind, grade == UNDIAGNOSED, space)
            continue
        worth = coefficient + KIND_HEALTH[kind]
        need = shortfall(KIND_COST[kind], expertise)
        missing = shortfall(need, storage)
        count = total(missing)
        value -= penalty * count
        penalty *= mind.missing_decay
        storage = shortfall(storage, need)
        if count == 0:
            value += mind.ready * worth
        elif covers(left, missing):
            producible_worth += worth
            fewest = min(fewest, count)
        else:
            value += mind.unproducible * worth
            continue
        if mind.future_expertise:
            expertise += UNIT[KIND_GAIN[kind]]
    return value + producible_worth * (mind.producible if fewest <= space else mind.unproducible)


@kernel
def unknown_value(state: Any, mind: Any, seat: Any, kind: Any, undiagnosed: Any, space: Any) -> float:
    """The value of a sample that is undiagnosed, or that was diagnosed within the search."""
    rank = KIND_RANK[kind]
    health = mind.rank_1_health if rank == 1 else mind.rank_2_health if rank == 2 else mind.rank_3_health
    worth = mind.expertise_coefficient + health
    if space < mind.space_needed:
        worth *= space / mind.space_needed
    if undiagnosed:
        distance = np.int64(state.eta[seat]) + DISTANCE[state.location[seat], DIAGNOSIS]
        return mind.undiagnosed * worth - mind.distance_penalty * distance
    return mind.diagnosed_unknown * worth


@kernel
def project_progress(state: Any, seat: Any) -> float:
    """Sum over the open projects of the square of the share of the needed expertise that is there."""
    progress = 0.0
    for index in range(PROJECTS):
        if state.open >> index & 1:
            needed = total(state.project[index])
            missing = total(shortfall(state.project[index], state.expertise[seat]))
            share = (needed - missing) / needed
            progress += share * share
    return progress
