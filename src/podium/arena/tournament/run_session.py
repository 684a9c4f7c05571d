"""A run in progress: its games in the store, and playing the rest. All kinds of runs share it."""

import json
import time
from abc import abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext, suppress
from dataclasses import replace
from hashlib import blake2b
from pathlib import Path
from typing import Any, Self

import numpy as np

from podium.arena.bounds import JOBS, whole
from podium.arena.entrants.entrant import Entrant
from podium.arena.entrants.fingerprint import rules_fingerprint
from podium.arena.game.players import warm
from podium.arena.game.start_positions import refuse_programs
from podium.arena.processes.system import deferred_signals, system_warnings
from podium.arena.store.archive import Archive
from podium.arena.store.game_columns import GameColumns, columns_of
from podium.arena.store.game_row import GameRow
from podium.arena.store.run_remarks import summarize
from podium.arena.store.store import Run, Store
from podium.arena.tournament import checkpoints
from podium.arena.tournament.options import MatchOptions, conditions_of
from podium.arena.tournament.probe import probe, refuse_bots_without_observe
from podium.arena.tournament.report import RunReport
from podium.arena.tournament.runner import Workers, jobs_of, play_all, workers
from podium.arena.tournament.worker import Fixture
from podium.errors import AnnulledRunError, PodiumError
from podium.games.game import Ending, Game

MATCH, LEAGUE, CALIBRATION = "match", "league", "calibration"
MOST_ANNULLED = 20  # games in a row, after which it is no accident


class RunSession:
    """A run, found by its identity: the same request finds the same run in the store and continues it.

    The identity is made of its kind, the rules with their sources, the conditions, the seed, and `identity`.
    """

    def __init__(self, kind: str, name: str, game: Game, options: MatchOptions, identity: Sequence[str]) -> None:
        """Open the store and find the run in it, or create it; `options` are complete."""
        self.game, self.options = game, options
        self.conditions = conditions = conditions_of(game, **options)
        self.store = Store(Path(options["store"]))
        self.entrants: dict[int, Entrant] = {}  # by the bots' numbers
        self.caveats: list[str] = []  # what the game's contract cannot promise, in sentences
        self._done: dict[tuple[str, int], bytearray] = {}  # a flag for each round, by pairing and part
        self._prepared: set[int] = set()  # the bots that were tried
        self.notice = ""  # status of the workers for the progress line
        self.tally: checkpoints.Tally | None = None  # of which checkpoints are kept while games are played
        self._kept = 0  # games of the last checkpoint
        self._annulled = 0  # games in a row that the referee could not judge
        self._played, self._started = 0, 0.0  # games of this process, and when it began to play
        # an external referee is identified by its fingerprint alone, not by its path or name
        lasting = replace(conditions, game="") if self.game.external.fingerprint else conditions
        seed = options["seed"]
        text = json.dumps([kind, rules_fingerprint(self.game), lasting.text(), seed, *identity])
        try:
            self.run: Run = self.store.open_run(kind, blake2b(text.encode()).hexdigest(), name, seed, conditions)
        except BaseException:
            self.store.close()
            raise
        self._is_new = not self.run.wanted
        self.keeps_refused = False  # whether a new run stays in the store if its bots cannot play

    @property
    def has_played(self) -> bool:
        """Whether this process has played a game of the run."""
        return self._played > 0

    def close(self) -> None:
        """Close the store."""
        if self.tally and self._played and self.tally.finished - self._kept >= checkpoints.STEP:
            with suppress(PodiumError):  # a full disk
                self._keep_checkpoint(self.tally)
        self.store.close()

    def drop_if_new(self) -> None:
        """Delete the run if it was created here and has no games: one that is refused leaves nothing."""
        if self._is_new and not self.store.is_played(self.run):
            self.store.drop_unplayed(self.run)

    def enter(self, entrants: Sequence[Entrant]) -> list[int]:
        """Enter bots into the run; returns their numbers."""
        numbers = self.store.enter(self.run, entrants)
        self.entrants |= zip(numbers, entrants, strict=True)
        return numbers

    def amend(self, changes: Mapping[str, Any]) -> None:
        """Store what the run is asked for now; None takes something away."""
        self.store.amend(self.run, changes)
        self.run = self.store.run(self.run.id)

    def games(self) -> Iterator[GameColumns]:
        """The stored games in chunks; they are noted as done when they are read."""
        for games in self.store.columns(self.run):
            self._note(games)
            yield games

    def _note(self, games: GameColumns) -> None:
        for pairing, part, rounds in games.rounds():
            flags = self._done.setdefault((pairing, part), bytearray())
            flags.extend(bytes(max(0, int(rounds.max()) + 1 - len(flags))))
            np.frombuffer(flags, np.uint8)[rounds] = 1

    def is_done(self, fixture: Fixture) -> bool:
        """Whether a game is in the store."""
        flags = self._done.get((fixture.pairing, fixture.part), b"")
        return fixture.round < len(flags) and bool(flags[fixture.round])

    def rounds_begun(self, pairing: str) -> int:
        """How many rounds of a pairing have a game in the store, counted from the first."""
        return max((len(flags) for (key, _), flags in self._done.items() if key == pairing), default=0)

    def prepare(self, archive: Archive | None = None) -> None:
        """Compile what is needed, and check that every program can play; doing it again for the same bots does nothing.

        With an archive, programs play from their copies there. A new run whose bots cannot play is deleted.
        """
        if self._prepared == {*self.entrants}:
            return
        try:
            self._try_bots()
        except PodiumError:
            if not self._prepared and not self.keeps_refused:
                self.drop_if_new()
            raise
        self.caveats = system_warnings() if any(who.is_program for who in self.entrants.values()) else []
        self.caveats += self._few_nodes()
        if self.game.external.caveats:
            self.caveats += self.game.external.caveats([who.argv for who in self.entrants.values()])
        if archive:
            for number in list(self.entrants):
                self.adopt(number, archive)
        self._prepared = {*self.entrants}

    def _try_bots(self) -> None:
        if self.conditions.positions:
            refuse_programs(self.entrants.values())
        warm(self.game, list(self.entrants.values()))
        probe(self.game, list(self.entrants.values()), self.conditions)
        if self.conditions.positions:
            refuse_bots_without_observe(self.game, self.entrants.values(), self.conditions)

    def _few_nodes(self) -> list[str]:
        """A warning for each bot that gets fewer nodes than are sensible for it."""
        found = []
        for who in self.entrants.values():
            kind = self.game.kind(who.kind) if who.kind else None
            nodes = int(self.conditions.time_control.nodes * who.handicap)
            if kind and 0 < nodes < kind.least_nodes:
                found.append(
                    f"{who.label} gets {nodes:,} nodes per move; at least {kind.least_nodes:,} are sensible "
                    f"({kind.least_nodes_measured})"
                )
        return found

    def adopt(self, number: int, archive: Archive) -> None:
        """Let a program play from its copy, or note why it cannot."""
        who, caveat = archive.adopt(self.entrants[number], lambda copy: probe(self.game, [copy], self.conditions))
        self.entrants[number] = who
        self.caveats += [caveat] if caveat else []

    def team(
        self, jobs: int | None, cluster: str | None, team: Workers | None = None
    ) -> AbstractContextManager[Workers]:
        """The workers that will play: `team`, or those of the options; no other process plays this run meanwhile."""
        self.store.claim(self.run)
        self._played, self._started = 0, time.monotonic()
        if team:
            return nullcontext(team)
        jobs = self.options["jobs"] if jobs is None else whole(JOBS, jobs)
        return workers(jobs_of(jobs), self.options["cluster"] if cluster is None else cluster)

    def _stop_if_annulled(self, games: Sequence[GameRow]) -> None:
        for game in games:
            self._annulled = self._annulled + 1 if game.ending is Ending.ANNULLED else 0
            if self._annulled >= MOST_ANNULLED:
                raise AnnulledRunError(
                    f"the last {self._annulled} games are annulled, so nothing can be found out: {game.detail}"
                )

    def refuse_nothing_but_annulled(self, counted: int) -> None:
        """An AnnulledRunError with the reason if no game counts, and the last one is annulled."""
        last = next(iter(self.store.last_games(self.run, 1)), None)
        if not counted and last is not None and last.ending is Ending.ANNULLED:
            raise AnnulledRunError(f"no game of r{self.run.id} counts; g{last.id} is {last.sentence}")

    def play(
        self,
        team: Workers,
        fixtures: Iterator[Fixture],
        counted: Callable[[GameColumns], None],
        enough: Callable[[], bool],
        look: Callable[[], None],
    ) -> None:
        """Play games; store each as it ends, then count it."""

        def finished(games: list[GameRow]) -> None:
            with deferred_signals():  # what is stored is also counted: the last report tells of every stored game
                stored = self.store.add(self.run, games)
                columns = columns_of(stored)
                self._note(columns)
                self._played += len(stored)
                counted(columns)
                if self.tally and checkpoints.is_due(self._kept, self.tally.finished):
                    self._keep_checkpoint(self.tally)
                self._stop_if_annulled(stored)

        def check_and_look() -> None:
            self.notice = team.check()
            look()

        conditions = replace(self.conditions, positions=None)  # each game takes its own with it
        play_all(team, conditions, self.entrants, map(self._placed, fixtures), finished, enough, check_and_look)

    @property
    def games_per_second(self) -> float:
        """The speed since this process began to play; 0 before the first game has ended."""
        return self._played / max(time.monotonic() - self._started, 1e-9)

    def _keep_checkpoint(self, tally: checkpoints.Tally) -> None:
        checkpoints.keep(self.store, self.run, tally, self.store.size(self.run)[1])
        self._kept = tally.finished

    def _placed(self, fixture: Fixture) -> Fixture:
        """A game with its start position or exact seed, which is the same for all games of a block."""
        positions, seeds = self.conditions.positions, self.conditions.seeds
        if positions:
            fixture = replace(fixture, position=positions.places[fixture.round % len(positions.places)])
        return replace(fixture, exact_seed=seeds[fixture.round % len(seeds)]) if seeds else fixture


class Tournament:
    """The base of matches, leagues and studies: a run that is played in a session and closed in the end."""

    session: RunSession

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Keep a summary for lists of runs, if there are new games, and close the store."""
        try:
            if self.session.has_played:
                with suppress(PodiumError):  # a list can make its own
                    summarize(self.session.store, self.run, self.report().summary())
        finally:
            self.session.close()

    @abstractmethod
    def report(self) -> RunReport:
        """The report of the games so far."""

    @property
    def run(self) -> Run:
        """The run as it is stored."""
        return self.session.run
