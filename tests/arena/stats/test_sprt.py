"""The sequential test: published ratios, refused bounds, planning, and how often it errs."""

import math

import numpy as np
import pytest
from tools.statistics_simulation import pair_distribution

from podium.arena.stats.intervals import GAME_SCORES, PAIR_SCORES, distribution_of, elo, pairs
from podium.arena.stats.sprt import (
    LOOKS,
    RunningSprt,
    Sprt,
    forecast,
    largest_bound,
    log_likelihood_ratio,
    unbiased_elo,
)
from podium.errors import PodiumError
from tests.arena.stats.samples import single_games


@pytest.mark.parametrize(
    ("distribution", "bounds", "expected"),
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
def test_normalized_ratios(distribution, bounds, expected):
    assert log_likelihood_ratio(distribution, Sprt(*bounds)) == pytest.approx(expected, abs=1e-6)


@pytest.mark.parametrize(
    ("distribution", "bounds", "expected"),
    [
        (pairs([223, 9863, 21279, 10037, 246]), (0.5, 2.5), -3.074126),
        (pairs([871, 26175, 55983, 26678, 821]), (0, 2), -4.978673),
        (single_games(21184, 40708, 21404), (0.5, 2.5), -1.571889),
        (single_games(57030, 106593, 57433), (0, 2), -2.593024),
        (pairs([2, 10, 20, 15, 3]), (0, 10), 0.354265),
    ],
)
def test_logistic_ratios(distribution, bounds, expected):
    assert log_likelihood_ratio(distribution, Sprt(*bounds, normalized=False)) == pytest.approx(expected, abs=1e-6)


def test_barriers():
    test = Sprt(0, 20)
    assert (test.lower, test.upper) == pytest.approx((-2.944438979, 2.944438979))
    assert [test.accepted(ratio) for ratio in (-3, -2.9, 0, 2.9, 3)] == [-1, 0, 0, 0, 1]


def test_bounds_without_a_law_are_refused():
    assert largest_bound(PAIR_SCORES, 2) == pytest.approx(231.6, abs=0.1)
    assert largest_bound(GAME_SCORES, 1) == pytest.approx(340.4, abs=0.1)
    with pytest.raises(PodiumError, match=r"231\.6"):
        log_likelihood_ratio(pairs([1, 2, 3, 4, 5]), Sprt(0, 240))
    assert math.isfinite(log_likelihood_ratio(pairs([1, 2, 3, 4, 5]), Sprt(0, 240, normalized=False)))
    assert math.isfinite(log_likelihood_ratio(pairs([1, 2, 3, 4, 5]), Sprt(-231, 231)))


@pytest.mark.parametrize("bounds", [(5, 5), (10, 0)])
def test_bounds_must_rise(bounds):
    with pytest.raises(PodiumError, match="must be below the second"):
        Sprt(*bounds)


@pytest.mark.parametrize(
    "counts", [(1, 0, 0, 0, 0), (0, 0, 1, 0, 0), (0, 0, 300, 0, 0), (500, 0, 0, 0, 0), (0, 0, 0, 0, 1)]
)
def test_lopsided_ratios_are_finite(counts):
    for test in (Sprt(0, 20), Sprt(0, 20, normalized=False)):
        assert math.isfinite(log_likelihood_ratio(pairs(counts), test))


def test_blocks_of_many_seatings_lean_the_right_way():
    test = Sprt(0, 50)
    good = distribution_of([0.5, 0.6, 0.7, 0.55, 0.8, 0.65] * 20, games=6)
    bad = distribution_of([0.5, 0.4, 0.3, 0.45, 0.2, 0.35] * 20, games=6)
    assert log_likelihood_ratio(good, test) > test.upper
    assert log_likelihood_ratio(bad, test) < test.lower


def test_the_plan_shrinks_as_the_ratio_rises():
    distribution, test = pairs([20, 100, 200, 140, 40]), Sprt(0, 20)
    near, far = forecast(distribution, test, 2.5), forecast(distribution, test, 0.0)
    assert near.games < far.games
    assert near.chance > far.chance
    assert forecast(pairs([0] * 5), test, 0.0) is None


def test_a_few_games_promise_nothing():
    """Seven pairs are too few to know the drift: neither hypothesis may be said to be certain."""
    test = Sprt(0, 20)
    for counts in ([0, 1, 2, 3, 1], [1, 3, 2, 1, 0]):
        distribution = pairs(counts)
        assert 0.3 < forecast(distribution, test, log_likelihood_ratio(distribution, test)).chance < 0.7
    assert forecast(pairs([0, 0, 1, 0, 0]), test, 0.0).chance == pytest.approx(0.5, abs=0.01)


@pytest.mark.parametrize(
    ("counts", "bounds", "supported"),
    [
        ((0, 0, 0, 0, 9), (0, 200), False),  # nine blocks: their variance is not trusted
        ((2, 5, 10, 5, 2), (0, 20), False),  # 48 games leave ± 98 nElo, the prior ± 39
        ((2, 5, 10, 5, 2), (0, 100), True),
        ((50, 125, 250, 125, 50), (0, 20), True),  # 1,200 games: ± 20
    ],
)
def test_a_forecast_is_supported_once_the_games_say_more_than_the_prior(counts, bounds, supported):
    assert forecast(pairs(counts), Sprt(*bounds), 0.0).supported == supported


def test_the_unbiased_difference_is_that_of_fishtest():
    found = unbiased_elo(pairs([39, 2226, 31451, 2412, 40]), Sprt(0.764, 3.439), 0)
    assert (found.elo, found.low, found.high) == pytest.approx((0.865, 0.168, 1.541), abs=0.0005)


def test_a_test_that_ended_early_is_not_taken_at_its_word():
    """H1 as soon as it could be: the plain difference is the one of a lucky moment."""
    distribution, test = pairs([8, 34, 72, 55, 19]), Sprt(0, 50)
    assert test.accepted(log_likelihood_ratio(distribution, test)) == 1
    found = unbiased_elo(distribution, test, 1)
    assert found.low < found.elo < elo(distribution.mean) < found.high
    assert unbiased_elo(pairs([0] * 5), test, 0) is None


@pytest.mark.parametrize("counts", [(0, 0, 0, 0, 20), (20, 0, 0, 0, 0), (0, 0, 300, 0, 0), (1, 0, 0, 0, 3)])
def test_the_unbiased_difference_of_lopsided_results_is_finite_and_in_order(counts):
    distribution = pairs(counts)
    for test in (Sprt(0, 50), Sprt(0, 5), Sprt(-20, 0), Sprt(0, 20, normalized=False)):
        found = unbiased_elo(distribution, test, test.accepted(log_likelihood_ratio(distribution, test)))
        assert all(map(math.isfinite, (found.elo, found.low, found.high)))
        assert found.low < found.elo < found.high or abs(found.elo) == elo(1.0)


def test_nothing_changes_after_the_decision():
    sequential = RunningSprt(Sprt(0, 50), 2)
    assert sequential.add([1.0] * 1000) == sequential.decision.blocks < 1000
    decision, distribution = sequential.decision, sequential.distribution
    assert decision.accepted == 1
    assert sequential.add([0.0]) == 0
    assert (sequential.decision, sequential.distribution) == (decision, distribution)
    assert decision.blocks == distribution.blocks


def test_blocks_count_the_same_one_by_one_and_many_at_a_time():
    scores = np.random.default_rng(1).choice(PAIR_SCORES, 2600, p=pair_distribution(8)).tolist()
    alone, together = RunningSprt(Sprt(0, 4), 2), RunningSprt(Sprt(0, 4), 2)
    looks = []
    for number, score in enumerate(scores, 1):
        before = alone.decision.ratio
        assert alone.add([score]) == 1
        if alone.decision.ratio != before:
            looks.append(number)
    assert looks == [number for number in range(1, 2601) if number % max(1, number // LOOKS) == 0]
    for start in range(0, 2600, 650):
        assert together.add(scores[start : start + 650]) == 650
    assert together.decision == alone.decision
    assert together.distribution == alone.distribution


def passed(difference, tests, seed):
    """The number of simulated tests at [0, 20] that accept H1, checked after every 20 pairs."""
    random = np.random.default_rng(seed)
    distribution, test, accepted = pair_distribution(difference), Sprt(0, 20), 0
    for _ in range(tests):
        counts = np.zeros(5)
        verdict = 0
        while not verdict:
            counts += random.multinomial(20, distribution)
            verdict = test.accepted(log_likelihood_ratio(pairs(counts.tolist()), test))
        accepted += verdict == 1
    return accepted


@pytest.mark.slow
def test_error_rates_are_those_promised():
    """Binomial limits: 100 tests at 5 % pass at most 13 times (99.9 %)."""
    assert 1 <= passed(0, 100, seed=1) <= 13
    assert 87 <= passed(20, 100, seed=2) <= 99
