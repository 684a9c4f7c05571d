"""PUCT: Monte Carlo tree search that is led by a network instead of playouts (AlphaZero).

Silver et al., "Mastering the game of Go without human knowledge" (2017): a network says of each position how the game
will end (the value) and which moves deserve attention (the priors). The tree, its proofs, the solver and what is kept
from move to move are those of Monte Carlo search (`mcts.py`); what differs is here. One simulation:
 1. Select: from the root, follow the move with the highest v + exploration p sqrt(visits) / (1 + n). A move without a
    visit counts as a little worse than its node (first-play urgency, here less the more of the priors was tried).
 2. Expand: the first position that is not in the table becomes a node. If the game is over there, or the moves are few
    enough to be solved, it has a proof; otherwise its edges are grown at once, with their priors.
 3. Value: what the network says, mixed with random games in any proportion (`mix`), so that the step from playouts to a
    network is an ablation.
 4. Back up: values along the path, proofs as far as they carry.

For learning, `add_noise` explores more at the root.

What it asks of a game: what Monte Carlo search does, with two players and perfect information, and `features`.
"""

import math
from typing import Any

import numpy as np

from podium.errors import PodiumError
from podium.kernel import inlined, kernel
from podium.kernel.clock import NEVER, now
from podium.kernel.minds import Parameter
from podium.kernel.random import draw_unit
from podium.kernel.rules import mover
from podium.kernel.table import ABSENT
from podium.search.hooks import ROWS, playouts
from podium.search.mcts import TREE_PARAMETERS, Mcts
from podium.search.network import Network, look, write_priors
from podium.search.simulation import attach, back_up, follow, worthiest
from podium.search.solve import DRAW, UNPROVEN
from podium.search.tree import BIAS, LINKS, ROOT, STATISTICS, SUM1, grow, set_root

PARAMETERS = (
    Parameter(
        "exploration", 1.5, "weight of the priors against the values seen so far (AlphaZero: 1.25 and more)", 0, 100
    ),
    Parameter("urgency", 0.2, "how much worse than its node an unvisited move counts once all others were tried", 0, 2),
    Parameter("mix", 0.0, "part of random games in the value of a new node; 0: the network alone", 0, 1),
    Parameter("playouts", 1, "random games per new node where they are mixed in", 1, 1000),
    *TREE_PARAMETERS,
)


@inlined
def weigh(tree: Any, mind: Any, node: int) -> None:
    """Write what selection maximises for each move of a node into the tree's worths: the formula of step 1."""
    count = tree.nodes[node].count
    at = tree.nodes[node].first * STATISTICS
    rows = tree.statistics[at : at + STATISTICS * count]
    worths = tree.worths[:count]
    total, value, tried = np.float32(0), np.float32(0), np.float32(0)
    for i in range(count):
        total += rows[i]
        value += rows[SUM1 * count + i]
        tried += rows[BIAS * count + i] if rows[i] > np.float32(0) else np.float32(0)
    one = np.float32(1)
    urgency = value / max(total, one) - np.float32(mind.urgency) * np.float32(math.sqrt(tried))
    scale = np.float32(mind.exploration) * np.float32(math.sqrt(total + one))
    for i in range(count):
        n = rows[i]
        own = rows[SUM1 * count + i] / max(n, one) if n > np.float32(0) else urgency
        worths[i] = own + scale * rows[BIAS * count + i] / (one + n)


@kernel
def note_priors(tree: Any, network: Any, node: int) -> None:
    """Write the priors of a node's moves, for the position that the network has just looked at."""
    count, first = tree.nodes[node].count, tree.nodes[node].first
    biases = tree.statistics[first * STATISTICS + BIAS * count : first * STATISTICS + (BIAS + 1) * count]
    write_priors(network, tree.links[first * LINKS : first * LINKS + count], count, biases)


@kernel
def begin(tree: Any, mind: Any, network: Any, state: Any) -> None:
    """Think about a position from now on."""
    set_root(tree, mind, state)
    look(network, state)
    note_priors(tree, network, tree.counters[ROOT])


@kernel
def add_noise(tree: Any, random: Any, share: float, concentration: float) -> None:
    """Replace a share of the root's priors by Dirichlet noise, so that every move gets its chance."""
    root = tree.nodes[tree.counters[ROOT]]
    at = root.first * STATISTICS + BIAS * root.count
    total = 0.0
    for i in range(root.count):
        tree.worths[i] = draw_gamma(random, concentration)
        total += tree.worths[i]
    for i in range(root.count):
        noise = tree.worths[i] / max(total, 1e-30)
        tree.statistics[at + i] = (1.0 - share) * tree.statistics[at + i] + share * noise


@kernel
def draw_gamma(random: Any, shape: float) -> float:
    """A draw from the gamma distribution (Marsaglia and Tsang 2000); for a shape below 1 by way of shape + 1."""
    boost = draw_unit(random) ** (1.0 / shape) if shape < 1.0 else 1.0
    d = (shape + 1.0 if shape < 1.0 else shape) - 1.0 / 3.0
    c = 1.0 / math.sqrt(9.0 * d)
    while True:
        # a normal draw (Box and Muller 1958)
        x = math.sqrt(-2.0 * math.log(1.0 - draw_unit(random))) * math.cos(2.0 * math.pi * draw_unit(random))
        v = (1.0 + c * x) ** 3
        if v > 0.0 and math.log(1.0 - draw_unit(random)) < 0.5 * x * x + d - d * v + d * math.log(v):
            return d * v * boost


@inlined
def descend(tree: Any, mind: Any, network: Any, first: int) -> Any:
    """Follow the tree from the root to a leaf, which is left in states[1].

    `first` is the edge of the root to begin with, or ABSENT. Returns the plies gone, what the leaf is proven to be, and
    what the network says of it.
    """
    tree.states[1] = tree.states[0]
    state = tree.states[1]
    node = tree.counters[ROOT]
    ply = 0
    while True:
        if tree.nodes[node].first == ABSENT:  # there was no room for its edges
            return ply, UNPROVEN, look(network, state)
        # Step 1: select a move.
        if ply == 0 and first != ABSENT:
            i = first
        else:
            weigh(tree, mind, node)
            i = worthiest(tree, node)
        child = follow(tree, mind, state, node, i, ply)
        ply += 1
        # Step 2: a position that is not in the table becomes a node.
        if child == ABSENT:
            child, proven = attach(tree, mind, state, node, i)
            if proven != UNPROVEN:
                return ply, proven, 0.0
            value = look(network, state)
            if child != ABSENT and grow(tree, mind, child, state):
                note_priors(tree, network, child)
            return ply, UNPROVEN, value
        if tree.nodes[child].proven != UNPROVEN:
            return ply, np.int64(tree.nodes[child].proven), 0.0
        node = child


@kernel
def simulate(tree: Any, mind: Any, network: Any, random: Any, first: int) -> None:
    """One simulation; `first` is the edge of the root to begin with, or ABSENT."""
    # Steps 1 and 2: select, expand.
    plies, proven, value = descend(tree, mind, network, first)
    # Step 3: value.
    side = mover(tree.states[1])
    if proven != UNPROVEN:
        value = 0.0 if proven == DRAW else np.float64(proven)
    elif mind.mix > 0.0:
        for row in range(ROWS):
            for move in range(tree.tally.shape[1]):
                tree.tally[row, move] = 0
        balance = playouts(tree.states[1], tree.room, random, mind.playouts, tree.tally)
        value = (1.0 - mind.mix) * value + mind.mix * balance / mind.playouts
    # Step 4: back up.
    back_up(tree, mind, plies, side, proven, value, 1.0, False)


@kernel
def run(tree: Any, mind: Any, network: Any, random: Any, simulations: int, deadline: int) -> int:
    """Simulate until so many are done, the deadline has passed or the root is proven; returns how many were done."""
    done = 0
    while done < simulations and tree.nodes[tree.counters[ROOT]].proven == UNPROVEN:
        simulate(tree, mind, network, random, ABSENT)
        done += 1
        if now() >= deadline:
            break
    return done


class Puct(Mcts):
    """A searcher for one bot: a tree that follows a game, led by a network."""

    def __init__(
        self,
        state: np.dtype,
        mind: Any,
        network: Network,
        most_moves: int,
        move_codes: int,
        most_plies: int,
        seed: int = 0,
    ) -> None:
        """For a game with at most so many legal moves at once, moves below `move_codes`, and so many plies."""
        if network.logits.size < move_codes:
            raise PodiumError(f"the network knows {network.logits.size} moves; the game has {move_codes}")
        super().__init__(state, mind, most_moves, move_codes, most_plies, seed)
        self.network = network

    def _set_root(self, state: Any) -> None:
        begin(self.tree, self._asked, self.network, state)

    def _weigh(self, node: int) -> None:
        weigh(self.tree, self._asked, node)

    def simulate(self, simulations: int, deadline: int = NEVER) -> None:
        """Simulate so many times more, or until a time, or until the position is proven."""
        self.simulations += run(self.tree, self._asked, self.network, self.random, simulations, deadline)
