"""The rules of Code 4 Life.

Both robots act at the same time. A search plays them one after the other: the choice of seat 0 is kept in the record,
and that of seat 1 simulates the round. The referee and every bot play by the same kernels.
"""

from typing import Any

import numpy as np

from podium.games.code4life.catalogue import (
    CAPACITY,
    DIAGNOSIS,
    DISTANCE,
    KIND_COST,
    KIND_GAIN,
    KIND_HEALTH,
    LABORATORY,
    MOLECULES,
    POOL_SIZE,
    POOL_START,
    PROJECT_POINTS,
    PROJECTS,
    RANKS,
    ROUNDS,
    SAMPLES,
    TRAY,
)
from podium.games.code4life.packed_counts import UNIT, count_of, covers, shortfall, total
from podium.games.code4life.state import (
    CONNECT_TRAY,
    DIAGNOSED,
    DIAGNOSER,
    DOWNLOAD,
    DRAW,
    GOTO,
    ID_SHIFT,
    KIND_MASK,
    OUT_SCORE,
    PRODUCE,
    SEATS,
    TAKE,
    THROWN_OUT,
    TRAY_SALT,
    TYPE_COUNT,
    WAIT,
    State,
    add_to_cloud,
    add_to_tray,
    pool_plus_one,
    remove_from_cloud,
    remove_from_tray,
    sample_hash,
)
from podium.kernel import kernel
from podium.kernel.random import GOLDEN, mix
from podium.model.rules import before_turn, final_score, is_over, key, legal_moves, mover, play


@kernel
def seat_moves(state: Any, seat: Any, out: Any) -> Any:
    """Write the legal moves of a seat for this round; return how many there are.

    `GOTO` the module where the robot stands is legal and does nothing. While the robot travels, every answer does
    nothing: that is listed as WAIT alone.
    """
    out[0] = WAIT
    if state.eta[seat] > 0:
        return 1
    for module in range(SAMPLES, LABORATORY + 1):
        out[module] = GOTO + module
    count = 5
    location = state.location[seat]
    if location == MOLECULES:
        if total(state.storage[seat]) < CAPACITY:
            left = pool_plus_one(state)
            for index in range(TYPE_COUNT):
                if count_of(left, index) > 1:
                    out[count] = TAKE + index
                    count += 1
    elif location == LABORATORY:
        have = state.storage[seat] + state.expertise[seat]
        for slot in range(state.carried[seat]):
            if covers(have, KIND_COST[state.tray[seat, slot] & KIND_MASK]):
                out[count] = PRODUCE + slot
                count += 1
    elif location == DIAGNOSIS:
        for slot in range(state.carried[seat]):
            out[count] = CONNECT_TRAY + slot
            count += 1
        if state.carried[seat] < TRAY:
            for slot in range(state.clouded):
                out[count] = DOWNLOAD + slot
                count += 1
    elif location == SAMPLES and state.carried[seat] < TRAY:
        for rank in range(1, RANKS + 1):
            out[count] = DRAW + rank
            count += 1
    return count


@kernel
def handle_answer(state: Any, seat: Any, move: Any) -> Any:
    """What happens as soon as an answer is read: a journey begins, a sample is diagnosed, or drawn and returned."""
    if move == THROWN_OUT:
        state.thrown_out[seat] = 1
        state.score[seat] = OUT_SCORE
    elif move <= GOTO + LABORATORY:
        if move != WAIT and move - GOTO != state.location[seat]:
            state.eta[seat] = DISTANCE[state.location[seat], move - GOTO]
            state.location[seat] = move - GOTO
    elif move <= DRAW + RANKS:
        rank = move - DRAW - 1
        kind = state.pool[POOL_START[rank] + state.drawn[rank]]
        state.drawn[rank] = (state.drawn[rank] + 1) % POOL_SIZE[rank]
        state.next_id += 1
        return ((state.next_id - 1) << ID_SHIFT) | np.int64(kind)
    elif CONNECT_TRAY <= move < PRODUCE:
        slot = move - CONNECT_TRAY
        sample = state.tray[seat, slot]
        if not sample & DIAGNOSED:
            state.hash -= sample_hash(sample, TRAY_SALT[seat])
            sample |= DIAGNOSED + DIAGNOSER * seat
            state.hash += sample_hash(sample, TRAY_SALT[seat])
            state.tray[seat, slot] = sample
            return WAIT
    return move


@kernel
def produce(state: Any, seat: Any, slot: int) -> None:
    """Turn a sample and molecules into medicine: points and expertise."""
    kind = remove_from_tray(state, seat, slot) & KIND_MASK
    state.storage[seat] -= shortfall(KIND_COST[kind], state.expertise[seat])
    state.expertise[seat] += UNIT[KIND_GAIN[kind]]
    state.score[seat] += KIND_HEALTH[kind]


@kernel
def carry_out(state: Any, seat: Any, move: Any, drawn: int) -> None:
    """The transfers of the round's end, except downloads; `drawn` is the sample if the move drew one."""
    if TAKE <= move < CONNECT_TRAY:
        state.storage[seat] += UNIT[move - TAKE]
    elif DRAW < move < TAKE:
        add_to_tray(state, seat, drawn)
    elif PRODUCE <= move < DOWNLOAD:
        produce(state, seat, move - PRODUCE)
    elif CONNECT_TRAY <= move < PRODUCE:
        add_to_cloud(state, remove_from_tray(state, seat, move - CONNECT_TRAY))


@kernel
def download(state: Any, first: Any, first_move: Any, second_move: Any) -> None:
    """The downloads of the round. If both want the same sample, its diagnoser gets it; if neither is, the first seat.

    (In the referee seat 0 comes first; it loses only what seat 1 diagnosed.)
    """
    second = 1 - first
    first_wants = DOWNLOAD <= first_move < THROWN_OUT
    second_wants = DOWNLOAD <= second_move < THROWN_OUT
    if first_wants and second_wants and first_move == second_move:
        by_seat_1 = (state.cloud[first_move - DOWNLOAD] & DIAGNOSER) != 0
        if by_seat_1 == (second == 1):
            first_wants = False
        else:
            second_wants = False
    if first_wants:
        add_to_tray(state, first, remove_from_cloud(state, first_move - DOWNLOAD))
        if second_wants and second_move > first_move:
            second_move -= 1
    if second_wants:
        add_to_tray(state, second, remove_from_cloud(state, second_move - DOWNLOAD))


@kernel
def check_projects(state: Any) -> None:
    """Points for the open projects that a player's expertise fulfils; both get them if both fulfil one at once."""
    still_open = np.int64(state.open)
    for index in range(PROJECTS):
        if state.open >> index & 1:
            for seat in range(SEATS):
                if covers(state.expertise[seat], state.project[index]):
                    state.score[seat] += PROJECT_POINTS
                    still_open &= ~(1 << index)
    state.open = still_open


@kernel
def simulate(state: Any, move_0: Any, move_1: Any) -> None:
    """One round of both robots."""
    first = np.int64(state.first)
    second = 1 - first
    first_move, second_move = (move_0, move_1) if first == 0 else (move_1, move_0)
    first_drawn = second_drawn = 0
    if first_move != WAIT:
        handled = handle_answer(state, first, first_move)
        if DRAW < first_move < TAKE:
            first_drawn = handled
        else:
            first_move = handled
    if second_move != WAIT:
        handled = handle_answer(state, second, second_move)
        if DRAW < second_move < TAKE:
            second_drawn = handled
        else:
            second_move = handled
    for seat in range(SEATS):
        if state.eta[seat] > 0:
            state.eta[seat] -= 1
    carry_out(state, first, first_move, first_drawn)
    carry_out(state, second, second_move, second_drawn)
    if first_move >= DOWNLOAD or second_move >= DOWNLOAD:
        download(state, first, first_move, second_move)
    if state.open:
        check_projects(state)
    state.played += 1


@mover.register(State)
@kernel
def code4life_mover(state: Any) -> Any:
    """Seat 0 chooses first, then seat 1."""
    return np.int64(state.chosen)


@before_turn.register(State)
@kernel
def code4life_before_turn(state: Any) -> Any:
    """Whether seat 0 has not chosen yet."""
    return state.chosen == 0


@legal_moves.register(State)
@kernel
def code4life_legal_moves(state: Any, out: Any) -> Any:
    """The legal moves of the seat that chooses next."""
    return seat_moves(state, np.int64(state.chosen), out)


@play.register(State)
@kernel
def code4life_play(state: Any, move: Any) -> None:
    """Keep the choice of seat 0; with that of seat 1 simulate the round."""
    if state.chosen:
        state.chosen = 0
        simulate(state, np.int64(state.choice), np.int64(move))
        state.choice = 0
    else:
        state.chosen = 1
        state.choice = move


@is_over.register(State)
@kernel
def code4life_is_over(state: Any) -> Any:
    """After 200 rounds, or after the round in which a player was disqualified."""
    return state.played >= ROUNDS or state.thrown_out[0] > 0 or state.thrown_out[1] > 0


@final_score.register(State)
@kernel
def code4life_final_score(state: Any, seat: Any) -> Any:
    """The difference of the scores."""
    return np.int64(state.score[seat]) - np.int64(state.score[1 - seat])


@key.register(State)
@kernel
def code4life_key(state: Any) -> Any:
    """Hash of all that matters: of the scores only the difference does, of the samples not their order or ids."""
    difference = np.int64(state.score[0]) - np.int64(state.score[1])
    places = np.uint64(0)
    for seat in range(SEATS):
        places = (places << np.uint64(8)) | np.uint64(state.location[seat] * 8 + state.eta[seat])
    for rank in range(RANKS):
        places = (places << np.uint64(8)) | np.uint64(state.drawn[rank])
    places = (places << np.uint64(8)) | np.uint64(state.open | state.chosen << 3 | state.thrown_out[0] << 4)
    places = (places << np.uint64(8)) | np.uint64(state.played)
    choices = np.uint64(difference + (1 << 20)) | np.uint64(state.choice) << np.uint64(32)
    result = mix(places + GOLDEN) + state.hash
    result = mix(result ^ choices) + state.storage[0]
    result = mix(result) + state.storage[1]
    result = mix(result) + state.expertise[0]
    return mix(mix(result) + state.expertise[1])
