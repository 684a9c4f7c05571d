"""Verdicts follow from intervals, and few of them are wrong."""

from dataclasses import replace
from statistics import NormalDist

import numpy as np
import pytest

from podium.lab.claims.claims import Finding, verdict_on
from podium.lab.claims.claims_report import ClaimsReport
from podium.lab.claims.finding_texts import measured_text
from podium.lab.claims.matches import MatchMeasurement
from podium.lab.claims.measurements import NotMeasurable, result
from podium.lab.claims.verdicts import ClaimVerdict, Expectation, Interval, Judged, Standard, combined, discovery_level
from tests.lab.claims.made_up import (
    ALIKE,
    ASKED,
    EIGHT_PERCENT,
    NO_GAIN,
    POORER,
    RATE,
    TIME,
    around,
    finding,
    made_claim,
)


@pytest.mark.parametrize(
    ("standard", "found", "verdict"),
    [
        (EIGHT_PERCENT, around(0.58, 0.03), ClaimVerdict.CONFIRMED),
        (EIGHT_PERCENT, around(0.70, 0.05), ClaimVerdict.DIFFERENT_VALUE),  # larger
        (EIGHT_PERCENT, around(0.53, 0.02), ClaimVerdict.DIFFERENT_VALUE),  # smaller
        (EIGHT_PERCENT, around(0.55, 0.08), ClaimVerdict.NO_EFFECT_SHOWN),
        (EIGHT_PERCENT, around(0.51, 0.03), ClaimVerdict.NOT_CONFIRMED),
        (EIGHT_PERCENT, around(0.40, 0.05), ClaimVerdict.NOT_CONFIRMED),
        (POORER, around(0.30, 0.1), ClaimVerdict.CONFIRMED),
        (POORER, around(0.60, 0.05), ClaimVerdict.NOT_CONFIRMED),
        (POORER, around(0.50, 0.05), ClaimVerdict.NO_EFFECT_SHOWN),
        (NO_GAIN, around(0.50, 0.04), ClaimVerdict.CONFIRMED),
        (NO_GAIN, around(0.42, 0.05), ClaimVerdict.CONFIRMED),  # nothing gained, perhaps something lost
        (NO_GAIN, around(0.15, 0.08), ClaimVerdict.DIFFERENT_VALUE),
        (NO_GAIN, around(0.60, 0.05), ClaimVerdict.NOT_CONFIRMED),
        (NO_GAIN, around(0.50, 0.15), ClaimVerdict.NO_EFFECT_SHOWN),
        (ALIKE, around(0.52, 0.05), ClaimVerdict.CONFIRMED),
        (ALIKE, around(0.36, 0.2), ClaimVerdict.NO_EFFECT_SHOWN),
        (ALIKE, around(0.3, 0.1), ClaimVerdict.NOT_CONFIRMED),
        (RATE, around(93_000, 5_000), ClaimVerdict.DIFFERENT_VALUE),
        (RATE, around(78_000, 1_000), ClaimVerdict.CONFIRMED),
        (RATE, around(78_000, 5_000), ClaimVerdict.BORDERLINE),  # its mean may be inside or beyond
        (RATE, Interval(78_000, 20_000, 200_000), ClaimVerdict.BORDERLINE),  # a wide interval confirms nothing
        (RATE, around(9_000, 1_000), ClaimVerdict.NOT_CONFIRMED),
        (TIME, around(0.06, 0.01), ClaimVerdict.DIFFERENT_VALUE),
        (TIME, around(7.0, 1.0), ClaimVerdict.NOT_CONFIRMED),
        (ASKED, around(0.6, 0.05), ClaimVerdict.HELPS),
        (ASKED, around(0.4, 0.05), ClaimVerdict.HARMS),
        (ASKED, around(0.52, 0.02), ClaimVerdict.HARDLY_MATTERS),
        (ASKED, around(0.53, 0.04), ClaimVerdict.NO_EFFECT_SHOWN),
    ],
)
def test_a_verdict_follows_from_the_interval(standard, found, verdict):
    assert standard.verdict(found) is verdict


@pytest.mark.parametrize(
    ("given", "verdict"),
    [
        ([], ClaimVerdict.NOT_MEASURED),
        ([ClaimVerdict.NOT_MEASURED], ClaimVerdict.NOT_MEASURED),
        ([ClaimVerdict.CONFIRMED, ClaimVerdict.NOT_MEASURED], ClaimVerdict.CONFIRMED),
        ([ClaimVerdict.CONFIRMED, ClaimVerdict.CONFIRMED], ClaimVerdict.CONFIRMED),
        ([ClaimVerdict.CONFIRMED, ClaimVerdict.OPEN], ClaimVerdict.OPEN),
        ([ClaimVerdict.CONFIRMED, ClaimVerdict.NO_EFFECT_SHOWN], ClaimVerdict.PARTLY_DECIDED),
        ([ClaimVerdict.CONFIRMED, ClaimVerdict.NO_EFFECT_SHOWN, ClaimVerdict.OPEN], ClaimVerdict.OPEN),
        (
            [ClaimVerdict.CONFIRMED, ClaimVerdict.BORDERLINE, ClaimVerdict.NOT_CONFIRMED],
            ClaimVerdict.DEPENDS_ON_CONDITIONS,
        ),
        ([ClaimVerdict.NO_EFFECT_SHOWN, ClaimVerdict.NOT_MEASURED], ClaimVerdict.NO_EFFECT_SHOWN),
        ([ClaimVerdict.CONFIRMED, ClaimVerdict.DIFFERENT_VALUE, ClaimVerdict.OPEN], ClaimVerdict.DEPENDS_ON_CONDITIONS),
    ],
)
def test_several_measurements_give_one_verdict(given, verdict):
    assert combined(given) is verdict


def test_the_games_needed_would_decide():
    found, games = around(0.55, 0.08), 120
    needed = EIGHT_PERCENT.games_needed(found, games)
    assert needed == 310  # the interval has to exclude 0.5: (0.08 / 0.05)^2 times as many
    assert EIGHT_PERCENT.verdict(found.scaled((games / needed) ** 0.5)).decided
    assert not EIGHT_PERCENT.verdict(found.scaled((games / (0.95 * needed)) ** 0.5)).decided


def test_nobody_waits_for_what_can_not_be_told_apart():
    edge = Standard(Expectation.EFFECT, 0.5, 0.6)
    assert edge.games_needed(around(0.5, 0.1), 100) is None


# Many verdicts, several looks


def test_the_level_of_an_interval_is_that_of_the_normal_distribution():
    found = around(0.5, 1.959964)
    assert found.at_level(0.95) == found
    assert found.at_level(0.99).high == pytest.approx(0.5 + 2.575829, abs=1e-5)
    assert found.at_level(0.95, looks=5) == found.at_level(0.99)


def test_the_level_is_that_of_benjamini_and_hochberg():
    """An interval decides if its p-value is small enough: they are ordered, and compared with i q/m."""
    values = [0.0001, 0.0004, 0.0019, 0.0095, 0.0201, 0.0278, 0.0298, 0.0344, 0.0459, 0.3240, 0.4262, 0.5719, 0.6528]
    values += [0.7590, 1.0]  # the example of their paper, of which four are discoveries at 5 %
    normal = NormalDist()
    measured = []
    for p in values:
        error = 0.1
        shift = normal.inv_cdf(1 - p / 2) * error / normal.inv_cdf(0.975)
        measured.append(Judged(Standard(Expectation.QUESTION, 0.5, 0.5), around(0.5 + shift, error)))
    level = discovery_level(measured, 0.05)
    assert level == pytest.approx(1 - 0.05 * 4 / 15)
    assert sum(each.verdict(level) is ClaimVerdict.HELPS for each in measured) == 4


def test_few_verdicts_are_wrong_where_hardly_anything_is_true():
    """Of 200 matches of equal bots and 20 of unequal ones, most that are decided are of unequal ones."""
    random = np.random.default_rng(1)
    asked = Standard(Expectation.QUESTION, 0.5, 0.5)
    wrong = {"controlled": [], "each at 95 %": []}
    for _ in range(50):
        found = random.normal([0.5] * 200 + [0.6] * 20, 0.02)
        measured = [Judged(asked, around(value, 0.02 * 1.96)) for value in found]
        for level, shares in zip((discovery_level(measured), 0.95), wrong.values(), strict=True):
            decided = [each.verdict(level).decided for each in measured]
            shares.append(sum(decided[:200]) / max(1, sum(decided)))
    assert np.mean(wrong["controlled"]) < 0.06
    assert np.mean(wrong["each at 95 %"]) > 0.2


def test_what_is_exact_counts_for_no_discovery():
    exact = Judged(Standard(Expectation.FIGURE, 1, 2), Interval(1.5, 1.5, 1.5))
    undecided = Judged(Standard(Expectation.QUESTION, 0.5, 0.5), around(0.52, 0.019))  # at 95 % it would be decided
    assert discovery_level([undecided] + 20 * [exact]) == discovery_level([undecided]) == 0.95
    assert discovery_level([]) == 0.95


def test_a_sample_that_is_not_complete_has_no_verdict():
    claim = made_claim()
    half = Finding(claim, claim.measurements[0], result(around(0.58, 0.03), 2, "games"))
    whole = replace(half, result=result(around(0.58, 0.03), 4, "games"))
    assert (half.verdict, whole.verdict) == (ClaimVerdict.OPEN, ClaimVerdict.CONFIRMED)
    assert "2 of 4 games" in measured_text(half)


def test_more_games_after_a_look_widen_the_interval():
    claim = made_claim()
    once = Finding(claim, claim.measurements[0], result(around(0.58, 0.07), 4, "games"))
    twice = replace(once, measurement=MatchMeasurement("zuniq", "uct", "random", games=[2, 4], nodes=20))
    assert twice.measurement.planned == 4
    assert (once.verdict, twice.verdict) == (ClaimVerdict.CONFIRMED, ClaimVerdict.NO_EFFECT_SHOWN)
    assert "look 2" in measured_text(twice)


def test_a_measurement_that_is_missing_leaves_a_claim_open():
    """The verdict on the first could be another than that on both. What nobody can measure is not waited for."""
    claim = made_claim()
    found, missing = finding(0.58, 0.03, claim=claim), Finding(claim, claim.measurements[0], None)
    never = Finding(claim, NotMeasurable("zuniq", "nobody can"), None)
    assert verdict_on([found]) is verdict_on([found, never]) is ClaimVerdict.CONFIRMED
    assert verdict_on([found, missing]) is ClaimVerdict.OPEN
    assert verdict_on([missing, never]) is ClaimVerdict.NOT_MEASURED
    assert ClaimsReport((found, missing)).remark(claim) == " (0 of 4 so far)"
