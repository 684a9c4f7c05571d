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
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import zip_longest

import numpy as np

from podium.arena.played import Outcome, Played

ELO = 400 / math.log(10)  # Elo per unit of log-odds
NOBODY = -1
MOST_STEPS = 50
SMALLEST_STEP = 1e-9
LARGEST_STEP = 2.0
IMAGINARY = 2.0  # games against an average bot; for two bots about a flat prior of their score

DRAWS = 4000
SEED = 1  # the same games give the same table
TAIL = 5.0  # degrees of freedom of the law that is drawn from: its tails cover those of the likelihood
TOGETHER = 1 << 16  # blocks whose scores, one for each bot, are in memory at a time

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


def results_of(games: Played, bots: Sequence[int]) -> Results:
    """The results of games between bots, known by their ids."""
    size = len(bots)
    meetings: dict[str, int] = {}
    numbers = [meetings.setdefault(outcome.meeting, len(meetings)) for outcome in games.outcomes]
    block = np.array(numbers, np.int64)[games.outcome] * (1 + games.round.max(initial=0)) + games.round
    keys, points = [np.empty(0, np.int64)], [np.empty(0)]
    for pair, share in _pairs(games.outcomes, bots):
        fitting = pair[games.outcome] >= 0
        outcome = games.outcome[fitting]
        keys.append(block[fitting] * size * size + pair[outcome])
        points.append(share[outcome])
    rows, row, met = np.unique(np.concatenate(keys), return_inverse=True, return_counts=True)
    block, pair = np.divmod(rows, size * size)
    block = np.cumsum(np.diff(block, prepend=block[:1]) != 0)
    return Results(
        size=size,
        seats=max((len(outcome.bots) for outcome in games.outcomes), default=2),
        blocks=int(block[-1]) + 1 if len(block) else 0,
        block=block,
        one=pair // size,
        other=pair % size,
        points=np.bincount(row, np.concatenate(points), len(rows)),
        met=met.astype(float),
    )


def _pairs(outcomes: Sequence[Outcome], bots: Sequence[int]) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """For each pair of seats, and in it for each outcome: which two bots sit there, as one number, or -1 if it is but
    one, or none; and the points of the one whose place is lower: 1 if it finished first, 1/2 for a tie."""
    place = {bot: index for index, bot in enumerate(bots)}
    sitting = zip_longest(*[outcome.bots for outcome in outcomes], fillvalue=NOBODY)
    who = [np.array([place.get(bot, NOBODY) for bot in seat]) for seat in sitting]
    ranks = [np.array(seat) for seat in zip_longest(*[outcome.ranks for outcome in outcomes], fillvalue=0)]
    for seat in range(len(who)):
        for other in range(seat):
            one, two = np.minimum(who[seat], who[other]), np.maximum(who[seat], who[other])
            ahead = np.sign(ranks[other] - ranks[seat]) * np.where(who[seat] == one, 1, -1)
            yield np.where((one != NOBODY) & (one < two), one * len(bots) + two, -1), (1 + ahead) / 2


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
    seen = np.zeros((results.size, results.size))
    for start in range(0, results.blocks, TOGETHER):
        some = (start <= results.block) & (results.block < start + TOGETHER)
        scores = np.zeros((min(TOGETHER, results.blocks - start), results.size))
        np.add.at(scores, (results.block[some] - start, results.one[some]), surprise[some])
        np.add.at(scores, (results.block[some] - start, results.other[some]), -surprise[some])
        seen += scores.T @ scores
    # The strengths were fitted to the same blocks: some of their scores' freedom is gone.
    freedom = results.blocks * min(results.seats, results.size) - results.blocks
    free = results.blocks * max(0.0, 1 - (results.size - 1) / freedom)
    independent = (results.seats + 1) / 3  # dispersion of pairs of a table of equal bots: 1 for two seats
    trace = float(np.trace(information))
    if not free or not trace:
        return DISPERSION * independent * information, DISPERSION_BLOCKS
    seen *= results.blocks / free
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


def ratings(games: Played, without: Collection[int] = ()) -> list[Rating]:
    """The ratings of all bots that played, the best first.

    Those to be left out are no rivals and not in the table, but their games tell about the others.
    """
    games_of = games.games_of_bots()
    bots = sorted(games_of)
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
                games=games_of[bots[index]],
                score=float(wins[index].sum() / met[index]),
                above=above,
                best=min(float(best[index]), 1.0),
            )
        )
    return table
