"""Choosing among the root's moves with few simulations: Gumbel AlphaZero.

Danihelka et al., "Policy improvement by planning with Gumbel" (2022). Noise on priors and forced visits need many
simulations before the shares of visits are worth learning. Here the moves to look at are drawn without replacement
(the largest of logit + Gumbel noise), the simulations are divided among them by sequential halving, and what is learnt
is not the visits but the priors, moved by the values that were found. With exact values such a policy is better than
the priors however few the simulations were.
"""

import math
from typing import Any

import numpy as np

from podium.kernel import kernel
from podium.kernel.random import draw_unit
from podium.kernel.table import ABSENT
from podium.search.puct import simulate
from podium.search.solve import DRAW, LOSS, UNPROVEN
from podium.search.tree import BIAS, LINKS, PROOF, ROOT, STATISTICS, SUM1

VISITS_BESIDE = 50.0  # the paper's c_visit: how far values move the priors even where there are few visits
SCALE = 0.5  # the paper's c_scale, for values in [-1, 1]
LEAST = 1e-9  # of a prior, before its logarithm is taken
OUT = -1e18


@kernel
def value_of(tree: Any, i: int, otherwise: float) -> float:
    """The value of a root move: proven, the mean of its visits, or what is thought of moves without any."""
    root = tree.nodes[tree.counters[ROOT]]
    at = root.first * STATISTICS
    proof = tree.links[root.first * LINKS + PROOF * root.count + i]
    if proof != UNPROVEN:
        return 0.0 if proof == DRAW else np.float64(proof)
    visits = tree.statistics[at + i]
    if visits == np.float32(0):
        return otherwise
    return np.float64(tree.statistics[at + SUM1 * root.count + i] / visits)


@kernel
def value_between(tree: Any, thought: float) -> float:
    """The paper's mixed value, for moves without a visit: what the network thought, and the values by their priors."""
    root = tree.nodes[tree.counters[ROOT]]
    at = root.first * STATISTICS
    visits, priors, values = 0.0, 0.0, 0.0
    for i in range(root.count):
        if tree.statistics[at + i] > np.float32(0):
            prior = max(np.float64(tree.statistics[at + BIAS * root.count + i]), LEAST)
            visits += tree.statistics[at + i]
            priors += prior
            values += prior * value_of(tree, i, 0.0)
    if visits == 0.0:
        return thought
    return (thought + visits * values / priors) / (1.0 + visits)


@kernel
def most_visits(tree: Any) -> float:
    """The visits of the most visited root move."""
    root = tree.nodes[tree.counters[ROOT]]
    at = root.first * STATISTICS
    most = 0.0
    for i in range(root.count):
        most = max(most, np.float64(tree.statistics[at + i]))
    return most


@kernel
def stretch(tree: Any) -> float:
    """What a value is multiplied by before it is added to a logit; it grows with the visits."""
    return (VISITS_BESIDE + most_visits(tree)) * SCALE


@kernel
def search_by_halving(tree: Any, mind: Any, network: Any, random: Any, thought: float, noise: Any) -> None:
    """Spend `mind.simulations` on `mind.gumbel` drawn moves: all of them, then the better half, and so on to the last.

    `thought` is the network's value of the root. Afterwards `noise` holds, by root move, logit + noise of the drawn
    moves and OUT for the others.
    """
    root = tree.nodes[tree.counters[ROOT]]
    at = root.first * STATISTICS + BIAS * root.count
    for i in range(root.count):
        gumbel = -math.log(-math.log(1.0 - draw_unit(random) + 1e-300) + 1e-300)
        noise[i] = gumbel + math.log(max(np.float64(tree.statistics[at + i]), LEAST))
    left: Any = min(np.int64(mind.gumbel), np.int64(root.count))
    keep_best(tree, noise, left, 0.0, thought)
    rounds = max(1, math.ceil(math.log2(max(left, 2))))
    while root.proven == UNPROVEN:
        each: Any = max(1, np.int64(mind.simulations / (rounds * max(left, 1))))
        for _ in range(each):
            for i in range(root.count):
                open_ = tree.links[root.first * LINKS + PROOF * root.count + i] == UNPROVEN
                if noise[i] > OUT and open_ and root.proven == UNPROVEN:
                    simulate(tree, mind, network, random, i)
        if left <= 2:
            return
        left = (left + 1) // 2
        keep_best(tree, noise, left, stretch(tree), thought)


@kernel
def keep_best(tree: Any, noise: Any, number: int, weight: float, thought: float) -> None:
    """Drop all but the best moves, by logit, noise and value."""
    root = tree.nodes[tree.counters[ROOT]]
    kept = 0
    for i in range(root.count):
        kept += noise[i] > OUT
    while kept > number:
        worst, lowest = ABSENT, math.inf
        for i in range(root.count):
            worth = noise[i] + weight * value_of(tree, i, thought)
            if noise[i] > OUT and worth < lowest:
                worst, lowest = i, worth
        noise[worst] = OUT
        kept -= 1


@kernel
def best_drawn(tree: Any, noise: Any, thought: float) -> Any:
    """The move to play: the best of those that were drawn, unless it is proven to lose."""
    root = tree.nodes[tree.counters[ROOT]]
    weight = stretch(tree)
    best, highest = 0, -math.inf
    for i in range(root.count):
        worth = noise[i] + weight * value_of(tree, i, thought)
        if tree.links[root.first * LINKS + PROOF * root.count + i] == LOSS:
            worth += OUT
        if worth > highest:
            best, highest = i, worth
    return np.int64(tree.links[root.first * LINKS + best])


@kernel
def write_improved(tree: Any, thought: float, out: Any) -> None:
    """The policy to learn: the softmax of logits and values; moves without a visit get the value between."""
    root = tree.nodes[tree.counters[ROOT]]
    at, links = root.first * STATISTICS + BIAS * root.count, root.first * LINKS
    weight, between = stretch(tree), value_between(tree, thought)
    out[:] = 0
    highest, total = -math.inf, 0.0
    for i in range(root.count):
        logit = math.log(max(np.float64(tree.statistics[at + i]), LEAST)) + weight * value_of(tree, i, between)
        out[tree.links[links + i]] = logit
        highest = max(highest, logit)
    for i in range(root.count):
        move = tree.links[links + i]
        out[move] = math.exp(out[move] - highest)
        total += out[move]
    for i in range(root.count):
        out[tree.links[links + i]] /= total
