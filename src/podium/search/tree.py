"""The tree of a Monte Carlo search: nodes, edges and their statistics, in bounded memory.

Nodes are shared between transpositions through a hash table by position key. The edges of a node take most of the
memory, so a node gets them only when it is expanded, at its second visit: most nodes are never visited twice. When the
memory is full, the search goes on with the nodes that exist. From move to move, nodes that can no longer be reached are
dropped and the others compacted.

The memory layout is known in this module alone: others read and write edges through the functions below `new_tree`.
What the tree asks of a game: the rules and `key`.
"""

from typing import Any, NamedTuple

import numpy as np

from podium.kernel import allocate, inlined, kernel, record
from podium.kernel.prefetch import prefetch
from podium.kernel.table import ABSENT, clear, insert, lookup, new_table
from podium.model.hooks import AMAF_ROWS, PlayoutBuffers, new_playout_buffers
from podium.model.proofs import DRAW, LOSS, UNPROVEN, WIN, proof_of
from podium.model.rules import candidates, final_score, key, legal_moves, mover, moves_unless_over
from podium.search.solver import DEADLINE, NODES_LEFT, SolverWorkspace, new_solver, prove
from podium.search.trace_room import NO_LOG

# Counters of a tree: nodes, edges and expanded nodes in use, the root, how often a node or its edges found no room, and
# steps in the log.
NODES, EDGES, EXPANDED, ROOT, REFUSED, LOGGED = range(6)

TreeNode = record(
    "mcts node",
    [
        ("position", "u8"),  # the key
        ("first", "i8"),  # its first edge, or ABSENT before it is expanded
        ("count", "i8"),  # of edges
        ("visits", "i8"),
        ("complete", "?"),  # its edges are all legal moves: only then can they prove a loss or a draw
        ("proof", "i1"),  # for the side to move
        ("mark", "i4"),  # for dropping nodes that can no longer be reached
    ],
)

# The edges of a node are stored by rows of `count` entries each, so that selection runs over vectors.
# Statistics (float32): visits and sum of results of the move itself; the same over playouts in which the same side
# played it later (AMAF), and over those in which either side did (generalised AMAF); and its prior: the impact of the
# move, or the network's probability of it.
VISITS, VALUE_SUM, AMAF_VISITS, AMAF_SUM, GENERAL_VISITS, GENERAL_SUM, PRIOR = range(7)
STATISTICS = 7
# Links (int32): the move, the child node (or ABSENT), and the proof of the move for the side that plays it.
MOVE, CHILD, PROOF = range(3)
LINKS = 3

SOLVER_SHARE = 0.2  # of the memory
ENDLESS = 2**62
EDGES_PER_NODE = 12  # on average: most nodes are never expanded
BYTES_PER_NODE = TreeNode.itemsize + EDGES_PER_NODE * 4 * (STATISTICS + LINKS) + 2 * 4 + 2 * 16


class Tree(NamedTuple):
    """The workspace of a search; allocated once, owned by the caller."""

    states: Any  # the root, the position of the simulation, and a stack for the solver
    moves: Any  # int64 [state of the stack, i]: moves of each state
    nodes: Any
    statistics: Any  # float32
    links: Any  # int32
    expanded: Any  # int32: the nodes in the order in which they were expanded
    table: Any  # position key -> node
    counters: Any  # int64
    path: Any  # int64 [ply of the simulation, 3]: node, edge, mover
    amaf: Any  # float32 [AMAF_ROWS, move]: the playouts of the simulation
    scores: Any  # float32: selection scores of the edges of a node
    buffers: PlayoutBuffers
    solver: SolverWorkspace
    log: Any  # SimulationStep: what each simulation did, if there is room for it


def new_tree(
    state: np.dtype, megabytes: int, most_moves: int, move_codes: int, most_plies: int, solver_examples: int = 0
) -> Tree:
    """An empty tree for a game with at most `most_moves` legal moves in a position and `most_plies` plies; moves are
    below `move_codes`. Its solver can collect up to `solver_examples` positions that were hard to prove."""
    capacity = max(64, int(megabytes * (1 - SOLVER_SHARE) * 1_000_000) // BYTES_PER_NODE)
    edges = capacity * EDGES_PER_NODE
    return Tree(
        states=allocate(state, most_plies + 3),
        moves=np.zeros((most_plies + 3, most_moves), np.int64),
        nodes=allocate(TreeNode, capacity),
        statistics=np.zeros(edges * STATISTICS, np.float32),
        links=np.zeros(edges * LINKS, np.int32),
        expanded=np.zeros(capacity, np.int32),
        table=new_table(2 * capacity),
        counters=np.zeros(6, np.int64),
        path=np.zeros((most_plies + 1, 3), np.int64),
        amaf=np.zeros((AMAF_ROWS, move_codes), np.float32),
        scores=np.zeros(most_moves, np.float32),
        buffers=new_playout_buffers(state, most_moves, most_plies),
        solver=new_solver(state, megabytes * SOLVER_SHARE, move_codes, most_plies + 3, solver_examples),
        log=NO_LOG,
    )


class Edges(NamedTuple):
    """The edges of a node as arrays, for Python; kernels use the functions below, which cost nothing."""

    moves: Any
    children: Any  # ABSENT where there is no node yet
    proofs: Any
    visits: Any
    value_sums: Any


def edges_of(tree: Tree, node: int) -> Edges:
    """The edges of an expanded node; the arrays are views."""
    first, count = int(tree.nodes[node].first), int(tree.nodes[node].count)
    links = tree.links[first * LINKS : (first + count) * LINKS].reshape(LINKS, count)
    statistics = tree.statistics[first * STATISTICS : (first + count) * STATISTICS].reshape(STATISTICS, count)
    return Edges(links[MOVE], links[CHILD], links[PROOF], statistics[VISITS], statistics[VALUE_SUM])


class EdgeStatistics(NamedTuple):
    """The statistics of a node's edges besides those in `Edges`, as arrays, for Python."""

    amaf_visits: Any
    amaf_sums: Any
    general_visits: Any
    general_sums: Any
    priors: Any


def statistics_of(tree: Tree, node: int) -> EdgeStatistics:
    """The statistics of the edges of an expanded node; the arrays are views."""
    first, count = int(tree.nodes[node].first), int(tree.nodes[node].count)
    rows = tree.statistics[first * STATISTICS : (first + count) * STATISTICS].reshape(STATISTICS, count)
    return EdgeStatistics(rows[AMAF_VISITS], rows[AMAF_SUM], rows[GENERAL_VISITS], rows[GENERAL_SUM], rows[PRIOR])


@inlined
def root_of(tree: Any) -> Any:
    """The number of the root."""
    return tree.counters[ROOT]


@inlined
def root_proof(tree: Any) -> Any:
    """What the root is proven to be for the side to move."""
    return tree.nodes[tree.counters[ROOT]].proof


@inlined
def is_expanded(tree: Any, node: int) -> Any:
    """Whether a node has edges."""
    return tree.nodes[node].first != ABSENT


@inlined
def prefetch_node(tree: Any, node: int) -> None:
    """Bring a node into the caches while its position is being made; ABSENT does no harm."""
    prefetch(tree.nodes, node)


@inlined
def edge_count(tree: Any, node: int) -> Any:
    """The number of edges of a node."""
    return tree.nodes[node].count


@inlined
def edge_move(tree: Any, node: int, i: int) -> Any:
    """The move of an edge."""
    return tree.links[tree.nodes[node].first * LINKS + MOVE * tree.nodes[node].count + i]


@inlined
def edge_child(tree: Any, node: int, i: int) -> Any:
    """The node that an edge leads to, or ABSENT."""
    return np.int64(tree.links[tree.nodes[node].first * LINKS + CHILD * tree.nodes[node].count + i])


@inlined
def set_child(tree: Any, node: int, i: int, child: int) -> None:
    """Link an edge to a node, or to none (ABSENT)."""
    tree.links[tree.nodes[node].first * LINKS + CHILD * tree.nodes[node].count + i] = child


@inlined
def edge_proof(tree: Any, node: int, i: int) -> Any:
    """The proof of an edge, for the side that plays its move."""
    return tree.links[tree.nodes[node].first * LINKS + PROOF * tree.nodes[node].count + i]


@inlined
def set_proof(tree: Any, node: int, i: int, proof: int) -> None:
    """Store the proof of an edge."""
    tree.links[tree.nodes[node].first * LINKS + PROOF * tree.nodes[node].count + i] = proof


@inlined
def proof_by_moves(tree: Any, node: int) -> int:
    """What its moves prove of a node: a win by one of them, a loss or a draw only by all legal ones."""
    best, open_ = LOSS, not tree.nodes[node].complete
    for i in range(edge_count(tree, node)):
        proof = edge_proof(tree, node, i)
        if proof == WIN:
            return WIN
        open_ = open_ or proof == UNPROVEN
        if proof == DRAW:
            best = DRAW
    return UNPROVEN if open_ else best


@inlined
def edge_visits(tree: Any, node: int, i: int) -> Any:
    """The visits of an edge (float32): simulations, each counted as often as it has playouts."""
    return tree.statistics[tree.nodes[node].first * STATISTICS + VISITS * tree.nodes[node].count + i]


@inlined
def edge_value_sum(tree: Any, node: int, i: int) -> Any:
    """The sum of the results of an edge's visits (float32), for the side that plays its move."""
    return tree.statistics[tree.nodes[node].first * STATISTICS + VALUE_SUM * tree.nodes[node].count + i]


@inlined
def edge_prior(tree: Any, node: int, i: int) -> Any:
    """The prior of an edge (float32)."""
    return tree.statistics[tree.nodes[node].first * STATISTICS + PRIOR * tree.nodes[node].count + i]


@inlined
def set_prior(tree: Any, node: int, i: int, prior: Any) -> None:
    """Store the prior of an edge."""
    tree.statistics[tree.nodes[node].first * STATISTICS + PRIOR * tree.nodes[node].count + i] = prior


@inlined
def add_result(tree: Any, node: int, i: int, visits: Any, value: Any) -> None:
    """Add visits and the sum of their results to an edge."""
    at = tree.nodes[node].first * STATISTICS + i
    tree.statistics[at + VISITS * tree.nodes[node].count] += visits
    tree.statistics[at + VALUE_SUM * tree.nodes[node].count] += value


@inlined
def log_result(tree: Any, node: int, i: int, value: Any) -> None:
    """Log that a simulation has added a value to an edge; the caller has looked that there is room.

    A branch in an inlined kernel would make Numba count references to all arrays of the tree.
    """
    entry = tree.counters[LOGGED]
    tree.log[entry].edge = tree.nodes[node].first + i
    tree.log[entry].result = value
    tree.counters[LOGGED] = entry + 1


@inlined
def edge_statistics(tree: Any, node: int) -> Any:
    """All statistics of a node's edges in one array: entry i of a row is at row * count + i.

    For loops over all edges, which become vector instructions. With an array for each row the compiler would have to
    check that they do not overlap: simulations of Zuniq then ran 7 % slower.
    """
    at = tree.nodes[node].first * STATISTICS
    return tree.statistics[at : at + STATISTICS * tree.nodes[node].count]


@inlined
def edge_moves(tree: Any, node: int) -> Any:
    """The moves of a node's edges, as an array."""
    at = tree.nodes[node].first * LINKS
    return tree.links[at : at + tree.nodes[node].count]


@inlined
def edge_priors(tree: Any, node: int) -> Any:
    """The priors of a node's edges, as an array to write to."""
    at, count = tree.nodes[node].first * STATISTICS, tree.nodes[node].count
    return tree.statistics[at + PRIOR * count : at + (PRIOR + 1) * count]


@kernel
def add_node(tree: Any, params: Any, state: Any) -> Any:
    """Make a node of a position; returns its number (ABSENT if there is no room) and its proof."""
    proof = UNPROVEN
    count = moves_unless_over(state, tree.moves[1])
    if count == 0:
        proof = proof_of(final_score(state, mover(state)))
    elif count <= params.solve:
        tree.states[2] = state
        # few moves can still be a large tree, where moves that are forbidden now become legal again
        tree.solver.limits[NODES_LEFT], tree.solver.limits[DEADLINE] = params.solve_nodes, ENDLESS
        proof = prove(tree.states, tree.moves, np.int64(2), tree.solver)
    node = tree.counters[NODES]
    position = key(state)
    if node == tree.nodes.size or (params.transpositions and not insert(tree.table, position, node)):
        tree.counters[REFUSED] += 1
        return ABSENT, proof
    tree.counters[NODES] += 1
    tree.nodes[node].position = position
    tree.nodes[node].first = ABSENT
    tree.nodes[node].count = 0
    tree.nodes[node].visits = 0
    tree.nodes[node].proof = proof
    return node, proof


@kernel
def expand(tree: Any, params: Any, node: int, state: Any) -> bool:
    """Give a node its edges, without priors; False if there is no room. Its position must not be over.

    A bot without candidates in this position considers every legal move.
    """
    moves = tree.moves[1]
    count = candidates(state, params, moves)
    if count == 0:
        count = legal_moves(state, moves)
    first = tree.counters[EDGES]
    if (first + count) * LINKS > tree.links.size:
        tree.counters[REFUSED] += 1
        return False
    tree.counters[EDGES] += count
    tree.expanded[tree.counters[EXPANDED]] = node
    tree.counters[EXPANDED] += 1
    tree.nodes[node].first = first
    tree.nodes[node].count = count
    tree.nodes[node].complete = count == legal_moves(state, tree.moves[2])
    statistics, links = first * STATISTICS, first * LINKS
    tree.statistics[statistics : statistics + STATISTICS * count] = 0
    for i in range(count):
        tree.links[links + MOVE * count + i] = moves[i]
        tree.links[links + CHILD * count + i] = ABSENT
        tree.links[links + PROOF * count + i] = UNPROVEN
    return True


@kernel
def clear_tree(tree: Any) -> None:
    """Drop all nodes and edges."""
    tree.counters[:] = 0
    clear(tree.table)


@kernel
def new_root(tree: Any, params: Any, state: Any) -> None:
    """Make a position the root of an empty tree.

    The caller guarantees that the game is not over. The root is always expanded, and searched rather than solved, so
    that there are moves to choose from.
    """
    tree.states[0] = state
    clear_tree(tree)
    root, _ = add_node(tree, params, state)
    expand(tree, params, root, state)
    tree.nodes[root].proof = UNPROVEN
    tree.counters[ROOT] = root
    tree.counters[REFUSED] = 0


@kernel
def keep_root(tree: Any, params: Any, state: Any) -> bool:
    """Make a position the root, keep its subtree and drop the rest; False if the tree has none."""
    if not (params.reuse_tree and params.transpositions):
        return False
    root = lookup(tree.table, key(state))
    if root == ABSENT or tree.nodes[root].first == ABSENT:
        return False
    tree.states[0] = state
    tree.counters[ROOT] = keep_subtree(tree, root)
    tree.counters[REFUSED] = 0
    return True


@kernel
def set_root(tree: Any, params: Any, state: Any) -> None:
    """Make a position the root, with its subtree if the tree has one."""
    if not keep_root(tree, params, state):
        new_root(tree, params, state)


@kernel
def keep_subtree(tree: Any, root: int) -> Any:
    """Drop the nodes that cannot be reached from a node; returns its new number."""
    used = tree.counters[NODES]
    nodes = tree.nodes
    for node in range(used):
        nodes[node].mark = ABSENT
    nodes[root].mark = 0
    # In rounds rather than with a stack: a child mostly has a higher number than its parent, so there are few.
    growing = True
    while growing:
        growing = False
        for node in range(used):
            if nodes[node].mark != 0:
                continue
            nodes[node].mark = 1
            count = tree.nodes[node].count
            children = tree.nodes[node].first * LINKS + CHILD * count
            for i in range(count):
                child = tree.links[children + i]
                if child != ABSENT and nodes[child].mark == ABSENT:
                    nodes[child].mark = 0
                    growing = growing or child < node
    return compact(tree, root)


@kernel
def compact(tree: Any, root: int) -> Any:
    """Move the marked nodes and their edges down over the others; returns the new number of the root."""
    nodes, used = tree.nodes, tree.counters[NODES]
    kept = 0
    for node in range(used):
        if nodes[node].mark != ABSENT:
            nodes[node].mark = kept
            kept += 1
    number = np.int64(nodes[root].mark)
    edges, expanded = compact_edges(tree)
    clear(tree.table)
    for node in range(used):
        place: Any = np.int64(nodes[node].mark)
        if place != ABSENT:
            nodes[place] = nodes[node]
            insert(tree.table, nodes[place].position, place)
    tree.counters[NODES], tree.counters[EDGES], tree.counters[EXPANDED] = kept, edges, expanded
    return number


@kernel
def compact_edges(tree: Any) -> Any:
    """Move the edges of marked nodes down; returns how many edges and expanded nodes are left.

    In the order in which nodes were expanded, so that each block of edges only moves down.
    """
    nodes = tree.nodes
    edges, expanded = 0, 0
    for rank in range(tree.counters[EXPANDED]):
        node = tree.expanded[rank]
        if nodes[node].mark == ABSENT:
            continue
        first, count = nodes[node].first, nodes[node].count
        for i in range(STATISTICS * count):
            tree.statistics[edges * STATISTICS + i] = tree.statistics[first * STATISTICS + i]
        for i in range(LINKS * count):
            tree.links[edges * LINKS + i] = tree.links[first * LINKS + i]
        for i in range(edges * LINKS + CHILD * count, edges * LINKS + CHILD * count + count):
            if tree.links[i] != ABSENT:
                tree.links[i] = nodes[tree.links[i]].mark
        nodes[node].first = edges
        tree.expanded[expanded] = nodes[node].mark
        edges += count
        expanded += 1
    return edges, expanded
