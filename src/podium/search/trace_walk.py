"""From row to row of a trace: the moves of a row, the position of a node, and the turn in which several seats choose.

A row stands for one move, for a joint choice of all seats (`move`, `move2`, ...), or, in a tree that belongs to one
seat (`seat`), for a move of that seat; there the others play the most visited moves of their own trees.
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from podium.model.rules import before_turn, is_over, legal_moves, mover
from podium.search.joint_choices import MOST_COLUMNS
from podium.search.trace_room import NO_ROW

if TYPE_CHECKING:
    from podium.search.trace import Trace

MOVE_COLUMNS = ("move", *(f"move{place}" for place in range(2, 17)))  # of a joint choice, in the order of choosing
JOINED = " / "  # stands between the moves of a joint choice


def moves_of(trace: "Trace", row: int) -> list[int]:
    """The moves of a row: one, or those of a joint choice."""
    found = [int(trace.columns[name][row]) for name in MOVE_COLUMNS if name in trace.columns]
    return [found[0], *(move for move in found[1:] if move >= 0)]


def walk(trace: "Trace", rows: Sequence[int]) -> Iterator[tuple[str, Any]]:
    """The text of each row of a path, and the position after it (the same record every time)."""
    states = trace.root_states()
    others: dict[int, int] = {}  # by seat: the row of its own tree that the others' line has reached
    for row in rows:
        if "seat" in trace.columns:
            yield _own_turn(trace, states[0], row, others), states[0]
            continue
        texts = []
        for move in moves_of(trace, row):
            texts.append(trace.rules.move_text(states[0], move))
            trace.step(states[0], move)
        yield JOINED.join(texts), states[0]


def text_of(trace: "Trace", position: Any, row: int) -> str:
    """The text of a row, whose parent has this position; the position is not kept."""
    if "seat" in trace.columns:
        return _own_turn(trace, position, row, {})
    texts = []
    for move in moves_of(trace, row):
        texts.append(trace.rules.move_text(position, move))
        trace.step(position, move)
    return JOINED.join(texts)


def _own_turn(trace: "Trace", position: Any, row: int, others: dict[int, int]) -> str:
    """Play a turn in which a seat plays the move of its row; returns the text of that move.

    A node stands for many positions: where its move is not possible, the first legal one is played.
    """
    seat, wanted = int(trace.columns["seat"][row]), int(trace.columns["move"][row])
    out, text = np.zeros(trace.rules.most_moves, np.int64), ""
    while not is_over(position):
        chooser = int(mover(position))
        legal = [int(move) for move in out[: int(legal_moves(position, out))]]
        move = wanted if chooser == seat else _favourite(trace, chooser, legal, others)
        if chooser == seat:
            text = trace.rules.move_text(position, move)
        trace.step(position, move if move in legal else legal[0])
        if before_turn(position):
            break
    return text


def _favourite(trace: "Trace", seat: int, legal: Sequence[int], others: dict[int, int]) -> int:
    """The most visited legal move of a seat where its own tree has got to, which it goes on from."""
    parent = others.get(seat, seat)
    rows = np.flatnonzero(trace.columns["parent"] == parent) if parent != NO_ROW else np.array([], np.int64)
    rows = rows[np.isin(trace.columns["move"][rows], legal)]
    if not rows.size:
        others[seat] = NO_ROW
        return legal[0]
    best = int(rows[trace.columns["visits"][rows].argmax()])
    others[seat] = best
    return int(trace.columns["move"][best])


# ---- Turns in which several seats choose


def turn_data(trace: "Trace", row: int) -> dict[str, Any] | None:
    """The moves of every seat that chooses at a node, and the matrix of their joint choices, with moves as text; None
    if the trace does not have them."""
    tables = _tables(trace, row)
    if not tables:
        return None
    texts = seat_texts(trace, row, tables)
    seats = []
    for seat, places in tables.items():
        names = [name for name in ("visits", "value", "share", "score") if name in trace.seats]
        numbers = trace.seats["move"][places].tolist()
        rows = [
            {"move": texts[seat][i], "number": numbers[i], **{name: trace.seats[name][at].item() for name in names}}
            for i, at in enumerate(places)
        ]
        seats.append({"seat": seat, "moves": rows})
    return {"seats": seats, "matrix": _matrix(trace, row, tables, texts)}


def _tables(trace: "Trace", row: int) -> dict[int, Any]:
    """By seat, in the order of choosing: the places of its moves in the columns of `trace.seats`."""
    places = np.flatnonzero(trace.seats["row"] == row) if trace.seats else np.array([], np.int64)
    seats = trace.seats["seat"][places] if places.size else places
    return {int(seat): places[seats == seat] for seat in dict.fromkeys(seats.tolist())}


def seat_texts(trace: "Trace", row: int, tables: Mapping[int, Any]) -> dict[int, list[str]]:
    """The texts of every seat's moves at a node."""
    position, texts = trace.state(row), dict[int, list[str]]()
    for seat, places in tables.items():
        moves = [int(move) for move in trace.seats["move"][places]]
        texts[seat] = [trace.rules.move_text(position, move) for move in moves]
        trace.step(position, moves[0])
    return texts


def _matrix(
    trace: "Trace", row: int, tables: Mapping[int, Any], texts: Mapping[int, list[str]]
) -> dict[str, Any] | None:
    """The matrix of a node for the searching seat: its moves against the others' joint choices, the most probable
    first; None if nobody else chooses, or if the trace has no joint choices."""
    seats = list(tables)
    if len(seats) < 2 or "seat" in trace.columns:
        return None
    own = trace.facts["seat"] if trace.facts["seat"] in tables else seats[0]
    place = seats.index(own)
    indices = {seat: {int(m): i for i, m in enumerate(trace.seats["move"][at])} for seat, at in tables.items()}
    shares = {seat: trace.seats["share"][at].astype(float) for seat, at in tables.items()}
    cells: dict[tuple[int, ...], dict[int, float]] = {}
    for child in np.flatnonzero(trace.columns["parent"] == row).tolist():
        joint = [indices[seat][move] for seat, move in zip(seats, moves_of(trace, child), strict=True)]
        column = (*joint[:place], *joint[place + 1 :])
        cells.setdefault(column, {})[joint[place]] = float(trace.columns["value"][child])
    others = [seat for seat in seats if seat != own]

    known = {tuple(column): share for column, share in trace.facts.get("column_shares", ())}

    def share(column: tuple[int, ...]) -> float:
        pairs = [*zip(others, column, strict=True)]
        moves = tuple(int(trace.seats["move"][tables[seat][i]]) for seat, i in pairs)
        return known[moves] if known else math.prod(float(shares[seat][i]) for seat, i in pairs)

    columns = sorted(cells, key=lambda column: (-share(column), column))[:MOST_COLUMNS]
    return {
        "seat": own,
        "rows": texts[own],
        "columns": [JOINED.join(texts[seat][i] for seat, i in zip(others, column, strict=True)) for column in columns],
        "values": [[cells[column].get(i) for column in columns] for i in range(len(texts[own]))],
        "row_shares": shares[own].tolist(),
        "column_shares": [share(column) for column in columns],
    }
