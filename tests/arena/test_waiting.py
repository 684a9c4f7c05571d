"""What a busy machine takes from bots: seen, told, and with --fair not held against them."""

import os
import subprocess
import sys

import pytest

from podium.arena.conditions import Conditions, conditions_from
from podium.arena.limits import Allowance, Clock, Policy, Verdict
from podium.arena.match import Match
from podium.arena.play import _excuse
from podium.arena.program import Heard, Program
from podium.arena.waiting import Queue, own_waiting

LIMIT = 100.0
BUSY = "while True: pass"
# Answers each prompt after so many ms of its own processor time.
WORKER = """
import sys, time
for line in sys.stdin:
    end = time.process_time() + float(sys.argv[1]) / 1000
    while time.process_time() < end: pass
    print(5, flush=True)
"""

counted = pytest.mark.skipif(not os.path.exists("/proc/self/schedstat"), reason="this system does not count waiting")


@pytest.fixture
def crowd():
    """Three other programs on the one core on which everything that follows runs."""
    usual = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {min(usual)})
    others = [subprocess.Popen([sys.executable, "-S", "-E", "-c", BUSY]) for _ in range(3)]
    yield
    for other in others:
        other.kill()
        other.wait()
    os.sched_setaffinity(0, usual)


def heard(milliseconds, waited, verdict=Verdict.LATE, cpu=None):
    return Heard("5", milliseconds, verdict, "", cpu, waited=waited)


def judged(*answers):
    """Whether each of the answers, one after the other in a game, is excused."""
    clock = Clock(Allowance(LIMIT, policy=Policy.SOFT))
    clock.limit = LIMIT
    for answer in answers:
        _excuse(answer, clock)
    return [answer.excused for answer in answers]


@pytest.mark.parametrize(
    ("answer", "excused"),
    [
        (heard(180, waited=90), True),
        (heard(180, waited=70), False),  # it would have been late all the same
        (heard(180, waited=0), False),  # it slept, or computed
        (heard(180, waited=90, cpu=60), True),
        (heard(180, waited=90, cpu=240), False),  # it stood in its own way, with threads of its own
    ],
)
def test_only_what_the_machine_took_is_excused(answer, excused):
    assert judged(answer) == [excused]


def test_the_third_overrun_is_excused_if_one_of_the_three_was():
    forgiven = heard(120, waited=40, verdict=Verdict.OVERRUN)
    assert judged(forgiven, heard(120, waited=0)) == [False, True]
    assert judged(heard(120, waited=0, verdict=Verdict.OVERRUN), heard(120, waited=0)) == [False, False]


def test_nothing_is_known_where_the_system_does_not_tell(monkeypatch):
    monkeypatch.setattr(os, "open", lambda *_: (_ for _ in ()).throw(FileNotFoundError))
    queue = Queue("thread-self")
    assert queue.waited() == 0.0
    queue.close()


@counted
def test_a_program_that_waits_for_a_busy_core_is_seen_to_wait(crowd):
    program = Program([sys.executable, "-S", "-E", "-c", WORKER, "50"])
    try:
        program.ask(["begin"], 10_000)
        answer = program.ask(["go on"], 10_000)
    finally:
        program.close()
    assert answer.milliseconds > 75
    assert 0.5 * (answer.milliseconds - 50) < answer.waited <= 1.1 * answer.milliseconds
    assert answer.milliseconds - answer.waited < LIMIT


@counted
def test_a_program_that_sleeps_is_not_excused(crowd):
    program = Program([sys.executable, "-S", "-E", "-c", "import time; input(); time.sleep(0.2); print(5)"])
    try:
        answer = program.ask(["begin"], 10_000)
    finally:
        program.close()
    assert answer.milliseconds - answer.waited > 150


@counted
def test_a_program_that_never_answers_gets_no_more_than_its_own_time(crowd):
    program = Program([sys.executable, "-S", "-E", "-c", "input()\nwhile True: pass"])
    try:
        answer = program.ask(["begin"], 300)
    finally:
        program.close()
    assert answer.verdict is Verdict.SILENT
    assert 300 < answer.milliseconds < 10 * 300 + 1000


@counted
def test_the_arena_sees_its_own_waiting(crowd):
    before = own_waiting()
    for _ in range(3_000_000):
        pass
    assert own_waiting() > before


@counted
def test_blocks_that_the_machine_spoiled_are_void_and_others_are_played(toys, tmp_path, monkeypatch):
    """The first game of the first two rounds is decided by a busy machine; the match counts all the same games."""
    import podium.arena.work as work

    spoilt = []

    def play(referee, players, allowance, record, handicaps):
        outcome = usual(referee, players, allowance, record, handicaps)
        if len(spoilt) < 2:
            spoilt.append(record)
            record.verdicts[0] = ("late", "180.0 ms instead of 100.0; the machine took 90 ms of them")
            record.excused.append(0)
        return outcome

    usual = work.play_game
    monkeypatch.setattr(work, "play_game", play)
    with Match("duel", "namer", "namer:noise=3", games=6, time=LIMIT, fair=True, store=tmp_path / "fair.db") as match:
        report = match.play(jobs=1)
    assert report.games == 6
    assert report.finished == 8  # both games of the spoiled block are stored
    assert report.spoiled == 2
    assert any("because the machine made a bot late (see g1)" in warning for warning in report.warnings)
    with Match("duel", "namer", "namer:noise=3", games=6, time=LIMIT, fair=True, store=tmp_path / "fair.db") as match:
        assert match.enough
        assert match.report().spoiled == 2


def test_without_fair_it_is_only_told(toys, tmp_path, monkeypatch):
    import podium.arena.work as work

    def play(referee, players, allowance, record, handicaps):
        outcome = usual(referee, players, allowance, record, handicaps)
        record.verdicts[0] = ("late", "180.0 ms instead of 100.0")
        record.excused.append(0)
        return outcome

    usual = work.play_game
    monkeypatch.setattr(work, "play_game", play)
    with Match("duel", "namer", "namer:noise=3", games=2, time=LIMIT, store=tmp_path / "unfair.db") as match:
        report = match.play(jobs=1)
    assert (report.games, report.spoiled) == (2, 0)
    assert any("by the machine's fault: --fair" in warning for warning in report.warnings)


@pytest.mark.parametrize(("lent", "shown"), [(0, True), (1, True), (20, False)])
def test_what_the_machine_decided_makes_nobody_stronger(toys, tmp_path, monkeypatch, lent, shown):
    """Twenty games won, so many of them by the machine's fault alone: that many might have been lost."""
    import podium.arena.work as work

    late = []

    def play(referee, players, allowance, record, handicaps):
        outcome = usual(referee, players, allowance, record, handicaps)
        loser = record.seats.index(outcome.ranks.index(2))
        if len(late) < lent:
            late.append(loser)
            record.excused.append(loser)
        return outcome

    usual = work.play_game
    monkeypatch.setattr(work, "play_game", play)
    with Match("duel", "namer:number=6", "namer:number=1", games=20, time=LIMIT, store=tmp_path / "lent.db") as match:
        report = match.play(jobs=1)
    assert report.won == 20
    assert report.sentence.startswith(
        "namer:number=6 is stronger" if shown else "nothing is shown: the machine decided"
    )


def test_runs_of_before_are_found_again():
    assert "fair" not in Conditions("duel").text()
    fair = Conditions("duel", fair=True)
    assert conditions_from(fair.text()) == fair
