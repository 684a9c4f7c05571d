"""Newgame: take one, two or three stones from a heap; the player who takes the last one wins.

Try it:

    podium play newgame.py mcts random
    python -m podium.testing newgame.py
"""

from typing import Any

import numpy as np

from podium import make_game
from podium.kernel import blank, kernel, record
from podium.kernel.random import draw_below, generator, mix
from podium.model.rules import final_score, is_over, key, legal_moves, mover, play
from podium.model.ruleset import Rules

# The position, and nothing else. No other game may have a record with exactly the same names and types.
State = record("newgame state", [("newgame_stones", "i8"), ("plies", "i8")])
MOST_TAKEN, FEWEST, MOST = 3, 15, 30


def initial_state(seed: int = 0) -> Any:
    """The seed draws the heap."""
    state = blank(State)
    state.newgame_stones = FEWEST + int(draw_below(generator(seed), MOST - FEWEST + 1))
    return state


# The rules are compiled. They never raise, and every literal that meets a `uint64` is written `np.uint64(...)`.
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
    """The player who took the last stone has won."""
    return 1 if (state.plies & 1) != seat else -1


@key.register(State)
@kernel
def newgame_key(state: Any) -> Any:
    """A hash of all that matters for the rest of the game."""
    return mix(np.uint64(2 * state.newgame_stones + (state.plies & 1)))


RULES = Rules(
    "newgame",
    State,
    seats=2,
    most_moves=MOST_TAKEN,
    move_codes=MOST_TAKEN + 1,
    most_plies=MOST,
    initial_state=initial_state,
)
GAME = make_game(RULES)
