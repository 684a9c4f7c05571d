"""A match: which of two bots is stronger?

    with Match("zuniq", "champion", "cmd:./mybot", games=200, nodes=500) as match:
        print(match.play().sentence)

The same match finds its games in the store again and goes on: after an interruption, with more games, or with a test.
"""

import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from itertools import count, islice
from pathlib import Path
from typing import Any, Unpack

from podium.arena.archive import Archive
from podium.arena.conditions import Terms, conditions_of
from podium.arena.entrants import entrants_of
from podium.arena.numbers import BOUND, GAMES, SEED, real, whole
from podium.arena.report import MatchReport, match_report
from podium.arena.schedule import Sharing, duel, fixtures
from podium.arena.session import MATCH, Contest, Session
from podium.arena.sprt import Test
from podium.arena.store import DEFAULT_STORE, Run, Store
from podium.arena.tally import MatchTally
from podium.arena.versions import version_named
from podium.errors import PodiumError, unknown
from podium.games import load

REPLAYS = 3  # of blocks that the machine has spoiled, and of those in their place
DEFAULT_GAMES = 200  # where nothing else says when to stop


class Match(Contest):
    """Two bots that play each other in blocks of games, until there are enough or a test has decided."""

    def __init__(
        self,
        game: str,
        first: str,
        second: str,
        *,
        games: int = 0,
        sprt: tuple[float, float] | None = None,
        logistic: bool = False,
        alpha: float = 0.05,
        beta: float = 0.05,
        sharing: Sharing | str = Sharing.HALF,
        handicaps: Mapping[str, float] | None = None,
        seed: int = 1,
        store: Path | str = DEFAULT_STORE,
        kind: str = MATCH,
        archive: bool = False,
        **terms: Unpack[Terms],
    ) -> None:
        """Find the match in its store, or begin it there.

        `games` is the number of games to play in all, rounded up to whole blocks: 200 if neither it nor `sprt` is
        given, no limit with `sprt` alone. `sprt` are the bounds of a sequential test, in normalized Elo or, with
        `logistic`, in plain Elo; `alpha` and `beta` how often it may be wrong. With `archive` programs are copied to a
        folder beside the store and play from there.
        """
        rules = load(game)
        low, high = (real(BOUND, bound) for bound in sprt or (0.0, 0.0))
        self.test = Test(low, high, alpha, beta, not logistic) if sprt else None
        games, seed = whole(GAMES, games), whole(SEED, seed)
        entrants = entrants_of(rules, [first, second], handicaps, lambda name: version_named(rules, name, Path(store)))
        if entrants[0].fingerprint == entrants[1].fingerprint:
            entrants[1] = entrants[1].copy()
        self.names = (entrants[0].label, entrants[1].label)
        conditions = conditions_of(rules, **terms)
        key = duel(dict(enumerate(entrants)), 0, 1, rules.seats, _sharing(sharing)).key
        self.session = Session(store, kind, " - ".join(self.names), conditions, seed, [key])
        try:
            numbers = self.session.enter(entrants)
            self.meeting = duel(self.session.entrants, numbers[0], numbers[1], rules.seats, _sharing(sharing))
            block = len(self.meeting.seatings)
            self.target = -(-(games or (0 if self.test else DEFAULT_GAMES)) // block) * block
            wanted = {"games": self.target, "sprt": sprt, "logistic": logistic, "alpha": alpha, "beta": beta}
            self.session.store.want(self.session.run, {**wanted, "block": block})
            self.tally = MatchTally(numbers[0], numbers[1], rules.seats, block, self.test)
            for stored in self.session.games():
                self.tally.add(stored)
        except BaseException:
            self.session.close()
            raise
        self.archive = Archive(store) if archive else None
        self._before = self.tally.finished
        self._started = time.monotonic()

    @property
    def enough(self) -> bool:
        """Whether the match is over."""
        return self.tally.decided or bool(self.target and self.tally.counted >= self.target)

    def prepare(self) -> None:
        """Compile what is needed, and see that every program can play. Playing does it first, if nobody did."""
        if not self.enough:
            self.session.prepare(self.archive)

    def play(
        self,
        jobs: int = 0,
        cluster: str = "",
        progress: Callable[["Match"], None] | None = None,
        most: int | None = None,
    ) -> MatchReport:
        """Play until it is enough, or at most so many games: `jobs` at a time (0: one per core), or on a Dask cluster.

        `progress` is called a few times a second. What interrupts it (Ctrl-C, an error) loses no finished game.
        """
        if self.enough:
            return self.report()
        self.prepare()
        with self.session.team(jobs, cluster) as team:
            self._before, self._started = self.tally.finished, time.monotonic()
            look = (lambda: progress(self)) if progress else lambda: None
            for rounds in self._stages():
                schedule = islice(fixtures([self.meeting], self.run.seed, self.session.is_done, rounds), most)
                self.session.play(team, schedule, self.tally.add, lambda: self.enough, look)
        return self.report()

    def _stages(self) -> Iterator[Iterable[int]]:
        """The rounds of the match; then as many as the machine has spoiled, and so on, at most a few times."""
        if not self.target:
            yield count()
            return
        done, more = 0, self.target // self.tally.block
        for _ in range(1 + REPLAYS):
            yield range(done, done + more)
            done += more
            more = self.target // self.tally.block + self.tally.spoiled_blocks - done
            if more <= 0:
                return

    def report(self) -> MatchReport:
        """All figures as they are now."""
        played = self.tally.finished - self._before
        rate = played / max(time.monotonic() - self._started, 1e-9)
        report = match_report(self.run, self.tally, self.names, self.test, self.target, rate)
        return replace(report, warnings=(*self.session.caveats, *report.warnings))


def _sharing(sharing: Sharing | str) -> Sharing:
    if isinstance(sharing, Sharing):
        return sharing
    known = {each.value: each for each in Sharing}
    if sharing not in known:
        raise unknown("sharing", sharing, known)
    return known[sharing]


def stored_match(store: Store, run: Run) -> MatchReport:
    """The report of a match that is only looked at."""
    bots = store.bots(run)
    first = next(store.games(run), None)
    if first is None:
        raise PodiumError(f"r{run.id} has no finished games yet")
    with store.decoding(f"r{run.id}"):
        numbers = {bot.fingerprint: bot.id for bot in bots.values()}
        one, other = (numbers[part] for part in first.meeting.split(",")[:2])
        test, target = _stored_test(run.wanted), int(run.wanted.get("games") or 0)
        tally = MatchTally(one, other, len(first.bots), max(1, int(run.wanted["block"])), test)
    for games in store.batches(run):
        tally.add(games)
    return match_report(run, tally, (bots[one].label, bots[other].label), test, target)


def _stored_test(wanted: Mapping[str, Any]) -> Test | None:
    if not wanted.get("sprt"):
        return None
    low, high = wanted["sprt"]
    return Test(float(low), float(high), float(wanted["alpha"]), float(wanted["beta"]), not wanted["logistic"])
