"""A random walk between barriers: its formulas, and dice that agree with them."""

import itertools
import math

import numpy as np
import pytest

from podium.arena.stats.brownian import log_phi, probability_below, upper_exit, upper_exit_within
from podium.arena.stats.intervals import phi


def test_planning_agrees_with_its_formulas():
    low, high, drift, spread = -2.9, 2.5, 0.013, 0.02
    chance, steps = upper_exit(drift, spread, low, high)
    expected = (1 - math.exp(-2 * drift * low / spread)) / (
        math.exp(-2 * drift * high / spread) - math.exp(-2 * drift * low / spread)
    )
    assert chance == pytest.approx(expected)
    assert steps == pytest.approx((low * (1 - expected) + high * expected) / drift)


@pytest.mark.parametrize("drift", [1e-12, -1e-12, 40.0, -40.0, 0.3, -0.3])
def test_planning_is_finite_and_mirrored(drift):
    chance, steps = upper_exit(drift, 0.02, -2.0, 3.0)
    other, same = upper_exit(-drift, 0.02, -3.0, 2.0)
    assert 0 <= chance <= 1
    assert steps > 0
    assert chance == pytest.approx(1 - other)
    assert steps == pytest.approx(same)


@pytest.mark.parametrize("drift", [-0.05, -0.01, 0.0, 0.01, 0.05])
def test_after_a_long_time_the_walk_has_ended(drift):
    assert upper_exit_within(drift, 0.02, -2.9, 2.5, 1e5) == pytest.approx(
        upper_exit(drift, 0.02, -2.9, 2.5)[0], abs=1e-9
    )


@pytest.mark.parametrize("drift", [-0.2, -0.02, 0.0, 0.01, 0.2])
def test_below_the_upper_barrier_is_all_that_has_not_ended_high(drift):
    rest = 1 - upper_exit_within(drift, 0.02, -2.9, 2.5, 100)
    assert probability_below(drift, 0.02, -2.9, 2.5, 100, 2.5) == pytest.approx(rest, abs=1e-12)


def test_dice_agree():
    """Four thousand walks of small steps, of which few can slip past a barrier unseen."""
    random = np.random.default_rng(1)
    steps, drift, spread, low, high, place = 2000, 4e-4, 12e-4, -1.2, 1.0, 0.3
    walks = np.cumsum(random.normal(drift, math.sqrt(spread), (4_000, steps)).astype(np.float32), axis=1)
    ended_low, ended_high = walks <= low, walks >= high
    first_low = np.where(ended_low.any(axis=1), ended_low.argmax(axis=1), steps)
    first_high = np.where(ended_high.any(axis=1), ended_high.argmax(axis=1), steps)
    under_way = (first_low == steps) & (first_high == steps)
    below = (first_low < first_high) | (under_way & (walks[:, -1] < place))
    beyond = 0.583 * math.sqrt(spread)  # by how much steps overshoot
    barriers = low - beyond, high + beyond
    assert (first_high < first_low).mean() == pytest.approx(
        upper_exit_within(drift, spread, *barriers, steps), abs=0.02
    )
    assert below.mean() == pytest.approx(probability_below(drift, spread, *barriers, steps, place), abs=0.02)


def test_the_chance_falls_as_the_drift_rises():
    chances = [probability_below(drift, 0.02, -2.9, 2.9, 150, 1.0) for drift in np.linspace(-1, 1, 81)]
    assert chances[0] == pytest.approx(1)
    assert chances[-1] == pytest.approx(0)
    assert all(later <= earlier + 1e-12 for earlier, later in itertools.pairwise(chances))


def test_the_tail_of_the_normal_law():
    assert log_phi(-5.0) == pytest.approx(math.log(phi(-5.0)))
    assert log_phi(-37.0001) == pytest.approx(log_phi(-36.9999), rel=1e-4)
    assert log_phi(-100.0) == pytest.approx(-5005.524, abs=0.001)
