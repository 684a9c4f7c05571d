"""Ratings of many bots from all games together, in no order: Bradley-Terry, with an honest spread from the start.

A game of more than two seats is broken into all its pairs of seats, which estimates the Plackett-Luce model
consistently (Azari Soufiani et al., "Generalized method-of-moments for rank aggregation", 2013); ties count half. Each
bot has two drawn games against an imaginary average bot on top, so that one who won or lost everything stays finite.

How sure it is, in four steps:

1. The likelihood of all games, times that of the imaginary ones, is a law of the strengths. It is drawn from by
   importance sampling, so that it is as lopsided as few games make it.
2. Games of a block share their luck, and pairs of a table their game: the likelihood takes them for independent.
   What the blocks really did says how much wider (or narrower) the law must be: the covariance of the blocks' scores,
   the "sandwich" of Liang and Zeger (1986), to which the draws are stretched as in Ribatet, Cooley and Davison,
   "Bayesian inference from composite likelihoods" (2012).
3. Few blocks cannot say that. What they say is mixed with what independent games would do, a little widened: first one
   number, the dispersion, then bot by bot.
4. The dispersion is itself known from so many blocks only: the draws get the tails of Student's t.

`podium bench statistics` shows by simulation what the intervals are worth; the tests hold them to it.
"""

import math
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from podium.arena.finished import Result

ELO = 400 / math.log(10)  # Elo per unit of log-odds
MOST_STEPS = 50
SMALLEST_STEP = 1e-9
LARGEST_STEP = 2.0
IMAGINARY = 2.0  # games against an average bot; for two bots about a flat prior of their score

DRAWS = 4000
SEED = 1  # the same games give the same table
TAIL = 5.0  # degrees of freedom of the law that is drawn from: its tails cover those of the likelihood

# What is believed before the first block, in blocks between equal bots; chosen by simulation.
DISPERSION = 1.15  # of the blocks, in that of independent games
DISPERSION_BLOCKS = 10.0  # how many blocks that belief weighs
OWN_BLOCKS = 20.0  # how many blocks it weighs that all bots are dispersed alike,
OWN_BLOCKS_PER_BOT = 5.0  # and for each bot


@dataclass(frozen=True)
class Rating:
    """A bot's place on the scale; 0 is the mean of all bots."""

    bot: int
    elo: float
    low: float  # the 95 % interval
    high: float
    games: int
    score: float  # mean share of the others' seats that it finished before
    above: float  # how sure it is that this bot is stronger than the next one below
    best: float  # how sure it is that this bot is the strongest of all


@dataclass
class Results:
    """What bots 0, 1, ... did against each other, one row for each pair of bots in a block."""

    size: int  # bots
    seats: int
    blocks: int
    block: np.ndarray  # number of the row's block
    one: np.ndarray  # the row's bots
    other: np.ndarray
    points: np.ndarray  # how often one finished before the other
    met: np.ndarray  # out of so many times

    @property
    def wins(self) -> np.ndarray:
        """wins[i, j]: how often i finished before j."""
        table = np.zeros((self.size, self.size))
        np.add.at(table, (self.one, self.other), self.points)
        np.add.at(table, (self.other, self.one), self.met - self.points)
        return table


def results_of(games: Sequence[Result], bots: Sequence[int]) -> Results:
    """The results of games between bots, known by their ids."""
    size = len(bots)
    blocks: dict[tuple[str, int], int] = {}
    numbers = np.array([blocks.setdefault((game.meeting, game.round), len(blocks)) for game in games], np.int64)
    seats = np.array([len(game.bots) for game in games], np.int64)
    keys, points = [np.empty(0, np.int64)], [np.empty(0)]
    for number in sorted(set(seats.tolist())):
        chosen = [game for game in games if len(game.bots) == number]
        for one, other, share, fitting in _pairs(chosen, bots):
            keys.append((numbers[seats == number][fitting] * size + one) * size + other)
            points.append(share)
    rows, row, met = np.unique(np.concatenate(keys), return_inverse=True, return_counts=True)
    block, pair = np.divmod(rows, size * size)
    sums = np.bincount(row, np.concatenate(points), len(rows))
    return Results(
        size, int(seats.max(initial=2)), len(blocks), block, pair // size, pair % size, sums, met.astype(float)
    )


def _pairs(
    games: Sequence[Result], bots: Sequence[int]
) -> Iterator[tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]]:
    """The pairs of seats of games of as many seats: for those games in which two bots sit there, which games they are,
    the bots' places, the first one the smaller, and its points: 1 if it finished first, 1/2 for a tie."""
    order = np.argsort(bots)
    who = order[np.searchsorted(np.asarray(bots)[order], np.array([game.bots for game in games]))]
    ranks = np.array([game.ranks for game in games])
    for seat in range(who.shape[1]):
        for other in range(seat):
            fitting = who[:, seat] != who[:, other]
            one, two = who[fitting, seat], who[fitting, other]
            ahead = np.sign(ranks[fitting, other] - ranks[fitting, seat]) * np.where(one < two, 1, -1)
            yield np.minimum(one, two), np.maximum(one, two), (1 + ahead) / 2, fitting


def fit(wins: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The strengths (log-odds) that make the results most likely, and what is known of them.

    That is the information of the games, and of the imaginary ones. Newton's method on a concave function.
    """
    strength = np.zeros(len(wins))
    played = wins + wins.T
    for _ in range(MOST_STEPS):
        expected = 1 / (1 + np.exp(strength[None, :] - strength[:, None]))
        against = 1 / (1 + np.exp(-strength))
        gradient = (wins - played * expected).sum(axis=1) + IMAGINARY * (0.5 - against)
        weight = played * expected * (1 - expected)
        information = np.diag(weight.sum(axis=1)) - weight
        imaginary = np.diag(IMAGINARY * against * (1 - against))
        step = np.linalg.solve(information + imaginary, gradient)
        largest = float(np.abs(step).max())
        strength = strength + step * min(1.0, LARGEST_STEP / max(largest, SMALLEST_STEP))
        if largest < SMALLEST_STEP:
            break
    return strength, information, imaginary


def block_noise(results: Results, strength: np.ndarray, information: np.ndarray) -> tuple[np.ndarray, float]:
    """The covariance of the sum of all blocks' scores, and from how many even blocks its scale is known."""
    surprise = results.points - results.met / (1 + np.exp(strength[results.other] - strength[results.one]))
    scores = np.zeros((results.blocks, results.size))
    np.add.at(scores, (results.block, results.one), surprise)
    np.add.at(scores, (results.block, results.other), -surprise)
    # The strengths were fitted to the same blocks: some of their scores' freedom is gone.
    freedom = results.blocks * min(results.seats, results.size) - results.blocks
    free = results.blocks * max(0.0, 1 - (results.size - 1) / freedom)
    independent = (results.seats + 1) / 3  # dispersion of pairs of a table of equal bots: 1 for two seats
    trace = float(np.trace(information))
    if not free or not trace:
        return DISPERSION * independent * information, DISPERSION_BLOCKS
    seen = scores.T @ scores * (results.blocks / free)
    even = free * trace / (results.met.sum() / 2)  # a block whose end is certain tells nothing
    known = DISPERSION_BLOCKS + even
    dispersion = (DISPERSION_BLOCKS * DISPERSION * independent + even * float(np.trace(seen)) / trace) / known
    trust = even / (even + OWN_BLOCKS + OWN_BLOCKS_PER_BOT * results.size)
    return trust * seen + (1 - trust) * dispersion * information, known


def draws_of(results: Results) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The likeliest strengths (mean 0), draws of what they may be (one row each), and the draws' weights."""
    size = results.size
    wins = results.wins
    strength, information, imaginary = fit(wins)
    precision = information + imaginary
    random = np.random.default_rng(SEED)
    half = random.standard_normal((DRAWS // 2, size)) * np.sqrt(TAIL / random.chisquare(TAIL, (DRAWS // 2, 1)))
    steps = np.concatenate([half, -half])
    near = strength + np.linalg.solve(np.linalg.cholesky(precision).T, steps.T).T
    weights = _importance(wins, near, steps)

    noise, known = block_noise(results, strength, information)
    stretched = np.linalg.solve(precision, np.linalg.cholesky(noise + imaginary) @ steps.T).T
    tails = np.sqrt(known / random.chisquare(known, (DRAWS // 2, 1)))
    draws = strength + stretched * np.concatenate([tails, tails])
    return strength - strength.mean(), draws - draws.mean(axis=1, keepdims=True), weights


def _importance(wins: np.ndarray, near: np.ndarray, steps: np.ndarray) -> np.ndarray:
    """The weights that make steps of Student's t a sample of the likelihood."""
    one, other = np.nonzero(np.triu(wins + wins.T, 1))
    won, lost = wins[one, other], wins[other, one]
    gap = near[:, one] - near[:, other]
    likelihood = gap @ won - np.logaddexp(0, gap) @ (won + lost)
    likelihood += IMAGINARY * (near / 2 - np.logaddexp(0, near)).sum(axis=1)
    drawn = -(TAIL + near.shape[1]) / 2 * np.log1p((steps**2).sum(axis=1) / TAIL)
    weights = np.exp((ratio := likelihood - drawn) - ratio.max())
    # No draw may outweigh all others (Ionides, "Truncated importance sampling", 2008).
    weights = np.minimum(weights, weights.mean() * math.sqrt(len(weights)))
    return weights / weights.sum()


def quantiles(values: np.ndarray, weights: np.ndarray, shares: Sequence[float]) -> np.ndarray:
    """The values below which these shares of the weight lie."""
    order = np.argsort(values)
    below = np.cumsum(weights[order]) - weights[order] / 2
    return np.interp(shares, below, values[order])


def ratings(games: Iterable[Result], without: Collection[int] = ()) -> list[Rating]:
    """The ratings of all bots that played, the best first.

    Those to be left out are no rivals and not in the table, but their games tell about the others.
    """
    games = list(games)
    bots = sorted({bot for game in games for bot in game.bots})
    if not bots:
        return []
    results = results_of(games, bots)
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
            Rating(
                bot=bots[index],
                elo=float(strength[index] * ELO),
                low=float(low * ELO),
                high=float(high * ELO),
                games=sum(bots[index] in game.bots for game in games),
                score=float(wins[index].sum() / met[index]),
                above=above,
                best=min(float(best[index]), 1.0),
            )
        )
    return table
