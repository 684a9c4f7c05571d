"""Searches over a game that is longer than it is wide, and whose ended positions must not be asked for moves."""

from dataclasses import replace

import numpy as np
import pytest

from podium.kernel import JIT, allocate, kernel
from podium.kernel.clock import NEVER
from podium.kernel.random import generator
from podium.model.budget import Budget
from podium.model.hooks import AMAF_ROWS, OTHER, OWN, new_playout_buffers, plain_playouts
from podium.model.params import ParamSpec, adjusted
from podium.model.proofs import DRAW, LOSS, WIN
from podium.model.result import Proof
from podium.model.rules import evaluate
from podium.search import alphabeta, beam, mcts
from podium.search.alphabeta import AlphaBeta
from podium.search.beam import Beam
from podium.search.mcts import Mcts
from podium.search.perft import perft
from podium.search.plain import Plain
from podium.search.solver import DEADLINE, NODES_LEFT, new_solver, prove
from tests.search.columns import PLIES, RULES, WIDTH, State, columns_final_score, start

ALPHABETA_PARAMS = ParamSpec("columns alpha-beta parameters", *alphabeta.PARAMETERS)
BEAM_PARAMS = ParamSpec("columns beam parameters", *adjusted(beam.PARAMETERS, width=50, depth=60, discount=1.0))
MCTS_PARAMS = ParamSpec("columns mcts parameters", *adjusted(mcts.PARAMETERS, memory=1, solve=2, opponent_epsilon=0.0))
LAST = PLIES - (8 if JIT else 5)  # stones on the board of an ending


@evaluate.register(State, ALPHABETA_PARAMS.dtype)
@evaluate.register(State, BEAM_PARAMS.dtype)
@kernel
def columns_evaluate(state, params, seat):
    return np.float64(columns_final_score(state, seat))


def test_playouts_are_as_long_as_the_game_and_stay_in_their_rows():
    buffers = new_playout_buffers(State, WIDTH, PLIES)
    assert buffers.played.shape == (2, PLIES)
    games = 30 if JIT else 3
    tally = np.zeros((AMAF_ROWS, WIDTH), np.float32)
    plain_playouts(start(), MCTS_PARAMS.params(), buffers, generator(1), games, tally)
    assert tally[OWN].sum() == tally[OTHER].sum() == games * PLIES / 2
    assert (tally[OWN] + tally[OTHER] == games * PLIES / WIDTH).all(), "every column is filled in every game"


def test_monte_carlo_search_plays_it():
    result = Mcts(RULES, MCTS_PARAMS.params()).decide(start(), 0, Budget(nodes=200 if JIT else 5))
    assert sum(option.visits for option in result.options) == result.nodes * 10


@pytest.mark.parametrize("stones", range(LAST, PLIES))
def test_endings_are_solved_as_plain_recursion_solves_them(stones):
    state, seat = start(stones), stones & 1
    truth = Plain(RULES).solve(state, seat)
    states, moves = allocate(State, PLIES + 1), np.zeros((PLIES + 1, WIDTH), np.int64)
    states[0] = state
    solver = new_solver(State, 0.1, WIDTH, PLIES + 1)
    solver.limits[NODES_LEFT], solver.limits[DEADLINE] = 10**6, NEVER
    assert prove(states, moves, np.int64(0), solver) == {1: WIN, 0: DRAW, -1: LOSS}[truth]
    result = AlphaBeta(RULES, ALPHABETA_PARAMS.params(), table_bits=10, cache_bits=10).decide(state, seat)
    assert result.proof == Proof.EXACT
    assert np.sign(result.value) == truth
    found = Mcts(RULES, MCTS_PARAMS.params()).decide(state, seat, Budget(nodes=2000 if JIT else 300))
    assert found.proof == {1: Proof.WIN, 0: Proof.DRAW, -1: Proof.LOSS}[truth]


def test_a_beam_ends_with_the_game():
    result = Beam(RULES, BEAM_PARAMS.params()).decide(start(LAST), 0)
    assert len(result.line) == PLIES - LAST


def test_perft_counts_no_move_after_the_end():
    assert perft(start(PLIES - 2), 2, WIDTH) == 1
    assert perft(start(PLIES - 2), 3, WIDTH) == 0


@pytest.mark.parametrize("switches", [{}, {"late_sort": False}])
def test_a_game_of_two_moves_is_searched(switches):
    """Hash move and killers are tried before the list is made: three moves, more than there may be."""
    state = start(PLIES - 12)
    narrow = replace(RULES, most_moves=2)
    result = AlphaBeta(narrow, ALPHABETA_PARAMS.params(switches), table_bits=8, cache_bits=8).decide(state, 0, depth=6)
    assert result.value == Plain(RULES, ALPHABETA_PARAMS.params()).minimax(state, 0, 6)[0]
