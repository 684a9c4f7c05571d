"""Perft: the number of move sequences of a given length from a position, to compare implementations of the rules."""

from typing import Any

import numpy as np

from podium.kernel import allocate, kernel
from podium.model.rules import moves_unless_over, play


@kernel
def count_leaves(states: Any, moves: Any, ply: Any, depth: int) -> Any:
    """The number of move sequences of length `depth` from states[ply]; games that end earlier do not count."""
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
    """The number of sequences of `depth` moves from a state; positions have at most `most_moves` legal moves."""
    if depth == 0:
        return 1
    states = allocate(state.dtype, depth + 1)
    states[0] = state
    return int(count_leaves(states, np.zeros((depth + 1, most_moves), np.int64), np.int64(0), depth))
