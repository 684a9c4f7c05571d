"""Self-play: games of a network against itself, as jobs that any executor can run."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from podium.arena.tournament.worker import seed_of
from podium.errors import PodiumError
from podium.games import load
from podium.games.game import Game, Learning
from podium.kernel.random import generator
from podium.lab.learn.examples import Examples
from podium.model.params import Value
from podium.model.ruleset import rules_of
from podium.search.network import Network, new_network
from podium.search.selfplay_kernels import SELF_PLAY_PARAMS, new_example_buffers, play_game
from podium.search.tree import Tree, new_tree

MOST_ACTIVE_INPUTS = 160  # in a position
MOST_SOLVER_EXAMPLES = 500  # in a game


@dataclass(frozen=True)
class Weights:
    """A network as plain data, to send to a worker."""

    shape: tuple[int, ...]
    row: Any  # float32

    def network(self) -> Network:
        """The network, ready to evaluate positions."""
        return new_network(self.shape, self.row)


@dataclass(frozen=True)
class SelfPlayJob:
    """Games of a network against itself; the same seed gives the same games."""

    game: str
    self_play: dict[str, Value]  # changed self-play parameters
    games: int
    seed: int


def learning_of(game: Game) -> Learning:
    """What a game offers to a learner; PodiumError if it offers nothing."""
    if game.learning is None:
        raise PodiumError(f"{game.title} offers nothing to a learner; docs/learner.md says what that takes")
    return game.learning()


def tree_for(game: Game, megabytes: int, solver_examples: int = 0) -> Tree:
    """A search tree for a game, whose solver keeps at most `solver_examples` of the positions it has proven."""
    rules = rules_of(game)
    return new_tree(rules.state, megabytes, rules.most_moves, rules.move_codes, rules.most_plies, solver_examples)


def play_job(job: SelfPlayJob, weights: Weights) -> Examples:
    """Play the games of a job with a network; their examples."""
    game = load(job.game)
    rules = rules_of(game)
    learning = learning_of(game)
    params, network, random = SELF_PLAY_PARAMS.params(job.self_play), weights.network(), generator(job.seed)
    solver_examples = MOST_SOLVER_EXAMPLES if params.solver_example_nodes else 0
    tree = tree_for(game, int(params.memory), solver_examples)
    targets = learning.auxiliary_targets
    buffers = new_example_buffers(rules.most_plies + solver_examples, MOST_ACTIVE_INPUTS, rules.move_codes, targets)
    policy = np.zeros(rules.move_codes, np.float32)
    parts = []
    for number in range(job.games):
        state = game.new_referee(seed_of(job.seed, number)).state.copy()
        count = play_game(tree, params, network, random, state, buffers, policy)
        ends = np.packbits(buffers.auxiliary_targets[:targets] > 0)
        parts.append(
            (
                buffers.inputs[:count].copy(),
                np.packbits(buffers.legal[:count], axis=1),
                buffers.policy[:count].astype(np.float16),
                buffers.root_value[:count].copy(),
                buffers.result[:count].copy(),
                buffers.value_sign[:count].copy(),
                np.tile(ends, (count, 1)),
            )
        )
    return Examples(*(np.concatenate(column) for column in zip(*parts, strict=True)))
