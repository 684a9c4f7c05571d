"""The search context: the bot's parameters, the searching seat, the turn of the root, and predicted choices.

A search does not know the referee's generator, so it plays choices in its own way (`play_imagined`): it assumes the
worst, that every draw falls on the searching seat, and sees light as the parameter `light` says.

It is made anew for each search. All searching bots share one type, whatever other parameters they have, so that
evaluation, moves and prediction are compiled once for all of them.

The step of an enemy that is only predicted depends on the position before the turn, not on what the others choose in
it. A search reaches that enemy again after each of their choices, so its step is cached: one entry for each turn ahead,
with the key of the position that it was made for.
"""

from functools import lru_cache
from typing import Any

import numpy as np

from podium.games.code_of_kutulu.bots.params import WRITEUP_PARAMS
from podium.games.code_of_kutulu.rules import play_choice
from podium.games.code_of_kutulu.state import SEATS, living_seats
from podium.kernel import blank, kernel, record

NOTED_TURNS = 32  # a power of two; 60 plies, the most of a search, are 30 turns of two explorers
NO_KEY = np.uint64(2**64 - 1)
SEARCHED = 255  # in place of a predicted choice: the seat's choices are searched

# A move of a search: the choice (all that `play` looks at), the seat and the explorer's cell, from the lowest bits on.
CHOICE_BITS, SEAT_BITS, CELL_BITS = 3, 2, 8
MOVE_BITS = CHOICE_BITS + SEAT_BITS + CELL_BITS
CHOICE_MASK, MOVE_MASK = (1 << CHOICE_BITS) - 1, (1 << MOVE_BITS) - 1

FIELDS: list[tuple[Any, ...]] = [
    *((parameter.name, parameter.format) for parameter in WRITEUP_PARAMS),
    ("least_value", "f8"),  # of max^n
    ("seat", "i8"),  # the searching seat
    ("origin", "i8"),  # the turn in which the search began
    ("rivals", "i8"),  # the enemies that lived then
    ("foreseen", "u1", (NOTED_TURNS, SEATS)),  # the predicted choices, or SEARCHED
    ("foreseen_for", "u8", (NOTED_TURNS,)),  # keys of the positions before the turns that they are for
]
Context = record("code of kutulu search context", FIELDS)


@kernel
def play_imagined(state: Any, context: Any, move: Any) -> None:
    """Play a choice as a search imagines it: every draw falls on the searching seat."""
    play_choice(state, move, np.int64(context.seat), np.int64(context.light))


def context_of(params: Any, state: Any, seat: int, context_type: np.dtype = Context) -> Any:
    """The context of a search from a position, for a seat; its type has the fields above, and perhaps others."""
    context = _numbers_of(params.dtype, params.tobytes(), context_type).copy()
    context.seat = seat
    context.origin = state.turn
    context.rivals = len(living_seats(state)) - 1
    return context


@lru_cache(maxsize=64)
def _numbers_of(param_spec: np.dtype, params: bytes, context_type: np.dtype) -> Any:
    """A context with the parameters' values and no predictions; copying field by field is too slow for each turn."""
    context, numbers = blank(context_type), np.frombuffer(params, param_spec)[0]
    for name in {*(param_spec.names or ())} & {*(context_type.names or ())}:
        context[name] = numbers[name]
    context.foreseen_for = NO_KEY
    return context
