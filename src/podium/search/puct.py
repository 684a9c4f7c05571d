"""PUCT: Monte Carlo tree search that is guided by a network instead of playouts (AlphaZero).

Silver et al., "Mastering the game of Go without human knowledge" (2017): a network predicts the result of a position
(the value) and which moves deserve attention (the priors). Tree, proofs, solver and tree reuse are those of Monte Carlo
tree search (`tree.py`, `tree_steps.py`, `tree_search.py`); scores, evaluation and root noise are here. One simulation:
 1. Selection: from the root, follow the move with the highest v + exploration p sqrt(visits) / (1 + n). An unvisited
    move counts as a little less than its parent's value (first-play urgency; the reduction grows with the visited share
    of the priors, as in KataGo).
 2. Expansion: the first position that is not in the table becomes a node. If the game is over there, or the legal moves
    are few enough to be solved, it has a proof; otherwise it gets its edges at once, with their priors.
 3. Evaluation: the network's value, mixed with random playouts in any proportion (`playout_share`), so that the step
    from playouts to a network is an ablation.
 4. Backpropagation: values along the path, proofs as far as they carry.

For self-play, `add_noise` explores more at the root. What it asks of a game: what `mcts.py` asks, and `features`.
"""

import math
from pathlib import Path
from typing import Any

import numpy as np

from podium.errors import UnfitSearchError
from podium.kernel import inlined, kernel
from podium.kernel.clock import now
from podium.kernel.random import draw_unit
from podium.kernel.table import ABSENT
from podium.model.hooks import features, playouts
from podium.model.params import Parameter, Value, adjusted
from podium.model.proofs import DRAW, UNPROVEN
from podium.model.rules import mover
from podium.search.network import Network, load_network, predict, write_priors
from podium.search.tree import (
    PRIOR,
    VALUE_SUM,
    VISITS,
    edge_count,
    edge_moves,
    edge_prior,
    edge_priors,
    edge_statistics,
    expand,
    is_expanded,
    root_of,
    root_proof,
    set_prior,
    set_root,
)
from podium.search.tree_search import TREE_PARAMETERS, TreeKernels, TreeSearch
from podium.search.tree_steps import add_child, backpropagate, clear_amaf, play_edge, select_best

PARAMETERS = (
    Parameter("exploration", 1.5, "PUCT's exploration constant c_puct (AlphaZero: 1.25 and more)", 0, 100),
    Parameter(
        "fpu_reduction",
        0.2,
        "first-play urgency: an unvisited move counts as its parent's value less this times the square root of the "
        "visited share of the priors (KataGo: 0.2)",
        0,
        2,
        aliases=("urgency",),
    ),
    Parameter(
        "playout_share", 0.0, "share of random playouts in a leaf's value; 0: the network alone", 0, 1, aliases=("mix",)
    ),
    Parameter("playouts", 1, "random playouts per leaf if playout_share is above 0", 1, 1000),
    *TREE_PARAMETERS,
)


@inlined
def write_scores(tree: Any, params: Any, node: int) -> None:
    """Write the selection score of each move of a node into the tree's scores: the formula of step 1."""
    count = edge_count(tree, node)
    rows = edge_statistics(tree, node)
    scores = tree.scores[:count]
    zero, one = np.float32(0), np.float32(1)
    total, value, visited = np.float32(0), np.float32(0), np.float32(0)
    for i in range(count):
        n = rows[VISITS * count + i]
        total += n
        value += rows[VALUE_SUM * count + i]
        visited += rows[PRIOR * count + i] if n > zero else zero
    urgency = value / max(total, one) - np.float32(params.fpu_reduction) * np.float32(math.sqrt(visited))
    scale = np.float32(params.exploration) * np.float32(math.sqrt(total + one))
    for i in range(count):
        n = rows[VISITS * count + i]
        own = rows[VALUE_SUM * count + i] / max(n, one) if n > zero else urgency
        scores[i] = own + scale * rows[PRIOR * count + i] / (one + n)


@kernel
def write_node_priors(tree: Any, network: Any, node: int) -> None:
    """Write the priors of a node's moves, for the position that the network has just evaluated."""
    write_priors(network, edge_moves(tree, node), edge_count(tree, node), edge_priors(tree, node))


@kernel
def write_root_priors(tree: Any, params: Any, network: Any) -> None:
    """Evaluate the root and write the priors of its moves."""
    predict(network, tree.states[0])
    write_node_priors(tree, network, root_of(tree))


@kernel
def start_search(tree: Any, params: Any, network: Any, state: Any) -> None:
    """Make a position the root, with priors; for self-play, whose whole games are one kernel."""
    set_root(tree, params, state)
    write_root_priors(tree, params, network)


@kernel
def add_noise(tree: Any, random: Any, fraction: float, alpha: float) -> None:
    """Replace a fraction of the root's priors by Dirichlet noise, so that every move is explored."""
    root, noise = root_of(tree), tree.scores
    total = 0.0
    for i in range(edge_count(tree, root)):
        noise[i] = draw_gamma(random, alpha)
        total += noise[i]
    for i in range(edge_count(tree, root)):
        share = noise[i] / max(total, 1e-30)
        set_prior(tree, root, i, (1.0 - fraction) * edge_prior(tree, root, i) + fraction * share)


@kernel
def draw_gamma(random: Any, shape: float) -> float:
    """A sample of the gamma distribution (Marsaglia and Tsang 2000); for a shape below 1 by way of shape + 1."""
    boost = draw_unit(random) ** (1.0 / shape) if shape < 1.0 else 1.0
    d = (shape + 1.0 if shape < 1.0 else shape) - 1.0 / 3.0
    c = 1.0 / math.sqrt(9.0 * d)
    while True:
        # a sample of the normal distribution (Box and Muller 1958)
        x = math.sqrt(-2.0 * math.log(1.0 - draw_unit(random))) * math.cos(2.0 * math.pi * draw_unit(random))
        v = (1.0 + c * x) ** 3
        if v > 0.0 and math.log(1.0 - draw_unit(random)) < 0.5 * x * x + d - d * v + d * math.log(v):
            return d * v * boost


@inlined
def descend(tree: Any, params: Any, network: Any, first: int) -> Any:
    """Descend from the root to a leaf, whose position is left in states[1].

    `first` is the edge of the root to begin with, or ABSENT. Returns the plies, the leaf's proof and the network's
    value of it.
    """
    tree.states[1] = tree.states[0]
    state = tree.states[1]
    node = root_of(tree)
    ply = 0
    while True:
        if not is_expanded(tree, node):  # the memory was full
            return ply, UNPROVEN, predict(network, state)
        # Step 1: select a move.
        if ply == 0 and first != ABSENT:
            i = first
        else:
            write_scores(tree, params, node)
            i = select_best(tree, node)
        child = play_edge(tree, params, state, node, i, ply)
        ply += 1
        # Step 2: a position that is not in the table becomes a node.
        if child == ABSENT:
            child, proof = add_child(tree, params, state, node, i)
            if proof != UNPROVEN:
                return ply, proof, 0.0
            value = predict(network, state)
            if child != ABSENT and expand(tree, params, child, state):
                write_node_priors(tree, network, child)
            return ply, UNPROVEN, value
        if tree.nodes[child].proof != UNPROVEN:
            return ply, np.int64(tree.nodes[child].proof), 0.0
        node = child


@kernel
def simulate(tree: Any, params: Any, network: Any, random: Any, first: int) -> None:
    """Run one simulation; `first` is the edge of the root to begin with, or ABSENT."""
    # Steps 1 and 2: selection, expansion.
    plies, proof, value = descend(tree, params, network, first)
    # Step 3: evaluation.
    side = mover(tree.states[1])
    if proof != UNPROVEN:
        value = 0.0 if proof == DRAW else np.float64(proof)
    elif params.playout_share > 0.0:
        clear_amaf(tree)
        balance = playouts(tree.states[1], params, tree.buffers, random, params.playouts, tree.amaf)
        value = (1.0 - params.playout_share) * value + params.playout_share * balance / params.playouts
    # Step 4: backpropagation.
    backpropagate(tree, params, plies, side, proof, value, 1.0, False)


@kernel
def run(tree: Any, params: Any, network: Any, random: Any, simulations: int, deadline: int) -> int:
    """Simulate until the number of simulations, the deadline or a proof of the root is reached; returns how many were
    run."""
    done = 0
    while done < simulations and root_proof(tree) == UNPROVEN:
        simulate(tree, params, network, random, ABSENT)
        done += 1
        if now() >= deadline:
            break
    return done


class Puct(TreeSearch):
    """PUCT of a game for two players: a tree that is kept from move to move, and a network.

    >>> import podium
    >>> game = podium.load("zuniq")
    >>> network = Path(podium.__file__).parent / "games" / "zuniq" / "data" / "network.npz"
    >>> result = podium.Puct(game, network=network, memory=8).search(game.rules.initial_state(), nodes=50)
    >>> result.nodes, len(result.rows())
    (50, 60)
    """

    title = "PUCT"
    parameters = adjusted(PARAMETERS, memory=64)

    def __init__(
        self,
        game: Any,
        params: Any = None,
        *,
        network: Network | Path | str | None = None,
        seed: int = 0,
        **parameters: Value,
    ) -> None:
        """For a game or its rules that offers `features`, with the parameters of a bot, or some of its own by name.

        The network is that of a file of `podium train`, or one in memory.
        """
        if network is None:
            raise UnfitSearchError("PUCT needs a network: give network=... (docs/learner.md)")
        used = network if isinstance(network, Network) else load_network(Path(network))[0]
        kernels = TreeKernels(
            lambda tree, asked: write_root_priors(tree, asked, used),
            write_scores,
            lambda tree, asked, random, simulations, deadline: run(tree, asked, used, random, simulations, deadline),
        )
        super().__init__(game, params, seed, kernels, parameters)
        if getattr(game, "learning", None):
            game.learning()  # registers the features
        self.require(features, "it is led by a network, whose inputs they are (docs/learner.md)")
        if used.logits.size < self.rules.move_codes:
            raise UnfitSearchError(
                f"the network knows {used.logits.size} moves, {self.rules.name} has {self.rules.move_codes}"
            )
        self.network = used
