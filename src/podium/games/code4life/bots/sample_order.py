"""The samples of a tray in the order in which a robot should complete them, and what is missing for each.

The write-up sorts by (molecules available and enough space ? 100 : molecules available ? 1 : 0) - missing * 1e-3: what
can be done goes before what has a high value, since being blocked is the worst that can happen.
"""

from typing import Any

import numpy as np

from podium.games.code4life.catalogue import CAPACITY, KIND_COST, KIND_HEALTH, SAMPLE_KINDS
from podium.games.code4life.packed_counts import covers, shortfall, total
from podium.games.code4life.state import DIAGNOSED, KIND_MASK
from podium.kernel import kernel

# Grades of producibility. A sample diagnosed within the search is unknown: better kept than one that is known to
# be out of reach.
NO_SAMPLE, UNDIAGNOSED, BLOCKED, UNKNOWN_SAMPLE, AVAILABLE, FITTING = range(6)
GRADE = 256  # a sample's priority is GRADE * grade + LEAST_MISSING - missing molecules (+ what its health counts)
LEAST_MISSING = 127
SLOTS = 4  # room for the slot in a priority


@kernel
def priority(params: Any, sample: Any, have: Any, left: Any, space: Any) -> Any:
    """How early a sample comes in the order: its grade, then how few molecules it misses, and its health if it counts.

    `have` is storage plus expertise.
    """
    if not sample & DIAGNOSED:
        return UNDIAGNOSED * GRADE
    kind = sample & KIND_MASK
    if kind >= SAMPLE_KINDS:
        return UNKNOWN_SAMPLE * GRADE
    missing = shortfall(KIND_COST[kind], have)
    count = total(missing)
    if not covers(left, missing):
        grade = BLOCKED
    elif count > space:
        grade = AVAILABLE
    else:
        grade = FITTING
    return grade * GRADE + LEAST_MISSING - count + np.int64(params.health_weight * KIND_HEALTH[kind])


@kernel
def order(state: Any, params: Any, seat: Any, left: Any) -> Any:
    """The entries of the three slots of a tray, best first: SLOTS * priority + 3 - slot each, 0 for an empty slot.

    Samples of equal priority keep the order of the tray.
    """
    have = state.storage[seat] + state.expertise[seat]
    space = CAPACITY - total(state.storage[seat])
    carried = state.carried[seat]
    first = second = third = np.int64(0)
    if carried > 0:
        first = priority(params, state.tray[seat, 0], have, left, space) * SLOTS + 3
    if carried > 1:
        second = priority(params, state.tray[seat, 1], have, left, space) * SLOTS + 2
    if carried > 2:
        third = priority(params, state.tray[seat, 2], have, left, space) * SLOTS + 1
    if second > first:
        first, second = second, first
    if third > second:
        second, third = third, second
        if second > first:
            first, second = second, first
    return first, second, third


@kernel
def slot_of(entry: Any) -> Any:
    """The slot of an entry of the order."""
    return 3 - entry % SLOTS


@kernel
def grade_of(entry: Any) -> Any:
    """The grade of an entry of the order."""
    return entry // (SLOTS * GRADE)


@kernel
def is_ready(state: Any, seat: Any, slot: Any) -> Any:
    """Whether a sample could be produced at once, if it were the only one."""
    return covers(state.storage[seat] + state.expertise[seat], KIND_COST[state.tray[seat, slot] & KIND_MASK])


@kernel
def prospects(state: Any, seat: Any, left: Any) -> Any:
    """Health points of the samples of a tray that are ready, and of those that are ready or producible."""
    have = state.storage[seat] + state.expertise[seat]
    ready = producible = np.int64(0)
    for slot in range(state.carried[seat]):
        sample = state.tray[seat, slot]
        kind = sample & KIND_MASK
        if sample & DIAGNOSED and kind < SAMPLE_KINDS:
            missing = shortfall(KIND_COST[kind], have)
            if missing == 0:
                ready += KIND_HEALTH[kind]
            if covers(left, missing):
                producible += KIND_HEALTH[kind]
    return ready, producible
