"""Bradley-Terry ratings of many bots, fitted to all games at once, with 95 % intervals.

A game of more than two seats is broken into all its pairs of seats, which estimates the Plackett-Luce model
consistently (Azari Soufiani et al., "Generalized method-of-moments for rank aggregation", 2013); ties count half. The
prior is two drawn games of each bot against an average one: so a bot that won or lost everything has a finite rating.

The intervals, in four steps:

1. The likelihood of all games times the prior is the posterior of the strengths. It is sampled by importance sampling,
   so that it is as skewed as few games make it.
2. The likelihood treats games as independent, but games of a block are correlated, and so are the pairs of one table.
   The covariance of the block scores gives the true width: the "sandwich" of Liang and Zeger (1986), to which the draws
   are stretched as in Ribatet, Cooley and Davison, "Bayesian inference from composite likelihoods" (2012).
3. With few blocks that covariance is noisy. It is shrunk towards that of slightly overdispersed independent games:
   first one number, the dispersion, then bot by bot.
4. The dispersion is itself an estimate from a number of blocks: the draws get the tails of Student's t.

`python -m tools.statistics_simulation` measures the coverage of the intervals; tests check it.
"""

import math
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import zip_longest

import numpy as np

from podium.arena.stats.rating_data import RankedResult, RatedGames

ELO = 400 / math.log(10)  # Elo per unit of log-odds
NOBODY = -1
MOST_STEPS = 50
SMALLEST_STEP = 1e-9
LARGEST_STEP = 2.0
PRIOR_GAMES = 2.0  # drawn games against an average bot; for two bots about a flat prior of their score

DRAWS = 4000
SEED = 1  # the same games give the same table
TAIL = 5.0  # degrees of freedom of the proposal distribution: its tails cover those of the likelihood
CHUNK = 1 << 16  # blocks whose scores, one for each bot, are in memory at a time

# The prior of the dispersion, in blocks between equal bots; chosen by simulation.
DISPERSION = 1.15  # of block scores, relative to independent games
DISPERSION_BLOCKS = 10.0  # weight of this prior, in blocks
OWN_BLOCKS = 20.0  # weight of the assumption that all bots have the same dispersion, in blocks,
OWN_BLOCKS_PER_BOT = 5.0  # plus this many for each bot


@dataclass(frozen=True)
class BotRating:
    """The rating of a bot; the mean of all bots is 0."""

    bot: int
    elo: float
    low: float  # the 95 % interval
    high: float
    games: int
    score: float  # mean share of the other bots' seats that it finished ahead of
    above: float  # probability that it is stronger than the next one in the table
    best: float  # probability that it is the strongest of all


@dataclass
class PairResults:
    """Results of bots 0, 1, ... against each other: one row for each pair of bots in a block."""

    size: int  # bots
    seats: int
    blocks: int
    block: np.ndarray  # int64[rows]: index of the row's block
    one: np.ndarray  # int64[rows]: the two bots of the row
    other: np.ndarray
    points: np.ndarray  # float[rows]: how often `one` finished ahead of `other`, ties counting half
    met: np.ndarray  # float[rows]: in how many comparisons

    @property
    def wins(self) -> np.ndarray:
        """wins[i, j]: how often i finished ahead of j, ties counting half."""
        table = np.zeros((self.size, self.size))
        np.add.at(table, (self.one, self.other), self.points)
        np.add.at(table, (self.other, self.one), self.met - self.points)
        return table


def pair_results(games: RatedGames, bots: Sequence[int]) -> PairResults:
    """The results of games between these bots, which are given by their ids."""
    size = len(bots)
    pairings: dict[str, int] = {}
    numbers = [pairings.setdefault(result.pairing, len(pairings)) for result in games.results]
    block = np.array(numbers, np.int64)[games.result] * (1 + games.round.max(initial=0)) + games.round
    keys, points = [np.empty(0, np.int64)], [np.empty(0)]
    for pair, share in _pairs(games.results, bots):
        fitting = pair[games.result] >= 0
        result = games.result[fitting]
        keys.append(block[fitting] * size * size + pair[result])
        points.append(share[result])
    rows, row, met = np.unique(np.concatenate(keys), return_inverse=True, return_counts=True)
    block, pair = np.divmod(rows, size * size)
    block = np.cumsum(np.diff(block, prepend=block[:1]) != 0)
    return PairResults(
        size=size,
        seats=max((len(result.bots) for result in games.results), default=2),
        blocks=int(block[-1]) + 1 if len(block) else 0,
        block=block,
        one=pair // size,
        other=pair % size,
        points=np.bincount(row, np.concatenate(points), len(rows)),
        met=met.astype(float),
    )


def _pairs(results: Sequence[RankedResult], bots: Sequence[int]) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """For each pair of seats two arrays over the results: the two bots there, coded as one number (-1 where they are
    the same bot or a seat is missing), and the points of the bot with the lower index: 1 if ahead, 1/2 for a tie."""
    place = {bot: index for index, bot in enumerate(bots)}
    sitting = zip_longest(*[result.bots for result in results], fillvalue=NOBODY)
    who = [np.array([place.get(bot, NOBODY) for bot in seat]) for seat in sitting]
    ranks = [np.array(seat) for seat in zip_longest(*[result.ranks for result in results], fillvalue=0)]
    for seat in range(len(who)):
        for other in range(seat):
            one, two = np.minimum(who[seat], who[other]), np.maximum(who[seat], who[other])
            ahead = np.sign(ranks[other] - ranks[seat]) * np.where(who[seat] == one, 1, -1)
            yield np.where((one != NOBODY) & (one < two), one * len(bots) + two, -1), (1 + ahead) / 2


def fit(wins: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The strengths (log-odds) of highest posterior, and the Fisher information of the games and of the prior.

    Newton's method on a concave function.
    """
    strength = np.zeros(len(wins))
    played = wins + wins.T
    for _ in range(MOST_STEPS):
        expected = 1 / (1 + np.exp(strength[None, :] - strength[:, None]))
        against = 1 / (1 + np.exp(-strength))
        gradient = (wins - played * expected).sum(axis=1) + PRIOR_GAMES * (0.5 - against)
        weight = played * expected * (1 - expected)
        information = np.diag(weight.sum(axis=1)) - weight
        prior = np.diag(PRIOR_GAMES * against * (1 - against))
        step = np.linalg.solve(information + prior, gradient)
        largest = float(np.abs(step).max())
        strength = strength + step * min(1.0, LARGEST_STEP / max(largest, SMALLEST_STEP))
        if largest < SMALLEST_STEP:
            break
    return strength, information, prior


def block_noise(results: PairResults, strength: np.ndarray, information: np.ndarray) -> tuple[np.ndarray, float]:
    """The covariance of the sum of all block scores, and the number of even blocks that its scale is based on."""
    surprise = results.points - results.met / (1 + np.exp(strength[results.other] - strength[results.one]))
    seen = np.zeros((results.size, results.size))
    for start in range(0, results.blocks, CHUNK):
        some = (start <= results.block) & (results.block < start + CHUNK)
        scores = np.zeros((min(CHUNK, results.blocks - start), results.size))
        np.add.at(scores, (results.block[some] - start, results.one[some]), surprise[some])
        np.add.at(scores, (results.block[some] - start, results.other[some]), -surprise[some])
        seen += scores.T @ scores
    # The strengths were fitted to the same blocks, which uses up degrees of freedom.
    freedom = results.blocks * min(results.seats, results.size) - results.blocks
    free = results.blocks * max(0.0, 1 - (results.size - 1) / freedom)
    independent = (results.seats + 1) / 3  # dispersion of the pairs of one table of equal bots: 1 for two seats
    trace = float(np.trace(information))
    if not free or not trace:
        return DISPERSION * independent * information, DISPERSION_BLOCKS
    seen *= results.blocks / free
    even = free * trace / (results.met.sum() / 2)  # a block with a certain result carries no information
    known = DISPERSION_BLOCKS + even
    dispersion = (DISPERSION_BLOCKS * DISPERSION * independent + even * float(np.trace(seen)) / trace) / known
    trust = even / (even + OWN_BLOCKS + OWN_BLOCKS_PER_BOT * results.size)
    return trust * seen + (1 - trust) * dispersion * information, known


def draws_of(results: PairResults) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The fitted strengths (mean 0), posterior draws of them (one row each), and the weights of the draws."""
    size = results.size
    wins = results.wins
    strength, information, prior = fit(wins)
    precision = information + prior
    random = np.random.default_rng(SEED)
    half = random.standard_normal((DRAWS // 2, size)) * np.sqrt(TAIL / random.chisquare(TAIL, (DRAWS // 2, 1)))
    steps = np.concatenate([half, -half])
    near = strength + np.linalg.solve(np.linalg.cholesky(precision).T, steps.T).T
    weights = _importance(wins, near, steps)

    noise, known = block_noise(results, strength, information)
    stretched = np.linalg.solve(precision, np.linalg.cholesky(noise + prior) @ steps.T).T
    tails = np.sqrt(known / random.chisquare(known, (DRAWS // 2, 1)))
    draws = strength + stretched * np.concatenate([tails, tails])
    return strength - strength.mean(), draws - draws.mean(axis=1, keepdims=True), weights


def _importance(wins: np.ndarray, near: np.ndarray, steps: np.ndarray) -> np.ndarray:
    """The importance weights that turn draws from Student's t into a sample of the posterior."""
    one, other = np.nonzero(np.triu(wins + wins.T, 1))
    won, lost = wins[one, other], wins[other, one]
    gap = near[:, one] - near[:, other]
    likelihood = gap @ won - np.logaddexp(0, gap) @ (won + lost)
    likelihood += PRIOR_GAMES * (near / 2 - np.logaddexp(0, near)).sum(axis=1)
    drawn = -(TAIL + near.shape[1]) / 2 * np.log1p((steps**2).sum(axis=1) / TAIL)
    weights = np.exp((ratio := likelihood - drawn) - ratio.max())
    # Large weights are truncated (Ionides, "Truncated importance sampling", 2008).
    weights = np.minimum(weights, weights.mean() * math.sqrt(len(weights)))
    return np.asarray(weights / weights.sum())


def quantiles(values: np.ndarray, weights: np.ndarray, shares: Sequence[float]) -> np.ndarray:
    """The weighted quantiles of values."""
    order = np.argsort(values)
    below = np.cumsum(weights[order]) - weights[order] / 2
    return np.asarray(np.interp(shares, below, values[order]))


def ratings(games: RatedGames, without: Collection[int] = ()) -> list[BotRating]:
    """The ratings of all bots that played, the best first.

    Bots in `without` are left out of the table and of `best`, but their games still count for the others.
    """
    games_of = games.games_of_bots()
    bots = sorted(games_of)
    if not bots:
        return []
    results = pair_results(games, bots)
    strength, draws, weights = draws_of(results)
    wins = results.wins
    met = np.maximum((wins + wins.T).sum(axis=1), 1)
    draws[:, [bot in without for bot in bots]] = -np.inf
    best = np.bincount(draws.argmax(axis=1), weights=weights, minlength=len(bots))
    order = [index for index in np.argsort(-strength, kind="stable") if bots[index] not in without]
    table = []
    for index, below in zip(order, [*order[1:], None], strict=True):
        low, high = quantiles(draws[:, index], weights, (0.025, 0.975))
        above = 1.0 if below is None else min(float(weights @ (draws[:, index] > draws[:, below])), 1.0)
        table.append(
            BotRating(
                bot=bots[index],
                elo=float(strength[index] * ELO),
                low=float(low * ELO),
                high=float(high * ELO),
                games=games_of[bots[index]],
                score=float(wins[index].sum() / met[index]),
                above=above,
                best=min(float(best[index]), 1.0),
            )
        )
    return table
