"""`podium pin`: keep a position of a stored game with what should be played there."""

from pathlib import Path
from typing import Annotated

import typer

from podium.arena import bounds
from podium.arena.analysis.pins import DEFAULT_PINS, add_pin, pin_of
from podium.arena.analysis.stored_runs import find_stored_game
from podium.arena.analysis.stored_turn import seat_asked
from podium.arena.store.store import DEFAULT_STORE
from podium.cli.console import console
from podium.cli.options import StoredGameName, StorePath, numeric
from podium.games import load
from podium.model.params import Parameter

HELP = "Turn of the position, from 1 (required; podium review names the worst)."
TURN = Parameter("turn", 1, HELP, 1, 1e9)

PinsPath = Annotated[Path, typer.Option("--pins", metavar="FILE", help="File of pins.")]


def command(
    game: StoredGameName,
    turn: Annotated[int, numeric(TURN)],
    seat: Annotated[int | None, numeric(bounds.SEAT, help="Seat to answer; default: the one asked.")] = None,
    expect: Annotated[list[str] | None, typer.Option(metavar="MOVE", help="A right answer; may be repeated.")] = None,
    avoid: Annotated[list[str] | None, typer.Option(metavar="MOVE", help="A wrong answer; may be repeated.")] = None,
    note: Annotated[str, typer.Option(metavar="TEXT", help="Why, for people.")] = "",
    pins: PinsPath = DEFAULT_PINS,
    store: StorePath = DEFAULT_STORE,
) -> None:
    """Pin a position: `podium pins BOT` checks from then on what a bot plays there.

    Without --expect and --avoid, the answer that was played there is to be avoided.
    """
    stored = find_stored_game(game, store)
    whose = seat_asked(load(stored.run.game), stored, turn) if seat is None else seat
    made = pin_of(stored, turn, whose, expect=expect or (), avoid=avoid or (), note=note)
    added = add_pin(made, pins)
    text = f"{made.source}, turn {turn}, seat {whose}: {made.wanted}"
    console.print(f"{text}; {'added to' if added else 'is already in'} {pins}")
