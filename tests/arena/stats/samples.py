"""Games as input of the statistics."""

import numpy as np

from podium.arena.stats.intervals import GAME_SCORES, ScoreDistribution
from podium.arena.stats.rating_data import RatedGames


def single_games(losses, draws, wins):
    """The distribution of games that were not played in pairs."""
    return ScoreDistribution(GAME_SCORES, (losses, draws, wins), 1)


def rated_games(games):
    """The games of an iterable of results with their rounds."""
    places = {}
    rows = [(places.setdefault(outcome, len(places)), number) for outcome, number in games]
    columns = np.array(rows, np.int64).reshape(-1, 2)
    return RatedGames(list(places), columns[:, 0], columns[:, 1])
