"""The process of an external referee, and the channel of lines to it: no read waits longer than its timeout."""

import os
import select
import signal
import subprocess
import sys
import time
from abc import ABC, abstractmethod
from collections.abc import Sequence
from contextlib import suppress

from podium.arena.processes import reaper
from podium.arena.processes.system import deferred_signals
from podium.referees.messages import ExternalRefereeError

PATIENCE = 150.0  # seconds: the platform's own limit for one message of a referee
CHUNK = 1 << 16
LONGEST = 64 << 20  # bytes of a line; a view has a hundred thousand
KEPT_STDERR = 8192  # bytes, the last ones
SHOWN_LINES = 8  # of standard error, in the reason of a failure
STATUS_SECONDS = 1.0  # from closing the output to the exit status


def last_lines(stderr: str) -> str:
    """The last lines of a standard error stream, as they are quoted in the reason of a failure."""
    return "\n".join(stderr.strip().split("\n")[-SHOWN_LINES:])


class RefereeProcess:
    """A program behind pipes, in a session of its own. It dies with the arena; the caller ends it."""

    def __init__(self, argv: Sequence[str], reads_input: bool = True) -> None:
        """Start it; ExternalRefereeError if it cannot start. Without `reads_input` its standard input is empty."""
        self.mark = reaper.new_mark()
        self._ended = False
        try:
            with deferred_signals():
                self.popen = subprocess.Popen(
                    list(argv),
                    stdin=subprocess.PIPE if reads_input else subprocess.DEVNULL,
                    stdout=subprocess.PIPE,
                    stderr=subprocess.PIPE,
                    bufsize=0,
                    env={**os.environ, reaper.MARK: self.mark},
                    start_new_session=True,
                    preexec_fn=reaper.die_with_parent,
                )
                reaper.register(self.popen.pid)
        except OSError as error:
            raise ExternalRefereeError(f"cannot start {argv[0]}: {error.strerror or error}") from None

    @property
    def pid(self) -> int:
        """The process id of the referee."""
        return self.popen.pid

    def end(self) -> None:
        """Kill it with all its descendants; ending it again does nothing."""
        if self._ended:
            return
        self._ended = True
        family = reaper.descendants(self.pid) if self.popen.returncode is None else set()
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self.pid, signal.SIGKILL)
        self.popen.wait()
        reaper.unregister(self.pid)
        reaper.kill_left_behind(self.pid, self.mark, family)
        for pipe in (self.popen.stdin, self.popen.stdout, self.popen.stderr):
            if pipe:
                with suppress(OSError):
                    pipe.close()


class Channel(ABC):
    """Lines to and from a referee."""

    @abstractmethod
    def send(self, data: bytes) -> None:
        """Send lines. A referee that has closed its input is no error: what it still prints counts."""

    @abstractmethod
    def line(self) -> bytes | None:
        """The next line without its LF, None at the end of the stream. ExternalRefereeError if none comes in time."""

    def complaint(self) -> str:
        """Exit status and last lines of standard error, to explain a failure; "" if there is nothing to say."""
        return ""

    def release(self, reusable: bool) -> None:  # noqa: B027 - a recording holds nothing
        """Give the channel up after a game; releasing it again does nothing.

        `reusable`: the game ended in good order, so the process behind the channel may play another one.
        """


class ProcessChannel(Channel):
    """A channel to a program, for one game or many; `close` kills the program with its descendants."""

    def __init__(self, argv: Sequence[str], patience: float = PATIENCE) -> None:
        """Start the program; `patience` is the timeout of each line in seconds."""
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
        """Whether it runs and its output is open."""
        return not self._ended and self.process.popen.poll() is None

    def send(self, data: bytes) -> None:
        """Write to its standard input; a message is far smaller than the buffer of a pipe."""
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
                raise ExternalRefereeError(f"the referee printed a line of more than {LONGEST >> 20} MB")
            deadline = deadline or time.monotonic() + self.patience
            self._receive(deadline)

    def _receive(self, deadline: float) -> None:
        left = deadline - time.monotonic()
        ready = [pipe for pipe, _ in self._poll.poll(max(0.0, left) * 1000)]
        if not ready:
            raise ExternalRefereeError(f"the referee said nothing for {self.patience:g} s")
        if self._err in ready:
            self._read_stderr()
        if self._out in ready:
            data = os.read(self._out, CHUNK)
            self._buffer += data
            if not data:
                self._ended = True

    def _read_stderr(self) -> None:
        """Empty the pipe of standard error, or the referee would block; only the end is kept."""
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
        self._read_stderr()
        status = self.process.popen.poll()
        stderr = last_lines(self._stderr.decode("utf-8", "replace"))
        parts = [] if status is None else [f"it ended with status {status}"]
        return "; ".join(parts + [f"on standard error: {stderr}"] * bool(stderr))

    def release(self, reusable: bool) -> None:
        """Close it in any case: such a program plays one game only."""
        self.close()

    def close(self) -> None:
        """Kill the program with its descendants; closing it again does nothing."""
        if self._closed:
            return
        self._closed = self._ended = True
        self.process.end()

    def __del__(self) -> None:
        """Kill the program of a game that was abandoned; at interpreter exit it dies with this process anyway."""
        if hasattr(self, "process") and not sys.is_finalizing():
            self.close()
