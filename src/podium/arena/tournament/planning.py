"""Adaptive pairing: which blocks of a continuous league are the most informative.

The posterior of the strengths is approximated by a normal distribution (see `ratings`). The uncertainty of the table is
the sum over all pairs of bots of the variance of their difference, weighted by the probability that their order is
wrong. A game adds its Fisher information about the difference of its two bots, which is largest between equals, and
through the covariance about all others. The next block is the one that is expected to reduce the uncertainty most: an
A-optimal design (Chaloner and Verdinelli, "Bayesian experimental design: a review", 1995). So games go to pairs whose
order is uncertain, and to newcomers.

A table of more than two seats is filled bot by bot, each time with the bot that adds most over all its pairs. Several
blocks are chosen at a time: each one narrows the posterior as if it had been played, since that does not depend on its
result.
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from podium.arena.stats.intervals import phi
from podium.arena.stats.rating_data import RatedGames
from podium.arena.stats.ratings import PRIOR_GAMES, block_noise, fit, pair_results

LEAST_WEIGHT = 0.1  # of a pair whose order is settled, so that it gets games too and ratings become precise


@dataclass
class Posterior:
    """The posterior of the strengths (log-odds) of some bots, as a normal distribution."""

    bots: Sequence[int]
    strength: np.ndarray
    covariance: np.ndarray

    def variances(self) -> np.ndarray:
        """The variance of the difference of each pair of bots."""
        own = np.diag(self.covariance)
        return np.asarray(np.maximum(own[:, None] + own[None, :] - 2 * self.covariance, 0.0))

    def information_gain(self, games: float) -> np.ndarray:
        """The expected reduction of the uncertainty by one block of that many games for each pair of bots."""
        gap = self.strength[:, None] - self.strength[None, :]
        variance = self.variances()
        weight = np.vectorize(phi)(-np.abs(gap) / np.sqrt(np.maximum(variance, 1e-12))) + LEAST_WEIGHT
        laplacian = np.diag(weight.sum(axis=1)) - weight
        spread = self.covariance @ laplacian @ self.covariance
        own = np.diag(spread)
        information = games * _information(gap, variance)
        gain = information / (1 + information * variance) * (own[:, None] + own[None, :] - 2 * spread)
        np.fill_diagonal(gain, 0.0)
        return np.asarray(gain)

    def assume_played(self, table: Sequence[int], games: float) -> None:
        """Narrow the posterior as by a block in which each pair of bots of a table plays `games` games."""
        places = [self.bots.index(bot) for bot in table]
        for one, other in [(i, j) for i in places for j in places if i < j]:
            step = self.covariance[:, one] - self.covariance[:, other]
            gap, variance = self.strength[one] - self.strength[other], step[one] - step[other]
            information = games * float(_information(gap, variance))
            self.covariance = self.covariance - np.outer(step, step) * (information / (1 + information * variance))

    def restricted_to(self, bots: Sequence[int]) -> "Posterior":
        """The posterior of some of the bots."""
        places = [self.bots.index(bot) for bot in bots]
        return Posterior(list(bots), self.strength[places], self.covariance[np.ix_(places, places)])


def _information(gap: np.ndarray, variance: np.ndarray) -> np.ndarray:
    """The expected Fisher information of a game about a difference in strength with this mean and variance."""
    share = 1 / (1 + np.exp(-gap / np.sqrt(1 + math.pi / 8 * variance)))
    return np.asarray(share * (1 - share))


def posterior_of(games: RatedGames, bots: Iterable[int]) -> Posterior:
    """The posterior after some games, of the bots that played them and of `bots`."""
    known = sorted({*bots, *games.games_of_bots()})
    if not len(games):
        return Posterior(known, np.zeros(len(known)), np.eye(len(known)) * 4 / PRIOR_GAMES)
    results = pair_results(games, known)
    strength, information, prior = fit(results.wins)
    noise, _ = block_noise(results, strength, information)
    narrow = np.linalg.inv(information + prior)
    return Posterior(known, strength, narrow @ (noise + prior) @ narrow)


def next_tables(
    posterior: Posterior, seats: int, number: int, under_way: Iterable[Sequence[int]] = ()
) -> list[tuple[int, ...]]:
    """The bots of the next blocks, the most informative first; blocks under way count as played."""
    size = seats if len(posterior.bots) >= seats else 2
    games = _games_per_pair(seats, size)
    for table in under_way:
        if set(table) <= set(posterior.bots):
            posterior.assume_played(table, games)
    tables = []
    for _ in range(number):
        tables.append(_best_table(posterior, size, games))
        posterior.assume_played(tables[-1], games)
    return tables


def _games_per_pair(seats: int, size: int) -> float:
    """The number of independent games between each pair of bots that a block is equivalent to."""
    pairs = seats if size == seats else math.comb(seats, 2) * (seats // 2) ** 2
    return pairs / ((seats + 1) / 3)  # the pairs of one table are correlated: the same figure as in `ratings`


def _best_table(posterior: Posterior, size: int, games: float) -> tuple[int, ...]:
    gain = posterior.information_gain(games)
    places = list(map(int, np.unravel_index(np.argmax(gain), gain.shape)))
    while len(places) < size:
        added = gain[:, places].sum(axis=1)
        added[places] = -1.0
        places.append(int(np.argmax(added)))
    return tuple(sorted(posterior.bots[place] for place in places))
