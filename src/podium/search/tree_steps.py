"""The steps of a simulation that Monte Carlo tree search (`mcts.py`) and PUCT (`puct.py`) share.

Both select by the scores that they have written into the tree, play, add nodes and carry results back up; they differ
in the scores, in what they know of a new node, and in how they value it.
"""

import math
from typing import Any

import numpy as np

from podium.kernel import inlined
from podium.kernel.table import ABSENT, lookup
from podium.model.hooks import AMAF_ROWS, OTHER, OTHER_SUM, OWN, OWN_SUM
from podium.model.proofs import DRAW, LOSS, UNPROVEN, opposite
from podium.model.rules import key, mover, play
from podium.search.tree import (
    AMAF_SUM,
    AMAF_VISITS,
    GENERAL_SUM,
    GENERAL_VISITS,
    LOGGED,
    add_node,
    add_result,
    edge_child,
    edge_count,
    edge_move,
    edge_moves,
    edge_proof,
    edge_statistics,
    log_result,
    prefetch_node,
    proof_by_moves,
    set_child,
    set_proof,
)


@inlined
def select_best(tree: Any, node: int) -> int:
    """The move with the highest selection score; a proven draw scores 0, a proven loss is the last resort."""
    best, highest = 0, np.float32(-math.inf)
    for i in range(edge_count(tree, node)):
        proof = edge_proof(tree, node, i)
        score = tree.scores[i] if proof == UNPROVEN else np.float32(0)
        if score > highest and proof != LOSS:
            best, highest = i, score
    return best


@inlined
def play_edge(tree: Any, params: Any, state: Any, node: int, i: int, ply: int) -> Any:
    """Play move i of a node and add it to the path; returns the child node, ABSENT if there is none yet."""
    tree.path[ply, 0], tree.path[ply, 1], tree.path[ply, 2] = node, i, mover(state)
    child = edge_child(tree, node, i)
    prefetch_node(tree, child)
    play(state, edge_move(tree, node, i))
    if child == ABSENT and params.transpositions:
        child = lookup(tree.table, key(state))
        set_child(tree, node, i, child)
    return child


@inlined
def add_child(tree: Any, params: Any, state: Any, node: int, i: int) -> Any:
    """Make a node of the position after move i of a node; returns its number and its proof."""
    child, proof = add_node(tree, params, state)
    set_child(tree, node, i, child)
    return child, proof


@inlined
def update_amaf(tree: Any, node: int, same: bool) -> None:
    """Add the simulation's AMAF table to a node's moves; `same`: its mover is also that of the leaf."""
    amaf = tree.amaf
    count = edge_count(tree, node)
    rows, moves = edge_statistics(tree, node), edge_moves(tree, node)
    own = OWN if same else OTHER
    turn = np.float32(1 if same else -1)
    for i in range(count):
        move = np.uint64(moves[i])
        rows[AMAF_VISITS * count + i] += amaf[own, move]
        rows[AMAF_SUM * count + i] += turn * amaf[own + 1, move]
        rows[GENERAL_VISITS * count + i] += amaf[OWN, move] + amaf[OTHER, move]
        rows[GENERAL_SUM * count + i] += turn * (amaf[OWN_SUM, move] + amaf[OTHER_SUM, move])


@inlined
def backpropagate(
    tree: Any, params: Any, plies: int, side: int, proof: int, balance: Any, weight: Any, rave: bool
) -> None:
    """Carry the result of a simulation from the leaf to the root.

    `side` is the mover at the leaf, `balance` the sum of its results in `weight` playouts. With `rave` the moves of the
    playouts are added to the AMAF statistics.
    """
    for ply in range(plies - 1, -1, -1):
        node, i = tree.path[ply, 0], tree.path[ply, 1]
        same = tree.path[ply, 2] == side
        move = edge_move(tree, node, i)
        tree.nodes[node].visits += 1
        tree.amaf[OWN if same else OTHER, move] += weight
        tree.amaf[OWN_SUM if same else OTHER_SUM, move] += balance
        if proof != UNPROVEN and params.prove:
            set_proof(tree, node, i, proof if same else opposite(proof))
            verdict = proof_by_moves(tree, node)
            tree.nodes[node].proof = verdict
            proof = verdict if same else opposite(verdict)
            if verdict != UNPROVEN:
                balance = 0 if verdict == DRAW else weight * proof
                if tree.counters[LOGGED] < tree.log.size:
                    log_result(tree, node, i, math.nan)
                continue
        add_result(tree, node, i, weight, balance if same else -balance)
        if tree.counters[LOGGED] < tree.log.size:
            log_result(tree, node, i, balance if same else -balance)
        if rave:
            update_amaf(tree, node, same)


@inlined
def clear_amaf(tree: Any) -> None:
    """Empty the AMAF table before the playouts of a simulation."""
    for row in range(AMAF_ROWS):
        for move in range(tree.amaf.shape[1]):
            tree.amaf[row, move] = 0
