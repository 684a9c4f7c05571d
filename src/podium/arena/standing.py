"""A standing league: one that goes on until it is stopped, and takes in new versions while it runs.

It is a league like any other in the store; what is different is only what it plays next: always the block that tells
most (see `planning`), of all bots that play now. Who that is stands in the store too, and any process may change it
there: add a bot, remove one, pause one or the whole league. The process that plays looks it up before it plans. So
nothing is lost when it is killed: the same command reads the same store and goes on, with what was left of broken
blocks first.
"""

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import Any, Unpack

from podium.arena.archive import Archive
from podium.arena.conditions import Terms
from podium.arena.entrants import entrant
from podium.arena.league import PAUSED, REMOVED, Form, League, LeagueReport, idle_bots
from podium.arena.planning import among, believed, next_tables
from podium.arena.runner import probe, warm
from podium.arena.schedule import Meeting, fixtures, meeting_of
from podium.arena.session import LEAGUE
from podium.arena.store import DEFAULT_STORE, Run, Store, StoredBot
from podium.arena.versions import distinct, recalled, refuse_taken_names
from podium.arena.work import Fixture
from podium.errors import PodiumError, unknown
from podium.games import load

LOOK_SECONDS = 1.0  # between two looks at who takes part
PLANNED_AT_ONCE = 64  # blocks at most,
PLANNED_SHARE = 0.02  # and of the games played so far: so many change little


class StandingLeague(League):
    """A league that goes on until it is stopped."""

    least_bots = 0  # others may come

    def __init__(
        self,
        game: str,
        bots: Sequence[str] = (),
        *,
        name: str = "league",
        handicaps: Mapping[str, float] | None = None,
        seed: int = 1,
        store: Path | str = DEFAULT_STORE,
        archive: bool = True,
        **terms: Unpack[Terms],
    ) -> None:
        """Find the league of that name in its store, or begin it there."""
        super().__init__(
            game, bots, rounds=1, name=name, handicaps=handicaps, seed=seed, store=store, archive=archive, **terms
        )
        self.form = Form.STANDING
        self._want({"form": self.form.value, "rounds": None, "paused": None})
        self._looked = 0.0

    def play(
        self,
        jobs: int = 0,
        cluster: str = "",
        progress: Callable[[League], None] | None = None,
        most: int | None = None,
    ) -> LeagueReport:
        """Play until interrupted, or at most so many games: `jobs` at a time (0: one per core), or on a Dask cluster.

        `progress` is called a few times a second, also while the league is paused or waits for bots.
        """
        self.prepare()
        look = (lambda: progress(self)) if progress else lambda: None
        with self.session.team(jobs, cluster) as team:
            self._before, self._started = self.table.counted, time.monotonic()
            left = most
            while left != 0:
                before = self.table.finished
                self.session.play(team, islice(self._schedule(), left), self.table.add, lambda: False, look)
                left = None if left is None else left - (self.table.finished - before)
                look()
                if left != 0:  # paused, or too few bots
                    time.sleep(LOOK_SECONDS)
        return self.report()

    @property
    def waits_for(self) -> str:
        """Why nothing is played now; "" if something is."""
        if self.run.wanted.get("paused"):
            return "paused"
        return "" if len(self._playing()) > 1 else "waits for at least two bots"

    def games_in_all(self) -> int:
        """As many as were played: nobody knows how many will be."""
        return self.table.finished

    def _playing(self) -> list[int]:
        idle = idle_bots(self.run)
        return sorted(number for number in self.session.entrants if number not in idle)

    def _schedule(self) -> Iterator[Fixture]:
        """The games to play next, until the league is paused or has too few bots."""
        self._look_who_plays(0.0)
        planned: dict[tuple[str, int], Meeting] = {}  # blocks that are not finished, by meeting and round
        if not self.waits_for:
            for meeting, number in self._broken_blocks():
                planned[meeting.key, number] = meeting
                yield from self._block(meeting, number)
        while True:
            self._look_who_plays(LOOK_SECONDS)
            if self.waits_for:
                return
            planned = {place: met for place, met in planned.items() if any(self._block(met, place[1]))}
            for meeting in self._plan(list(planned.values())):
                number = self._next_round(meeting, planned)
                planned[meeting.key, number] = meeting
                yield from self._block(meeting, number)

    def _block(self, meeting: Meeting, number: int) -> Iterator[Fixture]:
        """What is left of a block."""
        return fixtures([meeting], self.run.seed, self.session.is_done, [number])

    def _plan(self, under_way: Sequence[Meeting]) -> list[Meeting]:
        playing, seats = self._playing(), self.session.game.seats
        belief = among(believed(self.table.played, playing), playing)
        number = max(1, min(PLANNED_AT_ONCE, int(self.table.counted * PLANNED_SHARE / seats)))
        tables = next_tables(belief, seats, number, [meeting.bots for meeting in under_way])
        return [meeting_of(self.session.entrants, table, seats) for table in tables]

    def _next_round(self, meeting: Meeting, planned: Mapping[tuple[str, int], Meeting]) -> int:
        number = self.session.rounds_begun(meeting.key)
        while (meeting.key, number) in planned:
            number += 1
        return number

    def _broken_blocks(self) -> list[tuple[Meeting, int]]:
        """The blocks that were begun and not ended, of bots that still play."""
        seats = self.session.game.seats
        numbers = {self.session.entrants[number].fingerprint: number for number in self._playing()}
        broken = []
        for (key, number), games in self.table.played.blocks().items():
            fingerprints = key.split(",")
            if all(fingerprint in numbers for fingerprint in fingerprints):
                meeting = meeting_of(self.session.entrants, [numbers[each] for each in fingerprints], seats)
                if meeting.key == key and games < len(meeting.seatings):
                    broken.append((meeting, number))
        return broken

    def _look_who_plays(self, seconds: float) -> None:
        """See who was added, removed or paused since the last look, unless that was just now."""
        if time.monotonic() - self._looked < seconds:
            return
        self._looked = time.monotonic()
        store = self.session.store
        self.session.run = store.run(self.run.id)
        bots = store.bots(self.run)
        idle = idle_bots(self.run)
        for number, bot in bots.items():
            if number not in self.session.entrants and number not in idle and number not in self.table.retired:
                self._take_in(number, bot)
        self.table.join(bots)

    def _take_in(self, number: int, bot: StoredBot) -> None:
        """Let a bot play that another process has added; one that cannot is retired, and the league goes on."""
        session = self.session
        try:
            who = recalled(session.game, bot, self.copies)
            if who is None:
                raise PodiumError(
                    f"{bot.label} cannot play: it is not what it was when it was added. If it is a bot of this package "
                    "whose sources have changed, stop the league and start it again"
                )
            warm(session.game, [who])
            probe(session.game, [who], session.conditions)
        except PodiumError as error:
            session.caveats.append(str(error))
            self.table.retired.add(number)
            return
        session.entrants[number] = who
        if self.archive:
            session.adopt(number, self.copies)


def find_league(store: Store, name: str, game: str = "") -> Run:
    """The newest league of a name, of any game unless one is given."""
    leagues = [run for run, _, _ in store.runs() if run.kind == LEAGUE]
    found = [run for run in leagues if run.name == name and game in ("", run.game)]
    if not found:
        raise unknown("league", name, {run.name for run in leagues})
    if len(games := {run.game for run in found}) > 1:
        raise PodiumError(f"there are leagues {name!r} of {' and '.join(sorted(games))}: say which with --game")
    return found[-1]


def add_bots(path: Path, run: Run, specs: Sequence[str], archive: bool = True) -> list[str]:
    """Let bots take part in a league, whether it is being played now or not; the sentences to tell.

    A program is tried, and copied, before it enters.
    """
    rules = load(run.game)
    newcomers = distinct(entrant(rules, spec) for spec in specs)
    warm(rules, newcomers)
    probe(rules, newcomers, run.conditions)
    sentences = []
    with Store(path) as store:
        known = {who.fingerprint for who in newcomers}
        refuse_taken_names(newcomers, [bot for bot in store.bots(run).values() if bot.fingerprint not in known])
        for who in newcomers if archive else ():
            _, caveat = Archive(path).adopt(who, lambda copy: probe(rules, [copy], run.conditions))
            sentences += [caveat] if caveat else []
        numbers = store.enter(run, newcomers)
        store.amend(run, {"bots": {str(number): None for number in numbers}})
    return [*sentences, *(f"{who.label} takes part in {run.name}" for who in newcomers)]


def set_state(path: Path, run: Run, names: Sequence[str], state: str | None) -> list[str]:
    """Pause bots of a league, remove them, or (None) let them play again; the sentences to tell."""
    with Store(path) as store:
        bots = {bot.label: bot for bot in store.bots(run).values()}
        for name in names:
            if name not in bots:
                raise unknown(f"bot in {run.name}", name, bots)
        store.amend(run, {"bots": {str(bots[name].id): state for name in names}})
    words = {PAUSED: "is paused", REMOVED: "does not take part any more; its games still count for others"}
    return [f"{name} {words.get(state or '', 'plays again')}" for name in names]


def pause_league(path: Path, run: Run, paused: bool) -> list[str]:
    """Let a league rest, or go on."""
    with Store(path) as store:
        wishes: dict[str, Any] = {"paused": paused or None}
        store.amend(run, wishes)
    if paused:
        return [f"{run.name} is paused; games under way are played to their end"]
    return [f"{run.name} goes on, if a process plays it: podium league {run.game} --standing"]
