"""The games of a league as ratings see them: who met whom in which round, and how it ended."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np


class Outcome(NamedTuple):
    """Who met and how it ended: few in comparison with the games."""

    meeting: str
    bots: tuple[int, ...]  # who sat where
    ranks: tuple[int, ...]


@dataclass(frozen=True)
class Played:
    """Games in the order in which they were stored."""

    outcomes: Sequence[Outcome]  # each once, whether a game has it or not
    outcome: np.ndarray  # of each game: its place among them
    round: np.ndarray

    def __len__(self) -> int:
        return len(self.outcome)

    def chosen(self, which: np.ndarray | slice) -> "Played":
        """Some of the games."""
        return Played(self.outcomes, self.outcome[which], self.round[which])

    def games_of_bots(self) -> Counter[int]:
        """How many games each bot played."""
        games: Counter[int] = Counter()
        counts = np.bincount(self.outcome, minlength=len(self.outcomes)).tolist()
        for outcome, count in zip(self.outcomes, counts, strict=True):
            for bot in set(outcome.bots) if count else ():
                games[bot] += count
        return games

    def blocks(self) -> Counter[tuple[str, int]]:
        """How many games there are of each block, by meeting and round."""
        meetings = [outcome.meeting for outcome in self.outcomes]
        places = zip(self.outcome.tolist(), self.round.tolist(), strict=True)
        return Counter((meetings[outcome], number) for outcome, number in places)


def played(games: Iterable[tuple[Outcome, int]]) -> Played:
    """Games, each with its round."""
    places: dict[Outcome, int] = {}
    rows = [(places.setdefault(outcome, len(places)), number) for outcome, number in games]
    columns = np.array(rows, np.int64).reshape(-1, 2)
    return Played(list(places), columns[:, 0], columns[:, 1])
