"""The kernels of Monte Carlo tree search: one simulation, and many.

`mcts.py` says what the search is and numbers the steps of a simulation; they stand here where they are done.
"""

import math
from typing import Any

import numpy as np

from podium.kernel import inlined, kernel
from podium.kernel.clock import NEVER, now
from podium.kernel.random import draw_below, draw_unit
from podium.kernel.rules import key, mover, play
from podium.kernel.table import ABSENT, lookup
from podium.search.hooks import OTHER, OTHER_SUM, OWN, OWN_SUM, ROWS, impact, playouts
from podium.search.solve import DRAW, LOSS, UNPROVEN, WIN, turned
from podium.search.tree import (
    BIAS,
    CHILD,
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
    set_root,
)

URGENT = np.float32(1e-6)  # a move without playouts counts as this part of one, which makes it very attractive
FORBIDDING = np.float32(1e9)


@kernel
def note_impacts(tree: Any, node: int, state: Any) -> None:
    """Write the impact of each move of a node."""
    count, first = tree.nodes[node].count, tree.nodes[node].first
    for i in range(count):
        move = tree.links[first * LINKS + MOVE * count + i]
        tree.statistics[first * STATISTICS + BIAS * count + i] = impact(state, move)


@kernel
def begin(tree: Any, mind: Any, state: Any) -> None:
    """Think about a position from now on."""
    set_root(tree, mind, state)
    note_impacts(tree, tree.counters[ROOT], state)


@inlined
def weigh_borrowed(mind: Any, rows: Any, count: int, visits: Any, worths: Any) -> None:
    """The worth of moves by their own, the borrowed statistics and their impact."""
    bonus = np.float32(mind.impact) * np.float32(math.sqrt(visits))
    two = np.float32(mind.rave)
    three = np.float32(mind.rave and mind.generalised)
    lift = np.float32(0) if mind.rave_max else FORBIDDING
    one = np.float32(1)
    for i in range(count):  # vectors: no branch in here
        n1, n2, n3 = rows[i], rows[N2 * count + i] * two, rows[N3 * count + i] * three
        sum1 = rows[SUM1 * count + i]
        own = sum1 / max(n1, one)
        total = sum1 + bonus * rows[BIAS * count + i]
        total += two * max(rows[SUM2 * count + i], n2 * own - lift)
        total += three * max(rows[SUM3 * count + i], n3 * own - lift)
        worths[i] = (total + URGENT) / max(n1 + n2 + n3, URGENT)


@inlined
def weigh(tree: Any, mind: Any, node: int) -> None:
    """Write what selection maximises for each move of a node into the tree's worths: the formula of step 1."""
    count = tree.nodes[node].count
    at = tree.nodes[node].first * STATISTICS
    rows = tree.statistics[at : at + STATISTICS * count]
    worths = tree.worths[:count]
    visits = np.float32(tree.nodes[node].visits)
    if mind.rave or mind.impact > 0.0:
        weigh_borrowed(mind, rows, count, visits, worths)
    else:  # the first two rows are all that counts, and all that has to come from memory
        for i in range(count):
            worths[i] = (rows[SUM1 * count + i] + URGENT) / max(rows[i], URGENT)
    if mind.exploration > 0.0:
        scale = np.float32(mind.exploration) * np.float32(math.sqrt(math.log(visits + 1.0) * mind.playouts))
        for i in range(count):
            worths[i] += scale / np.float32(math.sqrt(max(rows[i], URGENT)))


@inlined
def worthiest(tree: Any, node: int) -> int:
    """The move with the highest of the tree's worths; a proven draw is worth 0, a proven loss is the last resort."""
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
def follow(tree: Any, mind: Any, state: Any, node: int, i: int, ply: int) -> Any:
    """Play move i of a node, and note it in the path; the node that it leads to, ABSENT if there is none yet."""
    tree.path[ply, 0], tree.path[ply, 1], tree.path[ply, 2] = node, i, mover(state)
    count = tree.nodes[node].count
    links = tree.nodes[node].first * LINKS
    play(state, tree.links[links + MOVE * count + i])
    child: Any = np.int64(tree.links[links + CHILD * count + i])
    if child == ABSENT and mind.transpositions:
        child = lookup(tree.table, key(state))
        tree.links[links + CHILD * count + i] = child
    return child


@inlined
def attach(tree: Any, mind: Any, state: Any, node: int, i: int) -> Any:
    """Make a node of the position that move i of a node led to; its number and what it is proven to be."""
    child, proven = add_node(tree, mind, state)
    tree.links[tree.nodes[node].first * LINKS + CHILD * tree.nodes[node].count + i] = child
    return child, proven


@inlined
def descend(tree: Any, mind: Any, random: Any) -> Any:
    """Follow the tree from the root to a leaf, which is left in states[1].

    A leaf is a new position, one that cannot grow for want of room, or a proven one. Returns the plies gone and what
    the leaf is proven to be.
    """
    tree.states[1] = tree.states[0]
    state = tree.states[1]
    node = tree.counters[ROOT]
    me = mover(state)
    ply = 0
    while True:
        if tree.nodes[node].first == ABSENT:
            if not grow(tree, mind, node, state):
                return ply, UNPROVEN
            note_impacts(tree, node, state)
        side = mover(state)
        # Step 1: select a move.
        if side != me and mind.pitfalls > 0.0 and draw_unit(random) < mind.pitfalls:
            i = select_any(tree, node, random)
        else:
            weigh(tree, mind, node)
            i = worthiest(tree, node)
        child = follow(tree, mind, state, node, i, ply)
        ply += 1
        # Step 2: a position that is not in the table becomes a node.
        if child == ABSENT:
            _, proven = attach(tree, mind, state, node, i)
            return ply, proven
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
def back_up(tree: Any, mind: Any, plies: int, side: int, proven: int, balance: Any, weight: Any, rave: bool) -> None:
    """Carry a result up the path.

    `side` is the mover at its end, `balance` his wins less losses in the playouts, of which there were `weight`. With
    `rave` the tally of what was played in them is credited, too.
    """
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
        if rave:
            credit(tree, node, same)


@kernel
def simulate(tree: Any, mind: Any, random: Any) -> None:
    """One simulation."""
    # Steps 1 and 2: select, expand.
    plies, proven = descend(tree, mind, random)
    # Step 3: play out.
    side = mover(tree.states[1])
    for row in range(ROWS):
        for move in range(tree.tally.shape[1]):
            tree.tally[row, move] = 0
    if proven == UNPROVEN:
        balance = playouts(tree.states[1], tree.room, random, mind.playouts, tree.tally)
    else:
        balance = 0 if proven == DRAW else mind.playouts * proven
    # Step 4: back up.
    back_up(tree, mind, plies, side, proven, balance, mind.playouts, mind.rave)


@kernel
def run(tree: Any, mind: Any, random: Any, simulations: int, deadline: int) -> int:
    """Simulate until so many are done, the deadline has passed or the root is proven; returns how many were done."""
    done = 0
    while done < simulations and tree.nodes[tree.counters[ROOT]].proven == UNPROVEN:
        simulate(tree, mind, random)
        done += 1
        if deadline != NEVER and now() >= deadline:
            break
    return done
