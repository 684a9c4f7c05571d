"""Arithmetic on five counts at once, packed with a byte each into one 64-bit word.

Every count stays below 128, so the top bit of each byte is free: setting it before a subtraction keeps one byte's
borrow from the next, and shows afterwards which of the five differences were not negative (Lamport, "Multiple byte
processing with full-word instructions", 1975).
"""

from typing import Any

import numpy as np

from podium.kernel import kernel

ONES = np.uint64(0x0101010101)  # one of each type
HIGH = np.uint64(0x8080808080)
SEVEN = np.uint64(7)
BYTE = np.uint64(0xFF)
TOP = np.uint64(32)
UNIT = np.array([1 << (8 * index) for index in range(5)], dtype=np.uint64)  # one of each single type


@kernel
def covers(have: Any, need: Any) -> Any:
    """Whether there is at least as much of every type as needed."""
    return ((have | HIGH) - need) & HIGH == HIGH


@kernel
def shortfall(need: Any, have: Any) -> Any:
    """max(0, need - have) of every type."""
    difference = (need | HIGH) - have
    positive = (difference & HIGH) >> SEVEN
    return difference & (positive * BYTE) & ~HIGH


@kernel
def total(counts: Any) -> Any:
    """The sum of the five counts, which the caller guarantees to be below 256."""
    return np.int64(((counts * ONES) >> TOP) & BYTE)


@kernel
def count_of(counts: Any, index: int) -> Any:
    """The count of one type."""
    return np.int64((counts >> np.uint64(8 * index)) & BYTE)
