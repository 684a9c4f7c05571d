"""Which games tell most: the next blocks of a standing league.

What is believed of the bots is a normal law: the likeliest strengths, and a covariance as wide as the blocks so far
make it (see `ratings`). What is still in doubt is the sum over every two bots of the variance of their difference,
weighed by the chance that the one who leads is the weaker one. A game between two bots tells Fisher's information about
their difference, which is largest between equals, and through the covariance something about all others too. The next
block is the one after which the least will be in doubt: an optimal design (A-optimal: Chaloner and Verdinelli,
"Bayesian experimental design: a review", 1995). So games go where the order is least certain, and to newcomers.

A table of more than two seats is filled bot by bot, each time with the one that adds most over all its pairs. Blocks
are chosen several at a time: once a block is chosen, the law is as narrow as that block will make it, whoever wins.
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from podium.arena.played import Played
from podium.arena.ratings import IMAGINARY, block_noise, fit, results_of

ALWAYS = 0.1  # a doubt that is never left out, so that settled orders get games too, and ratings their precision


@dataclass
class Belief:
    """What is known of the strengths (log-odds) of some bots."""

    bots: Sequence[int]
    strength: np.ndarray
    covariance: np.ndarray

    def variances(self) -> np.ndarray:
        """The variance of the difference of every two bots."""
        own = np.diag(self.covariance)
        return np.maximum(own[:, None] + own[None, :] - 2 * self.covariance, 0.0)

    def worth(self, meetings: float) -> np.ndarray:
        """What a block of every two bots would tell: how much less there would be in doubt in all."""
        gap = self.strength[:, None] - self.strength[None, :]
        variance = self.variances()
        doubt = np.vectorize(_below)(-np.abs(gap) / np.sqrt(np.maximum(variance, 1e-12))) + ALWAYS
        laplacian = np.diag(doubt.sum(axis=1)) - doubt
        spread = self.covariance @ laplacian @ self.covariance
        own = np.diag(spread)
        told = meetings * _information(gap, variance)
        worth = told / (1 + told * variance) * (own[:, None] + own[None, :] - 2 * spread)
        np.fill_diagonal(worth, 0.0)
        return worth

    def expect(self, table: Sequence[int], meetings: float) -> None:
        """Count a block as played whose end is not known: every two bots of a table meet so many times."""
        places = [self.bots.index(bot) for bot in table]
        for one, other in [(i, j) for i in places for j in places if i < j]:
            step = self.covariance[:, one] - self.covariance[:, other]
            gap, variance = self.strength[one] - self.strength[other], step[one] - step[other]
            told = meetings * float(_information(gap, variance))
            self.covariance = self.covariance - np.outer(step, step) * (told / (1 + told * (step[one] - step[other])))


def _below(deviations: float) -> float:
    """The share of a normal law below so many standard deviations."""
    return 0.5 * math.erfc(-deviations / math.sqrt(2))


def _information(gap: np.ndarray, variance: np.ndarray) -> np.ndarray:
    """What a game tells about a difference in strength that is known so well, about: the mean over what it may be."""
    share = 1 / (1 + np.exp(-gap / np.sqrt(1 + math.pi / 8 * variance)))
    return np.asarray(share * (1 - share))


def believed(games: Played, bots: Iterable[int]) -> Belief:
    """What games tell about the bots that played them and others that did not yet."""
    known = sorted({*bots, *games.games_of_bots()})
    if not len(games):
        return Belief(known, np.zeros(len(known)), np.eye(len(known)) * 4 / IMAGINARY)
    results = results_of(games, known)
    strength, information, imaginary = fit(results.wins)
    noise, _ = block_noise(results, strength, information)
    narrow = np.linalg.inv(information + imaginary)
    return Belief(known, strength, narrow @ (noise + imaginary) @ narrow)


def among(belief: Belief, bots: Sequence[int]) -> Belief:
    """The same about some of the bots."""
    places = [belief.bots.index(bot) for bot in bots]
    return Belief(list(bots), belief.strength[places], belief.covariance[np.ix_(places, places)])


def next_tables(
    belief: Belief, seats: int, number: int, under_way: Iterable[Sequence[int]] = ()
) -> list[tuple[int, ...]]:
    """The bots of the next blocks, those first that tell most; blocks that are being played count as played."""
    size = seats if len(belief.bots) >= seats else 2
    met = _meetings(seats, size)
    for table in under_way:
        if set(table) <= set(belief.bots):
            belief.expect(table, met)
    tables = []
    for _ in range(number):
        tables.append(_best_table(belief, size, met))
        belief.expect(tables[-1], met)
    return tables


def _meetings(seats: int, size: int) -> float:
    """How many independent games between every two bots of a block are worth as much as it."""
    pairs = seats if size == seats else math.comb(seats, 2) * (seats // 2) ** 2
    return pairs / ((seats + 1) / 3)  # pairs of one table depend on each other: the same figure as in `ratings`


def _best_table(belief: Belief, size: int, meetings: float) -> tuple[int, ...]:
    worth = belief.worth(meetings)
    places = list(map(int, np.unravel_index(np.argmax(worth), worth.shape)))
    while len(places) < size:
        added = worth[:, places].sum(axis=1)
        added[places] = -1.0
        places.append(int(np.argmax(added)))
    return tuple(sorted(belief.bots[place] for place in places))
