"""The sequential test: published ratios, refused bounds, planning, and how often it errs."""

import math

import numpy as np
import pytest

from podium.arena.sprt import Sequential, Test, largest_bound, log_likelihood_ratio, plan, walk, worst_case_games
from podium.arena.statistics import GAME_SCORES, PAIR_SCORES, K, law_of, pairs, single_games
from podium.errors import PodiumError


@pytest.mark.parametrize(
    ("law", "bounds", "expected"),
    [
        (pairs([365, 16618, 36229, 16974, 390]), (0, 2), 2.250368),
        (pairs([127, 4883, 10712, 5150, 104]), (-1.75, 0.25), 3.010154),
        (pairs([0, 0, 0, 0, 5550]), (0, 5), 111.797555),
        (single_games(36027, 68692, 36433), (0, 2), 0.923293),
        (single_games(10650, 20431, 10871), (-1.75, 0.25), 2.297500),
        (single_games(0, 0, 4250), (0, 10), 120.548268),
        (pairs([39, 8843, 26675, 9240, 44]), (0.5, 2.5), 2.941675),
        (pairs([2, 10, 20, 15, 3]), (0, 10), 0.257519),
        (pairs([50, 287, 610, 387, 73]), (0, 5), 2.965942),
    ],
)
def test_normalized_ratios(law, bounds, expected):
    assert log_likelihood_ratio(law, Test(*bounds)) == pytest.approx(expected, abs=1e-6)


@pytest.mark.parametrize(
    ("law", "bounds", "expected"),
    [
        (pairs([223, 9863, 21279, 10037, 246]), (0.5, 2.5), -3.074126),
        (pairs([871, 26175, 55983, 26678, 821]), (0, 2), -4.978673),
        (single_games(21184, 40708, 21404), (0.5, 2.5), -1.571889),
        (single_games(57030, 106593, 57433), (0, 2), -2.593024),
        (pairs([2, 10, 20, 15, 3]), (0, 10), 0.354265),
    ],
)
def test_logistic_ratios(law, bounds, expected):
    assert log_likelihood_ratio(law, Test(*bounds, normalized=False)) == pytest.approx(expected, abs=1e-6)


def test_barriers():
    test = Test(0, 20)
    assert (test.lower, test.upper) == pytest.approx((-2.944438979, 2.944438979))
    assert [test.verdict(ratio) for ratio in (-3, -2.9, 0, 2.9, 3)] == [-1, 0, 0, 0, 1]


def test_bounds_without_a_law_are_refused():
    assert largest_bound(PAIR_SCORES, 2) == pytest.approx(231.6, abs=0.1)
    assert largest_bound(GAME_SCORES, 1) == pytest.approx(340.4, abs=0.1)
    with pytest.raises(PodiumError, match=r"231\.6"):
        log_likelihood_ratio(pairs([1, 2, 3, 4, 5]), Test(0, 240))
    assert math.isfinite(log_likelihood_ratio(pairs([1, 2, 3, 4, 5]), Test(0, 240, normalized=False)))
    assert math.isfinite(log_likelihood_ratio(pairs([1, 2, 3, 4, 5]), Test(-231, 231)))


@pytest.mark.parametrize("bounds", [(5, 5), (10, 0)])
def test_bounds_must_rise(bounds):
    with pytest.raises(PodiumError, match="rising"):
        Test(*bounds)


@pytest.mark.parametrize(
    "counts", [(1, 0, 0, 0, 0), (0, 0, 1, 0, 0), (0, 0, 300, 0, 0), (500, 0, 0, 0, 0), (0, 0, 0, 0, 1)]
)
def test_lopsided_ratios_are_finite(counts):
    for test in (Test(0, 20), Test(0, 20, normalized=False)):
        assert math.isfinite(log_likelihood_ratio(pairs(counts), test))


def test_blocks_of_many_seatings_lean_the_right_way():
    test = Test(0, 50)
    good = law_of([0.5, 0.6, 0.7, 0.55, 0.8, 0.65] * 20, games=6)
    bad = law_of([0.5, 0.4, 0.3, 0.45, 0.2, 0.35] * 20, games=6)
    assert log_likelihood_ratio(good, test) > test.upper
    assert log_likelihood_ratio(bad, test) < test.lower


@pytest.mark.parametrize(("width", "games"), [(10, 10465), (20, 2616), (50, 419)])
def test_worst_case_games(width, games):
    assert worst_case_games(width) == pytest.approx(games, abs=1)


def test_planning_agrees_with_its_formulas():
    low, high, drift, spread = -2.9, 2.5, 0.013, 0.02
    chance, steps = walk(drift, spread, low, high)
    expected = (1 - math.exp(-2 * drift * low / spread)) / (
        math.exp(-2 * drift * high / spread) - math.exp(-2 * drift * low / spread)
    )
    assert chance == pytest.approx(expected)
    assert steps == pytest.approx((low * (1 - expected) + high * expected) / drift)


@pytest.mark.parametrize("drift", [1e-12, -1e-12, 40.0, -40.0, 0.3, -0.3])
def test_planning_is_finite_and_mirrored(drift):
    chance, steps = walk(drift, 0.02, -2.0, 3.0)
    other, same = walk(-drift, 0.02, -3.0, 2.0)
    assert 0 <= chance <= 1
    assert steps > 0
    assert chance == pytest.approx(1 - other)
    assert steps == pytest.approx(same)


def test_the_plan_shrinks_as_the_ratio_rises():
    law, test = pairs([20, 100, 200, 140, 40]), Test(0, 20)
    near, far = plan(law, test, 2.5), plan(law, test, 0.0)
    assert near.games < far.games
    assert near.chance > far.chance
    assert plan(pairs([0] * 5), test, 0.0) is None


def test_nothing_changes_after_the_decision():
    sequential = Sequential(Test(0, 50), 2)
    while not sequential.add(1.0).verdict:
        pass
    decision, law = sequential.decision, sequential.law
    assert sequential.add(0.0) == decision
    assert sequential.law == law
    assert decision.blocks == law.blocks


# Pairs of a contest bot's match: most are split, a sixth of the games is drawn.
LEVEL = np.array([0.06, 0.21, 0.46, 0.21, 0.06])


def tilted(difference):
    """The law nearest to LEVEL whose normalized difference is the given one."""
    scores = np.array(PAIR_SCORES)

    def difference_of(t):
        law = LEVEL * np.exp(t * scores)
        law /= law.sum()
        mean = (law * scores).sum()
        return K * (mean - 0.5) / math.sqrt(2 * (law * (scores - mean) ** 2).sum()), law

    low, high = -5.0, 5.0
    for _ in range(60):
        middle = (low + high) / 2
        if difference_of(middle)[0] < difference:
            low = middle
        else:
            high = middle
    return difference_of(low)[1]


def passed(difference, tests, seed):
    """How many of so many simulated tests at [0, 20] accept H1, looking after every 20 pairs."""
    random = np.random.default_rng(seed)
    law, test, accepted = tilted(difference), Test(0, 20), 0
    for _ in range(tests):
        counts = np.zeros(5)
        verdict = 0
        while not verdict:
            counts += random.multinomial(20, law)
            verdict = test.verdict(log_likelihood_ratio(pairs(counts.tolist()), test))
        accepted += verdict == 1
    return accepted


@pytest.mark.slow
def test_error_rates_are_those_promised():
    """Binomial limits: 200 tests at 5 % pass 2 to 19 times (99.9 %)."""
    assert 1 <= passed(0, 200, seed=1) <= 19
    assert 181 <= passed(20, 200, seed=2) <= 199
