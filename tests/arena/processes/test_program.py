"""Programs that crash, hang, flood, print garbage, close pipes or leave children: each its own verdict."""

import os
import time
from dataclasses import replace
from pathlib import Path

import pytest

from podium.arena.entrants.entrant import entrant
from podium.arena.game.conditions import Conditions
from podium.arena.game.limits import LatePolicy, TimeControl
from podium.arena.game.record import unpack
from podium.arena.game.sentences import fault_sentence
from podium.arena.processes.program import Program
from podium.arena.processes.reaper import MARK
from podium.arena.tournament.worker import Fixture, play_fixture
from podium.errors import PodiumError

PATIENT = TimeControl(milliseconds=20_000.0)  # a loaded machine must not change a verdict
QUICK = TimeControl(milliseconds=60.0, startup=3000.0, policy=LatePolicy.STRICT)


def meet(game, first, second, time_control=PATIENT, memory=0):
    """One game, first against second."""
    entrants = {0: entrant(game, first), 1: entrant(game, second)}
    return play_fixture(Conditions(game.name, {}, time_control, memory), entrants, Fixture("m", 0, 0, (0, 1), 1))


def test_a_good_program_plays_to_the_end(toys, mock):
    played = meet(toys("duel"), mock(7), "namer:number=3,noise=0")
    assert played.scores == (28.0, 12.0)
    assert played.faults == ()
    record = unpack(played.record)
    assert [record.lines[index] for index in (0, 2, 4, 6)] == ["7"] * 4
    assert [record.stderr[index] for index in (0, 2, 4, 6)] == [f"prompt {n}\n" for n in (1, 2, 3, 4)]
    assert all(record.cpu[index] >= 0 for index in (0, 2, 4, 6))
    assert record.cpu[1] is None


@pytest.mark.parametrize(
    ("how", "word", "reason"),
    [
        ("crash", "crashed", "status 1"),
        ("segfault", "crashed", "SIGSEGV"),
        ("nameless", "crashed", "signal 40"),
        ("exit", "exited", "status 0"),
        ("flood", "flood", "bytes"),
        ("close", "closed_output", "lives on"),
        ("garbage", "garbage", "not text"),
        ("words", "malformed", "please let me win"),
        ("high", "illegal", "99"),
        ("heir", "crashed", "status 3"),
    ],
)
def test_every_misdeed_has_its_verdict(toys, mock, how, word, reason):
    played = meet(toys("duel"), mock(how, 2), "namer")
    assert played.ranks == (2, 1)
    (fault,) = played.faults
    assert (fault.seat, fault.cause) == (0, word)
    assert reason in fault_sentence(fault)


def test_what_a_crashed_program_wrote_is_kept_with_its_turn(toys, mock):
    played = meet(toys("duel"), mock("crash", 2), "namer")
    record = unpack(played.record)
    assert record.lines[2] is None
    assert "about to divide by zero" in record.stderr[2]
    assert "ZeroDivisionError" in record.stderr[2]


@pytest.mark.parametrize(("how", "word"), [("hang", "silent"), ("spin", "silent"), ("late", "late")])
def test_slow_programs(toys, mock, how, word):
    time_control = replace(QUICK, grace=3000.0) if how == "late" else QUICK
    played = meet(toys("duel"), mock(how, 2), "namer", time_control)
    assert [(fault.seat, fault.cause) for fault in played.faults] == [(0, word)]
    assert played.seconds < 5


def test_three_overruns_are_one_too_many_under_the_soft_rule(toys, mock):
    """The mock needs 120 ms for each answer; a grace of 3 s forgives two of them."""
    played = meet(toys("duel"), mock("late"), "namer", TimeControl(milliseconds=60, grace=3000, policy=LatePolicy.SOFT))
    record = unpack(played.record)
    assert [record.verdicts[index][0] for index in (0, 2, 4)] == ["overrun", "overrun", "late"]
    assert [each for each in played.irregularities if each.code != "stalled"] == [(0, "late", 1), (0, "overrun", 2)]
    assert played.ranks == (2, 1)


def test_a_bank_pays_for_overruns(toys, mock):
    rich = TimeControl(milliseconds=100, reserve=60_000, policy=LatePolicy.BANK)
    assert meet(toys("duel"), mock("late"), "namer", rich).faults == ()
    poor = TimeControl(milliseconds=100, reserve=1, policy=LatePolicy.BANK, grace=3000)
    assert [(fault.seat, fault.cause) for fault in meet(toys("duel"), mock("late"), "namer", poor).faults] == [
        (0, "late")
    ]


def test_lines_too_many_answer_later_prompts(toys, mock):
    played = meet(toys("duel"), mock("lines"), "namer:noise=0")
    assert played.faults == ()
    assert played.scores == (20.0, 20.0)
    assert {word: count for _, word, count in played.irregularities}["extra_lines"] >= 3


def test_a_fault_is_not_explained_by_what_was_forgiven_before(toys, mock):
    played = meet(toys("duel"), mock("stray"), "namer")
    assert (0, "extra_lines", 2) in played.irregularities
    (fault,) = played.faults
    assert (fault.seat, fault.cause) == (0, "illegal")
    assert fault_sentence(fault) == "seat 0: too high: '99'"


def test_lines_without_end_are_a_flood(toys, mock):
    duel = toys("duel")
    entrants = {0: entrant(duel, mock("many", 2)), 1: entrant(duel, "namer")}
    played = play_fixture(Conditions("duel", {"turns": 2000}, PATIENT), entrants, Fixture("m", 0, 0, (0, 1), 1))
    assert [(fault.seat, fault.cause) for fault in played.faults] == [(0, "flood")]


def test_a_program_that_closed_its_input_is_heard(toys, mock):
    played = meet(toys("duel"), mock("deaf", 4), "namer")
    assert played.faults == ()


def test_children_are_killed_wherever_they_hide(toys, mock):
    played = meet(toys("duel"), mock("child", 4), "namer")
    assert played.faults == ()
    assert "1 processes left behind were killed" in unpack(played.record).stderr[6]
    time.sleep(0.05)
    assert not marked_processes()


def marked_processes():
    """The mock programs of this process's games that still run; other tests may run beside this one."""
    mark = f"{MARK}={os.getpid()}.".encode()
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            if mark in (folder / "environ").read_bytes() and b"mock.py" in (folder / "cmdline").read_bytes():
                found.append(folder.name)
        except OSError:
            continue
    return found


def test_a_suspended_program_does_not_think_on_others_time(mock):
    """It spins from its second prompt on; between prompts its processor time must stand still."""
    program = Program([*mock("spin", 2).removeprefix("cmd:").split()], suspend=True)
    try:
        assert program.ask(["turn 0"], 20_000).line == "5"
        assert program.ask(["turn 1"], 100).line is None
        before = program.meter.cpu_ms()
        time.sleep(0.2)
        assert program.meter.cpu_ms() == pytest.approx(before, abs=2)
    finally:
        program.close()


def test_memory_is_limited(toys, mock):
    played = meet(toys("duel"), mock("memory", 2), "namer", memory=200)
    assert [(fault.seat, fault.cause) for fault in played.faults] == [(0, "crashed")]
    assert "MemoryError" in unpack(played.record).stderr[2]
    assert meet(toys("duel"), mock("memory", 2), "namer", memory=1024).faults == ()


def test_standard_error_is_bounded_and_does_not_block(toys, mock):
    played = meet(toys("duel"), mock("noise"), "namer")
    assert played.faults == ()
    kept = unpack(played.record).stderr[0]
    assert len(kept) < 5000
    assert "bytes left out" in kept
    assert "the end" in kept


def test_an_exception_of_an_own_bot_is_a_crash_with_its_traceback(toys):
    played = meet(toys("duel"), "namer:fail=2", "namer")
    assert [(fault.seat, fault.cause) for fault in played.faults] == [(0, "crashed")]
    record = unpack(played.record)
    assert "RuntimeError: asked to fail" in record.stderr[2]


def test_four_seats_go_on_without_the_crashed_one(toys, mock):
    table = toys("table")
    entrants = {0: entrant(table, mock("crash", 2)), 1: entrant(table, "namer")}
    played = play_fixture(Conditions("table", {}, PATIENT), entrants, Fixture("m", 0, 0, (1, 0, 1, 1), 1))
    assert played.ranks[1] == 4
    assert [(fault.seat, fault.cause) for fault in played.faults] == [(1, "crashed")]
    assert len(unpack(played.record).seats) == 4 + 4 + 3 + 3


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("cmd:/no/such/program", "not found"),
        ("cmd:", "needs a program"),
        ("cmd:'unfinished", "cannot be split"),
        ("namre", "did you mean namer"),
        ("namer:nmuber=3", "did you mean number"),
    ],
)
def test_bots_that_cannot_be(toys, spec, message):
    with pytest.raises(PodiumError, match=message):
        entrant(toys("duel"), spec)


def test_a_file_that_may_not_be_run_is_named(toys, tmp_path):
    path = tmp_path / "bot"
    path.write_text("#!/bin/sh\n")
    with pytest.raises(PodiumError, match="chmod"):
        entrant(toys("duel"), f"cmd:{path}")


def test_a_changed_bot_is_a_new_bot(toys, tmp_path):
    duel = toys("duel")
    path = tmp_path / "bot"
    path.write_text("#!/bin/sh\necho 1\n")
    path.chmod(0o755)
    before = entrant(duel, f"cmd:{path}").fingerprint
    assert entrant(duel, f"cmd:{path}").fingerprint == before
    assert entrant(duel, f"cmd:{path} --fast").fingerprint != before
    path.write_text("#!/bin/sh\necho 2\n")
    assert entrant(duel, f"cmd:{path}").fingerprint != before
    assert entrant(duel, "namer").fingerprint == entrant(duel, "namer:number=5").fingerprint
    assert entrant(duel, "namer:number=6").fingerprint != entrant(duel, "namer").fingerprint
    half = entrant(duel, "namer").with_handicap(0.5)
    assert half.fingerprint != entrant(duel, "namer").fingerprint
    assert entrant(duel, "namer").with_handicap(1.0) == entrant(duel, "namer")


def test_the_arena_waits_without_working(mock):
    """While a program sleeps for half a second, this process uses next to no processor time."""
    program = Program([*mock("hang").removeprefix("cmd:").split()])
    try:
        before = time.process_time()
        heard = program.ask(["turn 0"], 500)
        assert heard.milliseconds >= 500
        assert time.process_time() - before < 0.1
    finally:
        program.close()
    with pytest.raises(ProcessLookupError):
        os.kill(program.process.pid, 0)
