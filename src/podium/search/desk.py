"""What principal variation search works on: its counters, and its arrays, allocated once."""

from typing import Any, NamedTuple

import numpy as np

from podium.kernel import allocate, record
from podium.search.ordering import MOST_MOVES, Frame
from podium.search.transpositions import NO_MOVE, new_cache, new_table

MOST_PLIES = 60
HISTORY_BITS = 13  # moves whose codes agree in these low bits share a history

Desk = record(
    "search desk",
    [
        ("ply", "i8"),
        ("nodes", "i8"),
        ("look", "i8"),  # nodes at the next look at the clock
        ("seat", "i8"),  # for which values are
        ("most", "i8"),  # plies to look ahead at most
        ("stride", "i8"),  # plies by which the depth grows
        ("search", "i8"),  # number of the search, for the table
        ("root_nodes", "i8"),  # when the root's present move was begun
        ("reached", "i8"),  # depth of the result
        ("value", "f8"),
        ("length", "i8"),  # of the result's line
        ("proven", "?"),  # no evaluation was needed: deeper searches would find the same
        ("sound", "?"),  # the first root move of this depth was searched
    ],
)


class Work(NamedTuple):
    """The arrays of a search."""

    desk: Any  # one record, in an array: Numba miscounts references to a bare record in a tuple
    states: Any  # a state per ply
    frames: Any  # a frame per ply
    moves: Any  # [ply, i]
    scores: Any  # [ply, i] for ordering; of the root: nodes that a move cost
    killers: Any  # [ply, 2]
    history: Any  # [side, hash of move]
    visits: Any  # [ply]: nodes so many plies below the root
    lines: Any  # [ply, i]: principal variation from a ply on
    line: Any  # that of the result
    table: Any
    cache: Any


def new_work(state: np.dtype, most_moves: int, table_bits: int, cache_bits: int) -> Work:
    """The arrays for searching states of a type whose positions have so many moves at most."""
    if most_moves > MOST_MOVES:
        raise ValueError(f"a position may have at most {MOST_MOVES} moves, not {most_moves}")
    plies = MOST_PLIES + 2
    return Work(
        desk=allocate(Desk, 1),
        states=allocate(state, plies),
        frames=allocate(Frame, plies),
        moves=np.zeros((plies, most_moves), np.int64),
        scores=np.zeros((plies, most_moves), np.int64),
        killers=np.full((plies, 2), NO_MOVE, np.int64),
        history=np.zeros((2, 1 << HISTORY_BITS), np.int32),
        visits=np.zeros(plies, np.int64),
        lines=np.zeros((plies, plies), np.int64),
        line=np.zeros(plies, np.int64),
        table=new_table(table_bits),
        cache=new_cache(cache_bits),
    )
