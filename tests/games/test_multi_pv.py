"""Moves are compared at the depth that all of them have reached."""

from podium.games.multi_pv import UNLIMITED_DEPTH, best_first, multi_pv
from podium.model.budget import Budget
from podium.model.result import Proof, Result

REACHED = {1: 6, 2: 4, 3: 9}  # by move, within its part of the budget


def search(move, budget, depth):
    """A value of 10 for each move less its depth, so that deeper searches look worse."""
    reached = REACHED[move] if depth == UNLIMITED_DEPTH else depth
    proof = Proof.EXACT if move == 3 else Proof.NONE
    return Result(move, 10.0 * move - reached, reached, max(1, budget.nodes), [move], proof)


def test_the_deeper_ones_are_valued_again_at_the_depth_of_the_slowest():
    results = best_first(multi_pv(search, [1, 2], Budget(nodes=100)))
    assert [(result.move, result.depth, result.value) for result in results] == [(2, 4, 16.0), (1, 4, 6.0)]


def test_where_the_whole_game_was_seen_the_depth_does_not_matter():
    results = multi_pv(search, [1, 3], Budget(nodes=100))
    assert [(result.move, result.depth) for result in results] == [(1, 6), (3, 9)]


def test_the_budget_is_shared_and_no_part_of_it_is_endless():
    assert sum(result.nodes for result in multi_pv(search, [3, 3, 3], Budget(nodes=60))) == 60
    assert [result.nodes for result in multi_pv(search, [3, 3], Budget(nodes=1))] == [1, 1]
