"""What the games of a run add up to, block by block in the order of the schedule.

A game counts once all games of its block, and all blocks before it, are there. So what is reported does not depend on
how many games were played at a time, and a sequential test stops at the same block whatever came back first. Only
sums are kept: a run of a million games fits into memory as one of ten does.
"""

import math
from array import array
from collections import Counter
from collections.abc import Container, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache

import numpy as np

from podium.arena.batch import Batch, joined
from podium.arena.finished import Result
from podium.arena.sprt import Decision, Sequential, Test
from podium.arena.statistics import Law, law_of, law_of_counts, rank_points
from podium.errors import PodiumError


@dataclass(frozen=True)
class Times:
    """How long answers took, in ms."""

    answers: int = 0
    mean: float = 0.0
    p99: float = 0.0
    worst: float = 0.0


class TimeTally:
    """Times of answers, counted in classes up to 0.8 % wide: those whose 32-bit floats begin with the same 16 bits."""

    SHORTEST = 1e-3  # ms; what is quicker counts as this
    LONGEST = 1e11  # three years, likewise

    def __init__(self) -> None:
        self.total = 0.0
        self.worst = 0.0
        self._first, last = _classes(np.array([self.SHORTEST, self.LONGEST], np.float32)).tolist()
        self.counts = np.zeros(last - self._first + 1, np.int64)

    def add(self, times: np.ndarray) -> None:
        """Count answers that took so many ms."""
        if len(times):
            times = np.fmin(np.fmax(times, self.SHORTEST), self.LONGEST)
            self.total += float(times.sum(dtype=np.float64))
            self.worst = max(self.worst, float(times.max()))
            counts = np.bincount(_classes(times) - self._first)
            self.counts[: len(counts)] += counts

    def times(self) -> Times:
        """All of it in four figures; the percentile is good to 1 %."""
        answers = int(self.counts.sum())
        if not answers:
            return Times()
        place = int(np.searchsorted(np.cumsum(self.counts), 0.99 * answers))
        middle = np.array([((self._first + place) << 16) + (1 << 15)], np.int32).view(np.float32)
        return Times(answers, self.total / answers, min(float(middle[0]), self.worst), self.worst)


def _classes(times: np.ndarray) -> np.ndarray:
    """A float begins with its exponent: for positive ones the first half is a logarithm in steps of 2^-7, nearly."""
    return times.view(np.int32) >> 16


@dataclass
class BotTally:
    """What a bot did in the games that count."""

    clock: TimeTally = field(default_factory=TimeTally)
    faults: Counter[str] = field(default_factory=Counter)  # why it was put out
    marks: Counter[str] = field(default_factory=Counter)  # what the arena saw of its answers
    example: dict[str, int] = field(default_factory=dict)  # a game for each kind of fault

    def add(self, result: Result, seats: Container[int], games: int, example: int) -> None:
        """Count what the arena saw of these seats in so many games of one result, among them the example."""
        for seat, word, _ in result.faults:
            if seat in seats:
                self.faults[word] += games
                self.example.setdefault(word, example)
        for seat, word, count in result.marks:
            if seat in seats:
                self.marks[word] += games * count


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
        self._seats = seats
        self._results: Counter[tuple[tuple[int, ...], tuple[int, ...]]] = Counter()  # who sat where, and the ranks
        self._signatures = array("q")  # hashes of them
        self._waiting: list[Batch] = []  # games that do not count yet,
        self._rounds: Counter[int] = Counter()  # and how many there are of each round
        self._next = 0  # the first round that is not complete
        self._sequential = Sequential(test, block) if test else None
        self._counts = dict(zip((empty := law_of([], block)).scores, empty.counts, strict=True))

    def add(self, games: Batch) -> None:
        """Take in finished games, in any order."""
        self.finished += len(games)
        if self.decided:
            return
        self._waiting.append(games)
        self._rounds.update(games.round.tolist())
        first = self._next
        while self._rounds[self._next] == self.block:
            self._rounds.pop(self._next)
            self._next += 1
        if self._next > first:
            self._count(joined(list(self._due(first))))
        if self.decided:
            self._waiting.clear()

    def _due(self, first: int) -> Iterator[Batch]:
        """The games of the rounds from the first to the next one, which do not wait any more."""
        waiting, self._waiting = self._waiting, []
        for games in waiting:
            due = (first <= games.round) & (games.round < self._next)
            if due.any():
                yield games.chosen(due)
            if not due.all():
                self._waiting.append(games.chosen(~due))

    def _count(self, games: Batch) -> None:
        """Count whole blocks, in the order of the schedule and up to the one that decides the test."""
        self._refuse_strangers(games)
        blocks = np.lexsort((games.part, games.round)).reshape(-1, self.block)  # where their games are
        worth = np.array([math.nan if r.is_void else points_of(r.bots, r.ranks, self.first)[0] for r in games.results])
        scores = worth[games.result[blocks]].mean(axis=1)
        scores = scores[: self._weigh(scores)]
        void = np.isnan(scores)
        self._leave_out(games, blocks[: len(scores)][void].tolist())
        self._add_up(games, blocks[: len(scores)][~void].ravel())

    def _refuse_strangers(self, games: Batch) -> None:
        strange = games.of_results(lambda r: {*r.bots} != {self.first, self.second} or len(r.bots) != self._seats)
        for place in np.flatnonzero(strange).tolist():
            bots = games.results[games.result[place]].bots
            raise PodiumError(f"g{games.id[place]} is no game of this match: the bots in its seats are {bots}")

    def _weigh(self, scores: np.ndarray) -> int:
        """Count blocks by their scores, NaN for those with a void game; how many there are up to the decision."""
        valid = np.flatnonzero(~np.isnan(scores))
        if self._sequential:
            added = self._sequential.add(scores[valid].tolist())
            return int(valid[added - 1]) + 1 if self.decided else len(scores)
        for score, blocks in Counter(scores[valid].tolist()).items():
            self._counts[round(score, 9)] = self._counts.get(round(score, 9), 0) + blocks
        return len(scores)

    def _leave_out(self, games: Batch, blocks: Iterable[Sequence[int]]) -> None:
        for block in blocks:
            ended = [(int(games.id[place]), games.results[games.result[place]]) for place in block]
            spoiled = [game for game, result in ended if result.is_spoiled]
            self.spoiled += spoiled
            self.spoiled_blocks += bool(spoiled)
            self.void += [game for game, result in ended if result.is_void and not result.is_spoiled]

    def _add_up(self, games: Batch, places: np.ndarray) -> None:
        self.counted += len(places)
        for result, number, example in games.counted(places):
            self.endings[result.why] += number
            self._results[result.bots, result.ranks] += number
            for bot, tally in self.bots.items() if result.is_odd else ():
                tally.add(result, result.seats_of(bot), number, example)
        chosen = np.zeros(len(games), bool)
        chosen[places] = True
        games = games.chosen(chosen)
        self._signatures.frombytes(games.signature.tobytes())
        for bot, times in games.times_of_bots().items():
            self.bots[bot].clock.add(times)

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
