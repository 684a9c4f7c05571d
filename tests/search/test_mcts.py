"""MCTS and the solver: proofs are true, switches work, memory is bounded, trees survive moves."""

import numpy as np
import pytest

from podium.errors import PodiumError
from podium.games.zuniq.board import NAMES, WALLS
from podium.games.zuniq.rules import zuniq_is_over, zuniq_legal_moves, zuniq_play
from podium.games.zuniq.setup import initial_state
from podium.games.zuniq.state import MOST_PLIES, State
from podium.kernel import JIT, allocate, kernel
from podium.kernel.budget import Budget
from podium.kernel.clock import NEVER, now
from podium.kernel.minds import MindType, adjusted
from podium.kernel.random import draw_below, generator
from podium.kernel.rules import candidates
from podium.search.mcts import PARAMETERS, Mcts
from podium.search.result import Proof
from podium.search.solve import DEADLINE, GATHERED, LOSS, NODES_LEFT, UNPROVEN, WIN, new_prover, prove
from podium.search.tree import CHILD, LINKS, MOVE, ROOT
from tests.games.zuniq.twin import PlainZuniq

MINDS = MindType("a mind for tests of mcts", *adjusted(PARAMETERS, memory=2))
OUTLOOKS = MINDS.outlook("an outlook for tests of mcts", [("only", "i8")])
FEW, MORE = (200, 3000) if JIT else (4, 12)
ENDGAME = 7 if JIT else 4
HARD_NODES, ROOM = 3, 40  # proofs that take so many nodes are gathered, at most so many


@candidates.register(State, OUTLOOKS.dtype)
@kernel
def one_wall(state, outlook, out):
    """The wall that the outlook names while it is free, else all."""
    if (state.drawn >> np.uint64(outlook.only)) & np.uint64(1):
        return zuniq_legal_moves(state, out)
    out[0] = outlook.only
    return 1


def endgame(seed, moves=ENDGAME):
    """A position of a random game with at most so many legal walls, and its plain twin."""
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
    search = Mcts(State, MINDS.mind(changes), WALLS, WALLS, MOST_PLIES, seed=5)
    search.search(state, int(state.plies) & 1, Budget(nodes=simulations))
    return search


@pytest.mark.parametrize("seed", range(8 if JIT else 2))
def test_the_solver_agrees_with_the_plain_twin(seed):
    state, plain = endgame(seed)
    states, moves = allocate(State, MOST_PLIES), np.zeros((MOST_PLIES, WALLS), np.int64)
    states[0] = state
    prover = new_prover(State, 0.1, WALLS, MOST_PLIES)
    prover.limits[NODES_LEFT], prover.limits[DEADLINE] = 10**9, NEVER
    assert prove(states, moves, np.int64(0), prover) == (WIN if plain.wins() else LOSS)


def test_the_solver_gathers_what_was_hard_to_prove_as_it_is():
    state, _ = endgame(1, moves=6)
    states, moves = allocate(State, MOST_PLIES), np.zeros((MOST_PLIES, WALLS), np.int64)
    states[0] = state
    prover = new_prover(State, 0.1, WALLS, MOST_PLIES, harvest=ROOM)
    prover.limits[:] = 10**9, NEVER, HARD_NODES, 0
    prove(states, moves, np.int64(0), prover)
    gathered = int(prover.limits[GATHERED])
    assert 0 < gathered <= ROOM
    for position, proven in zip(prover.harvest.states[:gathered], prover.harvest.proofs[:gathered], strict=True):
        states[0] = position
        alone = new_prover(State, 0.1, WALLS, MOST_PLIES)
        alone.limits[NODES_LEFT], alone.limits[DEADLINE] = 10**9, NEVER
        assert prove(states, moves, np.int64(0), alone) == proven
        assert 10**9 - alone.limits[NODES_LEFT] > HARD_NODES


def test_the_solver_keeps_its_limits():
    states, moves = allocate(State, MOST_PLIES + 3), np.zeros((MOST_PLIES + 3, WALLS), np.int64)
    states[0] = opening(20)
    prover = new_prover(State, 0.1, WALLS, MOST_PLIES + 3)
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
    assert sum(choice.visits for choice in changed.moves()) == FEW * weight
    if JIT and not {"keep", "transpositions"} & changes.keys():
        assert [c.visits for c in plain.moves()] != [c.visits for c in changed.moves()]


@pytest.mark.compiled
def test_transpositions_are_shared():
    """Without sharing, the same position becomes several nodes."""
    wide = {"rave": False, "exploration": 2.0, "playouts": 1}
    shared, apart = search_of(opening(28), MORE, **wide), search_of(opening(28), MORE, transpositions=False, **wide)
    keys = [search.tree.nodes.node_key[: search.nodes] for search in (shared, apart)]
    assert len(set(keys[0])) == len(keys[0])
    assert len(set(keys[1])) < len(keys[1])


def test_a_full_tree_goes_on():
    search = Mcts(State, MINDS.mind({"memory": 1, "playouts": 1}), WALLS, WALLS, MOST_PLIES, seed=5)
    search.tree = search.tree._replace(nodes=search.tree.nodes[:50])  # so little that it must fill up
    search.search(opening(), 0, Budget(nodes=MORE))
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
    search.search(state, 0, Budget(nodes=FEW))
    assert search.moves()[0].visits > 0


def child_of(search, move):
    root = int(search.tree.counters[ROOT])
    count, first = int(search.tree.nodes[root].count), int(search.tree.nodes[root].first)
    links = search.tree.links[first * LINKS : (first + count) * LINKS].reshape(LINKS, count)
    return int(links[CHILD, list(links[MOVE]).index(move)])


@pytest.mark.compiled
def test_the_default_playouts_agree_with_the_fast_ones():
    """Both are uniform: their means differ by less than chance allows."""
    from podium.games.zuniq.playout import zuniq_playouts
    from podium.search.hooks import plain_playouts
    from podium.search.playouts import new_playroom

    room, games = new_playroom(State, WALLS, MOST_PLIES), 4000
    state = opening(10)
    results, tallies = [], []
    for function in (zuniq_playouts, plain_playouts):
        tally = np.zeros((4, WALLS), np.float32)
        results.append(function(state, room, generator(3), games, tally) / games)
        tallies.append(tally / games)
    assert abs(results[0] - results[1]) < 0.08
    assert np.abs(tallies[0] - tallies[1]).max() < 0.08


def lost_endgame():
    return next((state, plain) for state, plain in map(endgame, range(40)) if not plain.wins())


def test_lost_positions_are_resisted():
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
        assert choice.resistance == pytest.approx(1 - refutations / max(1, len(replies)))


def test_no_time_is_spent_on_resistance_once_it_is_over(monkeypatch):
    state, _ = lost_endgame()
    search = search_of(state, FEW, endgame=60)
    monkeypatch.setattr("podium.search.mcts.count_refutations", lambda *_: pytest.fail("the time was over"))
    search.search(state, 0, Budget(now()))
    assert search.proven == LOSS
    assert {choice.resistance for choice in search.moves()} == {0.5}


def test_the_result_is_that_of_the_seat_that_asks():
    state, plain = endgame(1)
    mover = int(state.plies) & 1
    results = [
        Mcts(State, MINDS.mind(), WALLS, WALLS, MOST_PLIES, seed=5).search(state, seat, Budget(nodes=MORE))
        for seat in (mover, 1 - mover)
    ]
    assert results[0].move == results[1].move == results[0].line[0] == results[0].options[0].move
    assert results[0].value == -results[1].value
    assert {results[0].proof, results[1].proof} == {Proof.WIN, Proof.LOSS}
    assert results[0].proof == (Proof.WIN if plain.wins() else Proof.LOSS)


def test_another_mind_or_outlook_is_noticed():
    """A tree grown under one mind must not answer for another: the search is that of a new tree."""
    state = opening(10)
    kept = search_of(state, FEW)
    kept.mind.rave = False
    kept.search(state, 0, Budget(nodes=FEW))
    assert sum(move.visits for move in kept.moves()) == FEW * int(kept.mind.playouts)
    kept.search(state, 0, Budget(nodes=FEW), outlook=OUTLOOKS.of(kept.mind, only=int(zuniq_first(state))))
    assert [move.move for move in kept.moves()] == [int(zuniq_first(state))]


def zuniq_first(state):
    walls = np.zeros(WALLS, np.int64)
    zuniq_legal_moves(state, walls)
    return walls[0]


def test_a_game_that_is_over_and_an_endless_budget_are_refused():
    search = Mcts(State, MINDS.mind(), WALLS, WALLS, MOST_PLIES)
    with pytest.raises(PodiumError, match="never ends"):
        search.search(opening(), 0)
    state, walls = opening(), np.zeros(WALLS, np.int64)
    while not zuniq_is_over(state):
        zuniq_legal_moves(state, walls)
        zuniq_play(state, walls[0])
    with pytest.raises(PodiumError, match="over"):
        search.search(state, 0, Budget(nodes=FEW))
