"""Which bot is stronger, and how sure is it: score, Elo, normalized Elo, likelihood of superiority.

The unit is a **block**: one seed with every seating that matters. For two seats a block is a pair of games with the
seats swapped, and its score is one of five (the "pentanomial" law of fishtest, OpenBench and fastchess). Games of a
block share their luck, so blocks and not games are the independent observations. For more seats a block's score is
the share of the other bot's seats that a bot's seats finish before (ties count half): 0 and 1 mean that all were lost
or won, and equal bots expect 1/2. It is the mean rank of a bot's seats, on a scale that ignores its own copies.

With counts n_i of scores a_i: p_i = n_i / N, s = sum p_i a_i, v = sum p_i (a_i - s)^2. The formulas are those of
the programs named above; Van den Bergh, "Normalized Elo" (2020) explains the normalized unit.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

Z = 1.959963984540054  # 95 % of a normal law lie within this many standard deviations
SURE = 0.98  # a claim that two equal bots would suffer in 4 % of their matches, either way
K = 800 / math.log(10)  # Elo per unit of normalized difference, so that both scales agree for single games near 1/2
CLAMP = 0.001  # scores are kept this far from 0 and 1 before they become Elo, so that they stay finite

PAIR_SCORES = (0.0, 0.25, 0.5, 0.75, 1.0)  # LL, LD, WL or DD, WD, WW
PAIR_NAMES = ("LL", "LD", "WL+DD", "WD", "WW")
GAME_SCORES = (0.0, 0.5, 1.0)  # L, D, W

FEW_BLOCKS = 10  # below this many, and where all scores are equal, the law found is not to be trusted
# Z for so few blocks (1, 2, ...): the 97.5 % points of Student's t ("The probable error of a mean", 1908)
STUDENT = (12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262)


def phi(x: float) -> float:
    """The normal distribution function."""
    return 0.5 * math.erfc(-x / math.sqrt(2))


def elo(score: float) -> float:
    """The Elo difference at which that score is expected."""
    score = min(max(score, CLAMP), 1 - CLAMP)
    return -400 * math.log10(1 / score - 1)


def score_of_elo(difference: float) -> float:
    """The score expected at an Elo difference."""
    return 1 / (1 + 10 ** (-difference / 400))


@dataclass(frozen=True)
class Law:
    """How often each block score occurred."""

    scores: tuple[float, ...]  # rising, in [0, 1]
    counts: tuple[float, ...]
    games: int  # in a block: 2 for pairs, 1 for single games

    @property
    def blocks(self) -> float:
        """How many blocks were counted."""
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

    def doubted(self) -> "Law":
        """The law with one more block, half of it lost and half of it won: an honest reading of a tiny sample."""
        counts = list(self.counts)
        counts[0] += 0.5
        counts[-1] += 0.5
        return Law(self.scores, tuple(counts), self.games)


def pairs(counts: Sequence[float]) -> Law:
    """The law of pairs from their five counts."""
    if len(counts) != len(PAIR_SCORES):
        raise ValueError(f"pairs have five classes, not {len(counts)}")
    return Law(PAIR_SCORES, tuple(counts), 2)


def single_games(losses: float, draws: float, wins: float) -> Law:
    """The law of games that are not paired."""
    return Law(GAME_SCORES, (losses, draws, wins), 1)


def law_of(scores: Iterable[float], games: int) -> Law:
    """The law of given block scores. Pairs have their five classes; others the scores that occur, 0, 1/2 and 1."""
    counts: dict[float, float] = dict.fromkeys(PAIR_SCORES if games == 2 else GAME_SCORES, 0)
    for score in scores:
        rounded = round(score, 9)
        counts[rounded] = counts.get(rounded, 0) + 1
    return law_of_counts(counts, games)


def law_of_counts(counts: Mapping[float, float], games: int) -> Law:
    """The law of block scores counted by score."""
    values = tuple(sorted(counts))
    return Law(values, tuple(counts[value] for value in values), games)


@dataclass(frozen=True)
class Estimate:
    """What a law says about the difference of two bots; differences are positive where the first is stronger."""

    games: int
    score: float
    elo: float
    elo_low: float  # the 95 % interval
    elo_high: float
    nelo: float
    nelo_error: float
    los: float  # likelihood of superiority: that the first bot is the stronger one

    @property
    def elo_error(self) -> float:
        """Half the width of the interval."""
        return (self.elo_high - self.elo_low) / 2

    @property
    def decided(self) -> int:
        """1 if the first bot is shown to be stronger, -1 if the second, 0 if neither (at 95 %)."""
        return (self.elo_low > 0) - (self.elo_high < 0)


def estimate(law: Law) -> Estimate:
    """The difference that a law shows.

    Where all blocks had one score, or there are few, the variance found is too small to be believed: the error bars are
    then those of the doubted law, and those of Student's t.
    """
    blocks = law.blocks
    if not blocks:
        return Estimate(0, 0.5, 0.0, elo(0), elo(1), 0.0, math.inf, 0.5)
    believed = law.doubted() if blocks < FEW_BLOCKS or not law.variance else law
    mean, variance = believed.mean, believed.variance
    deviation = math.sqrt(variance / believed.blocks)
    if blocks < FEW_BLOCKS:
        deviation *= STUDENT[max(1, round(blocks)) - 1] / Z
    games = law.games * blocks
    return Estimate(
        games=round(games),
        score=law.mean,
        elo=elo(law.mean),
        elo_low=min(elo(mean - Z * deviation), elo(law.mean)),
        elo_high=max(elo(mean + Z * deviation), elo(law.mean)),
        nelo=K * (mean - 0.5) / math.sqrt(law.games * variance),
        nelo_error=Z * K / math.sqrt(games),
        los=phi((mean - 0.5) / deviation),
    )


def games_to_show(law: Law) -> int | None:
    """How many more games would show the present difference at 95 %; None if there is no difference to show."""
    believed = law.doubted()
    gap = abs(believed.mean - 0.5)
    if not law.blocks or gap < 1e-9:
        return None
    needed = believed.variance * (Z / gap) ** 2
    few = (number for number in range(1, FEW_BLOCKS) if number * (gap / STUDENT[number - 1]) ** 2 > believed.variance)
    needed = next(few, max(needed, FEW_BLOCKS))
    return max(0, math.ceil(needed - law.blocks)) * law.games


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
