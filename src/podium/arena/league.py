"""A league of many bots: who may still play, how far the rounds are, the tables."""

import time
from array import array
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from pathlib import Path
from typing import Any, Unpack

import numpy as np

from podium.arena.archive import Archive
from podium.arena.batch import Batch
from podium.arena.conditions import Terms, conditions_of
from podium.arena.entrants import Entrant, entrants_of
from podium.arena.history import History, Moment
from podium.arena.match import REPLAYS
from podium.arena.numbers import ROUNDS, SEED, whole
from podium.arena.played import Outcome, Played
from podium.arena.ratings import ratings, results_of
from podium.arena.report import RunReport, fault_warnings, spoiled_warning, void_warning
from podium.arena.schedule import Meeting, fixtures, meetings
from podium.arena.schedule import ladder as ladder_meetings
from podium.arena.session import LEAGUE, Contest, Session
from podium.arena.statistics import SURE
from podium.arena.store import DEFAULT_STORE, Run, Store, StoredBot
from podium.arena.tally import BotTally, Times
from podium.arena.versions import distinct, recalled, refuse_taken_names, version_named
from podium.errors import PodiumError
from podium.games import load

DEFAULT_ROUNDS = 10


class Form(Enum):
    """Who meets whom."""

    ROUND_ROBIN = "round-robin"
    GAUNTLET = "gauntlet"
    LADDER = "ladder"
    STANDING = "standing"


PLAYS, PAUSED, REMOVED, RETIRED = "plays", "paused", "removed", "retired"  # what a bot does in a league


def idle_bots(run: Run) -> dict[int, str]:
    """The bots of a league that do not play because somebody said so, and what was said."""
    return {int(number): str(state) for number, state in run.wanted.get("bots", {}).items()}


class League(Contest):
    """Many bots that play each other, rated all together. Bots named later join those that take part already."""

    least_bots = 2

    def __init__(
        self,
        game: str,
        bots: Sequence[str] = (),
        *,
        rounds: int = DEFAULT_ROUNDS,
        against: str = "",
        ladder: bool = False,
        name: str = "league",
        handicaps: Mapping[str, float] | None = None,
        seed: int = 1,
        store: Path | str = DEFAULT_STORE,
        archive: bool = True,
        **terms: Unpack[Terms],
    ) -> None:
        """Find the league of that name in its store, or begin it there.

        `rounds` is how many blocks every meeting plays in all; `against` names the one bot that all others meet, and
        with `ladder` neighbours in the table meet, round by round. Programs play from copies in a folder beside the
        store, unless `archive` is False, so that those that are overwritten play on.
        """
        rules = load(game)
        if against and ladder:
            raise PodiumError("a league is a gauntlet (--against) or a ladder (--ladder), not both")
        self.form = Form.GAUNTLET if against else Form.LADDER if ladder else Form.ROUND_ROBIN
        self.rounds, seed = whole(ROUNDS, rounds), whole(SEED, seed)
        self.copies, self.archive = Archive(store), archive
        specs = list(dict.fromkeys([*bots, *([against] if against else [])]))
        named = entrants_of(rules, specs, handicaps, lambda name: version_named(rules, name, Path(store)))
        newcomers = distinct(named)
        self.session = Session(store, LEAGUE, name, conditions_of(rules, **terms), seed, [name])
        try:
            known = {who.fingerprint for who in newcomers}
            others = [bot for bot in self.session.store.bots(self.run).values() if bot.fingerprint not in known]
            refuse_taken_names(newcomers, others)
            idle = idle_bots(self.run)
            earlier = [recalled(rules, bot, self.copies) for bot in others if bot.id not in idle]
            playing = [*newcomers, *(who for who in earlier if who)]
            if len(playing) < self.least_bots:
                raise PodiumError(f"a league needs at least two bots, not {len(playing)}")
            numbers = self.session.enter(playing)
            self.against = self._number_of(named[specs.index(against)]) if against else None
            self._want({"rounds": rounds, "form": self.form.value, "bots": {str(number): None for number in numbers}})
            self.table = LeagueTally(self.session.store.bots(self.run), self.session.games(), [*numbers, *idle])
        except BaseException:
            self.session.close()
            raise
        self._before, self._started = self.table.counted, time.monotonic()

    def _number_of(self, who: Entrant) -> int:
        return next(n for n, other in self.session.entrants.items() if other.fingerprint == who.fingerprint)

    def _want(self, wishes: Mapping[str, Any]) -> None:
        """Note what the league is asked for now."""
        self.session.store.amend(self.run, wishes)
        self.session.run = self.session.store.run(self.run.id)

    def prepare(self) -> None:
        """Compile what is needed, and see that every program can play. Playing does it first, if nobody did."""
        self.session.prepare(self.copies if self.archive else None)

    def play(
        self, jobs: int = 0, cluster: str = "", progress: Callable[["League"], None] | None = None
    ) -> "LeagueReport":
        """Play what is left, `jobs` games at a time (0: one per core) or on a Dask cluster.

        `progress` is called a few times a second. What interrupts it (Ctrl-C, an error) loses no finished game.
        """
        self.prepare()
        look = (lambda: progress(self)) if progress else lambda: None
        with self.session.team(jobs, cluster) as team:
            self._before, self._started = self.table.counted, time.monotonic()
            for met, rounds in self._stages():
                schedule = fixtures(met, self.run.seed, self.session.is_done, rounds)
                self.session.play(team, schedule, self.table.add, lambda: False, look)
        return self.report()

    def _stages(self) -> Iterator[tuple[Sequence[Meeting], Iterable[int]]]:
        """What can be played without knowing more results: meetings with their rounds.

        All rounds at once, except that every round of a ladder waits for the one before; then as many blocks more as
        the machine has spoiled, and so on, at most a few times.
        """
        entrants, seats = self.session.entrants, self.session.game.seats
        if self.form is Form.LADDER:
            for number in range(self.rounds):
                yield ladder_meetings(entrants, seats, self._ranking(number), number), [number]
            return
        met = meetings(entrants, seats, entrants, self.against)
        yield met, range(self.rounds)
        played = dict.fromkeys([meeting.key for meeting in met], self.rounds)
        for _ in range(REPLAYS):
            for meeting in met:
                first, more = played[meeting.key], len(self.table.spoiled_rounds[meeting.key])
                played[meeting.key] = self.rounds + more
                yield [meeting], range(first, self.rounds + more)

    def _ranking(self, before: int) -> list[int]:
        """The entrants by their ratings in the games of earlier rounds, the best first."""
        games = self.table.played
        place = {rating.bot: index for index, rating in enumerate(ratings(games.chosen(games.round < before)))}
        return sorted(self.session.entrants, key=lambda bot: (place.get(bot, len(place)), bot))

    def games_in_all(self) -> int:
        """How many games the rounds of all meetings come to, roughly for a ladder."""
        entrants, seats = self.session.entrants, self.session.game.seats
        if self.form is Form.LADDER:
            met = ladder_meetings(entrants, seats, list(entrants), 0)
        else:
            met = meetings(entrants, seats, entrants, self.against)
        return self.rounds * sum(len(meeting.seatings) for meeting in met)

    def report(self) -> "LeagueReport":
        """The tables as they are now."""
        played = self.table.counted - self._before
        rate = played / max(time.monotonic() - self._started, 1e-9)
        left = max(0, self.games_in_all() - self.table.finished)
        report = league_report(self.run, self.table, left, left / rate if rate else None)
        return replace(report, warnings=(*self.session.caveats, *report.warnings), history=self.table.history())


class LeagueTally:
    """What the games of a league add up to. Only complete blocks could be fairer; a league shows all its games."""

    def __init__(
        self,
        bots: Mapping[int, StoredBot],
        games: Iterable[Batch] = (),
        playing: Iterable[int] | None = None,
    ) -> None:
        """Add up the games that are there; bots that do not play on are marked, if it is known who does."""
        self.bots = bots
        self.retired = set() if playing is None else set(bots) - set(playing)
        self.tallies = {number: BotTally() for number in bots}
        self.finished = 0
        self.void: list[int] = []
        self.spoiled: list[int] = []
        self.spoiled_rounds: defaultdict[str, set[int]] = defaultdict(set)  # by meeting
        self._outcomes: dict[Outcome, int] = {}  # of the games that count, with their places,
        self._outcome, self._round = array("q"), array("q")  # and of each game its outcome's place, its round
        self._ended = array("d")  # and when it ended, in seconds since 1970
        self._history = History()
        for some in games:
            self.add(some)

    def add(self, games: Batch) -> None:
        """Count games."""
        self.finished += len(games)
        void = games.of_results(lambda result: result.is_void)
        self._leave_out(games.chosen(void))
        games = games.chosen(~void)
        for result, number, example in games.counted():
            if not self.tallies.keys() >= set(result.bots):
                raise PodiumError(f"g{example} is no game of this league: the bots in its seats are {result.bots}")
            for bot in set(result.bots) if result.is_odd else ():
                self.tallies[bot].add(result, result.seats_of(bot), number, example)
        for bot, times in games.times_of_bots().items():
            self.tallies[bot].clock.add(times)
        outcomes = [Outcome(result.meeting, result.bots, result.ranks) for result in games.results]
        places = [self._outcomes.setdefault(outcome, len(self._outcomes)) for outcome in outcomes]
        self._outcome.frombytes(np.array(places, np.int64)[games.result].tobytes())
        self._round.frombytes(games.round.tobytes())
        self._ended.frombytes((games.started + games.seconds).tobytes())

    def _leave_out(self, games: Batch) -> None:
        for game, number, place in zip(games.id.tolist(), games.round.tolist(), games.result.tolist(), strict=True):
            result = games.results[place]
            if result.is_spoiled:
                self.spoiled.append(game)
                self.spoiled_rounds[result.meeting].add(number)
            else:
                self.void.append(game)

    @property
    def counted(self) -> int:
        """How many games count."""
        return len(self._outcome)

    @property
    def played(self) -> Played:
        """The games that count."""
        return Played(list(self._outcomes), np.array(self._outcome), np.array(self._round))

    def history(self) -> tuple[Moment, ...]:
        """How the ratings went."""
        names = {number: bot.label for number, bot in self.bots.items()}
        return self._history.moments(self.played, self._ended, names)

    def join(self, bots: Mapping[int, StoredBot]) -> None:
        """Know who takes part now."""
        self.bots = bots
        for number in bots:
            self.tallies.setdefault(number, BotTally())


@dataclass(frozen=True)
class Standing:
    """A bot in the table of a league."""

    bot: str
    id: int
    elo: float
    low: float  # the 95 % interval
    high: float
    games: int
    score: float
    above_next: float  # how sure it is that it is stronger than the next one
    strongest: float  # how sure it is that it is the strongest of all
    faults: dict[str, int]
    clock: Times
    state: str  # plays, paused, or retired: changed or gone since, so that it does not play on
    retired: bool
    spec: str  # what it is, as the user wrote it


@dataclass(frozen=True, kw_only=True)
class LeagueReport(RunReport):
    """The tables of a league."""

    games: int
    void: int  # that the referee could not bring to an end
    spoiled: int  # that the machine decided: void too
    remaining_games: int  # roughly, for a ladder
    remaining_seconds: float | None
    ratings: tuple[Standing, ...]  # the best first
    cross: tuple[tuple[float | None, ...], ...]  # the score of each against each, in the order of the ratings
    history: tuple[Moment, ...] = ()  # how the ratings went, where that was asked for

    def rows(self) -> list[dict[str, Any]]:
        """A row for each bot, the best first."""
        rows = []
        for standing in self.ratings:
            row = {"bot": standing.bot, "elo": standing.elo, "elo_low": standing.low, "elo_high": standing.high}
            row |= {"games": standing.games, "score": standing.score, "above_next": standing.above_next}
            rows.append(row | {"ms_mean": standing.clock.mean, "put_out": sum(standing.faults.values())})
        return rows


def league_report(run: Run, table: LeagueTally, left: int = 0, seconds: float | None = None) -> LeagueReport:
    """The tables that the games of a league add up to."""
    bots, tallies, idle, games = table.bots, table.tallies, idle_bots(run), table.played
    rated = ratings(games, [bot for bot, state in idle.items() if state == REMOVED])
    rows = tuple(
        Standing(
            bot=bots[rating.bot].label,
            id=rating.bot,
            elo=rating.elo,
            low=rating.low,
            high=rating.high,
            games=rating.games,
            score=rating.score,
            above_next=rating.above,
            strongest=rating.best,
            faults=dict(tallies[rating.bot].faults),
            clock=tallies[rating.bot].clock.times(),
            state=idle.get(rating.bot) or (RETIRED if rating.bot in table.retired else PLAYS),
            retired=rating.bot in table.retired,
            spec=bots[rating.bot].name,
        )
        for rating in rated
    )
    warnings = [
        text for rating in rated for text in fault_warnings(bots[rating.bot].label, tallies[rating.bot], rating.games)
    ]
    if table.void:
        warnings.append(void_warning(table.void))
    if table.spoiled:
        warnings.append(spoiled_warning(table.spoiled))
    return LeagueReport(
        run=f"r{run.id}",
        kind=run.kind,
        game=run.game,
        games=table.counted,
        void=len(table.void),
        spoiled=len(table.spoiled),
        remaining_games=left,
        remaining_seconds=seconds,
        ratings=rows,
        cross=_cross(games, [rating.bot for rating in rated]),
        warnings=tuple(warnings),
        sentence=_sentence(rows),
    )


def stored_league(store: Store, run: Run) -> LeagueReport:
    """The report of a league that is only looked at."""
    table = LeagueTally(store.bots(run), store.batches(run))
    return replace(league_report(run, table), history=table.history())


def _cross(games: Played, order: Sequence[int]) -> tuple[tuple[float | None, ...], ...]:
    """The score of each bot (row) against each other one (column); None where they never met."""
    others = games.games_of_bots().keys() - set(order)
    wins = results_of(games, [*order, *others]).wins[: len(order), : len(order)]
    met = wins + wins.T
    return tuple(
        tuple(float(won / games) if games else None for won, games in zip(*rows, strict=True))
        for rows in zip(wins, met, strict=True)
    )


def _sentence(rows: Sequence[Standing]) -> str:
    if len(rows) < 2:
        return "nothing is known yet"
    best, second = rows[0], rows[1]
    gap = best.elo - second.elo
    if best.strongest >= SURE:
        return f"{best.bot} is the strongest ({gap:+z.0f} Elo over {second.bot})"
    return (
        f"{best.bot} leads {second.bot} by {gap:.0f} Elo, which shows nothing yet "
        f"(the strongest with {best.strongest:.0%})"
    )
