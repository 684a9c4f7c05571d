"""Transposition table and evaluation cache for alpha-beta searches.

A position reached by different move orders is searched once: the table stores, by the position's 64-bit key, the value,
whether it is exact or a bound, the depth, and the best move, which is tried first next time (the hash move). One entry
per slot; entries of former searches are replaced, within a search the deeper entry stays.

An entry is used only by a search of exactly the same depth, so the table never changes the value of a search. The one
exception is sound at any greater depth: the entry of a position whose whole subtree ended in ended games, without an
evaluation (`exhausted`). Greenblatt, Eastlake and Crocker, "The Greenblatt chess program" (1967).
"""

from typing import Any

import numpy as np

from podium.kernel import allocate, inlined, record
from podium.kernel.prefetch import prefetch

NO_MOVE = -1

EXACT, LOWER, UPPER = 1, 2, 3  # the value of an entry is exact, a lower bound, an upper bound

TableEntry = record(
    "transposition",
    [
        ("position", "u8"),  # the key
        ("value", "f8"),  # for the side to move
        ("move", "i4"),
        ("depth", "i2"),  # plies
        ("bound", "u1"),  # 0: the slot is free
        ("exhausted", "?"),
        ("generation", "u4"),  # number of the search that wrote it
    ],
)

CachedEvaluation = record("cached evaluation", [("position", "u8"), ("evaluation", "f8")])


def new_transposition_table(bits: int) -> Any:
    """An empty transposition table of 2^bits entries (32 bytes each)."""
    return allocate(TableEntry, 1 << bits)


def new_evaluation_cache(bits: int) -> Any:
    """An empty evaluation cache of 2^bits entries (16 bytes each)."""
    return allocate(CachedEvaluation, 1 << bits)


@inlined
def slot_of(table: Any, position: Any) -> Any:
    """The slot of a position."""
    return np.int64(position & np.uint64(table.size - 1))


@inlined
def prefetch_slot(table: Any, position: Any) -> None:
    """Bring the slot of a position into the caches: the table is larger than they are."""
    prefetch(table, slot_of(table, position))


@inlined
def gives_cutoff(entry: Any, depth: int, alpha: float, beta: float) -> Any:
    """Whether the entry of a position makes searching it, to a depth with a window, unnecessary."""
    if entry.depth != depth and not (entry.exhausted and entry.depth < depth):
        return False
    if entry.bound == EXACT:
        return True
    if entry.bound == LOWER:
        return entry.value >= beta
    return entry.value <= alpha


@inlined
def store_entry(
    table: Any, position: Any, value: float, move: int, depth: int, bound: int, exhausted: bool, generation: int
) -> None:
    """Store a result, unless the slot holds a deeper one of another position from the same search."""
    entry = table[slot_of(table, position)]
    if entry.bound != 0 and entry.generation == generation and entry.position != position and entry.depth > depth:
        return
    entry.position = position
    entry.value = value
    entry.move = move
    entry.depth = depth
    entry.bound = bound
    entry.exhausted = exhausted
    entry.generation = generation
