"""`podium watch`: a game or a run in the browser."""

from typing import Annotated

import typer

from podium.arena.analysis.stored_runs import number_of
from podium.arena.store.store import DEFAULT_STORE, Store
from podium.cli import completion
from podium.cli.options import STORED, StorePath, numeric
from podium.cli.web import Port, serve_pages
from podium.model.params import Parameter

TURN = Parameter("turn", 1, "Turn of the game to show first.", 1, 1e9)


def command(
    what: Annotated[
        str,
        typer.Argument(
            metavar=STORED, autocompletion=completion.runs, help="A run such as r3, or a stored game such as g125."
        ),
    ],
    store: StorePath = DEFAULT_STORE,
    turn: Annotated[int, numeric(TURN)] = 1,
    port: Port = 0,
    show: Annotated[bool, typer.Option("--open/--no-open", help="Open the page in the browser.")] = True,
) -> None:
    """Serve the store and open the page of a game or a run."""
    kind, number = number_of(what, "g")
    with Store(store, create=False) as opened:
        _ = opened.game(number) if kind == "g" else opened.run(number)  # which must be there
    path = f"games/{number}" + (f"?turn={turn}" if turn > 1 else "") if kind == "g" else f"runs/{number}"
    serve_pages(store, path, show, "127.0.0.1", port, (), False)
