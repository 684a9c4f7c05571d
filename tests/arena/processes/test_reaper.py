"""What programs leave behind, and how a run ends on a signal."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from podium.arena.entrants.entrant import entrant
from podium.arena.game.conditions import Conditions
from podium.arena.game.limits import TimeControl
from podium.arena.game.record import unpack
from podium.arena.processes import reaper
from podium.arena.processes.program import Program
from podium.arena.tournament.match import Match
from podium.arena.tournament.worker import Fixture, play_fixture
from podium.errors import PodiumError
from tests.processes import as_in_a_terminal, wait_until

ROOT = Path(__file__).parents[3]

# A process of the arena that plays one game of a mock program against a bot, or waits in the middle of it.
ARENA = """
import sys
import podium.games
podium.games.__path__.append("tests/arena/games")
from podium.arena.processes import reaper
from podium.arena.game.conditions import Conditions
from podium.arena.entrants.entrant import entrant
from podium.arena.game.limits import TimeControl
from podium.arena.tournament.worker import Fixture, play_fixture
reaper.adopt_orphans()
duel = podium.games.load("duel")
entrants = {0: entrant(duel, sys.argv[1]), 1: entrant(duel, "namer")}
conditions = Conditions("duel", {}, TimeControl(20_000.0))
print(play_fixture(conditions, entrants, Fixture("m", 0, 0, (0, 1), 1)).faults, flush=True)
"""


def sleepers():
    """The children that the mock programs start to sleep for an odd time."""
    found = set()
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            if (folder / "cmdline").read_bytes() == b"sleep\x0061.7\x00":
                found.add(int(folder.name))
        except OSError:
            continue
    return found


def arena(spec):
    """Run a process of the arena in a process of its own, which the tests can kill."""
    return subprocess.Popen(
        [sys.executable, "-c", ARENA, spec],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        text=True,
        start_new_session=True,
        preexec_fn=as_in_a_terminal,
        env={**os.environ, "PYTHONPATH": f"{ROOT / 'src'}:{ROOT}", "NUMBA_DISABLE_JIT": "1"},
    )


def test_a_child_without_the_mark_is_found_by_its_parent(toys, mock):
    duel, before = toys("duel"), sleepers()
    entrants = {0: entrant(duel, mock("hide", 4)), 1: entrant(duel, "namer")}
    played = play_fixture(Conditions("duel", {}, TimeControl(20_000.0)), entrants, Fixture("m", 0, 0, (0, 1), 1))
    assert "1 processes left behind were killed" in unpack(played.record).stderr[6]
    wait_until(lambda: sleepers() <= before)


def test_an_orphan_without_the_mark_is_adopted_and_killed(mock):
    before = sleepers()
    process = arena(mock("daemon", 4))
    assert process.communicate(timeout=60)[0] == "()\n"
    wait_until(lambda: sleepers() <= before)


def test_what_a_killed_arena_left_is_swept_by_the_next(mock):
    """The child bears the mark, and lives on without its parents."""
    process = arena(mock("child", 1, "then", "hang"))
    try:
        wait_until(lambda: marked(process.pid))
    finally:
        os.killpg(process.pid, signal.SIGKILL)
        process.communicate(timeout=60)
    reaper.sweep()  # or that of a neighbour was quicker
    wait_until(lambda: not marked(process.pid))


def marked(arena):
    """The sleeping children that bear the mark of an arena."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            if f"{reaper.MARK}={arena}.".encode() in (folder / "environ").read_bytes() and (
                b"time.sleep(60)" in (folder / "cmdline").read_bytes()
            ):
                found.append(int(folder.name))
        except OSError:
            continue
    return found


@pytest.mark.parametrize("known", [True, False])
def test_what_lives_is_not_swept(mock, monkeypatch, known):
    if not known:  # when this process was started
        monkeypatch.setattr(reaper, "_arena", lambda process: f"{process}.0")
    program = Program([*mock(5).removeprefix("cmd:").split()])
    try:
        reaper.sweep()
        assert program.ask(["turn 0"], 20_000).line == "5"
    finally:
        program.close()


def test_a_signal_at_the_start_of_a_program_reaches_the_arena(mock, monkeypatch):
    """It is sent when the child exists already, and must not fall into Python code of the child."""
    prepare = Program.__init__.__globals__["_prepare"]

    def slowly(memory):
        os.kill(os.getppid(), signal.SIGINT)
        prepare(memory)

    monkeypatch.setitem(Program.__init__.__globals__, "_prepare", slowly)
    previous = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        with pytest.raises(KeyboardInterrupt):
            Program([*mock(5).removeprefix("cmd:").split()])
    finally:
        signal.signal(signal.SIGINT, previous)


def test_a_program_hears_signals(mock):
    """What is held back for the arena is not held back for the program."""
    line = "import signal; print(sorted(signal.pthread_sigmask(signal.SIG_BLOCK, ())), flush=True)"
    program = Program([sys.executable, "-c", line])
    try:
        assert program.ask([], 20_000).line == "[]"
    finally:
        program.close()


HOLDER = """
import sys
from pathlib import Path
from podium.arena.store.store import Store
store = Store(Path(sys.argv[1]))
store.claim(store.run(1))
print("claimed", flush=True)
sys.stdin.read()
"""


def test_one_process_plays_a_run(toys, tmp_path):
    path = tmp_path / "podium.db"
    options = {"games": 4, "nodes": 1, "store": path}
    with Match("duel", "namer", "namer:noise=4", **options) as match:
        holder = subprocess.Popen(
            [sys.executable, "-c", HOLDER, str(path)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, "PYTHONPATH": str(ROOT / "src")},
        )
        assert holder.stdout.readline() == "claimed\n"
        with pytest.raises(PodiumError, match=rf"r1 in .* is being played by process {holder.pid};"):
            match.play(jobs=1)
        with Match("duel", "namer", "namer:noise=3", **options) as other:
            assert other.play(jobs=1).games == 4
        holder.communicate()
        assert match.play(jobs=1).games == 4


def test_a_worker_whose_master_ended_before_it_was_up_ends_too():
    begin = "from podium.arena.tournament.runner import _begin_worker; _begin_worker(2**22 - 1)"
    source = f"import time; {begin}; time.sleep(60)"
    process = subprocess.run([sys.executable, "-c", source], timeout=30, check=False)
    assert process.returncode == -signal.SIGKILL
