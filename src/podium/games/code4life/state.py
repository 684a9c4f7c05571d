"""The state of Code 4 Life, the encoding of samples and moves, and what keeps trays, cloud and hash together.

The same record serves the referee, which knows every sample, and a bot, which does not: a bot's pools are filled with
the unknown kind of each rank, so a sample drawn within a search is unknown, stays unknown when diagnosed, and cannot be
produced.

The pool of molecules is not kept: it is always 5 of each type minus both storages. It can be -1 of a type, after both
robots took the last one in the same round; so it is handled with 1 added to each count.
"""

from typing import Any

import numpy as np

from podium.games.code4life.catalogue import LABORATORY, PER_TYPE, PROJECTS, RANKS, SAMPLE_KINDS, TRAY, TYPES
from podium.games.code4life.packed_counts import ONES, shortfall
from podium.kernel import kernel, record
from podium.kernel.random import mix

SEATS = 2
TYPE_COUNT = len(TYPES)
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
MOST_MOVES = 1 + LABORATORY + TRAY + CLOUD  # waiting, going, and at DIAGNOSIS all samples of tray and cloud

OUT_SCORE = -1

State = record(
    "code4life state",
    [
        ("storage", "u8", (SEATS,)),  # molecules held, packed
        ("expertise", "u8", (SEATS,)),  # packed
        ("project", "u8", (PROJECTS,)),  # expertise needed, packed
        ("hash", "u8"),  # of projects and pools, plus the sum over all samples of trays and cloud
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
        ("pool", "u1", (SAMPLE_KINDS,)),  # kinds in the order in which they are drawn, rank after rank
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
def left_in_pool(state: Any) -> Any:
    """Molecules that can be taken, packed; none where the pool is at -1."""
    return shortfall(pool_plus_one(state), ONES)


@kernel
def sample_hash(sample: int, salt: Any) -> Any:
    """A sample's share of the hash; its id does not matter for the rest of the game."""
    return mix(np.uint64(sample & SAMPLE_MASK) + salt)


@kernel
def add_to_tray(state: Any, seat: Any, sample: int) -> None:
    """Append a sample to a tray that is not full."""
    state.tray[seat, state.carried[seat]] = sample
    state.carried[seat] += 1
    state.hash += sample_hash(sample, TRAY_SALT[seat])


@kernel
def remove_from_tray(state: Any, seat: Any, slot: int) -> Any:
    """Take a sample out of a tray; the rest keeps its order."""
    sample = state.tray[seat, slot]
    state.carried[seat] -= 1
    for i in range(slot, state.carried[seat]):
        state.tray[seat, i] = state.tray[seat, i + 1]
    state.tray[seat, state.carried[seat]] = 0
    state.hash -= sample_hash(sample, TRAY_SALT[seat])
    return sample


@kernel
def add_to_cloud(state: Any, sample: int) -> None:
    """Append a sample to the cloud."""
    state.cloud[state.clouded] = sample
    state.clouded += 1
    state.hash += sample_hash(sample, CLOUD_SALT)


@kernel
def remove_from_cloud(state: Any, slot: int) -> Any:
    """Take a sample out of the cloud; the rest keeps its order."""
    sample = state.cloud[slot]
    state.clouded -= 1
    for i in range(slot, state.clouded):
        state.cloud[i] = state.cloud[i + 1]
    state.cloud[state.clouded] = 0
    state.hash -= sample_hash(sample, CLOUD_SALT)
    return sample
