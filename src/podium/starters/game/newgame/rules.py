"""The rules of Newgame: one record, and a kernel for each question that a search asks of a game.

Kernels are compiled: they never raise, and in them every literal that meets a `uint64` is written `np.uint64(...)`.
"""

from typing import Any

import numpy as np

from podium.kernel import blank, kernel, record
from podium.kernel.random import mix
from podium.kernel.rules import final_score, is_over, key, legal_moves, mover, play

MOST_TAKEN = 3
MOST_PLIES = 1000  # no heap has more stones

# No other game may have a record with exactly the same names and types.
State = record("newgame state", [("newgame_stones", "i8"), ("plies", "i8")])


def initial_state(stones: int) -> Any:
    """A heap of stones, and nothing played."""
    state = blank(State)
    state.newgame_stones = stones
    return state


@mover.register(State)
@kernel
def newgame_mover(state: Any) -> int:
    """The two players alternate."""
    return state.plies & 1


@legal_moves.register(State)
@kernel
def newgame_legal_moves(state: Any, out: Any) -> int:
    """A move is the number of stones taken."""
    count = min(MOST_TAKEN, state.newgame_stones)
    for i in range(count):
        out[i] = i + 1
    return count


@play.register(State)
@kernel
def newgame_play(state: Any, move: int) -> None:
    """Take stones."""
    state.newgame_stones -= move
    state.plies += 1


@is_over.register(State)
@kernel
def newgame_is_over(state: Any) -> bool:
    """The heap is gone."""
    return state.newgame_stones == 0


@final_score.register(State)
@kernel
def newgame_final_score(state: Any, seat: int) -> int:
    """Whoever took the last stone has won."""
    return 1 if (state.plies & 1) != seat else -1


@key.register(State)
@kernel
def newgame_key(state: Any) -> Any:
    """A hash of all that matters for the rest of the game."""
    return mix(np.uint64(2 * state.newgame_stones + (state.plies & 1)))
