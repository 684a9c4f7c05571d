"""Means over clusters of games, and the control of false discoveries."""

import numpy as np
import pytest

from podium.arena.stats.clusters import benjamini_hochberg, difference_p_value, score_interval


def test_independent_games_have_the_interval_of_agresti_and_coull():
    """30 of 40: with 2 wins and 2 losses added the mean is 32/44; Student's t of 43 degrees is 2.0167."""
    low, high = score_interval([1.0] * 30 + [0.0] * 10, range(40))
    mean, deviation = 32 / 44, (32 / 44 * 12 / 44 / 44) ** 0.5
    assert (low, high) == pytest.approx((mean - 2.0167 * deviation, mean + 2.0167 * deviation), abs=1e-4)
    assert score_interval([1.0], [0])[1] == 1.0
    assert score_interval([0.0] * 50, range(50))[0] == 0.0


def test_games_of_one_seed_count_as_one():
    once = score_interval([1.0, 0.0] * 20, range(40))
    twice = score_interval(np.repeat([1.0, 0.0] * 20, 2), np.repeat(range(40), 2))
    assert twice == pytest.approx(once, abs=0.02)
    assert score_interval([1.0, 0.0] * 40, range(80))[0] > twice[0] + 0.03


@pytest.mark.parametrize("kind", ["seat", "seed", "game"])
@pytest.mark.parametrize("same", [0.9, 0.1, 0.5])  # probability that both games of a seed end alike
def test_where_there_is_no_difference_few_are_found(kind, same):
    random = np.random.default_rng(7)
    seeds, clusters = 60, np.repeat(np.arange(60), 2)
    inside = {"seat": np.tile([True, False], seeds), "seed": clusters < 15, "game": np.arange(2 * seeds) % 7 == 0}[kind]
    found = 0
    for _ in range(600):
        first = random.random(seeds) < 0.5
        second = np.where(random.random(seeds) < same, first, ~first)
        points = np.stack([first, second], axis=1).ravel().astype(float)
        found += difference_p_value(points, clusters, inside) <= 0.05
    assert found / 600 < 0.08


def test_a_real_difference_is_found():
    points = [1.0, 0.0] * 50 + [0.0, 0.0, 0.0, 1.0] * 25
    assert difference_p_value(points, range(200), [True] * 100 + [False] * 100) < 0.001


def test_benjamini_and_hochberg_as_scipy_has_it():
    from scipy.stats import false_discovery_control

    random = np.random.default_rng(3)
    for count in (1, 2, 15, 100):
        values = random.random(count) ** 3
        assert benjamini_hochberg(values.tolist()) == pytest.approx(false_discovery_control(values).tolist())
    assert benjamini_hochberg([]) == []
