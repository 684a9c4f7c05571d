"""The study of believed wins, and the racer that it plays against."""

import pytest

from podium.games.fall_challenge_2020.bots.context import context_of, fall_evaluate
from podium.games.fall_challenge_2020.bots.params import RACER_PARAMS, WRITEUP_PARAMS
from podium.games.fall_challenge_2020.setup import initial_state
from podium.games.fall_challenge_2020.studies import Belief, reliability


def test_a_potion_is_worth_more_than_its_price_to_a_racer_only():
    state = initial_state(1)
    for spec in (WRITEUP_PARAMS, RACER_PARAMS):
        params = spec.params()
        state.brews[0] = 0
        before = fall_evaluate(state, context_of(params, 0), 0)
        state.brews[0] = 2
        assert fall_evaluate(state, context_of(params, 0), 0) - before == pytest.approx(2 * params.potion)
    assert RACER_PARAMS.params().potion > 0 == WRITEUP_PARAMS.params().potion


def test_the_reliability_of_beliefs_counts_each_game_once():
    beliefs = [Belief(1, 3, 1.0), Belief(1, 2, 1.0), Belief(2, 1, 0.0), Belief(2, 12, 0.0), Belief(3, 5, 0.5)]
    rows = reliability(beliefs)
    assert [row[:4] for row in rows] == [["1 to 3", 3, 2, 0.5], ["4 to 6", 1, 1, 0.5], ["11 to 16", 1, 1, 0.0]]
