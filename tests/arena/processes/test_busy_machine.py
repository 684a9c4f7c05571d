"""What a busy machine takes from bots: seen, reported, and with --fair not held against them."""

import os
import subprocess
import sys

import pytest
from msgspec.structs import replace

from podium.arena.game import play
from podium.arena.game.conditions import Conditions, conditions_from
from podium.arena.game.limits import Clock, LatePolicy, TimeControl
from podium.arena.game.play import count_excuse
from podium.arena.processes.lost_time import RunQueue, own_wait_ms
from podium.arena.processes.program import Program, Reply
from podium.arena.tournament import worker
from podium.arena.tournament.match import Match
from podium.games.game import AnswerVerdict

LIMIT = 100.0
BUSY = "while True: pass"
# Answers each prompt after a number of ms of its own processor time.
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


def reply(milliseconds, lost, verdict=AnswerVerdict.LATE, cpu=None):
    return Reply("5", milliseconds, verdict, {}, cpu, lost)


def judged(*answers):
    """Whether each of the answers, one after the other in a game, is excused."""
    clock = Clock(TimeControl(LIMIT, policy=LatePolicy.SOFT))
    clock.limit = LIMIT
    return [count_excuse(answer, answer.verdict, clock) for answer in answers]


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        (reply(180, lost=90), True),
        (reply(180, lost=70), False),  # it would have been late all the same
        (reply(180, lost=0), False),  # it slept, or computed
        (reply(180, lost=90, cpu=60), True),
        (reply(180, lost=90, cpu=240), False),  # it stood in its own way, with threads of its own
    ],
)
def test_only_what_the_machine_took_is_excused(answer, expected):
    assert judged(answer) == [expected]


def test_the_third_overrun_is_excused_if_one_of_the_three_was():
    forgiven = reply(120, lost=40, verdict=AnswerVerdict.OVERRUN)
    assert judged(forgiven, reply(120, lost=0)) == [False, True]
    assert judged(reply(120, lost=0, verdict=AnswerVerdict.OVERRUN), reply(120, lost=0)) == [False, False]


def test_nothing_is_known_where_the_system_does_not_tell(monkeypatch):
    monkeypatch.setattr(os, "open", lambda *_: (_ for _ in ()).throw(FileNotFoundError))
    queue = RunQueue("thread-self")
    assert queue.wait_ms() == 0.0
    queue.close()


@counted
def test_a_program_that_waits_for_a_busy_core_is_seen_to_wait(crowd):
    program = Program([sys.executable, "-S", "-E", "-c", WORKER, "50"])
    try:
        program.ask(["begin"], 10_000)
        answer = program.ask(["go on"], 10_000)
    finally:
        program.close()
    assert answer.lost_ms > 0
    assert 0.5 * (answer.milliseconds - 50) < answer.lost_ms <= 1.1 * answer.milliseconds


@counted
def test_a_program_that_sleeps_is_not_excused(crowd):
    program = Program([sys.executable, "-S", "-E", "-c", "import time; input(); time.sleep(0.2); print(5)"])
    try:
        answer = program.ask(["begin"], 10_000)
    finally:
        program.close()
    assert answer.milliseconds - answer.lost_ms > 150


@counted
def test_a_program_that_never_answers_gets_no_more_than_its_own_time(crowd):
    program = Program([sys.executable, "-S", "-E", "-c", "input()\nwhile True: pass"])
    try:
        answer = program.ask(["begin"], 300)
    finally:
        program.close()
    assert answer.verdict is AnswerVerdict.SILENT
    assert 300 < answer.milliseconds < 10 * 300 + 1000


@counted
def test_the_arena_sees_its_own_waiting(crowd):
    before = own_wait_ms()
    for _ in range(3_000_000):
        pass
    assert own_wait_ms() > before


def make_late(monkeypatch, games, evidence):
    """Let the machine make the first answer of some games late."""
    spoilt = []

    def play_game(referee, players, time_control, watch, handicaps):
        def watch_late(turn):
            nonlocal first
            watch(replace(turn, verdict=AnswerVerdict.LATE, evidence=evidence, excused=True) if first else turn)
            first = False

        first = len(spoilt) < games
        spoilt.append(referee)
        return usual(referee, players, time_control, watch_late, handicaps)

    usual = play.play_game
    monkeypatch.setattr(play, "play_game", play_game)


@counted
def test_blocks_that_the_machine_decided_are_annulled_and_others_are_played(toys, tmp_path, monkeypatch):
    """The first game of the first two rounds is decided by a busy machine; the match counts all the same games."""
    make_late(monkeypatch, 2, {"ms": 180.0, "limit_ms": 100.0, "lost_ms": 90.0})
    with Match("duel", "namer", "namer:noise=3", games=6, time=LIMIT, fair=True, store=tmp_path / "fair.db") as match:
        report = match.play(jobs=1)
    assert report.games == 6
    assert report.finished == 8  # both games of such a block are stored
    assert report.machine_faults == 2
    assert any("because the machine made a bot late (see g1)" in warning for warning in report.warnings)
    with Match("duel", "namer", "namer:noise=3", games=6, time=LIMIT, fair=True, store=tmp_path / "fair.db") as match:
        assert match.enough
        assert match.report().machine_faults == 2


def test_without_fair_it_is_only_reported(toys, tmp_path, monkeypatch):
    make_late(monkeypatch, 99, {"ms": 180.0, "limit_ms": 100.0})
    with Match("duel", "namer", "namer:noise=3", games=2, time=LIMIT, store=tmp_path / "unfair.db") as match:
        report = match.play(jobs=1)
    assert (report.games, report.machine_faults) == (2, 0)
    assert any("by the machine's fault: --fair" in warning for warning in report.warnings)


@pytest.mark.parametrize(("lent", "shown"), [(0, True), (1, True), (20, False)])
def test_what_the_machine_decided_makes_nobody_stronger(toys, tmp_path, monkeypatch, lent, shown):
    """Twenty games won, some of them by the machine's fault alone: as many might have been lost."""
    late = []

    def play(referee, players, time_control, recorder, **options):
        outcome = usual(referee, players, time_control, recorder, **options)
        if len(late) < lent:
            late.append(recorder.record.seats.index(outcome.ranks.index(2)))
            recorder.record.excused.append(late[-1])
        return outcome

    usual = worker.play_recorded
    monkeypatch.setattr(worker, "play_recorded", play)
    with Match("duel", "namer:number=6", "namer:number=1", games=20, time=LIMIT, store=tmp_path / "lent.db") as match:
        report = match.play(jobs=1)
    assert report.won == 20
    assert report.sentence.startswith("namer:number=6 is stronger" if shown else "no conclusion: the machine decided")


def test_runs_of_before_are_found_again():
    assert "fair" not in Conditions("duel").text()
    fair = Conditions("duel", fair=True)
    assert conditions_from(fair.text()) == fair
