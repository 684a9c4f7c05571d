"""The evaluation of the write-up, with additions.

`Eval(state) = Eval(state, me) - Eval(state, opponent)`. The value of a sample is its health plus a coefficient for the
expertise it brings, and a growing share of that counts as it advances: undiagnosed, unproducible, producible, ready. A
sample whose molecules the opponent holds loses most of its value, which makes the search block, and expect to be
blocked.
"""

from typing import Any

import numpy as np

from podium.games.code4life.bots.params import PARAMS
from podium.games.code4life.bots.sample_order import (
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
from podium.games.code4life.packed_counts import UNIT, covers, shortfall, total
from podium.games.code4life.rules import code4life_is_over
from podium.games.code4life.state import KIND_MASK, State, left_in_pool
from podium.kernel import kernel
from podium.model.rules import evaluate

Params = PARAMS.dtype


@evaluate.register(State, Params)
@kernel
def code4life_evaluate(state: Any, params: Any, seat: Any) -> Any:
    """In points, from a seat's point of view; at the end of the game the exact difference of the scores."""
    difference = np.float64(state.score[seat]) - np.float64(state.score[1 - seat])
    if code4life_is_over(state):
        return difference
    left = left_in_pool(state)
    return (
        difference
        + standing(state, params, seat, left)
        - params.opponent_weight * standing(state, params, 1 - seat, left)
    )


@kernel
def standing(state: Any, params: Any, seat: Any, left: Any) -> Any:
    """What a robot has beside its score: expertise, samples, space."""
    storage, expertise = state.storage[seat], state.expertise[seat]
    space = CAPACITY - total(storage)
    coefficient = params.expertise_coefficient
    value = coefficient * total(expertise) + params.space_bonus * space
    if params.project_bonus != 0.0:
        value += params.project_bonus * project_progress(state, seat)
    if state.carried[seat] == 0:
        return value
    entries = order(state, params, seat, left)
    penalty = params.missing_penalty
    producible_value = 0.0
    fewest = np.int64(255)
    undiagnosed = False
    for index in range(TRAY):
        entry = entries[index]
        grade = grade_of(entry)
        if grade == NO_SAMPLE:
            break
        kind = state.tray[seat, slot_of(entry)] & KIND_MASK
        if grade in (UNDIAGNOSED, UNKNOWN_SAMPLE):
            value += unknown_value(params, kind, grade == UNDIAGNOSED, space)
            undiagnosed = undiagnosed or grade == UNDIAGNOSED
            continue
        full = coefficient + KIND_HEALTH[kind]
        need = shortfall(KIND_COST[kind], expertise)
        missing = shortfall(need, storage)
        count = total(missing)
        value -= penalty * count
        penalty *= params.missing_decay
        storage = shortfall(storage, need)
        if count == 0:
            value += params.ready * full
        elif covers(left, missing):
            producible_value += full
            fewest = min(fewest, count)
        else:
            value += params.unproducible * full
            continue
        if params.future_expertise:
            expertise += UNIT[KIND_GAIN[kind]]
    if undiagnosed:
        value -= params.distance_penalty * (np.int64(state.eta[seat]) + DISTANCE[state.location[seat], DIAGNOSIS])
    return value + producible_value * (params.producible if fewest <= space else params.unproducible)


@kernel
def unknown_value(params: Any, kind: Any, undiagnosed: Any, space: Any) -> Any:
    """The value of a sample that is undiagnosed, or that was diagnosed within the search."""
    rank = KIND_RANK[kind]
    health = params.rank_1_health if rank == 1 else params.rank_2_health if rank == 2 else params.rank_3_health
    full = params.expertise_coefficient + health
    if space < params.space_needed:
        full *= space / params.space_needed
    return (params.undiagnosed if undiagnosed else params.diagnosed_unknown) * full


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
