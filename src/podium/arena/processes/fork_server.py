"""How worker processes are started: forked from a server process that has already imported what they need.

The server and all that it forks die with the process that started the server, however that ends. Neither imports from
the current folder: Python starts the server as `python -c ...`, which would put that folder first on `sys.path`, so
that a file `random.py` or `signal.py` there would be imported in the place of Python's own.

The server imports this module before anything else, so it must stay small.
"""

import os
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing.context import ForkServerContext, ForkServerProcess
from types import ModuleType
from typing import Any

from podium.arena.processes.reaper import die_with_parent

SAFE_PATH = "PYTHONSAFEPATH"  # makes Python leave the current folder out of `sys.path`
ORDERS = "PODIUM_FORK_SERVER"  # from the process that starts the server: what the server does when it imports this
PRELOAD = ("podium.arena.processes.fork_server", "podium.arena.tournament.worker")

_starting = threading.Lock()


@contextmanager
def server_environment() -> Iterator[None]:
    """The environment in which Python may start the fork server and its resource tracker.

    The variables are those of this process for a moment, because Python offers no other way to pass them. The server
    removes them again: programs that are started later must not inherit them.
    """
    with _starting:
        orders = {ORDERS: "safe_path" if SAFE_PATH not in os.environ else "", SAFE_PATH: "1"}
        if threading.current_thread() is threading.main_thread():
            orders[ORDERS] += " die_with_parent"  # Linux kills the child already when the thread that started it ends
        before = {name: os.environ.get(name) for name in orders}
        os.environ.update(orders)
        try:
            yield
        finally:
            for name, value in before.items():
                if value is None:
                    del os.environ[name]
                else:
                    os.environ[name] = value


class WorkerProcess(ForkServerProcess):
    """A worker that does not import the script that started it, as Python's own would: a script that calls
    `podium.match` needs no `if __name__ == "__main__"`, and nothing that is sent to a worker is defined in it."""

    @staticmethod
    def _Popen(process: Any) -> Any:  # noqa: N802 - the name is Python's
        script = sys.modules["__main__"]
        sys.modules["__main__"] = ModuleType("__main__")
        try:
            with server_environment():
                return ForkServerProcess._Popen(process)
        finally:
            sys.modules["__main__"] = script


class WorkerContext(ForkServerContext):
    """The multiprocessing context of worker processes."""

    Process = WorkerProcess


def worker_context() -> WorkerContext:
    """The context to start worker processes with; what all of them need is running when it returns."""
    from multiprocessing import resource_tracker

    context = WorkerContext()
    context.set_forkserver_preload(list(PRELOAD))
    with server_environment():
        resource_tracker.ensure_running()  # or the first queue or lock would start it
    return context


def _obey_orders() -> None:
    """In the server: remove the variables of `server_environment`, and see to it that workers die with the server."""
    orders = os.environ.pop(ORDERS, "").split()
    if "safe_path" in orders:
        os.environ.pop(SAFE_PATH, None)
    if "die_with_parent" in orders:
        die_with_parent()
    os.register_at_fork(after_in_child=die_with_parent)


if any("multiprocessing.forkserver" in word for word in sys.orig_argv):
    _obey_orders()
