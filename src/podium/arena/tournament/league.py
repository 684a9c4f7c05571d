"""A league: many bots play each other and are rated together."""

from array import array
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from functools import partial
from pathlib import Path
from typing import Any, Unpack

import numpy as np

from podium.arena.bounds import ROUNDS, whole
from podium.arena.entrants.entrant import Entrant, entrants_of
from podium.arena.entrants.project import resolved
from podium.arena.stats.intervals import SURE
from podium.arena.stats.rating_data import RankedResult, RatedGames
from podium.arena.stats.ratings import pair_results, ratings
from podium.arena.store.archive import Archive, Packer
from podium.arena.store.game_columns import GameColumns
from podium.arena.store.store import Run, Store, StoredBot
from podium.arena.store.versions import bot_or_version, distinct, recalled, refuse_taken_names
from podium.arena.tournament.checkpoints import counted
from podium.arena.tournament.match import REPLAYS
from podium.arena.tournament.options import MatchOptions, completed
from podium.arena.tournament.rating_history import RatingHistory, RatingSnapshot
from podium.arena.tournament.report import (
    RunReport,
    annulled_warning,
    fault_warnings,
    machine_fault_warning,
    run_fields,
)
from podium.arena.tournament.run_session import LEAGUE, RunSession, Tournament
from podium.arena.tournament.schedule import Pairing, fixtures, pairings
from podium.arena.tournament.schedule import ladder as ladder_pairings
from podium.arena.tournament.tally import BotTally, Times
from podium.errors import PodiumError
from podium.games import load

DEFAULT_ROUNDS = 10


class LeagueFormat(Enum):
    """Which pairings a league plays."""

    ROUND_ROBIN = "round-robin"
    GAUNTLET = "gauntlet"
    LADDER = "ladder"
    CONTINUOUS = "standing"  # the name that stores have


PLAYS, PAUSED, REMOVED, RETIRED = "plays", "paused", "removed", "retired"  # states of a bot in a league


def idle_bots(run: Run) -> dict[int, str]:
    """The paused and removed bots of a league, with their states."""
    return {int(number): str(state) for number, state in run.wanted.get("bots", {}).items()}


class League(Tournament):
    """Many bots that play each other and are rated together; bots named later join it."""

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
        packer: Packer | None = None,
        **options: Unpack[MatchOptions],
    ) -> None:
        """Find the league of that name in its store, or create it there.

        `rounds` is the total number of blocks of each pairing. `against` makes it a gauntlet against that bot; with
        `ladder` neighbours in the table play each other, round by round. Programs are archived unless `archive`
        is False; if it is True, bots of the game too, by `packer`.
        """
        rules, wanted = load(game), completed(options)
        store = Path(wanted["store"])
        if against and ladder:
            raise PodiumError("a league is a gauntlet (--against) or a ladder (--ladder), not both")
        self.form = LeagueFormat.GAUNTLET if against else LeagueFormat.LADDER if ladder else LeagueFormat.ROUND_ROBIN
        self.rounds = whole(ROUNDS, rounds)
        pack = partial(packer, rules.name) if packer and wanted["archive"] else None
        self.copies, self.archive = Archive(store, pack), wanted["archive"] is not False
        against = resolved(against, store)
        specs = list(dict.fromkeys([*(resolved(text, store) for text in bots), *([against] if against else [])]))
        named = entrants_of(rules, specs, wanted["handicaps"], lambda text: bot_or_version(rules, text, store))
        newcomers = distinct(named)
        self.session = RunSession(LEAGUE, name, rules, wanted, [name])
        try:
            idle = idle_bots(self.run)
            numbers = self.session.enter(self._playing_with(newcomers, idle))
            self.against = self._number_of(named[specs.index(against)]) if against else None
            self.table = LeagueTally(self.session.store.bots(self.run), self.session.games(), [*numbers, *idle])
            self.session.tally = self.table
            games = None if self.form is LeagueFormat.LADDER else self.games_in_all()
            wishes = {"rounds": rounds, "form": self.form.value, "games": games}
            self.session.amend({**wishes, "bots": {str(number): None for number in numbers}})
        except BaseException:
            self.session.close()
            raise

    def _playing_with(self, newcomers: Sequence[Entrant], idle: Collection[int]) -> list[Entrant]:
        """The newcomers, and the earlier bots of the league that can still play."""
        known = {who.fingerprint for who in newcomers}
        others = [bot for bot in self.session.store.bots(self.run).values() if bot.fingerprint not in known]
        refuse_taken_names(newcomers, others)
        earlier = [recalled(self.session.game, bot, self.copies) for bot in others if bot.id not in idle]
        playing = [*newcomers, *(who for who in earlier if who)]
        if len(playing) < self.least_bots:
            raise PodiumError(f"a league needs at least two bots, not {len(playing)}")
        return playing

    def _number_of(self, who: Entrant) -> int:
        return next(n for n, other in self.session.entrants.items() if other.fingerprint == who.fingerprint)

    def prepare(self) -> None:
        """Compile what is needed, and check that every program can play; `play` does it too."""
        self.session.prepare(self.copies if self.archive else None)

    def play(
        self,
        jobs: int | None = None,
        cluster: str | None = None,
        progress: Callable[["League"], None] | None = None,
    ) -> "LeagueReport":
        """Play the games that are left; `jobs` and `cluster` are by default those of the options.

        `progress` is called a few times a second. An interruption (Ctrl-C, an error) loses no finished game.
        """
        self.prepare()
        look = (lambda: progress(self)) if progress else lambda: None
        with self.session.team(jobs, cluster) as team:
            for met, rounds in self._stages():
                schedule = fixtures(met, self.run.seed, self.session.is_done, rounds)
                self.session.play(team, schedule, self.table.add, lambda: False, look)
        return self.report()

    def _stages(self) -> Iterator[tuple[Sequence[Pairing], Iterable[int]]]:
        """Pairings with the rounds that can be played without further results.

        All rounds at once, except that every round of a ladder waits for the one before; then as many blocks more as
        the machine has decided, and so on, at most a few times.
        """
        entrants, seats = self.session.entrants, self.session.game.seats
        if self.form is LeagueFormat.LADDER:
            for number in range(self.rounds):
                yield ladder_pairings(entrants, seats, self._ranking(number), number), [number]
            return
        met = pairings(entrants, seats, entrants, self.against)
        yield met, range(self.rounds)
        played = dict.fromkeys([pairing.key for pairing in met], self.rounds)
        for _ in range(REPLAYS):
            for pairing in met:
                first, more = played[pairing.key], len(self.table.machine_fault_rounds[pairing.key])
                played[pairing.key] = self.rounds + more
                yield [pairing], range(first, self.rounds + more)

    def _ranking(self, before: int) -> list[int]:
        """The entrants by their ratings in the games of earlier rounds, the best first."""
        games = self.table.played
        place = {rating.bot: index for index, rating in enumerate(ratings(games.chosen(games.round < before)))}
        return sorted(self.session.entrants, key=lambda bot: (place.get(bot, len(place)), bot))

    def games_in_all(self) -> int:
        """The number of games of all rounds; for a ladder an estimate."""
        entrants, seats = self.session.entrants, self.session.game.seats
        if self.form is LeagueFormat.LADDER:
            met = ladder_pairings(entrants, seats, list(entrants), 0)
        else:
            met = pairings(entrants, seats, entrants, self.against)
        return self.rounds * sum(len(pairing.seatings) for pairing in met)

    def report(self) -> "LeagueReport":
        """The report of the games so far."""
        left, speed = max(0, self.games_in_all() - self.table.finished), self.session.games_per_second
        report = league_report(self.run, self.table, left, left / speed if speed else None)
        return replace(report, warnings=(*self.session.caveats, *report.warnings), history=self.table.history())


class LeagueTally:
    """The sums over the games of a league; unlike a match it counts games of incomplete blocks too."""

    def __init__(
        self,
        bots: Mapping[int, StoredBot],
        games: Iterable[GameColumns] = (),
        playing: Iterable[int] | None = None,
    ) -> None:
        """Count games; with `playing` all other bots are marked as retired."""
        self.bots = bots
        self.retired = set() if playing is None else set(bots) - set(playing)
        self.tallies = {number: BotTally() for number in bots}
        self.finished = 0
        self.annulled: list[int] = []
        self.machine_faults: list[int] = []
        self.machine_fault_rounds: defaultdict[str, set[int]] = defaultdict(set)  # by pairing
        self._outcomes: dict[RankedResult, int] = {}  # of the games that count, with their places,
        self._outcome, self._round = array("q"), array("q")  # and of each game its outcome's place, its round
        self._ended = array("d")  # and when it ended, in seconds since 1970
        self._history = RatingHistory()
        for some in games:
            self.add(some)

    def add(self, games: GameColumns) -> None:
        """Count the games of some columns."""
        self.finished += len(games)
        annulled = games.of_results(lambda result: result.is_annulled)
        self._leave_out(games.chosen(annulled))
        games = games.chosen(~annulled)
        for result, number, example in games.counted():
            if not self.tallies.keys() >= set(result.bots):
                raise PodiumError(f"g{example} is no game of this league: the bots in its seats are {result.bots}")
            for bot in set(result.bots) if result.is_irregular else ():
                self.tallies[bot].add(result, result.seats_of(bot), number, example)
        for bot, times in games.times_of_bots().items():
            self.tallies[bot].clock.add(times)
        outcomes = [RankedResult(result.pairing, result.bots, result.ranks) for result in games.results]
        places = [self._outcomes.setdefault(outcome, len(self._outcomes)) for outcome in outcomes]
        self._outcome.frombytes(np.array(places, np.int64)[games.result].tobytes())
        self._round.frombytes(games.round.tobytes())
        self._ended.frombytes((games.started + games.seconds).tobytes())

    def _leave_out(self, games: GameColumns) -> None:
        for game, number, place in zip(games.id.tolist(), games.round.tolist(), games.result.tolist(), strict=True):
            result = games.results[place]
            if result.is_machine_fault:
                self.machine_faults.append(game)
                self.machine_fault_rounds[result.pairing].add(number)
            else:
                self.annulled.append(game)

    @property
    def counted(self) -> int:
        """How many games count."""
        return len(self._outcome)

    @property
    def played(self) -> RatedGames:
        """The games that count."""
        return RatedGames(list(self._outcomes), np.array(self._outcome), np.array(self._round))

    def history(self) -> tuple[RatingSnapshot, ...]:
        """The ratings over time."""
        names = {number: bot.label for number, bot in self.bots.items()}
        return self._history.snapshots(self.played, self._ended, names)

    @property
    def bot_tallies(self) -> Mapping[int, BotTally]:
        """What each bot did, by number."""
        return self.tallies

    @property
    def parameters(self) -> str:
        """All that an empty one depends on, as text."""
        return "league"

    def state(self) -> dict[str, Any]:
        """All of it as plain data, with the ratings over time."""
        self._history.fit(self.played)
        return {
            "tallies": [[bot, tally.state()] for bot, tally in self.tallies.items()],
            "left out": [self.finished, self.annulled, self.machine_faults],
            "rounds": [[pairing, sorted(rounds)] for pairing, rounds in self.machine_fault_rounds.items()],
            "outcomes": list(self._outcomes),
            "games": [self._outcome.tobytes(), self._round.tobytes(), self._ended.tobytes()],
            "history": self._history.state(),
        }

    def restore(self, state: Mapping[str, Any], waiting: Sequence[GameColumns] = ()) -> None:
        """Become what a state tells of; no games wait."""
        for bot, told in state["tallies"]:
            self.tallies.setdefault(bot, BotTally()).restore(told)
        self.finished, self.annulled, self.machine_faults = state["left out"]
        self.machine_fault_rounds.update((pairing, set(rounds)) for pairing, rounds in state["rounds"])
        outcomes = [RankedResult(pairing, tuple(bots), tuple(ranks)) for pairing, bots, ranks in state["outcomes"]]
        self._outcomes = {outcome: place for place, outcome in enumerate(outcomes)}
        outcome, round_, ended = state["games"]
        self._outcome, self._round, self._ended = array("q", outcome), array("q", round_), array("d", ended)
        self._history.restore(state["history"])

    def join(self, bots: Mapping[int, StoredBot]) -> None:
        """Update the bots of the league."""
        self.bots = bots
        for number in bots:
            self.tallies.setdefault(number, BotTally())


@dataclass(frozen=True)
class Standing:
    """A row of the table of a league."""

    bot: str
    id: int
    elo: float
    low: float  # the 95 % interval
    high: float
    games: int
    score: float
    above_next: float  # probability that it is stronger than the next one
    strongest: float  # probability that it is the strongest of all
    faults: dict[str, int]
    clock: Times
    state: str  # plays, paused, or retired: changed or gone since, so that it does not play on
    retired: bool  # changed or gone; unlike `state` also while it is paused
    spec: str  # what it is, as the user wrote it


@dataclass(frozen=True, kw_only=True, repr=False)
class LeagueReport(RunReport):
    """The report of a league: ratings, cross table, ratings over time."""

    games: int
    annulled: int  # because the referee or its program failed
    machine_faults: int  # annulled because the machine decided them
    remaining_games: int  # roughly, for a ladder
    remaining_seconds: float | None
    ratings: tuple[Standing, ...]  # the best first
    cross: tuple[tuple[float | None, ...], ...]  # the score of each against each, in the order of the ratings
    history: tuple[RatingSnapshot, ...] = ()  # how the ratings went, where that was asked for

    def summary(self) -> dict[str, Any]:
        """What lists of runs show of it."""
        best = self.ratings[0] if self.ratings else None
        words = "is the strongest" if best and best.strongest >= SURE and not self.remaining_games else "leads"
        return {"sentence": f"{best.bot} {words}" if best else self.sentence}

    def rows(self) -> list[dict[str, Any]]:
        """A row for each bot, the best first."""
        rows = []
        for standing in self.ratings:
            row = {"bot": standing.bot, "elo": standing.elo, "elo_low": standing.low, "elo_high": standing.high}
            row |= {"games": standing.games, "score": standing.score, "above_next": standing.above_next}
            rows.append(row | {"ms_mean": standing.clock.mean, "disqualified": sum(standing.faults.values())})
        return rows


def league_report(run: Run, table: LeagueTally, left: int = 0, seconds: float | None = None) -> LeagueReport:
    """The report of a league from the sums over its games."""
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
    if table.annulled:
        warnings.append(annulled_warning(table.annulled))
    if table.machine_faults:
        warnings.append(machine_fault_warning(table.machine_faults))
    return LeagueReport(
        **run_fields(run),
        games=table.counted,
        annulled=len(table.annulled),
        machine_faults=len(table.machine_faults),
        remaining_games=left,
        remaining_seconds=seconds,
        ratings=rows,
        cross=_cross(games, [rating.bot for rating in rated]),
        warnings=tuple(warnings),
        sentence=_sentence(rows, _goes_on(run, table)),
    )


def _goes_on(run: Run, table: LeagueTally) -> bool:
    """Whether games are left to play; a ladder does not know their number."""
    return run.wanted.get("form") == LeagueFormat.CONTINUOUS.value or _left(run, table) > 0


def _left(run: Run, table: LeagueTally) -> int:
    return max(0, int(run.wanted.get("games") or 0) - table.finished)


def stored_league(store: Store, run: Run) -> LeagueReport:
    """The report of a stored league."""
    bots = store.bots(run)
    table = counted(store, run, lambda: LeagueTally(bots)).tally
    return replace(league_report(run, table, _left(run, table)), history=table.history())


def _cross(games: RatedGames, order: Sequence[int]) -> tuple[tuple[float | None, ...], ...]:
    """The score of each bot (row) against each other one (column); None where they never met."""
    others = games.games_of_bots().keys() - set(order)
    wins = pair_results(games, [*order, *others]).wins[: len(order), : len(order)]
    met = wins + wins.T
    return tuple(
        tuple(float(won / games) if games else None for won, games in zip(*rows, strict=True))
        for rows in zip(wins, met, strict=True)
    )


def _sentence(rows: Sequence[Standing], goes_on: bool) -> str:
    """Who is the strongest; a league that goes on has a leader only."""
    if len(rows) < 2:
        return "no games yet"
    best, second = rows[0], rows[1]
    gap = best.elo - second.elo
    if goes_on:
        return f"so far {best.bot} leads {second.bot} by {gap:.0f} Elo (the strongest with {best.strongest:.0%})"
    if best.strongest >= SURE:
        return f"{best.bot} is the strongest, {gap:.0f} Elo above {second.bot}"
    return (
        f"no bot is shown to be the strongest: {best.bot} is {gap:.0f} Elo above {second.bot} (the strongest with "
        f"{best.strongest:.0%})"
    )
