"""`podium web`: the store in a browser."""

import subprocess
import sys
import webbrowser
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer

from podium.arena.store import DEFAULT_STORE
from podium.cli.common import console, errors
from podium.cli.running import StorePath
from podium.errors import PodiumError

Open = Annotated[bool, typer.Option("--open", help="Open the page in the browser.")]
Host = Annotated[
    str, typer.Option(help="Where to listen; any address but this machine's own needs the token that is printed.")
]
Port = Annotated[int, typer.Option(min=0, max=65535, help="The port; 0: any free one.")]


def command(
    store: StorePath = DEFAULT_STORE,
    open_page: Open = False,
    host: Host = "127.0.0.1",
    port: Port = 8117,
    name: Annotated[list[str] | None, typer.Option(help="Another name of this machine; may be repeated.")] = None,
    programs: Annotated[
        bool, typer.Option("--programs", help="Let pages start any program as a bot, not only those in the store.")
    ] = False,
) -> None:
    """Watch games, runs and leagues in the browser, ask bots, and play them. Ctrl-C ends it."""
    serve_pages(store, "", open_page, host, port, tuple(name or ()), programs)


@contextmanager
def live_page(store: Path, path: str) -> Iterator[None]:
    """Serve the store from a process of its own for a while, and print the address of one of its pages."""
    words = [sys.executable, "-m", "podium", "web", "--store", str(store), "--port", "0"]
    with subprocess.Popen(words, stdout=subprocess.PIPE, stdin=subprocess.DEVNULL, text=True) as server:
        try:
            assert server.stdout
            address = server.stdout.readline().strip()
            if not address:
                raise PodiumError("the pages could not be served; `podium web` says why")
            errors.print(address + path, soft_wrap=True, markup=False)
            yield
        finally:
            server.terminate()


def serve_pages(
    store: StorePath, path: str, open_page: bool, host: str, port: int, names: tuple[str, ...], programs: bool
) -> None:
    """Serve the store; `path` is the page to begin with."""
    try:
        from podium.arena.store import Store
        from podium.web.server import Place, serve
    except ImportError as error:
        raise PodiumError(f"the pages need more libraries ({error.name}): pip install 'podium[web]'") from None
    with Store(store):
        pass  # a store that cannot be used is told before anything is served

    def started(address: str) -> None:
        base, mark, token = address.partition("?")
        page = base + path.removeprefix("/") + mark + token
        console.print(page, soft_wrap=True, markup=False)
        console.file.flush()
        if open_page:
            webbrowser.open(page)

    serve(store, Place(host, port), programs, names, started)
