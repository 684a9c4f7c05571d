"""Messages to the user while something waits for the compiler: lines on standard error, or a reporter's own display.

Compiling the kernels of a bot takes up to a minute, once for each version of its code. Half a second into it a line
says so, in a notebook as on the command line, and another one what it took.
"""

import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from threading import Lock, Timer

QUIET = "PODIUM_QUIET"  # set to 1: no such lines
SILENT_SECONDS = 0.5  # what takes less is not worth a line

Reporter = Callable[[str], None]  # is called with the name of each kernel as Numba begins to compile it

_said: set[str] = set()
_reporters: list[Reporter] = []


def notice(text: str, once: bool = False) -> None:
    """Print a line on standard error, if there is one; with `once` the same line only once in a process."""
    if (once and text in _said) or os.environ.get(QUIET) == "1":
        return
    _said.add(text)
    with suppress(OSError, ValueError, AttributeError):
        print(f"podium: {text}", file=sys.stderr, flush=True)


@contextmanager
def reporting(reporter: Reporter) -> Iterator[None]:
    """Let a reporter show what is compiled in the meantime, instead of the lines on standard error."""
    _reporters.append(reporter)
    try:
        yield
    finally:
        _reporters.remove(reporter)


class Compilations:
    """Counts the kernels that are being compiled; those that a kernel calls are compiled within its own compilation."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._depth = 0
        self._kernels = 0
        self._began = 0.0
        self._first = ""
        self._timer: Timer | None = None

    def started(self, name: str) -> None:
        """Note that a kernel begins to be compiled."""
        if _reporters:
            _reporters[-1](name)
        with self._lock:
            self._depth += 1
            self._kernels += 1
            if self._depth == 1:
                self._kernels, self._began, self._first = 1, time.monotonic(), name
                if not _reporters:
                    self._timer = Timer(SILENT_SECONDS, self._announce)
                    self._timer.daemon = True
                    self._timer.start()

    def _announce(self) -> None:
        notice("compiling kernels; this may take a minute, and happens once for each version of the code", once=True)

    def ended(self, failed: bool) -> None:
        """Note that a kernel is compiled, or that it cannot be."""
        with self._lock:
            self._depth -= 1
            if self._depth or self._timer is None:
                return
            self._timer.cancel()
            self._timer = None
            seconds = time.monotonic() - self._began
        if seconds >= SILENT_SECONDS and not failed:
            callees = f" and {self._kernels - 1} that it calls" if self._kernels > 1 else ""
            notice(f"compiled {self._first}{callees} in {seconds:.1f} s")


compilations = Compilations()
