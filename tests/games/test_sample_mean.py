"""Means with their intervals: Student's own data, and how often the true value is inside."""

import math

import numpy as np
import pytest

from podium.games.sample_mean import mean_ratio, sample_mean

# Hours of sleep gained by ten patients with one of two drugs: "The probable error of a mean", section IX
SLEEP = [1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4]


def test_the_interval_is_students():
    mean, low, high = sample_mean(SLEEP)
    assert mean == pytest.approx(2.33)
    assert (low, high) == (pytest.approx(0.8976775, abs=1e-6), pytest.approx(3.7623225, abs=1e-6))


def test_one_value_says_nothing_of_the_mean():
    assert sample_mean([5.0]) == (5.0, -math.inf, math.inf)


def test_a_constant_ratio_has_no_error():
    assert mean_ratio([2.0, 4.0, 8.0], [1.0, 2.0, 4.0]) == (2.0, 2.0, 2.0)


def test_the_true_ratio_is_inside_nineteen_times_of_twenty():
    random = np.random.default_rng(1)
    inside = 0
    for _ in range(400):
        others = random.gamma(5.0, 1.0, 40)
        _, low, high = mean_ratio((0.5 * others * random.gamma(10.0, 0.1, 40)).tolist(), others.tolist())
        inside += low <= 0.5 <= high
    assert 0.92 <= inside / 400 <= 0.98
