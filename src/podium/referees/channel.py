"""A line to a referee in a process of its own: lines out, lines in, never longer than one is willing to wait."""

import os
import select
import subprocess
import sys
import time
from abc import ABC, abstractmethod
from collections.abc import Sequence
from contextlib import suppress

from podium.referees.messages import ForeignError
from podium.referees.processes import RefereeProcess

PATIENCE = 150.0  # seconds: what the platform itself gives a referee for one message
CHUNK = 1 << 16
LONGEST = 64 << 20  # bytes of a line; a view has a hundred thousand
KEPT_STDERR = 8192  # bytes, the last ones
TOLD_LINES = 8  # of them, in a reason
STATUS_SECONDS = 1.0  # from closing the output to the exit status


class Channel(ABC):
    """What a referee is spoken to through."""

    @abstractmethod
    def send(self, data: bytes) -> None:
        """Send lines. A referee that listens no more is no error: what it still says counts."""

    @abstractmethod
    def line(self) -> bytes | None:
        """The next line without its LF; None at the end. ForeignError if none comes."""

    def complaint(self) -> str:
        """How the referee ended and the last lines it wrote to standard error, where there is something to say."""
        return ""

    def release(self, well: bool) -> None:  # noqa: B027 - a recording holds nothing
        """The game is over, `well` or not: the caller has no more use for the channel. Releasing it twice is fine."""


class ProcessChannel(Channel):
    """A program that plays one game or many; `close` kills it with its children."""

    def __init__(self, argv: Sequence[str], patience: float = PATIENCE) -> None:
        self.argv = list(argv)
        self.patience = patience
        self._buffer = bytearray()
        self._searched = 0
        self._stderr = b""
        self._ended = False
        self._closed = False
        self.process = RefereeProcess(self.argv)
        popen = self.process.popen
        assert popen.stdin and popen.stdout and popen.stderr
        self._in, self._out, self._err = (pipe.fileno() for pipe in (popen.stdin, popen.stdout, popen.stderr))
        os.set_blocking(self._err, False)
        self._poll = select.poll()
        self._poll.register(self._out, select.POLLIN)
        self._poll.register(self._err, select.POLLIN)

    @property
    def is_alive(self) -> bool:
        """Whether it still runs and its output is open."""
        return not self._ended and self.process.popen.poll() is None

    def send(self, data: bytes) -> None:
        """Write to its standard input; a message is far smaller than what a pipe holds."""
        try:
            while data:
                data = data[os.write(self._in, data) :]
        except (BrokenPipeError, OSError):
            return

    def line(self) -> bytes | None:
        """The next line of its standard output."""
        deadline = 0.0
        while True:
            end = self._buffer.find(b"\n", self._searched)
            if end >= 0:
                found = bytes(memoryview(self._buffer)[:end])
                del self._buffer[: end + 1]
                self._searched = 0
                return found
            if self._ended:
                return None
            self._searched = len(self._buffer)
            if self._searched > LONGEST:
                raise ForeignError(f"the referee printed a line of more than {LONGEST >> 20} MB")
            deadline = deadline or time.monotonic() + self.patience
            self._receive(deadline)

    def _receive(self, deadline: float) -> None:
        left = deadline - time.monotonic()
        ready = [pipe for pipe, _ in self._poll.poll(max(0.0, left) * 1000)]
        if not ready:
            raise ForeignError(f"the referee said nothing for {self.patience:g} s")
        if self._err in ready:
            self._read_errors()
        if self._out in ready:
            data = os.read(self._out, CHUNK)
            self._buffer += data
            if not data:
                self._ended = True

    def _read_errors(self) -> None:
        """Keep the end of what it writes to standard error; the rest is read away, or it would block."""
        with suppress(BlockingIOError):
            while data := os.read(self._err, CHUNK):
                self._stderr = (self._stderr + data)[-KEPT_STDERR:]
            with suppress(KeyError):
                self._poll.unregister(self._err)

    def complaint(self) -> str:
        """Its exit status, if it has ended, and the end of its standard error."""
        if self._closed:
            return ""
        if self._ended:
            with suppress(subprocess.TimeoutExpired):
                self.process.popen.wait(STATUS_SECONDS)
        self._read_errors()
        status = self.process.popen.poll()
        said = "\n".join(self._stderr.decode("utf-8", "replace").strip().split("\n")[-TOLD_LINES:])
        words = [] if status is None else [f"it ended with status {status}"]
        return "; ".join(words + [f"on standard error: {said}"] * bool(said))

    def release(self, well: bool) -> None:
        """It plays one game only."""
        self.close()

    def close(self) -> None:
        """Kill it with its children; closing it again does nothing."""
        if self._closed:
            return
        self._closed = self._ended = True
        self.process.end()

    def __del__(self) -> None:
        """A game that was given up without a word leaves no process behind; at the very end the process sees to it."""
        if hasattr(self, "process") and not sys.is_finalizing():
            self.close()
