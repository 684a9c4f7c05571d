"""An application on a free port of this machine, for as long as a test needs it."""

import contextvars
import socket
import threading
import time
from contextlib import contextmanager

import httpx
import uvicorn


@contextmanager
def served(app, **options):
    """The address of the application."""
    listener = socket.create_server(("127.0.0.1", 0))
    server = uvicorn.Server(uvicorn.Config(app, log_level="error", timeout_graceful_shutdown=1, **options))
    # without the compiler, NumPy's leave to wrap around is a matter of the context
    context = contextvars.copy_context()
    thread = threading.Thread(target=context.run, args=(server.run, [listener]), daemon=True)
    thread.start()
    while not server.started:
        time.sleep(0.01)
    try:
        yield f"http://127.0.0.1:{listener.getsockname()[1]}"
    finally:
        server.should_exit = True
        thread.join(10)


@contextmanager
def client_of(app):
    """An HTTP client of the application."""
    with served(app) as address, httpx.Client(base_url=address, timeout=60) as client:
        yield client
