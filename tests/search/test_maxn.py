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
from podium.search.trace import recording
from podium.search.trace_room import SEARCHED
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


@pytest.mark.parametrize("pruning", [False, True])
def test_the_vectors_of_a_trace_are_those_of_the_search(pruning):
    state = start(GAMES[0], last=9)
    search = MaxN(RULES, PARAMS.params(), pruning=pruning)
    with recording() as traces:
        result = search.decide(state, 0, depth=5 if JIT else 3)
    (trace,) = traces
    columns, parent = trace.columns, trace.columns["parent"]
    assert int((parent >= 0).sum()) == result.nodes == columns["nodes"][parent < 0].sum()
    assert columns["value"][trace.root] == result.value
    assert columns["depth"][trace.root] == result.depth
    for row in np.flatnonzero(columns["source"] == SEARCHED).tolist():
        children = np.flatnonzero(parent == row)
        best = children[columns["share"][children] == columns["share"][children].max()]
        chosen = best[np.argmin(columns["move"][best])]
        assert columns["value"][chosen] == columns["value"][row]
        pruned = len(children) < columns["moves"][row]
        assert pruned == (columns["bound"][row] == 0)
    assert pruning or columns["bound"].all()


def test_a_trace_that_does_not_fit_keeps_the_upper_plies():
    state, budget = start(3, last=40), Budget(nodes=20_000 if JIT else 5000)
    plain = MaxN(RULES, PARAMS.params()).decide(state, 0, budget)
    with recording(rows=1) as traces:
        assert MaxN(RULES, PARAMS.params()).decide(state, 0, budget) == plain
    columns = traces[0].columns
    assert "plies have rows" in traces[0].facts["cut"]
    assert (columns["parent"] < np.arange(len(traces[0]))).all()
    assert columns["nodes"][columns["parent"] < 0].sum() == plain.nodes
