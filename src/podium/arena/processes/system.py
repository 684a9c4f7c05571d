"""Services of the operating system, with simpler means where one is missing.

The arena is developed for Linux. Elsewhere (macOS) matches of bots in this process and of programs work too; a warning
names what is missing there.
"""

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

from podium.arena.processes import reaper

POLL_SECONDS = 1.0  # between two checks whether a process lives, where the system sends no notice
ENDING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGALRM)  # the alarm repeats one of the others


def cores() -> int:
    """The number of processors that this process may use."""
    allowed = getattr(os, "sched_getaffinity", None)
    return len(allowed(0)) if allowed else os.cpu_count() or 1


def exit_descriptor(program: "subprocess.Popen[bytes]") -> int:
    """A file descriptor that becomes readable when a program ends; the caller closes it."""
    if hasattr(os, "pidfd_open"):
        return os.pidfd_open(program.pid)
    ours, theirs = os.pipe()

    def wait() -> None:
        program.wait()
        os.close(theirs)

    threading.Thread(target=wait, daemon=True).start()
    return ours


def wait_for_end(process: int) -> None:
    """Wait until a process has ended; it need not be a child of this one."""
    while is_alive(process):
        time.sleep(POLL_SECONDS)


def is_alive(process: int) -> bool:
    """Whether there is a process with this id."""
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True


def system_warnings() -> list[str]:
    """What this system cannot do for matches with programs, in one sentence; empty on Linux."""
    missing = [] if reaper.can_adopt() else ["kill all that programs leave behind when they hide it"]
    missing += [] if reaper.PROC.is_dir() else ["measure how long programs waited for a processor"]
    if not missing:
        return []
    return [f"this system ({sys.platform}) is not Linux: the arena cannot {' nor '.join(missing)}"]


@contextmanager
def deferred_signals() -> Iterator[None]:
    """Defer signals that ask this process to end until the block is left.

    A signal that arrives while a program is being started would run Python code of the child between fork and exec and
    be lost for the arena, or leave a program behind that the arena does not know. (Blocking signals does not help: the
    kernel delivers a signal to any thread that accepts it, and Python then runs the handler in the main thread.)
    """
    if threading.current_thread() is not threading.main_thread():  # handlers run in the main thread alone
        yield
        return
    received: list[int] = []
    usual = {number: handler for number in ENDING if callable(handler := signal.getsignal(number))}
    for number in usual:
        signal.signal(number, lambda number, frame: received.append(number))
    try:
        yield
    finally:
        for number, handler in usual.items():
            signal.signal(number, handler)
        for deferred in received:
            signal.raise_signal(deferred)


def signal_name(number: int) -> str:
    """The name of a signal, or its number if it has none."""
    try:
        return signal.Signals(number).name
    except ValueError:
        return str(number)
