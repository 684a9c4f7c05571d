"""The tree of decoupled UCT (`decoupled.py`): nodes, edges for each seat, and cells for joint choices.

A node is a position before a turn, which it keeps: so a simulation plays no turn but its last one. Each seat that
chooses in the turn has a block of edges, one for each of its moves. A joint choice of all seats is a cell: it leads to
the next node, and keeps the mean values of the turn's matrix. Cells are found by a hash of their node and their joint
choice, nodes by the key of their position. All arrays are allocated once; when they are full, new positions are
evaluated and not stored.
"""

from typing import Any, NamedTuple

import numpy as np

from podium.kernel import allocate, kernel, record
from podium.kernel.random import GOLDEN, mix
from podium.kernel.table import ABSENT, clear, insert, lookup, new_table
from podium.model.hooks import WIN_VALUE
from podium.search.leaf_values import COUNTERS, forget_range
from podium.search.trace_room import NO_LOG

# Places of `counters`.
NODES, EDGES, CELLS, ROOT = range(4)  # in use; the root; SEAT and LOGGED are those of `leaf_values.py`

EDGES_PER_NODE, CELLS_PER_NODE = 6, 2
MEGABYTE = 1 << 20

DecoupledNode = record(
    "decoupled UCT node",
    [
        ("choosers", "i4"),  # seats that choose in its turn; 0: not expanded yet
        ("exact", "?"),  # its value is that of the game
        ("complete", "?"),  # all legal moves of all seats are among its edges
        ("visits", "i8"),  # simulations that chose a turn here
    ],
)
DecoupledEdge = record(
    "decoupled UCT edge",
    [
        ("move", "i8"),
        ("visits", "i8"),
        ("total", "f8"),  # sum of the values for the seat
        ("squares", "f8"),  # sum of their squares
        ("regret", "f8"),  # of regret matching; the estimated sum of scaled values of Exp3
        ("strategy", "f8"),  # sum of the probabilities of regret matching and Exp3
        ("prior", "f8"),  # of PUCT
    ],
)
DecoupledCell = record(
    "decoupled UCT cell",
    [
        ("child", "i4"),  # node + 1; 0: none yet
        ("node", "i4"),  # whose joint choice it is
        ("joint", "i8"),
        ("visits", "i8"),
    ],
)


class DecoupledTree(NamedTuple):
    """The arrays of a search, allocated once. S is the number of seats, P the longest path in turns."""

    counters: Any  # int64 [COUNTERS]
    table: Any  # nodes by position key
    nodes: Any
    seats: Any  # int64 [nodes, S]: who chooses, in order
    first: Any  # int64 [nodes, S]: the first edge of each chooser
    counts: Any  # int64 [nodes, S]: how many edges it has
    positions: Any  # [nodes]: the position that a node stands for
    exact_values: Any  # float64 [nodes, S]: for each seat, of exact nodes
    edges: Any
    cell_table: Any  # cells by node and joint choice
    cells: Any
    cell_totals: Any  # float64 [cells, S]: sums of the values for each seat
    low: Any  # float64 [S]: the range of evaluations seen so far, without won and lost games
    high: Any
    states: Any  # [1]: the position of the simulation
    moves: Any  # int64 [most moves]
    weights: Any  # float64 [most moves]: probabilities of a seat's moves
    path_nodes: Any  # int64 [P]
    path_cells: Any  # int64 [P]
    path_joints: Any  # int64 [P]: joint choices as numbers
    path_choices: Any  # int64 [P, S]: the edge of each chooser
    path_chances: Any  # float64 [P, S]: the probability with which it was chosen
    values: Any  # float64 [S]: of the simulation, for each seat
    log: Any  # SimulationStep: which cells the simulations went through, if a trace has room for it


def new_decoupled_tree(state: np.dtype, memory: int, seats: int, most_moves: int, most_plies: int) -> DecoupledTree:
    """An empty tree within a memory limit in megabytes."""
    per_node = DecoupledNode.itemsize + state.itemsize + 32 * seats + 32
    per_cell = DecoupledCell.itemsize + 8 * seats + 32
    per_node += EDGES_PER_NODE * DecoupledEdge.itemsize + CELLS_PER_NODE * per_cell
    nodes = max(64, memory * MEGABYTE // per_node)
    edges = max(EDGES_PER_NODE * nodes, 2 * seats * most_moves)
    cells, path = CELLS_PER_NODE * nodes, most_plies + 1
    return DecoupledTree(
        counters=np.zeros(COUNTERS, np.int64),
        table=new_table(2 * nodes),
        nodes=allocate(DecoupledNode, nodes),
        seats=np.zeros((nodes, seats), np.int64),
        first=np.zeros((nodes, seats), np.int64),
        counts=np.zeros((nodes, seats), np.int64),
        positions=allocate(state, nodes),
        exact_values=np.zeros((nodes, seats)),
        edges=allocate(DecoupledEdge, edges),
        cell_table=new_table(2 * cells),
        cells=allocate(DecoupledCell, cells),
        cell_totals=np.zeros((cells, seats)),
        low=np.full(seats, np.inf),
        high=np.full(seats, -np.inf),
        states=allocate(state, 1),
        moves=np.zeros(most_moves, np.int64),
        weights=np.zeros(most_moves),
        path_nodes=np.zeros(path, np.int64),
        path_cells=np.zeros(path, np.int64),
        path_joints=np.zeros(path, np.int64),
        path_choices=np.zeros((path, seats), np.int64),
        path_chances=np.zeros((path, seats)),
        values=np.zeros(seats),
        log=NO_LOG,
    )


@kernel
def clear_tree(tree: Any) -> None:
    """Forget all nodes, and the range of evaluations."""
    clear(tree.table)
    clear(tree.cell_table)
    for counter in range(COUNTERS):
        tree.counters[counter] = 0
    forget_range(tree)


@kernel
def node_at(tree: Any, key: Any) -> Any:
    """The node of a position key; a new one if there is none yet; ABSENT if there is no room."""
    node = lookup(tree.table, key)
    if node != ABSENT:
        return node
    node = tree.counters[NODES]
    if node == tree.nodes.size or not insert(tree.table, key, node):
        return ABSENT
    tree.counters[NODES] += 1
    tree.nodes[node].choosers = 0
    tree.nodes[node].visits = 0
    tree.nodes[node].exact = False
    tree.nodes[node].complete = False
    return node


@kernel
def can_expand(tree: Any, node: Any) -> Any:
    """Whether a node has its edges, or there is room for them."""
    if tree.nodes[node].choosers > 0:
        return True
    return tree.counters[EDGES] + tree.seats.shape[1] * tree.moves.size <= tree.edges.size


@kernel
def add_edges(tree: Any, node: Any, place: Any, seat: Any, count: Any) -> None:
    """Give a node the first `count` of `tree.moves` as the edges of its next chooser."""
    first = tree.counters[EDGES]
    tree.seats[node, place] = seat
    tree.first[node, place] = first
    tree.counts[node, place] = count
    for i in range(count):
        edge = tree.edges[first + i]
        edge.move = tree.moves[i]
        edge.visits = 0
        edge.total = 0.0
        edge.squares = 0.0
        edge.regret = 0.0
        edge.strategy = 0.0
        edge.prior = 1.0
    tree.counters[EDGES] += count


@kernel
def cell_key(node: Any, joint: Any) -> Any:
    """The hash of a joint choice at a node."""
    return mix(np.uint64(node) * GOLDEN + np.uint64(joint))


@kernel
def find_cell(tree: Any, node: Any, joint: Any) -> Any:
    """The cell of a joint choice at a node, or ABSENT."""
    return lookup(tree.cell_table, cell_key(node, joint))


@kernel
def cell_at(tree: Any, node: Any, joint: Any) -> Any:
    """The cell of a joint choice at a node; a new one if there is none yet; ABSENT if there is no room."""
    key = cell_key(node, joint)
    cell = lookup(tree.cell_table, key)
    if cell != ABSENT:
        return cell
    cell = tree.counters[CELLS]
    if cell == tree.cells.size or not insert(tree.cell_table, key, cell):
        return ABSENT
    tree.counters[CELLS] += 1
    tree.cells[cell].child = 0
    tree.cells[cell].node = node
    tree.cells[cell].joint = joint
    tree.cells[cell].visits = 0
    for seat in range(tree.cell_totals.shape[1]):
        tree.cell_totals[cell, seat] = 0.0
    return cell


@kernel
def settle(tree: Any, node: Any) -> bool:
    """Prove the value of a node of a zero-sum game for two, as far as its matrix is decided; whether it is exact now.

    It is if the first chooser can make sure of as much as the second can hold it to (a saddle point of the values that
    are known), or if one of them can make sure of a win.
    """
    choosers = tree.nodes[node].choosers
    rows = tree.counts[node, 0]
    columns = tree.counts[node, 1] if choosers == 2 else 1
    seat = tree.seats[node, 0]
    lower, upper = -np.inf, np.inf
    for i in range(rows):
        worst = np.inf
        for j in range(columns):
            worst = min(worst, known_value(tree, node, i + rows * j, seat, -np.inf))
        lower = max(lower, worst)
    for j in range(columns):
        best = -np.inf
        for i in range(rows):
            best = max(best, known_value(tree, node, i + rows * j, seat, np.inf))
        upper = min(upper, best)
    if lower < upper and lower < WIN_VALUE and upper > -WIN_VALUE:
        return False
    value = upper if upper <= -WIN_VALUE else lower
    tree.nodes[node].exact = True
    tree.exact_values[node, seat] = value
    tree.exact_values[node, 1 - seat] = -value
    return True


@kernel
def known_value(tree: Any, node: Any, joint: Any, seat: Any, unknown: float) -> Any:
    """The exact value of a joint choice for a seat, or `unknown`."""
    cell = find_cell(tree, node, joint)
    if cell == ABSENT or tree.cells[cell].child == 0:
        return unknown
    child = tree.cells[cell].child - 1
    return tree.exact_values[child, seat] if tree.nodes[child].exact else unknown
