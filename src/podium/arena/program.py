"""Any program as a bot: it reads the contest's protocol from its standard input and answers on its standard output.

A program is started once for a game, without a shell, as the leader of a process group of its own, and killed with all
its children at the end. Its pipes never block the arena: everything waits in one `poll` with a deadline, so a program
that hangs, floods, stops reading or closes its pipes costs no more than its own time, and nothing waits busily.

A judge reads one line for a prompt, or as many as the game wants, and leaves what follows in the pipe, where it answers
the next prompt; so does this one, and it says so.
"""

import errno
import os
import resource
import select
import signal
import subprocess
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass

from podium.arena import orphans
from podium.arena.limits import Verdict
from podium.arena.signals import signal_name, signals_held_back
from podium.arena.system import end_of
from podium.arena.waiting import Queue, own_waiting, taken_away
from podium.kernel.clock import MILLISECOND

LONGEST_LINE = 10_000  # bytes of one answer; the platform reads no more
MOST_PENDING = 65_536  # bytes that a program may print before they are asked for
STDERR_OF_A_TURN = 4096  # bytes kept, the first and the last half of what was written
STDERR_OF_A_GAME = 262_144  # bytes kept in all
FAREWELL_SECONDS = 0.1  # to end by itself after the game
STATUS_SECONDS = 0.2  # from closing the output to the exit status
MOST_PATIENCE = 10  # times its patience that the arena waits for a program that waits for a processor
CHUNK = 65_536

CPU_CLOCK_OF_PROCESS = 2  # CPUCLOCK_SCHED of a whole process, in the kernel's encoding of clock numbers


@dataclass(slots=True)
class Heard:
    """What came back for a prompt."""

    line: str | None
    milliseconds: float
    verdict: Verdict
    reason: str = ""  # for people, where the verdict alone does not tell
    cpu: float | None = None  # ms of processor time, of the program without its children
    stderr: str = ""
    waited: float = 0.0  # ms in the queue for a processor, the program's own and the arena's
    excused: bool = False  # it is late or silent, but would have been in time without that


class Program:
    """A running program. The caller closes it."""

    def __init__(
        self, argv: Sequence[str], memory: int = 0, seed: int = 0, suspend: bool = False, pipes: Sequence[int] = ()
    ) -> None:
        """Start it. OSError if it cannot start.

        `memory` is a limit in megabytes (address space), 0 for none. A suspended program sleeps while it is not asked.
        `pipes` are further file descriptors that it inherits.
        """
        self.suspend = suspend
        self.mark = orphans.new_mark()
        self.ended: tuple[Verdict, str] | None = None
        self.kept = 0  # bytes of standard error
        self.orphans = 0
        self._output = b""
        self._unsent = b""
        self._head = self._tail = b""
        self._lost = 0
        is_running = False
        try:
            with signals_held_back():
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
            env={**os.environ, orphans.MARK: self.mark, "PODIUM_SEED": str(seed)},
            start_new_session=True,
            pass_fds=pipes,
            preexec_fn=lambda: _prepare(memory),  # limits must hold before the program runs
        )
        orphans.started(self.process.pid)
        assert self.process.stdin and self.process.stdout and self.process.stderr
        self._in, self._out, self._err = (
            pipe.fileno() for pipe in (self.process.stdin, self.process.stdout, self.process.stderr)
        )
        self._poll = select.poll()
        for pipe in (self._in, self._out, self._err):
            os.set_blocking(pipe, False)
        self._poll.register(self._out, select.POLLIN)
        self._poll.register(self._err, select.POLLIN)
        self._exit = end_of(self.process)  # readable once the program has ended
        self._poll.register(self._exit, select.POLLIN)
        self._queue = Queue(str(self.process.pid))
        self._cpu_clock = (~self.process.pid << 3) | CPU_CLOCK_OF_PROCESS

    @property
    def is_idle(self) -> bool:
        """Whether it lives, and has neither printed nor been sent anything that is left in its pipes."""
        return not self._collect() and not self.ended and not self._output and not self._unsent

    def wait_for(self, pipe: int, seconds: float) -> bool:
        """Wait until a pipe can be read, the program ends or the time is over; whether it lives."""
        poll = select.poll()
        poll.register(pipe, select.POLLIN)
        poll.register(self._exit, select.POLLIN)
        return self._exit not in [ready for ready, _ in poll.poll(seconds * 1000)]

    def errors(self) -> str:
        """What it wrote to standard error since the last prompt."""
        self._read_errors()
        return self._errors_of_the_turn()

    def tell(self, lines: Sequence[str]) -> None:
        """Send lines that want no answer; what the pipe does not take goes with the next prompt."""
        self._unsent = self._send(self._unsent + _text(lines))

    def ask(self, lines: Sequence[str], patience: float, wanted: int = 1) -> Heard:
        """Send a prompt, and wait at most so many ms for the lines that answer it."""
        unasked = self._collect()
        cpu, waited = self._cpu(), (self._queue.waited(), own_waiting())
        if self.suspend:
            self._signal(signal.SIGCONT)
        text = self._unsent + _text(lines)
        start = time.perf_counter_ns()
        deadline = start + int(patience * MILLISECOND)
        text = self._send(text)
        while not self.ended and self._output.count(b"\n") < wanted and len(self._output) <= LONGEST_LINE:
            left = deadline - time.perf_counter_ns()
            if left <= 0:
                # what it has waited for a processor does not count as silence
                waiting = taken_away(waited[0], self._queue.waited())
                deadline = start + int(min(patience + waiting, MOST_PATIENCE * patience) * MILLISECOND)
                left = deadline - time.perf_counter_ns()
            if left <= 0:
                break
            text = self._wait(text, left)
        elapsed = (time.perf_counter_ns() - start) / MILLISECOND
        self._unsent = text
        if self.suspend:
            self._signal(signal.SIGSTOP)
        after = self._cpu()
        self._read_errors()
        heard = self._cut(elapsed, unasked, wanted)
        heard.waited = taken_away(waited[0], self._queue.waited()) + taken_away(waited[1], own_waiting())
        heard.cpu = after - cpu if cpu is not None and after is not None else None
        heard.stderr = self._errors_of_the_turn()
        return heard

    def _collect(self) -> bool:
        """Take in what was printed since the last prompt; whether a whole line was among it."""
        if not self.ended:
            self._read_output()
        return b"\n" in self._output

    def _send(self, text: bytes) -> bytes:
        """Write what the pipe takes; return the rest."""
        try:
            rest = text[os.write(self._in, text) :]
        except BlockingIOError:
            rest = text
        except (BrokenPipeError, ValueError):
            return b""  # it closed its input; it may answer all the same
        except OSError as error:
            if error.errno != errno.EBADF:
                raise
            return b""
        return rest

    def _wait(self, text: bytes, left: int) -> bytes:
        """Wait for output, for the end, or for room to send the rest of the prompt, at most so many ns."""
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
        elif self._exit in ready:  # its children may keep the output open
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
                self._end(Verdict.FLOOD, f"printed more than {MOST_PENDING:,} bytes that nobody asked for")
        else:
            self._poll.unregister(self._out)
            self._end(*self._how_it_ended())

    def _read_errors(self) -> None:
        """Keep the beginning and the end of what a turn writes; read the rest away, or the program would block."""
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

    def _cut(self, elapsed: float, unasked: bool, wanted: int) -> Heard:
        """The first lines of the output as the answer."""
        if self.ended and self.ended[0] is Verdict.FLOOD:
            return Heard(None, elapsed, *self.ended)
        *lines, rest = self._output.split(b"\n", wanted)
        raw = b"\n".join(line.removesuffix(b"\r") for line in lines)
        if len(lines) == wanted and len(raw) <= LONGEST_LINE:
            self._output = rest
            verdict = Verdict.EXTRA_LINES if b"\n" in rest else Verdict.ANSWERED
            reason = f"more than {_lines(wanted)} for a prompt" if verdict is Verdict.EXTRA_LINES else ""
            if unasked:
                verdict, reason = Verdict.EXTRA_LINES, "answered with a line printed before it was asked"
            line, clean = _decode(raw)
            if not clean:
                verdict, reason = Verdict.GARBAGE, "the answer is not text"
            return Heard(line, elapsed, verdict, reason)
        raw = self._output
        if len(raw) > LONGEST_LINE:
            self._end(Verdict.FLOOD, f"a line longer than {LONGEST_LINE:,} bytes")
        if self.ended:
            return Heard(None, elapsed, *self.ended)
        said = f"; unfinished {'line' if wanted == 1 else 'lines'} {raw[:60]!r}" if raw else ""
        return Heard(None, elapsed, Verdict.SILENT, f"nothing within {elapsed:.0f} ms{said}")

    def _end(self, verdict: Verdict, reason: str) -> None:
        if not self.ended:
            self.ended = (verdict, reason)

    def _how_it_ended(self) -> tuple[Verdict, str]:
        """Why the output is closed."""
        self._wait_for_exit(STATUS_SECONDS)
        status = self.process.poll()
        if status is None:
            return Verdict.CLOSED, "closed its standard output and lives on"
        if status == 0:
            return Verdict.EXITED, "ended with status 0 in the middle of the game"
        if status < 0:
            return Verdict.CRASHED, f"killed by signal {signal_name(-status)}"
        return Verdict.CRASHED, f"ended with status {status}"

    def _wait_for_exit(self, seconds: float) -> None:
        """Sleep until the program has ended, at most so long; it is not reaped."""
        poll = select.poll()
        poll.register(self._exit, select.POLLIN)
        poll.poll(seconds * 1000)

    def _cpu(self) -> float | None:
        try:
            return time.clock_gettime_ns(self._cpu_clock) / MILLISECOND
        except OSError:
            return None

    def _signal(self, number: signal.Signals) -> None:
        """Send a signal to the program and its children."""
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self.process.pid, number)

    def close(self, farewell: Sequence[str] = ()) -> str:
        """Say farewell, let it end by itself for a moment, then kill it and all its children.

        Returns what it wrote to standard error since the last prompt.
        """
        family = orphans.descendants(self.process.pid)  # before it ends by itself, and leaves them
        if self.process.returncode is None and not self.ended:
            self._signal(signal.SIGCONT)
            self._send(_text(farewell))
            assert self.process.stdin
            self.process.stdin.close()
            self._wait_for_exit(FAREWELL_SECONDS)
        family |= orphans.descendants(self.process.pid)
        self._signal(signal.SIGKILL)
        self.process.wait()
        orphans.ended(self.process.pid)
        self.orphans = orphans.kill_left_behind(self.process.pid, self.mark, family)
        self._read_errors()
        for pipe in (self.process.stdin, self.process.stdout, self.process.stderr):
            assert pipe
            pipe.close()
        os.close(self._exit)
        self._queue.close()
        return self._errors_of_the_turn()


def _prepare(memory: int) -> None:
    """In the child before the program starts: die with the arena, and keep to the memory limit."""
    orphans.die_with_parent()
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    if memory:
        resource.setrlimit(resource.RLIMIT_AS, (memory << 20, memory << 20))


def _lines(number: int) -> str:
    return "one line" if number == 1 else f"{number} lines"


def _text(lines: Sequence[str]) -> bytes:
    return "".join(f"{line}\n" for line in lines).encode()


def _decode(raw: bytes) -> tuple[str, bool]:
    """A line as text, and whether it is text."""
    try:
        line = raw.decode()
    except UnicodeDecodeError:
        return raw.decode("utf-8", "backslashreplace"), False
    return line, "\0" not in line
