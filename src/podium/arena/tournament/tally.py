"""What the games of a run add up to, block by block in the order of the schedule.

A game counts once all games of its block, and all blocks before it, are there. So what is reported does not depend on
how many games were played at a time, and a sequential test stops at the same block whatever came back first. Only
sums are kept: a run of a million games fits into memory as one of ten does.
"""

import math
from array import array
from collections import Counter
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import astuple, dataclass, field
from functools import cache
from typing import Any

import msgspec
import numpy as np

from podium.arena.stats.intervals import (
    ScoreDistribution,
    count_blocks,
    distribution_of_counts,
    estimate,
    no_blocks,
    rank_points,
    score_of_elo,
)
from podium.arena.stats.sprt import Decision, RunningSprt, Sprt
from podium.arena.store.game_columns import GameColumns, joined
from podium.arena.store.game_row import GameResult, Irregularity
from podium.arena.tournament.curve import Curve
from podium.errors import PodiumError
from podium.games.game import Fault


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
    LONGEST = 1e11  # three years

    def __init__(self) -> None:
        self.total = 0.0
        self.worst = 0.0
        self._first, last = _classes(np.array([self.SHORTEST, self.LONGEST], np.float32)).tolist()
        self.counts = np.zeros(last - self._first + 1, np.int64)

    def add(self, times: np.ndarray) -> None:
        """Count answers by their times in ms; unknown ones (nan) do not count."""
        times = times[~np.isnan(times)]
        if len(times):
            times = np.fmin(np.fmax(times, self.SHORTEST), self.LONGEST)
            self.total += float(times.sum(dtype=np.float64))
            self.worst = max(self.worst, float(times.max()))
            counts = np.bincount(_classes(times) - self._first)
            self.counts[: len(counts)] += counts

    def histogram(self, edges: np.ndarray) -> list[int]:
        """How many answers took between one edge and the next, in ms, good to 1 %."""
        used = np.flatnonzero(self.counts)
        middles = (((self._first + used) << 16) + (1 << 15)).astype(np.int32).view(np.float32)
        counts, _ = np.histogram(np.minimum(middles, self.worst), edges, weights=self.counts[used])
        return [int(count) for count in counts]

    def state(self) -> list[Any]:
        """All of it as plain data."""
        used = np.flatnonzero(self.counts)
        return [self.total, self.worst, used.tolist(), self.counts[used].tolist()]

    def restore(self, state: list[Any]) -> None:
        """Become what a state tells of."""
        self.total, self.worst, used, counts = state
        self.counts[used] = counts

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
    faults: Counter[str] = field(default_factory=Counter)  # the causes for which it was disqualified
    irregularities: Counter[Irregularity] = field(default_factory=Counter)  # what the arena saw of its answers
    example: dict[str, tuple[int, Fault]] = field(default_factory=dict)  # for each cause a game, and its fault

    def add(self, result: GameResult, seats: Container[int], games: int, example: int) -> None:
        """Count what the arena saw of these seats in a number of games of one result, among them the example."""
        for fault in result.faults:
            if fault.seat in seats:
                self.faults[fault.cause] += games
                self.example.setdefault(fault.cause, (example, fault))
        for seat, code, count in result.irregularities:
            if seat in seats:
                self.irregularities[code] += games * count

    def state(self) -> list[Any]:
        """All of it as plain data."""
        return [self.clock.state(), self.faults, self.irregularities, self.example]

    def restore(self, state: list[Any]) -> None:
        """Become what a state tells of."""
        clock, faults, irregularities, example = state
        self.example = msgspec.convert(example, dict[str, tuple[int, Fault]])
        self.clock.restore(clock)
        self.faults = Counter(faults)
        self.irregularities = Counter({Irregularity(code): times for code, times in irregularities.items()})


@dataclass
class SeatTally:
    """How the first bot fared in one seat against the seats of the other."""

    won: int = 0
    drawn: int = 0
    lost: int = 0
    points: float = 0.0

    def add(self, points: float, games: int) -> None:
        """Count a number of games."""
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

    def __init__(self, first: int, second: int, seats: int, block: int, test: Sprt | None = None) -> None:
        self.first, self.second, self.block = first, second, block
        self.bots = {first: BotTally(), second: BotTally()}
        self.endings: Counter[str] = Counter()
        self.finished = 0  # games, whether they count yet or not
        self.counted = 0  # games that count
        self.annulled: list[int] = []  # games that could not be played to their end; their blocks do not count
        self.machine_faults: list[int] = []  # games that the machine decided; their blocks do not count either
        self.machine_fault_blocks = 0
        self._seats = seats
        self._results: Counter[tuple[tuple[int, ...], tuple[int, ...]]] = Counter()  # who sat where, and the ranks
        self._signatures = array("q")  # hashes of them
        self._waiting: list[GameColumns] = []  # games that do not count yet,
        self._rounds: Counter[int] = Counter()  # and how many there are of each round
        self._next = 0  # the first round that is not complete
        self._sequential = RunningSprt(test, block) if test else None
        self.curve = Curve()  # games, how many blocks had which score, log-likelihood ratio
        self._scored = 0  # games of the blocks in the distribution
        self._counts = no_blocks(block)

    def add(self, games: GameColumns) -> None:
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

    def _due(self, first: int) -> Iterator[GameColumns]:
        """The games of the rounds from the first to the next one, which do not wait any more."""
        waiting, self._waiting = self._waiting, []
        for games in waiting:
            due = (first <= games.round) & (games.round < self._next)
            if due.any():
                yield games.chosen(due)
            if not due.all():
                self._waiting.append(games.chosen(~due))

    def _count(self, games: GameColumns) -> None:
        """Count whole blocks, in the order of the schedule and up to the one that decides the test."""
        self._refuse_strangers(games)
        blocks = np.lexsort((games.part, games.round)).reshape(-1, self.block)  # where their games are
        points = np.array(
            [math.nan if r.is_annulled else points_of(r.bots, r.ranks, self.first)[0] for r in games.results]
        )
        scores = points[games.result[blocks]].mean(axis=1)
        scores = scores[: self._count_blocks(scores)]
        annulled = np.isnan(scores)
        self._leave_out(games, blocks[: len(scores)][annulled].tolist())
        self._add_up(games, blocks[: len(scores)][~annulled].ravel())

    def _refuse_strangers(self, games: GameColumns) -> None:
        strange = games.of_results(lambda r: {*r.bots} != {self.first, self.second} or len(r.bots) != self._seats)
        for place in np.flatnonzero(strange).tolist():
            bots = games.results[games.result[place]].bots
            raise PodiumError(f"g{games.id[place]} is no game of this match: the bots in its seats are {bots}")

    def _count_blocks(self, scores: np.ndarray) -> int:
        """Count blocks by their scores, NaN for those with an annulled game; how many there are up to the decision."""
        done = 0
        while done < len(scores) and not self.decided:
            some = max(1, math.ceil(self.curve.distance(self._scored) / self.block))
            done += self._count_some(scores[done : done + some])
            if self.curve.distance(self._scored) <= 0 and self._scored:
                counts = self._sequential.counts if self._sequential else self._counts
                self.curve.add(
                    [
                        self._scored,
                        [list(each) for each in counts.items()],
                        self.decision.ratio if self.decision else None,
                    ]
                )
        return done

    def _count_some(self, scores: np.ndarray) -> int:
        valid = np.flatnonzero(~np.isnan(scores))
        if self._sequential:
            added = self._sequential.add(scores[valid].tolist())
            self._scored += added * self.block
            return int(valid[added - 1]) + 1 if self.decided else len(scores)
        count_blocks(self._counts, scores[valid].tolist())
        self._scored += len(valid) * self.block
        return len(scores)

    def _leave_out(self, games: GameColumns, blocks: Iterable[Sequence[int]]) -> None:
        for block in blocks:
            ended = [(int(games.id[place]), games.results[games.result[place]]) for place in block]
            machine_faults = [game for game, result in ended if result.is_machine_fault]
            self.machine_faults += machine_faults
            self.machine_fault_blocks += bool(machine_faults)
            self.annulled += [game for game, result in ended if result.is_annulled and not result.is_machine_fault]

    def _add_up(self, games: GameColumns, places: np.ndarray) -> None:
        self.counted += len(places)
        for result, number, example in games.counted(places):
            self.endings[result.cause] += number
            self._results[result.bots, result.ranks] += number
            for bot, tally in self.bots.items() if result.is_irregular else ():
                tally.add(result, result.seats_of(bot), number, example)
        chosen = np.zeros(len(games), bool)
        chosen[places] = True
        games = games.chosen(chosen)
        self._signatures.frombytes(games.signature.tobytes())
        for bot, times in games.times_of_bots().items():
            self.bots[bot].clock.add(times)

    def score_curve(self) -> list[list[Any]]:
        """How the match went: games, score, its 95 % interval, log-likelihood ratio (None without a test)."""
        points = []
        for games, counts, ratio in self.curve.points:
            found = estimate(distribution_of_counts(dict(counts), self.block))
            points.append([games, found.score, score_of_elo(found.elo_low), score_of_elo(found.elo_high), ratio])
        return points

    @property
    def bot_tallies(self) -> Mapping[int, BotTally]:
        """What each bot did, by number."""
        return self.bots

    @property
    def parameters(self) -> str:
        """All that an empty one depends on, as text."""
        test = self._sequential.test if self._sequential else None
        return f"match {self.first} {self.second} {self._seats} {self.block} {test}"

    @property
    def waiting(self) -> list[int]:
        """The games that do not count yet."""
        return [int(game) for games in self._waiting for game in games.id]

    def state(self) -> dict[str, Any]:
        """All of it as plain data, but for the games that do not count yet: they are named."""
        test = self._sequential
        return {
            "bots": [bot.state() for bot in self.bots.values()],
            "sums": [self.endings, self.finished, self.counted, self.annulled, self.machine_faults],
            "blocks": [self.machine_fault_blocks, self._scored, self._next, list(self._counts.items())],
            "results": [[*place, games] for place, games in self._results.items()],
            "signatures": self._signatures.tobytes(),
            "rounds": list(self._rounds.items()),
            "test": [list(test.counts.items()), *astuple(test.decision)] if test else None,
            "curve": self.curve.state(),
            "waiting": self.waiting,
        }

    def restore(self, state: dict[str, Any], waiting: Sequence[GameColumns]) -> None:
        """Become what a state tells of; `waiting` are the games that it names."""
        for bot, told in zip(self.bots.values(), state["bots"], strict=True):
            bot.restore(told)
        endings, self.finished, self.counted, self.annulled, self.machine_faults = state["sums"]
        self.endings = Counter(endings)
        self.machine_fault_blocks, self._scored, self._next, counts = state["blocks"]
        self._counts = dict(counts)
        self._results = Counter({(tuple(bots), tuple(ranks)): games for bots, ranks, games in state["results"]})
        self._signatures = array("q", state["signatures"])
        self._rounds = Counter(dict(state["rounds"]))
        self.curve.restore(state["curve"])
        self._waiting = list(waiting)
        if self._sequential:
            counts, *decision = state["test"]
            self._sequential.counts, self._sequential.decision = dict(counts), Decision(*decision)

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
    def distribution(self) -> ScoreDistribution:
        """The distribution of the blocks that count."""
        return self._sequential.distribution if self._sequential else distribution_of_counts(self._counts, self.block)

    @property
    def decision(self) -> Decision | None:
        """Where the sequential test stands; None if there is none."""
        return self._sequential.decision if self._sequential else None

    @property
    def decided(self) -> bool:
        """Whether the sequential test has decided."""
        return self._sequential is not None and self._sequential.decision.accepted != 0

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
