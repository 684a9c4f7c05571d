"""The data of principal variation search: its status, the frames of its stack, and its arrays, allocated once.

`alphabeta.py` describes the search, `negascout.py` has its kernels.
"""

from typing import Any, NamedTuple

import numpy as np

from podium.kernel import allocate, inlined, record
from podium.search.trace_room import NO_TRACE
from podium.search.transpositions import NO_MOVE, new_evaluation_cache, new_transposition_table

MOST_PLIES = 60
RESULT = MOST_PLIES + 1  # no node is that deep
MOST_MOVES = 1 << 10  # of a position
EARLY_MOVES = 3  # tried before move generation: the hash move and two killers
HISTORY_BITS = 13  # moves whose codes agree in these low bits share a history counter

AlphaBetaStatus = record(
    "alpha-beta status",
    [
        ("ply", "i8"),
        ("nodes", "i8"),
        ("next_check", "i8"),  # nodes at the next look at the clock
        ("seat", "i8"),  # that values are for
        ("max_depth", "i8"),  # plies
        ("stride", "i8"),  # plies by which the depth grows
        ("generation", "i8"),  # number of the search, for the transposition table
        ("root_nodes", "i8"),  # nodes at the start of the present root move
        ("depth", "i8"),  # of the result
        ("value", "f8"),  # of the result
        ("length", "i8"),  # of the result's principal variation
        ("rows", "i8"),  # of the trace
        ("traced_plies", "i8"),  # nodes below this ply get rows; 0: no trace
        ("lost_rows", "i8"),  # that did not fit
        ("proven", "?"),  # no evaluation was needed: deeper searches would find the same
        ("usable", "?"),  # a root move of the unfinished iteration has raised alpha, so its result can be used
    ],
)

AlphaBetaFrame = record(
    "alpha-beta frame",
    [
        ("alpha", "f8"),
        ("beta", "f8"),
        ("given_alpha", "f8"),  # at the start of the node
        ("best", "f8"),  # value
        ("position", "u8"),  # the key
        ("best_move", "i8"),
        ("move", "i8"),  # being searched
        ("hash_move", "i8"),
        ("sign", "f8"),  # 1 if the root's side is to move, else -1
        ("depth", "i4"),  # plies left
        ("count", "i4"),  # of moves
        ("index", "i4"),  # of the next move
        ("picked", "i4"),  # moves picked by score
        ("scored", "i4"),  # index of the first scored move
        ("cursor", "i4"),  # index of the next scored move that may not be picked yet
        ("stage", "i4"),  # of move ordering
        ("attempt", "i4"),  # REDUCED, SCOUT or FULL: how `move` is searched
        ("length", "i4"),  # of the principal variation from here
        ("row", "i4"),  # of the trace
        ("nodes_before", "i8"),  # the node, for the trace
        ("listed", "?"),  # the moves were generated
        ("horizon", "?"),  # an evaluation was needed somewhere below
    ],
)


class AlphaBetaWorkspace(NamedTuple):
    """The arrays of a search."""

    status: Any  # one record, in an array: Numba miscounts references to a bare record in a tuple
    states: Any  # a state per ply
    frames: Any  # a frame per ply
    moves: Any  # [ply, i]
    scores: Any  # [ply, i] for move ordering; at the root: nodes that a move cost
    killers: Any  # [ply, 2]
    history: Any  # [side, hash of move]
    visits: Any  # [ply]: nodes at this distance from the root
    lines: Any  # [ply, i]: principal variation from a ply on; [RESULT, i]: that of the result
    table: Any
    cache: Any
    trace: Any  # TraceRow: what the search did, if there is room for it


def new_workspace(state: np.dtype, most_moves: int, table_bits: int, cache_bits: int) -> AlphaBetaWorkspace:
    """The arrays for searching states of a type with at most `most_moves` moves in a position."""
    if most_moves > MOST_MOVES:
        raise ValueError(f"a position may have at most {MOST_MOVES} moves, not {most_moves}")
    plies = MOST_PLIES + 2
    row = max(most_moves, EARLY_MOVES)
    return AlphaBetaWorkspace(
        status=allocate(AlphaBetaStatus, 1),
        states=allocate(state, plies),
        frames=allocate(AlphaBetaFrame, plies),
        moves=np.zeros((plies, row), np.int64),
        scores=np.zeros((plies, row), np.int64),
        killers=np.full((plies, 2), NO_MOVE, np.int64),
        history=np.zeros((2, 1 << HISTORY_BITS), np.int32),
        visits=np.zeros(plies, np.int64),
        lines=np.zeros((plies, plies), np.int64),
        table=new_transposition_table(table_bits),
        cache=new_evaluation_cache(cache_bits),
        trace=NO_TRACE,
    )


@inlined
def open_frame(frame: Any, depth: int, alpha: float, beta: float) -> None:
    """Start a node with a depth and a window."""
    frame.depth = depth
    frame.alpha = alpha
    frame.given_alpha = alpha
    frame.beta = beta
    frame.best = -np.inf
    frame.best_move = NO_MOVE
    frame.index = 0
    frame.picked = 0
    frame.length = 0
    frame.horizon = False
