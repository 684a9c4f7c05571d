"""How a seat chooses at a node of decoupled UCT: bounds, priors, regret matching or Exp3.

Rules of selection:

* `ucb1` (Auer, Cesa-Bianchi and Fischer 2002): mean plus exploration x sqrt(ln n / n_i).
* `ucb1-tuned` (the same paper): with the variance of the values in the place of a constant.
* `puct` (Rosin 2011; AlphaZero's form): mean plus exploration x prior x sqrt(n + 1) / (1 + n_i). The priors are those
  of the hook `priors`; a move that was never tried has the mean of the node. So a model of what everybody is likely to
  do guides the first visits of each node.
* `regret`: regret matching (Hart and Mas-Colell 2000). The regret of a move is what it would have gained against the
  others' choices, by the means of the joint choices. The average strategy approaches an equilibrium of a zero-sum game.
* `exp3` (Auer, Cesa-Bianchi, Freund and Schapire 1995): probabilities by the exponentials of estimated sums of values.
"""

import math
from typing import Any

import numpy as np

from podium.kernel import kernel
from podium.kernel.random import draw_below, draw_unit
from podium.search.leaf_values import bounds_of

SELECTIONS = ("ucb1", "ucb1-tuned", "regret", "exp3", "puct")
UCB1, UCB1_TUNED, REGRET, EXP3, PUCT = range(len(SELECTIONS))


@kernel
def choose_by_bound(tree: Any, params: Any, node: Any, place: Any, random: Any) -> Any:
    """The move with the highest upper confidence bound. Ties are broken at random: otherwise two seats go through
    their moves in step, and most joint choices are never tried."""
    first, count = tree.first[node, place], tree.counts[node, place]
    low, high = bounds_of(tree, tree.seats[node, place])
    scale = 1.0 / (high - low)
    log_visits = math.log(np.float64(tree.nodes[node].visits) + 1.0)
    best, highest = 0, -np.inf
    i = draw_below(random, count)
    for _ in range(count):
        edge = tree.edges[first + i]
        if edge.visits == 0:
            return i
        mean = edge.total / edge.visits
        share = log_visits / edge.visits
        if params.selection == UCB1_TUNED:
            variance = max(0.0, edge.squares / edge.visits - mean * mean) * scale * scale
            bonus = math.sqrt(share * min(0.25, variance + math.sqrt(2.0 * share)))
        else:
            bonus = params.exploration * math.sqrt(share)
        score = (mean - low) * scale + bonus
        if score > highest:
            best, highest = i, score
        i = i + 1 if i + 1 < count else 0
    return best


@kernel
def choose_by_prior(tree: Any, params: Any, node: Any, place: Any, random: Any) -> Any:
    """The move with the highest PUCT score; ties are broken at random."""
    first, count = tree.first[node, place], tree.counts[node, place]
    low, high = bounds_of(tree, tree.seats[node, place])
    scale = 1.0 / (high - low)
    visits, total = 0.0, 0.0
    for i in range(count):
        visits += tree.edges[first + i].visits
        total += tree.edges[first + i].total
    untried = (total / visits - low) * scale if visits > 0.0 else 0.0
    exploration = params.exploration * math.sqrt(visits + 1.0)
    best, highest = 0, -np.inf
    i = draw_below(random, count)
    for _ in range(count):
        edge = tree.edges[first + i]
        mean = (edge.total / edge.visits - low) * scale if edge.visits > 0 else untried
        score = mean + exploration * edge.prior / (1.0 + edge.visits)
        if score > highest:
            best, highest = i, score
        i = i + 1 if i + 1 < count else 0
    return best


@kernel
def write_weights(tree: Any, params: Any, node: Any, place: Any) -> None:
    """Write the probabilities of regret matching or Exp3 into `tree.weights`, without exploration."""
    first, count = tree.first[node, place], tree.counts[node, place]
    total, highest = 0.0, -np.inf
    rate = params.exploring_share / count
    for i in range(count):
        highest = max(highest, tree.edges[first + i].regret)
    for i in range(count):
        regret = tree.edges[first + i].regret
        tree.weights[i] = max(0.0, regret) if params.selection == REGRET else math.exp(rate * (regret - highest))
        total += tree.weights[i]
    for i in range(count):
        tree.weights[i] = tree.weights[i] / total if total > 0.0 else 1.0 / count


@kernel
def draw_choice(tree: Any, params: Any, node: Any, place: Any, ply: Any, random: Any) -> Any:
    """A move drawn from the present strategy, which is added to the average one."""
    first, count = tree.first[node, place], tree.counts[node, place]
    write_weights(tree, params, node, place)
    point, chosen, chance = draw_unit(random), count - 1, 0.0
    for i in range(count):
        tree.edges[first + i].strategy += tree.weights[i]
        chance = (1.0 - params.exploring_share) * tree.weights[i] + params.exploring_share / count
        if point < chance:
            chosen = min(chosen, i)
            point = 2.0  # the others are only added up
            tree.path_chances[ply, place] = chance
        else:
            point -= chance
    if chosen == count - 1:  # rounding errors may leave it to the last one
        tree.path_chances[ply, place] = chance
    return chosen


@kernel
def choose(tree: Any, params: Any, node: Any, place: Any, ply: Any, random: Any) -> Any:
    """The choice of one seat at a node, as the number of its edge."""
    if tree.counts[node, place] == 1:
        return np.int64(0)
    if params.selection == REGRET or params.selection == EXP3:
        return draw_choice(tree, params, node, place, ply, random)
    if params.selection == PUCT:
        return choose_by_prior(tree, params, node, place, random)
    return choose_by_bound(tree, params, node, place, random)


@kernel
def choose_turn(tree: Any, params: Any, node: Any, ply: Any, random: Any) -> Any:
    """Let every seat choose at an expanded node; returns the joint choice as a number."""
    joint, radix = np.int64(0), np.int64(1)
    for place in range(tree.nodes[node].choosers):
        i = choose(tree, params, node, place, ply, random)
        tree.path_choices[ply, place] = i
        joint += i * radix
        radix *= tree.counts[node, place]
    return joint
