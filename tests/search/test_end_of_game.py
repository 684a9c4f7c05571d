"""Searches over a game that is longer than it is wide, and whose ended positions must not be asked for moves."""

import numpy as np
import pytest

from podium.kernel import JIT, allocate, kernel
from podium.kernel.budget import Budget
from podium.kernel.clock import NEVER
from podium.kernel.minds import MindType, adjusted
from podium.kernel.random import generator
from podium.kernel.rules import evaluate
from podium.search import alphabeta, beam, mcts
from podium.search.alphabeta import AlphaBeta
from podium.search.beam import Beam
from podium.search.hooks import OTHER, OWN, ROWS, plain_playouts
from podium.search.mcts import Mcts
from podium.search.perft import perft
from podium.search.playouts import new_playroom
from podium.search.result import Proof
from podium.search.solve import DEADLINE, DRAW, LOSS, NODES_LEFT, WIN, new_prover, prove
from podium.testing.plain import Plain
from tests.search.columns import PLIES, WIDTH, State, columns_final_score, start

ALPHABETA_MINDS = MindType("columns alpha-beta mind", *alphabeta.PARAMETERS)
BEAM_MINDS = MindType("columns beam mind", *adjusted(beam.PARAMETERS, width=50, depth=60, discount=1.0))
MCTS_MINDS = MindType("columns mcts mind", *adjusted(mcts.PARAMETERS, memory=1, solve=2, pitfalls=0.0))
LAST = PLIES - (8 if JIT else 5)  # stones on the board of an ending


@evaluate.register(State, ALPHABETA_MINDS.dtype)
@evaluate.register(State, BEAM_MINDS.dtype)
@kernel
def columns_evaluate(state, mind, seat):
    return np.float64(columns_final_score(state, seat))


def test_playouts_are_as_long_as_the_game_and_stay_in_their_rows():
    room = new_playroom(State, WIDTH, PLIES)
    assert room.played.shape == (2, PLIES)
    games = 30 if JIT else 3
    tally = np.zeros((ROWS, WIDTH), np.float32)
    plain_playouts(start(), room, generator(1), games, tally)
    assert tally[OWN].sum() == tally[OTHER].sum() == games * PLIES / 2
    assert (tally[OWN] + tally[OTHER] == games * PLIES / WIDTH).all(), "every column is filled in every game"


def test_monte_carlo_search_plays_it():
    result = Mcts(State, MCTS_MINDS.mind(), WIDTH, WIDTH, PLIES).search(start(), 0, Budget(nodes=200 if JIT else 5))
    assert sum(option.visits for option in result.options) == result.nodes * 10


@pytest.mark.parametrize("stones", range(LAST, PLIES))
def test_endings_are_solved_as_plain_recursion_solves_them(stones):
    state, seat = start(stones), stones & 1
    truth = Plain(10**6).solve(state, seat)
    states, moves = allocate(State, PLIES + 1), np.zeros((PLIES + 1, WIDTH), np.int64)
    states[0] = state
    prover = new_prover(State, 0.1, WIDTH, PLIES + 1)
    prover.limits[NODES_LEFT], prover.limits[DEADLINE] = 10**6, NEVER
    assert prove(states, moves, np.int64(0), prover) == {1: WIN, 0: DRAW, -1: LOSS}[truth]
    result = AlphaBeta(State, ALPHABETA_MINDS.mind(), WIDTH, 10, 10).search(state, seat)
    assert result.proof == Proof.EXACT
    assert np.sign(result.value) == truth
    found = Mcts(State, MCTS_MINDS.mind(), WIDTH, WIDTH, PLIES).search(state, seat, Budget(nodes=2000 if JIT else 300))
    assert found.proof == {1: Proof.WIN, 0: Proof.DRAW, -1: Proof.LOSS}[truth]


def test_a_beam_ends_with_the_game():
    result = Beam(State, BEAM_MINDS.mind(), WIDTH).search(start(LAST), 0)
    assert len(result.line) == PLIES - LAST


def test_perft_counts_no_move_after_the_end():
    assert perft(start(PLIES - 2), 2, WIDTH) == 1
    assert perft(start(PLIES - 2), 3, WIDTH) == 0


@pytest.mark.parametrize("switches", [{}, {"late_sort": False}])
def test_a_game_of_two_moves_is_searched(switches):
    """Hash move and killers are tried before the list is made: three moves, more than there may be."""
    state = start(PLIES - 12)
    result = AlphaBeta(State, ALPHABETA_MINDS.mind(switches), 2, 8, 8).search(state, 0, depth=6)
    assert result.value == Plain(10**6).minimax(state, ALPHABETA_MINDS.mind(), 6, 0)
