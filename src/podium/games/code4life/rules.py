"""The rules of Code 4 Life.

Both robots act at the same time. A search plays them one after the other: the choice of seat 0 is kept in the record,
and that of seat 1 simulates the round. The same kernels serve the referee, who knows every sample, and a bot, who
does not: a bot's pools are filled with the unknown kind of each rank, so what it draws in its thoughts is an unknown
sample, and stays unknown when diagnosed; nobody can afford to produce it.

The pool of molecules is not kept: it is always 5 of each type minus both storages. It can be -1 of a type, after both
robots took the last one in the same round; so it is handled with 1 added to each count.
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
    KINDS,
    LABORATORY,
    MOLECULES,
    PER_TYPE,
    POOL_SIZE,
    POOL_START,
    PROJECT_POINTS,
    PROJECTS,
    RANKS,
    ROUNDS,
    SAMPLES,
    TRAY,
)
from podium.games.code4life.packed import ONES, UNIT, count_of, covers, shortfall, total
from podium.kernel import kernel, record
from podium.kernel.random import GOLDEN, mix
from podium.kernel.rules import final_score, is_over, key, legal_moves, mover, play

SEATS = 2
TYPE_COUNT = 5
# Nobody can draw more than 51 samples in 200 rounds: three in the first 5 rounds, then at best three in every 12
# (two journeys, three actions to get rid of them, three to draw). So the cloud never holds more than 102.
CLOUD = 104

# A sample in a tray or in the cloud is one integer: its kind, whether it is diagnosed and by whom, and its id.
KIND_MASK = 127
DIAGNOSED = 128
DIAGNOSER = 256  # set if seat 1 diagnosed it
SAMPLE_MASK = 511  # all but the id
ID_SHIFT = 9

# Moves. Slots are positions in the mover's tray or in the cloud.
WAIT = 0
GOTO = 0  # + module, 1 .. 4
DRAW = 4  # + rank, 1 .. 3
TAKE = 8  # + molecule type, 0 .. 4
CONNECT_TRAY = 13  # + slot, at DIAGNOSIS: diagnose, or put into the cloud if it is diagnosed
PRODUCE = 16  # + slot
DOWNLOAD = 19  # + slot of the cloud
THROWN_OUT = DOWNLOAD + CLOUD  # what the referee plays for a seat whose answer was not acceptable
MOST_MOVES = 5 + CLOUD + TRAY

OUT_SCORE = -1

State = record(
    "code4life state",
    [
        ("storage", "u8", (SEATS,)),  # molecules held, packed
        ("expertise", "u8", (SEATS,)),  # packed
        ("project", "u8", (PROJECTS,)),  # expertise needed, packed
        ("sample_hash", "u8"),  # sum over all samples of trays and cloud, kept by every change
        ("score", "i4", (SEATS,)),
        ("tray", "i4", (SEATS, TRAY)),
        ("choice", "i4"),  # of seat 0, while `chosen`
        ("played", "i4"),  # rounds
        ("next_id", "i4"),
        ("location", "u1", (SEATS,)),
        ("eta", "u1", (SEATS,)),
        ("carried", "u1", (SEATS,)),  # samples in the tray
        ("thrown_out", "u1", (SEATS,)),
        ("chosen", "u1"),  # whether seat 0 has made its choice for this round
        ("first", "u1"),  # the seat whose answers are handled first; 0 for a referee
        ("open", "u1"),  # projects still open, as bits
        ("clouded", "u1"),  # samples in the cloud
        ("drawn", "u1", (RANKS,)),  # position in each pool
        ("pool", "u1", (KINDS,)),  # kinds in the order in which they are drawn, rank after rank
        ("cloud", "i4", (CLOUD,)),
    ],
)

SIXES = np.uint64(PER_TYPE + 1) * ONES
TRAY_SALT = np.array([0x1F83D9ABFB41BD6B, 0x5BE0CD19137E2179], dtype=np.uint64)
CLOUD_SALT = np.uint64(0x3C6EF372FE94F82B)


@kernel
def pool_plus_one(state: Any) -> Any:
    """Molecules left in the pool, packed, with 1 added to each count (which can be -1)."""
    return SIXES - state.storage[0] - state.storage[1]


@kernel
def sample_hash(sample: int, salt: Any) -> Any:
    """A sample's share of the hash; its id does not matter for the rest of the game."""
    return mix(np.uint64(sample & SAMPLE_MASK) + salt)


@kernel
def add_to_tray(state: Any, seat: Any, sample: int) -> None:
    """Append a sample to a tray that is not full."""
    state.tray[seat, state.carried[seat]] = sample
    state.carried[seat] += 1
    state.sample_hash += sample_hash(sample, TRAY_SALT[seat])


@kernel
def remove_from_tray(state: Any, seat: Any, slot: int) -> int:
    """Take a sample out of a tray; the rest keeps its order."""
    sample = state.tray[seat, slot]
    state.carried[seat] -= 1
    for i in range(slot, state.carried[seat]):
        state.tray[seat, i] = state.tray[seat, i + 1]
    state.tray[seat, state.carried[seat]] = 0
    state.sample_hash -= sample_hash(sample, TRAY_SALT[seat])
    return sample


@kernel
def add_to_cloud(state: Any, sample: int) -> None:
    """Append a sample to the cloud."""
    state.cloud[state.clouded] = sample
    state.clouded += 1
    state.sample_hash += sample_hash(sample, CLOUD_SALT)


@kernel
def remove_from_cloud(state: Any, slot: int) -> int:
    """Take a sample out of the cloud; the rest keeps its order."""
    sample = state.cloud[slot]
    state.clouded -= 1
    for i in range(slot, state.clouded):
        state.cloud[i] = state.cloud[i + 1]
    state.cloud[state.clouded] = 0
    state.sample_hash -= sample_hash(sample, CLOUD_SALT)
    return sample


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
            state.sample_hash -= sample_hash(sample, TRAY_SALT[seat])
            sample |= DIAGNOSED + DIAGNOSER * seat
            state.sample_hash += sample_hash(sample, TRAY_SALT[seat])
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
def code4life_is_over(state: Any) -> bool:
    """After 200 rounds, or the round in which somebody was thrown out."""
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
    result = mix(places + GOLDEN) + state.sample_hash
    result = mix(result ^ choices) + state.storage[0]
    result = mix(result) + state.storage[1]
    result = mix(result) + state.expertise[0]
    return mix(mix(result) + state.expertise[1])
