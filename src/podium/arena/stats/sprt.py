"""The sequential probability ratio test: stop as soon as the games decide between two hypotheses.

The generalized test of fishtest, OpenBench and fastchess: the log-likelihood ratio LLR = N sum p_i ln(q1_i / q0_i),
where q_j is the distribution closest to the observed one (by maximum likelihood) whose difference is exactly the bound
of H_j. The full multinomial over block scores is used: the usual quick approximations fail when one class holds all
results.

The bounds are in normalized Elo (Van den Bergh, "Normalized Elo", 2020) or in logistic Elo.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from numpy.polynomial.hermite_e import hermegauss

from podium.arena.stats.brownian import probability_below, upper_exit
from podium.arena.stats.intervals import (
    FEW_BLOCKS,
    EloInterval,
    K,
    ScoreDistribution,
    count_blocks,
    distribution_of_counts,
    elo,
    no_blocks,
    score_of_elo,
)
from podium.errors import PodiumError

PSEUDO_COUNT = 1e-3  # count of a class without results, so that its logarithm exists
MAX_ITERATIONS = 10
SMALLEST_CHANGE = 1e-9
ROOT_TOLERANCE = 1e-14
MOST_STEPS = 200
PRIOR_WIDTHS = 1.0  # standard deviation of the prior of the true difference, in widths of the test
QUADRATURE_NODES = 48  # of the average over the true difference in a forecast
OVERSHOOT = 0.583  # mean overshoot of a barrier, in deviations of a step (Siegmund, 1985, section 10.3)
LOOKS = 500  # a long test computes its LLR only each time its blocks grow by a 500th

Floats = Sequence[float]
ERROR_RATE = 0.05  # of both kinds, if the user says nothing


@dataclass(frozen=True)
class Sprt:
    """A sequential test: the difference of two bots under H0 and H1, and the error rates."""

    elo0: float  # H0: the difference is this
    elo1: float  # H1: the difference is this
    alpha: float = ERROR_RATE  # probability of accepting H1 if H0 is true
    beta: float = ERROR_RATE  # probability of accepting H0 if H1 is true
    normalized: bool = True  # bounds in normalized Elo, else in logistic Elo

    def __post_init__(self) -> None:
        if not self.elo0 < self.elo1:
            raise PodiumError(
                f"the first bound of the test must be below the second, not {self.elo0:g} and {self.elo1:g}"
            )
        if not (0 < self.alpha < 0.5 and 0 < self.beta < 0.5):
            raise PodiumError(f"error rates must lie between 0 and 0.5, not {self.alpha:g} and {self.beta:g}")

    @property
    def lower(self) -> float:
        """The LLR at or below which H0 is accepted."""
        return math.log(self.beta / (1 - self.alpha))

    @property
    def upper(self) -> float:
        """The LLR at or above which H1 is accepted."""
        return math.log((1 - self.beta) / self.alpha)

    def check(self, scores: Sequence[float], games: int) -> None:
        """Raise a PodiumError if no distribution over these block scores has such a difference."""
        if not self.normalized:
            return
        limit = largest_bound(scores, games)
        if max(abs(self.elo0), abs(self.elo1)) > limit:
            raise PodiumError(
                f"bounds in normalized Elo must lie within ±{limit:.1f} here, not {self.elo0:g} and {self.elo1:g}; "
                "use smaller ones (a match takes bounds in logistic Elo with --logistic)"
            )

    def accepted(self, ratio: float) -> int:
        """What this LLR accepts: 1 for H1, -1 for H0, 0 if the test continues."""
        return (ratio >= self.upper) - (ratio <= self.lower)


def largest_bound(scores: Sequence[float], games: int) -> float:
    """The largest normalized Elo that a distribution over these scores can have."""
    mean = sum(scores) / len(scores)
    variance = sum((a - mean) ** 2 for a in scores) / len(scores)
    half = math.sqrt(variance) / 2
    # with t beyond the largest of these, no moment a_i - 1/2 - t half (1 + ...) is positive any more
    steepest = max((a - 0.5) / (half * (1 + (a - mean) ** 2 / variance)) for a in scores)
    return steepest * K / math.sqrt(games)


def log_likelihood_ratio(distribution: ScoreDistribution, test: Sprt) -> float:
    """The log-likelihood ratio of the games so far; positive values favour H1."""
    if not distribution.blocks:
        return 0.0
    test.check(distribution.scores, distribution.games)
    counts = [count or PSEUDO_COUNT for count in distribution.counts]
    total = sum(counts)
    shares = [count / total for count in counts]
    fit = _fit_normalized if test.normalized else _fit_logistic
    first, second = (fit(distribution.scores, shares, bound, distribution.games) for bound in (test.elo0, test.elo1))
    return total * sum(p * math.log(b / a) for p, a, b in zip(shares, first, second, strict=True))


def _fit_logistic(scores: Floats, shares: Floats, bound: float, games: int) -> Floats:
    """The distribution closest to the observed one whose mean is the score expected at an Elo difference."""
    mean = score_of_elo(bound)
    return _tilt([score - mean for score in scores], shares)


def _fit_normalized(scores: Floats, shares: Floats, bound: float, games: int) -> Floats:
    """The distribution closest to the observed one whose normalized Elo is the bound, by repeated linearisation."""
    slope = bound * math.sqrt(games) / K
    distribution: Floats = [1 / len(scores)] * len(scores)
    for _ in range(MAX_ITERATIONS):
        mean = sum(q * a for q, a in zip(distribution, scores, strict=True))
        variance = sum(q * (a - mean) ** 2 for q, a in zip(distribution, scores, strict=True))
        half = slope * math.sqrt(variance) / 2
        moment = [a - 0.5 - half * (1 + (a - mean) ** 2 / variance) for a in scores]
        if not min(moment) < 0 < max(moment):
            break
        previous, distribution = distribution, _tilt(moment, shares)
        if max(abs(new - old) for new, old in zip(distribution, previous, strict=True)) < SMALLEST_CHANGE:
            break
    return distribution


def _tilt(moment: Floats, shares: Floats) -> Floats:
    """The distribution q_i = p_i / (1 + t f_i) under which the moments f have mean zero.

    The mean falls with t between two poles: Newton's steps, halving the interval where one would leave it.
    """
    low, high = -1 / max(moment), -1 / min(moment)
    t = 0.0
    for _ in range(MOST_STEPS):
        value = slope = 0.0
        for p, f in zip(shares, moment, strict=True):
            ratio = f / (1 + t * f)
            value += p * ratio
            slope -= p * ratio * ratio
        if value > 0:
            low = t
        else:
            high = t
        step = t - value / slope
        previous, t = t, step if low < step < high else (low + high) / 2
        if abs(t - previous) <= ROOT_TOLERANCE * max(1.0, abs(t)):
            break
    return [p / (1 + t * f) for p, f in zip(shares, moment, strict=True)]


@dataclass(frozen=True)
class LlrWalk:
    """The log-likelihood ratio of a test as a random walk, one step per block, linearised around the score so far."""

    score0: float  # expected under H0
    score1: float  # expected under H1
    variance: float  # of a block's score
    blocks: float
    mean: float  # score so far

    @property
    def spread(self) -> float:
        """The variance of a step of the LLR."""
        return (self.score1 - self.score0) ** 2 / self.variance

    def drift(self, score: float) -> float:
        """The mean of a step of the LLR if this is the true score."""
        return (self.score1 - self.score0) * (score - (self.score0 + self.score1) / 2) / self.variance


def llr_walk(distribution: ScoreDistribution, test: Sprt) -> LlrWalk | None:
    """The random walk of a test's LLR; None before the first block."""
    if not distribution.blocks:
        return None
    believed = distribution if distribution.blocks >= FEW_BLOCKS and distribution.variance else distribution.smoothed()
    if test.normalized:
        unit = math.sqrt(distribution.games * believed.variance) / K
        score0, score1 = (0.5 + bound * unit for bound in (test.elo0, test.elo1))
    else:
        score0, score1 = (score_of_elo(bound) for bound in (test.elo0, test.elo1))
    return LlrWalk(score0, score1, believed.variance, believed.blocks, believed.mean)


@dataclass(frozen=True)
class Forecast:
    """How a running test is expected to end, averaged over the true difference."""

    chance: float  # probability that H1 will be accepted
    games: float  # expected number of games still to play
    supported: bool  # the games say more about the difference than the prior does


def forecast(distribution: ScoreDistribution, test: Sprt, ratio: float) -> Forecast | None:
    """The expected end of a running test at this LLR; None before the first block.

    The observed score is uncertain, so the end of the walk is averaged over the posterior of the true score. The prior
    is normal around the middle of the bounds, PRIOR_WIDTHS wide: H1 begins with a probability of 1/2. The forecast is
    supported once there are FEW_BLOCKS blocks and the standard error of the score is below the prior's deviation.
    """
    steps = llr_walk(distribution, test)
    if steps is None:
        return None
    seen = steps.blocks / steps.variance
    thought = 1 / (PRIOR_WIDTHS * (steps.score1 - steps.score0)) ** 2
    centre = (seen * steps.mean + thought * (steps.score0 + steps.score1) / 2) / (seen + thought)
    deviation = 1 / math.sqrt(seen + thought)
    beyond = OVERSHOOT * math.sqrt(steps.spread)
    low, high = min(test.lower - ratio, 0.0) - beyond, max(test.upper - ratio, 0.0) + beyond
    chance = blocks = 0.0
    for weight, node in zip(*_normal_nodes(), strict=True):
        ends, lasts = upper_exit(steps.drift(centre + node * deviation), steps.spread, low, high)
        chance += weight * ends
        blocks += weight * lasts
    return Forecast(chance, blocks * distribution.games, distribution.blocks >= FEW_BLOCKS and seen >= thought)


@cache
def _normal_nodes() -> tuple[Floats, Floats]:
    """Weights and nodes of the Gauss-Hermite quadrature over the normal distribution."""
    nodes, weights = hermegauss(QUADRATURE_NODES)
    return (weights / weights.sum()).tolist(), nodes.tolist()


def unbiased_elo(distribution: ScoreDistribution, test: Sprt, accepted: int) -> EloInterval | None:
    """The median-unbiased difference after a test or during it; None before the first block.

    A test that stops once the score is good stops when the score is too good, so the plain estimate is biased. Outcomes
    are ordered from an early H0 to an early H1. The estimate is the difference under which the observed outcome is the
    median; the 95 % interval holds the differences under which it is not among the worst or best 2.5 %. The figures
    agree with those of fishtest.
    """
    steps = llr_walk(distribution, test)
    if steps is None:
        return None
    slope = steps.drift(steps.mean)
    place = steps.blocks * slope
    blocks = steps.blocks
    barrier = {1: test.upper, -1: test.lower}.get(accepted)
    if barrier is not None or not test.lower < place < test.upper:
        place = barrier if barrier is not None else test.upper if place > 0 else test.lower
        blocks = place / slope if slope * place > 0 else blocks  # the time at which the walk crossed the barrier

    def score(chance: float) -> float:
        """The true score under which the observed outcome, or a worse one, has this probability."""
        low, high = 0.0, 1.0
        while high - low > SMALLEST_CHANGE:
            middle = (low + high) / 2
            below = probability_below(steps.drift(middle), steps.spread, test.lower, test.upper, blocks, place)
            low, high = (middle, high) if below > chance else (low, middle)
        return (low + high) / 2

    return EloInterval(elo(score(0.5)), elo(score(0.975)), elo(score(0.025)))


@dataclass(frozen=True)
class Decision:
    """The state of a running test, or the one in which it stopped."""

    blocks: int  # counted: all so far, or those up to the decision
    ratio: float  # LLR when it was last computed
    accepted: int  # 1: H1, -1: H0, 0: undecided


class RunningSprt:
    """A sequential test that is fed block by block, in the order of the schedule.

    The order of the schedule, not that of arrival: so the decision does not depend on the number of parallel games, and
    short games do not count before long ones. Blocks after the decision are ignored.
    """

    def __init__(self, test: Sprt, games: int) -> None:
        self.test = test
        self.games = games
        self.counts = no_blocks(games)
        self.decision = Decision(0, 0.0, 0)
        test.check(tuple(self.counts), games)

    @property
    def distribution(self) -> ScoreDistribution:
        """The distribution of the blocks that count."""
        return distribution_of_counts(self.counts, self.games)

    def add(self, scores: Sequence[float]) -> int:
        """Count blocks up to the one that decides, and return how many were counted; 0 once the test is decided."""
        added = 0
        while added < len(scores) and not self.decision.accepted:
            blocks, ratio = self.decision.blocks, self.decision.ratio
            look = _next_look(blocks)
            some = scores[added : added + look - blocks]
            count_blocks(self.counts, some)
            added, blocks = added + len(some), blocks + len(some)
            if blocks == look:
                ratio = log_likelihood_ratio(self.distribution, self.test)
            self.decision = Decision(blocks, ratio, self.test.accepted(ratio))
        return added


def _next_look(blocks: int) -> int:
    """The number of blocks at which the LLR is computed next: the next multiple of a 500th of the blocks."""
    part = max(1, (blocks + 1) // LOOKS)
    return min((blocks // part + 1) * part, (part + 1) * LOOKS)
