"""A match: which of two bots is stronger?

    with Match("zuniq", "champion", "cmd:./mybot", games=200, nodes=500) as match:
        print(match.play().sentence)

The same call finds its games in the store again and continues: after an interruption, with more games, or with a test.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from itertools import count, islice
from pathlib import Path
from typing import Any, Unpack

from podium.arena.bounds import BOUND, GAMES, real, whole
from podium.arena.entrants.entrant import entrants_of
from podium.arena.entrants.project import GIT, resolved
from podium.arena.stats.sprt import ERROR_RATE, Sprt
from podium.arena.store.archive import Archive
from podium.arena.store.store import Run, Store
from podium.arena.store.versions import bot_or_version
from podium.arena.tournament.checkpoints import counted
from podium.arena.tournament.options import MatchOptions, choice, completed
from podium.arena.tournament.report import MatchReport, match_report
from podium.arena.tournament.run_session import MATCH, RunSession, Tournament
from podium.arena.tournament.runner import Workers
from podium.arena.tournament.schedule import SeatSharing, fixtures, head_to_head, whole_blocks
from podium.arena.tournament.tally import MatchTally
from podium.errors import PodiumError
from podium.games import load

REPLAYS = 3  # of blocks that the machine has decided, and of those in their place
DEFAULT_GAMES = 200  # without a number of games and without a test


class Match(Tournament):
    """A match of two bots in blocks of games, until a number of games is reached or a test has decided."""

    def __init__(
        self,
        game: str,
        first: str,
        second: str,
        *,
        games: int = 0,
        sprt: tuple[float, float] | None = None,
        logistic: bool = False,
        alpha: float = ERROR_RATE,
        beta: float = ERROR_RATE,
        sharing: SeatSharing | str = SeatSharing.HALF,
        kind: str = MATCH,
        **options: Unpack[MatchOptions],
    ) -> None:
        """Find the match in its store, or create it there.

        `games` is the total number of games, rounded up to whole blocks: 200 if neither it nor `sprt` is given, no
        limit with `sprt` alone. `sprt` holds the bounds of a sequential test in normalized Elo or, with `logistic`, in
        logistic Elo; `alpha` and `beta` are its error rates.
        """
        rules, wanted = load(game), completed(options)
        seats, store = choice("sharing", SeatSharing, sharing), Path(wanted["store"])
        low, high = (real(BOUND, bound) for bound in sprt or (0.0, 0.0))
        if not sprt and (logistic or (alpha, beta) != (ERROR_RATE, ERROR_RATE)):
            raise PodiumError("--logistic, --alpha and --beta belong to a sequential test: --sprt ELO0 ELO1")
        self.test = Sprt(low, high, alpha, beta, not logistic) if sprt else None
        games = whole(GAMES, games)
        named = [resolved(text, store) for text in (first, second)]
        wanted["archive"] = wanted["archive"] or any(text.startswith(GIT) for text in (first, second))
        entrants = entrants_of(rules, named, wanted["handicaps"], lambda name: bot_or_version(rules, name, store))
        if entrants[0].fingerprint == entrants[1].fingerprint:
            entrants[1] = entrants[1].copy()
        self.bots = (entrants[0], entrants[1])
        self.names = (entrants[0].label, entrants[1].label)
        key = head_to_head(dict(enumerate(entrants)), 0, 1, rules.seats, seats).key
        self.session = RunSession(kind, " vs ".join(self.names), rules, wanted, [key])
        try:
            numbers = self.session.enter(entrants)
            self.pairing = head_to_head(self.session.entrants, numbers[0], numbers[1], rules.seats, seats)
            block = len(self.pairing.seatings)
            self.target = whole_blocks(games or (0 if self.test else DEFAULT_GAMES), block)
            target = {"games": self.target, "sprt": sprt, "logistic": logistic, "alpha": alpha, "beta": beta}
            self.session.amend({**target, "block": block})
            self.tally = MatchTally(numbers[0], numbers[1], rules.seats, block, self.test)
            for stored in self.session.games():
                self.tally.add(stored)
            self.session.tally = self.tally
        except BaseException:
            self.session.close()
            raise
        self.archive = Archive(store) if wanted["archive"] else None

    @property
    def enough(self) -> bool:
        """Whether the match is over."""
        return self.tally.decided or bool(self.target and self.tally.counted >= self.target)

    def prepare(self) -> None:
        """Compile what is needed, and check that every program can play; `play` does it too."""
        if not self.enough:
            self.session.prepare(self.archive)

    def play(
        self,
        jobs: int | None = None,
        cluster: str | None = None,
        progress: Callable[["Match"], None] | None = None,
        most: int | None = None,
        team: Workers | None = None,
    ) -> MatchReport:
        """Play until the match is over, or at most `most` games; `jobs` and `cluster` default to those of the options.

        `team` are workers that exist already, which then play instead.

        `progress` is called a few times a second. An interruption (Ctrl-C, an error) loses no finished game.
        """
        if self.enough:
            return self.report()
        self.prepare()
        with self.session.team(jobs, cluster, team) as playing:
            look = (lambda: progress(self)) if progress else lambda: None
            for rounds in self._stages():
                schedule = islice(fixtures([self.pairing], self.run.seed, self.session.is_done, rounds), most)
                self.session.play(playing, schedule, self.tally.add, lambda: self.enough, look)
        return self.report()

    def _stages(self) -> Iterator[Iterable[int]]:
        """The rounds of the match; then as many as the machine has decided, and so on, at most a few times."""
        if not self.target:
            yield count()
            return
        done, more = 0, self.target // self.tally.block
        for _ in range(1 + REPLAYS):
            yield range(done, done + more)
            done += more
            more = self.target // self.tally.block + self.tally.machine_fault_blocks - done
            if more <= 0:
                return

    def report(self) -> MatchReport:
        """The report of the games so far."""
        speed = self.session.games_per_second
        report = match_report(self.run, self.tally, self.bots, self.test, self.target, speed)
        return replace(report, warnings=(*self.session.caveats, *report.warnings))


def stored_match(store: Store, run: Run) -> MatchReport:
    """The report of a stored match."""
    if not store.size(run)[0]:
        raise PodiumError(f"r{run.id} has no finished games yet")
    with store.decoding(f"r{run.id}"):
        make = stored_tally(store, run)
    tally, bots = counted(store, run, make).tally, store.bots(run)
    playing = (bots[tally.first], bots[tally.second])
    return match_report(run, tally, playing, stored_test(run.wanted), int(run.wanted.get("games") or 0))


def stored_tally(store: Store, run: Run) -> Callable[[], MatchTally]:
    """What makes an empty tally for a stored match, which has a game."""
    numbers = {bot.fingerprint: bot.id for bot in store.bots(run).values()}
    first = next(store.games(run))
    one, other = (numbers[part] for part in first.pairing.split(",")[:2])
    if one == other:
        raise ValueError("it is a match of a bot against itself")
    test, seats, block = stored_test(run.wanted), len(first.bots), max(1, int(run.wanted["block"]))
    return lambda: MatchTally(one, other, seats, block, test)


def stored_test(wanted: Mapping[str, Any]) -> Sprt | None:
    """The sequential test of a stored match, if it has one."""
    if not wanted.get("sprt"):
        return None
    low, high = wanted["sprt"]
    return Sprt(float(low), float(high), float(wanted["alpha"]), float(wanted["beta"]), not wanted["logistic"])
