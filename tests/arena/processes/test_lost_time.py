"""Time that the machine takes is counted once, and on a virtual machine also that which the hypervisor takes."""

import threading
import time
from types import SimpleNamespace

import pytest

from podium.arena.game import players
from podium.arena.game.limits import Clock, LatePolicy, TimeControl
from podium.arena.game.play import judged
from podium.arena.game.players import InProcessPlayer
from podium.arena.processes import lost_time
from podium.arena.processes.lost_time import ProgramMeter, StealCounters, lost_by_program, lost_by_thread, thread_times
from podium.games.game import AnswerVerdict, Bot, Request
from podium.kernel.clock import MILLISECOND

STAT = b"""cpu  200 0 90 9000 5 0 3 30 0 0
cpu0 100 0 50 5000 5 0 1 %d 0 0
cpu1 100 0 40 4000 0 0 2 20 0 0
intr 12345 1 2 3
"""


class Machine:
    """Faked clocks and counters of a machine, in ms."""

    def __init__(self, monkeypatch):
        self.clock = self.cpu = self.wait = self.arena_wait = self.steal = 0.0
        self.switches = 0
        clocks = SimpleNamespace(
            perf_counter_ns=lambda: int(self.clock * MILLISECOND),
            thread_time_ns=lambda: int(self.cpu * MILLISECOND),
            clock_gettime_ns=lambda clock: int(self.cpu * MILLISECOND),
        )
        usage = SimpleNamespace(getrusage=lambda who: SimpleNamespace(ru_nvcsw=self.switches), RUSAGE_THREAD=1)
        monkeypatch.setattr(lost_time, "time", clocks)
        monkeypatch.setattr(lost_time, "resource", usage)
        monkeypatch.setattr(lost_time, "RUSAGE_THREAD", 1)
        monkeypatch.setattr(lost_time, "own_wait_ms", lambda: self.arena_wait)
        monkeypatch.setattr(lost_time, "steal", SimpleNamespace(ms=lambda: {0: self.steal, 1: 7.0}))
        monkeypatch.setattr(ProgramMeter, "_core", lambda meter: 0)
        monkeypatch.setattr(lost_time.RunQueue, "wait_ms", lambda queue: self.wait)

    def run(self, cpu=0.0, wait=0.0, arena_wait=0.0, steal=0.0, sleep=0.0, overlap=0.0):
        """Let time pass, for each reason some of it; `overlap`: that program and arena wait in the same moment."""
        self.clock += cpu + wait + arena_wait + steal + sleep - overlap
        self.cpu += cpu
        self.wait += wait
        self.arena_wait += arena_wait
        self.steal += steal
        self.switches += bool(sleep)


@pytest.fixture
def machine(monkeypatch):
    return Machine(monkeypatch)


def measured(machine, **times):
    meter = ProgramMeter(1)
    machine.run(cpu=500, wait=40, arena_wait=30, steal=60)  # before the prompt
    meter.begin()
    start = machine.clock
    machine.run(**times)
    return meter.measured(machine.clock - start)


@pytest.mark.parametrize(
    ("times", "lost"),
    [
        ({"cpu": 50}, 0),
        ({"cpu": 50, "wait": 20}, 20),
        ({"cpu": 50, "wait": 20, "arena_wait": 10}, 30),  # one after the other
        ({"cpu": 50, "wait": 20, "arena_wait": 15, "overlap": 15}, 20),  # at the same time
        ({"cpu": 4, "wait": 12.1, "arena_wait": 12.3, "overlap": 12.1}, 12.3),
        ({"cpu": 50, "steal": 30}, 30),
        ({"cpu": 50, "wait": 20, "arena_wait": 5, "overlap": 5, "steal": 30}, 50),
        ({"cpu": 50, "sleep": 30}, 0),
        ({"cpu": 10, "sleep": 100, "steal": 30}, 30),
    ],
)
def test_each_moment_of_an_answer_is_counted_once(machine, times, lost):
    cpu, found = measured(machine, **times)
    assert (cpu, found) == pytest.approx((times["cpu"], lost))


def test_more_is_never_lost_than_the_answer_took():
    assert lost_by_program(16.3, None, 12.1, 12.3, lambda: 50.0) == pytest.approx(16.3)
    assert lost_by_program(16.3, 40.0, 30.0, 1.0, lambda: 50.0) == pytest.approx(16.3)  # several threads


def test_steal_counts_only_in_place_of_time_that_the_program_did_not_run(machine):
    """The counters are those of a processor, and nobody knows when the program was on it: its own time does."""
    machine.steal = 0.0
    meter = ProgramMeter(1)
    meter.begin()
    machine.steal += 70.0
    machine.run(cpu=60)
    assert meter.measured(60.0) == pytest.approx((60.0, 0.0))


@pytest.mark.parametrize(
    ("times", "lost"),
    [
        ({"cpu": 50}, 0),
        ({"cpu": 50, "steal": 25}, 25),
        ({"cpu": 50, "arena_wait": 10, "steal": 25}, 35),
        ({"cpu": 50, "sleep": 40}, 0),
        ({"cpu": 50, "sleep": 40, "arena_wait": 10}, 10),
    ],
)
def test_a_bot_of_this_process_loses_what_is_not_its_processor_time_unless_it_slept(machine, times, lost):
    before = (*thread_times()[:2], b"0 0 0")
    start = machine.clock
    machine.run(**times)
    assert lost_by_thread(before, machine.clock - start) == pytest.approx(lost)


def test_steal_is_read_for_each_processor_once_in_a_tick(monkeypatch):
    counters, content, reads = StealCounters(), [STAT % 10], []
    present = [0]
    monkeypatch.setattr(lost_time.time, "perf_counter_ns", lambda: present[0])
    monkeypatch.setattr(lost_time.os, "pread", lambda *words: reads.append(1) or content[0])
    counters._file = 3
    assert counters.ms() == {0: 100.0, 1: 200.0}
    content[0] = STAT % 17
    present[0] += lost_time.TICK - 1
    assert counters.ms() == {0: 100.0, 1: 200.0}
    present[0] += 1
    assert counters.ms() == {0: 170.0, 1: 200.0}
    assert len(reads) == 2


def test_a_thread_that_computes_loses_little_and_one_that_sleeps_nothing():
    """With the clocks of this machine, whatever else it does."""
    before, start = thread_times(), time.perf_counter()
    while time.thread_time_ns() - before[0] < 20 * MILLISECOND:
        pass
    elapsed = (time.perf_counter() - start) * 1000
    assert elapsed - lost_by_thread(before, elapsed) == pytest.approx(20, abs=2)
    before, start = thread_times(), time.perf_counter()
    threading.Event().wait(0.05)
    elapsed = (time.perf_counter() - start) * 1000
    assert elapsed - lost_by_thread(before, elapsed) >= 49


@pytest.mark.parametrize(
    ("times", "excused"),
    [
        ({"cpu": 40, "steal": 30}, True),
        ({"cpu": 40, "arena_wait": 15, "steal": 15}, True),
        ({"cpu": 60, "steal": 10}, False),  # it would have been late all the same
        ({"cpu": 40, "sleep": 30}, False),
    ],
)
def test_a_late_bot_is_excused_if_it_did_not_get_the_processor_time_of_its_limit(machine, monkeypatch, times, excused):
    class Slow(Bot):
        def reply(self, lines, budget):
            machine.run(**times)
            return "5"

    monkeypatch.setattr(players, "now", lambda: int(machine.clock * MILLISECOND))
    monkeypatch.setattr(lost_time.RunQueue, "read", lambda queue: b"0 0 0")
    request, clock = Request(0, ["go"], 50.0), Clock(TimeControl(policy=LatePolicy.STRICT))
    clock.start(request)
    turn = judged(request, InProcessPlayer(Slow()).ask(request, clock), clock, True, None)
    assert (turn.verdict, turn.line, turn.excused) == (AnswerVerdict.LATE, None, excused)
    assert turn.evidence.get("lost_ms", 0) == pytest.approx(70 - times["cpu"] if excused else 0)
