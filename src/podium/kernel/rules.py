"""The generic functions through which a search plays any game.

A game implements those chosen by the state alone for its State, a bot the last two for its State and mind. Games with
simultaneous moves are searched as sequential ones: `play` keeps each seat's choice in the record, and the last one
simulates the turn.
"""

from typing import Any

from podium.kernel.generic import generic


@generic(by=1)
def mover(state: Any) -> Any:
    """The seat that chooses next."""


@generic(by=1)
def legal_moves(state: Any, out: Any) -> Any:
    """Write the legal moves of the mover into `out`; return how many there are."""


@generic(by=1)
def play(state: Any, move: Any) -> Any:
    """Play a legal move of the mover, in place; legality is not checked."""


@generic(by=1)
def is_over(state: Any) -> Any:
    """Whether the game has ended."""


@generic(by=1)
def final_score(state: Any, seat: Any) -> Any:
    """The result of an ended game for a seat: positive for a win, negative for a loss, 0 for a draw."""


@generic(by=1)
def key(state: Any) -> Any:
    """A 64-bit hash of all that matters for the rest of the game."""


@generic(by=2)
def candidates(state: Any, mind: Any, out: Any) -> Any:
    """Write the moves that a bot is willing to consider into `out`; return how many there are."""


@generic(by=2)
def evaluate(state: Any, mind: Any, seat: Any) -> Any:
    """A bot's opinion of a position, from a seat's point of view."""
