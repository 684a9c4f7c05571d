"""The trace of decoupled UCT, read from its tree after the search: a row for each joint choice that was tried.

Each seat that chooses at a node has a table of its own moves there, since every seat chooses by its own statistics
alone. A position that several joint choices lead to is one node of the tree; its rows are below the first of them
(breadth first), and the others name that row as their `twin`. If there are more joint choices than the trace may have
rows, only the nodes with the most visits get rows for theirs.
"""

from typing import TYPE_CHECKING, Any

import numpy as np

from podium.model.result import Result
from podium.model.rules import mover
from podium.search.decoupled_result import AVERAGED, shares_at
from podium.search.decoupled_tree import CELLS, NODES, ROOT, DecoupledTree
from podium.search.leaf_values import LOGGED, bounds_of
from podium.search.trace import Columns, Trace, facts_of
from podium.search.trace_room import NO_MOVER, NO_ROW
from podium.search.trace_walk import MOVE_COLUMNS

if TYPE_CHECKING:
    from podium.search.base import Search

UCB1, UCB1_TUNED, REGRET, EXP3, PUCT = range(5)  # rules of selection, as in `decoupled.py`
DEEPEST = 255  # ply that a row can name


def decoupled_trace(
    search: "Search", tree: DecoupledTree, state: Any, seat: int, params: Any, result: Result, most_rows: int
) -> Trace:
    """What decoupled UCT did in its last decision."""
    least = least_visits(tree, most_rows)
    cells, columns, node_rows = rows_of_cells(tree, least)
    real = cells[1:]
    visits = tree.cells.view(np.ndarray)["visits"][real]
    columns["visits"] = np.concatenate([[visits[columns["parent"][1:] == 0].sum()], visits]).astype(np.int32)
    values = tree.cell_totals[real, seat] / visits
    columns["value"] = np.concatenate([[result.value], values]).astype(np.float32)
    columns["mover"][0] = mover(state)
    facts = facts_of(search.title, search.rules, seat, search.params, result, "simulations")
    log = tree.log[: tree.counters[LOGGED]].view(np.ndarray)
    cell_rows = np.full(int(tree.counters[CELLS]), NO_ROW, np.int32)
    cell_rows[real] = np.arange(1, cells.size)
    rows = cell_rows[log["edge"]]
    facts |= {"weight": 1, "logged": int((columns["parent"][rows[rows != NO_ROW]] == 0).sum())}
    facts["cut"] = f"only nodes with at least {least} visits have rows for their choices" if least else ""
    seats = seat_tables(tree, params, node_rows)
    return Trace(
        search.rules, state, columns, facts, log={"row": rows, "value": log["result"].copy()}, seats=seats,
        context=params,
    )  # fmt: skip


def least_visits(tree: DecoupledTree, most_rows: int) -> int:
    """The visits from which on a node's joint choices get rows, so that there are at most `most_rows`; 0: all."""
    if tree.counters[CELLS] < most_rows:
        return 0
    nodes = tree.nodes.view(np.ndarray)["visits"][: tree.counters[NODES]]
    counts = np.bincount(tree.cells.view(np.ndarray)["node"][: tree.counters[CELLS]], minlength=nodes.size)
    order = np.argsort(-nodes, kind="stable")
    first_out = int(np.searchsorted(np.cumsum(counts[order]), most_rows - 1))
    return int(nodes[order[min(first_out, nodes.size - 1)]]) + 1


def rows_of_cells(tree: DecoupledTree, least: int) -> tuple[Any, Columns, Any]:
    """The cell of each row (ABSENT for the root), the columns that say where a row is, and the row of each node."""
    all_cells = tree.cells.view(np.ndarray)[: tree.counters[CELLS]]
    nodes = tree.nodes.view(np.ndarray)[: tree.counters[NODES]]
    order = np.argsort(all_cells["node"], kind="stable")
    starts = np.searchsorted(all_cells["node"][order], np.arange(nodes.size + 1))
    open_nodes = (nodes["choosers"] > 0) & (nodes["visits"] >= max(1, least))
    node_rows = np.full(nodes.size, NO_ROW, np.int32)
    front = np.array([tree.counters[ROOT]])
    node_rows[front] = 0
    parts: list[Columns] = [_block(np.array([-1]), np.array([NO_ROW]), 0)]
    size, ply = 1, 0
    while front.size:
        ply += 1
        counts = starts[front + 1] - starts[front]
        offsets = np.repeat(starts[front] - np.concatenate([[0], np.cumsum(counts)[:-1]]), counts)
        cells = order[offsets + np.arange(counts.sum())]
        block = _block(cells, np.repeat(node_rows[front], counts), ply)
        children = all_cells["child"][cells].astype(np.int64) - 1
        there = np.flatnonzero((children >= 0) & open_nodes[children])
        fresh = there[node_rows[children[there]] == NO_ROW]
        found, first = np.unique(children[fresh], return_index=True)
        node_rows[found] = size + fresh[first]
        is_first = node_rows[children[there]] == size + there
        block["twin"][there[~is_first]] = node_rows[children[there[~is_first]]]
        block["mover"][there[is_first]] = tree.seats[children[there[is_first]], 0]
        known = children >= 0
        block["exact"][known] = nodes["exact"][children[known]]
        parts.append(block)
        size += cells.size
        front = found[np.argsort(node_rows[found])]
    columns = {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}
    cells = columns.pop("cell")
    return cells, {**columns, **moves_of_cells(tree, cells)}, node_rows


def _block(cells: Any, parents: Any, ply: int) -> Columns:
    """The columns of rows at one ply, as far as they are known at once."""
    return {
        "cell": cells,
        "parent": parents.astype(np.int32),
        "ply": np.full(cells.size, min(ply, DEEPEST), np.uint8),
        "mover": np.full(cells.size, NO_MOVER, np.uint8),
        "exact": np.zeros(cells.size, np.uint8),
        "twin": np.full(cells.size, NO_ROW, np.int32),
    }


def moves_of_cells(tree: DecoupledTree, cells: Any) -> Columns:
    """The moves of joint choices: a column for each place in the order of choosing; -1 where nobody chooses."""
    node = tree.cells.view(np.ndarray)["node"][cells[1:]]
    left = tree.cells.view(np.ndarray)["joint"][cells[1:]].copy()
    choosers = tree.nodes.view(np.ndarray)["choosers"][node]
    moves = tree.edges.view(np.ndarray)["move"]
    columns = {}
    for place in range(max(1, int(choosers.max(initial=1)))):
        count = np.maximum(tree.counts[node, place], 1)
        edge = tree.first[node, place] + left % count
        left //= count
        chosen = np.where(place < choosers, moves[edge], -1)
        columns[MOVE_COLUMNS[place]] = np.concatenate([[-1], chosen]).astype(np.int32)
    return columns


def seat_tables(tree: DecoupledTree, params: Any, node_rows: Any) -> Columns:
    """The moves of every seat that chooses at a node with rows: a row of these columns for each move."""
    nodes = np.flatnonzero(node_rows != NO_ROW)
    nodes = nodes[np.argsort(node_rows[nodes])]
    choosers = tree.nodes.view(np.ndarray)["choosers"][nodes].astype(np.int64)
    node = np.repeat(nodes, choosers)
    place = np.arange(node.size) - np.repeat(np.cumsum(choosers) - choosers, choosers)
    counts = tree.counts[node, place]
    group_starts = np.cumsum(counts) - counts
    edges = np.repeat(tree.first[node, place] - group_starts, counts) + np.arange(counts.sum())
    known = tree.edges.view(np.ndarray)[edges]
    seat = np.repeat(tree.seats[node, place], counts)
    visits = np.maximum(known["visits"], 1)
    shares = _shares(known["strategy" if params.selection in AVERAGED else "visits"], group_starts, counts)
    root = int(tree.counters[ROOT])
    if tree.nodes[root].exact:
        exact = [shares_at(tree, params, root, each) for each in range(int(choosers[0]))]
        shares[: sum(map(len, exact))] = np.concatenate(exact)
    log_visits = np.log(tree.nodes.view(np.ndarray)["visits"][np.repeat(node, counts)] + 1.0)
    return {
        "row": np.repeat(node_rows[node], counts).astype(np.int32),
        "seat": seat.astype(np.uint8),
        "move": known["move"].astype(np.int32),
        "visits": known["visits"].astype(np.int32),
        "value": (known["total"] / visits).astype(np.float32),
        "share": shares.astype(np.float32),
        "score": selection_scores(tree, params, known, seat, log_visits, (group_starts, counts)).astype(np.float32),
    }


def _shares(weights: Any, starts: Any, counts: Any) -> Any:
    """Weights divided by the sum of their group; equal shares where nothing is known."""
    totals = np.add.reduceat(weights.astype(np.float64), starts)
    return np.where(
        np.repeat(totals, counts) > 0,
        weights / np.maximum(np.repeat(totals, counts), 1e-300),
        1 / np.repeat(counts, counts),
    )


def selection_scores(tree: DecoupledTree, params: Any, edges: Any, seats: Any, log_visits: Any, groups: Any) -> Any:
    """What selection goes by at each edge: the highest upper confidence bound is chosen next (infinite: never tried);
    with regret matching and Exp3 the probability with which a move is drawn."""
    starts, counts = groups
    size = np.repeat(counts, counts)
    if params.selection in AVERAGED:
        regrets = edges["regret"]
        if params.selection == REGRET:
            weights = np.maximum(regrets, 0.0)
        else:
            highest = np.repeat(np.maximum.reduceat(regrets, starts), counts)
            weights = np.exp(params.exploring_share / size * (regrets - highest))
        return (1 - params.exploring_share) * _shares(weights, starts, counts) + params.exploring_share / size
    bounds = np.array([bounds_of(tree, seat) for seat in range(tree.values.size)])
    low, scale = bounds[seats, 0], 1 / (bounds[seats, 1] - bounds[seats, 0])
    visits = np.maximum(edges["visits"], 1)
    if params.selection == PUCT:
        tried, total = (np.repeat(np.add.reduceat(edges[name], starts), counts) for name in ("visits", "total"))
        untried = np.where(tried > 0, (total / np.maximum(tried, 1) - low) * scale, 0.0)
        mean = np.where(edges["visits"] > 0, (edges["total"] / visits - low) * scale, untried)
        return mean + params.exploration * np.sqrt(tried + 1) * edges["prior"] / (1 + edges["visits"])
    mean, share = edges["total"] / visits, log_visits / visits
    bonus = params.exploration * np.sqrt(share)
    if params.selection == UCB1_TUNED:
        variance = np.maximum(0.0, edges["squares"] / visits - mean * mean) * scale * scale
        bonus = np.sqrt(share * np.minimum(0.25, variance + np.sqrt(2 * share)))
    return np.where(edges["visits"] > 0, (mean - low) * scale + bonus, np.inf)
