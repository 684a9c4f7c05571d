"""Monte Carlo tree search with RAVE for two-player games without hidden information.

Everything follows the write-up of the winner of CodeCup 2021 (Abdessamad El Kasimi, "zuniq-ai"), each part as a switch or
number of the bot's mind:

* UCT (Kocsis and Szepesvári, "Bandit based Monte-Carlo planning", 2006), for scale.
* RAVE (Gelly and Silver, "Monte-Carlo tree search and rapid action value estimation in computer Go", 2011) with three
  statistics per move: its own (1); all-moves-as-first, the playouts in which the same side played it later (2); and
  generalised, those in which either side did (3), which suits impartial games.
* RAVE-MAX (Tom, "Investigating UCT and RAVE", 2010): statistics 2 and 3 are never taken for worse than 1.
* An exploration bonus from a move's impact: how many moves it takes away.
* MCTS-Solver (Winands, Björnsson and Saito, 2008): proven wins and losses go up the tree; positions with few moves left
  are solved exhaustively.
* Nodes shared between transpositions and kept from move to move, in bounded memory.
* Several playouts per new node; random choices at the opponent's nodes, so that lines with pitfalls are preferred.

One simulation:
 1. Select: from the root, follow the move with the highest
    (n1 v1 + n2 max(v2, v1) + n3 max(v3, v1) + impact sqrt(visits)) / (n1 + n2 + n3), values in [-1, 1].
 2. Expand: the first position that is not in the table becomes a node; if its moves are few it is solved instead.
 3. Play out: random games from there, tallying who played what.
 4. Back up: statistics along the path, proofs as far as they carry.

Values are always those of the side to move at a node, never of a seat, so positions whose keys do not tell the mover are
shared between the sides. A game offers `legal_moves` (none when it is over), `play`, `mover`, `final_score` and `key`; it
may offer faster `playouts`, its own `impact`, and fewer `candidates`.
"""

import math
from typing import Any, NamedTuple

import numpy as np

from podium.kernel import allocate, generic, kernel, record
from podium.kernel.clock import now
from podium.kernel.minds import Parameter
from podium.kernel.random import draw_below, draw_unit
from podium.kernel.rules import candidates, final_score, key, legal_moves, mover, play
from podium.kernel.table import ABSENT, clear, insert, lookup, new_table

PARAMETERS = (
    Parameter("playouts", 10, "random games per new node (write-up: 10)", 1, 1000),
    Parameter("rave", True, "use the all-moves-as-first statistics"),
    Parameter("generalised", True, "RAVE: also credit a move that the opponent played"),
    Parameter("rave_max", True, "RAVE: take the borrowed statistics for at least the move's own value"),
    Parameter("impact", 1.0, "weight of the exploration bonus from a move's impact (write-up: 1)", 0, 100),
    Parameter("exploration", 0.0, "weight of UCT's exploration term (the write-up has none)", 0, 10),
    Parameter("pitfalls", 0.1, "part of random choices at the opponent's nodes (write-up: 0.1)", 0, 1),
    Parameter("prove", True, "propagate proven wins and losses (MCTS-Solver)"),
    Parameter("solve", 5, "solve a new node exhaustively if it has at most so many moves (write-up: 5)", 0, 30),
    Parameter("transpositions", True, "share nodes between positions with the same key"),
    Parameter("keep", True, "keep the tree from move to move"),
    Parameter("memory", 192, "megabytes for the tree (contest: 256 for all)", 1, 65536),
)

# What a position is proven to be, for the side to move.
UNPROVEN, WIN, LOSS, DRAW = 0, 1, -1, 2

# Rows of a tally of playouts: how often the side to move played a move, and its wins less losses in those; and the same
# for the moves of the other side (wins less losses still those of the side to move).
OWN, OWN_SUM, OTHER, OTHER_SUM = range(4)

# Counters of a tree.
NODES, EDGES, ROOT, REFUSED = range(4)

Node = record(
    "mcts node",
    [
        ("node_key", "u8"),
        ("first", "i4"),  # its edges lie at first .. first + count - 1
        ("count", "i4"),
        ("visits", "i4"),
        ("proven", "i1"),
    ],
)

Edge = record(
    "mcts edge",
    [
        ("child", "i4"),  # node, or ABSENT
        ("impact", "f4"),
        ("n1", "i4"),  # playouts, and wins less losses, of the move itself,
        ("sum1", "i4"),
        ("n2", "i4"),  # of the same side playing it later,
        ("sum2", "i4"),
        ("n3", "i4"),  # of either side playing it later
        ("sum3", "i4"),
        ("move", "i2"),
        ("edge_proven", "i1"),  # for the side that plays it
    ],
)

BYTES_OF_A_NODE = Node.itemsize + 32 * Edge.itemsize + 2 * 16  # with its edges (estimated) and table slots


class Tree(NamedTuple):
    """The workspace of a search; allocated once, owned by the caller."""

    states: Any  # the root, the position of the simulation, and a stack for solving
    moves: Any  # int64: a row of moves for each state of the stack
    nodes: Any
    edges: Any
    table: Any  # position key -> node
    counters: Any  # int64: NODES, EDGES, ROOT, REFUSED
    path: Any  # int64, a row per ply of the simulation: node, edge, mover
    tally: Any  # int32: OWN, OWN_SUM, OTHER, OTHER_SUM by move
    marks: Any  # int32 per node, for clearing away what cannot be reached any more
    scratch: Any  # uint8, for a game's playouts
    words: Any  # uint64, for a game's playouts


def new_tree(state: np.dtype, megabytes: int, most_moves: int, most_plies: int) -> Tree:
    """An empty tree. Moves are numbers below `most_moves`; no game has more than `most_plies`."""
    capacity = max(64, megabytes * 1_000_000 // BYTES_OF_A_NODE)
    return Tree(
        states=allocate(state, most_plies + 3),
        moves=np.zeros((most_plies + 3, most_moves), np.int64),
        nodes=allocate(Node, capacity),
        edges=allocate(Edge, capacity * 32),
        table=new_table(2 * capacity),
        counters=np.zeros(4, np.int64),
        path=np.zeros((most_plies + 1, 3), np.int64),
        tally=np.zeros((4, most_moves), np.int32),
        marks=np.zeros(capacity, np.int32),
        scratch=np.zeros(4096, np.uint8),
        words=np.zeros(256, np.uint64),
    )


@generic(by=1)
def playouts(state: Any, tree: Any, random: Any, number: int, tally: Any) -> Any:
    """Play random games from a position, add to the tally, return wins less losses of the side to move."""


@generic(by=1)
def impact(state: Any, move: Any) -> Any:
    """How many moves a move takes away, itself included."""


@candidates.otherwise
@kernel
def all_moves(state: Any, mind: Any, out: Any) -> int:
    """All legal moves."""
    return legal_moves(state, out)


@playouts.otherwise
@kernel
def plain_playouts(state: Any, tree: Any, random: Any, number: int, tally: Any) -> int:
    """Random games through `legal_moves` and `play`. Uses the second and third state of the tree's stack."""
    balance = 0
    side = mover(state)
    for _ in range(number):
        plies = 0
        tree.states[2] = state
        game = tree.states[2]
        while True:
            count = legal_moves(game, tree.moves[2])
            if count == 0:
                break
            tree.moves[3, plies] = tree.moves[2, draw_below(random, count)]
            tree.moves[4, plies] = mover(game)
            play(game, tree.moves[3, plies])
            plies += 1
        result = sign(final_score(game, side))
        balance += result
        for ply in range(plies):
            row = OWN if tree.moves[4, ply] == side else OTHER
            tally[row, tree.moves[3, ply]] += 1
            tally[row + 1, tree.moves[3, ply]] += result
    return balance


@impact.otherwise
@kernel
def no_impact(state: Any, move: Any) -> int:
    """Games in which moves do not take others away."""
    return 1


@kernel
def sign(number: Any) -> int:
    """1, 0 or -1."""
    if number > 0:
        return 1
    return -1 if number < 0 else 0


@kernel
def turned(proven: int) -> int:
    """A proven value as the other side sees it."""
    return proven if proven == DRAW else -proven


@kernel
def proof_of(score: Any) -> int:
    """What a final score proves."""
    result = sign(score)
    return DRAW if result == 0 else result


@kernel
def solve(states: Any, moves: Any, ply: int) -> int:
    """What the position states[ply] is for the side to move, by searching all that can follow."""
    count = legal_moves(states[ply], moves[ply])
    side = mover(states[ply])
    if count == 0:
        return proof_of(final_score(states[ply], side))
    best = LOSS
    for i in range(count):
        states[ply + 1] = states[ply]
        play(states[ply + 1], moves[ply, i])
        reply = solve(states, moves, ply + 1)
        if mover(states[ply + 1]) != side:
            reply = turned(reply)
        if reply == WIN:
            return WIN
        if reply == DRAW:
            best = DRAW
    return best


@kernel
def expand(tree: Any, mind: Any, state: Any, solving: bool) -> Any:
    """Make a node of a position; returns its number (ABSENT if there is no room) and what it is proven to be."""
    moves = tree.moves[1]
    count = candidates(state, mind, moves)
    proven = UNPROVEN
    if count == 0:
        proven = proof_of(final_score(state, mover(state)))
    elif solving and count <= mind.solve:
        tree.states[2] = state
        proven = solve(tree.states, tree.moves, 2)
    if proven != UNPROVEN:
        count = 0  # its moves will not be needed
    node, first = tree.counters[NODES], tree.counters[EDGES]
    if node == tree.nodes.size or first + count > tree.edges.size:
        tree.counters[REFUSED] += 1
        return ABSENT, proven
    position = key(state)
    if mind.transpositions and not insert(tree.table, position, node):
        tree.counters[REFUSED] += 1
        return ABSENT, proven
    tree.counters[NODES] += 1
    tree.counters[EDGES] += count
    tree.nodes[node].node_key = position
    tree.nodes[node].first = first
    tree.nodes[node].count = count
    tree.nodes[node].visits = 0
    tree.nodes[node].proven = proven
    for i in range(count):
        edge = tree.edges[first + i]
        edge.child = ABSENT
        edge.impact = impact(state, moves[i])
        edge.n1 = edge.sum1 = edge.n2 = edge.sum2 = edge.n3 = edge.sum3 = 0
        edge.move = moves[i]
        edge.edge_proven = UNPROVEN
    return node, proven


@kernel
def worth(edge: Any, mind: Any, visits: int, random: Any) -> float:
    """What selection maximises, for an edge that is not proven."""
    n = edge.n1
    total = np.float64(edge.sum1)
    if mind.rave:
        own = total / n if n > 0 else 0.0
        borrowed = np.float64(edge.sum2)
        if mind.rave_max:
            borrowed = max(borrowed, edge.n2 * own)
        n += edge.n2
        total += borrowed
        if mind.generalised:
            borrowed = np.float64(edge.sum3)
            if mind.rave_max:
                borrowed = max(borrowed, edge.n3 * own)
            n += edge.n3
            total += borrowed
    if n == 0:
        return 1000.0 + edge.impact + draw_unit(random)
    value = (total + mind.impact * edge.impact * math.sqrt(visits)) / n
    if mind.exploration > 0.0:
        tries = max(edge.n1, 1) / mind.playouts
        value += mind.exploration * math.sqrt(math.log(visits + 1.0) / tries)
    return value


@kernel
def select(tree: Any, mind: Any, node: int, random: Any) -> int:
    """The edge to follow: the best open one; a proven draw counts as 0, a proven loss is only taken for want of others."""
    first, count, visits = tree.nodes[node].first, tree.nodes[node].count, tree.nodes[node].visits
    best, best_worth = first, -math.inf
    for edge in range(first, first + count):
        proven = tree.edges[edge].edge_proven
        if proven == LOSS:
            continue
        value = worth(tree.edges[edge], mind, visits, random) if proven == UNPROVEN else 0.0
        if value > best_worth:
            best, best_worth = edge, value
    return best


@kernel
def select_any(tree: Any, node: int, random: Any) -> int:
    """A random edge that is not proven; the caller knows that the node is not proven, so there is one."""
    first, count = tree.nodes[node].first, tree.nodes[node].count
    start = draw_below(random, count)
    for step in range(count):
        edge = first + (start + step) % count
        if tree.edges[edge].edge_proven == UNPROVEN:
            return edge
    return first + start


@kernel
def descend(tree: Any, mind: Any, random: Any) -> Any:
    """Steps 1 and 2: follow the tree from the root to a new or proven position, which is left in states[1].

    Returns the plies gone, and what the position is proven to be.
    """
    tree.states[1] = tree.states[0]
    state = tree.states[1]
    node = tree.counters[ROOT]
    me = mover(state)
    ply = 0
    while True:
        side = mover(state)
        if side != me and mind.pitfalls > 0.0 and draw_unit(random) < mind.pitfalls:
            edge = select_any(tree, node, random)
        else:
            edge = select(tree, mind, node, random)
        tree.path[ply, 0], tree.path[ply, 1], tree.path[ply, 2] = node, edge, side
        ply += 1
        play(state, tree.edges[edge].move)
        child = np.int64(tree.edges[edge].child)
        if child == ABSENT:
            if mind.transpositions:
                child = lookup(tree.table, key(state))
            if child == ABSENT:
                child, proven = expand(tree, mind, state, True)
                tree.edges[edge].child = child
                return ply, proven
            tree.edges[edge].child = child
        if tree.nodes[child].proven != UNPROVEN:
            return ply, np.int64(tree.nodes[child].proven)
        node = child


@kernel
def proof_by_edges(tree: Any, node: int) -> int:
    """What a node without a winning edge is proven to be: nothing while an edge is open."""
    best = LOSS
    for edge in range(tree.nodes[node].first, tree.nodes[node].first + tree.nodes[node].count):
        proven = tree.edges[edge].edge_proven
        if proven == UNPROVEN:
            return UNPROVEN
        if proven == DRAW:
            best = DRAW
    return best


@kernel
def credit(tree: Any, node: int, same: bool) -> None:
    """Add the tally to statistics 2 and 3 of a node's edges; `same`: its mover is that of the end of the path."""
    tally = tree.tally
    own, sign_ = (OWN, 1) if same else (OTHER, -1)
    for i in range(tree.nodes[node].first, tree.nodes[node].first + tree.nodes[node].count):
        edge = tree.edges[i]
        move = edge.move
        edge.n2 += tally[own, move]
        edge.sum2 += sign_ * tally[own + 1, move]
        edge.n3 += tally[OWN, move] + tally[OTHER, move]
        edge.sum3 += sign_ * (tally[OWN_SUM, move] + tally[OTHER_SUM, move])


@kernel
def back_up(tree: Any, mind: Any, plies: int, side: int, proven: int, balance: int) -> None:
    """Step 4. `side` is the mover at the end of the path, `balance` its wins less losses in the playouts."""
    weight = mind.playouts
    for ply in range(plies - 1, -1, -1):
        node, i = tree.path[ply, 0], tree.path[ply, 1]
        edge = tree.edges[i]
        same = tree.path[ply, 2] == side
        tree.nodes[node].visits += 1
        tree.tally[OWN if same else OTHER, edge.move] += weight
        tree.tally[OWN_SUM if same else OTHER_SUM, edge.move] += balance
        if proven != UNPROVEN and mind.prove:
            edge.edge_proven = proven if same else turned(proven)
            verdict = WIN if edge.edge_proven == WIN else proof_by_edges(tree, node)
            tree.nodes[node].proven = verdict
            proven = verdict if same else turned(verdict)
            if verdict != UNPROVEN:
                balance = 0 if verdict == DRAW else weight * proven
                continue
        edge.n1 += weight
        edge.sum1 += balance if same else -balance
        if mind.rave:
            credit(tree, node, same)


@kernel
def simulate(tree: Any, mind: Any, random: Any) -> None:
    """One simulation."""
    plies, proven = descend(tree, mind, random)
    side = mover(tree.states[1])
    for row in range(4):
        for move in range(tree.tally.shape[1]):
            tree.tally[row, move] = 0
    if proven == UNPROVEN:
        balance = playouts(tree.states[1], tree, random, mind.playouts, tree.tally)
    else:
        balance = 0 if proven == DRAW else mind.playouts * proven
    back_up(tree, mind, plies, side, proven, balance)


@kernel
def run(tree: Any, mind: Any, random: Any, simulations: int, deadline: int) -> int:
    """Simulate until so many are done, the deadline has passed or the root is proven; returns how many were done."""
    done = 0
    while done < simulations and tree.nodes[tree.counters[ROOT]].proven == UNPROVEN:
        simulate(tree, mind, random)
        done += 1
        if now() >= deadline:
            break
    return done


@kernel
def forget(tree: Any) -> None:
    """Empty the tree."""
    tree.counters[:] = 0
    clear(tree.table)


@kernel
def set_root(tree: Any, mind: Any, state: Any) -> None:
    """Begin to think about a position: keep what the tree knows about it and below, drop the rest."""
    tree.states[0] = state
    root = ABSENT
    if mind.keep and mind.transpositions:
        root = lookup(tree.table, key(state))
        if root != ABSENT and tree.nodes[root].count > 0:
            root = keep_below(tree, root)
        else:
            root = ABSENT
    if root == ABSENT:
        forget(tree)
        tree.states[1] = state
        root, _ = expand(tree, mind, tree.states[1], False)
    tree.counters[ROOT] = root
    tree.counters[REFUSED] = 0


@kernel
def keep_below(tree: Any, root: int) -> int:
    """Drop the nodes that cannot be reached from a node; returns its new number. Nodes keep their order, so they can be
    moved down in place, and their edges with them."""
    used = tree.counters[NODES]
    marks = tree.marks
    marks[:used] = ABSENT
    marks[root] = 0
    # The unused rows of the path's neighbour arrays would be too small for a stack: mark in rounds instead. A child can
    # have a lower number than its parent, so rounds go on until one adds nothing (two or three as a rule).
    growing = True
    while growing:
        growing = False
        for node in range(used):
            if marks[node] != 0:
                continue
            marks[node] = 1
            for i in range(tree.nodes[node].first, tree.nodes[node].first + tree.nodes[node].count):
                child = tree.edges[i].child
                if child != ABSENT and marks[child] == ABSENT:
                    marks[child] = 0
                    growing = growing or child < node
    return compact(tree, root)


@kernel
def compact(tree: Any, root: int) -> int:
    """Move the marked nodes down over the others; returns the new number of the root."""
    marks, used = tree.marks, tree.counters[NODES]
    kept = 0
    for node in range(used):
        if marks[node] != ABSENT:
            marks[node] = kept
            kept += 1
    clear(tree.table)
    edges = 0
    for node in range(used):
        if marks[node] == ABSENT:
            continue
        first, count = tree.nodes[node].first, tree.nodes[node].count
        tree.nodes[marks[node]] = tree.nodes[node]
        tree.nodes[marks[node]].first = edges
        for i in range(count):
            tree.edges[edges + i] = tree.edges[first + i]
            child = tree.edges[edges + i].child
            if child != ABSENT:
                tree.edges[edges + i].child = marks[child]
        edges += count
        insert(tree.table, tree.nodes[marks[node]].node_key, marks[node])
    tree.counters[NODES], tree.counters[EDGES] = kept, edges
    return marks[root]
