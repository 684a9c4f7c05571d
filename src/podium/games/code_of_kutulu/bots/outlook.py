"""What a search knows besides the position: the bot's numbers, who searches since when, and what it has foreseen.

An outlook is made anew for each search. All searching bots share one type of it, whatever else their minds hold, so
that evaluation, moves and prediction are compiled once for all of them.

The step of an enemy who is only predicted depends on how all stood before the turn, not on what the others choose in
it. A search comes to him again after each of their choices, so his step is noted: one note for each turn ahead, with
the key of the position that it was made for.
"""

from functools import lru_cache
from typing import Any

import numpy as np

from podium.games.code_of_kutulu.bots.mind import WRITEUP_MINDS
from podium.games.code_of_kutulu.state import SEATS, living_seats
from podium.kernel import blank, record

NOTED_TURNS = 32  # a power of two; 60 plies, the most of a search, are 30 turns of two explorers
NO_KEY = np.uint64(2**64 - 1)

# A move of a search: the choice (all that `play` looks at), the seat and the explorer's cell, from the lowest bits on.
CHOICE_BITS, SEAT_BITS, CELL_BITS = 3, 2, 8
MOVE_BITS = CHOICE_BITS + SEAT_BITS + CELL_BITS
CHOICE_MASK, MOVE_MASK = (1 << CHOICE_BITS) - 1, (1 << MOVE_BITS) - 1

Outlook = record(
    "code of kutulu outlook",
    [
        *((parameter.name, parameter.format) for parameter in WRITEUP_MINDS),
        ("least_worth", "f8"),  # of max^n
        ("seat", "i8"),  # who searches
        ("origin", "i8"),  # the turn in which the search began
        ("rivals", "i8"),  # the enemies that lived then
        ("foreseen", "u1", (NOTED_TURNS, SEATS)),  # the predicted choices
        ("foreseen_for", "u8", (NOTED_TURNS, SEATS)),  # keys of the positions before the turns that they are for
    ],
)


def outlook_of(mind: Any, state: Any, seat: int) -> Any:
    """How a searching bot's mind looks ahead from a position, for a seat."""
    outlook = _numbers_of(mind.dtype, mind.tobytes()).copy()
    outlook.seat = seat
    outlook.origin = state.turn
    outlook.rivals = len(living_seats(state)) - 1
    return outlook


@lru_cache(maxsize=64)
def _numbers_of(minds: np.dtype, mind: bytes) -> Any:
    """An outlook with the numbers of a mind and no notes: field by field it takes too long to do it every turn."""
    outlook, numbers = blank(Outlook), np.frombuffer(mind, minds)[0]
    for name in {*(minds.names or ())} & {*(Outlook.names or ())}:
        outlook[name] = numbers[name]
    outlook.foreseen_for = NO_KEY
    return outlook
