"""A run in progress: its place in the store, what is done already, and playing the rest.

Matches, leagues and calibrations are runs; what they have in common is here.
"""

import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import replace
from hashlib import blake2b
from pathlib import Path
from typing import Self

import numpy as np

from podium.arena.archive import Archive
from podium.arena.batch import Batch, batch_of
from podium.arena.conditions import Conditions
from podium.arena.entrants import Entrant
from podium.arena.fingerprint import rules_fingerprint
from podium.arena.finished import VOID, FinishedGame
from podium.arena.numbers import JOBS, whole
from podium.arena.positions import refuse_programs
from podium.arena.runner import Workers, default_jobs, play_all, probe, refuse_deaf, warm, workers
from podium.arena.signals import signals_held_back
from podium.arena.store import Run, Store
from podium.arena.system import caveats
from podium.arena.work import Fixture
from podium.errors import PodiumError
from podium.games import load

MATCH, LEAGUE, CALIBRATION = "match", "league", "calibration"
MOST_VOID = 20  # games in a row, after which it is no accident


class Session:
    """A run, found by what it is: the same request finds the same run and goes on.

    What it is: its kind, the rules with their sources, the conditions, the seed, and what else its owner names.
    """

    def __init__(
        self,
        store: Path | str,
        kind: str,
        name: str,
        conditions: Conditions,
        seed: int,
        identity: Sequence[str],
    ) -> None:
        self.game = load(conditions.game)
        self.conditions = conditions
        self.store = Store(Path(store))
        self.entrants: dict[int, Entrant] = {}  # by the bots' numbers
        self.caveats: list[str] = []  # what the game's contract cannot promise, in sentences
        self._done: dict[tuple[str, int], bytearray] = {}  # a flag for each round, by meeting and part
        self.notice = ""  # what whoever waits for games should know
        self._void = 0  # games in a row that the referee could not judge
        # another program's rules are told by their fingerprint alone, wherever it lies and whatever it is called
        lasting = replace(conditions, game="") if self.game.fingerprint else conditions
        text = json.dumps([kind, rules_fingerprint(self.game), lasting.text(), seed, *identity])
        try:
            self.run: Run = self.store.open_run(kind, blake2b(text.encode()).hexdigest(), name, seed, conditions)
        except BaseException:
            self.store.close()
            raise

    def close(self) -> None:
        """Let go of the store."""
        self.store.close()

    def enter(self, entrants: Sequence[Entrant]) -> list[int]:
        """Let bots take part; their numbers."""
        numbers = self.store.enter(self.run, entrants)
        self.entrants |= zip(numbers, entrants, strict=True)
        return numbers

    def games(self) -> Iterator[Batch]:
        """The games that are stored, many at a time, noted as done when they are read."""
        for games in self.store.batches(self.run):
            self._note(games)
            yield games

    def _note(self, games: Batch) -> None:
        for meeting, part, rounds in games.rounds():
            flags = self._done.setdefault((meeting, part), bytearray())
            flags.extend(bytes(max(0, int(rounds.max()) + 1 - len(flags))))
            np.frombuffer(flags, np.uint8)[rounds] = 1

    def is_done(self, fixture: Fixture) -> bool:
        """Whether a game is in the store."""
        flags = self._done.get((fixture.meeting, fixture.part), b"")
        return fixture.round < len(flags) and bool(flags[fixture.round])

    def rounds_begun(self, meeting: str) -> int:
        """How many rounds of a meeting have a game in the store, counted from the first."""
        return max((len(flags) for (key, _), flags in self._done.items() if key == meeting), default=0)

    def prepare(self, archive: Archive | None = None) -> None:
        """Compile what is needed, and see that every program can play, before anything counts.

        With an archive programs play from their copies there.
        """
        if self.conditions.positions:
            refuse_programs(self.entrants.values())
        warm(self.game, list(self.entrants.values()))
        probe(self.game, list(self.entrants.values()), self.conditions)
        if self.conditions.positions:
            refuse_deaf(self.game, self.entrants.values(), self.conditions)
        self.caveats = caveats() if any(who.is_program for who in self.entrants.values()) else []
        if self.game.caveats:
            self.caveats += self.game.caveats([who.argv for who in self.entrants.values()])
        if archive:
            for number in list(self.entrants):
                self.adopt(number, archive)

    def adopt(self, number: int, archive: Archive) -> None:
        """Let a program play from its copy, or say why it cannot."""
        who, caveat = archive.adopt(self.entrants[number], lambda copy: probe(self.game, [copy], self.conditions))
        self.entrants[number] = who
        self.caveats += [caveat] if caveat else []

    def team(self, jobs: int, cluster: str) -> AbstractContextManager[Workers]:
        """The workers that will play; nobody else plays this run meanwhile."""
        self.store.claim(self.run)
        return workers(whole(JOBS, jobs) or default_jobs(), cluster)

    def _stop_if_void(self, games: Sequence[FinishedGame]) -> None:
        for game in games:
            self._void = self._void + 1 if game.ending == VOID else 0
            if self._void >= MOST_VOID:
                raise PodiumError(f"the last {self._void} games are void, so nothing can be found out: {game.sentence}")

    def play(
        self,
        team: Workers,
        fixtures: Iterator[Fixture],
        counted: Callable[[Batch], None],
        enough: Callable[[], bool],
        look: Callable[[], None],
    ) -> None:
        """Play games, store each as soon as it ends, then count it."""

        def finished(games: list[FinishedGame]) -> None:
            with signals_held_back():  # what is stored is also counted: the last report tells of every stored game
                stored = self.store.add(self.run, games)
                batch = batch_of(stored)
                self._note(batch)
                counted(batch)
                self._stop_if_void(stored)

        def check_and_look() -> None:
            self.notice = team.check()
            look()

        conditions = replace(self.conditions, positions=None)  # each game takes its own with it
        play_all(team, conditions, self.entrants, map(self._placed, fixtures), finished, enough, check_and_look)

    def _placed(self, fixture: Fixture) -> Fixture:
        """A game in the position that it begins in: the same for all games of a block, then the next."""
        positions = self.conditions.positions
        if positions is None:
            return fixture
        return replace(fixture, position=positions.places[fixture.round % len(positions.places)])


class Contest:
    """What matches, leagues and studies are: something that is played in a session, and closed in the end."""

    session: Session

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the store."""
        self.session.close()

    @property
    def run(self) -> Run:
        """It as it is stored."""
        return self.session.run
