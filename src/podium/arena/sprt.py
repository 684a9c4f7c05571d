"""The sequential probability ratio test: stop as soon as the games decide between two hypotheses.

The generalized test of fishtest, OpenBench and fastchess: the log-likelihood ratio LLR = N sum p_i ln(q1_i / q0_i),
where q_j is the law closest to the one observed (by maximum likelihood) whose difference is exactly the bound of H_j.
The multinomial over block scores is kept whole: the usual quick approximations fail when one class holds all results.

The bounds are in normalized Elo (Van den Bergh, "Normalized Elo", 2020) or in logistic Elo.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from podium.arena.statistics import K, Law, law_of, law_of_counts, score_of_elo
from podium.errors import PodiumError

ABSENT = 1e-3  # what a class without results counts, so that its logarithm exists
MOST_ROUNDS = 10
SMALLEST_CHANGE = 1e-9
ROOT_TOLERANCE = 1e-14
MOST_STEPS = 200
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
                "use smaller ones, or --logistic"
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
class Plan:
    """What is still to come, if the bots go on as they did."""

    chance: float  # that H1 will be accepted
    games: float  # expected, still to play


def plan(law: Law, test: Test, ratio: float) -> Plan | None:
    """The expected end of a running test: a random walk with the drift and the variance seen so far, between barriers.

    None before anything is known.
    """
    believed = law.doubted()
    variance = believed.variance
    if not law.blocks or not variance:
        return None
    if test.normalized:
        unit = math.sqrt(law.games * variance) / K
        low, high = (0.5 + bound * unit for bound in (test.low, test.high))
    else:
        low, high = (score_of_elo(bound) for bound in (test.low, test.high))
    drift = (high - low) * (believed.mean - (low + high) / 2) / variance
    spread = (high - low) ** 2 / variance
    chance, blocks = walk(drift, spread, min(test.lower - ratio, -1e-9), max(test.upper - ratio, 1e-9))
    return Plan(chance, blocks * law.games)


def walk(drift: float, spread: float, low: float, high: float) -> tuple[float, float]:
    """A random walk from 0 between barriers low < 0 < high: the chance of ending high, and the expected steps."""
    bend = 2 * drift / spread
    if abs(bend * (high - low)) < 1e-6:  # nearly no drift: the limit of both formulas
        return -low / (high - low), -low * high / spread
    # (1 - e^(-bend low)) / (e^(-bend high) - e^(-bend low)), with the larger exponent taken out
    if bend > 0:
        chance = math.expm1(bend * low) / math.expm1(-bend * (high - low))
    else:
        chance = 1 - math.expm1(bend * high) / math.expm1(bend * (high - low))
    return chance, (low * (1 - chance) + high * chance) / drift


def worst_case_games(width: float, alpha: float = 0.05, beta: float = 0.05) -> float:
    """The expected games of a normalized test of that width when the truth lies in the middle."""
    return math.log((1 - beta) / alpha) * math.log((1 - alpha) / beta) * (K / width) ** 2


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

    def add(self, score: float) -> Decision:
        """Count a block; once decided, nothing changes any more."""
        if not self.decision.verdict:
            self.counts[round(score, 9)] = self.counts.get(round(score, 9), 0) + 1
            blocks, ratio = self.decision.blocks + 1, self.decision.ratio
            if blocks % max(1, blocks // LOOKS) == 0:
                ratio = log_likelihood_ratio(self.law, self.test)
            self.decision = Decision(blocks, ratio, self.test.verdict(ratio))
        return self.decision
