"""Jobs of a learner: self-play and gate games, as plain functions of plain data that any executor can run."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from podium.arena.work import seed_of
from podium.errors import PodiumError
from podium.games import load
from podium.games.game import Game, Learning
from podium.kernel.minds import Value
from podium.kernel.random import draw_below, generator
from podium.kernel.rules import is_over, legal_moves, play
from podium.lab.examples import Examples
from podium.lab.selfplay import PRACTICE, duel, new_notes, play_game
from podium.search.network import Network, new_network
from podium.search.tree import Tree, new_tree

MOST_ON = 160  # inputs on at once, at most
MOST_LESSONS = 500  # of the solver in a game
OPENING = 4  # random plies at the start of a gate game


@dataclass(frozen=True)
class Weights:
    """A network that travels."""

    shape: tuple[int, ...]
    row: Any  # float32

    def network(self) -> Network:
        """Ready to evaluate."""
        return new_network(self.shape, self.row)


@dataclass(frozen=True)
class SelfPlay:
    """Games of a network against itself."""

    game: str
    practice: dict[str, Value]
    games: int
    seed: int


@dataclass(frozen=True)
class Gate:
    """Pairs of games of a student against his teacher, each pair with one opening and the seats swapped."""

    game: str
    practice: dict[str, Value]
    pairs: int
    seed: int


def learning_of(game: Game) -> Learning:
    """What a game offers to a learner."""
    if game.learning is None:
        raise PodiumError(f"{game.title} offers nothing to a learner; docs/learner.md says what that takes")
    return game.learning()


def tree_for(game: Game, megabytes: int, harvest: int = 0) -> Tree:
    """A tree for the positions of a game, whose solver may gather so many of them."""
    return new_tree(game.state, megabytes, game.most_moves, game.codes, game.most_plies, harvest)


def play_itself(job: SelfPlay, weights: Weights) -> Examples:
    """Play the games of a job with a network."""
    game = load(job.game)
    learning = learning_of(game)
    mind, network, random = PRACTICE.mind(job.practice), weights.network(), generator(job.seed)
    lessons = MOST_LESSONS if mind.lessons else 0
    tree = tree_for(game, int(mind.memory), lessons)
    notes = new_notes(game.most_plies + lessons, MOST_ON, game.codes, learning.omens)
    policy = np.zeros(game.codes, np.float32)
    parts = []
    for number in range(job.games):
        state = game.new_referee(seed_of(job.seed, number)).state.copy()
        count = play_game(tree, mind, network, random, state, notes, policy)
        ends = np.packbits(notes.omens[: learning.omens] > 0)
        parts.append(
            (
                notes.inputs[:count].copy(),
                np.packbits(notes.legal[:count], axis=1),
                notes.policy[:count].astype(np.float16),
                notes.search[:count].copy(),
                notes.result[:count].copy(),
                notes.sense[:count].copy(),
                np.tile(ends, (count, 1)),
            )
        )
    return Examples(*(np.concatenate(column) for column in zip(*parts, strict=True)))


def play_gate(job: Gate, both: tuple[Weights, Weights]) -> list[tuple[int, int]]:
    """The results for the student, the first of both, in each pair of games: moving first, and moving second."""
    game = load(job.game)
    mind = PRACTICE.mind(job.practice)
    networks = (both[0].network(), both[1].network())
    trees = tuple(tree_for(game, int(mind.memory)) for _ in networks)
    results = []
    for number in range(job.pairs):
        start = opening(game, seed_of(job.seed, number))
        random = generator(seed_of(job.seed, number, 1))
        pair = [int(duel(trees, mind, networks, random, start.copy(), seat)) for seat in range(2)]
        results.append((pair[0], pair[1]))
    return results


def opening(game: Game, seed: int) -> Any:
    """The position after a few random moves."""
    state = game.new_referee(seed).state.copy()
    random, moves = generator(seed), np.zeros(game.most_moves, np.int64)
    for _ in range(OPENING):
        if not is_over(state):
            play(state, moves[draw_below(random, legal_moves(state, moves))])
    return state
