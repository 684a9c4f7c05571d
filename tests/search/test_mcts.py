"""MCTS and the solver: proofs are true, switches work, memory is bounded, trees survive moves."""

import numpy as np
import pytest

from podium.games.zuniq.board import NAMES, WALLS
from podium.games.zuniq.bots.thinker import MOST_PLIES
from podium.games.zuniq.rules import State, reset, zuniq_legal_moves, zuniq_play
from podium.kernel import JIT, allocate, blank
from podium.kernel.clock import NEVER
from podium.kernel.minds import MindType, adjusted
from podium.kernel.random import draw_below, generator
from podium.search.follow import Search
from podium.search.mcts import PARAMETERS
from podium.search.solve import DEADLINE, LOSS, NODES_LEFT, UNPROVEN, WIN, new_prover, prove
from podium.search.tree import CHILD, LINKS, MOVE, ROOT
from tests.games.zuniq.twin import PlainZuniq

MINDS = MindType("a mind for tests of mcts", *adjusted(PARAMETERS, memory=2))
FEW, MORE = (200, 3000) if JIT else (4, 12)
ENDGAME = 7 if JIT else 4


def endgame(seed, moves=ENDGAME):
    """A position of a random game with at most so many legal walls, and its plain twin."""
    random, walls = generator(seed), np.zeros(WALLS, np.int64)
    while True:
        state, plain = blank(State), PlainZuniq()
        reset(state)
        while (count := zuniq_legal_moves(state, walls)) > moves:
            wall = int(walls[draw_below(random, count)])
            zuniq_play(state, wall)
            plain.play(NAMES[wall])
        if count:
            return state, plain


def opening(plies=0, seed=1):
    state, random, walls = blank(State), generator(seed), np.zeros(WALLS, np.int64)
    reset(state)
    for _ in range(plies):
        zuniq_play(state, walls[draw_below(random, zuniq_legal_moves(state, walls))])
    return state


def search_of(state, simulations, **changes):
    search = Search(State, MINDS.mind(changes), WALLS, MOST_PLIES, seed=5)
    search.begin(state)
    search.think(0, nodes=simulations)
    return search


@pytest.mark.parametrize("seed", range(8 if JIT else 2))
def test_the_solver_agrees_with_the_plain_twin(seed):
    state, plain = endgame(seed)
    states, moves = allocate(State, MOST_PLIES), np.zeros((MOST_PLIES, WALLS), np.int64)
    states[0] = state
    prover = new_prover(0.1, WALLS, MOST_PLIES)
    prover.limits[:] = 10**9, NEVER
    assert prove(states, moves, np.int64(0), prover) == (WIN if plain.wins() else LOSS)


def test_the_solver_keeps_its_limits():
    states, moves = allocate(State, MOST_PLIES + 3), np.zeros((MOST_PLIES + 3, WALLS), np.int64)
    states[0] = opening(20)
    prover = new_prover(0.1, WALLS, MOST_PLIES + 3)
    prover.limits[NODES_LEFT], prover.limits[DEADLINE] = FEW, NEVER
    assert prove(states, moves, np.int64(0), prover) == UNPROVEN
    prover.limits[NODES_LEFT], prover.limits[DEADLINE] = 10**9, 0
    assert prove(states, moves, np.int64(0), prover) == UNPROVEN


@pytest.mark.parametrize("changes", [{}, {"solve": 0}, {"rave": False, "exploration": 0.5}, {"endgame": 9}])
@pytest.mark.parametrize("seed", range(4 if JIT else 1))
def test_proofs_of_the_tree_are_true(seed, changes):
    state, plain = endgame(seed)
    search = search_of(state, MORE, **changes)
    if JIT:
        assert search.proven != UNPROVEN, "so few moves are always solved"
    if search.proven != UNPROVEN:
        assert search.proven == (WIN if plain.wins() else LOSS)
    for choice in search.choices():
        after = plain.copy()
        after.play(NAMES[choice.move])
        if choice.proof != UNPROVEN:
            assert choice.proof == (LOSS if after.wins() else WIN)


def test_without_proofs_nothing_is_proven():
    state, _ = endgame(1)
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
        {"pitfalls": 0.0},
        {"playouts": 1},
        {"playouts": 40},
        {"transpositions": False},  # too few simulations to meet a position twice
        {"keep": False},
    ],
)
def test_every_switch_changes_the_search_and_keeps_its_books(changes):
    plain, changed = search_of(opening(), FEW), search_of(opening(), FEW, **changes)
    weight = int(changed.mind.playouts)
    assert sum(choice.visits for choice in changed.choices()) == FEW * weight
    if JIT and not {"keep", "transpositions"} & changes.keys():
        assert [c.visits for c in plain.choices()] != [c.visits for c in changed.choices()]


@pytest.mark.compiled
def test_transpositions_are_shared():
    """Without sharing, the same position becomes several nodes."""
    wide = {"rave": False, "exploration": 2.0, "playouts": 1}
    shared, apart = search_of(opening(28), MORE, **wide), search_of(opening(28), MORE, transpositions=False, **wide)
    keys = [search.tree.nodes.node_key[: search.nodes] for search in (shared, apart)]
    assert len(set(keys[0])) == len(keys[0])
    assert len(set(keys[1])) < len(keys[1])


def test_a_full_tree_goes_on():
    search = Search(State, MINDS.mind({"memory": 1, "playouts": 1}), WALLS, MOST_PLIES, seed=5)
    search.tree = search.tree._replace(nodes=search.tree.nodes[:50])  # so little that it must fill up
    search.begin(opening())
    search.think(0, nodes=MORE)
    assert search.simulations == MORE
    assert search.nodes <= 50
    if JIT:
        assert search.full
    assert search.choices()[0].visits > 0


def test_the_tree_below_the_new_root_is_kept_whole():
    state = opening(6)
    search = search_of(state, MORE)
    best, reply = search.line()[:2] if JIT else (search.choices()[0].move, None)
    before = {choice.move: choice.visits for choice in search.choices(child_of(search, best))} if JIT else {}
    zuniq_play(state, best)
    search.begin(state)
    if JIT:
        assert {choice.move: choice.visits for choice in search.choices()} == before
        zuniq_play(state, reply)
        search.begin(state)
    search.think(0, nodes=FEW)
    assert search.choices()[0].visits > 0


def child_of(search, move):
    root = int(search.tree.counters[ROOT])
    count, first = int(search.tree.nodes[root].count), int(search.tree.nodes[root].first)
    links = search.tree.links[first * LINKS : (first + count) * LINKS].reshape(LINKS, count)
    return int(links[CHILD, list(links[MOVE]).index(move)])


@pytest.mark.compiled
def test_the_default_playouts_agree_with_the_fast_ones():
    """Both are uniform: their means differ by less than chance allows."""
    from podium.games.zuniq.playout import zuniq_playouts
    from podium.search.mcts import plain_playouts
    from podium.search.tree import new_tree

    tree, games = new_tree(State, 1, WALLS, MOST_PLIES), 4000
    state = opening(10)
    results, tallies = [], []
    for function in (zuniq_playouts, plain_playouts):
        tally = np.zeros((4, WALLS), np.float32)
        results.append(function(state, tree, generator(3), games, tally) / games)
        tallies.append(tally / games)
    assert abs(results[0] - results[1]) < 0.08
    assert np.abs(tallies[0] - tallies[1]).max() < 0.08


def test_lost_positions_are_resisted():
    for seed in range(40):
        state, plain = endgame(seed)
        if not plain.wins():
            break
    search = search_of(state, FEW, endgame=60)
    assert search.proven == LOSS
    for choice in search.choices():
        after = plain.copy()
        after.play(NAMES[choice.move])
        replies = after.legal()
        refutations = 0
        for reply in replies:
            then = after.copy()
            then.play(reply)
            refutations += not then.wins()
        assert choice.resistance == pytest.approx(1 - refutations / max(1, len(replies)))
