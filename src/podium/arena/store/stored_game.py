"""A stored game with all that belongs to it, played again for those who look at it."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from podium.arena.game.record import GameRecord, unpack
from podium.arena.game.replay import FAILED, Departure, WatchReplay, compare_outcome, replay
from podium.arena.store.game_row import GameRow
from podium.arena.store.store import Run, Store, StoredBot
from podium.games.game import Ending, Game, Referee


@dataclass(frozen=True)
class StoredGame:
    """A game with its run, its bots and its record; plain data that travels to other processes."""

    run: Run
    row: GameRow
    bots: tuple[StoredBot, ...]  # by seat
    record: GameRecord

    @property
    def id(self) -> int:
        """Its number in the store."""
        return self.row.id

    @property
    def settings(self) -> Mapping[str, Any]:
        """The settings of the game that it was played with: those of its run, and its own."""
        return {**self.run.conditions.settings, **self.record.settings}

    @property
    def is_imported(self) -> bool:
        """Whether it was played elsewhere: it may differ from the referee's game in its end, and times are unknown."""
        return bool(self.run.wanted.get("imported"))

    @property
    def names(self) -> list[str]:
        """Its bots for tables, by seat."""
        return [bot.label for bot in self.bots]

    def replay(self, rules: Game, watch: WatchReplay | None = None) -> tuple[Referee, Departure | None]:
        """Play it again and compare every prompt and the result; the referee at the end, or where the game departs.

        In an annulled game the referee may fail again. An imported game may end before the referee would end it, and
        have another result: its own sentence says so.
        """
        referee = rules.new_referee(self.row.seed, self.settings)
        departure = replay(referee, self.record, watch)
        row = self.row
        if self.is_imported:
            return referee, self._unless_cut(departure)
        if row.ending is Ending.ANNULLED and (departure is None or departure.what == FAILED):
            return referee, None
        if departure is None and referee.outcome is not None:
            departure = compare_outcome(referee.outcome, row.scores, row.ranks, row.ending)
        return referee, departure

    def replay_to_show(self, rules: Game, watch: WatchReplay | None = None) -> tuple[Referee, Departure | None]:
        """Like `replay`, to show the game: one of an external referee is replayed from its transcript."""
        if rules.external.from_transcript is None:
            return self.replay(rules, watch)
        referee = rules.external.from_transcript(self.record.archive)
        return referee, self._unless_cut(replay(referee, self.record, watch))

    def _unless_cut(self, departure: Departure | None) -> Departure | None:
        """No departure of an imported game is where its record ends: it was stored as far as it agrees."""
        return None if departure and self.is_imported and not departure.stored else departure


def stored_game(store: Store, row: GameRow) -> StoredGame:
    """A game of a store with all that belongs to it."""
    run = store.run(row.run)
    bots = store.bots(run)
    with store.decoding(f"g{row.id}"):
        sitting = tuple(bots[number] for number in row.bots)
    return StoredGame(run, row, sitting, unpack(store.record(row.id)))
