"""max^n against a plain recursion, with and without pruning, on a made-up game of three seats."""

import numpy as np
import pytest

from podium.kernel import JIT, kernel
from podium.model.budget import Budget
from podium.model.hooks import TOTAL, shares
from podium.model.result import Proof
from podium.model.rules import is_over, mover
from podium.search.maxn import MaxN
from podium.search.plain import Plain
from tests.search.toy import PARAMS, RULES, State, start, toy_key

SIXTEENTHS = np.uint64(16)
GAMES = [number for number in range(25 if JIT else 4) if not is_over(start(number, last=9))]


@shares.register(State, PARAMS.dtype)
@kernel
def toy_shares(state, params, out):
    """Random sixteenths: exact in binary, so that they add up to exactly one."""
    first = np.int64((toy_key(state) >> np.uint64(20)) % SIXTEENTHS)
    second = np.int64((toy_key(state) >> np.uint64(30)) % np.uint64(17 - first))
    out[0] = first / 16.0
    out[1] = second / 16.0
    out[2] = (16 - first - second) / 16.0


@pytest.mark.parametrize("pruning", [False, True])
@pytest.mark.parametrize("number", GAMES)
def test_values_and_lines_are_those_of_the_definition(number, pruning):
    params = PARAMS.params()
    depth = 6 if JIT else 4
    state = start(number, last=9)
    searcher = MaxN(RULES, params, pruning=pruning)
    result = searcher.decide(state, int(mover(state)), depth=depth, stride=depth)
    vector, line = Plain(RULES, params).maxn(state, depth)
    assert sum(vector) == TOTAL
    assert searcher.vector == vector
    assert result.line == line
    assert result.value == vector[mover(state)]


def test_pruning_saves_nodes():
    params = PARAMS.params()
    nodes = {}
    for pruning in (False, True):
        searcher = MaxN(RULES, params, pruning=pruning)
        nodes[pruning] = sum(searcher.decide(start(n, last=9), 0, depth=5).nodes for n in range(8))
    assert nodes[True] < nodes[False]


def test_a_node_budget_is_kept_and_repeatable():
    params = PARAMS.params()
    results = [MaxN(RULES, params).decide(start(3, last=40), 0, Budget(nodes=500)) for _ in range(2)]
    assert results[0] == results[1]
    assert results[0].nodes == 500


def test_a_game_searched_to_its_end_is_proven():
    result = MaxN(RULES, PARAMS.params()).decide(start(5, last=3), 0)
    assert result.proof == Proof.EXACT
    assert result.depth <= 4
