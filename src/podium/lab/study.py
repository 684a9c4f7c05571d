"""What ablations and tunings have in common: many variants of one bot in one run, planned block by block.

The next blocks follow from the games of earlier ones alone, in the order of the schedule and not in that of arrival: so
a study that is killed and started again plays the very games that it would have played, on one core or on many. Blocks
are planned in batches, each from all batches before the last one, so that nobody waits for a slow game.
"""

import time
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cached_property
from itertools import islice
from typing import Any

from podium.arena.batch import Batch
from podium.arena.entrants import Entrant, entrant
from podium.arena.finished import Result
from podium.arena.schedule import Meeting, duel, fixtures
from podium.arena.session import Contest, Session
from podium.arena.tally import BotTally, points_of
from podium.arena.work import Fixture

ABLATION, TUNING = "ablation", "tuning"  # the kinds of runs


def block_of(seats: int) -> int:
    """Games of a block of a game for so many."""
    return len(duel({0: Entrant("", ""), 1: Entrant("", "")}, 0, 1, seats).seatings)


class StudySession(Session):
    """A session in which most meetings have only one block: what is done is a set of places."""

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self._places: set[tuple[str, int, int]] = set()

    def _note(self, games: Batch) -> None:
        for meeting, part, rounds in games.rounds():
            self._places.update((meeting, number, part) for number in rounds.tolist())

    def is_done(self, fixture: Fixture) -> bool:
        """Whether a game is in the store."""
        return fixture.place in self._places


class Blocks:
    """The scores of blocks as they are completed, by meeting and round."""

    def __init__(self, numbers: Mapping[str, int]) -> None:
        self.numbers = numbers  # of bots, by fingerprint
        self.scores: dict[tuple[str, int], float | None] = {}  # of the meeting's first bot; None: the block is void
        self.finished = 0
        self.faults = BotTally()  # of all bots together
        self.put_out: Counter[int] = Counter()  # games, by the bots' numbers
        self.sound: Counter[int] = Counter()  # games in which nobody was put out, likewise
        self._waiting: dict[tuple[str, int], list[Result]] = {}

    def add(self, games: Batch, size: int) -> None:
        """Count games of blocks of so many."""
        self.finished += len(games)
        self._count_faults(games)
        for place, number in zip(games.result.tolist(), games.round.tolist(), strict=True):
            result = games.results[place]
            block = self._waiting.setdefault((result.meeting, number), [])
            block.append(result)
            if len(block) == size:
                self._score(result.meeting, number)

    def _count_faults(self, games: Batch) -> None:
        self.faults.clock.add(games.times)
        for result, number, example in games.counted():
            self.faults.add(result, range(len(result.bots)), number, example)
            counter = self.put_out if result.faults else self.sound
            for bot in {result.bots[seat] for seat, _, _ in result.faults} or set(result.bots):
                counter[bot] += number

    def _score(self, meeting: str, number: int) -> None:
        block = self._waiting.pop((meeting, number))
        first = self.numbers[meeting.split(",")[0]]
        void = any(result.is_void for result in block)
        points = [0.0 if void else points_of(result.bots, result.ranks, first)[0] for result in block]
        self.scores[meeting, number] = None if void else sum(points) / len(block)

    def completed(self, places: Iterable[tuple[str, int]]) -> bool:
        """Whether all of these blocks have been played."""
        return all(place in self.scores for place in places)


class Study(Contest, ABC):
    """Variants of one bot, played block by block."""

    session: StudySession
    blocks: Blocks
    target: int  # games in all
    planned: list[list[tuple[Meeting, int]]]  # batches of blocks, each a meeting and its round
    _before = 0  # games that were there before this process played any,
    _started = 0.0  # and when it began

    @cached_property
    def block(self) -> int:
        """Games of a block."""
        return block_of(self.session.game.seats)

    @property
    def enough(self) -> bool:
        """Whether all games have been played."""
        return self.blocks.finished >= self.target

    def prepare(self) -> None:
        """Compile what is needed, and see that every program can play. Playing does it first, if nobody did."""
        if not self.enough:
            self.session.prepare()

    @abstractmethod
    def plan(self) -> list[tuple[Meeting, int]]:
        """The next batch of blocks. It follows from the batches before the last one, which have all been played."""

    def enter(self, specs: Iterable[str]) -> list[int]:
        """Let variants take part; their numbers."""
        who = [entrant(self.session.game, spec) for spec in specs]
        numbers = self.session.enter(who)
        self.blocks.numbers = {**self.blocks.numbers, **{w.fingerprint: n for w, n in zip(who, numbers, strict=True)}}
        return numbers

    def meeting(self, one: int, other: int) -> Meeting:
        """The meeting of two entrants."""
        return duel(self.session.entrants, one, other, self.session.game.seats)

    def played(self, jobs: int, cluster: str, look: Callable[[], None], most: int | None = None) -> None:
        """Play until it is enough, or at most so many games."""
        if self.enough:
            return
        self.prepare()
        with self.session.team(jobs, cluster) as team:
            self._before, self._started = self.blocks.finished, time.monotonic()
            wanted = self.target if most is None else min(self.target, self.blocks.finished + most)
            while self.blocks.finished < wanted:
                schedule = islice(self.schedule(), wanted - self.blocks.finished)
                self.session.play(team, schedule, self.add, lambda: False, look)

    def add(self, games: Batch) -> None:
        """Count finished games."""
        self.blocks.add(games, self.block)

    def schedule(self) -> Iterator[Fixture]:
        """The games that can be planned now, without those that are done, up to the target."""
        games = number = 0
        while games < self.target:
            if number == len(self.planned):
                known = [place for batch in self.planned[:-1] for place in batch]
                if not self.blocks.completed((meeting.key, round_) for meeting, round_ in known):
                    return
                self.planned.append(self.plan())
            for meeting, round_ in self.planned[number]:
                if games < self.target:
                    yield from fixtures([meeting], self.run.seed, self.session.is_done, [round_])
                games += len(meeting.seatings)
            number += 1

    @property
    def pace(self) -> float:
        """Games per second in this process; 0 before it has played any."""
        seconds = time.monotonic() - self._started
        return (self.blocks.finished - self._before) / max(seconds, 1e-9) if self._started else 0.0
