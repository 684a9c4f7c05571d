"""Point estimates and 95 % intervals of a match: score, Elo, normalized Elo, likelihood of superiority.

The independent observation is a **block**: one seed, played with every seating that matters, since games with the same
seed are correlated. For two seats a block is a pair of games with the seats swapped, and its score is one of five (the
"pentanomial" model of fishtest, OpenBench and fastchess). For more seats the score of a block is the share of
(own seat, other bot's seat) pairs in which the own seat finished first, ties counting half: 0 and 1 mean that all were
lost or won, and equal bots expect 1/2.

With counts n_i of scores a_i: p_i = n_i / N, s = sum p_i a_i, v = sum p_i (a_i - s)^2. The formulas are those of the
programs named above; Van den Bergh, "Normalized Elo" (2020), defines the normalized unit.
"""

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

Z = 1.959963984540054  # standard deviations that hold 95 % of a normal distribution
SURE = 0.98  # probability from which a bot is called the strongest; wrong for two equal bots in 4 % of leagues
K = 800 / math.log(10)  # Elo per unit of normalized difference, so that both scales agree for single games near 1/2
CLAMP = 0.001  # scores are kept this far from 0 and 1, so that their Elo is finite

PAIR_SCORES = (0.0, 0.25, 0.5, 0.75, 1.0)  # LL, LD, WL or DD, WD, WW
PAIR_NAMES = ("LL", "LD", "WL+DD", "WD", "WW")
GAME_SCORES = (0.0, 0.5, 1.0)  # L, D, W

FEW_BLOCKS = 10  # with fewer blocks, or a variance of 0, the sample variance is not trusted
# Replaces Z for 1, 2, ... 9 blocks: the 97.5 % points of Student's t ("The probable error of a mean", 1908)
STUDENT = (12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262)


def phi(x: float) -> float:
    """The normal distribution function."""
    return 0.5 * math.erfc(-x / math.sqrt(2))


def elo(score: float) -> float:
    """The Elo difference at which this score is expected; finite, since scores are clamped."""
    score = min(max(score, CLAMP), 1 - CLAMP)
    return -400 * math.log10(1 / score - 1)


UNBOUNDED = elo(1)  # an interval that reaches this Elo has no bound


def score_of_elo(difference: float) -> float:
    """The score expected at an Elo difference."""
    return 1 / (1 + 10 ** (-difference / 400))


@dataclass(frozen=True)
class ScoreDistribution:
    """How many blocks had each score: the pentanomial counts, or their like for more seats."""

    scores: tuple[float, ...]  # rising, in [0, 1]
    counts: tuple[float, ...]
    games: int  # per block: 2 for pairs, 1 for single games

    @property
    def blocks(self) -> float:
        """The number of blocks, which is not whole after smoothing."""
        return sum(self.counts)

    @property
    def mean(self) -> float:
        """The mean score; 1/2 before the first block."""
        total = self.blocks
        return sum(n * a for n, a in zip(self.counts, self.scores, strict=True)) / total if total else 0.5

    @property
    def variance(self) -> float:
        """The variance of a block's score."""
        total, mean = self.blocks, self.mean
        return sum(n * (a - mean) ** 2 for n, a in zip(self.counts, self.scores, strict=True)) / total if total else 0.0

    def smoothed(self) -> "ScoreDistribution":
        """The distribution with one pseudo-block added, half lost and half won: for samples too small to trust."""
        counts = list(self.counts)
        counts[0] += 0.5
        counts[-1] += 0.5
        return ScoreDistribution(self.scores, tuple(counts), self.games)


def pairs(counts: Sequence[float]) -> ScoreDistribution:
    """The distribution of game pairs from the five pentanomial counts."""
    if len(counts) != len(PAIR_SCORES):
        raise ValueError(f"pairs have five classes, not {len(counts)}")
    return ScoreDistribution(PAIR_SCORES, tuple(counts), 2)


def distribution_of(scores: Iterable[float], games: int) -> ScoreDistribution:
    """The distribution of block scores. Pairs have five classes; other blocks the scores that occur, 0, 1/2 and 1."""
    counts = no_blocks(games)
    count_blocks(counts, scores)
    return distribution_of_counts(counts, games)


def no_blocks(games: int) -> dict[float, float]:
    """The numbers of blocks by score before the first block, with `games` in a block."""
    return dict.fromkeys(PAIR_SCORES if games == 2 else GAME_SCORES, 0)


def count_blocks(counts: dict[float, float], scores: Iterable[float]) -> None:
    """Count blocks by their scores."""
    for score, blocks in Counter(round(score, 9) for score in scores).items():
        counts[score] = counts.get(score, 0) + blocks


def distribution_of_counts(counts: Mapping[float, float], games: int) -> ScoreDistribution:
    """The distribution with these numbers of blocks by score."""
    values = tuple(sorted(counts))
    return ScoreDistribution(values, tuple(counts[value] for value in values), games)


@dataclass(frozen=True)
class EloInterval:
    """An Elo difference with its 95 % interval, which need not lie evenly around it."""

    elo: float
    low: float
    high: float

    @property
    def mirrored(self) -> "EloInterval":
        """The same from the other bot's side."""
        return EloInterval(-self.elo, -self.high, -self.low)

    @property
    def sign(self) -> int:
        """1 or -1 if the interval excludes 0, else 0."""
        return (self.low > 0) - (self.high < 0)

    def __str__(self) -> str:
        elo, low, high = (
            ("+∞" if value > 0 else "-∞") if abs(value) >= UNBOUNDED else f"{value:+z.0f}"
            for value in (self.elo, self.low, self.high)
        )
        if elo == "+∞" and low not in ("-∞", "+∞"):
            return f"more than {low} Elo"
        if elo == "-∞" and high not in ("-∞", "+∞"):
            return f"less than {high} Elo"
        return f"{elo} Elo (95 %: {low} to {high})"


@dataclass(frozen=True)
class Estimate:
    """The estimated difference of two bots; positive values mean that the first one is stronger."""

    games: int
    score: float
    elo: float
    elo_low: float  # the 95 % interval
    elo_high: float
    nelo: float
    nelo_error: float
    los: float  # likelihood of superiority: that the first bot is the stronger one

    @property
    def decided(self) -> int:
        """1 if the first bot is shown to be stronger, -1 if the second, 0 if neither (at 95 %)."""
        return (self.elo_low > 0) - (self.elo_high < 0)


def estimate(distribution: ScoreDistribution) -> Estimate:
    """The difference between two bots that a distribution of block scores implies, with its 95 % interval.

    Where there are few blocks, or all have the same score, the sample variance is too small: the interval is then that
    of the smoothed distribution, widened by Student's t.
    """
    blocks = distribution.blocks
    if not blocks:
        return Estimate(0, 0.5, 0.0, elo(0), elo(1), 0.0, math.inf, 0.5)
    believed = distribution.smoothed() if blocks < FEW_BLOCKS or not distribution.variance else distribution
    mean, variance = believed.mean, believed.variance
    deviation = math.sqrt(variance / believed.blocks)
    if blocks < FEW_BLOCKS:
        deviation *= STUDENT[max(1, round(blocks)) - 1] / Z
    games = distribution.games * blocks
    return Estimate(
        games=round(games),
        score=distribution.mean,
        elo=elo(distribution.mean),
        elo_low=min(elo(mean - Z * deviation), elo(distribution.mean)),
        elo_high=max(elo(mean + Z * deviation), elo(distribution.mean)),
        nelo=K * (mean - 0.5) / math.sqrt(distribution.games * variance),
        nelo_error=Z * K / math.sqrt(games),
        los=phi((mean - 0.5) / deviation),
    )


def rank_points(ranks: Sequence[int], mine: Sequence[bool]) -> float | None:
    """A bot's score in one game: the share of (own seat, other's seat) pairs that its seat won, ties half.

    None if all seats are its own, or none.
    """
    own = [rank for rank, is_mine in zip(ranks, mine, strict=True) if is_mine]
    others = [rank for rank, is_mine in zip(ranks, mine, strict=True) if not is_mine]
    if not own or not others:
        return None
    won = sum((a < b) + 0.5 * (a == b) for a in own for b in others)
    return won / (len(own) * len(others))


def rounded_up(number: float) -> int:
    """An estimated number of games, rounded up to two digits."""
    whole = math.ceil(number)
    scale: int = 10 ** max(0, len(str(whole)) - 2)
    return -(-whole // scale) * scale
