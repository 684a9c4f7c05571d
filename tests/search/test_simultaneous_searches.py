"""Smitsimax, rolling horizons and matrices at the root on small games, against exact solutions and plain twins."""

import doctest
import math
from collections import defaultdict
from importlib import import_module

import numpy as np
import pytest

from podium.errors import LimitError, PodiumError, UnfitSearchError
from podium.kernel import JIT, copy_of, kernel
from podium.kernel.random import draw_below, generator
from podium.model.budget import Budget
from podium.model.result import Proof
from podium.model.rules import before_turn, is_over, mover, play
from podium.model.ruleset import Rules
from podium.search import root_matrix
from podium.search.alphabeta import AlphaBeta
from podium.search.decoupled import DecoupledUct, simulate_until
from podium.search.matrix_games import exploitability
from podium.search.plain import Plain
from podium.search.rolling_horizon import RollingHorizon, plan_round
from podium.search.root_matrix import RootMatrix
from podium.search.smitsimax import Smitsimax, simulate_trees
from tests.search import toy
from tests.search.simultaneous_games import (
    BIASED,
    GOOFSPIEL_RULES,
    MATRIX_RULES,
    NO_OPINION,
    NUMBERS,
    OSHI_ZUMO_RULES,
    PENNIES,
    SCISSORS,
    UNITS_RULES,
    coins_ahead,
    goofspiel,
    matrix_game,
    oshi_zumo,
    units_game,
)

NODES = 400 if JIT else 60
MANY = 3000 if JIT else 400
DOMINANT = [[1, 2, 3], [0, 1, 0], [-1, 0, 2]]  # the first row, then the first column


@kernel
def points_ahead(state, seat):
    """An evaluation of Goofspiel: the points won so far."""
    return (1 - 2 * seat) * np.float64(state.lead)


@kernel
def nothing(state, seat):
    """Matrix games end after a turn."""
    return 0.0


SEARCHES = [Smitsimax, RollingHorizon, RootMatrix]


@pytest.mark.compiled
@pytest.mark.slow
@pytest.mark.parametrize("name", ["smitsimax", "rolling_horizon", "root_matrix"])
def test_examples_in_docstrings_run(name):
    failed, tried = doctest.testmod(import_module(f"podium.search.{name}"))
    assert tried >= 4
    assert failed == 0


@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize("kind", SEARCHES)
def test_a_dominant_move_is_found(kind, seat):
    options = {"horizon": 1} if kind is RollingHorizon else {}
    search = kind(MATRIX_RULES, evaluate=nothing, seed=3, **options)
    result = search.decide(matrix_game(DOMINANT), seat, Budget(nodes=NODES))
    assert result.move == 0
    assert result.value == pytest.approx(1.0 if seat == 0 else -1.0, abs=0.6)


@pytest.mark.parametrize("kind", SEARCHES)
def test_the_same_seed_gives_the_same_result(kind):
    results = [
        kind(OSHI_ZUMO_RULES, evaluate=coins_ahead, seed=5).decide(oshi_zumo(), 0, Budget(nodes=NODES))
        for _ in range(2)
    ]
    assert results[0] == results[1]


@pytest.mark.parametrize("kind", SEARCHES)
def test_what_does_not_suit_is_refused(kind, capfd, monkeypatch):
    monkeypatch.delenv("PODIUM_QUIET", raising=False)
    with pytest.raises(UnfitSearchError, match="kernel"):
        kind(GOOFSPIEL_RULES, evaluate=lambda state, seat: 0.0)
    assert "plain Python" not in capfd.readouterr().err, "what is refused is not announced"
    with pytest.raises(UnfitSearchError, match=r"give evaluate=\.\.\., a kernel"):
        kind(GOOFSPIEL_RULES)
    search, state = kind(GOOFSPIEL_RULES, evaluate=points_ahead), goofspiel()
    if kind is not RootMatrix:
        with pytest.raises(LimitError, match="never ends"):
            search.decide(state, 0)
    play(state, 0)
    with pytest.raises(PodiumError, match="already chosen"):
        search.decide(state, 1, Budget(nodes=5))
    undeclared = Rules("columns", toy.State, 3, 8, 24, 64, simultaneous=True)
    with pytest.raises(UnfitSearchError, match="before_turn"):
        kind(undeclared, evaluate=toy.opinion)


@pytest.mark.parametrize("kind", [Smitsimax, RollingHorizon])
def test_three_seats_in_turns_are_searched(kind):
    state = toy.start(4, last=9)
    result = kind(toy.RULES, evaluate=toy.opinion, seed=1).decide(state, int(mover(state)), Budget(nodes=NODES))
    assert result.move in toy.RULES.moves(state)


@pytest.mark.compiled
@pytest.mark.parametrize(
    ("kind", "simulates"), [(DecoupledUct, simulate_until), (Smitsimax, simulate_trees), (RollingHorizon, plan_round)]
)
def test_kernels_allocate_no_memory(kind, simulates):
    from podium.kernel.numba_internals import linked_module

    kind(OSHI_ZUMO_RULES, evaluate=coins_ahead, seed=1).decide(oshi_zumo(), 0, Budget(nodes=20))
    assert simulates.overloads
    for version in simulates.overloads.values():
        code = str(linked_module(version))
        assert simulates.__name__ in code
        assert "NRT_Allocate" not in code
        assert "NRT_MemInfo_alloc" not in code


# ---- Smitsimax


class PlainTree:
    """A node of a seat's own tree."""

    def __init__(self):
        self.visits, self.total, self.children = 0, 0.0, defaultdict(PlainTree)


def plain_smitsimax(state, seat, nodes, turns, exploration, random_visits, seed):
    """Visits and totals of a seat's moves, straight from the definition: Oshi-Zumo with the evaluation above."""
    random, trees, low, high = generator(seed), [PlainTree(), PlainTree()], math.inf, -math.inf
    for _ in range(nodes):
        game, paths, played = copy_of(state), [[tree] for tree in trees], 0
        while played < turns and not is_over(game):
            own, moves = int(mover(game)), OSHI_ZUMO_RULES.moves(game)
            node, start = paths[own][-1], int(draw_below(random, len(moves)))
            order, move = moves[start:] + moves[:start], moves[start]
            if len(moves) > 1 and node.visits >= random_visits:
                margin = 0.25 * (high - low) or 1.0
                bottom, top = (-1.0, 1.0) if low > high else (low - margin, high + margin)
                if own != seat:
                    bottom, top = -top, -bottom

                def bound(move, node=node, bottom=bottom, top=top):
                    child = node.children[move]
                    if not child.visits:
                        return math.inf
                    mean = (child.total / child.visits - bottom) / (top - bottom)
                    return mean + exploration * math.sqrt(math.log(node.visits) / child.visits)

                move = max(order, key=bound)
            paths[own].append(node.children[move])
            play(game, move)
            played += bool(before_turn(game))
        plain = Plain(OSHI_ZUMO_RULES, NO_OPINION)
        value = plain.terminal_value(game, seat) if is_over(game) else float(coins_ahead(game, seat))
        if abs(value) < 1e6:
            low, high = min(low, value), max(high, value)
        margin = 0.25 * (high - low) or 1.0
        bottom, top = (-1.0, 1.0) if low > high else (low - margin, high + margin)
        value = min(top, max(bottom, value))
        for own, path in enumerate(paths):
            for node in path:
                node.visits += 1
                node.total += value if own == seat else -value
    return {move: (child.visits, child.total) for move, child in trees[seat].children.items() if child.visits}


@pytest.mark.parametrize("seat", [0, 1])
def test_smitsimax_visits_what_its_definition_visits(seat):
    options = {"turns_deep": 3, "exploration": 0.6, "random_visits": 4}
    search = Smitsimax(OSHI_ZUMO_RULES, evaluate=coins_ahead, seed=9, memory=1, **options)
    result = search.decide(oshi_zumo(), seat, Budget(nodes=NODES))
    plain = plain_smitsimax(oshi_zumo(), seat, NODES, 3, 0.6, 4, 9)
    assert {o.move: o.visits for o in result.options if o.visits} == {move: n for move, (n, _) in plain.items()}
    for option in result.options:
        if option.visits:
            assert option.value == pytest.approx(plain[option.move][1] / plain[option.move][0])


@pytest.mark.parametrize("payoff", [PENNIES, BIASED, SCISSORS], ids=["pennies", "biased", "scissors"])
def test_the_shares_of_smitsimax_come_near_the_equilibrium(payoff):
    """UCB of both seats in a game of one turn."""
    means = []
    for nodes in (50, 3000) if JIT else (20, 300):
        results = [
            Smitsimax(MATRIX_RULES, evaluate=nothing, seed=seed, turns_deep=1).decide(
                matrix_game(payoff), 0, Budget(nodes=nodes)
            )
            for seed in range(4)
        ]
        shares = [[o.share for o in sorted(each.options, key=lambda o: o.move)] for each in results]
        means.append(np.mean([exploitability(payoff, each) for each in shares]))
    assert means[1] < means[0]
    assert means[1] < (0.1 if JIT else 0.25)


def test_full_trees_go_on_without_new_nodes():
    search = Smitsimax(OSHI_ZUMO_RULES, evaluate=coins_ahead, seed=9, memory=1)
    search.__dict__["trees"] = search.trees._replace(nodes=search.trees.nodes[:6])
    result = search.decide(oshi_zumo(), 0, Budget(nodes=NODES))
    assert sum(option.visits for option in result.options) <= NODES
    assert result.move in range(1, 6)


@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize("units", [1, 2])
def test_each_unit_has_a_tree_of_its_own(units, seat):
    """Its nodes are sequences of its own numbers, or of those of both units in one tree."""
    search = Smitsimax(UNITS_RULES, evaluate=nothing, units=units, seed=3, memory=1)
    result = search.decide(units_game(), seat, Budget(nodes=MANY))
    assert result.line[2 * seat : 2 * seat + 2] == ([2, 0] if units == 2 else [2, result.line[2 * seat + 1]])
    assert result.move == 2
    trees, roots = search.trees, 2 * units
    assert [int(trees.nodes[root].visits) for root in range(roots)] == [MANY] * roots
    depth = 2 if units == 2 else 4
    assert int(trees.counters[0]) <= roots * sum(NUMBERS**level for level in range(depth + 1))
    if units == 2:
        assert int(trees.counters[0]) == roots * (1 + NUMBERS + NUMBERS**2)
    assert sum(option.visits for option in result.options) == MANY


# ---- A matrix at the root


@pytest.mark.parametrize(
    ("payoff", "value"), [(PENNIES, 0.0), (BIASED, 0.2), (SCISSORS, 0.0)], ids=["pennies", "biased", "scissors"]
)
def test_the_matrix_is_solved(payoff, value):
    for solution, near in (("equilibrium", 1e-6), ("regret", 0.1)):
        search = RootMatrix(MATRIX_RULES, evaluate=nothing, root_solution=solution)
        result = search.decide(matrix_game(payoff), 0)
        assert result.proof == (Proof.EXACT if solution == "equilibrium" else Proof.NONE)
        assert result.value == pytest.approx(value, abs=near)
        assert exploitability(payoff, result.matrix.row_shares) < max(near, 1e-6)
        assert result.matrix.values == payoff


def test_with_the_worst_reply_it_is_alphabeta():
    """The same value at the same depth, for the seat that chooses first."""
    for coins in ((5, 5), (4, 3)):
        for depth in (2, 4, 6) if JIT else (2, 4):
            state = oshi_zumo(coins)
            worst = RootMatrix(OSHI_ZUMO_RULES, evaluate=coins_ahead, root_solution="worst_part", table_bits=8)
            plain = AlphaBeta(OSHI_ZUMO_RULES, evaluate=coins_ahead, table_bits=8, cache_bits=8)
            found = worst.decide(state, 0, depth=depth)
            assert found.value == plain.decide(state, 0, depth=depth).value
            assert found.depth == depth


def test_the_mean_of_the_worst_replies_is_less_pessimistic():
    values = [
        RootMatrix(MATRIX_RULES, evaluate=nothing, root_solution="worst_part", tail=tail).decide(
            matrix_game([[0, 4, 8], [1, 1, 1]]), 0
        )
        for tail in (0.0, 1.0)
    ]
    assert [(result.move, result.value) for result in values] == [(1, 1.0), (0, 4.0)]


def test_only_what_rests_on_no_assumption_is_proven():
    """Below the first turn the second one to choose knows, so even a search to the end of the game gives a bound."""
    search = RootMatrix(GOOFSPIEL_RULES, evaluate=points_ahead, table_bits=8, cache_bits=8)
    whole = search.decide(goofspiel(), 0)
    assert whole.value < Plain(GOOFSPIEL_RULES, NO_OPINION).equilibrium(goofspiel(), 0)[0] - 0.1
    assert whole.proof == Proof.NONE
    assert search.decide(goofspiel(turn=3), 0).proof == Proof.EXACT
    worst = RootMatrix(MATRIX_RULES, evaluate=nothing, root_solution="worst_part").decide(matrix_game(PENNIES), 0)
    assert (worst.value, worst.proof) == (-1.0, Proof.NONE)


def test_the_smallest_search_loads_all_that_later_ones_need(monkeypatch):
    """Kernels and the solver of linear programs, which would otherwise be loaded in the middle of a game."""
    loaded = []
    monkeypatch.setattr(root_matrix, "linear_programming", lambda: loaded.append("solver"))
    for solution in root_matrix.SOLUTIONS:
        search = RootMatrix(OSHI_ZUMO_RULES, evaluate=coins_ahead, root_solution=solution, table_bits=8, cache_bits=8)
        search.decide(oshi_zumo(), 0, Budget(nodes=1))
        assert search.engine.work.status[0].nodes > 0
    assert loaded == ["solver"], "of the equilibrium alone"


def test_too_many_joint_choices_are_refused(monkeypatch):
    monkeypatch.setattr(root_matrix, "MOST_JOINTS", 24)
    search = RootMatrix(OSHI_ZUMO_RULES, evaluate=coins_ahead, table_bits=8, cache_bits=8)
    with pytest.raises(LimitError, match="at most 24; here there are 25"):
        search.decide(oshi_zumo((5, 5)), 0, Budget(nodes=50))


def test_a_node_budget_finishes_whole_iterations():
    search = RootMatrix(OSHI_ZUMO_RULES, evaluate=coins_ahead, table_bits=8, cache_bits=8)
    deep, shallow = (search.decide(oshi_zumo(), 1, Budget(nodes=nodes)) for nodes in (MANY, 30))
    assert deep.depth > shallow.depth == 2
    assert deep.nodes <= MANY
    assert deep.move in range(1, 6)


@kernel
def until_pushed(state, out):
    """No candidates once the wrestler has left the middle: a bot that considers the game decided."""
    if state.wrestler != 0:
        return 0
    own = 0 if state.bid == -1 else 1
    for bid in range(state.coins[own]):
        out[bid] = bid + 1
    return state.coins[own]


@pytest.mark.parametrize("kind", SEARCHES)
def test_positions_without_candidates_keep_their_evaluation(kind):
    search = kind(OSHI_ZUMO_RULES, evaluate=coins_ahead, candidates=until_pushed, seed=1)
    result = search.decide(oshi_zumo((3, 3)), 0, Budget(nodes=NODES))
    assert result.move in range(1, 4)
    if kind is RootMatrix:
        row, column = 2, [column[0] for column in result.matrix.columns].index(1)
        assert result.matrix.values[row][column] == coins_ahead(
            Plain(OSHI_ZUMO_RULES).after_turn(oshi_zumo((3, 3)), (3, 1)), 0
        )


def test_a_drawn_move_follows_the_mixed_strategy():
    moves = {
        RootMatrix(MATRIX_RULES, evaluate=nothing, mixed=True, seed=seed).decide(matrix_game(PENNIES), 0).move
        for seed in range(12)
    }
    assert moves == {0, 1}


# ---- Rolling horizon


@pytest.mark.parametrize("population", [1, 6])
def test_plans_find_the_best_answer_to_what_is_predicted(population):
    """With no choice for the opponent, the best plan is that of a search through all sequences."""
    state = oshi_zumo((4, 0))
    search = RollingHorizon(
        OSHI_ZUMO_RULES, evaluate=coins_ahead, horizon=2, discount=0.0, population=population, seed=2
    )
    result = search.decide(state, 0, Budget(nodes=MANY))
    plain = Plain(OSHI_ZUMO_RULES, NO_OPINION)
    ends = [plain.after_turn(state, (bid, 0)) for bid in range(1, 5)]
    best = max(plain.terminal_value(end, 0) if is_over(end) else coins_ahead(end, 0) for end in ends)
    assert result.value == pytest.approx(best)
    assert result.nodes <= MANY


def test_plans_move_on_with_the_game():
    search = RollingHorizon(OSHI_ZUMO_RULES, evaluate=coins_ahead, horizon=4, seed=2)
    search.decide(oshi_zumo(), 0, Budget(nodes=NODES))
    before = search.work.plans.copy()
    search.begin_turn()
    assert (search.work.plans[:, :-1] == before[:, 1:]).all()
    fresh = RollingHorizon(OSHI_ZUMO_RULES, evaluate=coins_ahead, horizon=4, seed=2, reuse_plans=False)
    fresh.begin_turn()
    before = fresh.work.plans.copy()
    fresh.begin_turn()
    assert not (fresh.work.plans[:, :-1] == before[:, 1:]).any()


def test_annealing_accepts_worse_plans():
    cold, hot = (
        RollingHorizon(OSHI_ZUMO_RULES, evaluate=coins_ahead, temperature=temperature, seed=2)
        for temperature in (0.0, 50.0)
    )
    for search in (cold, hot):
        search.decide(oshi_zumo(), 0, Budget(nodes=NODES))
    assert not np.array_equal(cold.work.plans, hot.work.plans)


def test_searches_of_simultaneous_moves_show_their_own_texts():
    for kind in (Smitsimax, RollingHorizon, RootMatrix, DecoupledUct):
        result = kind(OSHI_ZUMO_RULES, evaluate=coins_ahead).search(oshi_zumo((4, 2)), 1, nodes=40)
        assert result.move in ("1", "2")
