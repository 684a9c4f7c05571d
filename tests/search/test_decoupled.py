"""Decoupled UCT: known equilibria, exact solutions of small games, its plain twin, proofs, the tree's memory."""

import itertools

import numpy as np
import pytest

from podium.errors import LimitError, PodiumError
from podium.kernel import JIT, kernel
from podium.model.budget import Budget
from podium.model.hooks import WIN_VALUE
from podium.model.result import Proof
from podium.model.rules import play
from podium.search.decoupled import DecoupledUct
from podium.search.decoupled_selection import SELECTIONS
from podium.search.decoupled_tree import NODES
from podium.search.joint_choices import TurnChoices
from podium.search.matrix_games import exploitability
from podium.search.plain import Plain
from tests.search import toy
from tests.search.simultaneous_games import (
    BIASED,
    GOOFSPIEL_RULES,
    MATRIX_RULES,
    NO_OPINION,
    OSHI_ZUMO_RULES,
    PENNIES,
    SCISSORS,
    coins_ahead,
    goofspiel,
    matrix_game,
    oshi_zumo,
)

FEW, MANY = (100, 20_000) if JIT else (20, 1500)
SOME = 600 if JIT else 60
OPTIONS = {"memory": 2, "decide_matrices": False}


def plainly(function):
    """The same as plain Python: what is no kernel."""
    return lambda *arguments: function(*arguments)


def shares_of(result):
    """The mixed strategy of a result in the order of moves."""
    return [option.share for option in sorted(result.options, key=lambda option: option.move)]


@pytest.mark.parametrize("payoff", [PENNIES, BIASED, SCISSORS], ids=["pennies", "biased", "scissors"])
def test_regret_matching_approaches_the_equilibrium(payoff):
    few, many = (exploitability_of("regret", payoff, nodes) for nodes in (FEW, MANY))
    assert many < (0.05 if JIT else 0.15) * np.ptp(payoff)
    assert many <= few + 0.02


@pytest.mark.compiled
def test_exp3_approaches_the_equilibrium():
    """Slower than regret matching, and not nearer than its share of exploration."""
    few, many = (exploitability_of("exp3", SCISSORS, nodes) for nodes in (1000, 200_000))
    assert many < min(few, 0.12)


def exploitability_of(selection, payoff, nodes):
    """The mean over some seeds."""
    found = []
    for seed in range(4):
        search = DecoupledUct(MATRIX_RULES, selection=selection, seed=seed, **OPTIONS)
        shares = shares_of(search.decide(matrix_game(payoff), 0, Budget(nodes=nodes)))
        assert sum(shares) == pytest.approx(1.0)
        found.append(exploitability(payoff, shares))
    return np.mean(found)


@pytest.mark.parametrize("seat", [0, 1])
def test_both_seats_find_their_strategy(seat):
    payoff = np.array(BIASED) if seat == 0 else -np.array(BIASED).T
    search = DecoupledUct(MATRIX_RULES, selection="regret", seed=1, **OPTIONS)
    result = search.decide(matrix_game(BIASED), seat, Budget(nodes=MANY))
    assert exploitability(payoff, shares_of(result)) < 0.25
    assert result.value == pytest.approx(0.2 if seat == 0 else -0.2, abs=0.2)
    assert result.matrix.rows == [0, 1]
    order = [column[0] for column in result.matrix.columns]
    assert np.array(result.matrix.values)[:, np.argsort(order)] == pytest.approx(payoff)


@pytest.mark.parametrize(
    ("rules", "state"),
    [(GOOFSPIEL_RULES, goofspiel()), (OSHI_ZUMO_RULES, oshi_zumo((4, 4)))],
    ids=["goofspiel", "oshi-zumo"],
)
def test_exploitability_falls_with_simulations(rules, state):
    """Of the strategy at the root, if the rest of the game is played perfectly."""
    _, matrix, _ = Plain(rules, NO_OPINION).equilibrium(state, 0)
    matrix = np.clip(matrix, -1.0, 1.0) if rules is OSHI_ZUMO_RULES else matrix
    found = []
    for nodes in (30, 3000, 60_000) if JIT else (10, 800):
        searches = [DecoupledUct(rules, selection="regret", seed=seed, **OPTIONS) for seed in range(3)]
        results = [search.decide(state, 0, Budget(nodes=nodes)) for search in searches]
        found.append(np.mean([exploitability(matrix, shares_of(result)) for result in results]))
    assert found[-1] < found[0]
    if JIT:
        assert found[-1] < 0.15 * np.ptp(matrix)


@pytest.mark.parametrize("selection", SELECTIONS)
@pytest.mark.parametrize("transpositions", [True, False])
def test_the_plain_search_visits_what_the_compiled_one_visits(selection, transpositions):
    options = {"selection": selection, "seed": 7, "memory": 2, "transpositions": transpositions, "playout_turns": 2}
    for state, seat in ((oshi_zumo(), 0), (oshi_zumo(), 1), (oshi_zumo((4, 4), wrestler=-1), 0)):  # the last is lost
        left, right = (
            DecoupledUct(OSHI_ZUMO_RULES, evaluate=hook, **options).decide(state, seat, Budget(nodes=SOME))
            for hook in (coins_ahead, plainly(coins_ahead))
        )
        assert [(o.move, o.visits) for o in left.options] == [(o.move, o.visits) for o in right.options]
        assert [o.share for o in left.options] == pytest.approx([o.share for o in right.options])
        assert left.value == pytest.approx(right.value)
        assert left.proof == right.proof
        assert left.matrix.rows == right.matrix.rows


@kernel
def all_alike(state, seat):
    return 0.0


def test_puct_follows_the_priors_where_values_are_alike():
    """The first simulation takes the likeliest move, and the shares come near the priors, 1 / bid."""
    options = {"evaluate": all_alike, "selection": "puct", "turns_deep": 1, "memory": 2, "reuse_tree": False, "seed": 3}
    search = DecoupledUct(OSHI_ZUMO_RULES, **options)
    assert search.decide(oshi_zumo(), 0, Budget(nodes=1)).move == 1
    weights = 1.0 / np.arange(1, 6)
    shares = shares_of(search.decide(oshi_zumo(), 1, Budget(nodes=SOME)))
    assert shares == pytest.approx(weights / weights.sum(), abs=5 / SOME)


@pytest.mark.parametrize("wrestler", [-2, 0, 2])
@pytest.mark.parametrize("coins", [(2, 1), (3, 2), (2, 2)])
def test_decided_matrices_have_the_value_of_backward_induction(coins, wrestler):
    """What is proven is true; a matrix without a saddle point is left open."""
    state = oshi_zumo(coins, wrestler)
    value, matrix, _ = Plain(OSHI_ZUMO_RULES, NO_OPINION).equilibrium(state, 0)
    result = DecoupledUct(OSHI_ZUMO_RULES, memory=2, seed=2).decide(state, 0, Budget(nodes=SOME))
    has_saddle = matrix.min(axis=1).max() == matrix.max(axis=0).min()
    if result.proof:
        assert np.sign(result.value) == np.sign(value)
        row = [option.move for option in sorted(result.options, key=lambda option: option.move)].index(result.move)
        assert np.sign(matrix[row].min()) == np.sign(value)
        assert result.nodes < SOME
    else:
        assert not has_saddle


@kernel
def high_bids_first(state, out):
    coins = state.coins[0 if state.bid == -1 else 1]
    for i in range(coins):
        out[i] = coins - i
    return coins


@pytest.mark.parametrize("seat", [0, 1])
def test_in_a_lost_position_the_most_visited_move_is_played(seat):
    """All moves lose against the best reply; which one resists longest the search alone can tell."""
    state = oshi_zumo((4, 4), wrestler=2 * seat - 1)
    search = DecoupledUct(OSHI_ZUMO_RULES, evaluate=coins_ahead, candidates=high_bids_first, memory=2, seed=2)
    result = search.decide(state, seat, Budget(nodes=MANY))
    assert (result.value, result.proof) == (-WIN_VALUE - 1.0, Proof.EXACT)
    visits = {option.move: option.visits for option in result.options}
    assert result.move == max(visits, key=visits.get)


def test_a_game_in_turns_is_searched_as_by_uct():
    """One seat chooses at a node; the value of a proven game is that of minimax."""
    state = toy.start(4, last=5)
    result = DecoupledUct(toy.RULES, toy_params(), seed=1).decide(state, 0, Budget(nodes=SOME))
    assert result.matrix is None
    assert result.nodes == SOME
    assert result.move in toy.RULES.moves(state)


def toy_params():
    """Parameters of the search with an evaluation of the toy game."""
    return DecoupledUct(toy.RULES, evaluate=toy.opinion, memory=2).params


def test_the_same_seed_gives_the_same_result():
    results = [
        DecoupledUct(GOOFSPIEL_RULES, selection="exp3", seed=5, memory=2).decide(goofspiel(), 0, Budget(nodes=SOME))
        for _ in range(2)
    ]
    assert repr(results[0]) == repr(results[1])  # nan is not equal to itself


def test_the_tree_is_kept_from_turn_to_turn():
    search = DecoupledUct(GOOFSPIEL_RULES, seed=5, **OPTIONS)
    search.decide(goofspiel(), 0, Budget(nodes=SOME))
    before = int(search.tree.counters[NODES])
    state = goofspiel()
    for card in (1, 2):
        play(state, card)
    result = search.decide(state, 0, Budget(nodes=10))
    assert sum(option.visits for option in result.options) > 10
    assert int(search.tree.counters[NODES]) >= before
    search.decide(state, 1, Budget(nodes=10))  # another seat values positions by another evaluation
    assert int(search.tree.counters[NODES]) <= 11
    forgetful = DecoupledUct(GOOFSPIEL_RULES, seed=5, reuse_tree=False, **OPTIONS)
    for _ in range(2):
        assert sum(option.visits for option in forgetful.decide(goofspiel(), 0, Budget(nodes=20)).options) == 20


def test_a_full_tree_goes_on_without_new_nodes():
    search = DecoupledUct(GOOFSPIEL_RULES, seed=5, reuse_tree=False, **OPTIONS)
    small = search.tree._replace(nodes=search.tree.nodes[:5], edges=search.tree.edges[:20], cells=search.tree.cells[:6])
    search.__dict__["tree"] = small
    result = search.decide(goofspiel(), 0, Budget(nodes=SOME))
    assert sum(option.visits for option in result.options) == SOME
    assert int(small.counters[NODES]) == 5


def test_a_drawn_move_follows_the_mixed_strategy():
    moves = [
        DecoupledUct(MATRIX_RULES, selection="regret", mixed=True, seed=seed, **OPTIONS)
        .decide(matrix_game(SCISSORS), 0, Budget(nodes=50))
        .move
        for seed in range(30)
    ]
    assert {*moves} == {0, 1, 2}


def test_what_does_not_suit_is_refused():
    search, state = DecoupledUct(GOOFSPIEL_RULES, memory=2), goofspiel()
    with pytest.raises(LimitError, match="never ends"):
        search.decide(state, 0)
    play(state, 0)
    with pytest.raises(PodiumError, match="already chosen"):
        search.decide(state, 1, Budget(nodes=5))


def test_joint_choices_have_numbers():
    turn = TurnChoices([2, 0, 1], [[5, 6], [1, 2, 3], [9]])
    assert turn.size == 6
    assert [turn.joint_of(indices) for indices in turn.joints()] == list(range(6))
    assert {*turn.joints()} == {*itertools.product(range(2), range(3), range(1))}
    assert (turn.place_of(1), turn.place_of(7)) == (2, 0)


def test_the_result_shows_texts_of_the_own_moves():
    """Also of the seat that chooses second."""
    for seat in (0, 1):
        result = DecoupledUct(OSHI_ZUMO_RULES, memory=2).search(oshi_zumo((4, 2)), seat, nodes=40)
        assert result.move == str(result.numbers.move)
        assert {row["move"] for row in result.rows()} == {str(bid + 1) for bid in range((4, 2)[seat])}
        assert result.proof in (Proof.NONE, Proof.EXACT)
