"""Ratings of many bots from all games together, in no order: Bradley-Terry by maximum likelihood.

A game of more than two seats is broken into all its pairs of seats, which estimates the Plackett-Luce model
consistently (Azari Soufiani et al., "Generalized method-of-moments for rank aggregation", 2013); ties count half. Each
bot has one drawn game against an imaginary average bot on top, so that one who won or lost everything stays finite.

The intervals are bootstrapped over blocks, each meeting by itself, with the imaginary game's result drawn at random:
they hold whatever games of a block have in common, and do not vanish where all results are equal.
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from podium.arena.finished import Result

ELO = 400 / math.log(10)  # Elo per unit of log-odds
RESAMPLES = 400
MOST_STEPS = 50
SMALLEST_STEP = 1e-9
IMAGINARY = 1.0  # games against an average bot


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


def pairwise(bots: Sequence[int], ranks: Sequence[int]) -> Iterable[tuple[int, int, float]]:
    """The pairs of different bots in a game: (one, other, 1 if one finished first, 1/2 for a tie)."""
    for seat, bot in enumerate(bots):
        for other_seat, other in enumerate(bots):
            if bot != other:
                yield bot, other, (ranks[seat] < ranks[other_seat]) + 0.5 * (ranks[seat] == ranks[other_seat])


class Results:
    """The results of many games by block; bots are known by their ids."""

    def __init__(self, games: Iterable[Result]) -> None:
        games = list(games)
        self.bots = sorted({bot for game in games for bot in game.bots})
        place = {bot: index for index, bot in enumerate(self.bots)}
        size = len(self.bots)
        self.played = np.zeros(size, np.int64)
        blocks: dict[tuple[str, int], np.ndarray] = {}
        for game in games:
            block = blocks.setdefault((game.meeting, game.round), np.zeros((size, size)))
            for one, other, points in pairwise(game.bots, game.ranks):
                block[place[one], place[other]] += points
            for bot in set(game.bots):
                self.played[place[bot]] += 1
        self.blocks = np.array(list(blocks.values())).reshape(len(blocks), size * size)
        meetings = [meeting for meeting, _ in blocks]
        self.strata = [np.flatnonzero([m == name for m in meetings]) for name in dict.fromkeys(meetings)]

    @property
    def wins(self) -> np.ndarray:
        """wins[i, j]: how often i finished before j."""
        size = len(self.bots)
        return self.blocks.sum(axis=0).reshape(size, size) if len(self.blocks) else np.zeros((size, size))


def fit(wins: np.ndarray, imaginary: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The strengths (log-odds, mean 0) that make the results most likely, and their standard errors.

    `imaginary` is each bot's result against the average bot, from 0 to 1. Newton's method on a concave function.
    """
    size = len(wins)
    strength = np.zeros(size)
    played = wins + wins.T
    information = np.eye(size)
    for _ in range(MOST_STEPS):
        expected = 1 / (1 + np.exp(strength[None, :] - strength[:, None]))
        against = 1 / (1 + np.exp(-strength))
        gradient = (wins - played * expected).sum(axis=1) + IMAGINARY * (imaginary - against)
        weight = played * expected * (1 - expected)
        information = np.diag(weight.sum(axis=1) + IMAGINARY * against * (1 - against)) - weight
        step = np.linalg.solve(information, gradient)
        largest = float(np.abs(step).max())
        strength = strength + step * min(1.0, 2.0 / max(largest, 1e-12))
        if largest < SMALLEST_STEP:
            break
    centred = np.eye(size) - 1 / size  # only differences matter
    errors = np.sqrt(np.maximum(np.diag(centred @ np.linalg.inv(information) @ centred), 0))
    return strength - strength.mean(), errors


def ratings(games: Iterable[Result], seed: int = 1) -> list[Rating]:
    """The ratings of all bots that played, the best first."""
    results = Results(games)
    size = len(results.bots)
    if not size:
        return []
    wins = results.wins
    strength, errors = fit(wins, np.full(size, 0.5))
    samples = _bootstrap(results, seed)
    # the interval of the bootstrap, but never narrower than the information of the games allows
    low = np.minimum(np.percentile(samples, 2.5, axis=0), strength - 1.96 * errors)
    high = np.maximum(np.percentile(samples, 97.5, axis=0), strength + 1.96 * errors)
    pairs = np.maximum((wins + wins.T).sum(axis=1), 1)
    order = np.argsort(-strength, kind="stable")
    table = []
    for position, index in enumerate(order):
        below = order[position + 1] if position + 1 < size else None
        above = 1.0 if below is None else float((samples[:, index] > samples[:, below]).mean())
        table.append(
            Rating(
                results.bots[index],
                float(strength[index] * ELO),
                float(low[index] * ELO),
                float(high[index] * ELO),
                int(results.played[index]),
                float(wins[index].sum() / pairs[index]),
                above,
            )
        )
    return table


def _bootstrap(results: Results, seed: int) -> np.ndarray:
    """Strengths of resampled results: one row per resample."""
    random = np.random.default_rng(seed)
    size = len(results.bots)
    weights = np.zeros((RESAMPLES, len(results.blocks)))
    for stratum in results.strata:
        weights[:, stratum] = random.multinomial(len(stratum), np.full(len(stratum), 1 / len(stratum)), RESAMPLES)
    resampled = (weights @ results.blocks).reshape(RESAMPLES, size, size)
    imaginary = random.beta(0.5, 0.5, (RESAMPLES, size))
    return np.array([fit(wins, result)[0] for wins, result in zip(resampled, imaginary, strict=True)])
