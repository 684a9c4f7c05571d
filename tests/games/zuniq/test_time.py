"""How the searching bots of Zuniq share the time of a game."""

import pytest

from podium.games.zuniq.bots.champion import Champion
from podium.games.zuniq.bots.params import CHAMPION_PARAMS
from podium.kernel.clock import SECOND
from podium.model.budget import Budget
from podium.search.tree_search import Pace

FLAT = {"margin": 0.0, "unstable_time": 0.0, "max_time": 30.0, "horizon": 32, "early_weight": 1.0, "late_weight": 1.0}


def seconds(plies, left, **changes):
    """The time of a move."""
    bot = Champion(CHAMPION_PARAMS.params({**FLAT, **changes}), 0)
    bot.state.plies = plies
    start = 7 * SECOND
    return (bot._times(Budget(start + int(left * SECOND), bank=True), start)[0] - start) / SECOND


def test_without_weights_the_time_left_is_shared_evenly_until_the_horizon():
    assert [seconds(0, 16.0), seconds(16, 8.0), seconds(28, 4.0), seconds(31, 4.0)] == [1.0, 1.0, 2.0, 2.0]


def test_time_moves_from_the_first_plies_to_the_last_and_all_of_it_is_used():
    weights = {"early_plies": 8, "early_weight": 0.5, "late_ply": 20, "late_weight": 2.0}
    left, spent = 20.0, []
    for ply in range(0, 30, 2):
        spent.append(seconds(ply, left, **weights))
        left -= spent[-1]
    assert spent[:4] == pytest.approx([0.5] * 4)
    assert spent[4:10] == pytest.approx([1.0] * 6)
    assert spent[10:14] == pytest.approx([2.0] * 4)
    assert left == pytest.approx(2.0), "half of what the last two moves share"


def test_visits_to_come_follow_from_the_pace_so_far():
    pace = Pace(1000, 50.0)
    assert pace.expected(150.0, 2000, 4000) == 200.0
    assert pace.expected(50.0, 2000, 4000) == float("inf"), "no visit yet: anything may come"
