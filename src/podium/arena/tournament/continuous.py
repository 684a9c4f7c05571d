"""A continuous league: it plays until it is stopped, and bots may be added and removed meanwhile.

In the store it is a league like any other; it differs in what it plays next: always the most informative block (see
`planning`) of all active bots. The list of active bots is in the store, where any process may add, remove or pause
bots, or pause the whole league; the process that plays reads it before it plans. So nothing is lost if it is killed:
the same command continues from the store, with incomplete blocks first.
"""

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any, Unpack

from podium.arena.entrants.entrant import entrant
from podium.arena.game.players import warm
from podium.arena.store.archive import Archive, Packer
from podium.arena.store.store import Run, Store, StoredBot
from podium.arena.store.versions import distinct, recalled, refuse_taken_names
from podium.arena.tournament.league import League
from podium.arena.tournament.league_report import PAUSED, REMOVED, LeagueFormat, LeagueReport, idle_bots
from podium.arena.tournament.options import MatchOptions
from podium.arena.tournament.planning import next_tables, posterior_of
from podium.arena.tournament.probe import probe
from podium.arena.tournament.run_session import LEAGUE
from podium.arena.tournament.schedule import Pairing, fixtures, pairing_of
from podium.arena.tournament.worker import Fixture
from podium.errors import PodiumError, unknown
from podium.games import load

ROSTER_SECONDS = 1.0  # between two looks at who takes part
PLANNED_AT_ONCE = 64  # blocks at most,
PLANNED_SHARE = 0.02  # of the games played so far: that few change little


class ContinuousLeague(League):
    """A league that plays until it is stopped."""

    least_bots = 0  # others may come

    def __init__(
        self,
        game: str,
        bots: Sequence[str] = (),
        *,
        name: str = "league",
        packer: Packer | None = None,
        **options: Unpack[MatchOptions],
    ) -> None:
        """Find the league of that name in its store, or create it there."""
        super().__init__(game, bots, rounds=1, name=name, packer=packer, **options)
        self.form = LeagueFormat.CONTINUOUS
        self.session.amend({"form": self.form.value, "rounds": None, "games": None, "paused": None})
        self._looked = 0.0

    def play(
        self,
        jobs: int | None = None,
        cluster: str | None = None,
        progress: Callable[[League], None] | None = None,
        most: int | None = None,
    ) -> LeagueReport:
        """Play until interrupted, or at most `most` games; `jobs` and `cluster` are by default those of the options.

        `progress` is called a few times a second, also while the league is paused or waits for bots.
        """
        self.prepare()

        def look() -> None:
            if progress:
                progress(self)

        with self.session.team(jobs, cluster) as team:
            left = most
            while left != 0:
                before = self.table.finished
                self.session.play(team, islice(self._schedule(), left), self.table.add, lambda: False, look)
                left = None if left is None else left - (self.table.finished - before)
                look()
                if left != 0:  # paused, or too few bots
                    time.sleep(ROSTER_SECONDS)
        return self.report()

    @property
    def waits_for(self) -> str:
        """Why no game is played now; "" if games are played."""
        if self.run.wanted.get("paused"):
            return "paused"
        return "" if len(self._playing()) > 1 else "waits for at least two bots"

    def games_in_all(self) -> int:
        """The number of games so far, since there is no limit."""
        return self.table.finished

    def _playing(self) -> list[int]:
        idle = idle_bots(self.run)
        return sorted(number for number in self.session.entrants if number not in idle)

    def _schedule(self) -> Iterator[Fixture]:
        """The games to play next, until the league is paused or has too few bots."""
        self._look_who_plays(0.0)
        planned: dict[tuple[str, int], Pairing] = {}  # blocks that are not finished, by pairing and round
        if not self.waits_for:
            for pairing, number in self._broken_blocks():
                planned[pairing.key, number] = pairing
                yield from self._block(pairing, number)
        while True:
            self._look_who_plays(ROSTER_SECONDS)
            if self.waits_for:
                return
            planned = {place: met for place, met in planned.items() if any(self._block(met, place[1]))}
            for pairing in self._plan(list(planned.values())):
                number = self._next_round(pairing, planned)
                planned[pairing.key, number] = pairing
                yield from self._block(pairing, number)

    def _block(self, pairing: Pairing, number: int) -> Iterator[Fixture]:
        """What is left of a block."""
        return fixtures([pairing], self.run.seed, self.session.is_done, [number])

    def _plan(self, under_way: Sequence[Pairing]) -> list[Pairing]:
        playing, seats = self._playing(), self.session.game.seats
        posterior = posterior_of(self.table.played, playing).restricted_to(playing)
        number = max(1, min(PLANNED_AT_ONCE, int(self.table.counted * PLANNED_SHARE / seats)))
        tables = next_tables(posterior, seats, number, [pairing.bots for pairing in under_way])
        return [pairing_of(self.session.entrants, table, seats) for table in tables]

    def _next_round(self, pairing: Pairing, planned: Mapping[tuple[str, int], Pairing]) -> int:
        number = self.session.rounds_begun(pairing.key)
        while (pairing.key, number) in planned:
            number += 1
        return number

    def _broken_blocks(self) -> list[tuple[Pairing, int]]:
        """The incomplete blocks of bots that still play."""
        seats = self.session.game.seats
        numbers = {self.session.entrants[number].fingerprint: number for number in self._playing()}
        broken = []
        for (key, number), games in self.table.played.blocks().items():
            fingerprints = key.split(",")
            if all(fingerprint in numbers for fingerprint in fingerprints):
                pairing = pairing_of(self.session.entrants, [numbers[each] for each in fingerprints], seats)
                if pairing.key == key and games < len(pairing.seatings):
                    broken.append((pairing, number))
        return broken

    def _look_who_plays(self, seconds: float) -> None:
        """Read from the store who was added, removed or paused, unless that was done less than `seconds` ago."""
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
        """Admit a bot that another process has added; one that cannot play is retired, and the league continues."""
        session = self.session
        try:
            who = recalled(session.game, bot, self.copies)
            if who is None:
                raise PodiumError(
                    f"{bot.label} cannot play: it is not what it was when it was added. If it is a built-in bot "
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


def add_bots(
    path: Path, run: Run, specs: Sequence[str], archive: bool = True, packer: Packer | None = None
) -> list[str]:
    """Add bots to a league, whether it is being played now or not; returns sentences for the user.

    A program is started once, and copied, before it enters; a bot of the game is packed, if `packer` says how.
    """
    rules = load(run.game)
    newcomers = distinct(entrant(rules, spec) for spec in specs)
    warm(rules, newcomers)
    probe(rules, newcomers, run.conditions)
    sentences = []
    with Store(path) as store:
        known = {who.fingerprint for who in newcomers}
        refuse_taken_names(newcomers, [bot for bot in store.bots(run).values() if bot.fingerprint not in known])
        copies = Archive(path, partial(packer, run.game) if packer else None)
        for who in newcomers if archive else ():
            _, caveat = copies.adopt(who, lambda copy: probe(rules, [copy], run.conditions))
            sentences += [caveat] if caveat else []
        numbers = store.enter(run, newcomers)
        store.amend(run, {"bots": {str(number): None for number in numbers}})
    return [*sentences, *(f"{who.label} takes part in {run.name}" for who in newcomers)]


def set_state(path: Path, run: Run, names: Sequence[str], state: str | None) -> list[str]:
    """Pause or remove bots of a league, or (None) resume them; returns sentences for the user."""
    with Store(path) as store:
        bots = {bot.label: bot for bot in store.bots(run).values()}
        for name in names:
            if name not in bots:
                raise unknown(f"bot in {run.name}", name, bots)
        store.amend(run, {"bots": {str(bots[name].id): state for name in names}})
    words = {PAUSED: "is paused", REMOVED: "does not take part any more; its games still count for others"}
    return [f"{name} {words.get(state or '', 'plays again')}" for name in names]


def pause_league(path: Path, run: Run, paused: bool) -> list[str]:
    """Pause or resume a league; returns sentences for the user."""
    with Store(path) as store:
        wishes: dict[str, Any] = {"paused": paused or None}
        store.amend(run, wishes)
    if paused:
        return [f"{run.name} is paused; games under way are played to their end"]
    return [f"{run.name} goes on, if a process plays it: podium league {run.game} --continuous"]
