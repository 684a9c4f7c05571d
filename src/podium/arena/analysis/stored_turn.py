"""A turn of a stored game: which one is meant, whose view of it, and a bot that is led there."""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from podium.arena.game.rewind import rewind, rewind_to_answer
from podium.arena.store.game_row import GameRow
from podium.arena.store.store import DEFAULT_STORE
from podium.arena.store.stored_game import StoredGame
from podium.errors import PodiumError
from podium.games.game import Bot, Game, Scene
from podium.games.loop import requests_of


@dataclass(frozen=True)
class TurnReference:
    """A turn of a stored game, from 1 (0: the last), seen by a seat (None: the seat to move)."""

    turn: int = 0
    seat: int | None = None
    store: Path | str = DEFAULT_STORE


LAST_TURN = TurnReference()


@dataclass(frozen=True)
class TurnPosition:
    """A turn of a stored game, as a seat met it."""

    turn: int  # from 1
    seat: int
    scene: Scene
    lines: Sequence[str]  # the prompt
    played: str | None


def seat_of(game: GameRow, seat: int | None) -> int:
    """The seat to look at: the one that is asked for, else that of the worst rank."""
    if seat is None:
        return max(range(len(game.ranks)), key=lambda other: game.ranks[other])
    if not 0 <= seat < len(game.ranks):
        raise PodiumError(f"g{game.id} has the seats 0 to {len(game.ranks) - 1}, not {seat}")
    return seat


def seat_asked(rules: Game, stored: StoredGame, turn: int) -> int:
    """Who is asked in a turn of a stored game: of several the one of the worst rank; that one too if nobody is."""
    asked: list[int] = []
    with suppress(PodiumError):  # there is no such turn
        referee = rewind(rules, stored.row.seed, stored.settings, stored.record, turn - 1).referee
        asked = [request.seat for request in requests_of(referee)]
        referee.close()
    ranks = stored.row.ranks
    return max(asked or range(len(ranks)), key=lambda seat: ranks[seat])


def lead_to_turn(rules: Game, stored: StoredGame, turn: int, seat: int | None, bot: Bot) -> TurnPosition:
    """Lead a bot to a turn of a stored game: it follows all earlier prompts of the seat and what was answered.

    The turn is counted from 1; 0 is the last one in which the seat was asked. Without a seat it is that of `seat_asked`
    in a turn, and the loser's in the last one. PodiumError for a game of other rules, and where the seat is not asked.
    """
    if stored.run.game != rules.name:
        raise PodiumError(f"g{stored.id} is a game of {stored.run.game}, not of {rules.name}")
    seat = seat_of(stored.row, seat if seat is not None or not turn else seat_asked(rules, stored, turn))
    seed, settings, record = stored.row.seed, stored.settings, stored.record
    if seat not in record.seats:
        raise PodiumError(f"seat {seat} is never asked in g{stored.id}")
    last = max(index for index, other in enumerate(record.seats) if other == seat)
    at = rewind_to_answer(rules, seed, settings, record, last)
    number = at.referee.turn + 1
    if turn:
        at.referee.close()
        at = rewind(rules, seed, settings, record, min(turn, number) - 1)
    asked = [(index, one) for index, one in enumerate(requests_of(at.referee), at.answers) if one.seat == seat]
    if not asked or turn > number:
        raise PodiumError(f"seat {seat} is not asked in turn {turn} of g{stored.id}; its last turn is {number}")
    for lines, line in at.history.get(seat, []):
        if line is not None:
            bot.observe(lines, line)
    index, request = asked[0]
    found = TurnPosition(at.referee.turn + 1, seat, rules.scene_of(at.referee), request.lines, record.lines[index])
    at.referee.close()
    return found
