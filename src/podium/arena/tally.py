"""What the games of a run add up to, block by block in the order of the schedule.

A game counts once all games of its block, and all blocks before it, are there. So what is reported does not depend on
how many games were played at a time, and a sequential test stops at the same block whatever came back first. Only
sums are kept: a run of a million games fits into memory as one of ten does.
"""

import math
from array import array
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cache
from operator import attrgetter

import numpy as np

from podium.arena.finished import FinishedGame
from podium.arena.sprt import Decision, Sequential, Test
from podium.arena.statistics import Law, law_of, law_of_counts, rank_points
from podium.errors import PodiumError
from podium.games.game import Ending

BY_PART = attrgetter("part")
VOID = Ending.VOID.value
TOGETHER = 1000  # games whose times are added up at once


@dataclass(frozen=True)
class Times:
    """How long answers took, in ms."""

    answers: int = 0
    mean: float = 0.0
    p99: float = 0.0
    worst: float = 0.0


class TimeTally:
    """Times of answers, added up in classes that are 1 % wide."""

    SHORTEST = 1e-3  # ms; what is quicker counts as this
    CLASSES = 2400  # up to 200 days
    WIDTH = math.log(1.01)

    def __init__(self) -> None:
        self.total = 0.0
        self.worst = 0.0
        self.counts = np.zeros(self.CLASSES, np.int64)
        self._waiting: dict[frozenset[int], list[FinishedGame]] = {}  # by the seats that count

    def add(self, games: Sequence[FinishedGame], seats: frozenset[int]) -> None:
        """Count the answers that these seats gave in games."""
        waiting = self._waiting.setdefault(seats, [])
        waiting += games
        if len(waiting) >= TOGETHER:
            self._add_up()

    def _add_up(self) -> None:
        for seats, games in self._waiting.items():
            asked = np.frombuffer(b"".join([game.asked for game in games]), np.uint8)
            times = np.frombuffer(b"".join([game.times for game in games]), np.float32)
            counts = np.zeros(256, bool)
            counts[list(seats)] = True
            times = times[counts[asked]]
            if len(times):
                self.total += float(times.sum(dtype=np.float64))
                self.worst = max(self.worst, float(times.max()))
                classes = np.log(np.maximum(times, self.SHORTEST) / self.SHORTEST) / self.WIDTH
                self.counts += np.bincount(classes.astype(np.int64).clip(0, self.CLASSES - 1), minlength=self.CLASSES)
        self._waiting.clear()

    def times(self) -> Times:
        """All of it in four figures; the percentile is good to 1 %."""
        self._add_up()
        answers = int(self.counts.sum())
        if not answers:
            return Times()
        place = int(np.searchsorted(np.cumsum(self.counts), 0.99 * answers))
        p99 = self.SHORTEST * math.exp((place + 0.5) * self.WIDTH)
        return Times(answers, self.total / answers, min(p99, self.worst), self.worst)


@dataclass
class BotTally:
    """What a bot did in the games that count."""

    clock: TimeTally = field(default_factory=TimeTally)
    faults: Counter[str] = field(default_factory=Counter)  # why it was put out
    marks: Counter[str] = field(default_factory=Counter)  # what the arena saw of its answers
    example: dict[str, int] = field(default_factory=dict)  # a game for each kind of fault

    def add(self, games: Sequence[FinishedGame], seats: frozenset[int]) -> None:
        """Count games in which it had these seats."""
        self.clock.add(games, seats)
        for game in games:
            if game.faults or game.marks:
                self._add_oddities(game, seats)

    def _add_oddities(self, game: FinishedGame, seats: frozenset[int]) -> None:
        for seat, word, _ in game.faults:
            if seat in seats:
                self.faults[word] += 1
                self.example.setdefault(word, game.id)
        for seat, word, count in game.marks:
            if seat in seats:
                self.marks[word] += count


@dataclass
class SeatTally:
    """How the first bot fared in one seat against the seats of the other."""

    won: int = 0
    drawn: int = 0
    lost: int = 0
    points: float = 0.0

    def add(self, points: float, games: int) -> None:
        """Count so many games."""
        self.won += games * (points > 0.5)
        self.drawn += games * (points == 0.5)
        self.lost += games * (points < 0.5)
        self.points += games * points

    @property
    def games(self) -> int:
        """How many games it had this seat."""
        return self.won + self.drawn + self.lost


class MatchTally:
    """A match of two bots, known by their numbers."""

    def __init__(self, first: int, second: int, seats: int, block: int, test: Test | None = None) -> None:
        self.first, self.second, self.block = first, second, block
        self.bots = {first: BotTally(), second: BotTally()}
        self.endings: Counter[str] = Counter()
        self.finished = 0  # games, whether they count yet or not
        self.counted = 0  # games that count
        self.void: list[int] = []  # games that could not be played to their end; their blocks do not count
        self.spoiled: list[int] = []  # games that the machine decided, likewise
        self.spoiled_blocks = 0
        self.seconds = 0.0  # of all finished games together
        self._seats = seats
        self._results: Counter[tuple[tuple[int, ...], tuple[int, ...]]] = Counter()  # who sat where, and the ranks
        self._worth: dict[tuple[tuple[int, ...], tuple[int, ...]], float] = {}  # what such a game is worth
        self._signatures = array("q")  # hashes of them
        self._waiting: dict[int, list[FinishedGame]] = {}
        self._next = 0
        self._sequential = Sequential(test, block) if test else None
        self._counts = dict(zip((empty := law_of([], block)).scores, empty.counts, strict=True))

    def add(self, games: Sequence[FinishedGame]) -> None:
        """Take in finished games, in any order."""
        self.finished += len(games)
        self.seconds += sum([game.seconds for game in games])
        if self.decided:
            return
        waiting = self._waiting
        for game in games:
            if game.round in waiting:
                waiting[game.round].append(game)
            else:
                waiting[game.round] = [game]
        counted: list[FinishedGame] = []
        while not self.decided and len(waiting.get(self._next, ())) == self.block:
            block = waiting.pop(self._next)
            self._next += 1
            if VOID in [game.ending for game in block]:
                self._leave_out(block)
            else:
                self._score(block)
                counted += block
        self._count(counted)
        if self.decided:
            waiting.clear()

    def _leave_out(self, block: Sequence[FinishedGame]) -> None:
        spoiled = [game.id for game in block if game.is_spoiled]
        self.spoiled += spoiled
        self.spoiled_blocks += bool(spoiled)
        self.void += [game.id for game in block if game.ending == VOID and not game.is_spoiled]

    def _score(self, block: list[FinishedGame]) -> None:
        block.sort(key=BY_PART)
        score = round(sum([self._points(game) for game in block]) / self.block, 9)
        if self._sequential:
            self._sequential.add(score)
        else:
            self._counts[score] = self._counts.get(score, 0) + 1

    def _points(self, game: FinishedGame) -> float:
        found = self._worth.get((game.bots, game.ranks))
        if found is None:
            if set(game.bots) != {self.first, self.second} or len(game.bots) != self._seats:
                raise PodiumError(f"g{game.id} is no game of this match: the bots in its seats are {game.bots}")
            found = self._worth[game.bots, game.ranks] = points_of(game.bots, game.ranks, self.first)[0]
        return found

    def _count(self, games: Sequence[FinishedGame]) -> None:
        self.counted += len(games)
        self.endings.update([game.why for game in games])
        self._results.update([(game.bots, game.ranks) for game in games])
        self._signatures.extend([hash(game.signature) for game in games])
        for played in by_bots(games).values():
            for bot, tally in self.bots.items():
                tally.add(played, played[0].seats_of(bot))

    @property
    def total(self) -> SeatTally:
        """How the first bot fared."""
        tally = SeatTally()
        for (bots, ranks), games in self._results.items():
            tally.add(points_of(bots, ranks, self.first)[0], games)
        return tally

    @property
    def seats(self) -> list[SeatTally]:
        """How the first bot fared in each seat."""
        tallies = [SeatTally() for _ in range(self._seats)]
        for (bots, ranks), games in self._results.items():
            for seat, share in points_of(bots, ranks, self.first)[1]:
                tallies[seat].add(share, games)
        return tallies

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
        sorted_ones = np.sort(np.frombuffer(self._signatures, np.int64))  # which is far quicker than `np.unique`
        return int(np.count_nonzero(np.diff(sorted_ones))) + bool(self._signatures)


def by_bots(games: Iterable[FinishedGame]) -> dict[tuple[int, ...], list[FinishedGame]]:
    """Games by who sat where."""
    found: dict[tuple[int, ...], list[FinishedGame]] = {}
    for game in games:
        if game.bots in found:
            found[game.bots].append(game)
        else:
            found[game.bots] = [game]
    return found


@cache
def points_of(bots: tuple[int, ...], ranks: tuple[int, ...], first: int) -> tuple[float, Sequence[tuple[int, float]]]:
    """What a game is worth for one of two bots: all of its seats together, and each seat by itself."""
    mine = [bot == first for bot in bots]
    points = rank_points(ranks, mine)
    assert points is not None
    if sum(mine) == 1:
        return points, ((mine.index(True), points),)
    shares = []
    for seat in [seat for seat, is_mine in enumerate(mine) if is_mine]:
        alone = [not other or index == seat for index, other in enumerate(mine)]
        others = [rank for rank, keep in zip(ranks, alone, strict=True) if keep]
        owners = [is_own for is_own, keep in zip(mine, alone, strict=True) if keep]
        shares.append((seat, rank_points(others, owners) or 0.0))
    return points, tuple(shares)
