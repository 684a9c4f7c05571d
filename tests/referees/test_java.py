"""JVMs: one that plays many games must play each as a JVM of its own would."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from podium.arena.tournament.match import Match
from podium.errors import PodiumError
from podium.games.game import Answer
from podium.referees import java
from podium.referees.engine import EngineReferee
from podium.referees.java import JvmSpec, class_path_of
from podium.referees.messages import ExternalRefereeError
from tests.referees.conftest import needs_java

pytestmark = needs_java


def play(jvm, seed=1, players=2, answer="3", **parameters):
    """A whole game: the referee, and all prompts of its players."""
    referee = EngineReferee(jvm.channel(), players, seed, parameters)
    prompts = []
    while requests := referee.requests():
        prompts.append((requests[0].seat, list(requests[0].lines)))
        referee.answer([Answer("\n".join([answer] * requests[0].answers))])
    return referee, prompts


def idle(jvm):
    return java._idle.get(jvm, [])


@pytest.fixture
def jvm(jar):
    made = JvmSpec((str(jar),), (("league.level", "4"),))
    yield made
    for one in idle(made):
        one.close()
    java._idle.pop(made, None)


def test_games_in_a_warm_jvm_are_those_of_a_cold_one(jvm, jar):
    cold = JvmSpec(jvm.class_path, jvm.properties, warm=False)
    expected = play(cold)[1]
    assert expected[0] == (0, ["turn 0 id 0 league 4 before - é\u2028"])
    assert [play(jvm)[1] for _ in range(3)] == [expected] * 3
    assert [one.games for one in idle(jvm)] == [3]
    assert idle(cold) == []


def test_the_result_of_a_game(jvm):
    outcome = play(jvm, seed=-(2**63), turns="4", ownseed="99")[0].outcome
    assert (outcome.scores, outcome.seed) == ((12.0, 12.0), 99)


def test_several_lines_and_fillers_and_monitoring(jvm):
    referee, prompts = play(jvm, lines="3", mode="filler", monitoring="yes")
    assert referee.outcome.scores == (27.0, 27.0)
    assert [lines for seat, lines in prompts if lines[0].startswith("map")] == [["map 0"], ["map 1"], ["map 2"]]


def test_an_answer_with_a_separator_of_unicode_does_not_break_the_game(jvm):
    referee, _ = play(jvm, answer="3\u2028\x85")
    assert [fault.seat for fault in referee.outcome.faults] == [0, 1]


@pytest.mark.parametrize(
    ("mode", "expected"),
    [
        ("fail", "the referee failed: java.lang.IllegalStateException: boom in turn 1"),
        ("failend", "boom at the end"),
        ("exit", "ended in the middle of the game; it ended with status 3"),
        ("early", "without asking anybody"),
    ],
)
def test_a_jvm_is_given_up_after_a_game_that_failed(jvm, mode, expected):
    play(jvm)
    with pytest.raises(ExternalRefereeError, match=expected):
        play(jvm, mode=mode)
    assert idle(jvm) == []
    assert play(jvm)[0].outcome.scores == (9.0, 9.0)


def test_a_referee_that_hangs_is_a_failure(jar):
    impatient = JvmSpec((str(jar),), patience=0.3)
    with pytest.raises(ExternalRefereeError, match=r"said nothing for 0\.3 s"):
        play(impatient, mode="hang")


def test_a_jvm_that_dies_in_a_game_is_a_failure(jvm):
    channel = jvm.channel()
    referee = EngineReferee(channel, 2, 1)
    referee.requests()
    os.kill(channel.process.pid, signal.SIGKILL)
    with pytest.raises(ExternalRefereeError, match="status -9"):
        referee.answer([Answer("3")])
        referee.requests()


def test_a_jvm_with_threads_left_behind_is_given_up(jvm):
    assert play(jvm, mode="thread")[0].outcome.scores == (9.0, 9.0)
    assert idle(jvm) == []


def test_a_jvm_that_has_grown_or_played_enough_is_given_up(jvm, monkeypatch):
    monkeypatch.setattr(java, "MOST_GAMES", 2)
    play(jvm)
    assert len(idle(jvm)) == 1
    play(jvm)
    assert idle(jvm) == []
    monkeypatch.setattr(java, "GROWTH", -jvm.memory)
    play(jvm)
    assert idle(jvm) == []


def test_a_game_that_is_left_leaves_no_process_behind(jvm):
    referee = EngineReferee(jvm.channel(), 2, 1)
    referee.requests()
    process = referee._channel.process.pid
    del referee
    deadline = time.monotonic() + 5
    while Path(f"/proc/{process}").exists() and time.monotonic() < deadline:
        time.sleep(0.01)
    assert not Path(f"/proc/{process}").exists()


def test_two_games_at_the_same_time_have_two_jvms(jvm):
    one, other = (EngineReferee(jvm.channel(), 2, 1) for _ in range(2))
    assert one.requests() == other.requests()
    one.close()
    other.close()


def test_without_a_compiler_every_game_has_a_jvm_of_its_own(jvm, monkeypatch):
    monkeypatch.setattr(java, "launcher_folder", lambda java: None)
    assert play(jvm)[0].outcome.scores == (9.0, 9.0)
    assert idle(jvm) == []


def test_a_thin_jar_is_found_with_its_libraries(jar, tmp_path):
    target = tmp_path / "target"
    (target / "dependency").mkdir(parents=True)
    (target / "dependency" / "core-4.6.0.jar").write_bytes(jar.read_bytes())
    empty = b"PK\x05\x06" + bytes(18)
    (target / "game-1.0.jar").write_bytes(empty)
    (target / "game-1.0-sources.jar").write_bytes(empty)
    expected = (str(target / "game-1.0.jar"), str(target / "dependency" / "core-4.6.0.jar"))
    assert class_path_of(target / "game-1.0.jar") == expected
    assert class_path_of(tmp_path) == expected
    (target / "game-1.0-fat.jar").write_bytes(jar.read_bytes())
    assert class_path_of(tmp_path) == (str(target / "game-1.0-fat.jar"),)


@pytest.mark.parametrize(
    ("content", "expected"),
    [(None, "there is no referee"), (b"text", "cannot read"), (b"PK\x05\x06" + bytes(18), "copy-dependencies")],
)
def test_what_is_no_referee_is_a_sentence(tmp_path, content, expected):
    path = tmp_path / "x.jar"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(PodiumError, match=expected):
        class_path_of(path)


def test_no_java_is_a_sentence(jar):
    with pytest.raises(PodiumError, match="needs Java, but 'no-such-java' was not found"):
        JvmSpec((str(jar),), java="no-such-java").channel()


ALONE = """
import sys
from podium.arena.tournament.match import Match
from podium.arena.processes.reaper import adopt_orphans
from podium.referees import java
if __name__ == "__main__":
    adopt_orphans()
    name, bot, store = sys.argv[1:]
    with Match(name, f"cmd:{bot} 5", f"cmd:{bot} 3", games=6, store=store) as match:
        print(match.play(jobs=1).games)
    print([jvm.games for jvms in java._idle.values() for jvm in jvms])
"""


def test_a_process_of_the_arena_keeps_its_jvm_from_game_to_game(jar, script, tmp_path):
    """Such a process kills what programs left behind in it; the jvm is not of those."""
    bot = script("number_bot.py")
    words = [sys.executable, "-c", ALONE, f"referee:{jar}", bot, str(tmp_path / "podium.db")]
    out = subprocess.run(words, capture_output=True, text=True, check=True).stdout
    assert out.split("\n")[:2] == ["6", "[8]"]  # a trial of each bot, and the games


def test_the_same_referee_elsewhere_goes_on_with_the_run(jar, script, tmp_path):
    bots = [f"cmd:{script('number_bot.py')} {digit}" for digit in (5, 3)]
    moved = tmp_path / "moved.jar"
    moved.write_bytes(jar.read_bytes())
    runs = []
    for name in (f"referee:{jar}", f"referee:{moved}:title=Sums,memory=256", f"referee:{jar}:league=2"):
        with Match(name, *bots, games=2, store=tmp_path / "podium.db") as match:
            runs.append(match.run.id)
    assert runs[0] == runs[1] != runs[2]


HOLD = """
import sys, time
from podium.games import load
referee = load(sys.argv[1]).new_referee(1)
referee.requests()
print(referee._channel.process.pid, flush=True)
time.sleep(60)
"""


def test_a_jvm_dies_with_the_arena(jar):
    with subprocess.Popen([sys.executable, "-c", HOLD, f"referee:{jar}"], stdout=subprocess.PIPE, text=True) as arena:
        jvm = int(arena.stdout.readline())
        assert Path(f"/proc/{jvm}").exists()
        arena.kill()
    deadline = time.monotonic() + 10
    while is_running(jvm) and time.monotonic() < deadline:
        time.sleep(0.02)
    assert not is_running(jvm)


def is_running(process):
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False
