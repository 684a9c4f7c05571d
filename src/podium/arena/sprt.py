"""The sequential probability ratio test: stop as soon as the games decide between two hypotheses.

The generalized test of fishtest, OpenBench and fastchess: the log-likelihood ratio LLR = N sum p_i ln(q1_i / q0_i),
where q_j is the law closest to the one observed (by maximum likelihood) whose difference is exactly the bound of H_j.
The multinomial over block scores is kept whole: the usual quick approximations fail when one class holds all results.

The bounds are in normalized Elo (Van den Bergh, "Normalized Elo", 2020) or in logistic Elo.
"""

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from numpy.polynomial.hermite_e import hermegauss

from podium.arena.statistics import FEW_BLOCKS, K, Law, elo, law_of, law_of_counts, score_of_elo
from podium.arena.walk import stands_below, walk
from podium.errors import PodiumError

ABSENT = 1e-3  # what a class without results counts, so that its logarithm exists
MOST_ROUNDS = 10
SMALLEST_CHANGE = 1e-9
ROOT_TOLERANCE = 1e-14
MOST_STEPS = 200
PRIOR_WIDTHS = 1.0  # standard deviation of a true difference before the first game, in widths of the test
NODES = 48  # at which the plan is averaged
OVERSHOOT = 0.583  # by how many deviations of a step the last one passes its barrier (Siegmund, 1985, section 10.3)
LOOKS = 500  # a long test looks at the ratio only after every 500th part more of its blocks

Floats = Sequence[float]


@dataclass(frozen=True)
class Test:
    """Two hypotheses about the difference of two bots, and how often each may be accepted wrongly."""

    low: float  # H0: the difference is this
    high: float  # H1: the difference is this
    alpha: float = 0.05  # how often H1 is accepted though H0 is true
    beta: float = 0.05  # how often H0 is accepted though H1 is true
    normalized: bool = True  # bounds in normalized Elo, else in logistic Elo

    # pytest must not take this class for a test of its own
    __test__ = False

    def __post_init__(self) -> None:
        if not self.low < self.high:
            raise PodiumError(f"the test needs two rising bounds, not {self.low:g} and {self.high:g}")
        if not (0 < self.alpha < 0.5 and 0 < self.beta < 0.5):
            raise PodiumError(f"error rates lie between 0 and 0.5, not {self.alpha:g} and {self.beta:g}")

    @property
    def lower(self) -> float:
        """Accept H0 at or below this LLR."""
        return math.log(self.beta / (1 - self.alpha))

    @property
    def upper(self) -> float:
        """Accept H1 at or above this LLR."""
        return math.log((1 - self.beta) / self.alpha)

    def check(self, scores: Sequence[float], games: int) -> None:
        """Refuse bounds for which no law exists."""
        if not self.normalized:
            return
        limit = largest_bound(scores, games)
        if max(abs(self.low), abs(self.high)) > limit:
            raise PodiumError(
                f"normalized bounds must lie within ±{limit:.1f} here, not {self.low:g} and {self.high:g}; "
                "use smaller ones (a match takes bounds in plain Elo with --logistic)"
            )

    def verdict(self, ratio: float) -> int:
        """1: H1 accepted, -1: H0 accepted, 0: go on."""
        return (ratio >= self.upper) - (ratio <= self.lower)


def largest_bound(scores: Sequence[float], games: int) -> float:
    """The largest normalized bound that a law over these scores can be fitted to."""
    mean = sum(scores) / len(scores)
    variance = sum((a - mean) ** 2 for a in scores) / len(scores)
    half = math.sqrt(variance) / 2
    # with t beyond the largest of these, no moment a_i - 1/2 - t half (1 + ...) is positive any more
    steepest = max((a - 0.5) / (half * (1 + (a - mean) ** 2 / variance)) for a in scores)
    return steepest * K / math.sqrt(games)


def log_likelihood_ratio(law: Law, test: Test) -> float:
    """The LLR of the games so far; positive speaks for H1."""
    if not law.blocks:
        return 0.0
    test.check(law.scores, law.games)
    counts = [count or ABSENT for count in law.counts]
    total = sum(counts)
    shares = [count / total for count in counts]
    fit = _fit_normalized if test.normalized else _fit_logistic
    first, second = (fit(law.scores, shares, bound, law.games) for bound in (test.low, test.high))
    return total * sum(p * math.log(b / a) for p, a, b in zip(shares, first, second, strict=True))


def _fit_logistic(scores: Floats, shares: Floats, bound: float, games: int) -> Floats:
    """The law closest to the observed one whose mean is the score expected at an Elo difference."""
    mean = score_of_elo(bound)
    return _tilt([score - mean for score in scores], shares)


def _fit_normalized(scores: Floats, shares: Floats, bound: float, games: int) -> Floats:
    """The law closest to the observed one whose normalized difference is the bound, by repeated linearisation."""
    slope = bound * math.sqrt(games) / K
    law: Floats = [1 / len(scores)] * len(scores)
    for _ in range(MOST_ROUNDS):
        mean = sum(q * a for q, a in zip(law, scores, strict=True))
        variance = sum(q * (a - mean) ** 2 for q, a in zip(law, scores, strict=True))
        half = slope * math.sqrt(variance) / 2
        moment = [a - 0.5 - half * (1 + (a - mean) ** 2 / variance) for a in scores]
        if not min(moment) < 0 < max(moment):
            break
        previous, law = law, _tilt(moment, shares)
        if max(abs(new - old) for new, old in zip(law, previous, strict=True)) < SMALLEST_CHANGE:
            break
    return law


def _tilt(moment: Floats, shares: Floats) -> Floats:
    """The law q_i = p_i / (1 + t f_i) under which the moments f have mean zero.

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
class Steps:
    """The ratio of a test as a random walk, one step per block, near what was seen so far."""

    low: float  # score expected under H0
    high: float  # score expected under H1
    variance: float  # of a block's score
    blocks: float
    mean: float  # score so far

    @property
    def spread(self) -> float:
        """The variance of a step."""
        return (self.high - self.low) ** 2 / self.variance

    def drift(self, score: float) -> float:
        """The mean of a step if that is the true score."""
        return (self.high - self.low) * (score - (self.low + self.high) / 2) / self.variance


def steps_of(law: Law, test: Test) -> Steps | None:
    """The walk that a test is on; None before anything is known."""
    if not law.blocks:
        return None
    believed = law if law.blocks >= FEW_BLOCKS and law.variance else law.doubted()
    if test.normalized:
        unit = math.sqrt(law.games * believed.variance) / K
        low, high = (0.5 + bound * unit for bound in (test.low, test.high))
    else:
        low, high = (score_of_elo(bound) for bound in (test.low, test.high))
    return Steps(low, high, believed.variance, believed.blocks, believed.mean)


@dataclass(frozen=True)
class Plan:
    """What is still to come, whatever the true difference may be."""

    chance: float  # that H1 will be accepted
    games: float  # expected, still to play


def plan(law: Law, test: Test, ratio: float) -> Plan | None:
    """The expected end of a running test; None before anything is known.

    What was seen so far is not the truth: the walk's end is averaged over the scores that may be true. Before the first
    game those are thought to lie around the middle of the bounds, PRIOR_WIDTHS wide: H1 begins with an even chance.
    """
    steps = steps_of(law, test)
    if steps is None:
        return None
    seen = steps.blocks / steps.variance
    thought = 1 / (PRIOR_WIDTHS * (steps.high - steps.low)) ** 2
    centre = (seen * steps.mean + thought * (steps.low + steps.high) / 2) / (seen + thought)
    deviation = 1 / math.sqrt(seen + thought)
    beyond = OVERSHOOT * math.sqrt(steps.spread)
    low, high = min(test.lower - ratio, 0.0) - beyond, max(test.upper - ratio, 0.0) + beyond
    chance = blocks = 0.0
    for weight, node in zip(*_normal_nodes(), strict=True):
        ends, lasts = walk(steps.drift(centre + node * deviation), steps.spread, low, high)
        chance += weight * ends
        blocks += weight * lasts
    return Plan(chance, blocks * law.games)


@cache
def _normal_nodes() -> tuple[Floats, Floats]:
    """Weights and places that average a function over the normal law (Gauss and Hermite)."""
    nodes, weights = hermegauss(NODES)
    return (weights / weights.sum()).tolist(), nodes.tolist()


@dataclass(frozen=True)
class Unbiased:
    """A difference in Elo that a sequential test does not bias: as often too high as too low."""

    elo: float
    low: float  # the 95 % interval
    high: float


def unbiased(law: Law, test: Test, verdict: int) -> Unbiased | None:
    """The difference after a test, or in the middle of one; None before anything is known.

    A test that stops when it looks good stops when it looks too good. What could have been seen is ordered from a quick
    H0 to a quick H1; the difference is the one under which half of it is worse than what was seen, and its interval
    holds those under which it is not among the worst or best 2.5 %. The figures are those of fishtest.
    """
    steps = steps_of(law, test)
    if steps is None:
        return None
    slope = steps.drift(steps.mean)
    place = steps.blocks * slope
    blocks = steps.blocks
    barrier = {1: test.upper, -1: test.lower}.get(verdict)
    if barrier is not None or not test.lower < place < test.upper:
        place = barrier if barrier is not None else test.upper if place > 0 else test.lower
        blocks = place / slope if slope * place > 0 else blocks  # when the walk passed the barrier

    def score(chance: float) -> float:
        """The true score under which what was seen, or worse, has this chance."""
        low, high = 0.0, 1.0
        while high - low > SMALLEST_CHANGE:
            middle = (low + high) / 2
            below = stands_below(steps.drift(middle), steps.spread, test.lower, test.upper, blocks, place)
            low, high = (middle, high) if below > chance else (low, middle)
        return (low + high) / 2

    return Unbiased(elo(score(0.5)), elo(score(0.975)), elo(score(0.025)))


@dataclass(frozen=True)
class Decision:
    """Where a sequence of blocks stands, or where it stopped."""

    blocks: int  # that count: all, or those up to the decision
    ratio: float  # LLR at the last look
    verdict: int  # 1: H1 accepted, -1: H0 accepted, 0: undecided


class Sequential:
    """A test fed block by block, in the order of the schedule.

    The order of the schedule and not that of arrival: so the decision does not depend on how many games ran at a
    time, and quick games do not count before slow ones. Blocks after the decision are ignored.
    """

    def __init__(self, test: Test, games: int) -> None:
        self.test = test
        self.games = games
        self.counts: dict[float, float] = dict(zip((empty := law_of([], games)).scores, empty.counts, strict=True))
        self.decision = Decision(0, 0.0, 0)
        test.check(tuple(self.counts), games)

    @property
    def law(self) -> Law:
        """The law of the blocks that count."""
        return law_of_counts(self.counts, self.games)

    def add(self, scores: Sequence[float]) -> int:
        """Count blocks; how many there are up to the one that decides. Once decided, nothing changes any more."""
        added = 0
        while added < len(scores) and not self.decision.verdict:
            blocks, ratio = self.decision.blocks, self.decision.ratio
            look = _next_look(blocks)
            some = scores[added : added + look - blocks]
            for score, number in Counter(some).items():
                self.counts[round(score, 9)] = self.counts.get(round(score, 9), 0) + number
            added, blocks = added + len(some), blocks + len(some)
            if blocks == look:
                ratio = log_likelihood_ratio(self.law, self.test)
            self.decision = Decision(blocks, ratio, self.test.verdict(ratio))
        return added


def _next_look(blocks: int) -> int:
    """After how many blocks a test looks at its ratio again: at the next multiple of a 500th part."""
    part = max(1, (blocks + 1) // LOOKS)
    return min((blocks // part + 1) * part, (part + 1) * LOOKS)
