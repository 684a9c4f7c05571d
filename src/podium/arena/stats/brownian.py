"""Brownian motion with drift between two barriers: the model of a sequential test's log-likelihood ratio.

The LLR is a random walk with one step per block; over many steps it is close to Brownian motion. Wald's formulas give
the probability of each exit and the expected time to it; sums over mirror images of the barriers give the distribution
at a fixed time (Borodin and Salminen, "Handbook of Brownian Motion", 2002). The process starts at 0, between `low` < 0
and `high` > 0; a step has mean `drift` and variance `spread`.
"""

import math

from podium.arena.stats.intervals import phi

NO_DRIFT = 1e-6  # below this drift (in units of spread, times the width) the formulas take their limits
FAR = -37.0  # standard deviations; the normal distribution function underflows below
IMAGES_REACH = 4.0  # standard deviations that the mirror images cover on each side


def upper_exit(drift: float, spread: float, low: float, high: float) -> tuple[float, float]:
    """The probability of leaving through the upper barrier, and the expected number of steps until either exit."""
    bend = 2 * drift / spread
    if abs(bend * (high - low)) < NO_DRIFT:
        return -low / (high - low), -low * high / spread
    # (1 - e^(-bend low)) / (e^(-bend high) - e^(-bend low)), with the larger exponent taken out
    if bend > 0:
        chance = math.expm1(bend * low) / math.expm1(-bend * (high - low))
    else:
        chance = 1 - math.expm1(bend * high) / math.expm1(bend * (high - low))
    return chance, (low * (1 - chance) + high * chance) / drift


def upper_exit_within(drift: float, spread: float, low: float, high: float, steps: float) -> float:
    """The probability of having left through the upper barrier within `steps` steps."""
    deviation = math.sqrt(spread * steps)
    total = 0.0
    for number in _images(deviation, high - low):
        level = high + 2 * number * (high - low)
        away = abs(level)
        first = math.exp(drift * (high - away) / spread + log_phi((drift * steps - away) / deviation))
        second = math.exp(drift * (high + away) / spread + log_phi((-drift * steps - away) / deviation))
        total += math.copysign(first + second, level)
    return total


def probability_below(drift: float, spread: float, low: float, high: float, steps: float, place: float) -> float:
    """The probability of having left through the lower barrier within `steps` steps, or of being below `place` then.

    It orders the outcomes of a test from worst (H0 accepted at once) to best (H1 accepted at once) and decreases with
    the drift.
    """
    deviation = math.sqrt(spread * steps)
    total = upper_exit_within(-drift, spread, -high, -low, steps)
    for number in _images(deviation, high - low):
        for image, sign in ((2 * number * (high - low), 1), (2 * high + 2 * number * (high - low), -1)):
            centre = image + drift * steps
            lift = drift * image / spread
            total += sign * _between((low - centre) / deviation, (place - centre) / deviation, lift)
    return total


def _images(deviation: float, width: float) -> range:
    """The indices of the mirror images that contribute."""
    most = 2 + math.ceil(IMAGES_REACH * deviation / width)
    return range(-most, most + 1)


def _between(bottom: float, top: float, lift: float) -> float:
    """e^lift times the normal probability of an interval, computed in the lower tail, where no digits are lost."""
    if bottom > 0:
        bottom, top = -top, -bottom
    return math.exp(lift + log_phi(top)) - math.exp(lift + log_phi(bottom))


def log_phi(x: float) -> float:
    """The logarithm of the normal distribution function, accurate in the far lower tail."""
    if x > FAR:
        return math.log(phi(x))
    return -x * x / 2 - math.log(-x * math.sqrt(2 * math.pi)) - 1 / (x * x)
