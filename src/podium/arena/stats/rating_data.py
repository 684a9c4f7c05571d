"""The games of a league as input of the ratings: pairing, round, bots by seat, and ranks."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np


class RankedResult(NamedTuple):
    """A pairing with its seats and ranks. A league has few different ones, compared with its games."""

    pairing: str
    bots: tuple[int, ...]  # the bot in each seat
    ranks: tuple[int, ...]


@dataclass(frozen=True)
class RatedGames:
    """Games in the order in which they were stored, as arrays."""

    results: Sequence[RankedResult]  # the different results; some may have no game
    result: np.ndarray  # int64[games]: index of each game's result
    round: np.ndarray  # int64[games]

    def __len__(self) -> int:
        return len(self.result)

    def chosen(self, which: np.ndarray | slice) -> "RatedGames":
        """The games that a mask or slice selects."""
        return RatedGames(self.results, self.result[which], self.round[which])

    def games_of_bots(self) -> Counter[int]:
        """The number of games of each bot."""
        games: Counter[int] = Counter()
        counts = np.bincount(self.result, minlength=len(self.results)).tolist()
        for result, count in zip(self.results, counts, strict=True):
            for bot in set(result.bots) if count else ():
                games[bot] += count
        return games

    def blocks(self) -> Counter[tuple[str, int]]:
        """The number of games of each block, by pairing and round."""
        pairings = [result.pairing for result in self.results]
        places = zip(self.result.tolist(), self.round.tolist(), strict=True)
        return Counter((pairings[result], number) for result, number in places)
