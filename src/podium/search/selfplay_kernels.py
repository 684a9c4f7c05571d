"""Self-play: games of a network against itself, which become training examples (AlphaZero).

A whole game is one kernel call (`play_game`):
 1. Opening: some random plies, then some plies in which one side plays at random (`random_opponent_plies`) without
    making examples: the other side learns to answer openings that no good player would choose.
 2. Search, at each move: with `full_search_probability` a full search, which makes an example, otherwise a fast one,
    which makes games cheap (playout cap randomization: Wu, "Accelerating self-play learning in Go", 2019). A full
    search has Dirichlet noise and forced playouts at the root, or samples root moves with `gumbel_moves` (`gumbel.py`).
 3. Policy target: the shares of visits without the forced ones, or the improved policy of Gumbel AlphaZero.
 4. Move: sampled by visits at a temperature in the first plies, later the most visited one.
 5. Once the solver has proven the position, the result is known: the rest of the game is played at random among the
    moves that keep it, so earlier examples learn from perfect play.
 6. Labels: each example gets the result of the game; positions that cost the solver many nodes (`solver_example_nodes`)
    become examples with their exact value; and the auxiliary targets are read off the ended game.

An example holds the inputs of the position, its legal moves, the policy target, the root value of the search and the
result of the game (the value target mixes the two). It asks of a game what `puct.py` asks, and optionally
`auxiliary_targets`.
"""

import math
from typing import Any, NamedTuple

import numpy as np

from podium.kernel import kernel
from podium.kernel.clock import NEVER
from podium.kernel.random import draw_below, draw_unit
from podium.kernel.table import ABSENT
from podium.model.hooks import auxiliary_targets, features, value_sign
from podium.model.params import Parameter, ParamSpec, adjusted
from podium.model.proofs import LOSS, UNPROVEN, proof_value, sign
from podium.model.rules import final_score, is_over, legal_moves, mover, play
from podium.search import puct
from podium.search.endgame import solve_root
from podium.search.gumbel import best_sampled_move, sequential_halving, write_improved_policy
from podium.search.network import predict
from podium.search.puct import add_noise, simulate, start_search
from podium.search.solver import COLLECTED, EXAMPLE_NODES
from podium.search.tree import (
    clear_tree,
    edge_count,
    edge_move,
    edge_prior,
    edge_proof,
    edge_value_sum,
    edge_visits,
    root_of,
    root_proof,
)

SELF_PLAY_PARAMS = ParamSpec(
    "self-play",
    *adjusted(puct.PARAMETERS, solve=0, memory=4),
    Parameter("endgame_nodes", 4000, "node limit for solving the root position", 0, 1_000_000_000),
    Parameter(
        "solver_example_nodes",
        0,
        "positions that cost the solver at least this many nodes become examples too; 0: none",
        0,
        10**9,
        aliases=("lessons",),
    ),
    Parameter("simulations", 96, "simulations of a full search", 1, 1_000_000),
    Parameter("fast_simulations", 16, "simulations of a fast search", 1, 1_000_000, aliases=("short",)),
    Parameter(
        "full_search_probability",
        0.25,
        "playout cap randomization: probability of a full search, which makes an example (KataGo: 0.25)",
        0,
        1,
        aliases=("full",),
    ),
    Parameter(
        "dirichlet_fraction",
        0.25,
        "share of Dirichlet noise in the root priors (AlphaZero: 0.25)",
        0,
        1,
        aliases=("noise",),
    ),
    Parameter(
        "dirichlet_concentration",
        10.0,
        "concentration of the Dirichlet noise; alpha is this divided by the number of moves (AlphaZero: about 10)",
        0.01,
        1000,
        aliases=("concentration",),
    ),
    Parameter(
        "forced_playouts",
        2.0,
        "forced-playout constant; forced visits are removed from the policy target (KataGo: 2); 0: none",
        0,
        100,
        aliases=("forced",),
    ),
    Parameter(
        "gumbel_moves",
        0,
        "Gumbel AlphaZero: root moves that a full search samples and divides by sequential halving (paper: 16); "
        "0: Dirichlet noise and forced playouts instead",
        0,
        4096,
        aliases=("gumbel",),
    ),
    Parameter(
        "temperature_plies",
        12,
        "plies in which the move is sampled by visits; later the most visited",
        0,
        1000,
        aliases=("drawn",),
    ),
    Parameter("temperature", 1.0, "sampling temperature: visits to the power of 1 / temperature; 0: greedy", 0, 100),
    Parameter("random_plies", 3, "maximum number of random plies at the start of a game", 0, 1000, aliases=("random",)),
    Parameter(
        "random_opponent_plies",
        0,
        "maximum number of opening plies, after the random ones, that one side plays at random",
        0,
        1000,
        aliases=("stray",),
    ),
)


class ExampleBuffers(NamedTuple):
    """Arrays for the examples of one game."""

    inputs: Any  # int16 [example, place]: indices of the active inputs, then -1
    legal: Any  # bool [example, move]
    policy: Any  # float32 [example, move]: the policy target
    root_value: Any  # float32 [example]: the search's value for the side to move
    result: Any  # float32 [example]: the game's result for the side to move
    value_sign: Any  # int8 [example]: sign applied to the network's value
    seat: Any  # int8 [example]: the side to move
    auxiliary_targets: Any  # float32 [target]: of the ended game


def new_example_buffers(examples: int, inputs: int, moves: int, targets: int) -> ExampleBuffers:
    """Buffers for a number of examples with at most `inputs` active inputs, and for a number of auxiliary targets."""
    return ExampleBuffers(
        inputs=np.full((examples, inputs), -1, np.int16),
        legal=np.zeros((examples, moves), np.bool_),
        policy=np.zeros((examples, moves), np.float32),
        root_value=np.zeros(examples, np.float32),
        result=np.zeros(examples, np.float32),
        value_sign=np.ones(examples, np.int8),
        seat=np.zeros(examples, np.int8),
        auxiliary_targets=np.zeros(max(1, targets), np.float32),
    )


@kernel
def play_game(tree: Any, params: Any, network: Any, random: Any, state: Any, examples: Any, policy: Any) -> int:
    """Play a game of a network against itself from a state to its end, in place; returns the number of examples.

    The buffers must have room for all plies and for all examples that the tree's solver can collect.
    """
    clear_tree(tree)
    tree.solver.limits[EXAMPLE_NODES], tree.solver.limits[COLLECTED] = params.solver_example_nodes, 0
    count, ply = 0, 0
    moves, noisy_logits = np.empty(policy.size, np.int64), np.empty(policy.size, np.float64)
    # Step 1: the opening.
    for _ in range(draw_below(random, params.random_plies + 1)):
        if not is_over(state):
            play_randomly(state, random, moves)
    random_plies, random_side = 0, 0
    if params.random_opponent_plies > 0:
        random_plies, random_side = draw_below(random, params.random_opponent_plies + 1), draw_below(random, 2)
    while not is_over(state):
        if ply < random_plies and mover(state) == random_side:
            play_randomly(state, random, moves)
            ply += 1
            continue
        # Steps 2 to 4: search, policy target, move.
        set_position(tree, params, network, state)
        full = draw_unit(random) < params.full_search_probability
        move, value = choose_move(tree, params, network, random, state, ply, full, policy, noisy_logits)
        proof = root_proof(tree)
        if (full or proof != UNPROVEN) and count < examples.root_value.size:
            write_position(state, examples, count, network.inputs, moves)
            examples.policy[count, :] = policy
            examples.root_value[count] = value
            count += 1
        # Step 5: the result is known.
        if proof != UNPROVEN:
            label_by_proof(examples, count, mover(state), proof)
            play_proven(tree, params, network, random, state, policy)
            return finish_examples(tree, network, state, examples, count, moves)
        play(state, move)
        ply += 1
    # Step 6: the labels.
    for example in range(count):
        examples.result[example] = sign(final_score(state, examples.seat[example]))
    return finish_examples(tree, network, state, examples, count, moves)


@kernel
def play_randomly(state: Any, random: Any, moves: Any) -> None:
    """Play a random legal move."""
    play(state, moves[draw_below(random, legal_moves(state, moves))])


@kernel
def set_position(tree: Any, params: Any, network: Any, state: Any) -> None:
    """Make a position the root, and first try to solve it if it has few moves."""
    start_search(tree, params, network, state)
    if edge_count(tree, root_of(tree)) <= params.endgame:
        solve_root(tree, params.endgame_nodes, NEVER)


@kernel
def choose_move(
    tree: Any,
    params: Any,
    network: Any,
    random: Any,
    state: Any,
    ply: int,
    full: bool,
    policy: Any,
    noisy_logits: Any,
) -> Any:
    """Steps 2 to 4: search the root, write the policy target; returns the move to play and the root value."""
    gumbel = full and params.gumbel_moves > 0
    network_value = predict(network, state) if gumbel else 0.0
    if gumbel:
        sequential_halving(tree, params, network, random, network_value, noisy_logits)
    elif full:
        full_search(tree, params, network, random)
    else:
        plain_search(tree, params, network, random, params.fast_simulations)
    value = write_policy(tree, params, policy)
    move = sample_move(policy, random, params.temperature if ply < params.temperature_plies else 0.0)
    if gumbel and root_proof(tree) == UNPROVEN:
        write_improved_policy(tree, network_value, policy)
        move = best_sampled_move(tree, noisy_logits, network_value)
    return move, value


@kernel
def plain_search(tree: Any, params: Any, network: Any, random: Any, simulations: int) -> None:
    """Simulate from the root without noise, until it is proven."""
    for _ in range(simulations):
        if root_proof(tree) != UNPROVEN:
            break
        simulate(tree, params, network, random, ABSENT)


@kernel
def full_search(tree: Any, params: Any, network: Any, random: Any) -> None:
    """Simulate from the root with Dirichlet noise and forced playouts, until it is proven."""
    if params.dirichlet_fraction > 0.0:
        alpha = params.dirichlet_concentration / max(1, edge_count(tree, root_of(tree)))
        add_noise(tree, random, params.dirichlet_fraction, alpha)
    for done in range(params.simulations):
        if root_proof(tree) != UNPROVEN:
            return
        first = ABSENT
        if params.forced_playouts > 0.0 and done > 0:
            first = forced_edge(tree, params, done)
        simulate(tree, params, network, random, first)


@kernel
def forced_visits(params: Any, prior: float, total: float) -> float:
    """The number of visits that a root move gets at least after `total` in all (Wu 2019, section 3.2)."""
    return math.sqrt(params.forced_playouts * prior * total)


@kernel
def forced_edge(tree: Any, params: Any, total: int) -> int:
    """A root move that was visited, but less often than its forced visits; ABSENT if there is none."""
    root = root_of(tree)
    for i in range(edge_count(tree, root)):
        visits, prior = edge_visits(tree, root, i), edge_prior(tree, root, i)
        if 0.0 < visits < forced_visits(params, prior, total) and edge_proof(tree, root, i) == UNPROVEN:
            return i
    return ABSENT


@kernel
def write_policy(tree: Any, params: Any, out: Any) -> float:
    """Step 3: write the shares of visits by move, without the forced ones; returns the root value."""
    out[:] = 0
    if root_proof(tree) != UNPROVEN:
        return write_proven_policy(tree, out)
    root = root_of(tree)
    total, value, best, most = 0.0, 0.0, 0, -1.0
    for i in range(edge_count(tree, root)):
        seen = np.float64(edge_visits(tree, root, i))
        total += seen
        value += edge_value_sum(tree, root, i)
        if seen > most and edge_proof(tree, root, i) != LOSS:
            best, most = i, seen
    kept = 0.0
    for i in range(edge_count(tree, root)):
        visits: Any = np.float64(edge_visits(tree, root, i))
        if i != best and params.forced_playouts > 0.0:
            visits = max(0.0, visits - forced_visits(params, edge_prior(tree, root, i), total))
            visits = 0.0 if visits <= 1.0 else visits  # a single visit is exploration
        if edge_proof(tree, root, i) == LOSS:
            visits = 0.0
        if i == best:
            visits = max(visits, 1.0)  # a fast search may have seen only lost moves
        out[edge_move(tree, root, i)] = visits
        kept += visits
    for i in range(edge_count(tree, root)):
        out[edge_move(tree, root, i)] /= max(kept, 1e-9)
    return value / max(total, 1.0)


@kernel
def write_proven_policy(tree: Any, out: Any) -> float:
    """The policy of a proven root: equal shares of the moves that keep the result; returns the result."""
    root, proof = root_of(tree), root_proof(tree)
    kept = 0
    for i in range(edge_count(tree, root)):
        if edge_proof(tree, root, i) == proof:
            kept += 1
    for i in range(edge_count(tree, root)):
        if edge_proof(tree, root, i) == proof:
            out[edge_move(tree, root, i)] = 1.0 / kept
    return proof_value(proof)


@kernel
def sample_move(policy: Any, random: Any, temperature: float) -> int:
    """Step 4: a move sampled by its share of the policy to the power of 1 / temperature; the largest one at 0."""
    best = 0
    for move in range(policy.size):
        if policy[move] > policy[best]:
            best = move
    if temperature <= 0.0:
        return best
    largest = np.float64(policy[best])
    total = 0.0
    for move in range(policy.size):
        total += sampling_weight(policy[move] / largest, temperature)
    left = total * draw_unit(random)
    for move in range(policy.size):
        if policy[move] > 0:
            best = move
            left -= sampling_weight(policy[move] / largest, temperature)
            if left < 0.0:
                return move
    return best


@kernel
def sampling_weight(share: float, temperature: float) -> float:
    """The weight of a move whose policy is this share of the largest one."""
    return share if temperature == 1.0 or share <= 0.0 else share ** (1.0 / temperature)


@kernel
def write_position(state: Any, examples: Any, example: int, inputs: Any, moves: Any) -> None:
    """Write inputs, legal moves, value sign and side to move of a position into an example."""
    count = features(state, inputs)
    for place in range(examples.inputs.shape[1]):
        examples.inputs[example, place] = inputs[place] if place < count else -1
    examples.legal[example, :] = False
    for i in range(legal_moves(state, moves)):
        examples.legal[example, moves[i]] = True
    examples.value_sign[example] = value_sign(state)
    examples.seat[example] = mover(state)


@kernel
def play_proven(tree: Any, params: Any, network: Any, random: Any, state: Any, policy: Any) -> None:
    """Step 5: play a proven game to its end; the winning side keeps the win as far as the solver sees it."""
    play(state, sample_move(policy, random, 1.0))
    while not is_over(state):
        set_position(tree, params, network, state)
        plain_search(tree, params, network, random, params.fast_simulations)
        write_policy(tree, params, policy)
        play(state, sample_move(policy, random, 1.0))


@kernel
def label_by_proof(examples: Any, count: int, seat: int, proof: int) -> None:
    """Write the result of a game that is proven for a seat into its examples."""
    result = proof_value(proof)
    for example in range(count):
        examples.result[example] = result if examples.seat[example] == seat else -result


@kernel
def finish_examples(tree: Any, network: Any, state: Any, examples: Any, count: int, moves: Any) -> int:
    """Step 6: write the auxiliary targets of the ended game, and add the solver's examples, which have a value but no
    policy; returns how many examples there are."""
    auxiliary_targets(state, examples.auxiliary_targets)
    solver = tree.solver
    for found in range(solver.limits[COLLECTED]):
        write_position(solver.examples.states[found], examples, count, network.inputs, moves)
        examples.policy[count, :] = 0
        examples.root_value[count] = proof_value(solver.examples.proofs[found])
        examples.result[count] = examples.root_value[count]
        count += 1
    return count
