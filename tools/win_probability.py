"""Fits the curve from evaluations to win probabilities to the games of a run, and prints how well it holds.

`python -m tools.win_probability games.db r1 --bot champion` reads what the bot thought before each of its answers and
the share of the points that it got in the end (1 for beating all others, 0.5 for a draw with them). The scale of a
logistic curve through 0 is fitted by maximum likelihood (`LogisticWins` in `podium.games.contract`); the table shows
predicted against real shares. Evaluations of one game depend on each other: count games, not answers.
"""

import argparse
import math
from pathlib import Path

import numpy as np
from scipy.optimize import minimize_scalar

from podium.arena.stats.intervals import rank_points
from podium.arena.store.store import Store
from podium.arena.store.stored_game import StoredGame, stored_game
from podium.games import load
from podium.games.game import LogisticWins

BINS = 10
WIDEST = 12.0  # scales up to e^12 are tried
DECIDED = 1e6  # evaluations from here on mean a won or lost game


def evaluations(stored: StoredGame, bot: str) -> list[tuple[float, float]]:
    """Every evaluation of a bot in a game, with the share of the points that its seat got."""
    ranks, record = stored.row.ranks, stored.record
    return [
        (thoughts["value"], rank_points(ranks, [other == seat for other in range(len(ranks))]) or 0.0)
        for index, thoughts in record.thoughts.items()
        if thoughts.get("value") is not None and stored.names[seat := record.seats[index]] == bot
    ]


def fitted(values: np.ndarray, shares: np.ndarray) -> LogisticWins:
    """The curve that makes the shares most likely."""

    def loss(logarithm: float) -> float:
        slope = values / math.exp(logarithm)
        return float(np.mean(np.logaddexp(0, -slope) * shares + np.logaddexp(0, slope) * (1 - shares)))

    return LogisticWins(math.exp(minimize_scalar(loss, bounds=(-WIDEST, WIDEST), method="bounded").x))


def main() -> None:
    """Fit the curve and print it."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("store", type=Path)
    parser.add_argument("run", help="such as r1")
    parser.add_argument("--bot", default="champion", help="whose evaluations are read")
    words = parser.parse_args()
    with Store(words.store, create=False) as store:
        run = store.run(int(words.run.lstrip("r")))
        games = [evaluations(stored_game(store, row), words.bot) for row in store.games(run)]
    found = np.array([pair for game in games for pair in game])
    if not found.size:
        raise SystemExit(f"no evaluation of {words.bot} in {words.run}")
    known = load(run.game).kind(words.bot)
    values, shares = found[np.abs(found[:, 0]) < DECIDED].T
    curve = fitted(values, shares)
    print(f"{run.game}, {words.bot}: {len(values):,} evaluations of {sum(map(bool, games)):,} games")
    print(f"fitted scale {curve.scale:.4g}; now in use: {known.win_probability}")
    predicted = np.array([known.win(value) if known.win_probability else curve(value) for value in values], float)
    predicted, shares = predicted[~np.isnan(predicted)], shares[~np.isnan(predicted)]  # some evaluations have none
    places = np.minimum((predicted * BINS).astype(int), BINS - 1)
    for place in np.unique(places):
        chosen = places == place
        print(f"  predicted {predicted[chosen].mean():4.0%}  real {shares[chosen].mean():4.0%}  of {chosen.sum():,}")


if __name__ == "__main__":
    main()
