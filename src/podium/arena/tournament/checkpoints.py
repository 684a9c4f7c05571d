"""Checkpoints: what the games of a run up to one of them add up to, kept in the store.

A report is a function of the stored games. A checkpoint only saves adding up those that were added up before: it names
the last of them, later ones are added to it, and a change of an earlier one deletes it (a trigger of the database does
so). It is bound to the sources that made it, and sealed: one that does not fit, or is damaged, counts as missing.
"""

from collections.abc import Callable, Sequence
from functools import cache
from hashlib import blake2b
from pathlib import Path
from typing import Any, Generic, NamedTuple, Protocol, TypeVar

import msgspec

from podium.arena.store.game_columns import GameColumns
from podium.arena.store.store import Run, Store
from podium.arena.store.store_file import UNREADABLE

STEP = 1000  # games, and
GROWTH = 0.05  # the share of games that a checkpoint may be behind
MOST_WAITING = 1000  # games that do not count yet; with more of them no checkpoint is made
SEAL_BYTES = 16
PACKAGES = ("arena/tournament", "arena/stats", "arena/store", "arena/game")  # whose sources decide what is added up


class Tally(Protocol):
    """What games are added to, and what can be kept."""

    finished: int

    @property
    def parameters(self) -> str:
        """All that an empty one depends on, as text."""

    def add(self, games: GameColumns, /) -> None:
        """Count finished games."""

    def state(self) -> dict[str, Any]:
        """All of it as plain data; the entry `waiting`, if any, names games that are not in it."""

    def restore(self, state: dict[str, Any], waiting: Sequence[GameColumns], /) -> None:
        """Become what a state tells of."""


T = TypeVar("T", bound=Tally)


class Counted(NamedTuple, Generic[T]):
    """A tally with the number of the last game in it."""

    tally: T
    last: int


@cache
def sources() -> str:
    """A digest of the sources that decide what games add up to."""
    root = Path(__file__).parents[2]
    files = sorted(file for package in PACKAGES for file in (root / package).glob("*.py"))
    return blake2b(b"\0".join(file.read_bytes() for file in files), digest_size=SEAL_BYTES).hexdigest()


def counted(store: Store, run: Run, make: Callable[[], T]) -> Counted[T]:
    """A tally of all games of a run, from its checkpoint on; `make` makes an empty one."""
    tally, last = restored(store, run, make) or Counted(make(), 0)
    before = tally.finished
    for games in store.columns(run, last):
        tally.add(games)
        last = int(games.id[-1])
    if is_due(before, tally.finished):
        keep(store, run, tally, last)
    return Counted(tally, last)


def restored(store: Store, run: Run, make: Callable[[], T]) -> Counted[T] | None:
    """The tally of a run's checkpoint; None if there is none that fits."""
    tally = make()
    found = store.checkpoint(run, _key(tally))
    if found is None or _seal(found[1][SEAL_BYTES:]) != found[1][:SEAL_BYTES]:
        return None
    try:
        state = msgspec.msgpack.decode(found[1][SEAL_BYTES:], strict=False)
        waiting = state.get("waiting")
        tally.restore(state, [store.some_columns(waiting)] if waiting else [])
    except UNREADABLE:
        return None
    return Counted(tally, found[0])


def is_due(before: int, games: int) -> bool:
    """Whether the last checkpoint, after the games before, is far enough behind."""
    return games - before >= max(STEP, GROWTH * games)


def keep(store: Store, run: Run, tally: Tally, last: int) -> None:
    """Keep a checkpoint after the game of a number, if the store can be written to."""
    state = tally.state()
    if len(state.get("waiting", ())) <= MOST_WAITING:
        data = msgspec.msgpack.encode(state)
        store.keep_checkpoint(run, _key(tally), last, _seal(data) + data)


def _key(tally: Tally) -> str:
    return f"{sources()} {tally.parameters}"


def _seal(data: bytes) -> bytes:
    return blake2b(data, digest_size=SEAL_BYTES).digest()
