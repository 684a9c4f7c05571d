"""The figures that fishtest, OpenBench and fastchess print, and what tiny and lopsided samples must give."""

import math

import pytest

from podium.arena.stats.intervals import (
    K,
    distribution_of,
    elo,
    estimate,
    pairs,
    rank_points,
)
from tests.arena.stats.samples import single_games


def lost_drawn_won(won, lost, drawn):
    return single_games(lost, drawn, won)


@pytest.mark.parametrize(
    ("distribution", "score", "expected", "normalized", "los"),
    [
        (lost_drawn_won(76, 89, 123), 0.477431, (-15.69, 30.46), (-20.76, 40.13), 15.53),
        (lost_drawn_won(136, 96, 111), 0.558309, (40.70, 30.43), (49.77, 36.77), 99.60),
        (lost_drawn_won(34, 356, 0), 0.087179, (-407.99, 63.16), (-508.44, 34.48), None),
        (pairs([34, 54, 63, 64, 75]), 0.579310, (55.58, 27.65), (57.94, 28.28), None),
        (pairs([332, 433, 498, 333, 334]), 0.487565, (-8.64, 10.33), (-9.17, 10.96), 5.05),
        (pairs([7895, 8757, 5685, 568, 9999]), 0.469753, (-21.04, 2.95), (-19.01, 2.65), None),
        (pairs([2, 10, 20, 15, 3]), None, (24.36, 45.67), (36.66, 68.10), 85.43),
        (pairs([50, 287, 610, 387, 73]), None, (18.04, 8.23), (28.19, 12.84), 100.00),
    ],
)
def test_published_figures(distribution, score, expected, normalized, los):
    found = estimate(distribution)
    if score is not None:
        assert found.score == pytest.approx(score, abs=5e-7)
    assert (found.elo, (found.elo_high - found.elo_low) / 2) == pytest.approx(expected, abs=0.0051)
    assert (found.nelo, found.nelo_error) == pytest.approx(normalized, abs=0.0051)
    if los is not None:
        assert 100 * found.los == pytest.approx(los, abs=0.0051)


def test_constants():
    assert pytest.approx(347.43558552260146, rel=1e-15) == K
    for error, games in ((50, 186), (20, 1160), (10, 4638)):
        assert math.ceil((1.959963984540054 * K / error) ** 2) == pytest.approx(games, abs=1)


@pytest.mark.parametrize(
    "counts", [(0, 0, 0, 0, 1), (0, 0, 1, 0, 0), (1, 0, 0, 0, 1), (0, 0, 0, 0, 5550), (7, 0, 0, 0, 0)]
)
def test_lopsided_and_tiny_samples_stay_finite(counts):
    found = estimate(pairs(counts))
    values = (found.elo, found.elo_low, found.elo_high, found.nelo, found.nelo_error, found.los)
    assert all(map(math.isfinite, values))
    assert found.elo_low <= found.elo <= found.elo_high
    assert 0 <= found.los <= 1


def test_one_won_pair_shows_nothing_and_twenty_do():
    assert estimate(pairs([0, 0, 0, 0, 1])).decided == 0
    assert estimate(pairs([0, 0, 0, 0, 1])).los < 0.9
    assert estimate(pairs([0, 0, 0, 0, 20])).decided == 1
    assert estimate(pairs([20, 0, 0, 0, 0])).decided == -1


def test_nothing_played_claims_nothing():
    found = estimate(pairs([0] * 5))
    assert (found.score, found.elo, found.los, found.decided) == (0.5, 0.0, 0.5, 0)


def test_identical_games_are_no_certainty_of_equality():
    """A pair of deterministic bots gives WL for ever; the interval must not shrink to nothing."""
    found = estimate(pairs([0, 0, 1, 0, 0]))
    assert found.elo_low < -100 < 100 < found.elo_high


def test_exchanging_the_bots_mirrors_everything():
    forth, back = estimate(pairs([3, 14, 30, 22, 9])), estimate(pairs([9, 22, 30, 14, 3]))
    assert forth.elo == pytest.approx(-back.elo)
    assert forth.elo_low == pytest.approx(-back.elo_high)
    assert forth.nelo == pytest.approx(-back.nelo)
    assert forth.los == pytest.approx(1 - back.los)


def test_elo_is_clamped():
    assert elo(1.0) == elo(0.999) == pytest.approx(1199.8, abs=0.1)
    assert elo(0.0) == pytest.approx(-elo(1.0))


@pytest.mark.parametrize(
    ("ranks", "mine", "points"),
    [
        ((1, 2), (True, False), 1.0),
        ((1, 1), (True, False), 0.5),
        ((1, 2, 3, 4), (True, True, False, False), 1.0),
        ((1, 2, 3, 4), (True, False, False, True), 0.5),
        ((2, 1, 2, 4), (True, False, False, False), 0.5),
        ((4, 1, 2, 3), (True, False, False, False), 0.0),
        ((1, 2), (True, True), None),
    ],
)
def test_rank_points(ranks, mine, points):
    assert rank_points(ranks, mine) == points


def test_laws_of_blocks_keep_every_score_that_occurs():
    distribution = distribution_of([0.25, 1 / 3, 1 / 3, 0.9], games=6)
    assert distribution.scores == (0.0, 0.25, round(1 / 3, 9), 0.5, 0.9, 1.0)
    assert distribution.counts == (0, 1, 2, 0, 1, 0)
    assert distribution.games == 6
    assert estimate(distribution).games == 24
