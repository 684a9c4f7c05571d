"""The mean of a sample with its 95 % interval: what studies report, beside or instead of the spread of the sample.

The interval is Student's ("The probable error of a mean", 1908). That of a ratio of two means over the same positions
or games is from the differences to it (Fieller's problem, by linearization).
"""

import math
from collections.abc import Sequence
from statistics import fmean, stdev
from typing import NamedTuple

CONFIDENCE = 0.95


class SampleMean(NamedTuple):
    """A mean, and the interval in which the true mean lies with 95 % confidence."""

    mean: float
    low: float
    high: float


def sample_mean(values: Sequence[float]) -> SampleMean:
    """The mean of independent values; without an interval (minus to plus infinity) if there is only one."""
    mean = fmean(values)
    error = _error(values)
    return SampleMean(mean, mean - error, mean + error)


def mean_ratio(values: Sequence[float], others: Sequence[float]) -> SampleMean:
    """The mean of values divided by that of others, which were taken at the same positions or games."""
    below = fmean(others)
    ratio = fmean(values) / below
    error = _error([value - ratio * other for value, other in zip(values, others, strict=True)]) / abs(below)
    return SampleMean(ratio, ratio - error, ratio + error)


def _error(values: Sequence[float]) -> float:
    """Half the width of the interval of their mean."""
    if len(values) < 2:
        return math.inf
    from scipy.special import stdtrit  # here, because it takes half a second that only studies need

    return float(stdtrit(len(values) - 1, (1 + CONFIDENCE) / 2)) * stdev(values) / math.sqrt(len(values))
