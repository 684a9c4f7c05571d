"""A run in progress: its place in the store, what is done already, and playing the rest."""

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from hashlib import blake2b
from pathlib import Path
from typing import Any

from podium.arena.entrants import Entrant
from podium.arena.runner import Workers, play_all
from podium.arena.store import Run, Store, StoredGame, conditions_text
from podium.arena.work import Conditions, Fixture, Row

MATCH, LEAGUE, CALIBRATION = "match", "league", "calibration"


def copy_of(who: Entrant) -> Entrant:
    """The same bot once more, as an entrant of its own."""
    digest = blake2b(f"{who.fingerprint} copy".encode(), digest_size=8).hexdigest()
    return replace(who, name=f"{who.name} (copy)", fingerprint=digest)


class Session:
    """A run, found by what it is: the same command finds the same run and goes on."""

    def __init__(
        self,
        store: Path,
        kind: str,
        name: str,
        entrants: Sequence[Entrant],
        conditions: Conditions,
        seed: int,
        identity: Sequence[str],
    ) -> None:
        self.store = Store(store)
        self.entrants = list(entrants)
        self.conditions = conditions
        text = json.dumps([kind, conditions_text(conditions), seed, *identity])
        self.run: Run = self.store.open_run(kind, blake2b(text.encode()).hexdigest(), name, seed, conditions)
        ids = self.store.enter(self.run, entrants)
        self.ids = [ids[who.fingerprint] for who in entrants]
        self.games = list(self.store.games(self.run))
        self._done = {(game.meeting, game.round, game.part) for game in self.games}

    def __enter__(self) -> "Session":
        return self

    def __exit__(self, *_: Any) -> None:
        self.store.connection.close()

    def is_done(self, fixture: Fixture) -> bool:
        """Whether a game is in the store."""
        return (fixture.meeting, fixture.round, fixture.part) in self._done

    def play(
        self,
        team: Workers,
        fixtures: Iterator[Fixture],
        counted: Callable[[StoredGame], None],
        enough: Callable[[], bool],
        look: Callable[[], None],
    ) -> None:
        """Play games, store each as soon as it ends, then count it."""

        def finished(rows: list[Row]) -> None:
            for game in self.store.add(self.run, self.ids, rows):
                self.games.append(game)
                self._done.add((game.meeting, game.round, game.part))
                counted(game)

        play_all(team, self.conditions, self.entrants, fixtures, finished, enough, look)
