"""Intervals and forecasts hold as often as promised; `python -m tools.statistics_simulation` checks more cases."""

import pytest
from tools.statistics_simulation import LeagueCase, league_study, sequential_study

from podium.arena.stats.sprt import Sprt

pytestmark = pytest.mark.slow

FEW = 20  # games of a bot up to which results are so coarse that intervals hold too often rather than too rarely


def studied(bots, seats, rounds, tables, leagues):
    """Equal bots, and unequal ones by 100 and 300 Elo."""
    cases = [LeagueCase(bots, seats, rounds, spread, 0.0, tables) for spread in (0.0, 100.0, 300.0)]
    return cases[0].games, [league_study(case, leagues) for case in cases]


@pytest.mark.parametrize(
    ("bots", "seats", "rounds", "tables", "leagues"),
    [
        (2, 2, 2, 0, 100),
        (2, 2, 4, 0, 100),
        (2, 2, 50, 0, 400),
        (2, 2, 500, 0, 160),
        (3, 2, 2, 0, 100),
        (6, 2, 5, 0, 50),
        (6, 2, 100, 0, 50),
        (12, 2, 1, 0, 20),
        (12, 2, 10, 0, 10),
        (4, 4, 1, 0, 80),
        (4, 4, 100, 0, 60),
        (6, 4, 20, 0, 40),
        (12, 4, 1, 3, 10),
        (12, 4, 3, 100, 20),
    ],
)
def test_leagues_tell_the_truth(bots, seats, rounds, tables, leagues):
    games, found = studied(bots, seats, rounds, tables, leagues)
    covered = sum(one.covered for one in found) / len(found)
    assert 0.93 <= covered <= (0.97 if games > FEW else 1.0)
    assert all(one.wrong <= 0.05 for one in found)
    assert all(one.covered >= 0.92 for one in found)


@pytest.mark.parametrize(("bots", "seats", "rounds"), [(2, 2, (2, 10, 50, 250)), (4, 4, (1, 5, 25, 125))])
def test_more_games_are_surer(bots, seats, rounds):
    found = [league_study(LeagueCase(bots, seats, number, 150.0), 60) for number in rounds]
    widths, named = [one.width for one in found], [one.named for one in found]
    assert widths == sorted(widths, reverse=True)
    assert named == sorted(named)
    assert named[-1] > 0.7


@pytest.mark.parametrize("luck", [0.5, -0.5])
def test_shared_luck_is_seen(luck):
    found = league_study(LeagueCase(4, 2, 40, 0.0, luck), 100)
    assert 0.93 <= found.covered <= 0.97
    assert found.wrong <= 0.05


def test_a_test_says_how_it_will_end():
    """When it says 80 %, H1 is accepted in about 80 %; the difference it ends with is as often too high as too low."""
    found = sequential_study(Sprt(0, 100), 1.0, 120)
    for said, came, number in found.forecasts:
        assert came == pytest.approx(said, abs=0.12), f"{number} times"
    assert found.games_said == pytest.approx(found.games_played, rel=0.2)
    assert found.above == pytest.approx(0.5, abs=0.08)
    assert found.plain_above > 0.6
    assert 0.93 <= found.covered <= 0.98
