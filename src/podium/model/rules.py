"""The rules: the generic functions through which a search plays any game.

A game implements those that are chosen by the state alone for its State; a bot implements the last two for its State
and its parameters, or for the search context that it searches with.

In a game with simultaneous moves `play` stores each seat's choice in the record, and the last choice simulates the
turn; `before_turn` says where a turn begins. What a seat may choose must not depend on the others' choices of the same
turn. So one record serves searches in which a seat knows the choices before its own (`AlphaBeta`, `MaxN`) and those in
which nobody does (`DecoupledUct`, `Smitsimax`).

Only `is_over` says that a game has ended. Ask it before asking for moves: `legal_moves` and `candidates` are never
called on an ended game, and every other position has at least one legal move. `moves_unless_over` combines both.
"""

from typing import Any

import numpy as np

from podium.kernel.generic import generic, kernel


@generic(by=1)
def mover(state: Any) -> Any:
    """The seat that chooses next."""


@generic(by=1)
def before_turn(state: Any) -> Any:
    """Whether no seat has chosen yet in the present turn."""


@before_turn.otherwise
@kernel
def every_move_is_a_turn(state: Any) -> bool:
    """In a game without simultaneous moves, each move is a turn."""
    return True


@generic(by=1)
def legal_moves(state: Any, out: Any) -> Any:
    """Write the legal moves of the mover into `out`; return their number. The game must not be over."""


@generic(by=1)
def play(state: Any, move: Any) -> Any:
    """Play a legal move of the mover, in place; legality is not checked."""


@generic(by=1)
def is_over(state: Any) -> Any:
    """Whether the game has ended."""


@generic(by=1)
def moves_unless_over(state: Any, out: Any) -> Any:
    """0 if the game is over; otherwise write the legal moves of the mover into `out` and return their number."""


@moves_unless_over.otherwise
@kernel
def is_over_then_moves(state: Any, out: Any) -> Any:
    """Calls `is_over`, then `legal_moves`. A game that finds out both at once can implement it at half the cost."""
    return np.int64(0) if is_over(state) else np.int64(legal_moves(state, out))


@generic(by=1)
def final_score(state: Any, seat: Any) -> Any:
    """The result of an ended game for a seat: positive for a win, negative for a loss, 0 for a draw."""


@generic(by=1)
def key(state: Any) -> Any:
    """A 64-bit hash of everything that matters for the rest of the game."""


@generic(by=2)
def candidates(state: Any, params: Any, out: Any) -> Any:
    """Write the moves that a bot considers into `out`; return their number."""


@candidates.otherwise
@kernel
def all_legal_moves(state: Any, params: Any, out: Any) -> Any:
    """A bot that does not implement it considers every legal move."""
    return legal_moves(state, out)


@generic(by=2)
def evaluate(state: Any, params: Any, seat: Any) -> Any:
    """A bot's static evaluation of a position for a seat, on any scale."""
