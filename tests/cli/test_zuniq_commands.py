"""The commands as a user types them, on the smallest game."""

import gzip
import json
import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from podium import load_trace
from podium.errors import PodiumError
from podium.games.zuniq.book import read
from podium.games.zuniq.makers import entries_of
from tests.commands import podium
from tests.processes import as_in_a_terminal, wait_until, worked

RECORDINGS = Path(__file__).parents[1] / "recordings" / "zuniq.jsonl.gz"
PODIUM = [sys.executable, "-m", "podium"]

pytestmark = pytest.mark.compiled  # real processes: slow without the JIT, and no different


def started(*words, text=None):
    """A process of its own."""
    return subprocess.run(
        [*PODIUM, *map(str, words)], input=text, capture_output=True, text=True, timeout=300, check=False
    )


def test_games_and_bots_as_json():
    games = {game["name"]: game for game in json.loads(podium("games", "--json"))["games"]}
    assert games["zuniq"]["seats"] == 2
    bots = {bot["name"]: bot for bot in json.loads(podium("bots", "zuniq", "--json"))["bots"]}
    assert json.loads(podium("bots", "zuniq", "uct", "--json")) == {"version": 2, "bots": [bots["uct"]]}
    assert {"random", "uct", "champion"} <= bots.keys()
    assert all(parameter["help"] for bot in bots.values() for parameter in bot["parameters"])


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["bots", "zuniq", "champoin"], "did you mean champion?"),
        (["bots", "zunik"], "unknown game 'zunik'; did you mean zuniq?"),
        (["play", "zuniq", "champion", "utc"], "did you mean uct?"),
        (["play", "zuniq", "champion"], "needs 2 bots, not 1"),
        (["play", "zuniq", "champion:playout=3", "uct"], "did you mean playouts?"),
        (["play", "zuniq", "champion:playouts=0", "uct"], "playouts must be from 1 to 1000"),
        (["analyze", "zuniq", "A1h", "A1h"], "A1h is drawn already"),
        (["analyze", "zuniq", "A9h"], "expected a wall such as A1h"),
        (["verify", "zuniq", "no-such-file"], "cannot read no-such-file"),
        (["book", "zuniq", "bok"], "did you mean book?"),
        (["bench", "zuniq", "--study", "randomnes"], "did you mean randomness"),
    ],
)
def test_mistakes_are_one_sentence(words, sentence):
    with pytest.raises(PodiumError, match=re.escape(sentence)):
        podium(*words)


def test_a_mistake_ends_the_process_without_a_traceback():
    done = started("bots", "zuniq", "champoin")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("podium: ")
    assert done.stderr.endswith("did you mean champion?\n")


def test_verify_says_what_agrees_and_shows_the_first_difference(tmp_path):
    assert json.loads(podium("verify", "zuniq", RECORDINGS, "--json"))["games"] == 78
    with gzip.open(RECORDINGS, "rt") as file:
        recorded = json.loads(file.readline())
    recorded["turns"][3]["input"] = ["F5h"]
    wrong = tmp_path / "wrong.jsonl"
    wrong.write_text(json.dumps(recorded))
    said = podium("verify", "zuniq", wrong, code=1)
    assert "turn 3, seat 1, line 1" in said
    assert "'F5h'" in said


@pytest.mark.parametrize(
    "content", [b"\x1f\x8b\x00garbage", b"\xff\xfe\x00", b"not json\n", b"[1]\n", b'{"game":"zuniq"}\n']
)
def test_damaged_recordings_are_refused(tmp_path, content):
    path = tmp_path / "damaged"
    path.write_bytes(content)
    with pytest.raises(PodiumError, match="damaged"):
        podium("verify", "zuniq", path)


def test_a_bot_speaks_the_protocol_and_nothing_else():
    done = started("bot", "zuniq", "champion:memory=8", "--nodes", 20, text="Start\nC3h\nQuit\n")
    assert done.returncode == 0
    assert done.stderr == ""
    first, second = done.stdout.splitlines()
    assert len(first.rstrip("!")) == len(second.rstrip("!")) == 3


def test_a_bot_ends_with_its_input():
    done = started("bot", "zuniq", "random", text="Start\n")
    assert (done.returncode, done.stderr, len(done.stdout.splitlines())) == (0, "", 1)


def test_a_bot_does_not_wait_for_the_library_of_the_command_line():
    script = "import sys; from podium.cli import run; run(['bot', 'zuniq', 'random']); print('typer' in sys.modules)"
    command = [sys.executable, "-c", script]
    done = subprocess.run(command, input="", capture_output=True, text=True, timeout=60, check=True)
    assert done.stdout == "False\n"


@pytest.mark.parametrize("line", ["rubbish", "A6h"])
def test_a_bot_that_is_told_nonsense_says_so(line):
    done = started("bot", "zuniq", "random", text=f"{line}\n")
    assert done.returncode == 2
    assert "expected Start, Quit or a wall" in done.stderr


def test_a_closed_pipe_is_quiet():
    reader, writer = os.pipe()
    os.close(reader)
    done = subprocess.run([*PODIUM, "bots", "zuniq"], stdout=writer, stderr=subprocess.PIPE, timeout=60, check=False)
    os.close(writer)
    assert b"Traceback" not in done.stderr


def test_ctrl_c_while_searching():
    running = subprocess.Popen(
        [*PODIUM, "analyze", "zuniq", "--time", "60000", "--bot", "champion:memory=8"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        preexec_fn=as_in_a_terminal,
    )
    wait_until(lambda: worked(running.pid) > 3)  # seconds of processor time: it searches
    running.send_signal(signal.SIGINT)
    _, error = running.communicate(timeout=60)
    assert running.returncode == 130
    assert b"Traceback" not in error


def test_analysis_as_json():
    words = ("analyze", "zuniq", "A1h", "B2v", "--nodes", 30, "--bot", "champion:memory=8,book=off", "--json")
    found = json.loads(podium(*words))
    assert found["scene"]["drawn"] == ["A1h", "B2v"]
    assert found["thoughts"]["options"][0]["visits"] > 0
    assert found["thoughts"]["line"]


def test_a_bot_that_does_not_search_has_only_an_answer():
    shown = podium("analyze", "zuniq", "A1h", "--bot", "random").splitlines()
    assert shown[-1].startswith("answers ")
    assert "expected line" not in "".join(shown)


def test_a_page_that_cannot_be_written_is_named():
    with pytest.raises(PodiumError, match=r"^cannot write nowhere/search\.html: No such file or directory$"):
        podium("analyze", "zuniq", "--nodes", 5, "--bot", "uct", "--html", "nowhere/search.html")


def test_analysis_with_a_trace(tmp_path):
    path = tmp_path / "search.npz"
    words = ("analyze", "zuniq", "A1h", "B2v", "--nodes", 30, "--bot", "champion:memory=8", "--trace", path, "--json")
    found = json.loads(podium(*words))
    trace = load_trace(path)
    assert trace.facts["result"]["nodes"] == found["thoughts"]["nodes"] == 30
    assert trace.rows()[0]["move"] == found["thoughts"]["options"][0]["move"]
    assert sorted(trace.state(0).dtype.names) == sorted(trace.rules.state.names)


def test_play_as_json_is_reproducible():
    words = ["play", "zuniq", "champion:memory=8", "random", "--nodes", 10, "--games", 2, "--seed", 4, "--json"]
    assert podium(*words) == started(*words).stdout != ""


def test_an_interrupted_book_keeps_what_was_searched(tmp_path):
    path, journal = tmp_path / "book.csv", tmp_path / "book.part"
    words = ["book", "zuniq", "book", "--nodes", 1, "--output", path, "--jobs", 2]
    running = subprocess.Popen(
        [*PODIUM, *map(str, words)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, preexec_fn=as_in_a_terminal
    )
    wait_until(lambda: journal.exists() and journal.read_text().count("\n") >= 40)
    running.send_signal(signal.SIGINT)
    running.communicate(timeout=60)
    assert not path.exists(), "a book takes its place when it is whole"
    whole = journal.read_text().rpartition("\n")[0].splitlines()
    assert whole[0] == "walls,move,value,simulations"
    assert len(entries_of(journal, 1)) == len(whole) - 1 >= 39


@pytest.mark.parametrize("line", ["A1h,A1h,0.1,5", "A1h,xyz,0.1,5", "A1h,B1h,much,5", "A1h"])
def test_a_corrupt_book_is_refused(tmp_path, line):
    path = tmp_path / "book.csv"
    path.write_text(f"walls,move,value,simulations\n{line}\n")
    with pytest.raises(PodiumError, match="line 2"):
        read(path)


def test_parameters_that_a_bot_shares_with_those_before_it_are_not_repeated():
    text = podium("bots", "zuniq")
    writeup = text[text.index("\nwriteup: ") : text.index("\nuct: ")]
    assert "33 parameters as above, with counted_impact=on, " in writeup
    assert "opponent_epsilon" not in writeup
    assert "opponent_epsilon" in podium("bots", "zuniq", "writeup")
