"""The trace of Smitsimax, read from its trees after the search: a row for each node of each tree.

The first rows are the roots, one for each seat, or for each of its units. A row's values are those of the seat whose
tree it is in.
"""

from typing import TYPE_CHECKING, Any

import numpy as np

from podium.model.result import Result
from podium.search.joint_choices import TurnChoices
from podium.search.leaf_values import LOGGED
from podium.search.trace import Columns, Trace, facts_of
from podium.search.trace_room import NO_MOVER, NO_ROW

if TYPE_CHECKING:
    from podium.search.smitsimax import Smitsimax, SmitsimaxTrees

NODES = 0  # place of `counters`, as in `smitsimax.py`
DEEPEST = 255  # ply that a row can name


def smitsimax_trace(
    search: "Smitsimax",
    trees: "SmitsimaxTrees",
    state: Any,
    seat: int,
    params: Any,
    turn: TurnChoices,
    result: Result,
    most_rows: int,
) -> Trace:
    """What Smitsimax did in its last decision."""
    nodes = trees.nodes.view(np.ndarray)[: trees.counters[NODES]]
    seats, roots = trees.values.size, trees.lengths.size
    least = 0
    if nodes.size > most_rows:
        ordered = np.sort(nodes["visits"])[::-1]
        least = int(ordered[most_rows - 1]) + 1
    kept = nodes["visits"] >= least
    kept[:roots] = True
    numbers = np.where(kept, np.cumsum(kept) - 1, NO_ROW).astype(np.int32)
    columns = columns_of_nodes(nodes[kept], numbers, seats, roots)
    facts = facts_of(search.title, search.rules, seat, search.params, result, "simulations")
    places = search.roots_of(turn)
    own = places[turn.place_of(seat)]
    facts |= {"root": own, "weight": 1, "cut": f"only nodes with at least {least} visits have rows" if least else ""}
    log = trees.log[: trees.counters[LOGGED]].view(np.ndarray)
    rows = numbers[log["edge"]]
    facts["logged"] = int((rows == roots - 1).sum())  # the last root ends a simulation
    return Trace(
        search.rules, state, columns, facts, log={"row": rows, "value": log["result"].copy()},
        seats=root_tables(columns, turn, places, own), context=params,
    )  # fmt: skip


def columns_of_nodes(nodes: Any, numbers: Any, seats: int, roots: int) -> Columns:
    """The columns of all rows: a parent comes before its children, since it was made before them."""
    size = nodes.size
    parent = np.where(nodes["parent"] < 0, NO_ROW, numbers[nodes["parent"]]).astype(np.int32)
    ply, owner = np.zeros(size, np.int64), np.zeros(size, np.uint8)
    owner[:roots] = np.arange(roots) % seats
    rows = np.flatnonzero(parent < roots)
    rows = rows[rows >= roots]
    depth = 0
    while rows.size:  # depth by depth
        depth += 1
        ply[rows], owner[rows] = depth, owner[parent[rows]]
        is_above = np.zeros(size, bool)
        is_above[rows] = True
        rows = roots + np.flatnonzero(is_above[parent[roots:]])
    mover = np.full(size, NO_MOVER, np.uint8)
    above = np.unique(parent[roots:])
    mover[above] = owner[above]
    return {
        "parent": parent,
        "move": nodes["move"].astype(np.int32),
        "ply": np.minimum(ply, DEEPEST).astype(np.uint8),
        "seat": owner,
        "mover": mover,
        "visits": nodes["visits"].astype(np.int32),
        "value": (nodes["total"] / np.maximum(nodes["visits"], 1)).astype(np.float32),
    }


def root_tables(columns: Columns, turn: TurnChoices, roots: list[int], own: int) -> Columns:
    """The moves of every seat at its root, in the order of choosing; at the row of the searching seat's root."""
    found: list[tuple[int, int, int, float, float]] = []
    for seat, root, moves in zip(turn.seats, roots, turn.moves, strict=True):
        rows = np.flatnonzero(columns["parent"] == root)
        known = {int(columns["move"][row]): row for row in rows}
        visits = [int(columns["visits"][known[move]]) if move in known else 0 for move in moves]
        values = [float(columns["value"][known[move]]) if move in known else 0.0 for move in moves]
        total = max(1, sum(visits))
        found += [
            (seat, move, count, value, count / total) for move, count, value in zip(moves, visits, values, strict=True)
        ]
    seats, moves_, visits_, values_, shares = zip(*found, strict=True)
    return {
        "row": np.full(len(found), own, np.int32),
        "seat": np.array(seats, np.uint8),
        "move": np.array(moves_, np.int32),
        "visits": np.array(visits_, np.int32),
        "value": np.array(values_, np.float32),
        "share": np.array(shares, np.float32),
    }
