"""A trace replayed gives the search's own result: values, visits and counts of nodes."""

import numpy as np
import pytest

from podium.errors import PodiumError
from podium.kernel import JIT
from podium.model.budget import Budget
from podium.model.params import ParamSpec
from podium.model.rules import is_over, mover
from podium.search import mcts
from podium.search.alphabeta import AlphaBeta
from podium.search.mcts import Mcts
from podium.search.trace import LEAST_ROWS, SOURCES, Trace, read_trace, recording
from podium.search.trace_room import AGAIN, EVALUATED, NO_ROW, SEARCHED, TABLE_HIT
from podium.search.transpositions import NO_MOVE
from tests.search import columns, toy

SWITCHES = [{}, {"table": False}, {"scout": False}, {"reduction": 1, "reduce_after": 1}, {"aspiration": 1.0}]
RAVE = ParamSpec("trace test parameters", *mcts.PARAMETERS).params({"memory": 4, "playouts": 2})


def starts(number):
    found = (toy.start(seed, 12) for seed in range(100))
    return [state for state in found if not is_over(state)][:number]


def last_attempts(trace: Trace, row: int) -> list[int]:
    """The children of a row, each move once: its last search."""
    rows = np.flatnonzero(trace.columns["parent"] == row)
    return [int(r) for r in dict(zip(trace.columns["move"][rows].tolist(), rows.tolist(), strict=True)).values()]


def replayed(trace: Trace, row: int) -> float:
    """The value of a searched node by the values of its children."""
    values = trace.columns["value"][last_attempts(trace, row)]
    mine = trace.columns["mover"][row] == trace.facts["seat"]
    return float(values.max() if mine else values.min())


@pytest.mark.parametrize("changes", SWITCHES if JIT else SWITCHES[:2])
def test_the_values_of_alphabeta_follow_from_its_trace(changes):
    for state in starts(8 if JIT else 1):
        depth = 7 if JIT else 3
        search = AlphaBeta(toy.RULES, toy.PARAMS.params(changes), table_bits=8, cache_bits=4)
        with recording() as traces:
            result = search.decide(state, 0, depth=depth)
        (trace,) = traces
        source, parent = trace.columns["source"], trace.columns["parent"]
        assert not (source == SOURCES.index("unfinished")).any()
        for row in np.flatnonzero(source == SEARCHED).tolist():
            assert replayed(trace, row) == trace.columns["value"][row]
        assert trace.columns["value"][trace.root] == result.value
        assert parent[trace.root] == NO_ROW
        # counts: every node once, but not the root and not a second search of the same move
        again = trace.columns["attempt"] >= AGAIN
        assert int(((parent != NO_ROW) & ~again).sum()) == result.nodes
        assert trace.columns["nodes"][parent == NO_ROW].sum() == result.nodes
        assert (trace.columns["parent"] < np.arange(len(trace))).all()


def test_the_principal_variation_follows_from_the_trace():
    state = starts(1)[0]
    trace = AlphaBeta(toy.RULES, toy.PARAMS.params({"table": False})).trace(state, seat=0, depth=5 if JIT else 2)
    row, line = trace.root, []
    while (children := last_attempts(trace, row)) and trace.columns["source"][row] == SEARCHED:
        row = next(r for r in children if trace.columns["value"][r] == trace.columns["value"][row])
        line.append(int(trace.columns["move"][row]))
    assert line == trace.facts["result"]["line"]
    assert trace.path(row)[-1] == row
    assert trace.line(row) == [str(move) for move in line]


def test_a_search_is_the_same_with_and_without_a_trace():
    for state in starts(3 if JIT else 1):
        budget = Budget(nodes=2000 if JIT else 60)
        plain = AlphaBeta(toy.RULES, toy.PARAMS.params()).decide(state, 0, budget)
        with recording() as traces:
            traced = AlphaBeta(toy.RULES, toy.PARAMS.params()).decide(state, 0, budget)
        assert traced == plain
        assert len(traces) == 1


def test_a_trace_that_does_not_fit_keeps_the_upper_plies_and_all_counts():
    state = max((toy.start(seed, 60) for seed in range(20)), key=lambda start: 0 if is_over(start) else 1)
    params = toy.PARAMS.params({"table": False, "scout": False, "killers": False, "history": False})
    with recording(LEAST_ROWS) as traces:
        result = AlphaBeta(toy.RULES, params).decide(state, 0, Budget(nodes=60_000 if JIT else 6000))
    (trace,) = traces
    assert result.nodes > LEAST_ROWS
    assert "plies have rows" in trace.facts["cut"]
    assert len(trace) <= LEAST_ROWS
    assert (trace.columns["parent"] < np.arange(len(trace))).all()
    assert trace.columns["nodes"][trace.columns["parent"] == NO_ROW].sum() == result.nodes
    deepest = trace.columns["ply"].max()
    for row in np.flatnonzero((trace.columns["source"] == SEARCHED) & (trace.columns["ply"] < deepest)).tolist():
        assert replayed(trace, row) == trace.columns["value"][row]


def test_reasons_name_hash_moves_and_killers():
    trace = AlphaBeta(toy.RULES, toy.PARAMS.params()).trace(starts(1)[0], seat=0, depth=7 if JIT else 4)
    data = [
        row["reason"]
        for root in np.flatnonzero(trace.columns["source"] == SEARCHED)[:200]
        for row in trace.children(int(root))
    ]
    assert {"hash move", "killer"} <= set(data)
    assert {EVALUATED, TABLE_HIT} <= set(trace.columns["source"].tolist())


@pytest.mark.parametrize("nodes", [300 if JIT else 12])
def test_the_visits_of_a_tree_search_add_up(nodes):
    state = columns.start()
    search = Mcts(columns.RULES, RAVE, seed=3)
    with recording() as traces:
        result = search.decide(state, 0, Budget(nodes=nodes))
    (trace,) = traces
    visits, parent, weight = trace.columns["visits"], trace.columns["parent"], trace.facts["weight"]
    assert trace.facts["logged"] == result.nodes
    assert visits[0] == weight * result.nodes == visits[parent == 0].sum()
    # every visit of every edge is in the log, with its result
    rows, values = trace.log["row"], trace.log["value"]
    counted = ~np.isnan(values)
    assert np.array_equal(np.bincount(rows[counted], minlength=len(trace)) * weight, np.where(parent < 0, 0, visits))
    sums = np.bincount(rows[counted], values[counted], minlength=len(trace))
    means = sums / np.maximum(visits, 1)
    assert np.allclose(means[1:], trace.columns["value"][1:], atol=1e-4)
    assert int(trace.columns["move"][1:][np.argmax(visits[parent == 0])]) == result.move
    assert {"amaf_visits", "general_value", "score", "prior"} <= trace.columns.keys()


def test_a_tree_search_is_the_same_with_and_without_a_trace_and_edges_end_in_positions():
    state = columns.start()
    budget = Budget(nodes=200 if JIT else 10)
    plain = Mcts(columns.RULES, RAVE, seed=3).decide(state, 0, budget)
    with recording() as traces:
        assert Mcts(columns.RULES, RAVE, seed=3).decide(state, 0, budget) == plain
    trace = traces[0]
    for row in range(0, len(trace), 7):
        if trace.columns["mover"][row] < columns.RULES.seats:
            assert mover(trace.state(row)) == trace.columns["mover"][row]


def test_a_tree_that_does_not_fit_keeps_what_was_visited_most():
    with recording(LEAST_ROWS) as traces:
        Mcts(columns.RULES, seed=3, memory=8, playouts=1).decide(columns.start(), 0, Budget(nodes=3000 if JIT else 30))
    trace = traces[0]
    assert len(trace) <= LEAST_ROWS
    if JIT:
        assert "visits have rows" in trace.facts["cut"]


def test_a_trace_is_written_and_read_again(tmp_path):
    trace = AlphaBeta(toy.RULES, toy.PARAMS.params()).trace(starts(1)[0], seat=0, depth=3)
    trace.save(tmp_path / "trace.npz")
    again = read_trace(tmp_path / "trace.npz", lambda name: toy.RULES)
    assert again.facts == trace.facts
    assert all(np.array_equal(again.columns[name], trace.columns[name], equal_nan=True) for name in trace.columns)
    row = len(trace) - 1
    assert again.line(row) == trace.line(row)
    assert again.rows() == trace.rows()


def test_a_file_that_is_no_trace_is_an_error(tmp_path):
    (tmp_path / "no.npz").write_text("nothing")
    with pytest.raises(PodiumError, match="is not a trace"):
        read_trace(tmp_path / "no.npz", lambda name: toy.RULES)
    with pytest.raises(PodiumError, match="cannot be read"):
        read_trace(tmp_path / "missing.npz", lambda name: toy.RULES)
    with pytest.raises(PodiumError, match="rows 0 to"):
        AlphaBeta(toy.RULES, toy.PARAMS.params()).trace(starts(1)[0], seat=0, depth=2).state(10**6)


def test_a_search_in_plain_python_says_that_it_keeps_no_trace():
    search = AlphaBeta(columns.RULES, evaluate=lambda state, seat: 0.0)
    with pytest.raises(PodiumError, match="keeps no trace"):
        search.trace(columns.start(30), depth=1)


assert NO_MOVE == NO_ROW == -1  # as docs/traces.md says
