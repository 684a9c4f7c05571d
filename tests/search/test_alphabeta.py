"""Alpha-beta with any switches must give the value of plain minimax at the same depth."""

import itertools

import numpy as np
import pytest

from podium.errors import PodiumError
from podium.games import load
from podium.games.wondev_woman.bots import evaluation  # noqa: F401 - registers what the search asks for
from podium.games.wondev_woman.bots.params import CHAMPION_PARAMS as PARAMS
from podium.games.wondev_woman.rules import wondev_legal_moves, wondev_play
from podium.games.wondev_woman.state import MOST_MOVES
from podium.kernel import JIT, allocate, kernel
from podium.kernel.clock import now
from podium.kernel.random import draw_below, generator
from podium.model.budget import Budget
from podium.model.hooks import terminal_value
from podium.model.result import Proof
from podium.model.rules import candidates, evaluate, is_over, mover, play
from podium.search import alphabeta
from podium.search.alphabeta import AlphaBeta
from tests.search import toy

GAME = load("wondev_woman")
SWITCHES = ["hash_move", "killers", "history", "tie_break", "table", "evaluation_cache", "scout"]
NOTHING = dict.fromkeys(SWITCHES, False)
SETTINGS = [
    NOTHING,
    *({**NOTHING, name: True} for name in SWITCHES),
    *({name: False} for name in SWITCHES),
    {},
    {"aspiration": 3.0},
    {**NOTHING, "aspiration": 1.0},
    {"late_sort": False},
    {"picks": 0},
    {**NOTHING, "principal_variation": True},
    {**NOTHING, "principal_variation": True, "killers": True, "scout": True},
    {"table_depth": 1},
    {"table_depth": 3, "sort_depth": 2},
    {"picks": 1, "aspiration": 0.5},
]


@kernel
def minimax(states, moves, ply, params, depth, seat):
    """The plain definition, from the seat's point of view."""
    state = states[ply]
    if is_over(state):
        return np.float64(terminal_value(state, params, seat))
    if depth == 0:
        return np.float64(evaluate(state, params, seat))
    mine = mover(state) == seat
    best = -np.inf if mine else np.inf
    for i in range(candidates(state, params, moves[ply])):
        states[ply + 1] = states[ply]
        play(states[ply + 1], moves[ply, i])
        value = minimax(states, moves, ply + 1, params, depth - 1, seat)
        best = max(best, value) if mine else min(best, value)
    return best


def plain_value(state, params, depth, seat, most_moves):
    states = allocate(state.dtype, depth + 1)
    states[0] = state
    return minimax(states, np.zeros((depth + 1, most_moves), np.int64), 0, params, depth, seat)


def wondev_position(seed, plies):
    """A position of a random game, short of its end."""
    states = allocate(GAME.rules.state, 2)
    states[0] = GAME.new_referee(seed).state
    moves = np.zeros(MOST_MOVES, np.int64)
    random = generator(seed)
    for _ in range(plies):
        states[1] = states[0]
        wondev_play(states[1], moves[draw_below(random, wondev_legal_moves(states[0], moves))])
        if states[1].over:
            break
        states[0] = states[1]
    return states[0]


POSITIONS = [(1, 0, 2), (2, 30, 3), (3, 55, 3), (4, 70, 4), (5, 90, 4)] if JIT else [(4, 78, 2)]


@pytest.mark.parametrize(("seed", "plies", "depth"), POSITIONS)
def test_every_setting_gives_the_value_of_minimax_in_wondev_woman(seed, plies, depth):
    state = wondev_position(seed, plies)
    plain = plain_value(state, PARAMS.params(), depth, 0, MOST_MOVES)
    for changes in SETTINGS if JIT else SETTINGS[::5]:
        searcher = AlphaBeta(GAME, PARAMS.params(changes), table_bits=12, cache_bits=12)
        result = searcher.decide(state, 0, depth=depth)
        assert result.value == plain, changes
        again = searcher.decide(state, 0, depth=depth)  # with what the tables remember
        assert again.value == plain, changes


@pytest.mark.compiled
def test_the_principal_variation_first_makes_the_tree_smaller():
    nodes = dict.fromkeys((False, True), 0)
    for seed, plies in ((1, 0), (2, 30), (3, 55)):
        for first in nodes:
            searcher = AlphaBeta(GAME, PARAMS.params({**NOTHING, "principal_variation": first}))
            nodes[first] += searcher.decide(wondev_position(seed, plies), 0, depth=4).nodes
    assert nodes[True] < nodes[False]


@pytest.mark.parametrize("seat", range(toy.SEATS))
def test_one_against_the_rest_in_any_order_of_moves(seat):
    for number, depth in itertools.product(range(20 if JIT else 2), range(1, 8 if JIT else 4)):
        state = toy.start(number, 6 + number % 3)
        if is_over(state):
            continue
        params = toy.PARAMS.params()
        plain = plain_value(state, params, depth, seat, toy.MOST_MOVES)
        for changes in SETTINGS if JIT else ({}, {"aspiration": 1.0}):
            searcher = AlphaBeta(toy.RULES, toy.PARAMS.params(changes), table_bits=6, cache_bits=4)
            assert searcher.decide(state, seat, depth=depth).value == plain, (number, depth, changes)


def test_the_line_leads_to_the_value():
    for number in range(10 if JIT else 2):
        state = toy.start(number, 30)
        if is_over(state):
            continue
        params = toy.PARAMS.params({"table": False})
        result = AlphaBeta(toy.RULES, params).decide(state, 0, depth=5)
        states = allocate(toy.State, 1)
        states[0] = state
        for move in result.line:
            play(states[0], move)
        over = is_over(states[0])
        assert over or len(result.line) == 5
        value = terminal_value(states[0], params, 0) if over else evaluate(states[0], params, 0)
        assert result.value == value


def test_a_search_that_saw_every_end_is_proven_and_stops():
    state = toy.start(1, 5)
    params = toy.PARAMS.params()
    result = AlphaBeta(toy.RULES, params).decide(state, 1)
    assert result.proof == Proof.EXACT
    assert result.depth <= 6
    assert result.value == plain_value(state, params, 8, 1, toy.MOST_MOVES)


def test_the_same_nodes_give_the_same_result():
    state = wondev_position(6, 10)
    nodes = 5000 if JIT else 40

    def search():
        return AlphaBeta(GAME, PARAMS.params(), table_bits=12, cache_bits=12).decide(state, 0, Budget(nodes=nodes))

    assert search() == search()
    assert search().nodes == nodes


def test_every_node_is_counted_at_its_ply():
    state = toy.start(1, 5)
    searcher = AlphaBeta(toy.RULES, toy.PARAMS.params())
    result = searcher.decide(state, 1, depth=3)
    visits = searcher.work.visits
    assert visits.sum() == result.nodes
    assert visits[0] == 0
    assert all(visits[1 : result.depth + 1] > 0)
    assert not visits[result.depth + 1 :].any()


def test_pauses_change_nothing(monkeypatch):
    state = wondev_position(6, 40)
    nodes = 3000 if JIT else 100

    def search():
        return AlphaBeta(GAME, PARAMS.params(), table_bits=12, cache_bits=12).decide(state, 0, Budget(nodes=nodes))

    whole = search()
    monkeypatch.setattr(alphabeta, "PYTHON_INTERVAL", 0)
    assert search() == whole


@pytest.mark.parametrize("depth", [1, 3])
@pytest.mark.parametrize("partial", [True, False])
def test_every_search_calls_the_same_kernels(depth, partial, monkeypatch):
    """What a bot calls for the first time in the middle of a game is loaded there, which takes many limits."""
    called = []
    for name in ("begin_search", "resume_search", "adopt_unfinished"):
        function = getattr(alphabeta, name)
        call = lambda *given, name=name, function=function: (called.append(name), function(*given))[1]  # noqa: E731
        monkeypatch.setattr(alphabeta, name, call)
    searcher = AlphaBeta(toy.RULES, toy.PARAMS.params({"partial": partial}))
    searcher.decide(toy.start(1, 5), 1, depth=depth)
    assert called == ["begin_search", "resume_search", "adopt_unfinished"]


def test_only_the_given_moves_are_searched():
    state = wondev_position(6, 20)
    moves = np.zeros(MOST_MOVES, np.int64)
    count = wondev_legal_moves(state, moves)
    for move in moves[: min(count, 3)].tolist():
        result = AlphaBeta(GAME, PARAMS.params(), table_bits=10, cache_bits=10).decide(state, 0, depth=2, only=[move])
        assert result.move == result.line[0] == move


def test_a_result_cut_short_is_never_worse_than_the_last_whole_depth():
    """With a part of a depth used, the move found is at least as good as the last whole depth's, at that depth."""
    state = wondev_position(2, 24 if JIT else 70)
    params = PARAMS.params()
    searcher = AlphaBeta(GAME, params, table_bits=12, cache_bits=12)
    for nodes in (700, 2000, 7000, 20000) if JIT else (60,):
        searcher.forget()
        partly = searcher.decide(state, 0, Budget(nodes=nodes))
        searcher.forget()
        wholly = AlphaBeta(GAME, PARAMS.params({"partial": False}), table_bits=12, cache_bits=12).decide(
            state, 0, Budget(nodes=nodes)
        )
        if partly.depth == 0:
            continue
        assert partly.depth >= wholly.depth
        value = searcher.decide(state, 0, depth=partly.depth, only=[partly.move]).value
        former = searcher.decide(state, 0, depth=partly.depth, only=[wholly.move]).value
        assert value >= former


@pytest.mark.compiled
@pytest.mark.slow
def test_the_clock_is_kept():
    state = wondev_position(1, 0)
    searcher = AlphaBeta(GAME, PARAMS.params())
    searcher.decide(state, 0, Budget(nodes=10))
    overruns = []
    while len(overruns) < 100 and not any(overrun < 0.5 for overrun in overruns):
        deadline = now() + 20_000_000
        searcher.decide(state, 0, Budget(deadline))
        overruns.append((now() - deadline) / 1e6)
    assert min(overruns) < 0.5, "milliseconds after the deadline; other programs may disturb most of the runs"


def test_reduction_and_breadth_shrink_the_tree():
    state = wondev_position(1, 10 if JIT else 75)
    depth = 4 if JIT else 2

    def nodes(changes):
        searcher = AlphaBeta(GAME, PARAMS.params(changes), table_bits=12, cache_bits=12)
        return searcher.decide(state, 0, depth=depth).nodes

    whole = nodes({})
    assert nodes({"breadth": 3}) < whole
    assert nodes({"reduction": 2, "reduce_depth": 2}) < whole or not JIT


def test_another_seat_or_params_is_noticed():
    """What the tables remember of one seat or parameters must not answer for another."""
    state, depth = toy.start(2, 30), 4
    searcher = AlphaBeta(toy.RULES, toy.PARAMS.params())
    for seat in (0, 1, 2, 0):
        plain = plain_value(state, searcher.params, depth, seat, toy.MOST_MOVES)
        assert searcher.decide(state, seat, depth=depth).value == plain
    for weight in (2.0, -1.0):
        searcher.params.weight = weight
        plain = plain_value(state, searcher.params, depth, 0, toy.MOST_MOVES)
        assert searcher.decide(state, 0, depth=depth).value == plain
        context = toy.CONTEXTS.of(searcher.params, liking=3.0)
        plain = plain_value(state, context, depth, 0, toy.MOST_MOVES)
        assert searcher.decide(state, 0, context=context, depth=depth).value == plain


def test_a_game_that_is_over_is_not_searched():
    with pytest.raises(PodiumError, match="over"):
        AlphaBeta(toy.RULES, toy.PARAMS.params()).decide(toy.start(1, 0), 0, depth=1)


def test_the_stride_can_be_given():
    searcher = AlphaBeta(toy.RULES, toy.PARAMS.params())
    assert searcher.decide(toy.start(2, 30), 0, Budget(nodes=1000), stride=3).depth % 3 == 0
