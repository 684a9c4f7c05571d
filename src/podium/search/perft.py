"""Perft: how many games of a given length begin in a position. Rules are compared by such counts."""

from typing import Any

import numpy as np

from podium.kernel import allocate, kernel
from podium.kernel.rules import moves_unless_over, play


@kernel
def count_leaves(states: Any, moves: Any, ply: Any, depth: int) -> int:
    """The number of move sequences of length `depth` from states[ply]; shorter games do not count."""
    count = moves_unless_over(states[ply], moves[ply])
    if depth == 1:
        return count
    total = 0
    for i in range(count):
        states[ply + 1] = states[ply]
        play(states[ply + 1], moves[ply, i])
        total += count_leaves(states, moves, ply + 1, depth - 1)
    return total


def perft(state: Any, depth: int, most_moves: int) -> int:
    """The number of sequences of `depth` moves from a state."""
    if depth == 0:
        return 1
    states = allocate(state.dtype, depth + 1)
    states[0] = state
    return int(count_leaves(states, np.zeros((depth + 1, most_moves), np.int64), np.int64(0), depth))
