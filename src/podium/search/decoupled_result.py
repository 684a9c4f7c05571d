"""What the tree of decoupled UCT says about its root: mixed strategies, the matrix of the turn, the expected line."""

from typing import Any

import numpy as np

from podium.kernel.random import draw_unit
from podium.kernel.table import ABSENT
from podium.model.hooks import WIN_VALUE
from podium.model.result import Proof, Result, RootMove
from podium.search.decoupled_tree import CELLS, ROOT, DecoupledTree, find_cell, known_value
from podium.search.joint_choices import TurnChoices, expected_value, matrix_of, most_probable

AVERAGED = (2, 3)  # the rules of selection that keep an average strategy: regret matching and Exp3


def turn_at(tree: DecoupledTree, node: int) -> TurnChoices:
    """The seats that choose at a node, with their moves."""
    choosers = int(tree.nodes[node].choosers)
    moves = []
    for place in range(choosers):
        first, count = int(tree.first[node, place]), int(tree.counts[node, place])
        moves.append([int(move) for move in tree.edges.move[first : first + count]])
    return TurnChoices([int(seat) for seat in tree.seats[node, :choosers]], moves)


def edges_at(tree: DecoupledTree, node: int, place: int) -> Any:
    """The edges of a seat that chooses at a node."""
    first, count = int(tree.first[node, place]), int(tree.counts[node, place])
    return tree.edges[first : first + count]


def shares_at(tree: DecoupledTree, params: Any, node: int, place: int) -> np.ndarray:
    """The average strategy of a seat at a node; of an exact node its best move."""
    edges = edges_at(tree, node, place)
    if tree.nodes[node].exact:
        return np.eye(edges.size)[best_of_exact(tree, node, place)]
    weights = np.asarray(edges.strategy if params.selection in AVERAGED else edges.visits, np.float64)
    total = weights.sum()
    return weights / total if total > 0 else np.full(edges.size, 1 / edges.size)


def best_of_exact(tree: DecoupledTree, node: int, place: int) -> int:
    """The move of an exact node that makes sure of the most, by the values that are known; in a lost position, where
    that says nothing, the most visited one."""
    turn, visits = turn_at(tree, node), np.asarray(edges_at(tree, node, place).visits)
    seat = turn.seats[place]
    if tree.exact_values[node, seat] <= -WIN_VALUE:
        return int(visits.argmax())
    worst = np.full(visits.size, np.inf)
    for joint, indices in enumerate(turn.joints()):
        worst[indices[place]] = min(worst[indices[place]], known_value(tree, node, joint, seat, -np.inf))
    return int(worst.argmax())


def joint_values(tree: DecoupledTree, node: int, seat: int) -> dict[int, float]:
    """The mean values of the joint choices that were tried at a node, by their numbers, for a seat."""
    cells = tree.cells.view(np.ndarray)[: int(tree.counters[CELLS])]
    tried = np.flatnonzero((cells["node"] == node) & (cells["visits"] > 0))
    means = tree.cell_totals[tried, seat] / cells["visits"][tried]
    return dict(zip(cells["joint"][tried].tolist(), means.tolist(), strict=True))


def chosen_row(tree: DecoupledTree, params: Any, seat: int, random: Any) -> int:
    """The move of a seat at the root, as a number of its edge: the most probable one, or one that is drawn."""
    root = int(tree.counters[ROOT])
    place = turn_at(tree, root).place_of(seat)
    shares, edges = shares_at(tree, params, root, place), edges_at(tree, root, place)
    if params.mixed and not tree.nodes[root].exact:
        return int(min(np.searchsorted(np.cumsum(shares), draw_unit(random)), shares.size - 1))
    return most_probable(shares, np.asarray(edges.total) / np.maximum(edges.visits, 1))


def result_of(tree: DecoupledTree, params: Any, seat: int, row: int, nodes: int, proof: Proof) -> Result:
    """The result of a search whose move at the root is the edge `row`."""
    root = int(tree.counters[ROOT])
    turn = turn_at(tree, root)
    place = turn.place_of(seat)
    shares = [shares_at(tree, params, root, each) for each in range(len(turn.seats))]
    edges = edges_at(tree, root, place)
    means = np.asarray(edges.total) / np.maximum(edges.visits, 1)
    order = sorted(range(edges.size), key=lambda i: (i == row, shares[place][i], edges.visits[i]), reverse=True)
    options = [
        RootMove(int(edges.move[i]), float(means[i]), int(edges.visits[i]), share=float(shares[place][i]))
        for i in order
    ]
    line = line_of(tree, params, place, row)
    matrix = matrix_of(turn, place, shares, joint_values(tree, root, turn.seats[place]))
    value = expected_value(shares[place], means)
    if proof:
        value = float(tree.exact_values[root, turn.seats[place]])
    if turn.seats[place] != seat and len(tree.values) == 2:
        value = -value
    return Result(turn.moves[place][row], value, len(line), nodes, line, proof, options, matrix)


def line_of(tree: DecoupledTree, params: Any, place: int, row: int) -> list[int]:
    """The most probable choices of all seats from the root on; the first one of a place is given."""
    node, line = int(tree.counters[ROOT]), list[int]()
    for depth in range(tree.path_nodes.size):
        if not tree.nodes[node].choosers or (depth and not tree.nodes[node].visits):
            break
        turn = turn_at(tree, node)
        choices = [int(shares_at(tree, params, node, each).argmax()) for each in range(len(turn.seats))]
        if not depth:
            choices[place] = row
        line += [moves[i] for moves, i in zip(turn.moves, choices, strict=True)]
        cell = int(find_cell(tree, node, turn.joint_of(choices)))
        if cell == ABSENT or not tree.cells[cell].child:
            break
        node = int(tree.cells[cell].child) - 1
    return line
