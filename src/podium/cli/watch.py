"""`podium watch`: a game or a run in the browser."""

from typing import Annotated

import typer

from podium.arena.analysis.stored_runs import number_of
from podium.arena.store.store import DEFAULT_STORE
from podium.cli import completion
from podium.cli.options import STORED, StorePath
from podium.cli.web import Port, serve_pages


def command(
    what: Annotated[
        str,
        typer.Argument(
            metavar=STORED, autocompletion=completion.runs, help="A run such as r3, or a stored game such as g125."
        ),
    ],
    store: StorePath = DEFAULT_STORE,
    turn: Annotated[int, typer.Option(min=1, help="Turn of the game to show first.")] = 1,
    port: Port = 0,
    show: Annotated[bool, typer.Option("--open/--no-open", help="Open the page in the browser.")] = True,
) -> None:
    """Serve the store and open the page of a game or a run."""
    kind, number = number_of(what, "g")
    path = f"games/{number}" + (f"?turn={turn}" if turn > 1 else "") if kind == "g" else f"runs/{number}"
    serve_pages(store, path, show, "127.0.0.1", port, (), False)
