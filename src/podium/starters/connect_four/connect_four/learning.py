"""What a network sees of Connect Four, for `podium train connect_four` (docs/learner.md).

`podium bench connect_four --study network` measures the trained network.
"""

from typing import Any

import numpy as np

from connect_four.rules import COLUMNS, ROWS, State, completing
from podium.games.game import Learning
from podium.kernel import kernel
from podium.kernel.bits import ONE, lowest
from podium.model.hooks import auxiliary_targets, features

BITS = COLUMNS * (ROWS + 1)  # of the board, the empty cells on top included
OWN, OTHER, OWN_LINE, OTHER_LINE, FIRST = (BITS * kind for kind in range(5))
INPUTS = FIRST + 2
USUALLY_ON = 20


@features.register(State)
@kernel
def connect_four_features(state: Any, out: Any) -> int:
    """Own and other stones, empty cells that complete a line of either, and who began: odd and even threats differ."""
    count = 0
    other = state.own ^ state.taken
    lines, threats = completing(state.own, state.taken), completing(other, state.taken)
    for cells, first in ((state.own, OWN), (other, OTHER), (lines, OWN_LINE), (threats, OTHER_LINE)):
        rest = cells
        while rest:
            out[count] = first + lowest(rest)
            rest &= rest - ONE
            count += 1
    out[count] = FIRST + (state.plies & 1)
    return count + 1


@auxiliary_targets.register(State)
@kernel
def connect_four_auxiliary_targets(state: Any, out: Any) -> None:
    """Which cells had a stone in the end."""
    for bit in range(BITS):
        out[bit] = np.float32((state.taken >> np.uint64(bit)) & ONE)


def symmetries() -> tuple[Any, Any, Any]:
    """The board as it is, and mirrored."""
    moves = np.array([range(COLUMNS), range(COLUMNS)[::-1]])
    cells = (moves[:, :, None] * (ROWS + 1) + np.arange(ROWS + 1)).reshape(2, BITS)
    inputs = np.concatenate(
        [*(first + cells for first in (OWN, OTHER, OWN_LINE, OTHER_LINE)), [[FIRST, FIRST + 1]] * 2], 1
    )
    return moves, inputs, cells


def learning() -> Learning:
    """What Connect Four offers to a learner."""
    return Learning(INPUTS, USUALLY_ON, BITS, symmetries, ("random", "mcts", "alphabeta"))
