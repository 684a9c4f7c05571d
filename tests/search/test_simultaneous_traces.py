"""Traces of searches of simultaneous moves: visits add up, and the tables and the matrix are those of the result."""

import numpy as np
import pytest

from podium.errors import PodiumError
from podium.kernel import JIT
from podium.model.budget import Budget
from podium.model.rules import mover
from podium.model.ruleset import Rules
from podium.search.decoupled import DecoupledUct
from podium.search.decoupled_selection import SELECTIONS
from podium.search.rolling_horizon import RollingHorizon
from podium.search.root_matrix import RootMatrix
from podium.search.smitsimax import Smitsimax
from podium.search.trace import Trace, read_trace, recording
from podium.search.trace_room import NO_ROW
from tests.search import toy
from tests.search.simultaneous_games import COINS, OSHI_ZUMO_RULES, coins_ahead, oshi_zumo

NODES = 900 if JIT else 60
SEARCHES = [DecoupledUct, Smitsimax, RootMatrix, RollingHorizon]


def traced(kind, state, seat=0, nodes=NODES, rows=0, **options):
    """A search with its result and its trace."""
    search = kind(OSHI_ZUMO_RULES, evaluate=coins_ahead, seed=5, **options)
    with recording() as traces:
        traces.most_rows = rows or traces.most_rows
        result = search.decide(state, seat, Budget(nodes=nodes))
    (trace,) = traces
    return result, trace


def table(trace: Trace, row: int, seat: int) -> dict[int, dict[str, float]]:
    """A seat's moves at a node by their numbers."""
    places = np.flatnonzero((trace.seats["row"] == row) & (trace.seats["seat"] == seat))
    names = [name for name in trace.seats if name not in ("row", "seat", "move")]
    return {int(trace.seats["move"][at]): {name: trace.seats[name][at].item() for name in names} for at in places}


@pytest.mark.parametrize("kind", SEARCHES)
@pytest.mark.parametrize("seat", [0, 1])
def test_a_search_is_the_same_with_and_without_a_trace(kind, seat):
    plain = kind(OSHI_ZUMO_RULES, evaluate=coins_ahead, seed=5).decide(oshi_zumo((4, 4)), seat, Budget(nodes=NODES))
    result, trace = traced(kind, oshi_zumo((4, 4)), seat)
    assert repr(result) == repr(plain)
    assert (trace.columns["parent"] < np.arange(len(trace))).all()
    assert trace.columns["value"][trace.root] == pytest.approx(result.value, abs=1e-4)


@pytest.mark.parametrize("selection", SELECTIONS)
@pytest.mark.parametrize("seat", [0, 1])
def test_visits_of_joint_choices_and_of_seats_add_up(selection, seat):
    result, trace = traced(DecoupledUct, oshi_zumo((5, 4)), seat, selection=selection, decide_matrices=False)
    visits, parent = trace.columns["visits"], trace.columns["parent"]
    assert visits[0] == result.nodes == visits[parent == 0].sum() == trace.facts["logged"]
    assert len(trace) > NODES / 20
    nodes = np.unique(trace.seats["row"])
    assert set(nodes) == set(np.unique(parent[1:]))
    for row in nodes.tolist():
        below = np.flatnonzero(parent == row)
        for place, each in enumerate((0, 1)):
            column = trace.columns["move2" if place else "move"][below]
            for move, known in table(trace, row, each).items():
                assert known["visits"] == visits[below[column == move]].sum()
        assert sum(known["share"] for known in table(trace, row, 0).values()) == pytest.approx(1, abs=1e-5)


@pytest.mark.parametrize("selection", SELECTIONS)
def test_the_log_gives_the_visits_and_values_of_the_tree(selection):
    _, trace = traced(DecoupledUct, oshi_zumo((4, 4)), selection=selection)
    rows, values = trace.log["row"], trace.log["value"]
    visits = np.bincount(rows, minlength=len(trace))
    assert np.array_equal(visits[1:], trace.columns["visits"][1:])
    means = np.bincount(rows, values, minlength=len(trace)) / np.maximum(visits, 1)
    assert np.allclose(means[1:], trace.columns["value"][1:], atol=1e-4)


@pytest.mark.parametrize("selection", ["ucb1", "ucb1-tuned", "puct"])
def test_the_highest_score_is_chosen_next(selection):
    options = {"selection": selection, "decide_matrices": False, "reuse_tree": False}
    for nodes in (NODES // 2, NODES):
        _, trace = traced(DecoupledUct, oshi_zumo((5, 4)), nodes=nodes, **options)
        _, later = traced(DecoupledUct, oshi_zumo((5, 4)), nodes=nodes + 1, **options)
        for seat in (0, 1):
            before, after = table(trace, 0, seat), table(later, 0, seat)
            (chosen,) = (move for move in after if after[move]["visits"] > before[move]["visits"])
            assert chosen == max(before, key=lambda move: before[move]["score"])


@pytest.mark.parametrize("kind", [DecoupledUct, RootMatrix])
@pytest.mark.parametrize("seat", [0, 1])
def test_tables_and_matrix_are_those_of_the_result(kind, seat):
    result, trace = traced(kind, oshi_zumo((4, 3)), seat)
    own = table(trace, 0, seat)
    for option in result.options:
        assert own[option.move]["share"] == pytest.approx(option.share, abs=1e-5)
        assert own[option.move]["value"] == pytest.approx(option.value, abs=1e-4)
    turn = trace.turn(trace.root)
    shown, matrix = turn["matrix"], result.matrix
    assert shown["rows"] == [str(move) for move in matrix.rows]
    assert sorted(shown["columns"]) == sorted(str(column[0]) for column in matrix.columns)
    for column, moves in enumerate(matrix.columns):
        at = shown["columns"].index(str(moves[0]))
        assert shown["column_shares"][at] == pytest.approx(matrix.column_shares[column], abs=1e-5)
        for row in range(len(matrix.rows)):
            expected, found = matrix.values[row][column], shown["values"][row][at]
            assert found is None if np.isnan(expected) else found == pytest.approx(expected, abs=1e-4)
    assert shown["row_shares"] == pytest.approx(list(matrix.row_shares), abs=1e-5)


def test_the_nodes_of_a_matrix_add_up():
    result, trace = traced(RootMatrix, oshi_zumo((4, 4)), nodes=5 * NODES)
    nodes, parent = trace.columns["nodes"], trace.columns["parent"]
    assert nodes[parent == 0].sum() == result.nodes == nodes[0]
    assert (parent > 0).any(), "no line is below a joint choice"


def test_every_seat_has_a_tree_in_smitsimax():
    result, trace = traced(Smitsimax, oshi_zumo((5, 5)), 1)
    visits, parent = trace.columns["visits"], trace.columns["parent"]
    assert parent[:3].tolist() == [NO_ROW, NO_ROW, 0]
    assert trace.root == 1
    assert trace.facts["logged"] == result.nodes == visits[0] == visits[1]
    for root in (0, 1):
        assert visits[parent == root].sum() == result.nodes
    own = table(trace, trace.root, 1)
    for option in result.options:
        assert own[option.move]["visits"] == option.visits
        assert own[option.move]["value"] == pytest.approx(option.value, abs=1e-4)
    assert np.array_equal(np.bincount(trace.log["row"], minlength=len(trace)), visits)
    means = np.bincount(trace.log["row"], trace.log["value"], minlength=len(trace)) / np.maximum(visits, 1)
    assert np.allclose(means, trace.columns["value"], atol=1e-4)
    assert (trace.columns["seat"][2:] == trace.columns["seat"][parent[2:]]).all()


@pytest.mark.parametrize("kind", SEARCHES)
def test_rows_are_positions_and_the_file_holds_all(kind, tmp_path):
    _, trace = traced(kind, oshi_zumo((6, 6)), nodes=NODES // 3)
    path = tmp_path / "trace.npz"
    trace.save(path)
    again = read_trace(path, lambda name: OSHI_ZUMO_RULES)
    assert again.facts == trace.facts
    assert again.seats.keys() == trace.seats.keys()
    for row in range(0, len(trace), max(1, len(trace) // 15)):
        assert again.line(row) == trace.line(row)
        assert again.texts([row]) == (trace.line(row)[-1:] or [""])
        assert again.turn(row) == trace.turn(row)
        if kind in (DecoupledUct, RootMatrix) and trace.columns["mover"][row] < 2:
            assert mover(again.state(row)) == trace.columns["mover"][row]


def test_the_plans_of_a_rolling_horizon_can_be_looked_at():
    result, trace = traced(RollingHorizon, oshi_zumo((6, 6)), horizon=4, population=5)
    best = [row for row in trace.rows() if row["value"] == pytest.approx(result.value)]
    assert str(result.move) in {row["move"].split(" / ")[0] for row in best}
    assert 2 <= trace.columns["ply"].max() <= 4
    assert (trace.columns["value"] <= result.value + 1e-9).all()
    assert trace.turn(0) is None


def test_plans_that_a_rolling_horizon_tried_and_dropped_have_rows():
    result, trace = traced(RollingHorizon, oshi_zumo((6, 6)), horizon=4)
    nodes, parent, value = (trace.columns[name] for name in ("nodes", "parent", "value"))
    assert len(set(value[parent == 0].tolist())) > 1
    assert value[parent == 0].max() == pytest.approx(result.value)
    sums = np.bincount(parent[1:], nodes[1:], minlength=len(trace))
    assert (nodes >= sums).all()
    assert nodes[0] == 1 + sums[0]


def test_what_does_not_fit_is_cut_by_visits():
    start, rows = oshi_zumo((COINS, COINS)), 60
    _, trace = traced(DecoupledUct, start, rows=rows, decide_matrices=False)
    assert 1 < len(trace) <= rows
    assert trace.columns["visits"][0] == trace.columns["visits"][trace.columns["parent"] == 0].sum()
    assert "visits have rows" in trace.facts["cut"]
    _, other = traced(Smitsimax, start, rows=rows, turns_deep=12)
    assert 2 < len(other) <= rows + 2
    assert "visits have rows" in other.facts["cut"]


def test_a_game_of_three_in_turns_has_tables_of_one_seat():
    rules = Rules("three", toy.RULES.state, toy.RULES.seats, toy.RULES.most_moves, toy.RULES.move_codes, 40)
    state = toy.start(1, 12)
    trace = DecoupledUct(rules, evaluate=toy.opinion, seed=1).trace(state, nodes=NODES)
    turn = trace.turn(0)
    assert len(turn["seats"]) == 1
    assert turn["matrix"] is None
    assert sum(move["visits"] for move in turn["seats"][0]["moves"]) == NODES


def test_plain_python_says_that_it_keeps_no_trace():
    search = DecoupledUct(OSHI_ZUMO_RULES, evaluate=lambda state, seat: 0.0)
    with pytest.raises(PodiumError, match="keeps no trace"):
        search.trace(oshi_zumo((3, 3)), nodes=20)
