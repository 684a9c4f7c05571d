"""`podium replay`: play a stored game again and compare."""

from typing import Annotated

import typer

from podium.arena.store import DEFAULT_STORE
from podium.arena.stored import replay_stored
from podium.cli.common import Json, compilation_shown, console, print_json
from podium.cli.running import StorePath


def command(
    what: Annotated[
        list[str], typer.Argument(metavar="GAME-ID", help="Games such as g125; r3 stands for all games of a run.")
    ],
    store: StorePath = DEFAULT_STORE,
    json: Json = False,
) -> None:
    """Play stored games again through the referee, and compare every prompt and the result with what was stored."""
    with compilation_shown():
        found = replay_stored(what, store)
    if json:
        print_json(found.data())
    else:
        console.print(found.headline)
        for number, departure in found.departures[:5]:
            console.print(f"g{number} departs {departure.where}: {departure.what}", style="red")
            console.print(f"  stored: {departure.stored!r}\n  found:  {departure.found!r}")
    if found.departures:
        raise typer.Exit(1)
