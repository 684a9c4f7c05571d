"""What Linux has and others have not is hidden: matches work all the same, and a sentence says what is missing."""

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from podium.arena.processes import reaper, system
from podium.arena.store import store
from podium.arena.tournament.machine_noise import load_per_core
from podium.arena.tournament.match import Match
from podium.arena.tournament.runner import jobs_of

TERMS = {"time": 20_000, "games": 2}


@pytest.fixture
def elsewhere(monkeypatch):
    """A system without processor affinity, descriptors of processes, prctl and /proc."""
    for name in ("sched_getaffinity", "pidfd_open"):
        monkeypatch.delattr(os, name)
    monkeypatch.setattr(reaper, "PROC", Path("/nowhere"))
    monkeypatch.setattr(reaper, "_prctl", None)
    monkeypatch.setattr(sys, "platform", "darwin")
    reaper._arena.cache_clear()
    yield
    reaper._arena.cache_clear()  # it has not found out when this process was started


def test_bots_in_this_process_need_nothing_of_it(toys, elsewhere, tmp_path):
    with Match("duel", "namer:number=6", "namer:number=2", store=tmp_path / "s.db", **TERMS) as match:
        report = match.play(jobs=1)
    assert report.won == 2
    assert not any("not Linux" in text for text in report.warnings)


def test_programs_play_and_a_sentence_says_what_is_missing(toys, elsewhere, mock, tmp_path):
    with Match("duel", mock(7), "namer:number=2", store=tmp_path / "s.db", **TERMS) as match:
        report = match.play(jobs=1)
    assert report.won == 2
    assert report.warnings[0] == (
        "this system (darwin) is not Linux: the arena cannot kill all that programs leave behind when they hide it "
        "nor measure how long programs waited for a processor"
    )


@pytest.mark.parametrize(("how", "word"), [("crash", "crashed"), ("exit", "exited"), ("heir", "crashed")])
def test_the_end_of_a_program_is_noticed_at_once(toys, elsewhere, mock, tmp_path, how, word):
    """Also if a child of it lives on and keeps its output open."""
    with Match("duel", mock(how, 2), "namer", store=tmp_path / "s.db", **TERMS) as match:
        start = time.monotonic()
        report = match.play(jobs=1)
    assert report.faults[0] == {word: 2}
    assert time.monotonic() - start < 15  # of 20 s that it might have had for an answer


def test_cores_are_counted(elsewhere):
    assert jobs_of(0) == system.cores() == os.cpu_count()
    assert load_per_core() >= 0


def test_a_run_that_is_being_played_is_refused_without_a_name(toys, elsewhere, tmp_path):
    path = tmp_path / "s.db"
    with Match("duel", "namer", "namer:noise=3", store=path, **TERMS) as match:
        match.session.store.claim(match.run)
        code = (
            "import sys\nfrom pathlib import Path\nfrom podium.arena.store.store import Store\n"
            "sys.platform = 'darwin'\n"
            f"store = Store(Path({str(path)!r}))\n"
            "try:\n    store.claim(store.run(1))\nexcept Exception as error:\n    print(error)\n"
        )
        environment = {**os.environ, "PYTHONPATH": str(Path(store.__file__).parents[3])}
        told = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)
    assert "being played by another process" in told.stdout


def test_the_end_of_any_process_is_waited_for(monkeypatch):
    monkeypatch.setattr(system, "POLL_SECONDS", 0.01)
    program = subprocess.Popen(["sleep", "0.2"])
    assert system.is_alive(program.pid)
    program.wait()
    system.wait_for_end(program.pid)
    assert not system.is_alive(program.pid)


def test_nothing_is_missing_on_linux():
    assert system.system_warnings() == []
