"""Whether measurements agree with a claim.

A claim has a figure: a range of values that agree with its words ("about 8 % more wins": 56 to 60 %). There are five
kinds of claims (`Expectation`):

* An **effect** is a difference from the value that means no effect (a score of 50 %, in a match). It is *confirmed* if
  the interval excludes that value on the claimed side and overlaps the figure, a *different value* if it excludes it on
  the claimed side only, *not confirmed* if it excludes the figure without showing an effect, or shows the opposite.
* **Nothing** is the claim that something brings no gain; the figure is the range that counts as no gain. It is
  *confirmed* if no part of the interval lies above the range, *not confirmed* if a gain is shown, a *different value*
  if it does harm.
* **Equal** is the claim that two things are alike; the figure is the range that counts as alike. It is *confirmed* if
  the interval lies in the range, *not confirmed* if it excludes the value that means no difference.
* A **figure** is a rate, a depth, a time. It is *confirmed* if the interval of the mean lies in the range, a
  *different value* if it lies beyond it on the better side, *not confirmed* if on the worse side.
* A **question** is what an author did, tried or wondered about without saying that it helps. The answer is that it
  *helps*, *harms*, or makes *hardly any difference*: the interval lies in the range.

A measurement is *open* until its planned sample is complete. Then an interval that holds both no effect and what would
decide is a verdict too: *no effect shown*, and the interval bounds the effect (`Standard.bound`). A figure whose
interval lies partly in the range is *borderline*. `games_needed` estimates how many games would decide either, if the
measured value were the true one.

A claim that is measured under several conditions *depends on conditions* if these decide differently. It is *partly
decided* if some decide and others do not: that only one of two effects is significant does not show that they differ.

Many measurements, and the one level of all their intervals: `discovery_level`.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import Enum
from statistics import NormalDist

from podium.arena.stats.intervals import rounded_up

MOST_TIMES = 1000  # largest factor between the sample needed and the present one that is worth telling
STEP = 0.995  # factor by which the interval shrinks from one try to the next
STORED_LEVEL = 0.95  # of the intervals that measurements have
DISCOVERY_RATE = 0.05  # expected share of wrong verdicts among all verdicts, at most


class Expectation(Enum):
    """The kind of a claim."""

    EFFECT = "effect"
    NOTHING = "nothing"
    EQUAL = "equal"
    FIGURE = "figure"
    QUESTION = "question"


class ClaimVerdict(Enum):
    """Whether measurements agree with a claim."""

    CONFIRMED = "confirmed"
    NOT_CONFIRMED = "not confirmed"
    DIFFERENT_VALUE = "different value"  # an effect as claimed, but of another size
    DEPENDS_ON_CONDITIONS = "depends on conditions"  # measured in several ways that disagree
    PARTLY_DECIDED = "partly decided"  # measured in several ways, of which some decide
    HELPS = "helps"  # the answers to a question
    HARMS = "harms"
    HARDLY_MATTERS = "hardly any difference"
    NO_EFFECT_SHOWN = "no effect shown"  # the interval holds both no effect and one that would decide
    BORDERLINE = "borderline"  # a figure whose interval lies partly in the claimed range
    OPEN = "open"  # the planned sample is not complete
    NOT_MEASURED = "not measured"

    @property
    def decided(self) -> bool:
        """Whether it says that the claim holds or does not, or answers the question."""
        return self not in _UNDECIDED


_UNDECIDED = (
    ClaimVerdict.NO_EFFECT_SHOWN,
    ClaimVerdict.BORDERLINE,
    ClaimVerdict.OPEN,
    ClaimVerdict.NOT_MEASURED,
)


@dataclass(frozen=True)
class Interval:
    """A measured value, and the interval in which the true value lies."""

    value: float
    low: float
    high: float

    def meets(self, low: float, high: float) -> bool:
        """Whether it overlaps a range."""
        return self.low <= high and low <= self.high

    def lies_in(self, low: float, high: float) -> bool:
        """Whether all of it is in a range."""
        return low <= self.low and self.high <= high

    def scaled(self, factor: float) -> "Interval":
        """The interval of another sample size or level with the same value: its width is multiplied by `factor`."""
        value = self.value
        return Interval(value, value - (value - self.low) * factor, value + (self.high - value) * factor)

    def at_level(self, level: float, looks: int = 1) -> "Interval":
        """The interval at another level than 95 %, by the normal distribution.

        Data that were looked at several times, and would have been left alone after any look that decided, get the
        error of one look divided by the number of looks (Bonferroni).
        """
        return self.scaled(_quantile(1 - (1 - level) / looks) / _quantile(STORED_LEVEL))


@dataclass(frozen=True)
class Standard:
    """What a measurement is compared with."""

    expectation: Expectation
    low: float  # the range of the claim's figure
    high: float
    than: float = 0.5  # the value that means no effect
    more_is_better: bool = True  # of a figure

    def verdict(self, found: Interval) -> ClaimVerdict:
        """The verdict of a measurement on the claim."""
        if self.expectation is Expectation.EFFECT:
            return self._effect(found)
        if self.expectation is Expectation.NOTHING:
            return self._nothing(found)
        if self.expectation is Expectation.EQUAL:
            return self._equal(found)
        if self.expectation is Expectation.QUESTION:
            return self._question(found)
        return self._figure(found)

    def _effect(self, found: Interval) -> ClaimVerdict:
        wins = (self.low + self.high) / 2 > self.than
        shown = found.low > self.than if wins else found.high < self.than
        opposite = found.high < self.than if wins else found.low > self.than
        meets = found.meets(self.low, self.high)
        if opposite:
            return ClaimVerdict.NOT_CONFIRMED
        if shown:
            return ClaimVerdict.CONFIRMED if meets else ClaimVerdict.DIFFERENT_VALUE
        return ClaimVerdict.NO_EFFECT_SHOWN if meets else ClaimVerdict.NOT_CONFIRMED

    def _nothing(self, found: Interval) -> ClaimVerdict:
        if found.high < self.low:
            return ClaimVerdict.DIFFERENT_VALUE
        if found.high <= self.high:
            return ClaimVerdict.CONFIRMED
        return ClaimVerdict.NOT_CONFIRMED if found.low > self.than else ClaimVerdict.NO_EFFECT_SHOWN

    def _equal(self, found: Interval) -> ClaimVerdict:
        if found.lies_in(self.low, self.high):
            return ClaimVerdict.CONFIRMED
        return ClaimVerdict.NO_EFFECT_SHOWN if found.meets(self.than, self.than) else ClaimVerdict.NOT_CONFIRMED

    def _figure(self, found: Interval) -> ClaimVerdict:
        if found.lies_in(self.low, self.high):
            return ClaimVerdict.CONFIRMED
        if found.meets(self.low, self.high):
            return ClaimVerdict.BORDERLINE
        return (
            ClaimVerdict.DIFFERENT_VALUE
            if (found.low > self.high) == self.more_is_better
            else ClaimVerdict.NOT_CONFIRMED
        )

    def _question(self, found: Interval) -> ClaimVerdict:
        if found.lies_in(self.low, self.high):
            return ClaimVerdict.HARDLY_MATTERS
        if found.meets(self.than, self.than):
            return ClaimVerdict.NO_EFFECT_SHOWN
        return ClaimVerdict.HELPS if (found.low > self.than) == self.more_is_better else ClaimVerdict.HARMS

    def bound(self, found: Interval) -> float:
        """The largest effect, in either direction, that an interval leaves possible."""
        return max(found.high - self.than, self.than - found.low)

    def games_needed(self, found: Interval, games: int) -> int | None:
        """Estimated number of games that would decide an undecided claim; None if far too many.

        It assumes that the measured value is the true one, and that intervals shrink with the square root of the
        number of games.
        """
        factor = 1.0
        while not self.verdict(found.scaled(factor)).decided:
            factor *= STEP
            if factor**-2 > MOST_TIMES:
                return None
        return rounded_up(games / factor**2)


@dataclass(frozen=True)
class Judged:
    """A complete measurement, as far as its verdict goes."""

    standard: Standard
    found: Interval  # at STORED_LEVEL
    looks: int = 1

    def verdict(self, level: float) -> ClaimVerdict:
        """The verdict of the interval at a level."""
        return self.standard.verdict(self.found.at_level(level, self.looks))


def discovery_level(measured: Sequence[Judged], rate: float = DISCOVERY_RATE) -> float:
    """The level of the intervals at which at most this share of all verdicts is expected to be wrong.

    The procedure of Benjamini and Hochberg ("Controlling the false discovery rate", 1995), as intervals (Benjamini and
    Yekutieli, "False discovery rate-adjusted multiple confidence intervals", 2005): if R of m intervals at the level
    1 - rate R / m decide, that is the level; the largest such R is taken. It holds for independent measurements.
    Measurements without a random error are not counted.
    """
    random = [each for each in measured if each.found.low < each.found.high]
    decided = len(random)
    while decided:
        level = 1 - rate * decided / len(random)
        now = sum(each.verdict(level).decided for each in random)
        if now == decided:
            return level
        decided = now
    return 1 - rate / max(len(random), 1)


def combined(verdicts: Iterable[ClaimVerdict]) -> ClaimVerdict:
    """The verdict on a claim from those of its measurements; missing ones are ignored unless all are missing."""
    measured = {verdict for verdict in verdicts if verdict is not ClaimVerdict.NOT_MEASURED}
    deciding = {verdict for verdict in measured if verdict.decided}
    if not measured:
        return ClaimVerdict.NOT_MEASURED
    if len(deciding) > 1:
        return ClaimVerdict.DEPENDS_ON_CONDITIONS
    if ClaimVerdict.OPEN in measured:
        return ClaimVerdict.OPEN
    return measured.pop() if len(measured) == 1 else ClaimVerdict.PARTLY_DECIDED


def _quantile(level: float) -> float:
    """Standard deviations on either side of the mean that hold this share of a normal distribution."""
    return NormalDist().inv_cdf((1 + level) / 2)
