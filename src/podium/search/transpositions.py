"""Transposition table and evaluation cache for alpha-beta searches.

A position reached by different orders of moves is searched once: the table keeps, by the position's 64-bit key, the
value found, whether it is exact or a bound, the depth it was searched to, and the best move, which is tried first next
time (the hash move). One entry per slot; what a former search left is replaced, within a search the deeper entry stays.

An entry answers only a search of the very same depth, so that the table changes nothing about the value of a search.
The one exception is sound at any greater depth: the entry of a position whose whole subtree ended in ends of the game,
without an evaluation (`exhausted`).
"""

from typing import Any

import numpy as np

from podium.kernel import allocate, inlined, record

NO_MOVE = -1

EXACT, LOWER, UPPER = 1, 2, 3  # what an entry's value is of the true one: itself, a lower bound, an upper bound

Entry = record(
    "transposition",
    [
        ("position", "u8"),  # the key
        ("value", "f8"),  # for the side to move
        ("move", "i4"),
        ("depth", "i2"),
        ("bound", "u1"),  # 0: the slot is free
        ("exhausted", "?"),
        ("search", "u4"),  # number of the search that wrote it
    ],
)

Opinion = record("cached evaluation", [("position", "u8"), ("opinion", "f8")])


def new_table(bits: int) -> Any:
    """An empty transposition table of 2^bits entries (32 bytes each)."""
    return allocate(Entry, 1 << bits)


def new_cache(bits: int) -> Any:
    """An empty evaluation cache of 2^bits entries (16 bytes each)."""
    return allocate(Opinion, 1 << bits)


@inlined
def slot_of(table: Any, position: Any) -> Any:
    """Where a position is kept."""
    return np.int64(position & np.uint64(table.size - 1))


@inlined
def answers(entry: Any, depth: int, alpha: float, beta: float) -> bool:
    """Whether an entry of the right position makes searching it to a depth, with this window, unnecessary."""
    if entry.depth != depth and not (entry.exhausted and entry.depth < depth):
        return False
    if entry.bound == EXACT:
        return True
    if entry.bound == LOWER:
        return entry.value >= beta
    return entry.value <= alpha


@inlined
def store(
    table: Any, position: Any, value: float, move: int, depth: int, bound: int, exhausted: bool, search: int
) -> None:
    """Keep a result, unless the slot holds a deeper one of another position from the same search."""
    entry = table[slot_of(table, position)]
    if entry.bound != 0 and entry.search == search and entry.position != position and entry.depth > depth:
        return
    entry.position = position
    entry.value = value
    entry.move = move
    entry.depth = depth
    entry.bound = bound
    entry.exhausted = exhausted
    entry.search = search
