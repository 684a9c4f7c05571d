"""What the solver finds out about the root of a Monte Carlo tree: proofs, and how hard moves are to refute."""

from typing import Any

import numpy as np

from podium.kernel import kernel
from podium.kernel.rules import mover, moves_unless_over, play
from podium.search.solve import DEADLINE, DRAW, LOSS, NODES_LEFT, UNPROVEN, WIN, prove, turned
from podium.search.tree import LINKS, PROOF, ROOT


@kernel
def solve_root(tree: Any, nodes: int, deadline: int) -> None:
    """Try to prove the root and its moves within a number of nodes and a time."""
    root = tree.nodes[tree.counters[ROOT]]
    tree.prover.limits[NODES_LEFT], tree.prover.limits[DEADLINE] = nodes, deadline
    side = mover(tree.states[0])
    best, open_ = LOSS, not root.whole
    for i in range(root.count):
        tree.states[2] = tree.states[0]
        play(tree.states[2], tree.links[root.first * LINKS + i])
        proven = prove(tree.states, tree.moves, np.int64(2), tree.prover)
        if mover(tree.states[2]) != side:
            proven = turned(proven)
        tree.links[root.first * LINKS + PROOF * root.count + i] = proven
        if proven == WIN:
            root.proven = WIN
            return
        open_ = open_ or proven == UNPROVEN
        if proven == DRAW:
            best = DRAW
    root.proven = UNPROVEN if open_ else best


@kernel
def count_refutations(tree: Any, i: int, nodes: int, deadline: int) -> float:
    """Which part of the opponent's replies to a root move are proven to win for him; unproven ones count half."""
    root = tree.nodes[tree.counters[ROOT]]
    tree.prover.limits[NODES_LEFT], tree.prover.limits[DEADLINE] = nodes, deadline
    tree.states[2] = tree.states[0]
    play(tree.states[2], tree.links[root.first * LINKS + i])
    side = mover(tree.states[2])
    count = moves_unless_over(tree.states[2], tree.moves[2])
    refutations = 0.0
    for reply in range(count):
        tree.states[3] = tree.states[2]
        play(tree.states[3], tree.moves[2, reply])
        proven = prove(tree.states, tree.moves, np.int64(3), tree.prover)
        if mover(tree.states[3]) != side:
            proven = turned(proven)
        if proven == WIN:
            refutations += 1.0
        elif proven == UNPROVEN:
            refutations += 0.5
    return refutations / max(count, 1)
