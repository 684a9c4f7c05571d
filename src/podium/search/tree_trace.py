"""The trace of a tree search, read from its tree after the search: a row for each edge of each expanded node.

A position that several moves lead to is one node of the tree. Its children are the rows below the first edge that
leads there (breadth first); the other edges name that edge's row as their `twin`. If the tree has more edges than the
trace may have rows, only the nodes with the most visits get rows for their children.
"""

from collections import deque
from typing import TYPE_CHECKING, Any

import numpy as np

from podium.kernel import copy_of
from podium.kernel.table import ABSENT
from podium.model.proofs import DRAW
from podium.model.result import Result
from podium.model.rules import mover, play
from podium.search.trace import Columns, Trace, facts_of
from podium.search.trace_room import NO_MOVER, NO_ROW
from podium.search.tree import EDGES, EXPANDED, LOGGED, ROOT, Tree, edges_of, statistics_of

if TYPE_CHECKING:
    from podium.search.tree_search import TreeSearch


def tree_trace(search: "TreeSearch", state: Any, seat: int, result: Result, most_rows: int) -> Trace:
    """What a tree search did in its last decision."""
    least = least_visits(search.tree, most_rows)
    columns, edge_rows = tree_columns(search, state, seat, least)
    facts = facts_of(search.title, search.rules, seat, search.params, result, "simulations")
    log = search.tree.log[: search.tree.counters[LOGGED]].view(np.ndarray)
    root = columns["parent"] == 0
    weight = int(search.params.playouts) if search.title == "MCTS" else 1
    facts["weight"] = weight  # visits that a simulation adds to an edge
    facts["cut"] = f"only nodes with at least {least} visits have rows for their moves" if least else ""
    rows = edge_rows[log["edge"]]
    signs = np.where(columns["mover"][columns["parent"][rows]] == seat, 1, -1).astype(np.float32)
    values = np.where(rows == NO_ROW, np.float32(0), log["result"] * signs)
    facts["logged"] = int(root[rows].sum())  # simulations in the log
    columns["visits"][0], columns["value"][0] = columns["visits"][root].sum(), result.value
    return Trace(search.rules, state, columns, facts, log={"row": rows, "value": values})


def least_visits(tree: Tree, most_rows: int) -> int:
    """The visits from which on a node's edges get rows, so that there are at most `most_rows`; 0: all."""
    if tree.counters[EDGES] < most_rows:
        return 0
    nodes = tree.nodes.view(np.ndarray)[tree.expanded[: tree.counters[EXPANDED]]]
    order = np.argsort(-nodes["visits"], kind="stable")
    total = np.cumsum(nodes["count"][order])
    first_out = int(np.searchsorted(total, most_rows - 1))
    return int(nodes["visits"][order[min(first_out, len(order) - 1)]]) + 1


def tree_columns(search: "TreeSearch", state: Any, seat: int, least: int) -> tuple[Columns, Any]:
    """The columns of all rows, and the row of each edge of the tree."""
    tree = search.tree
    edge_rows = np.full(int(tree.counters[EDGES]), NO_ROW, np.int32)
    blocks = [_root_block(state)]
    size = 1
    rows_of = {int(tree.counters[ROOT]): 0}  # by node: the row below which its edges are
    queue = deque([(int(tree.counters[ROOT]), 0, 0, copy_of(state))])
    twins: list[tuple[int, int]] = []
    while queue:
        node, row, ply, position = queue.popleft()
        block = _block(search, node, row, ply, int(mover(position)) == seat)
        count, first = len(block["move"]), int(tree.nodes[node].first)
        edge_rows[first : first + count] = np.arange(size, size + count)
        children = edges_of(tree, node).children
        for i in np.flatnonzero(children != ABSENT).tolist():
            child = int(children[i])
            if tree.nodes[child].first == ABSENT or tree.nodes[child].visits < least:
                continue
            if child in rows_of:
                twins.append((size + i, rows_of[child]))
                continue
            rows_of[child] = size + i
            after = copy_of(position)
            play(after, int(block["move"][i]))
            block["mover"][i] = mover(after)
            queue.append((child, size + i, ply + 1, after))
        blocks.append(block)
        size += count
    columns = {name: np.concatenate([block[name] for block in blocks]) for name in blocks[0]}
    for row, other in twins:
        columns["twin"][row] = other
    if not columns["general_visits"].any():  # without RAVE
        for name in ("amaf_visits", "amaf_value", "general_visits", "general_value"):
            del columns[name]
    return columns, edge_rows


def _root_block(state: Any) -> Columns:
    """The columns of the root, which is no edge."""
    floats = ("amaf_visits", "amaf_value", "general_visits", "general_value", "prior", "score")
    return {
        "parent": np.array([NO_ROW], np.int32),
        "move": np.array([-1], np.int32),
        "ply": np.array([0], np.uint8),
        "mover": np.array([mover(state)], np.uint8),
        "visits": np.zeros(1, np.int32),
        "value": np.zeros(1, np.float32),
        "proof": np.zeros(1, np.int8),
        "twin": np.array([NO_ROW], np.int32),
        **{name: np.zeros(1, np.float32) for name in floats},
    }


def _block(search: "TreeSearch", node: int, row: int, ply: int, mine: bool) -> Columns:
    """The columns of the edges of a node; `mine`: the searching seat moves there."""
    edges, statistics = edges_of(search.tree, node), statistics_of(search.tree, node)
    search.write_scores(node)
    count, sign = len(edges.moves), np.float32(1 if mine else -1)
    proof = edges.proofs.astype(np.int8)
    return {
        "parent": np.full(count, row, np.int32),
        "move": edges.moves.astype(np.int32),
        "ply": np.full(count, min(ply + 1, 255), np.uint8),
        "mover": np.full(count, NO_MOVER, np.uint8),
        "visits": edges.visits.astype(np.int32),
        "value": sign * _mean(edges.value_sums, edges.visits),
        "proof": proof if mine else np.where(proof == DRAW, proof, -proof).astype(np.int8),
        "twin": np.full(count, NO_ROW, np.int32),
        "amaf_visits": statistics.amaf_visits.copy(),
        "amaf_value": sign * _mean(statistics.amaf_sums, statistics.amaf_visits),
        "general_visits": statistics.general_visits.copy(),
        "general_value": sign * _mean(statistics.general_sums, statistics.general_visits),
        "prior": statistics.priors.copy(),
        "score": search.tree.scores[:count].copy(),
    }


def _mean(sums: Any, visits: Any) -> Any:
    """Sums divided by visits; 0 where there are none."""
    return np.divide(sums, visits, out=np.zeros_like(sums), where=visits > 0)
