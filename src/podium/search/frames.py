"""What principal variation search works on: its counters, the frames of its stack, and its arrays, allocated once."""

from typing import Any, NamedTuple

import numpy as np

from podium.kernel import allocate, inlined, record
from podium.search.transpositions import NO_MOVE, new_cache, new_table

MOST_PLIES = 60
MOST_MOVES = 1 << 10  # of a position
EARLY_MOVES = 3  # tried before the moves are listed: the hash move and two killers
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

Frame = record(
    "search frame",
    [
        ("alpha", "f8"),
        ("beta", "f8"),
        ("floor", "f8"),  # alpha as it was given
        ("best", "f8"),
        ("position", "u8"),  # the key
        ("best_move", "i8"),
        ("move", "i8"),  # being searched
        ("hash_move", "i8"),
        ("sign", "f8"),  # 1 if the root's side is to move, else -1
        ("depth", "i4"),
        ("count", "i4"),  # of moves
        ("index", "i4"),  # of the next one
        ("picked", "i4"),  # moves picked by score
        ("scored", "i4"),  # where the scored moves begin
        ("cursor", "i4"),  # the next scored move that may be left over
        ("stage", "i4"),
        ("attempt", "i4"),  # how `move` is being searched
        ("length", "i4"),  # of the principal variation from here
        ("listed", "?"),  # the moves were listed
        ("horizon", "?"),  # an evaluation was needed somewhere below
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
    row = max(most_moves, EARLY_MOVES)
    return Work(
        desk=allocate(Desk, 1),
        states=allocate(state, plies),
        frames=allocate(Frame, plies),
        moves=np.zeros((plies, row), np.int64),
        scores=np.zeros((plies, row), np.int64),
        killers=np.full((plies, 2), NO_MOVE, np.int64),
        history=np.zeros((2, 1 << HISTORY_BITS), np.int32),
        visits=np.zeros(plies, np.int64),
        lines=np.zeros((plies, plies), np.int64),
        line=np.zeros(plies, np.int64),
        table=new_table(table_bits),
        cache=new_cache(cache_bits),
    )


@inlined
def open_frame(frame: Any, depth: int, alpha: float, beta: float) -> None:
    """Set a frame to its beginning."""
    frame.depth = depth
    frame.alpha = alpha
    frame.floor = alpha
    frame.beta = beta
    frame.best = -np.inf
    frame.best_move = NO_MOVE
    frame.index = 0
    frame.picked = 0
    frame.length = 0
    frame.horizon = False
