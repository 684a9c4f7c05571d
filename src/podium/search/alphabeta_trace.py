"""What alpha-beta writes into a trace: a row for each search of a node (`trace_room.py`).

A move that is searched a second time, with another window or depth, gets a second row (AGAIN). Values and windows are
those of the searching seat.
"""

from typing import Any

from podium.kernel import inlined
from podium.model.rules import mover
from podium.search.ordering import FIRST_KILLER, NOT_GENERATED, REMAINING, SCORING
from podium.search.trace_room import (
    AGAIN,
    BY_COST,
    BY_SCORE,
    EVALUATED,
    FULL_WINDOW,
    HASH_MOVE,
    IN_ORDER,
    KILLER,
    LAST_BEST,
    NO_ROW,
    START,
    TABLE_HIT,
    UNFINISHED,
    new_row,
)
from podium.search.transpositions import EXACT, LOWER, NO_MOVE, UPPER


@inlined
def reason_of(frame: Any, is_root: bool) -> int:
    """Why the move that was just taken from a frame came next."""
    if is_root:
        return LAST_BEST if frame.index == 1 else BY_COST
    if frame.stage == FIRST_KILLER:
        return HASH_MOVE
    if frame.stage <= SCORING:
        return KILLER
    if frame.stage < REMAINING or (frame.stage == REMAINING and frame.index - frame.scored == frame.picked):
        return BY_SCORE
    return IN_ORDER


@inlined
def trace_iteration(work: Any) -> None:
    """Open a row for the root."""
    status, root = work.status[0], work.frames[0]
    row = open_row(status, work.trace, root, NO_ROW, NO_MOVE, 0)
    row.reason = START
    row.attempt = FULL_WINDOW
    row.mover = mover(work.states[0])
    root.nodes_before = status.nodes


@inlined
def open_row(status: Any, rows: Any, frame: Any, parent: int, move: int, ply: int) -> Any:
    """Open a row for the node of a frame."""
    row = new_row(rows, status.rows, parent, move, ply)
    frame.row = status.rows
    status.rows += 1
    row.source = UNFINISHED
    row.bound = 0
    row.depth = frame.depth
    row.low = frame.given_alpha if frame.sign > 0 else -frame.beta
    row.high = frame.beta if frame.sign > 0 else -frame.given_alpha
    return row


@inlined
def trace_leaf(status: Any, rows: Any, frame: Any, ply: int, move: int, value: float, source: int) -> None:
    """Write a row for a child whose value is known at once."""
    row = new_row(rows, status.rows, frame.row, move, ply + 1)
    status.rows += 1
    row.reason = reason_of(frame, ply == 0)
    row.attempt = FULL_WINDOW
    row.source = source
    row.bound = EXACT
    row.value = value


@inlined
def trace_child(work: Any, ply: int, again: bool, hit: bool) -> None:
    """Open a row for the child of the frame at a ply; if the table gives its value, close it at once."""
    status, frame, child = work.status[0], work.frames[ply], work.frames[ply + 1]
    row = open_row(status, work.trace, child, frame.row, frame.move, ply + 1)
    row.reason = reason_of(frame, ply == 0)
    row.attempt = frame.attempt + (AGAIN if again else 0)
    row.mover = mover(work.states[ply + 1])
    child.nodes_before = status.nodes if again else status.nodes - 1
    if hit:
        close_row(work, ply + 1, EVALUATED if child.count == 0 else TABLE_HIT)


@inlined
def close_row(work: Any, ply: int, source: int) -> None:
    """Fill the row of the node at a ply with its result."""
    frame = work.frames[ply]
    row = work.trace[frame.row]
    row.value = frame.sign * frame.best
    row.nodes = work.status[0].nodes - frame.nodes_before
    row.moves = 0 if frame.count == NOT_GENERATED else frame.count
    row.source = source
    row.bound = EXACT
    if frame.best >= frame.beta:
        row.bound = LOWER if frame.sign > 0 else UPPER
    elif frame.best <= frame.given_alpha:
        row.bound = UPPER if frame.sign > 0 else LOWER
