"""What ablations and tunings have in common: many variants of one bot in one run, planned block by block.

The next blocks depend only on the games of earlier blocks in the order of the schedule, not on the order of arrival. So
a run that is killed and started again plays the same games, on one core or on many. Blocks are planned in batches,
each from the results of all batches but the last one, so that no worker waits for a slow game.
"""

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cached_property
from itertools import islice
from typing import Any, Generic, Self, TypeVar

from podium.arena.entrants.entrant import Entrant, entrant
from podium.arena.store.game_columns import GameColumns
from podium.arena.store.game_row import GameResult
from podium.arena.tournament.report import RunReport
from podium.arena.tournament.run_session import RunSession, Tournament
from podium.arena.tournament.schedule import Pairing, fixtures, head_to_head
from podium.arena.tournament.tally import BotTally, points_of
from podium.arena.tournament.worker import Fixture

ABLATION, TUNING = "ablation", "tuning"  # the kinds of runs
R = TypeVar("R", bound=RunReport)  # the report of a run


def block_of(seats: int) -> int:
    """The number of games of a block, in a game for `seats` players."""
    return len(head_to_head({0: Entrant("", ""), 1: Entrant("", "")}, 0, 1, seats).seatings)


class VariantSession(RunSession):
    """A session in which most pairings have only one block: what is done is a set of places."""

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self._places: set[tuple[str, int, int]] = set()

    def _note(self, games: GameColumns) -> None:
        for pairing, part, rounds in games.rounds():
            self._places.update((pairing, number, part) for number in rounds.tolist())

    def is_done(self, fixture: Fixture) -> bool:
        """Whether a game is in the store."""
        return fixture.place in self._places


class Blocks:
    """The scores of blocks as they are completed, by pairing and round."""

    def __init__(self, numbers: Mapping[str, int]) -> None:
        self.numbers = numbers  # of bots, by fingerprint
        self.scores: dict[tuple[str, int], float | None] = {}  # of the pairing's first bot; None: annulled
        self.finished = 0
        self.faults = BotTally()  # of all bots together
        self.disqualified: Counter[int] = Counter()  # games in which a bot was disqualified, by its number
        self.valid: Counter[int] = Counter()  # games in which no bot was disqualified, by bot
        self._waiting: dict[tuple[str, int], list[GameResult]] = {}

    def add(self, games: GameColumns, size: int) -> None:
        """Count games, in blocks of `size`."""
        self.finished += len(games)
        self._count_faults(games)
        for place, number in zip(games.result.tolist(), games.round.tolist(), strict=True):
            result = games.results[place]
            block = self._waiting.setdefault((result.pairing, number), [])
            block.append(result)
            if len(block) == size:
                self._score(result.pairing, number)

    def _count_faults(self, games: GameColumns) -> None:
        self.faults.clock.add(games.times)
        for result, number, example in games.counted():
            self.faults.add(result, range(len(result.bots)), number, example)
            counter = self.disqualified if result.faults else self.valid
            for bot in {result.bots[fault.seat] for fault in result.faults} or set(result.bots):
                counter[bot] += number

    def _score(self, pairing: str, number: int) -> None:
        block = self._waiting.pop((pairing, number))
        first = self.numbers[pairing.split(",")[0]]
        annulled = any(result.is_annulled for result in block)
        points = [0.0 if annulled else points_of(result.bots, result.ranks, first)[0] for result in block]
        self.scores[pairing, number] = None if annulled else sum(points) / len(block)

    def completed(self, places: Iterable[tuple[str, int]]) -> bool:
        """Whether all of these blocks have been played."""
        return all(place in self.scores for place in places)


class VariantRun(Tournament, ABC, Generic[R]):
    """Variants of one bot, played block by block in one run."""

    session: VariantSession
    blocks: Blocks
    target: int  # games in all
    planned: list[list[tuple[Pairing, int]]]  # batches of blocks, each a pairing and its round

    @cached_property
    def block(self) -> int:
        """The number of games of a block."""
        return block_of(self.session.game.seats)

    @property
    def enough(self) -> bool:
        """Whether all games have been played."""
        return self.blocks.finished >= self.target

    def prepare(self) -> None:
        """Compile what is needed, and check that every program can play; `play` does it, if it was not done before."""
        if not self.enough:
            self.session.prepare()

    @abstractmethod
    def plan(self) -> list[tuple[Pairing, int]]:
        """The next batch of blocks, from the results of all batches but the last one, which have been played."""

    def enter(self, specs: Iterable[str]) -> list[int]:
        """Enter variants into the run; their numbers."""
        who = [entrant(self.session.game, spec) for spec in specs]
        numbers = self.session.enter(who)
        self.blocks.numbers = {**self.blocks.numbers, **{w.fingerprint: n for w, n in zip(who, numbers, strict=True)}}
        return numbers

    def pairing(self, one: int, other: int) -> Pairing:
        """The pairing of two entrants."""
        return head_to_head(self.session.entrants, one, other, self.session.game.seats)

    @abstractmethod
    def report(self) -> R:
        """The report on all games so far."""

    def validate(self, jobs: int | None, cluster: str | None, look: Callable[[], None]) -> None:
        """What is played once all games of the variants have been: nothing."""

    def play(
        self,
        jobs: int | None = None,
        cluster: str | None = None,
        progress: Callable[[Self], None] | None = None,
        most: int | None = None,
    ) -> R:
        """Play until the number of games is reached, and validate what was found; or at most `most` games more.

        `jobs` games are played at a time (0: one per core), or all on a Dask `cluster`. `progress` is called a few
        times a second. An interruption (Ctrl-C, an error) loses no finished game.
        """
        look = (lambda: progress(self)) if progress else lambda: None
        self._play_variants(jobs, cluster, look, most)
        if self.enough:
            self.validate(jobs, cluster, look)
        return self.report()

    def _play_variants(self, jobs: int | None, cluster: str | None, look: Callable[[], None], most: int | None) -> None:
        if self.enough:
            return
        self.prepare()
        with self.session.team(jobs, cluster) as team:
            wanted = self.target if most is None else min(self.target, self.blocks.finished + most)
            while self.blocks.finished < wanted:
                schedule = islice(self.schedule(), wanted - self.blocks.finished)
                self.session.play(team, schedule, self.add, lambda: False, look)

    def add(self, games: GameColumns) -> None:
        """Count finished games."""
        self.blocks.add(games, self.block)

    def schedule(self) -> Iterator[Fixture]:
        """The games that can be planned now, up to the target, without those that are in the store."""
        games = number = 0
        while games < self.target:
            if number == len(self.planned):
                known = [place for batch in self.planned[:-1] for place in batch]
                if not self.blocks.completed((pairing.key, round_) for pairing, round_ in known):
                    return
                self.planned.append(self.plan())
            for pairing, round_ in self.planned[number]:
                if games < self.target:
                    yield from fixtures([pairing], self.run.seed, self.session.is_done, [round_])
                games += len(pairing.seatings)
            number += 1
