"""Small searches against what they stored before: a Monte Carlo tree edge by edge, alpha-beta node by node.

A change that should not affect the searches does not change these trees. Where a change is meant,
`python -m tests.search.test_stored_trees` stores them again.
"""

import json
from pathlib import Path

import pytest

from podium.kernel.table import ABSENT
from podium.model.budget import Budget
from podium.search.alphabeta import AlphaBeta
from podium.search.tree import ROOT, edges_of, is_expanded
from tests.search import toy
from tests.search.test_mcts import opening, search_of

GOLDEN = Path(__file__).parents[1] / "golden" / "search_trees.json"
SIMULATIONS = 150
PLIES = 26  # of the position: few walls are left, so that the tree is deep and some of it is proven
DEPTHS = range(1, 8)


def monte_carlo_tree():
    """Every visited edge of a tree: the moves that lead to it, its visits, the sum of its values, its proof."""
    search = search_of(opening(PLIES), SIMULATIONS, solve=0, endgame=0)
    tree, rows, seen = search.tree, [], set()

    def walk(node, line):
        if node in seen or not is_expanded(tree, node):
            return
        seen.add(node)  # positions that transpose are one node
        edges = edges_of(tree, node)
        for move, child, proof, visits, values in zip(*edges, strict=True):
            if visits:
                rows.append([[*line, int(move)], int(visits), round(float(values), 3), int(proof)])
                if child != ABSENT:
                    walk(int(child), [*line, int(move)])

    walk(int(tree.counters[ROOT]), [])
    return rows


def alphabeta_nodes():
    """Iteration by iteration: the move, its value, the principal variation and the nodes at each ply."""
    rows = []
    for depth in DEPTHS:
        search = AlphaBeta(toy.RULES, toy.PARAMS.params(), table_bits=10, cache_bits=8)
        result = search.decide(toy.start(3, 12), 0, Budget(), depth=depth)
        nodes = [int(count) for count in search.work.visits[: depth + 2]]
        rows.append([depth, result.move, round(result.value, 6), list(result.line), result.nodes, nodes])
    return rows


@pytest.mark.compiled
def test_the_tree_is_the_stored_one():
    assert monte_carlo_tree() == json.loads(GOLDEN.read_text())["mcts"]


def test_alphabeta_visits_the_stored_nodes():
    assert alphabeta_nodes() == json.loads(GOLDEN.read_text())["alphabeta"]


if __name__ == "__main__":
    found = {"mcts": monte_carlo_tree(), "alphabeta": alphabeta_nodes()}
    lines = {name: ",\n".join(f"  {json.dumps(row)}" for row in rows) for name, rows in found.items()}
    GOLDEN.write_text("{\n" + ",\n".join(f' "{name}": [\n{rows}\n ]' for name, rows in lines.items()) + "\n}\n")
