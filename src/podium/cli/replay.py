"""`podium replay`: check stored games against the referee."""

from typing import Annotated

import typer

from podium.arena.analysis.stored_runs import replay_stored
from podium.arena.store.store import DEFAULT_STORE
from podium.cli import completion
from podium.cli.compilation import compilation_shown
from podium.cli.console import console, print_json
from podium.cli.options import Json, StorePath


def command(
    what: Annotated[
        list[str],
        typer.Argument(
            metavar="GAME-ID",
            autocompletion=completion.runs,
            help="Stored games such as g125; a run such as r3 stands for all its games.",
        ),
    ],
    store: StorePath = DEFAULT_STORE,
    json: Json = False,
) -> None:
    """Replay stored games through the referee, and compare every prompt and the result with the stored ones."""
    with compilation_shown():
        found = replay_stored(what, store)
    if json:
        print_json(found.data())
    else:
        console.print(found.headline)
        for number, departure in found.departures[:5]:
            console.print(f"g{number} differs {departure.where}: {departure.what}", style="red")
            console.print(f"  stored: {departure.stored!r}\n  found:  {departure.found!r}")
    if found.departures:
        raise typer.Exit(1)
