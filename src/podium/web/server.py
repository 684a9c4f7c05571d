"""Starting the server: an address, its names, and a token where others can reach it."""

import secrets
import socket
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import uvicorn
from starlette.applications import Starlette

from podium.errors import PodiumError
from podium.web.app import application
from podium.web.doing import Doer
from podium.web.library import Library
from podium.web.security import LOOPBACK


@dataclass(frozen=True)
class Place:
    """Where the server listens."""

    host: str = "127.0.0.1"
    port: int = 8117  # 0: any free one

    @property
    def is_loopback(self) -> bool:
        """Whether only this machine can reach it."""
        return self.host in LOOPBACK


def pages(store: Path, hosts: list[str], token: str = "", programs: bool = False) -> Starlette:
    """The application of a store, with all that it can do."""
    library = Library(store)
    doer = Doer(library, programs)
    return application(library, hosts, token, doer.routes(), doer.close)


def serve(
    store: Path,
    place: Place,
    programs: bool = False,
    names: tuple[str, ...] = (),
    started: Callable[[str], None] = print,
) -> None:
    """Serve a store until interrupted; `started` is told the address once the port is open."""
    listener = _listen(place)
    port = listener.getsockname()[1]
    token = "" if place.is_loopback else secrets.token_urlsafe(24)
    hosts = [*LOOPBACK, place.host, *names, *([] if place.is_loopback else [socket.gethostname(), _own_address()])]
    app = pages(store, hosts, token, programs)
    shown = f"[{place.host}]" if ":" in place.host else place.host
    if shown in ("0.0.0.0", "[::]"):
        shown = _own_address()
    config = uvicorn.Config(
        app, log_level="warning", access_log=False, timeout_graceful_shutdown=1, server_header=False
    )
    started(f"http://{shown}:{port}/" + (f"?token={token}" if token else ""))
    uvicorn.Server(config).run(sockets=[listener])


def _listen(place: Place) -> socket.socket:
    family = socket.AF_INET6 if ":" in place.host else socket.AF_INET
    listener = socket.socket(family, socket.SOCK_STREAM)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((place.host, place.port))
        listener.listen()
    except OSError as error:
        raise PodiumError(f"cannot listen on {place.host} port {place.port}: {error.strerror or error}") from None
    return listener


def _own_address() -> str:
    """The address under which others reach this machine, as far as it can tell without asking anybody."""
    try:
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
            probe.connect(("192.0.2.1", 9))  # a documentation address: nothing is sent
            return str(probe.getsockname()[0])
    except OSError:
        return "127.0.0.1"
