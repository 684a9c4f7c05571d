"""Simulated studies: tunings whose truth is known, played by dice. All seeds are fixed, so each gives one result."""

import numpy as np
import pytest

from podium.arena.stats.sprt import RunningSprt, Sprt
from podium.lab.tune.proposals import Method, ProposedBlock, answer, batch, propose
from podium.lab.tune.regression import ELO, Trial, fit
from podium.lab.tune.space import Dimension, SearchSpace
from podium.lab.tune.tuning_report import findings

STUDIES = 20
NUMBERS = SearchSpace([Dimension("width", 4.0, 1, 16, log=True), Dimension("weight", 0.5, 0.0, 2.0)])
MIXED = SearchSpace([*NUMBERS.dimensions, Dimension("fog", "worst", words=("worst", "random", "none"))])

pytestmark = pytest.mark.compiled  # no kernels here


class Planted:
    """A truth: a bowl of Elo around an optimum, and a word that is better than the others."""

    def __init__(self, space, seed, depth=100.0, word=60.0):
        random = np.random.default_rng(seed)
        self.space, self.depth, self.word = space, depth, word
        numbers = sum(not each.words for each in space.dimensions)
        self.centre = random.uniform(-0.7, 0.7, numbers)
        self.words = [int(random.integers(len(each.words))) for each in space.dimensions if each.words]

    def elo(self, *settings):
        coordinates = self.space.coded(settings)
        numbers = len(self.centre)
        found = -self.depth * ((coordinates[:, :numbers] - self.centre) ** 2).sum(axis=1)
        for place, word in enumerate(self.words):
            found -= self.word * (1 - coordinates[:, numbers + 3 * place + word])
        return found

    def scores(self, contests, random):
        """Of pairs of games without draws."""
        lead = self.elo(*(contest.one for contest in contests))
        lead = lead - self.elo(*(contest.other or self.space.base for contest in contests))
        return random.binomial(2, 1 / (1 + np.exp(-lead / ELO))) / 2

    def lost(self, setting):
        """Elo that a setting lacks to the optimum."""
        return -self.elo(setting)[0]


class Flat(Planted):
    """A truth without any gain."""

    def elo(self, *settings):
        return np.zeros(len(settings))


def searched(method, truth, blocks, seed):
    """The trials of a tuning, each batch planned from those before the last one."""
    random = np.random.default_rng(1000 + seed)
    trials, known = [], 0
    while len(trials) < blocks:
        size = min(batch(method, len(trials)), blocks - len(trials))
        contests = propose(method, truth.space, trials[:known], len(trials), size, 0, seed)
        known = len(trials)
        scores = truth.scores(contests, random)
        trials += [Trial(each.one, each.other, 0, score) for each, score in zip(contests, scores, strict=True)]
    return trials


def claimed(truth, setting, seed, blocks=600):
    """Whether a sequential test claims that a setting is better than the base; a wide one, which takes fewer games."""
    random = np.random.default_rng(2000 + seed)
    test = RunningSprt(Sprt(0.0, 60.0), 2)
    test.add(list(truth.scores([ProposedBlock(setting)] * blocks, random)))
    return test.decision.accepted > 0


@pytest.mark.parametrize(
    ("method", "space", "blocks", "depth"),
    [(Method.DESIGN, MIXED, 1200, 120.0), (Method.SURFACE, NUMBERS, 800, 100.0), (Method.SPSA, NUMBERS, 1000, 100.0)],
    ids=["design", "surface", "spsa"],
)
def test_a_planted_optimum_is_found_within_5_elo(method, space, blocks, depth):
    lost = []
    for seed in range(STUDIES):
        truth = Planted(space, seed, depth)
        best, _ = answer(method, space, searched(method, truth, blocks, seed))
        lost.append(truth.lost(best))
    assert sum(loss <= 5 for loss in lost) >= 19, np.round(sorted(lost), 1)


@pytest.mark.parametrize(
    ("method", "space", "blocks", "most"),
    [(Method.DESIGN, MIXED, 1200, 0.3), (Method.SURFACE, NUMBERS, 800, 0.3), (Method.SPSA, NUMBERS, 1000, 0.3)],
    ids=["design", "surface", "spsa"],
)
def test_of_a_flat_bowl_most_is_found(method, space, blocks, most):
    """30 Elo at the ends of a range: less than what chance makes of the games of a single setting."""
    lost, base = [], []
    for seed in range(STUDIES // 2):
        truth = Planted(space, seed, depth=30.0, word=18.0)
        best, _ = answer(method, space, searched(method, truth, blocks, seed))
        lost.append(truth.lost(best))
        base.append(truth.lost(space.base))
    assert np.mean(lost) < most * np.mean(base), np.round(lost, 1)


@pytest.mark.parametrize("method", Method, ids=[each.value for each in Method])
def test_no_gain_is_claimed_where_none_is_planted(method):
    claims = 0
    for seed in range(STUDIES):
        truth = Flat(NUMBERS, seed)
        best, _ = answer(method, NUMBERS, searched(method, truth, 100, seed))
        claims += best != NUMBERS.base and claimed(truth, best, seed)
    assert claims <= 2


def test_a_planted_gain_is_claimed():
    claims = 0
    for seed in range(STUDIES):
        truth = Planted(MIXED, seed)
        best, _ = answer(Method.DESIGN, MIXED, searched(Method.DESIGN, truth, 300, seed))
        claims += claimed(truth, best, seed)
    assert claims >= 15


def test_intervals_hold_the_true_gain():
    covered = 0
    for seed in range(STUDIES):
        truth = Planted(MIXED, seed, depth=30.0)
        trials = searched(Method.DESIGN, truth, 300, seed)
        found = findings(Method.DESIGN, MIXED, trials)
        covered += found.gain.low <= truth.lost(MIXED.base) - truth.lost(found.best) <= found.gain.high
    assert covered >= 18


def test_opponents_of_other_strength_do_not_disturb():
    truth, random = Planted(NUMBERS, 3), np.random.default_rng(5)
    contests = propose(Method.DESIGN, NUMBERS, [], 0, 2000, 2, seed=1)
    strength = np.array([0.0, 150.0, -80.0])[[contest.opponent for contest in contests]]
    lead = truth.elo(*(contest.one for contest in contests)) - truth.elo(NUMBERS.base) - strength
    scores = random.binomial(2, 1 / (1 + np.exp(-lead / ELO))) / 2
    found = fit(NUMBERS, [Trial(c.one, None, c.opponent, s) for c, s in zip(contests, scores, strict=True)])
    gain, best = found.gains([found.best()])[0], found.best()
    assert {contest.opponent for contest in contests} == {1, 2}
    assert truth.lost(best) < 8
    assert gain.low <= truth.lost(NUMBERS.base) - truth.lost(best) <= gain.high


@pytest.mark.parametrize("method", Method, ids=[each.value for each in Method])
def test_the_same_trials_give_the_same_next_ones(method):
    truth = Planted(NUMBERS, 1)
    trials = searched(method, truth, 64, 1)
    first, again = (propose(method, NUMBERS, trials, 64, 16, 0, 1) for _ in range(2))
    assert first == again
    assert propose(method, NUMBERS, trials, 80, 16, 0, 1) != first
    assert all(contest.one != contest.other for contest in first)
