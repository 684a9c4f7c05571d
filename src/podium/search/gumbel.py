"""Gumbel AlphaZero: a root search that improves the policy even with few simulations.

Danihelka et al., "Policy improvement by planning with Gumbel" (2022). With Dirichlet noise and forced playouts, visit
counts are a good policy target only after many simulations. Here:
 1. The root moves to search are sampled without replacement: the largest of logit + Gumbel noise (Gumbel top-k).
 2. The simulations are divided among them by sequential halving.
 3. The move with the highest logit + noise + scaled value is played.
 4. The policy target is not the visits but the improved policy: the softmax of logits + scaled values, where moves
    without a visit get the mixed value. With exact values it is better than the priors, however few the simulations.

It asks of a game what `puct.py` asks.
"""

import math
from typing import Any

import numpy as np

from podium.kernel import kernel
from podium.kernel.random import draw_unit
from podium.kernel.table import ABSENT
from podium.model.proofs import LOSS, UNPROVEN, proof_value
from podium.search.puct import simulate
from podium.search.tree import (
    edge_count,
    edge_move,
    edge_prior,
    edge_proof,
    edge_value_sum,
    edge_visits,
    root_of,
    root_proof,
)

C_VISIT = 50.0  # of the paper: weight of values where there are few visits
C_SCALE = 0.5  # of the paper, for values in [-1, 1]
SMALLEST_PRIOR = 1e-9  # before its logarithm is taken
DROPPED = -1e18  # logit + noise of a move that is not, or no longer, searched


@kernel
def root_logit(tree: Any, i: int) -> float:
    """The logarithm of the prior of root move i."""
    return math.log(max(np.float64(edge_prior(tree, root_of(tree), i)), SMALLEST_PRIOR))


@kernel
def root_value(tree: Any, i: int, default: float) -> float:
    """The value of root move i: its proof, else the mean of its visits, else a default."""
    root = root_of(tree)
    proof = edge_proof(tree, root, i)
    if proof != UNPROVEN:
        return proof_value(proof)
    visits = edge_visits(tree, root, i)
    if visits == np.float32(0):
        return default
    return np.float64(edge_value_sum(tree, root, i) / visits)


@kernel
def mixed_value(tree: Any, network_value: float) -> float:
    """The paper's v_mix, for moves without a visit: the network's value of the root, and the moves' values by prior."""
    root = root_of(tree)
    visits, priors, values = 0.0, 0.0, 0.0
    for i in range(edge_count(tree, root)):
        if edge_visits(tree, root, i) > np.float32(0):
            prior = max(np.float64(edge_prior(tree, root, i)), SMALLEST_PRIOR)
            visits += edge_visits(tree, root, i)
            priors += prior
            values += prior * root_value(tree, i, 0.0)
    if visits == 0.0:
        return network_value
    return (network_value + visits * values / priors) / (1.0 + visits)


@kernel
def value_scale(tree: Any) -> float:
    """The factor of a value that is added to a logit (sigma in the paper); it grows with the visits."""
    root, most = root_of(tree), 0.0
    for i in range(edge_count(tree, root)):
        most = max(most, np.float64(edge_visits(tree, root, i)))
    return (C_VISIT + most) * C_SCALE


@kernel
def sequential_halving(
    tree: Any, params: Any, network: Any, random: Any, network_value: float, noisy_logits: Any
) -> None:
    """Steps 1 and 2: spend `params.simulations` on `params.gumbel_moves` sampled moves, then on the better half, ...

    `network_value` is that of the root. Afterwards `noisy_logits` holds, by root move, logit + noise of the moves that
    are left, and DROPPED for the others.
    """
    root = root_of(tree)
    for i in range(edge_count(tree, root)):
        gumbel = -math.log(-math.log(1.0 - draw_unit(random) + 1e-300) + 1e-300)
        noisy_logits[i] = gumbel + root_logit(tree, i)
    left: Any = min(np.int64(params.gumbel_moves), np.int64(edge_count(tree, root)))
    keep_best(tree, noisy_logits, left, 0.0, network_value)
    rounds = max(1, math.ceil(math.log2(max(left, 2))))
    while root_proof(tree) == UNPROVEN:
        each: Any = max(1, np.int64(params.simulations / (rounds * max(left, 1))))
        for _ in range(each):
            for i in range(edge_count(tree, root)):
                open_ = edge_proof(tree, root, i) == UNPROVEN
                if noisy_logits[i] > DROPPED and open_ and root_proof(tree) == UNPROVEN:
                    simulate(tree, params, network, random, i)
        if left <= 2:
            return
        left = (left + 1) // 2
        keep_best(tree, noisy_logits, left, value_scale(tree), network_value)


@kernel
def keep_best(tree: Any, noisy_logits: Any, number: int, scale: float, network_value: float) -> None:
    """Drop all but the best moves, by logit + noise + scaled value."""
    count = edge_count(tree, root_of(tree))
    kept = 0
    for i in range(count):
        kept += noisy_logits[i] > DROPPED
    while kept > number:
        worst, lowest = ABSENT, math.inf
        for i in range(count):
            score = noisy_logits[i] + scale * root_value(tree, i, network_value)
            if noisy_logits[i] > DROPPED and score < lowest:
                worst, lowest = i, score
        noisy_logits[worst] = DROPPED
        kept -= 1


@kernel
def best_sampled_move(tree: Any, noisy_logits: Any, network_value: float) -> Any:
    """Step 3: the best of the sampled moves, unless it is proven to lose."""
    root = root_of(tree)
    scale = value_scale(tree)
    best, highest = 0, -math.inf
    for i in range(edge_count(tree, root)):
        score = noisy_logits[i] + scale * root_value(tree, i, network_value)
        if edge_proof(tree, root, i) == LOSS:
            score += DROPPED
        if score > highest:
            best, highest = i, score
    return np.int64(edge_move(tree, root, best))


@kernel
def write_improved_policy(tree: Any, network_value: float, out: Any) -> None:
    """Step 4: the policy target, by move; 0 for moves that are not candidates."""
    root = root_of(tree)
    count = edge_count(tree, root)
    scale, unvisited = value_scale(tree), mixed_value(tree, network_value)
    out[:] = 0
    highest, total = -math.inf, 0.0
    for i in range(count):
        logit = root_logit(tree, i) + scale * root_value(tree, i, unvisited)
        out[edge_move(tree, root, i)] = logit
        highest = max(highest, logit)
    for i in range(count):
        move = edge_move(tree, root, i)
        out[move] = math.exp(out[move] - highest)
        total += out[move]
    for i in range(count):
        out[edge_move(tree, root, i)] /= total
