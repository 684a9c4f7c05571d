"""Traces of searches that keep no tree of their own: the matrix of the root matrix, and the plans of rolling horizon.

A row is a joint choice of all seats. Below each joint choice of a matrix is the line that its alpha-beta search
expects; below the root of rolling horizon are the plans of the last round, against the plans that are predicted of the
others.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from podium.kernel import copy_of
from podium.model.hooks import advance
from podium.model.result import Result
from podium.model.rules import before_turn, candidates, is_over, legal_moves, mover
from podium.search.joint_choices import TurnChoices
from podium.search.trace import Columns, Trace, facts_of
from podium.search.trace_room import ENDED, EVALUATED, NO_MOVER, NO_ROW, SEARCHED
from podium.search.trace_walk import MOVE_COLUMNS

if TYPE_CHECKING:
    from podium.search.base import Search
    from podium.search.root_matrix import Cells

NO_MOVES = (-1,)


class Rows:
    """Rows that are written one by one; a parent is written before its children."""

    def __init__(self, state: Any, value: float) -> None:
        self.parents, self.moves = [NO_ROW], [tuple[int, ...](NO_MOVES)]
        self.plies, self.values, self.nodes, self.movers, self.sources = [0], [value], [1], [int(mover(state))], [1]

    def add(self, parent: int, moves: Sequence[int], value: float, nodes: int, position: Any, source: int) -> int:
        """Write a row; `position` is that after its moves. Returns its number."""
        self.parents.append(parent)
        self.moves.append(tuple(moves))
        self.plies.append(self.plies[parent] + 1)
        self.values.append(value)
        self.nodes.append(nodes)
        self.movers.append(NO_MOVER if is_over(position) else int(mover(position)))
        self.sources.append(source)
        return len(self.parents) - 1

    def columns(self) -> Columns:
        """All rows, column by column."""
        joint = {
            MOVE_COLUMNS[place]: np.array(
                [moves[place] if place < len(moves) else -1 for moves in self.moves], np.int32
            )
            for place in range(max(map(len, self.moves)))
        }
        return {
            "parent": np.array(self.parents, np.int32),
            **joint,
            "ply": np.minimum(self.plies, 255).astype(np.uint8),
            "value": np.array(self.values, np.float64),
            "nodes": np.array(self.nodes, np.int32),
            "mover": np.array(self.movers, np.uint8),
            "source": np.array(self.sources, np.uint8),
        }


def matrix_trace(
    search: "Search", state: Any, seat: int, turn: TurnChoices, cells: "Cells", row_values: Any, result: Result
) -> Trace:
    """The joint choices of a root matrix, each with its value, its nodes and the line that is expected below it."""
    rows, params = Rows(state, result.value), search.params if cells.context is None else cells.context
    rows.nodes[0] = result.nodes
    searched = set(cells.searched) if cells.turns else set()
    for number, indices in enumerate(turn.joints()):
        position = copy_of(cells.positions[number])
        source = ENDED if is_over(position) else SEARCHED if number in searched else EVALUATED
        moves = [of[i] for of, i in zip(turn.moves, indices, strict=True)]
        value, line = cells.values[number], cells.lines[number]
        row = rows.add(0, moves, value, cells.spent[number], position, source)
        for left in range(len(line), 0, -1):
            advance(position, params, line[-left])
            row = rows.add(row, [line[-left]], value, left, position, SEARCHED)
    facts = facts_of(search.title, search.rules, seat, search.params, result, "nodes") | {"cut": ""}
    assert result.matrix
    shares = zip(result.matrix.columns, result.matrix.column_shares, strict=True)
    facts["column_shares"] = [[list(column), share] for column, share in shares]
    tables = matrix_tables(turn, turn.place_of(seat), row_values, result)
    return Trace(search.rules, state, rows.columns(), facts, seats=tables, context=params)


def matrix_tables(turn: TurnChoices, place: int, row_values: Any, result: Result) -> Columns:
    """Every seat's moves in a matrix with their shares: those of the searching seat with their values, those of the
    others by the columns in which they are."""
    matrix = result.matrix
    assert matrix
    values = np.asarray(matrix.values)
    against = -(np.asarray(matrix.row_shares) @ values)
    found: list[tuple[int, int, float, float]] = []
    for each, (seat, moves) in enumerate(zip(turn.seats, turn.moves, strict=True)):
        if each == place:
            found += [(seat, m, float(v), s) for m, v, s in zip(moves, row_values, matrix.row_shares, strict=True)]
            continue
        at = each - (each > place)
        for move in moves:
            chosen = [i for i, column in enumerate(matrix.columns) if column[at] == move]
            share = sum(matrix.column_shares[i] for i in chosen)
            found.append((seat, move, float(against[chosen[0]]) if len(turn.seats) == 2 else np.nan, share))
    seats, moves_, values_, shares = zip(*found, strict=True)
    return {
        "row": np.zeros(len(found), np.int32),
        "seat": np.array(seats, np.uint8),
        "move": np.array(moves_, np.int32),
        "value": np.array(values_, np.float32),
        "share": np.array(shares, np.float32),
    }


def plans_trace(search: "Search", work: Any, state: Any, seat: int, params: Any, result: Result) -> Trace:
    """The plans that rolling horizon tried in its last round, the best first; plans that begin alike share their rows,
    whose value is that of the best one."""
    rows = Rows(state, result.value)
    known: dict[tuple[int, tuple[int, ...]], int] = {}
    tried = work.tried[: work.spent[1]]
    ranked = tried[np.argsort(-tried[:, -1], kind="stable")]
    plans = [(work.plans[seat], result.value, 0), *((plan[:-1], float(plan[-1]), 1) for plan in ranked)]
    for plan, value, times in plans:
        position, row = copy_of(state), 0
        for turn in range(int(params.horizon)):
            if is_over(position):
                break
            moves = play_planned(position, params, work, plan, turn, seat)
            if (row, moves) not in known:
                known[row, moves] = rows.add(row, moves, value, 0, position, SEARCHED)
            row = known[row, moves]
            rows.nodes[row] += times
    for row in range(len(rows.parents) - 1, 0, -1):
        rows.nodes[rows.parents[row]] += rows.nodes[row]
    facts = facts_of(search.title, search.rules, seat, search.params, result, "simulated turns")
    facts["cut"] = f"only the {len(tried):,} plans tried in the last round have rows"
    return Trace(search.rules, state, rows.columns(), facts, context=params)


def play_planned(position: Any, params: Any, work: Any, plan: Any, turn: int, seat: int) -> tuple[int, ...]:
    """Play a turn by a plan of a seat and the predicted plans of the others; returns the moves of all."""
    moves = list[int]()
    while not is_over(position):
        chooser = int(mover(position))
        count = int(candidates(position, params, work.moves)) or int(legal_moves(position, work.moves))
        gene = plan[turn] if chooser == seat else work.plans[chooser, turn]
        moves.append(int(work.moves[int(gene * count)]))
        advance(position, params, moves[-1])
        if before_turn(position):
            break
    return tuple(moves)
