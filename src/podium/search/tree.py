"""The tree of a Monte Carlo search: nodes, their moves and what is known of them, in bounded memory.

Nodes are shared between transpositions through a hash table by position key. A node's edges take most of the
memory, so a node grows them only at its second visit: most nodes are never visited twice. When the memory is full
the search goes on with the nodes that there are. From move to move, what cannot be reached any more is dropped and
the rest moved together.
"""

from typing import Any, NamedTuple

import numpy as np

from podium.kernel import allocate, kernel, record
from podium.kernel.rules import candidates, final_score, key, legal_moves, mover, moves_unless_over
from podium.kernel.table import ABSENT, clear, insert, lookup, new_table
from podium.search.hooks import ROWS
from podium.search.playouts import Playroom, new_playroom
from podium.search.solve import DEADLINE, NODES_LEFT, UNPROVEN, Prover, new_prover, proof_of, prove

# Counters of a tree: nodes, edges and grown nodes in use, the root, and how often there was no room for a node.
NODES, EDGES, GROWN, ROOT, REFUSED = range(5)

Node = record(
    "mcts node",
    [
        ("node_key", "u8"),
        ("first", "i8"),  # where its edges begin, or ABSENT while it has not grown any
        ("count", "i8"),
        ("visits", "i8"),
        ("whole", "?"),  # whether its edges are all its legal moves: only then can they prove that it is not won
        ("proven", "i1"),
    ],
)

# What is known of a node's moves lies in rows, `count` entries each, so that selection runs over vectors.
# Statistics (float32) begin at first * STATISTICS: playouts and wins less losses of the move itself (1), of the
# same side playing it later (2), of either side playing it later (3), and what is
# known of the move beforehand (BIAS): its impact, or a network's prior. Links (int32) begin at
# first * LINKS: the move, the node that it leads to (or ABSENT), and what it is proven to be for the side that
# plays it.
N1, SUM1, N2, SUM2, N3, SUM3, BIAS = range(7)
STATISTICS = 7
MOVE, CHILD, PROOF = range(3)
LINKS = 3

PART_FOR_PROOFS = 0.2  # of the memory
ENDLESS = 2**62
EDGES_PER_NODE = 12  # nodes grow edges at their second visit, and most are never visited again
BYTES_OF_A_NODE = Node.itemsize + EDGES_PER_NODE * 4 * (STATISTICS + LINKS) + 2 * 4 + 2 * 16


class Tree(NamedTuple):
    """The workspace of a search; allocated once, owned by the caller."""

    states: Any  # the root, the position of the simulation, and a stack for solving
    moves: Any  # int64: a row of moves for each state of the stack
    nodes: Any
    statistics: Any  # float32
    links: Any  # int32
    grown: Any  # int32: the nodes in the order in which they grew edges
    table: Any  # position key -> node
    counters: Any  # int64
    path: Any  # int64, a row per ply of the simulation: node, edge, mover
    tally: Any  # float32: OWN, OWN_SUM, OTHER, OTHER_SUM by move
    worths: Any  # float32: of the moves of the node where a choice is made
    marks: Any  # int32 per node, for clearing away what cannot be reached any more
    room: Playroom
    prover: Prover


def new_tree(
    state: np.dtype, megabytes: int, most_moves: int, move_codes: int, most_plies: int, harvest: int = 0
) -> Tree:
    """An empty tree. A game has at most so many legal moves at once and plies; moves are below `move_codes`.

    Its solver has room to gather so many positions that were hard to prove.
    """
    capacity = max(64, int(megabytes * (1 - PART_FOR_PROOFS) * 1_000_000) // BYTES_OF_A_NODE)
    edges = capacity * EDGES_PER_NODE
    return Tree(
        states=allocate(state, most_plies + 3),
        moves=np.zeros((most_plies + 3, most_moves), np.int64),
        nodes=allocate(Node, capacity),
        statistics=np.zeros(edges * STATISTICS, np.float32),
        links=np.zeros(edges * LINKS, np.int32),
        grown=np.zeros(capacity, np.int32),
        table=new_table(2 * capacity),
        counters=np.zeros(5, np.int64),
        path=np.zeros((most_plies + 1, 3), np.int64),
        tally=np.zeros((ROWS, move_codes), np.float32),
        worths=np.zeros(most_moves, np.float32),
        marks=np.zeros(capacity, np.int32),
        room=new_playroom(state, most_moves, most_plies),
        prover=new_prover(state, megabytes * PART_FOR_PROOFS, move_codes, most_plies + 3, harvest),
    )


@kernel
def add_node(tree: Any, mind: Any, state: Any) -> Any:
    """Make a node of a position; returns its number (ABSENT if there is no room) and what it is proven to be."""
    proven = UNPROVEN
    count = moves_unless_over(state, tree.moves[1])
    if count == 0:
        proven = proof_of(final_score(state, mover(state)))
    elif count <= mind.solve:
        tree.states[2] = state
        # few moves can still be a large tree, where moves that are forbidden now become legal again
        tree.prover.limits[NODES_LEFT], tree.prover.limits[DEADLINE] = mind.solve_nodes, ENDLESS
        proven = prove(tree.states, tree.moves, np.int64(2), tree.prover)
    node = tree.counters[NODES]
    position = key(state)
    if node == tree.nodes.size or (mind.transpositions and not insert(tree.table, position, node)):
        tree.counters[REFUSED] += 1
        return ABSENT, proven
    tree.counters[NODES] += 1
    tree.nodes[node].node_key = position
    tree.nodes[node].first = ABSENT
    tree.nodes[node].count = 0
    tree.nodes[node].visits = 0
    tree.nodes[node].proven = proven
    return node, proven


@kernel
def grow(tree: Any, mind: Any, node: int, state: Any) -> bool:
    """Give a node, whose position is not over, its edges; False if there is no room.

    A bot that has no candidate considers every move. What else is known of the moves is for the caller to write.
    """
    moves = tree.moves[1]
    count = candidates(state, mind, moves)
    if count == 0:
        count = legal_moves(state, moves)
    first = tree.counters[EDGES]
    if (first + count) * LINKS > tree.links.size:
        tree.counters[REFUSED] += 1
        return False
    tree.counters[EDGES] += count
    tree.grown[tree.counters[GROWN]] = node
    tree.counters[GROWN] += 1
    tree.nodes[node].first = first
    tree.nodes[node].count = count
    tree.nodes[node].whole = count == legal_moves(state, tree.moves[2])
    statistics, links = first * STATISTICS, first * LINKS
    tree.statistics[statistics : statistics + STATISTICS * count] = 0
    for i in range(count):
        tree.links[links + MOVE * count + i] = moves[i]
        tree.links[links + CHILD * count + i] = ABSENT
        tree.links[links + PROOF * count + i] = UNPROVEN
    return True


@kernel
def forget(tree: Any) -> None:
    """Empty the tree."""
    tree.counters[:] = 0
    clear(tree.table)


@kernel
def set_root(tree: Any, mind: Any, state: Any) -> None:
    """Begin to think about a position: keep what the tree knows about it and below, drop the rest.

    The caller guarantees that the game is not over. The root always has edges, and is not solved but searched, so that
    there are moves to choose from.
    """
    tree.states[0] = state
    root = ABSENT
    if mind.keep and mind.transpositions:
        root = lookup(tree.table, key(state))
        if root != ABSENT and tree.nodes[root].first == ABSENT:
            root = ABSENT
    if root == ABSENT:
        forget(tree)
        root, _ = add_node(tree, mind, state)
        grow(tree, mind, root, state)
        tree.nodes[root].proven = UNPROVEN
    else:
        root = keep_below(tree, root)
    tree.counters[ROOT] = root
    tree.counters[REFUSED] = 0


@kernel
def keep_below(tree: Any, root: int) -> Any:
    """Drop the nodes that cannot be reached from a node; returns its new number."""
    used = tree.counters[NODES]
    marks = tree.marks
    marks[:used] = ABSENT
    marks[root] = 0
    # In rounds rather than with a stack: a child mostly has a higher number than its parent, so there are few.
    growing = True
    while growing:
        growing = False
        for node in range(used):
            if marks[node] != 0:
                continue
            marks[node] = 1
            count = tree.nodes[node].count
            children = tree.nodes[node].first * LINKS + CHILD * count
            for i in range(count):
                child = tree.links[children + i]
                if child != ABSENT and marks[child] == ABSENT:
                    marks[child] = 0
                    growing = growing or child < node
    return compact(tree, root)


@kernel
def compact(tree: Any, root: int) -> Any:
    """Move the marked nodes and their edges down over the others; returns the new number of the root."""
    marks, used = tree.marks, tree.counters[NODES]
    kept = 0
    for node in range(used):
        if marks[node] != ABSENT:
            marks[node] = kept
            kept += 1
    # Edges in the order in which they were grown, so that each block only moves down.
    edges, grown = 0, 0
    for rank in range(tree.counters[GROWN]):
        node = tree.grown[rank]
        if marks[node] == ABSENT:
            continue
        first, count = tree.nodes[node].first, tree.nodes[node].count
        for i in range(STATISTICS * count):
            tree.statistics[edges * STATISTICS + i] = tree.statistics[first * STATISTICS + i]
        for i in range(LINKS * count):
            tree.links[edges * LINKS + i] = tree.links[first * LINKS + i]
        for i in range(edges * LINKS + CHILD * count, edges * LINKS + CHILD * count + count):
            if tree.links[i] != ABSENT:
                tree.links[i] = marks[tree.links[i]]
        tree.nodes[node].first = edges
        tree.grown[grown] = marks[node]
        edges += count
        grown += 1
    clear(tree.table)
    for node in range(used):
        if marks[node] != ABSENT:
            tree.nodes[marks[node]] = tree.nodes[node]
            insert(tree.table, tree.nodes[marks[node]].node_key, marks[node])
    tree.counters[NODES], tree.counters[EDGES], tree.counters[GROWN] = kept, edges, grown
    return marks[root]
