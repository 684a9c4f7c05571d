"""max^n against a plain recursion, with and without pruning, on a made-up game of three seats."""

import numpy as np
import pytest

from podium.kernel import JIT, allocate, kernel
from podium.kernel.budget import Budget
from podium.kernel.rules import candidates, is_over, mover, play
from podium.search.hooks import TOTAL, shares
from podium.search.maxn import MaxN
from podium.search.result import Proof
from tests.search.toy import MINDS, MOST_MOVES, SEATS, State, start, toy_key

SIXTEENTHS = np.uint64(16)
GAMES = [number for number in range(25 if JIT else 4) if not is_over(start(number, last=9))]


@shares.register(State, MINDS.dtype)
@kernel
def toy_shares(state, mind, out):
    """Random sixteenths: exact in binary, so that they add up to exactly one."""
    first = np.int64((toy_key(state) >> np.uint64(20)) % SIXTEENTHS)
    second = np.int64((toy_key(state) >> np.uint64(30)) % np.uint64(17 - first))
    out[0] = first / 16.0
    out[1] = second / 16.0
    out[2] = (16 - first - second) / 16.0


def plain(state, mind, depth):
    """The vector and the line of a state, straight from the definition."""
    if depth == 0 or is_over(state):
        vector = np.zeros(SEATS)
        shares(state, mind, vector)
        return vector.tolist(), []
    moves = np.zeros(MOST_MOVES, np.int64)
    best, line = None, []
    for move in moves[: candidates(state, mind, moves)].tolist():
        child = allocate(State, 1)
        child[0] = state
        play(child[0], move)
        vector, rest = plain(child[0], mind, depth - 1)
        if best is None or vector[mover(state)] > best[mover(state)]:  # moves come in their order: ties go to the first
            best, line = vector, [move, *rest]
    return best, line


@pytest.mark.parametrize("pruning", [False, True])
@pytest.mark.parametrize("number", GAMES)
def test_values_and_lines_are_those_of_the_definition(number, pruning):
    mind = MINDS.mind()
    depth = 6 if JIT else 4
    state = start(number, last=9)
    searcher = MaxN(State, mind, SEATS, MOST_MOVES, pruning)
    result = searcher.search(state, int(mover(state)), depth=depth, stride=depth)
    vector, line = plain(state, mind, depth)
    assert sum(vector) == TOTAL
    assert searcher.vector == vector
    assert result.line == line
    assert result.value == vector[mover(state)]


def test_pruning_saves_nodes():
    mind = MINDS.mind()
    nodes = {}
    for pruning in (False, True):
        searcher = MaxN(State, mind, SEATS, MOST_MOVES, pruning)
        nodes[pruning] = sum(searcher.search(start(n, last=9), 0, depth=5).nodes for n in range(8))
    assert nodes[True] < nodes[False]


def test_a_node_budget_is_kept_and_repeatable():
    mind = MINDS.mind()
    results = [MaxN(State, mind, SEATS, MOST_MOVES).search(start(3, last=40), 0, Budget(nodes=500)) for _ in range(2)]
    assert results[0] == results[1]
    assert results[0].nodes == 500


def test_a_game_searched_to_its_end_is_proven():
    result = MaxN(State, MINDS.mind(), SEATS, MOST_MOVES).search(start(5, last=3), 0)
    assert result.proof == Proof.EXACT
    assert result.depth <= 4
