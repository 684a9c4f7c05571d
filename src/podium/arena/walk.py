"""A random walk with drift between two barriers: what the ratio of a sequential test does.

Seen from afar the walk is Brownian motion, and all that is asked of it has a formula: Wald's for where it ends and how
long that takes, and sums over mirror images of the barriers for where it is after some time (Borodin and Salminen,
"Handbook of Brownian Motion", 2002). The walk begins at 0, between `low` < 0 and `high` > 0; a step has mean `drift`
and variance `spread`.
"""

import math

from podium.arena.statistics import phi

NO_DRIFT = 1e-6  # a bend between the barriers below which the formulas are replaced by their limits
FAR = -37.0  # standard deviations below which the normal distribution function is too small for a float
IMAGES_REACH = 4.0  # standard deviations that the images on each side must cover, in widths of two


def walk(drift: float, spread: float, low: float, high: float) -> tuple[float, float]:
    """The chance of ending high, and the expected steps."""
    bend = 2 * drift / spread
    if abs(bend * (high - low)) < NO_DRIFT:
        return -low / (high - low), -low * high / spread
    # (1 - e^(-bend low)) / (e^(-bend high) - e^(-bend low)), with the larger exponent taken out
    if bend > 0:
        chance = math.expm1(bend * low) / math.expm1(-bend * (high - low))
    else:
        chance = 1 - math.expm1(bend * high) / math.expm1(bend * (high - low))
    return chance, (low * (1 - chance) + high * chance) / drift


def ends_high(drift: float, spread: float, low: float, high: float, steps: float) -> float:
    """The chance of having ended high within so many steps."""
    deviation = math.sqrt(spread * steps)
    total = 0.0
    for number in _images(deviation, high - low):
        level = high + 2 * number * (high - low)
        away = abs(level)
        first = math.exp(drift * (high - away) / spread + log_phi((drift * steps - away) / deviation))
        second = math.exp(drift * (high + away) / spread + log_phi((-drift * steps - away) / deviation))
        total += math.copysign(first + second, level)
    return total


def stands_below(drift: float, spread: float, low: float, high: float, steps: float, place: float) -> float:
    """The chance of having ended low within so many steps, or of being under way below a place then.

    It orders what a test can show from worst (low at once) to best (high at once), and falls as the drift rises.
    """
    deviation = math.sqrt(spread * steps)
    total = ends_high(-drift, spread, -high, -low, steps)
    for number in _images(deviation, high - low):
        for image, sign in ((2 * number * (high - low), 1), (2 * high + 2 * number * (high - low), -1)):
            centre = image + drift * steps
            lift = drift * image / spread
            total += sign * _between((low - centre) / deviation, (place - centre) / deviation, lift)
    return total


def _images(deviation: float, width: float) -> range:
    """The numbers of the mirror images that can matter."""
    most = 2 + math.ceil(IMAGES_REACH * deviation / width)
    return range(-most, most + 1)


def _between(bottom: float, top: float, lift: float) -> float:
    """e^lift times the normal probability of an interval, taken in the lower tail, where no digits are lost."""
    if bottom > 0:
        bottom, top = -top, -bottom
    return math.exp(lift + log_phi(top)) - math.exp(lift + log_phi(bottom))


def log_phi(x: float) -> float:
    """The logarithm of the normal distribution function, far out too."""
    if x > FAR:
        return math.log(phi(x))
    return -x * x / 2 - math.log(-x * math.sqrt(2 * math.pi)) - 1 / (x * x)
