"""Any program as a bot: it reads the contest's protocol from standard input and answers on standard output.

A program is started once for a game, without a shell, as the leader of a process group, and killed with all its
descendants at the end. Its pipes never block the arena: all waiting is done in one `poll` with a deadline, so a program
that hangs, floods, stops reading or closes its pipes costs no more than its time, and the arena never waits busily.

Like a contest's judge, the arena reads one line for a prompt, or as many as the game wants. Lines beyond that stay in
the pipe and answer the next prompt; the verdict says so.
"""

import errno
import os
import resource
import select
import signal
import subprocess
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from types import MappingProxyType
from typing import Any

import msgspec

from podium.arena.processes import reaper
from podium.arena.processes.lost_time import ProgramMeter
from podium.arena.processes.system import deferred_signals, exit_descriptor, signal_name
from podium.games.game import AnswerVerdict
from podium.kernel.clock import MILLISECOND

LONGEST_LINE = 10_000  # bytes of one answer; the platform reads no more
MOST_PENDING = 65_536  # bytes that a program may print ahead of the prompts
UNFINISHED = 60  # bytes kept of a line without an end
STDERR_OF_A_TURN = 4096  # bytes kept: half of them the first, half the last that were written
STDERR_OF_A_GAME = 262_144  # bytes kept in all
FAREWELL_SECONDS = 0.1  # that a program has to exit after the game
STATUS_SECONDS = 0.2  # from closing the output to the exit status
MOST_PATIENCE = 10  # the wait for a program that gets no processor is at most this multiple of `patience`
CHUNK = 65_536


class Reply(msgspec.Struct, frozen=True):
    """What came back for a prompt, before anybody compares it with the time limit."""

    line: str | None
    milliseconds: float
    verdict: AnswerVerdict = AnswerVerdict.ANSWERED
    evidence: Mapping[str, Any] = MappingProxyType({})  # for the verdict, as plain data
    cpu_ms: float | None = None  # processor time of the program, without its children
    lost_ms: float = 0.0  # what the machine took of the time (see `lost_time`)
    stderr: str = ""


class Program:
    """A running program. The caller closes it."""

    def __init__(
        self, argv: Sequence[str], memory: int = 0, seed: int = 0, suspend: bool = False, pipes: Sequence[int] = ()
    ) -> None:
        """Start it; OSError if it cannot start.

        `memory` is a limit in MB (of the address space), 0 for none. With `suspend` it sleeps except while it is asked.
        `pipes` are further file descriptors that it inherits.
        """
        self.suspend = suspend
        self.mark = reaper.new_mark()
        self.ended: tuple[AnswerVerdict, Mapping[str, Any]] | None = None
        self.kept = 0  # bytes of standard error
        self.orphans = 0
        self._output = b""
        self._unsent = b""
        self._head = self._tail = b""
        self._lost = 0
        is_running = False
        try:
            with deferred_signals():
                self._start([word.replace("{seed}", str(seed)) for word in argv], seed, memory, pipes)
                is_running = True
        except BaseException:
            if is_running:
                self.close()
            raise

    def _start(self, argv: Sequence[str], seed: int, memory: int, pipes: Sequence[int]) -> None:
        self.process = subprocess.Popen(
            argv,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            bufsize=0,
            env={**os.environ, reaper.MARK: self.mark, "PODIUM_SEED": str(seed)},
            start_new_session=True,
            pass_fds=pipes,
            preexec_fn=lambda: _prepare(memory),  # limits must hold before the program runs
        )
        reaper.register(self.process.pid)
        assert self.process.stdin and self.process.stdout and self.process.stderr
        self._in, self._out, self._err = (
            pipe.fileno() for pipe in (self.process.stdin, self.process.stdout, self.process.stderr)
        )
        self._poll = select.poll()
        for pipe in (self._in, self._out, self._err):
            os.set_blocking(pipe, False)
        self._poll.register(self._out, select.POLLIN)
        self._poll.register(self._err, select.POLLIN)
        self._exit = exit_descriptor(self.process)  # readable once the program has ended
        self._poll.register(self._exit, select.POLLIN)
        self.meter = ProgramMeter(self.process.pid)

    @property
    def is_idle(self) -> bool:
        """Whether it runs, and nothing is left in its pipes in either direction."""
        return not self._collect() and not self.ended and not self._output and not self._unsent

    def wait_for(self, pipe: int, seconds: float) -> bool:
        """Wait until a pipe can be read, the program ends or the time is over; returns whether it still runs."""
        poll = select.poll()
        poll.register(pipe, select.POLLIN)
        poll.register(self._exit, select.POLLIN)
        return self._exit not in [ready for ready, _ in poll.poll(seconds * 1000)]

    def errors(self) -> str:
        """Its standard error since the last prompt."""
        self._read_errors()
        return self._errors_of_the_turn()

    def tell(self, lines: Sequence[str]) -> None:
        """Send lines that want no answer; what does not fit into the pipe is sent with the next prompt."""
        self._unsent = self._send(self._unsent + _text(lines))

    def ask(self, lines: Sequence[str], patience: float, wanted: int = 1) -> Reply:
        """Send a prompt, and wait at most `patience` ms for the `wanted` lines of its answer."""
        unasked = self._collect()
        text = self._unsent + _text(lines)
        if self.suspend:
            self._signal(signal.SIGCONT)
        self.meter.begin()
        start = time.perf_counter_ns()
        deadline = start + int(patience * MILLISECOND)
        text = self._send(text)
        while not self.ended and self._output.count(b"\n") < wanted and len(self._output) <= LONGEST_LINE:
            left = deadline - time.perf_counter_ns()
            if left <= 0:
                # a program without a processor is not silent
                _, lost = self.meter.measured((time.perf_counter_ns() - start) / MILLISECOND)
                deadline = start + int(min(patience + lost, MOST_PATIENCE * patience) * MILLISECOND)
                left = deadline - time.perf_counter_ns()
            if left <= 0:
                break
            text = self._wait(text, left)
        elapsed = (time.perf_counter_ns() - start) / MILLISECOND
        cpu, lost = self.meter.measured(elapsed)
        self._unsent = text
        if self.suspend:
            self._signal(signal.SIGSTOP)
        self._read_errors()
        line, verdict, evidence = self._cut(elapsed, unasked, wanted)
        return Reply(line, elapsed, verdict, evidence, cpu, lost, self._errors_of_the_turn())

    def _collect(self) -> bool:
        """Read what was printed since the last prompt; returns whether it contains a whole line."""
        if not self.ended:
            self._read_output()
        return b"\n" in self._output

    def _send(self, text: bytes) -> bytes:
        """Write what fits into the pipe; returns the rest."""
        try:
            rest = text[os.write(self._in, text) :]
        except BlockingIOError:
            rest = text
        except (BrokenPipeError, ValueError):
            return b""  # it closed its input, but may still answer
        except OSError as error:
            if error.errno != errno.EBADF:
                raise
            return b""
        return rest

    def _wait(self, text: bytes, left: int) -> bytes:
        """Wait at most `left` ns for output, for the end, or for room to send the rest of the prompt."""
        if text:
            self._poll.register(self._in, select.POLLOUT)
        ready = [pipe for pipe, _ in self._poll.poll(-(-left // MILLISECOND))]
        if text:
            self._poll.unregister(self._in)
            if self._in in ready:
                text = self._send(text)
        if self._err in ready:
            self._read_errors()
        if self._out in ready:
            self._read_output()
        elif self._exit in ready:  # children may hold the output open
            self._end(*self._how_it_ended())
        return text

    def _read_output(self) -> None:
        try:
            data = os.read(self._out, CHUNK)
        except BlockingIOError:
            return
        if data:
            self._output += data
            if len(self._output) > MOST_PENDING:
                self._end(AnswerVerdict.FLOOD, {"pending_bytes": MOST_PENDING})
        else:
            self._poll.unregister(self._out)
            self._end(*self._how_it_ended())

    def _read_errors(self) -> None:
        """Empty the pipe of standard error, or the program would block; keep the first and last bytes of a turn."""
        while True:
            try:
                data = os.read(self._err, CHUNK)
            except (BlockingIOError, ValueError, OSError):
                return
            if not data:
                with suppress(KeyError):
                    self._poll.unregister(self._err)
                return
            half = STDERR_OF_A_TURN // 2
            room = half - len(self._head)
            self._head += data[: max(room, 0)]
            tail = self._tail + data[max(room, 0) :]
            self._lost += max(0, len(tail) - half)
            self._tail = tail[-half:]
            if len(data) < CHUNK:
                return

    def _errors_of_the_turn(self) -> str:
        if not self._head:
            return ""
        left_out = f"\n... {self._lost:,} bytes left out ...\n".encode() if self._lost else b""
        data = self._head + left_out + self._tail
        self._head = self._tail = b""
        self._lost = 0
        data = data[: max(0, STDERR_OF_A_GAME - self.kept)]
        self.kept += len(data)
        return data.decode("utf-8", "backslashreplace")

    def _cut(self, elapsed: float, unasked: bool, wanted: int) -> tuple[str | None, AnswerVerdict, Mapping[str, Any]]:
        """The first lines of the output as the answer, and the verdict on it with its evidence."""
        if self.ended and self.ended[0] is AnswerVerdict.FLOOD:
            return None, *self.ended
        *lines, rest = self._output.split(b"\n", wanted)
        raw = b"\n".join(line.removesuffix(b"\r") for line in lines)
        if len(lines) == wanted and len(raw) <= LONGEST_LINE:
            self._output = rest
            line, clean = _decode(raw)
            if not clean:
                return line, AnswerVerdict.GARBAGE, {}
            if unasked:
                return line, AnswerVerdict.EXTRA_LINES, {"unasked": True}
            if b"\n" in rest:
                return line, AnswerVerdict.EXTRA_LINES, {"wanted": wanted}
            return line, AnswerVerdict.ANSWERED, {}
        raw = self._output
        if len(raw) > LONGEST_LINE:
            self._end(AnswerVerdict.FLOOD, {"line_bytes": LONGEST_LINE})
        if self.ended:
            return None, *self.ended
        unfinished = {"unfinished": _decode(raw[:UNFINISHED])[0]} if raw else {}
        return None, AnswerVerdict.SILENT, {"ms": elapsed, **unfinished}

    def _end(self, verdict: AnswerVerdict, evidence: Mapping[str, Any]) -> None:
        if not self.ended:
            self.ended = (verdict, evidence)

    def _how_it_ended(self) -> tuple[AnswerVerdict, Mapping[str, Any]]:
        """The verdict on a program that has closed its output, with its evidence."""
        self._wait_for_exit(STATUS_SECONDS)
        status = self.process.poll()
        if status is None:
            return AnswerVerdict.CLOSED_OUTPUT, {}
        if status == 0:
            return AnswerVerdict.EXITED, {}
        if status < 0:
            return AnswerVerdict.CRASHED, {"signal": signal_name(-status)}
        return AnswerVerdict.CRASHED, {"status": status}

    def _wait_for_exit(self, seconds: float) -> None:
        """Sleep until the program has ended, or the time is over; it is not reaped."""
        poll = select.poll()
        poll.register(self._exit, select.POLLIN)
        poll.poll(seconds * 1000)

    def _signal(self, number: signal.Signals) -> None:
        """Send a signal to the program and its process group."""
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self.process.pid, number)

    def close(self, farewell: Sequence[str] = ()) -> str:
        """Send the farewell lines, give it a moment to exit, then kill it and all its descendants.

        Returns its standard error since the last prompt.
        """
        family = reaper.descendants(self.process.pid)  # before it exits and leaves them
        if self.process.returncode is None and not self.ended:
            self._signal(signal.SIGCONT)
            self._send(_text(farewell))
            assert self.process.stdin
            self.process.stdin.close()
            self._wait_for_exit(FAREWELL_SECONDS)
        family |= reaper.descendants(self.process.pid)
        self._signal(signal.SIGKILL)
        self.process.wait()
        reaper.unregister(self.process.pid)
        self.orphans = reaper.kill_left_behind(self.process.pid, self.mark, family)
        self._read_errors()
        for pipe in (self.process.stdin, self.process.stdout, self.process.stderr):
            assert pipe
            pipe.close()
        os.close(self._exit)
        self.meter.close()
        return self._errors_of_the_turn()


def _prepare(memory: int) -> None:
    """In the child before exec: die with the arena, no core dumps, and the memory limit."""
    reaper.die_with_parent()
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    if memory:
        resource.setrlimit(resource.RLIMIT_AS, (memory << 20, memory << 20))


def _text(lines: Sequence[str]) -> bytes:
    return "".join(f"{line}\n" for line in lines).encode()


def _decode(raw: bytes) -> tuple[str, bool]:
    """A line as text, and whether it was valid text."""
    try:
        line = raw.decode()
    except UnicodeDecodeError:
        return raw.decode("utf-8", "backslashreplace"), False
    return line, "\0" not in line
