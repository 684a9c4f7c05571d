"""Room for a trace: what a search does, node by node, in arrays that the caller owns.

Alpha-beta, max^n and beam search write a row for every node that they make, in the order in which they make them, so
a parent always comes before its children. Tree searches keep their tree anyway: they write only which edge each
simulation went through. Without room nothing is written; all that is left is one comparison per node
(alpha-beta, max^n, beam) or per ply of a simulation. The room is one array, since every array in a workspace costs
time, used or not: 3 more of them in the tree's made a simulation of Zuniq a fifth slower.

A search may make more nodes than there are rows. When the rows run out, those of the deepest plies are dropped and no
longer written (`thinned`), so the upper part of the tree stays complete; each row counts the nodes below it, dropped or
not.
"""

from typing import Any

import numpy as np

from podium.kernel import allocate, inlined, record

ROWS = 1_000_000  # of a trace
LOG_STEPS = 8_000_000  # of a log of simulations
NO_ROW = -1
NO_MOVER = 255  # of a node that was not searched further

# Why a move was searched when it was.
START, HASH_MOVE, KILLER, BY_SCORE, IN_ORDER, LAST_BEST, BY_COST = range(7)
# How it was searched (alpha-beta); AGAIN is added for a second search of the same move.
REDUCED_DEPTH, NULL_WINDOW, FULL_WINDOW, AGAIN = 0, 1, 2, 4
# Where the value of a node comes from. The last four are of beam search: it was kept, dropped, or kept by an earlier
# beam (`backtrack`).
UNFINISHED, SEARCHED, EVALUATED, ENDED, TABLE_HIT, KEPT, TOO_LOW, WORSE_TWIN, EARLIER = range(9)

TraceRow = record(
    "trace row",
    [
        ("value", "f8"),  # for the searching seat
        ("low", "f8"),  # the window, for the searching seat
        ("high", "f8"),
        ("parent", "i4"),  # row, or NO_ROW
        ("move", "i4"),  # that led here
        ("nodes", "i4"),  # of the subtree, this one included
        ("moves", "u2"),  # of the node; 0: they were not generated
        ("ply", "u1"),
        ("depth", "u1"),  # plies left to search
        ("mover", "u1"),  # seat, or NO_MOVER
        ("reason", "u1"),
        ("attempt", "u1"),
        ("bound", "u1"),  # EXACT, LOWER or UPPER, for the searching seat; 0: unknown
        ("source", "u1"),  # of the value
    ],
)

# Beam search makes a node in little more than 100 ns: its rows have nothing that they can do without.
BeamTraceRow = record(
    "beam trace row",
    [
        ("value", "f8"),  # of the sequence up to here
        ("low", "f8"),  # the value that had to be beaten
        ("parent", "i4"),
        ("move", "i4"),
        ("twin", "i4"),  # row of the better twin, or NO_ROW
        ("ply", "u2"),
        ("source", "u2"),
    ],
)

ALL_PLIES = 250  # written, while there is room for them
SPARE = 512  # rows that may be written between two looks at the room that is left

SimulationStep = record(
    "simulation step",
    [
        ("edge", "i4"),  # that a simulation went through; from the leaf to the root
        ("result", "f4"),  # what was added to the edge's sum of results; nan: a proof took its place
    ],
)

NO_TRACE = allocate(TraceRow, 0)
NO_BEAM_TRACE = allocate(BeamTraceRow, 0)
NO_LOG = allocate(SimulationStep, 0)


@inlined
def new_row(rows: Any, number: int, parent: int, move: int, ply: int) -> Any:
    """A row with its place in the tree; the caller fills the rest, and has looked that there is room."""
    row = rows[number]
    row.parent = parent
    row.move = move
    row.nodes = 1
    row.moves = 0
    row.ply = ply
    row.depth = 0
    row.mover = NO_MOVER
    row.low = -np.inf
    row.high = np.inf
    return row


def thinned(rows: Any, size: int, plies: int) -> tuple[Any, int]:
    """Keep the rows of the first plies that take at most half of the room, moved down over the others.

    Of the first `size` rows, whose plies are all below `plies`. Returns the new number of each old row (NO_ROW for
    those that were dropped), and below which ply rows were kept.
    """
    columns = rows[:size].view(np.ndarray)
    up_to = np.cumsum(np.bincount(columns["ply"], minlength=plies))
    fitting = int(np.searchsorted(2 * up_to, rows.size, side="right"))
    limit = max(1, min(fitting, int(columns["ply"].max())))
    kept = columns["ply"] < limit
    moved = np.where(kept, np.cumsum(kept) - 1, NO_ROW).astype(np.int32)
    stay = columns[kept]
    has_parent = stay["parent"] != NO_ROW
    stay["parent"][has_parent] = moved[stay["parent"][has_parent]]
    rows[: stay.size] = stay
    return moved, limit
