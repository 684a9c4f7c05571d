"""Beam search on a small game of its own, against exhaustive search."""

import math
from itertools import product
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from podium.errors import PodiumError
from podium.kernel import JIT, allocate, blank, kernel, record
from podium.kernel.bits import ONE
from podium.kernel.clock import NEVER, now
from podium.kernel.random import GOLDEN, mix
from podium.model.budget import Budget
from podium.model.hooks import undiscounted_value
from podium.model.params import Parameter, ParamSpec
from podium.model.result import Proof
from podium.model.rules import candidates, evaluate, final_score, is_over, key, play
from podium.model.ruleset import Rules
from podium.search import beam
from podium.search.beam import Beam
from podium.search.beam_kernels import (
    EVERY_MOVE,
    BeamResult,
    BeamSettings,
    kth_largest,
    most_frequent_first,
    new_workspace,
    search_layers,
)
from podium.search.trace import recording
from podium.search.trace_room import EARLIER, ENDED, KEPT, TOO_LOW, WORSE_TWIN

# A walk over a ring of fields. Each step pays the field stepped on, once; after LAST steps it is over.
RING, MOVES, LAST = 23, 3, 7
PAY = np.array([(3 * i * i + 4 * i + 1) % 17 - 8 for i in range(RING)], dtype=np.int64)
STEPS = np.array([1, 5, 9], dtype=np.int64)
GOAL = 15  # an ended walk with more is a win

Walk = record("test walk", [("spot", "i8"), ("steps", "i8"), ("paid", "i8"), ("visited", "u8")])
RULES = Rules("walk", Walk, 1, MOVES, MOVES, LAST)
PARAMS = ParamSpec(
    "test walker",
    Parameter("weight", 1.0, "of what was paid"),
    Parameter("shine", 0.0, "undiscounted worth of the field's number"),
)


BEAM_PARAMS = ParamSpec("test beam parameters", *beam.PARAMETERS, *PARAMS)


@candidates.register(Walk, BEAM_PARAMS.dtype)
@candidates.register(Walk, PARAMS.dtype)
@kernel
def walk_candidates(state: Any, params: Any, out: Any) -> int:
    for i in range(MOVES):
        out[i] = i
    return MOVES


@play.register(Walk)
@kernel
def walk_play(state: Any, move: int) -> None:
    state.spot = (state.spot + STEPS[move]) % RING
    bit = ONE << np.uint64(state.spot)
    if not state.visited & bit:
        state.paid += PAY[state.spot]
    state.visited |= bit
    state.steps += 1


@is_over.register(Walk)
@kernel
def walk_is_over(state: Any) -> bool:
    return state.steps >= LAST


@final_score.register(Walk)
@kernel
def walk_final_score(state: Any, seat: int) -> int:
    return state.paid - GOAL


@key.register(Walk)
@kernel
def walk_key(state: Any) -> Any:
    return mix(state.visited ^ mix(np.uint64(state.spot) + GOLDEN * np.uint64(state.steps + 1)))


@evaluate.register(Walk, BEAM_PARAMS.dtype)
@evaluate.register(Walk, PARAMS.dtype)
@kernel
def walk_evaluate(state: Any, params: Any, seat: int) -> float:
    return params.weight * state.paid


@undiscounted_value.register(Walk, BEAM_PARAMS.dtype)
@undiscounted_value.register(Walk, PARAMS.dtype)
@kernel
def walk_undiscounted_value(state: Any, params: Any, seat: int) -> float:
    return params.shine * state.spot


def walked(line, params, discount):
    """The value of a sequence, computed slowly, and the state at its end."""
    state = blank(Walk)
    value = 0.0
    for depth, move in enumerate(line, 1):
        before = walk_evaluate(state, params, 0)
        walk_play(state, move)
        value += discount**depth * (walk_evaluate(state, params, 0) - before)
    return value + walk_undiscounted_value(state, params, 0), state


def run(width=50, depth=5, discount=0.9, params=None, deadline=NEVER, nodes=2**60, only=EVERY_MOVE, **switches):
    params = params or PARAMS.params()
    work, result, chosen = new_workspace(Walk, width, depth, MOVES), blank(BeamResult), blank(BeamSettings)
    chosen.width, chosen.depth, chosen.discount = width, depth, discount
    chosen.deadline, chosen.most_nodes, chosen.only = deadline, nodes, only
    for name, value in switches.items():
        chosen[name] = value
    search_layers(work, chosen, params, result)
    return work, result, [int(move) for move in work.line[: result.length]]


def best_of_all(depth, discount, params):
    return max(walked(line, params, discount)[0] for line in product(range(MOVES), repeat=depth))


@pytest.mark.parametrize("depth", range(1, LAST if JIT else 5))
@pytest.mark.parametrize("shine", [0.0, 0.3])
def test_a_wide_beam_finds_the_best_sequence(depth, shine):
    params = PARAMS.params({"shine": shine})
    _, result, line = run(width=3**depth, depth=depth, params=params)
    assert result.depth == len(line) == depth
    assert result.best_value == pytest.approx(best_of_all(depth, 0.9, params))
    assert walked(line, params, 0.9)[0] == pytest.approx(result.best_value)


@settings(max_examples=60 if JIT else 5, deadline=None)
@given(st.integers(1, 12), st.integers(1, 9), st.sampled_from([0.5, 0.98, 1.0]))
def test_the_answer_is_worth_what_the_search_says(width, depth, discount):
    work, result, line = run(width=width, depth=depth, discount=discount)
    value, state = walked(line, PARAMS.params(), discount)
    assert value == pytest.approx(result.best_value)
    assert max(work.sizes[1:depth]) <= width if depth > 1 else True
    assert result.won == (state.steps == LAST and state.paid > GOAL)


@pytest.mark.parametrize("width", [1, 3, 20])
def test_each_layer_keeps_the_best_distinct_children_of_the_one_before(width):
    work, _, _ = run(width=width, depth=5)
    params = PARAMS.params()
    for depth in range(1, 5):
        best: dict[int, float] = {}
        for parent in range(work.sizes[depth - 1]):
            node = work.layers[depth - 1, parent]
            for move in range(MOVES):
                states = allocate(Walk, 1)
                states[0] = work.states[depth - 1, parent]
                walk_play(states[0], move)
                value = node.discounted + 0.9**depth * (walk_evaluate(states[0], params, 0) - node.evaluation)
                found = int(walk_key(states[0]))
                best[found] = max(best.get(found, -math.inf), value)
        expected = sorted(best.values(), reverse=True)[:width]
        kept = sorted((float(node.value) for node in work.layers[depth, : work.sizes[depth]]), reverse=True)
        assert kept == pytest.approx(expected)


def test_without_time_the_first_candidate_is_the_answer():
    _, result, line = run(deadline=now() - 1)
    assert (result.depth, result.nodes, line) == (0, 0, [0])


def test_an_unfinished_depth_counts_for_nothing():
    # the first depth makes 3 nodes, the second opens 3 positions with 3 each
    _, result, line = run(width=5, depth=6, nodes=10)
    assert result.depth == len(line) == 2
    _, fewer, line = run(width=5, depth=6, nodes=9)
    assert fewer.depth == len(line) == 1


def test_same_nodes_same_answer():
    answers = [run(width=4, depth=6, nodes=40) for _ in range(2)]
    assert answers[0][2] == answers[1][2]
    assert answers[0][1].nodes == answers[1][1].nodes


@pytest.mark.parametrize("only", range(MOVES))
def test_one_first_move_alone(only):
    params = PARAMS.params()
    _, result, line = run(width=81, depth=4, only=only)
    expected = max(walked((only, *rest), params, 0.9)[0] for rest in product(range(MOVES), repeat=3))
    assert line[0] == only
    assert result.best_value == pytest.approx(expected)


def test_a_walk_that_ends_is_found_and_said_to_be_won():
    _, result, line = run(width=3**LAST, depth=LAST + 3, discount=1.0)
    value, state = walked(line, PARAMS.params(), 1.0)
    assert state.steps == LAST
    assert value == best_of_all(LAST, 1.0, PARAMS.params()) > GOAL
    assert result.won


@pytest.mark.parametrize("width", [1, 3])
def test_beam_stack_search_finds_what_a_narrow_beam_misses(width):
    wanted = best_of_all(4, 0.9, PARAMS.params())
    _, plain, _ = run(width=width, depth=4)
    _, stack, line = run(width=width, depth=4, backtrack=True)
    assert plain.best_value < wanted - 1
    assert stack.best_value == pytest.approx(wanted)
    assert walked(line, PARAMS.params(), 0.9)[0] == pytest.approx(wanted)


def test_the_move_that_starts_most_of_the_best_sequences():
    work, _, line = run(width=30, depth=4)
    nodes = sorted(work.layers[4, : work.sizes[4]].tolist(), key=lambda node: -node[0])
    assert most_frequent_first(work, 4, 1) == line[0]
    first = list(first_moves(nodes, 9))
    counts = {move: first.count(move) for move in first}
    assert counts[int(most_frequent_first(work, 4, 9))] == max(counts.values())


def first_moves(nodes, top):
    floor = nodes[top - 1][0]
    return (node[5] for node in nodes if node[0] >= floor)


@given(st.lists(st.floats(-1e6, 1e6), min_size=1, max_size=200), st.data())
def test_quickselect_finds_what_sorting_finds(values, data):
    rank = data.draw(st.integers(1, len(values)))
    assert kth_largest(np.array(values), len(values), rank) == sorted(values, reverse=True)[rank - 1]


@pytest.mark.parametrize("separate", [False, True])
def test_the_class_finds_what_its_kernels_find(separate):
    params = BEAM_PARAMS.params({"width": 81, "depth": 4, "discount": 0.9, "separate": separate})
    searcher = Beam(RULES, params)
    result = searcher.decide(blank(Walk), 0)
    assert result.value == pytest.approx(best_of_all(4, 0.9, params))
    assert (result.depth, len(result.line), result.move) == (4, 4, result.line[0])
    assert walked(result.line, params, 0.9)[0] == pytest.approx(result.value)
    best = {}
    for line in product(range(MOVES), repeat=4):
        best[line[0]] = max(best.get(line[0], -math.inf), walked(line, params, 0.9)[0])
    assert {option.move: option.value for option in result.options} == pytest.approx(best)
    assert [option.move for option in result.options] == sorted(best, key=lambda move: -best[move])


def test_a_won_sequence_is_a_proof_and_an_ended_game_is_not_searched():
    searcher = Beam(RULES, BEAM_PARAMS.params({"width": 3**LAST, "depth": LAST, "discount": 1.0}))
    assert searcher.decide(blank(Walk), 0).proof == Proof.WIN
    ended = blank(Walk)
    ended.steps = LAST
    with pytest.raises(PodiumError, match="over"):
        searcher.decide(ended, 0)


def test_separate_beams_value_moves_after_which_the_game_ends():
    state, params = blank(Walk), BEAM_PARAMS.params({"width": 81, "depth": LAST, "stop_at_win": False})
    state.steps = LAST - 2
    result = Beam(RULES, params).decide(state, 0, separate=True)
    best = {}
    for line in product(range(MOVES), repeat=2):
        best[line[0]] = max(best.get(line[0], -math.inf), walked(line, params, params.discount)[0])
    assert {option.move: option.value for option in result.options} == pytest.approx(best)
    assert all(len(option.line) == 2 for option in result.options)


def test_separate_beams_of_few_moves_share_the_budget_among_these():
    searcher = Beam(RULES, BEAM_PARAMS.params({"width": 81, "depth": 5}))
    everything = searcher.decide(blank(Walk), 0, Budget(nodes=90), separate=True)
    two = searcher.decide(blank(Walk), 0, Budget(nodes=90), separate=True, only=[0, 2])
    assert {option.move for option in two.options} == {0, 2}
    assert two.depth > everything.depth
    with pytest.raises(PodiumError, match="none of these moves"):
        searcher.decide(blank(Walk), 0, separate=True, only=[7])


def test_the_smallest_budget_of_nodes_ends():
    result = Beam(RULES, BEAM_PARAMS.params({"separate": True})).decide(blank(Walk), 0, Budget(nodes=1))
    assert result.depth == 1


@pytest.mark.parametrize("changes", [{}, {"transpositions": False}, {"width": 40}, {"width": 3, "backtrack": True}])
def test_a_trace_tells_what_was_kept_and_why_the_rest_was_dropped(changes):
    params = BEAM_PARAMS.params({"width": 8, "stop_at_win": False, **changes})
    state = blank(Walk)
    plain = Beam(RULES, params).decide(state, 0)
    search = Beam(RULES, params)
    with recording() as traces:
        assert search.decide(state, 0) == plain
    (trace,) = traces
    rows = trace.columns
    assert len(trace) == plain.nodes + 1 == rows["nodes"][0]
    for depth in range(1, plain.depth + 1):
        at_depth = rows["ply"] == depth
        kept = rows["value"][at_depth & (rows["source"] == KEPT)]
        dropped = at_depth & (rows["source"] == TOO_LOW)
        if not params.backtrack:
            assert len(kept) == search.work.sizes[depth] <= params.width
            assert sorted(kept) == sorted(search.work.layers[depth, : len(kept)].value)
            assert not dropped.any() or rows["value"][dropped].max() <= kept.min()
        assert (rows["value"][dropped] <= rows["low"][dropped]).all()
    best = np.flatnonzero(rows["value"] == plain.value)
    lines = [rows["move"][trace.path(int(row))].tolist() for row in best]
    assert plain.line in lines
    twins = np.flatnonzero(rows["source"] == WORSE_TWIN)
    assert bool(twins.size) == (params.width == 40)  # only then does the beam keep two ways to one position
    assert (rows["value"][twins] <= rows["value"][rows["twin"][twins]]).all()
    for row, twin in zip(twins.tolist(), rows["twin"][twins].tolist(), strict=True):
        assert trace.state(row) == trace.state(twin)
    assert set(rows["source"].tolist()) <= {KEPT, TOO_LOW, WORSE_TWIN, ENDED, EARLIER}
    assert params.backtrack or not (rows["source"] == EARLIER).any()
