"""Mean scores of games that come in clusters, and many comparisons of them at once.

Games with the same seed are correlated, in whatever seats. So the unit of chance is the cluster (a block of a match,
see `intervals`), and the variance of a mean is that of the clusters' sums (Liang and Zeger, "Longitudinal data analysis
using generalized linear models", 1986). Small samples get pseudo-games, half won and half lost, each a cluster of its
own: four for an interval (Agresti and Coull, 1998), two on each side of a difference (Agresti and Caffo, 2000); and
Student's t with the clusters of the smaller side, less one, as degrees of freedom.

Who compares many slices of the same games finds some difference by chance. `benjamini_hochberg` controls the false
discovery rate: the expected share of wrong findings among all findings ("Controlling the false discovery rate", 1995).
"""

import math
from collections.abc import Sequence

import numpy as np

PSEUDO_GAMES = 4  # of an interval; a difference has half of them on each side
TAIL = 0.975  # a 95 % interval ends there


def score_interval(points: Sequence[float], clusters: Sequence[int]) -> tuple[float, float]:
    """The 95 % interval of the mean of points, each in [0, 1], with the cluster of each."""
    from scipy.special import stdtrit  # here, because it takes half a second that most commands do not need

    influence, mean, numbers = _side(np.asarray(points, float), np.asarray(clusters), PSEUDO_GAMES)
    deviation = math.sqrt(float(np.square(_sums(influence, numbers)).sum()))
    reach = float(stdtrit(len(np.unique(numbers)) - 1, TAIL)) * deviation
    plain = sum(points) / len(points)
    return max(0.0, min(mean - reach, plain)), min(1.0, max(mean + reach, plain))


def difference_p_value(points: Sequence[float], clusters: Sequence[int], inside: Sequence[bool]) -> float:
    """The probability of a difference as large as that of the points inside and outside, if there is none.

    Both sides must have points; a cluster may have games on both.
    """
    from scipy.special import stdtr

    values, numbers, within = np.asarray(points, float), np.asarray(clusters), np.asarray(inside, bool)
    one, mean, of_one = _side(values[within], numbers[within], PSEUDO_GAMES // 2)
    other, rest, of_other = _side(values[~within], numbers[~within], PSEUDO_GAMES // 2, PSEUDO_GAMES // 2)
    sums = _sums(np.concatenate([one, -other]), np.concatenate([of_one, of_other]))
    deviation = math.sqrt(float(np.square(sums).sum()))
    degrees = min(len(np.unique(of_one)), len(np.unique(of_other))) - 1
    return float(2 * stdtr(degrees, -abs(mean - rest) / deviation))


def _side(points: np.ndarray, clusters: np.ndarray, pseudo: int, used: int = 0) -> tuple[np.ndarray, float, np.ndarray]:
    """What each point adds to the deviation of the mean, that mean, and the clusters, all with pseudo-games.

    Clusters of pseudo-games have negative numbers, after those that are `used`.
    """
    values = np.concatenate([points, np.arange(pseudo) % 2])
    numbers = np.concatenate([clusters, -1 - used - np.arange(pseudo)])
    mean = float(values.mean())
    return (values - mean) / len(values), mean, numbers


def _sums(influence: np.ndarray, clusters: np.ndarray) -> np.ndarray:
    return np.bincount(np.unique(clusters, return_inverse=True)[1], influence)


def benjamini_hochberg(p_values: Sequence[float]) -> list[float]:
    """The adjusted p-values (q-values), in the order of the p-values.

    Those of at most 0.05 are findings of which at most 5 % are expected to be wrong, if the tests are independent or
    depend on each other positively.
    """
    count = len(p_values)
    order = sorted(range(count), key=lambda place: p_values[place])
    adjusted = [0.0] * count
    least = 1.0
    for rank in range(count, 0, -1):
        place = order[rank - 1]
        least = min(least, p_values[place] * count / rank)
        adjusted[place] = least
    return adjusted
