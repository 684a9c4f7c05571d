"""Monte Carlo tree search with RAVE for two-player games without hidden information.

Everything follows the write-up of the winner of CodeCup 2021 (Abdessamad El Kasimi, "zuniq-ai"), each part as a
switch or number of the bot's mind:

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
 2. Expand: the first position that is not in the table becomes a node; if its moves are few it is solved instead. Its
    edges, which take most of the memory, are grown at its second visit.
 3. Play out: random games from there, tallying who played what.
 4. Back up: statistics along the path, proofs as far as they carry.

Values are always those of the side to move at a node, never of a seat, so positions whose keys do not tell the
mover are shared between the sides. A game offers `legal_moves` (none when it is over), `play`, `mover`,
`final_score` and `key`; it may offer faster `playouts`, its own `impact`, and fewer `candidates`.
"""

import math
from typing import Any

import numpy as np

from podium.kernel import generic, inlined, kernel
from podium.kernel.clock import now
from podium.kernel.minds import Parameter
from podium.kernel.random import draw_below, draw_unit
from podium.kernel.rules import final_score, key, legal_moves, mover, play
from podium.kernel.table import ABSENT, lookup
from podium.search.solve import (
    DEADLINE,
    DRAW,
    LOSS,
    NODES_LEFT,
    UNPROVEN,
    WIN,
    prove,
    sign,
    turned,
)
from podium.search.tree import (
    CHILD,
    IMPACT,
    LINKS,
    MOVE,
    N2,
    N3,
    PROOF,
    ROOT,
    STATISTICS,
    SUM1,
    SUM2,
    SUM3,
    add_node,
    grow,
)

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
    Parameter("solve_nodes", 2000, "give up solving a new node after so many positions", 1, 1_000_000),
    Parameter(
        "endgame", 0, "first try to solve a position with at most so many moves (the write-up does not)", 0, 1000
    ),
    Parameter("endgame_part", 0.4, "part of a move's time, or of its simulations' cost, for that try", 0, 1),
    Parameter("transpositions", True, "share nodes between positions with the same key"),
    Parameter("keep", True, "keep the tree from move to move"),
    Parameter("memory", 192, "megabytes for the tree (contest: 256 for all)", 1, 65536),
)

# Rows of a tally of playouts: how often the side to move played a move, and its wins less losses in those; and the same
# for the moves of the other side (wins less losses still those of the side to move).
OWN, OWN_SUM, OTHER, OTHER_SUM = range(4)

URGENT = np.float32(1e-6)  # a move without playouts counts as this part of one, which makes it very attractive
FORBIDDING = np.float32(1e9)


@generic(by=1)
def playouts(state: Any, tree: Any, random: Any, number: int, tally: Any) -> Any:
    """Play random games from a position, add to the tally, return wins less losses of the side to move."""


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


@inlined
def weigh(tree: Any, mind: Any, node: int) -> None:
    """Write what selection maximises for each move of a node into the tree's worths (step 1 above)."""
    count = tree.nodes[node].count
    at = tree.nodes[node].first * STATISTICS
    rows = tree.statistics[at : at + STATISTICS * count]
    worths = tree.worths[:count]
    visits = np.float32(tree.nodes[node].visits)
    bonus = np.float32(mind.impact) * np.float32(math.sqrt(visits))
    two = np.float32(mind.rave)
    three = np.float32(mind.rave and mind.generalised)
    lift = np.float32(0) if mind.rave_max else FORBIDDING
    one = np.float32(1)
    for i in range(count):  # vectors: no branch in here
        n1, n2, n3 = rows[i], rows[N2 * count + i] * two, rows[N3 * count + i] * three
        sum1 = rows[SUM1 * count + i]
        own = sum1 / max(n1, one)
        total = sum1 + bonus * rows[IMPACT * count + i]
        total += two * max(rows[SUM2 * count + i], n2 * own - lift)
        total += three * max(rows[SUM3 * count + i], n3 * own - lift)
        worths[i] = (total + URGENT) / max(n1 + n2 + n3, URGENT)
    if mind.exploration > 0.0:
        scale = np.float32(mind.exploration) * np.float32(math.sqrt(math.log(visits + 1.0) * mind.playouts))
        for i in range(count):
            worths[i] += scale / np.float32(math.sqrt(max(rows[i], URGENT)))


@inlined
def select(tree: Any, mind: Any, node: int) -> int:
    """The move to follow: the worthiest; a proven draw is worth 0, a proven loss is only taken for want of others."""
    weigh(tree, mind, node)
    count = tree.nodes[node].count
    proofs = tree.nodes[node].first * LINKS + PROOF * count
    best, highest = 0, np.float32(-math.inf)
    for i in range(count):
        proof = tree.links[proofs + i]
        worth = tree.worths[i] if proof == UNPROVEN else np.float32(0)
        if worth > highest and proof != LOSS:
            best, highest = i, worth
    return best


@inlined
def select_any(tree: Any, node: int, random: Any) -> int:
    """A random move that is not proven; the caller knows that the node is not proven, so there is one."""
    count = tree.nodes[node].count
    proofs = tree.nodes[node].first * LINKS + PROOF * count
    start = draw_below(random, count)
    for step in range(count):
        i = (start + step) % count
        if tree.links[proofs + i] == UNPROVEN:
            return i
    return start


@inlined
def descend(tree: Any, mind: Any, random: Any) -> Any:
    """Steps 1 and 2: follow the tree from the root to a leaf, which is left in states[1].

    A leaf is a new position, one that cannot grow for want of room, or a proven one. Returns the plies gone and what
    the leaf is proven to be.
    """
    tree.states[1] = tree.states[0]
    state = tree.states[1]
    node = tree.counters[ROOT]
    me = mover(state)
    ply = 0
    while True:
        if tree.nodes[node].first == ABSENT and not grow(tree, mind, node, state):
            return ply, UNPROVEN
        side = mover(state)
        if side != me and mind.pitfalls > 0.0 and draw_unit(random) < mind.pitfalls:
            i = select_any(tree, node, random)
        else:
            i = select(tree, mind, node)
        tree.path[ply, 0], tree.path[ply, 1], tree.path[ply, 2] = node, i, side
        ply += 1
        count = tree.nodes[node].count
        links = tree.nodes[node].first * LINKS
        play(state, tree.links[links + MOVE * count + i])
        child: Any = np.int64(tree.links[links + CHILD * count + i])
        if child == ABSENT:
            if mind.transpositions:
                child = lookup(tree.table, key(state))
            if child == ABSENT:
                child, proven = add_node(tree, mind, state)
                tree.links[links + CHILD * count + i] = child
                return ply, proven
            tree.links[links + CHILD * count + i] = child
        if tree.nodes[child].proven != UNPROVEN:
            return ply, np.int64(tree.nodes[child].proven)
        node = child


@inlined
def proof_by_moves(tree: Any, node: int) -> int:
    """What a node is proven to be by its moves: a win by one, a loss or draw only by all legal ones."""
    count = tree.nodes[node].count
    proofs = tree.nodes[node].first * LINKS + PROOF * count
    best, open_ = LOSS, not tree.nodes[node].whole
    for i in range(count):
        proof = tree.links[proofs + i]
        if proof == WIN:
            return WIN
        open_ = open_ or proof == UNPROVEN
        if proof == DRAW:
            best = DRAW
    return UNPROVEN if open_ else best


@inlined
def credit(tree: Any, node: int, same: bool) -> None:
    """Add the tally to statistics 2 and 3 of a node's moves; `same`: its mover is that of the end of the path."""
    tally = tree.tally
    count = tree.nodes[node].count
    first = tree.nodes[node].first
    rows = tree.statistics[first * STATISTICS : first * STATISTICS + STATISTICS * count]
    moves = tree.links[first * LINKS : first * LINKS + count]
    own = OWN if same else OTHER
    turn = np.float32(1 if same else -1)
    for i in range(count):
        move = np.uint64(moves[i])
        rows[N2 * count + i] += tally[own, move]
        rows[SUM2 * count + i] += turn * tally[own + 1, move]
        rows[N3 * count + i] += tally[OWN, move] + tally[OTHER, move]
        rows[SUM3 * count + i] += turn * (tally[OWN_SUM, move] + tally[OTHER_SUM, move])


@inlined
def back_up(tree: Any, mind: Any, plies: int, side: int, proven: int, balance: int) -> None:
    """Step 4. `side` is the mover at the end of the path, `balance` its wins less losses in the playouts."""
    weight = mind.playouts
    for ply in range(plies - 1, -1, -1):
        node, i = tree.path[ply, 0], tree.path[ply, 1]
        same = tree.path[ply, 2] == side
        count = tree.nodes[node].count
        links, statistics = tree.nodes[node].first * LINKS, tree.nodes[node].first * STATISTICS
        move = tree.links[links + i]
        tree.nodes[node].visits += 1
        tree.tally[OWN if same else OTHER, move] += weight
        tree.tally[OWN_SUM if same else OTHER_SUM, move] += balance
        if proven != UNPROVEN and mind.prove:
            tree.links[links + PROOF * count + i] = proven if same else turned(proven)
            verdict = proof_by_moves(tree, node)
            tree.nodes[node].proven = verdict
            proven = verdict if same else turned(verdict)
            if verdict != UNPROVEN:
                balance = 0 if verdict == DRAW else weight * proven
                continue
        tree.statistics[statistics + i] += weight
        tree.statistics[statistics + SUM1 * count + i] += balance if same else -balance
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
    count = legal_moves(tree.states[2], tree.moves[2])
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
