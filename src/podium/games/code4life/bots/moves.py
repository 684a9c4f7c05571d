"""The moves that the searching bots consider: very few, module by module, as the write-up lists them.

Restricting the moves buys depth, and keeps the search from shuffling samples in and out of the cloud.
"""

from typing import Any

from podium.games.code4life.bots.evaluation import Params
from podium.games.code4life.bots.sample_order import (
    AVAILABLE,
    FITTING,
    GRADE,
    grade_of,
    is_ready,
    order,
    priority,
    prospects,
    slot_of,
)
from podium.games.code4life.catalogue import (
    CAPACITY,
    DIAGNOSIS,
    KIND_COST,
    LABORATORY,
    MOLECULES,
    POOL_SIZE,
    POOL_START,
    ROUNDS,
    SAMPLES,
    TRAY,
)
from podium.games.code4life.packed_counts import count_of, covers, shortfall, total
from podium.games.code4life.rules import code4life_legal_moves, code4life_mover
from podium.games.code4life.state import (
    CONNECT_TRAY,
    DIAGNOSED,
    DOWNLOAD,
    DRAW,
    GOTO,
    KIND_MASK,
    PRODUCE,
    TAKE,
    TYPE_COUNT,
    WAIT,
    State,
    left_in_pool,
)
from podium.kernel import kernel
from podium.model.rules import candidates


@candidates.register(State, Params)
@kernel
def code4life_candidates(state: Any, params: Any, out: Any) -> Any:
    """The moves of the seat that chooses next; at least one."""
    seat = code4life_mover(state)
    out[0] = WAIT
    if state.eta[seat] > 0:
        return 1
    if params.all_moves:
        return code4life_legal_moves(state, out)
    location = state.location[seat]
    if location == MOLECULES:
        return at_molecules(state, params, seat, out)
    if location == LABORATORY:
        return at_laboratory(state, params, seat, out)
    if location == DIAGNOSIS:
        return at_diagnosis(state, params, seat, out)
    if location == SAMPLES:
        return at_samples(state, params, seat, out)
    out[0] = GOTO + SAMPLES
    return 1


@kernel
def at_samples(state: Any, params: Any, seat: Any, out: Any) -> Any:
    """Fill the tray with samples of the rank for the expertise, then go to DIAGNOSIS."""
    if state.carried[seat] == TRAY:
        out[0] = GOTO + DIAGNOSIS
        return 1
    expertise = total(state.expertise[seat])
    rank = 1
    if expertise >= params.rank_3_from:
        rank = 3
    elif expertise >= params.rank_2_from:
        rank = 2
    out[0] = DRAW + rank
    if state.carried[seat] > 0 and in_a_hurry(state, params):
        out[1] = GOTO + DIAGNOSIS
        return 2
    return 1


@kernel
def at_diagnosis(state: Any, params: Any, seat: Any, out: Any) -> Any:
    """Diagnose first. Then the best of the cloud, dropping the worst, or going on.

    `restrict_diagnosis` in a search that has diagnosed a sample itself: the sample is unknown, so it does not count as
    producible, neither for the robot at DIAGNOSIS nor for its opponent, and may have to be dropped.
    """
    carried = state.carried[seat]
    for slot in range(carried):
        if not state.tray[seat, slot] & DIAGNOSED:
            out[0] = CONNECT_TRAY + slot
            return 1
    left = left_in_pool(state)
    entries = order(state, params, seat, left)
    best, best_priority = best_of_cloud(state, params, seat, left)
    if (
        params.restrict_diagnosis
        and grade_of(entries[0]) < AVAILABLE
        and best_priority < AVAILABLE * GRADE
        and not_ahead(state, seat, left)
    ):
        out[0] = CONNECT_TRAY + slot_of(entries[carried - 1]) if carried > 0 else GOTO + SAMPLES
        return 1
    count = 0
    if carried == TRAY or (carried > 0 and in_a_hurry(state, params)):
        out[count] = GOTO + MOLECULES
        count += 1
    if carried < TRAY and best >= 0 and (params.download_blocked or best_priority >= AVAILABLE * GRADE):
        out[count] = DOWNLOAD + best
        count += 1
    if any_ready(state, seat):
        out[count] = GOTO + LABORATORY
        count += 1
    if carried > 0:
        out[count] = CONNECT_TRAY + slot_of(entries[carried - 1])
        count += 1
    if carried < TRAY:
        out[count] = GOTO + SAMPLES
        count += 1
    return count


@kernel
def at_molecules(state: Any, params: Any, seat: Any, out: Any) -> Any:
    """Any molecule; going on; waiting while ahead."""
    left = left_in_pool(state)
    count = 0
    if total(state.storage[seat]) < CAPACITY:
        for index in range(TYPE_COUNT):
            if count_of(left, index) > 0:
                out[count] = TAKE + index
                count += 1
    if any_ready(state, seat):
        out[count] = GOTO + LABORATORY
    elif state.carried[seat] < TRAY:
        out[count] = GOTO + SAMPLES
    else:
        out[count] = GOTO + DIAGNOSIS
    count += 1
    if (
        params.diagnosis_from_molecules
        and out[count - 1] != GOTO + DIAGNOSIS
        and worth_a_visit(state, params, seat, left)
    ):
        out[count] = GOTO + DIAGNOSIS
        count += 1
    if params.wait_at_molecules and may_wait(state, seat, left):
        out[count] = WAIT
        count += 1
    return count


@kernel
def at_laboratory(state: Any, params: Any, seat: Any, out: Any) -> Any:
    """Produce, or wait while ahead so as to keep the molecules; without a ready sample go on."""
    count = 0
    for slot in range(state.carried[seat]):
        if is_ready(state, seat, slot) and (count == 0 or params.production_orders):
            out[count] = PRODUCE + slot
            count += 1
    if count > 0:
        if params.wait_at_laboratory and may_wait(state, seat, left_in_pool(state)):
            out[count] = WAIT
            count += 1
        return count
    out[0] = GOTO + SAMPLES
    count = 1
    if state.carried[seat] > 0 or params.blocking_trips:
        out[count] = GOTO + MOLECULES
        count += 1
    if params.cloud_from_laboratory and worth_a_visit(state, params, seat, left_in_pool(state)):
        out[count] = GOTO + DIAGNOSIS
        count += 1
    return count


@kernel
def way_out(state: Any, params: Any, seat: Any) -> Any:
    """The move of a robot that has delivered nothing for long, or WAIT if it has something to do.

    A search hopes for ever that the opponent gives molecules back. At DIAGNOSIS it delivers what is ready, or puts back
    what can not be completed now and goes for new samples.
    """
    if state.location[seat] != DIAGNOSIS or state.eta[seat] > 0:
        return WAIT
    if any_ready(state, seat):
        return GOTO + LABORATORY
    carried = state.carried[seat]
    for slot in range(carried):
        if not state.tray[seat, slot] & DIAGNOSED:
            return WAIT
    entries = order(state, params, seat, left_in_pool(state))
    if grade_of(entries[0]) == FITTING:
        return WAIT
    return CONNECT_TRAY + slot_of(entries[carried - 1]) if carried > 0 else GOTO + SAMPLES


@kernel
def payable_rank(state: Any, params: Any, seat: Any, rank: Any) -> Any:
    """The highest rank up to the given one of which the share `payable_share` can be paid; 1 if there is none.

    Molecules to be had are those of the pool and the robot's own.
    """
    have = state.storage[seat] + state.expertise[seat]
    left = left_in_pool(state)
    space = CAPACITY - total(state.storage[seat])
    while rank > 1:
        payable = 0
        for kind in range(POOL_START[rank - 1], POOL_START[rank - 1] + POOL_SIZE[rank - 1]):
            missing = shortfall(KIND_COST[kind], have)
            payable += covers(left, missing) and total(missing) <= space
        if payable >= params.payable_share * POOL_SIZE[rank - 1]:
            break
        rank -= 1
    return rank


@kernel
def in_a_hurry(state: Any, params: Any) -> Any:
    """Whether the end is so near that fetching more samples may not pay."""
    return ROUNDS - state.played <= params.endgame_rounds


@kernel
def any_ready(state: Any, seat: Any) -> bool:
    """Whether a sample of the tray could be produced."""
    have = state.storage[seat] + state.expertise[seat]
    found = False
    for slot in range(state.carried[seat]):
        found |= covers(have, KIND_COST[state.tray[seat, slot] & KIND_MASK])
    return found


@kernel
def best_of_cloud(state: Any, params: Any, seat: Any, left: Any) -> Any:
    """The slot and the priority of the cloud's best sample for a seat; -1 and 0 if the cloud is empty."""
    have = state.storage[seat] + state.expertise[seat]
    space = CAPACITY - total(state.storage[seat])
    best, best_priority = -1, 0
    for slot in range(state.clouded):
        found = priority(params, state.cloud[slot], have, left, space)
        if found > best_priority:
            best, best_priority = slot, found
    return best, best_priority


@kernel
def worth_a_visit(state: Any, params: Any, seat: Any, left: Any) -> Any:
    """Whether the cloud holds a producible sample, and enough samples to fill the tray."""
    if state.carried[seat] == TRAY or state.carried[seat] + state.clouded < TRAY:
        return False
    return best_of_cloud(state, params, seat, left)[1] >= AVAILABLE * GRADE


@kernel
def not_ahead(state: Any, seat: Any, left: Any) -> Any:
    """Whether the opponent's score and what it can produce reach the seat's own score."""
    return state.score[1 - seat] + prospects(state, 1 - seat, left)[1] >= state.score[seat]


@kernel
def may_wait(state: Any, seat: Any, left: Any) -> Any:
    """Waiting is for those who lead, counting what they hold ready against all that the opponent can produce."""
    if state.location[1 - seat] == SAMPLES:
        return False
    mine = state.score[seat] + prospects(state, seat, left)[0]
    return mine > state.score[1 - seat] + prospects(state, 1 - seat, left)[1]
