"""The room that random games are played in. What plays them is the hook `playouts` (`hooks.py`)."""

from typing import Any, NamedTuple

import numpy as np

from podium.kernel import allocate

SCRATCH_BYTES, SCRATCH_WORDS = 4096, 256


class Playroom(NamedTuple):
    """The workspace of playouts; allocated once, owned by the caller."""

    states: Any  # [1] the position of the game
    moves: Any  # int64 [most moves]
    played: Any  # int64 [2, most plies]: moves and movers of the game so far
    bytes: Any  # uint8, for a game's own playouts
    words: Any  # uint64, for a game's own playouts


def new_playroom(state: np.dtype, most_moves: int, most_plies: int) -> Playroom:
    """A room for games with at most so many legal moves at once, and so many plies."""
    return Playroom(
        states=allocate(state, 1),
        moves=np.zeros(most_moves, np.int64),
        played=np.zeros((2, most_plies), np.int64),
        bytes=np.zeros(SCRATCH_BYTES, np.uint8),
        words=np.zeros(SCRATCH_WORDS, np.uint64),
    )
