"""The root of a Monte Carlo tree near the end of the game: its exact solution, and swindles in lost positions.

Both use the solver (`solver.py`). Where all moves lose, the best practical chance is the move that the fewest replies
refute: its swindle score is the share of replies that do not.
"""

from typing import Any

import numpy as np

from podium.kernel import kernel
from podium.model.proofs import UNPROVEN, WIN, opposite
from podium.model.rules import mover, moves_unless_over, play
from podium.search.solver import DEADLINE, NODES_LEFT, prove
from podium.search.tree import edge_count, edge_move, proof_by_moves, root_of, set_proof

UNKNOWN_SHARE = 0.5  # of refutations, for what there was no time for


@kernel
def solve_root(tree: Any, nodes: int, deadline: int) -> None:
    """Try to prove the root and its moves, within a number of nodes and a deadline."""
    root = root_of(tree)
    tree.solver.limits[NODES_LEFT], tree.solver.limits[DEADLINE] = nodes, deadline
    side = mover(tree.states[0])
    for i in range(edge_count(tree, root)):
        tree.states[2] = tree.states[0]
        play(tree.states[2], edge_move(tree, root, i))
        proof = prove(tree.states, tree.moves, np.int64(2), tree.solver)
        if mover(tree.states[2]) != side:
            proof = opposite(proof)
        set_proof(tree, root, i, proof)
        if proof == WIN:
            break
    tree.nodes[root].proof = proof_by_moves(tree, root)


@kernel
def refuted_share(tree: Any, i: int, nodes: int, deadline: int) -> Any:
    """The share of the replies to root move i that are proven to win for the opponent; unproven ones count half."""
    tree.solver.limits[NODES_LEFT], tree.solver.limits[DEADLINE] = nodes, deadline
    tree.states[2] = tree.states[0]
    play(tree.states[2], edge_move(tree, root_of(tree), i))
    side = mover(tree.states[2])
    count = moves_unless_over(tree.states[2], tree.moves[2])
    refutations = 0.0
    for reply in range(count):
        tree.states[3] = tree.states[2]
        play(tree.states[3], tree.moves[2, reply])
        proof = prove(tree.states, tree.moves, np.int64(3), tree.solver)
        if mover(tree.states[3]) != side:
            proof = opposite(proof)
        if proof == WIN:
            refutations += 1.0
        elif proof == UNPROVEN:
            refutations += UNKNOWN_SHARE
    return refutations / max(count, 1)
