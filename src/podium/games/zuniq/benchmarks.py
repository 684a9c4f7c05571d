"""How fast Zuniq is, counted as the winner's program counts it."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from podium.games.game import Benchmark
from podium.games.toolkit import repeat
from podium.games.zuniq import GAME
from podium.games.zuniq.board import WALLS
from podium.games.zuniq.bots.alphazero import AlphaZero
from podium.games.zuniq.bots.params import ALPHAZERO_PARAMS, CHAMPION_PARAMS
from podium.games.zuniq.learning import INPUTS
from podium.games.zuniq.playout import zuniq_playouts
from podium.games.zuniq.rules import reset, zuniq_is_over, zuniq_legal_moves, zuniq_play
from podium.games.zuniq.setup import initial_state
from podium.games.zuniq.state import MOST_PLIES, State
from podium.kernel import kernel
from podium.kernel.random import draw_below, generator
from podium.model.hooks import AMAF_ROWS, new_playout_buffers
from podium.search.mcts import Mcts
from podium.search.network import network_for, predict
from podium.search.perft import perft

PLAYOUTS_A_CALL = 1000
SIMULATIONS_A_CALL = 5000
PERFT_DEPTH = 4
ENDGAME_MOVES = 24
HANDOVER_MOVES = 50  # legal walls of the position that the network evaluates: its last ones
EVALUATIONS_A_CALL = 5000
UNTUNED = {"book": False, "symmetry": False, "solve": 5, "endgame": 0}


def benchmarks() -> Sequence[Benchmark]:
    """Rates from the empty board, one thread."""
    return (
        Benchmark("playouts", "a random game from the empty board, with its tally of walls", _playouts),
        Benchmark("simulations", "a simulation of MCTS with 10 playouts, from the empty board", _simulations),
        Benchmark("network", "a simulation of PUCT led by the network of alphazero, from the empty board", _network),
        Benchmark("evaluations", "a position evaluated by the network of alphazero", _evaluations),
        Benchmark("positions", "a position whose legal walls are found, in the tree of all moves", _positions),
    )


def _playouts(seconds: float) -> tuple[int, float]:
    state, buffers = initial_state(), new_playout_buffers(State, WALLS, MOST_PLIES)
    random, tally, params = generator(1), np.zeros((AMAF_ROWS, WALLS), np.float32), CHAMPION_PARAMS.params()

    def step() -> int:
        zuniq_playouts(state, params, buffers, random, PLAYOUTS_A_CALL, tally)
        return PLAYOUTS_A_CALL

    return repeat(seconds, step)


def _simulations(seconds: float) -> tuple[int, float]:
    mcts = Mcts(GAME, CHAMPION_PARAMS.params(UNTUNED), seed=1)
    mcts.begin(initial_state())

    def step() -> int:
        simulations = SIMULATIONS_A_CALL if seconds else 1
        mcts.simulate(simulations)
        return simulations

    return repeat(seconds, step)


def _network(seconds: float) -> tuple[int, float]:
    bot = AlphaZero(ALPHAZERO_PARAMS.params({"reuse_tree": False}), seed=1)

    def step() -> int:
        bot.mcts.begin(initial_state(), bot.context())  # an empty tree in memory that was used before, as in a game
        simulations = SIMULATIONS_A_CALL if seconds else 1
        bot.mcts.simulate(simulations)
        return simulations

    return repeat(seconds, step)


def _evaluations(seconds: float) -> tuple[int, float]:
    network, state = network_for(ALPHAZERO_PARAMS.params(), "podium.games.zuniq", INPUTS), initial_state()
    play_at_random(state, HANDOVER_MOVES, 1)

    def step() -> int:
        evaluations = EVALUATIONS_A_CALL if seconds else 1
        evaluate_again(network, state, evaluations)
        return evaluations

    return repeat(seconds, step)


@kernel
def evaluate_again(network: Any, state: Any, count: int) -> float:
    """Evaluate a position `count` times; returns the sum of the values."""
    total = 0.0
    for _ in range(count):
        total += predict(network, state)
    return total


def _positions(seconds: float) -> tuple[int, float]:
    state = initial_state()
    play_at_random(state, ENDGAME_MOVES, 1)

    lists = sum(perft(state, depth, WALLS) for depth in range(PERFT_DEPTH))  # one for each node above the leaves

    def step() -> int:
        perft(state, PERFT_DEPTH, WALLS)
        return lists

    return repeat(seconds, step)


def play_at_random(state: Any, moves: int, seed: int) -> None:
    """Play random walls until exactly `moves` walls are legal, starting over as often as it takes."""
    walls, random = np.zeros(WALLS, np.int64), generator(seed)
    while True:
        reset(state)
        while not zuniq_is_over(state) and (count := zuniq_legal_moves(state, walls)) > moves:
            zuniq_play(state, walls[draw_below(random, count)])
        if not zuniq_is_over(state) and count == moves:
            return
