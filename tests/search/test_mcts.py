"""MCTS and the solver: proofs are true, switches work, memory is bounded, trees survive moves."""

import numpy as np
import pytest

from podium.errors import PodiumError
from podium.games.zuniq import GAME
from podium.games.zuniq.board import NAMES, WALLS
from podium.games.zuniq.playout import zuniq_playouts
from podium.games.zuniq.rules import zuniq_is_over, zuniq_legal_moves, zuniq_play
from podium.games.zuniq.setup import initial_state
from podium.games.zuniq.state import MOST_PLIES, State
from podium.kernel import JIT, allocate, kernel
from podium.kernel.clock import NEVER, now
from podium.kernel.random import draw_below, generator
from podium.model.budget import Budget
from podium.model.hooks import new_playout_buffers, plain_playouts
from podium.model.params import ParamSpec, adjusted
from podium.model.proofs import LOSS, UNPROVEN, WIN
from podium.model.result import Proof
from podium.model.rules import candidates
from podium.search.mcts import PARAMETERS, Mcts, score_with_amaf
from podium.search.solver import COLLECTED, DEADLINE, NODES_LEFT, new_solver, prove
from podium.search.tree import (
    AMAF_SUM,
    AMAF_VISITS,
    GENERAL_SUM,
    GENERAL_VISITS,
    PRIOR,
    ROOT,
    VALUE_SUM,
    VISITS,
    edges_of,
)
from tests.games.zuniq.twin import PlainZuniq

PARAMS = ParamSpec("parameters for tests of mcts", *adjusted(PARAMETERS, memory=2))
CONTEXTS = PARAMS.context("a search context for tests of mcts", [("only", "i8")])
FEW, MORE = (200, 3000) if JIT else (4, 12)
ENDGAME = 7 if JIT else 4
HARD_NODES, ROOM = 3, 40  # proofs of at least HARD_NODES nodes are collected, at most ROOM


@candidates.register(State, CONTEXTS.dtype)
@kernel
def one_wall(state, context, out):
    """The wall that the search context names while it is free, else all."""
    if (state.drawn >> np.uint64(context.only)) & np.uint64(1):
        return zuniq_legal_moves(state, out)
    out[0] = context.only
    return 1


def endgame(seed, moves=ENDGAME):
    """A position of a random game with at most this many legal walls, and its plain twin."""
    random, walls = generator(seed), np.zeros(WALLS, np.int64)
    while True:
        state, plain = initial_state(), PlainZuniq()
        while not zuniq_is_over(state) and (count := zuniq_legal_moves(state, walls)) > moves:
            wall = int(walls[draw_below(random, count)])
            zuniq_play(state, wall)
            plain.play(NAMES[wall])
        if not zuniq_is_over(state):
            return state, plain


def opening(plies=0, seed=1):
    state, random, walls = initial_state(), generator(seed), np.zeros(WALLS, np.int64)
    for _ in range(plies):
        zuniq_play(state, walls[draw_below(random, zuniq_legal_moves(state, walls))])
    return state


def search_of(state, simulations, **changes):
    search = Mcts(GAME, PARAMS.params(changes), seed=5)
    search.decide(state, int(state.plies) & 1, Budget(nodes=simulations))
    return search


@pytest.mark.parametrize("seed", range(8 if JIT else 2))
def test_the_solver_agrees_with_the_plain_twin(seed):
    state, plain = endgame(seed)
    states, moves = allocate(State, MOST_PLIES), np.zeros((MOST_PLIES, WALLS), np.int64)
    states[0] = state
    solver = new_solver(State, 0.1, WALLS, MOST_PLIES)
    solver.limits[NODES_LEFT], solver.limits[DEADLINE] = 10**9, NEVER
    assert prove(states, moves, np.int64(0), solver) == (WIN if plain.wins() else LOSS)


def test_the_solver_collects_positions_that_were_hard_to_prove():
    state, _ = endgame(1, moves=6)
    states, moves = allocate(State, MOST_PLIES), np.zeros((MOST_PLIES, WALLS), np.int64)
    states[0] = state
    solver = new_solver(State, 0.1, WALLS, MOST_PLIES, examples=ROOM)
    solver.limits[:] = 10**9, NEVER, HARD_NODES, 0
    prove(states, moves, np.int64(0), solver)
    gathered = int(solver.limits[COLLECTED])
    assert 0 < gathered <= ROOM
    for position, proven in zip(solver.examples.states[:gathered], solver.examples.proofs[:gathered], strict=True):
        states[0] = position
        alone = new_solver(State, 0.1, WALLS, MOST_PLIES)
        alone.limits[NODES_LEFT], alone.limits[DEADLINE] = 10**9, NEVER
        assert prove(states, moves, np.int64(0), alone) == proven
        assert 10**9 - alone.limits[NODES_LEFT] > HARD_NODES


def test_the_solver_keeps_its_limits():
    states, moves = allocate(State, MOST_PLIES + 3), np.zeros((MOST_PLIES + 3, WALLS), np.int64)
    states[0] = opening(20)
    solver = new_solver(State, 0.1, WALLS, MOST_PLIES + 3)
    solver.limits[NODES_LEFT], solver.limits[DEADLINE] = FEW, NEVER
    assert prove(states, moves, np.int64(0), solver) == UNPROVEN
    solver.limits[NODES_LEFT], solver.limits[DEADLINE] = 10**9, 0
    assert prove(states, moves, np.int64(0), solver) == UNPROVEN


@pytest.mark.parametrize("changes", [{}, {"solve": 0}, {"rave": False, "exploration": 0.5}, {"endgame": 9}])
@pytest.mark.parametrize("seed", range(4 if JIT else 1))
def test_proofs_of_the_tree_are_true(seed, changes):
    state, plain = endgame(seed)
    search = search_of(state, MORE, **changes)
    if JIT:
        assert search.proven != UNPROVEN, "so few moves are always solved"
    if search.proven != UNPROVEN:
        assert search.proven == (WIN if plain.wins() else LOSS)
    for choice in search.moves():
        after = plain.copy()
        after.play(NAMES[choice.move])
        if choice.proof != UNPROVEN:
            assert choice.proof == (LOSS if after.wins() else WIN)


def test_without_proofs_nothing_is_proven():
    state, _ = endgame(1, moves=6)
    search = search_of(state, FEW, prove=False)
    assert search.proven == UNPROVEN
    assert search.simulations == FEW


@pytest.mark.parametrize(
    "changes",
    [
        {"rave": False, "exploration": 0.7},
        {"generalised": False},
        {"rave_max": False},
        {"impact": 0.0, "exploration": 0.3},
        {"opponent_epsilon": 0.0},
        {"playouts": 1},
        {"playouts": 40},
        {"transpositions": False},  # too few simulations to meet a position twice
        {"reuse_tree": False},
    ],
)
def test_every_switch_changes_the_search_and_keeps_its_books(changes):
    plain, changed = search_of(opening(), FEW), search_of(opening(), FEW, **changes)
    weight = int(changed.params.playouts)
    assert sum(choice.visits for choice in changed.moves()) == FEW * weight
    if JIT and not {"reuse_tree", "transpositions"} & changes.keys():
        assert [c.visits for c in plain.moves()] != [c.visits for c in changed.moves()]


@pytest.mark.compiled
def test_transpositions_are_shared():
    """Without sharing, the same position becomes several nodes."""
    wide = {"rave": False, "exploration": 2.0, "playouts": 1}
    shared, apart = search_of(opening(28), MORE, **wide), search_of(opening(28), MORE, transpositions=False, **wide)
    keys = [search.tree.nodes.position[: search.nodes] for search in (shared, apart)]
    assert len(set(keys[0])) == len(keys[0])
    assert len(set(keys[1])) < len(keys[1])


@pytest.mark.parametrize("rave_max", [True, False])
def test_selection_scores_are_the_write_ups_formula(rave_max):
    """(n1 v1 + n2 v2 + n3 v3) / n + impact sqrt(visits) / n, n = n1 + n2 + n3; RAVE-MAX: v2 and v3 at least v1."""
    moves, visits, draws = 50, 400, np.random.default_rng(3)
    n1, n2, n3, impact = draws.integers(1, 30, (4, moves)).astype(float)
    v1, v2, v3 = draws.uniform(-1, 1, (3, moves))
    rows = np.zeros(7 * moves, np.float32)
    order = (VISITS, VALUE_SUM, AMAF_VISITS, AMAF_SUM, GENERAL_VISITS, GENERAL_SUM, PRIOR)
    for row, values in zip(order, (n1, n1 * v1, n2, n2 * v2, n3, n3 * v3, impact), strict=True):
        rows[row * moves : (row + 1) * moves] = values
    scores = np.zeros(moves, np.float32)
    score_with_amaf(PARAMS.params({"rave_max": rave_max}), rows, moves, visits, scores)
    if rave_max:
        v2, v3 = np.maximum(v2, v1), np.maximum(v3, v1)
    n = n1 + n2 + n3
    assert scores == pytest.approx((n1 * v1 + n2 * v2 + n3 * v3) / n + impact * visits**0.5 / n, rel=1e-4, abs=1e-5)


def test_a_full_tree_goes_on():
    search = Mcts(GAME, PARAMS.params({"memory": 1, "playouts": 1}), seed=5)
    search.tree = search.tree._replace(nodes=search.tree.nodes[:50])  # so little that it must fill up
    search.decide(opening(), 0, Budget(nodes=MORE))
    assert search.simulations == MORE
    assert search.nodes <= 50
    if JIT:
        assert search.full
    assert search.moves()[0].visits > 0


def test_the_tree_below_the_new_root_is_kept_whole():
    state = opening(6)
    search = search_of(state, MORE)
    best, reply = search.line()[:2] if JIT else (search.moves()[0].move, None)
    before = {choice.move: choice.visits for choice in search.moves(child_of(search, best))} if JIT else {}
    zuniq_play(state, best)
    search.begin(state)
    if JIT:
        assert {choice.move: choice.visits for choice in search.moves()} == before
        zuniq_play(state, reply)
        search.begin(state)
    search.decide(state, 0, Budget(nodes=FEW))
    assert search.moves()[0].visits > 0


def child_of(search, move):
    root = int(search.tree.counters[ROOT])
    edges = edges_of(search.tree, root)
    return int(edges.children[edges.moves.tolist().index(move)])


@pytest.mark.compiled
def test_the_default_playouts_agree_with_the_fast_ones():
    """Both are uniform: their means differ by less than chance allows."""
    buffers, games = new_playout_buffers(State, WALLS, MOST_PLIES), 4000
    state = opening(10)
    results, tallies = [], []
    for function in (zuniq_playouts, plain_playouts):
        tally = np.zeros((4, WALLS), np.float32)
        results.append(function(state, PARAMS.params(), buffers, generator(3), games, tally) / games)
        tallies.append(tally / games)
    assert abs(results[0] - results[1]) < 0.08
    assert np.abs(tallies[0] - tallies[1]).max() < 0.08


def lost_endgame():
    return next((state, plain) for state, plain in map(endgame, range(40)) if not plain.wins())


def test_lost_positions_are_swindled():
    state, plain = lost_endgame()
    search = search_of(state, FEW, endgame=60)
    assert search.proven == LOSS
    for choice in search.moves():
        after = plain.copy()
        after.play(NAMES[choice.move])
        replies = after.legal()
        refutations = 0
        for reply in replies:
            then = after.copy()
            then.play(reply)
            refutations += not then.wins()
        assert choice.swindle_score == pytest.approx(1 - refutations / max(1, len(replies)))


def test_no_time_is_spent_on_swindles_once_it_is_over(monkeypatch):
    state, _ = lost_endgame()
    search = search_of(state, FEW, endgame=60)
    monkeypatch.setattr("podium.search.tree_search.refuted_share", lambda *_: pytest.fail("the time was over"))
    search.decide(state, 0, Budget(now()))
    assert search.proven == LOSS
    assert {choice.swindle_score for choice in search.moves()} == {0.5}


def test_the_result_is_that_of_the_seat_that_asks():
    state, plain = endgame(1)
    mover = int(state.plies) & 1
    results = [
        Mcts(GAME, PARAMS.params(), seed=5).decide(state, seat, Budget(nodes=MORE)) for seat in (mover, 1 - mover)
    ]
    assert results[0].move == results[1].move == results[0].line[0] == results[0].options[0].move
    assert results[0].value == -results[1].value
    assert {results[0].proof, results[1].proof} == {Proof.WIN, Proof.LOSS}
    assert results[0].proof == (Proof.WIN if plain.wins() else Proof.LOSS)


def test_another_params_or_context_is_noticed():
    """A tree grown under one parameters must not answer for another: the search is that of a new tree."""
    state = opening(10)
    kept = search_of(state, FEW)
    kept.params.rave = False
    kept.decide(state, 0, Budget(nodes=FEW))
    assert sum(move.visits for move in kept.moves()) == FEW * int(kept.params.playouts)
    kept.decide(state, 0, Budget(nodes=FEW), context=CONTEXTS.of(kept.params, only=int(zuniq_first(state))))
    assert [move.move for move in kept.moves()] == [int(zuniq_first(state))]


def zuniq_first(state):
    walls = np.zeros(WALLS, np.int64)
    zuniq_legal_moves(state, walls)
    return walls[0]


def test_a_game_that_is_over_and_an_endless_budget_are_refused():
    search = Mcts(GAME, PARAMS.params())
    with pytest.raises(PodiumError, match="never ends"):
        search.decide(opening(), 0)
    state, walls = opening(), np.zeros(WALLS, np.int64)
    while not zuniq_is_over(state):
        zuniq_legal_moves(state, walls)
        zuniq_play(state, walls[0])
    with pytest.raises(PodiumError, match="over"):
        search.decide(state, 0, Budget(nodes=FEW))
