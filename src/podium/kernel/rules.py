"""The generic functions through which a search plays any game.

A game implements those chosen by the state alone for its State, a bot the last two for its State and mind, or for the
outlook that it searches with. Games with simultaneous moves are searched as sequential ones: `play` keeps each seat's
choice in the record, and the last one simulates the turn.

`is_over` alone says that a game has ended. Whoever wants moves asks it first: `legal_moves` and `candidates` are never
called on an ended game, and in any other there is at least one legal move. `moves_unless_over` asks both at once.
"""

from typing import Any

import numpy as np

from podium.kernel.generic import generic, kernel


@generic(by=1)
def mover(state: Any) -> Any:
    """The seat that chooses next."""


@generic(by=1)
def legal_moves(state: Any, out: Any) -> Any:
    """Write the legal moves of the mover into `out`; return how many there are. The game is not over."""


@generic(by=1)
def play(state: Any, move: Any) -> Any:
    """Play a legal move of the mover, in place; legality is not checked."""


@generic(by=1)
def is_over(state: Any) -> Any:
    """Whether the game has ended."""


@generic(by=1)
def moves_unless_over(state: Any, out: Any) -> Any:
    """0 if the game is over; else the legal moves of the mover in `out`, and how many there are."""


@moves_unless_over.otherwise
@kernel
def ask_both(state: Any, out: Any) -> Any:
    """First whether it is over, then the moves. A game that finds out both at once may say so at half the cost."""
    return np.int64(0) if is_over(state) else np.int64(legal_moves(state, out))


@generic(by=1)
def final_score(state: Any, seat: Any) -> Any:
    """The result of an ended game for a seat: positive for a win, negative for a loss, 0 for a draw."""


@generic(by=1)
def key(state: Any) -> Any:
    """A 64-bit hash of all that matters for the rest of the game."""


@generic(by=2)
def candidates(state: Any, mind: Any, out: Any) -> Any:
    """Write the moves that a bot is willing to consider into `out`; return how many there are."""


@candidates.otherwise
@kernel
def all_moves(state: Any, mind: Any, out: Any) -> Any:
    """All legal moves, for bots that do not choose among them."""
    return legal_moves(state, out)


@generic(by=2)
def evaluate(state: Any, mind: Any, seat: Any) -> Any:
    """A bot's opinion of a position, from a seat's point of view."""
