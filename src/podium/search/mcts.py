"""Monte Carlo tree search with RAVE, for two-player games with perfect information.

It follows the write-up of the winner of CodeCup 2021 (Abdessamad El Kasimi, "zuniq-ai"), each part as a switch or
number of the bot's parameters:

* UCT (Kocsis and Szepesvári, "Bandit based Monte-Carlo planning", 2006), as a baseline.
* RAVE (Gelly and Silver, "Monte-Carlo tree search and rapid action value estimation in computer Go", 2011) with three
  statistics per move: its own (1); all-moves-as-first (AMAF), over the playouts in which the same side played it later
  (2); and generalised AMAF, over those in which either side did (3), which suits impartial games.
* RAVE-MAX (Tom, "Investigating UCT and RAVE", 2010): values 2 and 3 are never taken for less than value 1.
* An exploration bonus from a move's impact: how many legal moves it removes.
* MCTS-Solver (Winands, Björnsson and Saito, 2008): proven results go up the tree; positions with few legal moves are
  solved exactly.
* AMAF visits count like own visits: RAVE has switches, but no weight and no schedule.
* Nodes shared between transpositions and kept from move to move, in bounded memory.
* Several playouts per new node, and an epsilon-greedy opponent, so that lines in which it can go wrong are preferred.

One simulation:
 1. Selection: from the root, follow the move with the highest
    (n1 v1 + n2 max(v2, v1) + n3 max(v3, v1) + impact sqrt(visits)) / (n1 + n2 + n3), values in [-1, 1].
 2. Expansion: the first position that is not in the table becomes a node; with few legal moves it is solved instead.
    Its edges, which take most of the memory, are added at its second visit.
 3. Playouts: random games from there, with their moves in an AMAF table.
 4. Backpropagation: statistics along the path, proofs as far as they carry.

The kernels of these steps are below, those that PUCT shares in `tree_steps.py`; the tree is in `tree.py`, the solver in
`solver.py`, the class that PUCT shares in `tree_search.py`.

Values in the tree are always those of the side to move at a node, never of a seat, so positions whose keys do not tell
the mover are shared between the sides. What it asks of a game: `mover`, `is_over`, `legal_moves`, `play`, `final_score`
and `key`; optionally faster `playouts` and an `impact`; of a bot, optionally, fewer `candidates`.
"""

import math
from typing import Any

import numpy as np

from podium.kernel import inlined, kernel
from podium.kernel.clock import NEVER, now
from podium.kernel.random import draw_below, draw_unit
from podium.kernel.table import ABSENT
from podium.model.budget import NO_LIMIT, Budget
from podium.model.hooks import impact, playouts
from podium.model.params import Parameter, Value, adjusted
from podium.model.proofs import DRAW, UNPROVEN
from podium.model.result import Result
from podium.model.rules import legal_moves, mover, moves_unless_over, play
from podium.search.custom_hooks import Hook
from podium.search.tree import (
    AMAF_SUM,
    AMAF_VISITS,
    GENERAL_SUM,
    GENERAL_VISITS,
    PRIOR,
    VALUE_SUM,
    VISITS,
    edge_count,
    edge_move,
    edge_proof,
    edge_statistics,
    expand,
    is_expanded,
    root_of,
    root_proof,
    set_prior,
)
from podium.search.tree_search import TREE_PARAMETERS, TreeKernels, TreeSearch
from podium.search.tree_steps import add_child, backpropagate, clear_amaf, play_edge, select_best

PARAMETERS = (
    Parameter("playouts", 10, "random playouts per new node (write-up: 10)", 1, 1000),
    Parameter("rave", True, "RAVE: add all-moves-as-first (AMAF) statistics to a move's own"),
    Parameter("generalised", True, "RAVE: count a move also where the opponent played it"),
    Parameter("rave_max", True, "RAVE-MAX: use max(AMAF value, own value)"),
    Parameter("impact", 1.0, "weight of the exploration bonus from a move's impact (write-up: 1)", 0, 100),
    Parameter(
        "counted_impact",
        False,
        "impact: legal moves before less legal moves after (write-up); off: the game's own, quicker estimate",
    ),
    Parameter("exploration", 0.0, "UCT's exploration constant (write-up: 0)", 0, 10),
    Parameter(
        "opponent_epsilon",
        0.1,
        "epsilon-greedy opponent: probability of a random move at the opponent's nodes (write-up: 0.1)",
        0,
        1,
        aliases=("pitfalls",),
    ),
    *TREE_PARAMETERS,
)

UNVISITED = np.float32(1e-6)  # visits of a move without any: its score becomes very high
RAVE_MAX_OFF = np.float32(1e9)  # subtracted from a move's own value, so that max(AMAF value, own value) ignores it


@kernel
def write_impacts(tree: Any, params: Any, node: int, state: Any) -> None:
    """Write the impact of each move of a node as its prior."""
    before = legal_moves(state, tree.moves[2]) if params.counted_impact else 0
    for i in range(edge_count(tree, node)):
        if params.counted_impact:
            tree.states[2] = state
            play(tree.states[2], edge_move(tree, node, i))
            set_prior(tree, node, i, before - moves_unless_over(tree.states[2], tree.moves[2]))
        else:
            set_prior(tree, node, i, impact(state, edge_move(tree, node, i)))


@kernel
def write_root_priors(tree: Any, params: Any) -> None:
    """Write the impact of each move of the root as its prior."""
    write_impacts(tree, params, root_of(tree), tree.states[0])


@inlined
def score_with_amaf(params: Any, rows: Any, count: int, visits: Any, scores: Any) -> None:
    """Selection scores by the moves' own values, their AMAF values and the impact bonus."""
    bonus = np.float32(params.impact) * np.float32(math.sqrt(visits))
    amaf = np.float32(params.rave)
    general = np.float32(params.rave and params.generalised)
    penalty = np.float32(0) if params.rave_max else RAVE_MAX_OFF
    one = np.float32(1)
    for i in range(count):  # vectors: no branch in here
        n1, n2, n3 = (
            rows[VISITS * count + i],
            rows[AMAF_VISITS * count + i] * amaf,
            rows[GENERAL_VISITS * count + i] * general,
        )
        value_sum = rows[VALUE_SUM * count + i]
        own = value_sum / max(n1, one)
        total = value_sum + bonus * rows[PRIOR * count + i]
        total += amaf * max(rows[AMAF_SUM * count + i], n2 * own - penalty)
        total += general * max(rows[GENERAL_SUM * count + i], n3 * own - penalty)
        scores[i] = (total + UNVISITED) / max(n1 + n2 + n3, UNVISITED)


@inlined
def write_scores(tree: Any, params: Any, node: int) -> None:
    """Write the selection score of each move of a node into the tree's scores: the formula of step 1."""
    count = edge_count(tree, node)
    rows = edge_statistics(tree, node)
    scores = tree.scores[:count]
    visits = np.float32(tree.nodes[node].visits)
    if params.rave or params.impact > 0.0:
        score_with_amaf(params, rows, count, visits, scores)
    else:  # only the first two rows are read from memory
        for i in range(count):
            scores[i] = (rows[VALUE_SUM * count + i] + UNVISITED) / max(rows[VISITS * count + i], UNVISITED)
    if params.exploration > 0.0:
        scale = np.float32(params.exploration) * np.float32(math.sqrt(math.log(visits + 1.0) * params.playouts))
        for i in range(count):
            scores[i] += scale / np.float32(math.sqrt(max(rows[VISITS * count + i], UNVISITED)))


@inlined
def select_random(tree: Any, node: int, random: Any) -> Any:
    """A random unproven move; there is one, since the node is not proven."""
    count = edge_count(tree, node)
    start = draw_below(random, count)
    for step in range(count):
        i = (start + step) % count
        if edge_proof(tree, node, i) == UNPROVEN:
            return i
    return start


@inlined
def descend(tree: Any, params: Any, random: Any) -> Any:
    """Descend from the root to a leaf, whose position is left in states[1]; returns the plies and the leaf's proof.

    A leaf is a new position, a proven one, or one that cannot be expanded because the memory is full.
    """
    tree.states[1] = tree.states[0]
    state = tree.states[1]
    node = root_of(tree)
    me = mover(state)
    ply = 0
    while True:
        if not is_expanded(tree, node):
            if not expand(tree, params, node, state):
                return ply, UNPROVEN
            write_impacts(tree, params, node, state)
        side = mover(state)
        # Step 1: select a move.
        if side != me and params.opponent_epsilon > 0.0 and draw_unit(random) < params.opponent_epsilon:
            i = select_random(tree, node, random)
        else:
            write_scores(tree, params, node)
            i = select_best(tree, node)
        child = play_edge(tree, params, state, node, i, ply)
        ply += 1
        # Step 2: a position that is not in the table becomes a node.
        if child == ABSENT:
            _, proof = add_child(tree, params, state, node, i)
            return ply, proof
        if tree.nodes[child].proof != UNPROVEN:
            return ply, np.int64(tree.nodes[child].proof)
        node = child


@inlined
def simulate(tree: Any, params: Any, random: Any) -> None:
    """Run one simulation. A call would pass all arrays of the tree, which are some 170 words."""
    # Steps 1 and 2: selection, expansion.
    plies, proof = descend(tree, params, random)
    # Step 3: playouts.
    side = mover(tree.states[1])
    if params.rave:  # else nobody reads the table
        clear_amaf(tree)
    if proof == UNPROVEN:
        balance = playouts(tree.states[1], params, tree.buffers, random, params.playouts, tree.amaf)
    else:
        balance = 0 if proof == DRAW else params.playouts * proof
    # Step 4: backpropagation.
    backpropagate(tree, params, plies, side, proof, balance, params.playouts, params.rave)


@kernel
def run(tree: Any, params: Any, random: Any, simulations: int, deadline: int) -> int:
    """Simulate until the number of simulations, the deadline or a proof of the root is reached; returns how many were
    run."""
    done = 0
    while done < simulations and root_proof(tree) == UNPROVEN:
        simulate(tree, params, random)
        done += 1
        if deadline != NEVER and now() >= deadline:
            break
    return done


KERNELS = TreeKernels(write_root_priors, write_scores, run)


class Mcts(TreeSearch):
    """Monte Carlo tree search of a game for two players, with a tree that is kept from move to move.

    Without the parameters of a bot it is UCT: one playout for each simulation, no RAVE.

    >>> import podium
    >>> game = podium.load("zuniq")
    >>> state = game.rules.initial_state()
    >>> result = podium.Mcts(game, playouts=2, memory=16, seed=1).search(state, nodes=300)
    >>> result.nodes, len(result.rows()), result.move == result.line[0]
    (300, 60, True)
    """

    title = "MCTS"
    parameters = adjusted(
        PARAMETERS, playouts=1, rave=False, impact=0.0, exploration=1.0, opponent_epsilon=0.0, memory=64
    )

    def __init__(
        self,
        game: Any,
        params: Any = None,
        *,
        seed: int = 0,
        evaluate: Hook | None = None,
        candidates: Hook | None = None,
        playout: Hook | None = None,
        **parameters: Value,
    ) -> None:
        """For a game or its rules, with the parameters of a bot, or some of its own by name.

        `evaluate` takes the place of playouts (values from -1 to 1), `playout` chooses the moves of playouts,
        `candidates` the moves to consider: kernels, or plain Python functions (`custom_hooks.py`).
        """
        super().__init__(
            game, params, seed, KERNELS, parameters, evaluate=evaluate, candidates=candidates, playout=playout
        )
        self.seed = seed

    def decide(
        self, state: Any, seat: int, budget: Budget = NO_LIMIT, *, context: Any = None, extra_time: int = 0
    ) -> Result:
        """As `TreeSearch.decide`; with functions in plain Python, the plain search."""
        if self.plain is None:
            return super().decide(state, seat, budget, context=context, extra_time=extra_time)
        from podium.search.plain_mcts import PlainMcts

        self.check(state, budget)
        return PlainMcts(self.rules, self.params, self.custom, self.seed).mcts(state, seat, budget)
