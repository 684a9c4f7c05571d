"""Lost time: what the machine took from an answer, while the bot wanted to run and did not.

* Run-queue wait: the processor served another process. Linux counts it for every thread (`schedstat`: time on a
  processor, time in the queue for one, number of times on one).
* Steal: on a virtual machine the processor itself stood still, because the hypervisor served another guest. The clock
  goes on meanwhile, but neither the processor time nor the run-queue wait of the thread. Linux counts it for every
  processor (`steal` in /proc/stat).

A moment is counted once, even if program and arena both waited in it. Where the system does not report these times, no
time counts as lost, nor in answers that took less than 1 ms: reading the counters would take longer than most of them.
"""

import os
import resource
import time
from collections.abc import Callable
from functools import cache
from threading import get_native_id

from podium.kernel.clock import MILLISECOND, SECOND

SCHEDSTAT_BYTES = 100
STAT_BYTES = 1 << 16
STEAL = 7  # index of the field in a line of /proc/stat, counted after the name
PROCESSOR = 36  # index of the field in /proc/PID/stat, counted after the name
TICK = SECOND // os.sysconf("SC_CLK_TCK")  # ns, the resolution of /proc/stat
CPU_CLOCK_OF_PROCESS = 2  # CPUCLOCK_SCHED of a whole process, in the kernel's encoding of clock numbers
SHORTEST = 1.0  # ms of an answer in which lost time is looked for
RUSAGE_THREAD = getattr(resource, "RUSAGE_THREAD", None)  # only Linux has it


class RunQueue:
    """The run-queue wait of one thread; of a program it is that of its first thread."""

    def __init__(self, thread: str) -> None:
        """Watch `thread-self`, or a process by its id."""
        self._file = _opened(f"/proc/{thread}/schedstat")

    def read(self) -> bytes:
        """The counters of the thread; empty where they are not known."""
        try:
            return b"" if self._file is None else os.pread(self._file, SCHEDSTAT_BYTES, 0)
        except OSError:  # it has ended
            return b""

    def wait_ms(self) -> float:
        """The wait up to now in ms; 0 where it is not known."""
        return _wait_ms(self.read())

    def close(self) -> None:
        """Stop watching; closing it again does nothing."""
        if self._file is not None:
            os.close(self._file)
            self._file = None


def _opened(path: str) -> int | None:
    try:
        return os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    except OSError:
        return None


def _wait_ms(schedstat: bytes) -> float:
    words = schedstat.split()
    return int(words[1]) / MILLISECOND if len(words) > 1 else 0.0


@cache
def _queue_of(thread: int) -> RunQueue:
    return RunQueue("thread-self")


def own_wait_ms() -> float:
    """The run-queue wait of this thread up to now in ms; 0 where it is not known."""
    return _queue_of(get_native_id()).wait_ms()


ThreadTimes = tuple[int, int, bytes]  # processor time (ns), voluntary switches (it slept or blocked), schedstat


def thread_times() -> ThreadTimes | None:
    """Counters of this thread now, for `lost_by_thread`; None where they are not known."""
    if RUSAGE_THREAD is None:
        return None
    return time.thread_time_ns(), resource.getrusage(RUSAGE_THREAD).ru_nvcsw, _queue_of(get_native_id()).read()


def lost_by_thread(before: ThreadTimes | None, elapsed: float) -> float:
    """The lost time of this thread in ms, over the `elapsed` ms since `before`.

    A thread that has never slept wanted to run all the time: what is not its processor time was taken from it. If it
    has slept, only its run-queue wait is known.
    """
    if before is None or elapsed < SHORTEST:
        return 0.0
    cpu, switches, schedstat = before
    idle = max(0.0, elapsed - (time.thread_time_ns() - cpu) / MILLISECOND)
    if resource.getrusage(resource.RUSAGE_THREAD).ru_nvcsw == switches:
        return idle
    return min(idle, max(0.0, own_wait_ms() - _wait_ms(schedstat)))


class StealCounters:
    """The steal of all processors. Reading it takes microseconds, so it is read once in a tick at most."""

    def __init__(self) -> None:
        self._file = _opened("/proc/stat")
        self._read_at = -TICK
        self._steal: dict[int, float] = {}

    def ms(self) -> dict[int, float]:
        """The steal of each processor up to now, in ms."""
        present = time.perf_counter_ns()
        if self._file is not None and present - self._read_at >= TICK:
            self._read_at = present
            self._steal = _steal_ms(os.pread(self._file, STAT_BYTES, 0))
        return self._steal


def _steal_ms(stat: bytes) -> dict[int, float]:
    """The steal of each processor in /proc/stat, in ms."""
    found = {}
    for line in stat.split(b"\n"):
        name, *counts = line.split() or [b""]
        if name.startswith(b"cpu") and name != b"cpu" and len(counts) > STEAL:
            found[int(name[3:])] = int(counts[STEAL]) * TICK / MILLISECOND
        elif not name.startswith(b"cpu"):
            break
    return found


steal = StealCounters()


def lost_by_program(
    elapsed: float, cpu: float | None, program_wait: float, arena_wait: float, stolen: Callable[[], float]
) -> float:
    """The lost time of an answer in ms, from the run-queue waits of the program and of the arena, and from steal.

    Both may have waited in the same moment. So the sum of their waits counts only as far as it fits into the time in
    which the program did not run (`elapsed` without its processor time `cpu`); the longer one counts in any case. What
    then remains of that time was stolen, as far as the counters of steal say so; else the program slept.
    """
    program_wait, arena_wait = max(0.0, program_wait), max(0.0, arena_wait)
    idle = elapsed if cpu is None else max(0.0, elapsed - cpu)
    waits = min(program_wait + arena_wait, max(program_wait, arena_wait, idle), elapsed)
    rest = idle - waits
    if rest * MILLISECOND < TICK:  # less than the counters can show
        return waits
    return waits + min(rest, max(0.0, stolen()))


class ProgramMeter:
    """Measures the processor time and the lost time of a program, from one prompt to its answer."""

    def __init__(self, process: int) -> None:
        """Watch a process by its id."""
        self.process = process
        self._queue = RunQueue(str(process))
        self._cpu_clock = (~process << 3) | CPU_CLOCK_OF_PROCESS
        self._cpu: float | None = None
        self._waits = (0.0, 0.0)
        self._steal: dict[int, float] = {}

    def begin(self) -> None:
        """Begin to measure: a prompt is about to be sent."""
        self._steal = steal.ms()
        self._cpu = self.cpu_ms()
        self._waits = self._queue.wait_ms(), own_wait_ms()

    def measured(self, elapsed: float) -> tuple[float | None, float]:
        """Processor time and lost time in ms, over the `elapsed` ms since `begin`."""
        now = self.cpu_ms()
        cpu = now - self._cpu if now is not None and self._cpu is not None else None
        if elapsed < SHORTEST:
            return cpu, 0.0
        waits = self._queue.wait_ms() - self._waits[0], own_wait_ms() - self._waits[1]
        return cpu, lost_by_program(elapsed, cpu, *waits, self._stolen)

    def cpu_ms(self) -> float | None:
        """The processor time of the program up to now in ms; None if it has ended."""
        try:
            return time.clock_gettime_ns(self._cpu_clock) / MILLISECOND
        except OSError:
            return None

    def _stolen(self) -> float:
        """The steal of the program's processor since `begin`, in ms."""
        core = self._core()
        return steal.ms().get(core, 0.0) - self._steal.get(core, 0.0)

    def _core(self) -> int:
        """The processor on which the program ran last; -1 if it is not known."""
        try:
            with open(f"/proc/{self.process}/stat") as file:
                return int(file.read().rpartition(")")[2].split()[PROCESSOR])
        except (OSError, ValueError, IndexError):
            return -1

    def close(self) -> None:
        """Stop watching; closing it again does nothing."""
        self._queue.close()
