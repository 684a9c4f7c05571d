"""A league: many bots play each other and are rated together."""

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Unpack

from podium.arena.bounds import ROUNDS, whole
from podium.arena.entrants.entrant import Entrant, entrants_of
from podium.arena.entrants.project import resolved
from podium.arena.stats.ratings import ratings
from podium.arena.store.archive import Archive, Packer
from podium.arena.store.versions import bot_or_version, distinct, recalled, refuse_taken_names
from podium.arena.tournament.league_report import LeagueFormat, LeagueReport, idle_bots, league_report
from podium.arena.tournament.league_tally import LeagueTally
from podium.arena.tournament.match import REPLAYS
from podium.arena.tournament.options import MatchOptions, completed
from podium.arena.tournament.run_session import LEAGUE, RunSession, Tournament
from podium.arena.tournament.schedule import Pairing, fixtures, pairings
from podium.arena.tournament.schedule import ladder as ladder_pairings
from podium.errors import PodiumError
from podium.games import load

DEFAULT_ROUNDS = 10


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
            self.session.drop_if_new()
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
    ) -> LeagueReport:
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

    def report(self) -> LeagueReport:
        """The report of the games so far."""
        left, speed = max(0, self.games_in_all() - self.table.finished), self.session.games_per_second
        report = league_report(self.run, self.table, left, left / speed if speed else None)
        return replace(report, warnings=(*self.session.caveats, *report.warnings), history=self.table.history())
