"""Does a measurement agree with what somebody claimed?

A claim has a figure, which is a range of values that would agree with its words ("about 8 % more wins": 56 to 60 %),
and is of one of four shapes (`Expectation`):

* An **effect** is a difference from a value that means none (half of the points, in a match). It is *confirmed* if the
  interval shows an effect and meets the figure, *other* if it shows one of the same sign and of another size, *not
  confirmed* if it excludes the figure without showing an effect, or shows the opposite.
* **Nothing** is the claim that something brings no gain; the figure is the range that counts as none. It is *confirmed*
  once the interval has no part above the range, *not confirmed* if a gain is shown, *other* if it does harm.
* **Equal** is the claim that two things are alike; the figure is the range that counts as such. It is *confirmed* once
  the interval lies in the range, *not confirmed* once it excludes the value that means no difference.
* A **figure** is a rate, a depth, a time. It is *confirmed* if the interval meets the range, *other* if it lies beyond
  on the better side, *not confirmed* if on the worse one.

Whatever the interval cannot tell yet is *open*, and `games_needed` says how many games would tell it if the measured
value were the true one. Where a claim is measured in several ways that disagree, it *depends*.
"""

import math
from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum

MOST_TIMES = 1000  # the present sample; beyond that nobody would wait
STEP = 0.995  # factor of the interval from one try to the next


class Expectation(Enum):
    """The shape of a claim."""

    EFFECT = "effect"
    NOTHING = "nothing"
    EQUAL = "equal"
    FIGURE = "figure"


class Verdict(Enum):
    """What measuring a claim has come to."""

    CONFIRMED = "confirmed"
    NOT_CONFIRMED = "not confirmed"
    OTHER = "other"  # something of the kind, but not as it was claimed
    DEPENDS = "depends"  # on how it is measured
    OPEN = "open"  # the sample is too small
    NOT_MEASURED = "not measured"


@dataclass(frozen=True)
class Interval:
    """A measured value, and the range in which the true one lies."""

    value: float
    low: float
    high: float

    def meets(self, low: float, high: float) -> bool:
        """Whether it has a value in common with a range."""
        return self.low <= high and low <= self.high

    def shrunk(self, factor: float) -> "Interval":
        """The interval of a larger sample with the same value."""
        value = self.value
        return Interval(value, value - (value - self.low) * factor, value + (self.high - value) * factor)


@dataclass(frozen=True)
class Standard:
    """What a measurement is held against."""

    expectation: Expectation
    low: float  # the range of the claim's figure
    high: float
    than: float = 0.5  # the value that means no effect
    more_is_better: bool = True  # of a figure

    def verdict(self, found: Interval) -> Verdict:
        """What a measurement says of the claim."""
        if self.expectation is Expectation.EFFECT:
            return self._effect(found)
        if self.expectation is Expectation.NOTHING:
            return self._nothing(found)
        if self.expectation is Expectation.EQUAL:
            return self._equal(found)
        return self._figure(found)

    def _effect(self, found: Interval) -> Verdict:
        wins = (self.low + self.high) / 2 > self.than
        shown = found.low > self.than if wins else found.high < self.than
        opposite = found.high < self.than if wins else found.low > self.than
        meets = found.meets(self.low, self.high)
        if opposite:
            return Verdict.NOT_CONFIRMED
        if shown:
            return Verdict.CONFIRMED if meets else Verdict.OTHER
        return Verdict.OPEN if meets else Verdict.NOT_CONFIRMED

    def _nothing(self, found: Interval) -> Verdict:
        if found.high < self.low:
            return Verdict.OTHER
        if found.high <= self.high:
            return Verdict.CONFIRMED
        return Verdict.NOT_CONFIRMED if found.low > self.than else Verdict.OPEN

    def _equal(self, found: Interval) -> Verdict:
        if self.low <= found.low and found.high <= self.high:
            return Verdict.CONFIRMED
        return Verdict.OPEN if found.meets(self.than, self.than) else Verdict.NOT_CONFIRMED

    def _figure(self, found: Interval) -> Verdict:
        if found.meets(self.low, self.high):
            return Verdict.CONFIRMED
        return Verdict.OTHER if (found.low > self.high) == self.more_is_better else Verdict.NOT_CONFIRMED

    def games_needed(self, found: Interval, games: int) -> int | None:
        """About how many games would close what is open, if the measured value is the true one; None if too many.

        An interval shrinks with the root of the number of games.
        """
        factor = 1.0
        while self.verdict(found.shrunk(factor)) is Verdict.OPEN:
            factor *= STEP
            if factor**-2 > MOST_TIMES:
                return None
        return _two_digits(games / factor**2)


def combined(verdicts: Iterable[Verdict]) -> Verdict:
    """The verdict on a claim from those of its measurements, where not measured ones have no say beside others."""
    given = list(verdicts)
    measured = {verdict for verdict in given if verdict is not Verdict.NOT_MEASURED}
    decided = measured - {Verdict.OPEN}
    if not measured:
        return Verdict.NOT_MEASURED
    if len(decided) > 1:
        return Verdict.DEPENDS
    if Verdict.OPEN in measured:
        return Verdict.OPEN
    return decided.pop()


def _two_digits(number: float) -> int:
    """A number that is only an estimate, rounded up."""
    scale = 10 ** max(0, math.floor(math.log10(max(number, 1.0))) - 1)
    return math.ceil(number / scale) * scale
