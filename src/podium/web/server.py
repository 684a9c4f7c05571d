"""Starts the server: its address, its host names, and a token if other machines can reach it."""

import secrets
import signal
import socket
import warnings
from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import uvicorn
from starlette.applications import Starlette

from podium.errors import PodiumError
from podium.web.actions import Actions
from podium.web.app import application
from podium.web.connections import ImpatientProtocol
from podium.web.repository import Repository
from podium.web.run_actions import RunActions
from podium.web.security import LOOPBACK
from podium.web.trace_actions import TraceActions

PROTOCOL: dict[str, Any] = {"http": ImpatientProtocol, "ws": "none"}  # how connections are served


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
    """The complete application for a store."""
    repository = Repository(store)
    actions = Actions(repository, programs)
    runs = RunActions(actions)
    routes = [*actions.routes(), *TraceActions(actions).routes(), *runs.routes()]

    def ended() -> None:
        actions.close()
        runs.close()

    return application(repository, hosts, token, routes, ended)


def serve(
    store: Path,
    place: Place,
    programs: bool = False,
    names: tuple[str, ...] = (),
    started: Callable[[str], None] = print,
) -> None:
    """Serve a store until interrupted; `started` is called with the address once the port is open."""
    listener = _listen(place)
    port = listener.getsockname()[1]
    token = "" if place.is_loopback else secrets.token_urlsafe(24)
    hosts = [*LOOPBACK, place.host, *names, *([] if place.is_loopback else [socket.gethostname(), _own_address()])]
    app = pages(store, hosts, token, programs)
    shown = f"[{place.host}]" if ":" in place.host else place.host
    if shown in ("0.0.0.0", "[::]"):
        shown = _own_address()
    config = uvicorn.Config(
        app, log_level="warning", access_log=False, timeout_graceful_shutdown=1, server_header=False, **PROTOCOL
    )
    started(f"http://{shown}:{port}/" + (f"?token={token}" if token else ""))
    # a signal at the very start ends the loop before it has begun; Python would tell users of that
    warnings.filterwarnings("ignore", "coroutine .* was never awaited", RuntimeWarning)
    PageServer(config).run(sockets=[listener])


class PageServer(uvicorn.Server):
    """uvicorn, which a closed terminal ends in good order, too."""

    @contextmanager
    def capture_signals(self) -> Generator[None, None, None]:
        """Take SIGHUP like the signals that uvicorn knows, unless it is ignored."""
        with super().capture_signals():
            before = signal.getsignal(signal.SIGHUP)
            if before is not signal.SIG_IGN:
                signal.signal(signal.SIGHUP, self.handle_exit)
            try:
                yield
            finally:
                signal.signal(signal.SIGHUP, before)


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
    """The address under which others reach this machine, as far as it is known locally."""
    try:
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
            probe.connect(("192.0.2.1", 9))  # a documentation address: nothing is sent
            return str(probe.getsockname()[0])
    except OSError:
        return "127.0.0.1"
