"""`podium web`: the pages of a store in the browser."""

import subprocess
import sys
import webbrowser
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer

from podium.arena import bounds
from podium.arena.store.store import DEFAULT_STORE
from podium.cli.console import console, errors
from podium.cli.options import StorePath, numeric
from podium.errors import PodiumError

Open = Annotated[bool, typer.Option("--open", help="Open the page in the browser.")]
Host = Annotated[str, typer.Option(help="Address to listen on; any but 127.0.0.1 requires the token that is printed.")]
Port = Annotated[int, numeric(bounds.PORT)]


def command(
    store: StorePath = DEFAULT_STORE,
    open_page: Open = False,
    host: Host = "127.0.0.1",
    port: Port = 8117,
    name: Annotated[
        list[str] | None, typer.Option(metavar="HOST", help="Another host name of this machine; may be repeated.")
    ] = None,
    programs: Annotated[
        bool, typer.Option("--programs", help="Allow pages to start any program as a bot, not only those in the store.")
    ] = False,
) -> None:
    """Serve the store to the browser: watch games and runs, analyze positions, play against bots. Ctrl-C stops it."""
    serve_pages(store, "", open_page, host, port, tuple(name or ()), programs)


@contextmanager
def live_page(store: Path, path: str) -> Iterator[None]:
    """Serve the store from another process meanwhile, and print the address of one of its pages."""
    words = [sys.executable, "-P", "-m", "podium", "web", "--store", str(store), "--port", "0"]
    with subprocess.Popen(words, stdout=subprocess.PIPE, stdin=subprocess.DEVNULL, text=True) as server:
        try:
            assert server.stdout
            address = server.stdout.readline().strip()
            if not address:
                raise PodiumError("the pages could not be served; run `podium web` to see why")
            errors.print(address + path, soft_wrap=True, markup=False)
            yield
        finally:
            server.terminate()


def serve_pages(
    store: StorePath, path: str, open_page: bool, host: str, port: int, names: tuple[str, ...], programs: bool
) -> None:
    """Serve the store until interrupted; `path` is the page to open."""
    from podium.arena.store.store import Store
    from podium.web.server import Place, serve

    with Store(store):
        pass  # an unusable store is reported before anything is served

    def started(address: str) -> None:
        base, mark, token = address.partition("?")
        page = base + path.removeprefix("/") + mark + token
        console.print(page, soft_wrap=True, markup=False)
        console.file.flush()
        if open_page:
            webbrowser.open(page)

    serve(store, Place(host, port), programs, names, started)
