"""Proven results of a position as integers, for kernels: win, loss or draw for the side to move."""

from typing import Any

import numpy as np

from podium.kernel import kernel

UNPROVEN, WIN, LOSS, DRAW = 0, 1, -1, 2


@kernel
def sign(number: Any) -> int:
    """1, 0 or -1, as the number is positive, zero or negative."""
    if number > 0:
        return 1
    return -1 if number < 0 else 0


@kernel
def opposite(proof: int) -> int:
    """A proof from the other side's point of view."""
    return proof if proof == DRAW else -proof


@kernel
def proof_of(score: Any) -> int:
    """The proof that a final score stands for."""
    result = sign(score)
    return DRAW if result == 0 else result


@kernel
def proof_value(proof: int) -> float:
    """The value of a proof in [-1, 1]: 1 for a win, -1 for a loss, otherwise 0."""
    return 0.0 if proof == DRAW else np.float64(proof)
