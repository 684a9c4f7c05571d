"""What the games of a run add up to, block by block in the order of the schedule.

A game counts once all games of its block, and all blocks before it, are there. So what is reported does not depend on
how many games were played at a time, and a sequential test stops at the same block whatever came back first.
"""

from collections import Counter
from dataclasses import dataclass, field

import numpy as np

from podium.arena.sprt import Decision, Sequential, Test
from podium.arena.statistics import Law, law_of, law_of_counts, rank_points
from podium.arena.store import StoredGame


@dataclass
class BotTally:
    """What a bot did in the games that count."""

    answers: dict[frozenset[int], list[StoredGame]] = field(default_factory=dict)  # games by the seats it had
    faults: Counter[str] = field(default_factory=Counter)  # why it was put out
    marks: Counter[str] = field(default_factory=Counter)  # what the arena saw of its answers
    example: dict[str, int] = field(default_factory=dict)  # a game for each kind of fault

    def add(self, game: StoredGame, seats: frozenset[int]) -> None:
        """Count a game in which it had these seats."""
        self.answers.setdefault(seats, []).append(game)
        for seat, word, _ in game.faults:
            if seat in seats:
                self.faults[word] += 1
                self.example.setdefault(word, game.id)
        for seat, word, count in game.marks:
            if seat in seats:
                self.marks[word] += count

    def clock(self) -> dict[str, float]:
        """Mean, 99th percentile and worst time of an answer in ms."""
        parts = [_times(games, seats) for seats, games in self.answers.items()]
        times = np.concatenate(parts) if parts else np.zeros(0, np.float32)
        if not len(times):
            return {"answers": 0, "mean": 0.0, "p99": 0.0, "worst": 0.0}
        return {
            "answers": len(times),
            "mean": float(times.mean(dtype=np.float64)),
            "p99": float(np.percentile(times, 99)),
            "worst": float(times.max()),
        }


def _times(games: list[StoredGame], seats: frozenset[int]) -> np.ndarray:
    """The times (ms) of all answers that these seats gave in these games."""
    asked = np.frombuffer(b"".join([game.asked for game in games]), np.uint8)
    times = np.frombuffer(b"".join([game.times for game in games]), np.float32)
    return times[np.isin(asked, list(seats))]


@dataclass
class SeatTally:
    """How the first bot fared in one seat against the seats of the other."""

    won: int = 0
    drawn: int = 0
    lost: int = 0
    points: float = 0.0

    def add(self, points: float) -> None:
        """Count a game."""
        self.won += points > 0.5
        self.drawn += points == 0.5
        self.lost += points < 0.5
        self.points += points

    @property
    def games(self) -> int:
        """How many games it had this seat."""
        return self.won + self.drawn + self.lost


class MatchTally:
    """A match of two bots, known by their ids."""

    def __init__(self, first: int, second: int, seats: int, block: int, test: Test | None = None) -> None:
        self.first, self.second, self.block = first, second, block
        self.bots = {first: BotTally(), second: BotTally()}
        self.seats = [SeatTally() for _ in range(seats)]
        self.total = SeatTally()
        self.endings: Counter[str] = Counter()
        self.signatures: Counter[str] = Counter()
        self.finished = 0  # games, whether they count yet or not
        self.counted = 0  # games that count
        self.seconds = 0.0  # of all finished games together
        self._waiting: dict[int, list[StoredGame]] = {}
        self._next = 0
        self._sequential = Sequential(test, block) if test else None
        self._counts = dict(zip((empty := law_of([], block)).scores, empty.counts, strict=True))

    def add(self, game: StoredGame) -> None:
        """Take in a finished game, in any order."""
        self.finished += 1
        self.seconds += game.seconds
        self._waiting.setdefault(game.round, []).append(game)
        while len(self._waiting.get(self._next, ())) == self.block and not self.decided:
            self._count(self._waiting.pop(self._next))
            self._next += 1

    def _count(self, games: list[StoredGame]) -> None:
        points = [self._count_game(game) for game in sorted(games, key=lambda game: game.part)]
        score = round(sum(points) / len(points), 9)
        if self._sequential:
            self._sequential.add(score)
        else:
            self._counts[score] = self._counts.get(score, 0) + 1

    def _count_game(self, game: StoredGame) -> float:
        mine = [bot == self.first for bot in game.bots]
        points = rank_points(game.ranks, mine)
        assert points is not None
        self.total.add(points)
        if sum(mine) == 1:
            self.seats[mine.index(True)].add(points)
        for seat, is_mine in enumerate(mine if sum(mine) > 1 else ()):
            if is_mine:
                alone = [not other or index == seat for index, other in enumerate(mine)]
                ranks = [rank for rank, keep in zip(game.ranks, alone, strict=True) if keep]
                owners = [is_own for is_own, keep in zip(mine, alone, strict=True) if keep]
                self.seats[seat].add(rank_points(ranks, owners) or 0.0)
        for number, tally in self.bots.items():
            tally.add(game, seats_of(game, number))
        self.endings[game.ending] += 1
        self.signatures[game.signature] += 1
        self.counted += 1
        return points

    @property
    def law(self) -> Law:
        """The law of the blocks that count."""
        return self._sequential.law if self._sequential else law_of_counts(self._counts, self.block)

    @property
    def decision(self) -> Decision | None:
        """Where the sequential test stands; None if there is none."""
        return self._sequential.decision if self._sequential else None

    @property
    def decided(self) -> bool:
        """Whether the sequential test has decided."""
        return self._sequential is not None and self._sequential.decision.verdict != 0

    @property
    def distinct(self) -> int:
        """How many different games there were among those that count."""
        return len(self.signatures)


def seats_of(game: StoredGame, bot: int) -> frozenset[int]:
    """The seats that a bot had in a game."""
    return frozenset([seat for seat, other in enumerate(game.bots) if other == bot])
