"""Commands where the surroundings are not as they should be: a sentence, never a traceback."""

import fcntl
import os
import pty
import resource
import struct
import subprocess
import sys
import termios

import pytest

from podium.arena.entrants.entrant import entrant

PODIUM = [sys.executable, "-m", "podium"]


def run(words, **options):
    return subprocess.run([*PODIUM, *words], stderr=subprocess.PIPE, timeout=120, check=False, **options)


@pytest.mark.parametrize("words", [["bots", "zuniq"], ["bots", "zuniq", "--json"]])
def test_a_full_device(words):
    with open("/dev/full", "w") as full:
        done = run(words, stdout=full)
    assert done.returncode == 2
    assert b"Traceback" not in done.stderr
    assert b"Exception ignored" not in done.stderr
    assert done.stderr == b"podium: No space left on device\n"


def test_a_file_that_cannot_be_written_is_named_and_leaves_nothing(tmp_path):
    def with_a_full_disk():
        resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100))

    done = run(["new", "bot", "zuniq"], cwd=tmp_path, preexec_fn=with_a_full_disk)
    assert (done.returncode, done.stderr) == (2, b"podium: cannot write zuniq_bot.py: File too large\n")
    assert [*tmp_path.iterdir()] == []


def test_a_terminal_breaks_a_sentence_between_words():
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
    environment = {name: value for name, value in os.environ.items() if name != "COLUMNS"}
    words = [*PODIUM, "new", "bot", "zuniq", "--language", "cobol"]
    subprocess.run(words, stdin=theirs, stdout=theirs, stderr=theirs, env=environment, timeout=120, check=False)
    os.close(theirs)
    lines = os.read(ours, 10_000).decode().splitlines()
    os.close(ours)
    assert len(lines) == 3
    assert max(map(len, lines)) < 100, "the colour is a part of it"
    assert "golang" in " ".join(lines)


def test_a_closed_output():
    done = run(["bots", "zuniq", "--json"], preexec_fn=lambda: os.close(1))
    assert done.returncode == 2
    assert done.stderr == b"podium: standard output is closed, so there is nowhere to print to\n"


@pytest.mark.parametrize("encoding", ["ascii", "latin-1"])
def test_any_encoding(encoding):
    done = run(["bots", "zuniq"], stdout=subprocess.PIPE, env={**os.environ, "PYTHONIOENCODING": encoding})
    assert (done.returncode, done.stderr) == (0, b"")
    assert "champion" in done.stdout.decode(encoding)


def test_a_long_word_is_no_file(toys):
    """The program of `python3 -c` may be longer than the name of a file can be."""
    word = "print(5)#" + "x" * 300
    assert entrant(toys("duel"), f"cmd:{sys.executable} -c '{word}'").argv[2] == word
    assert entrant(toys("duel"), f"cmd:{sys.executable} -c '{'x' * 10_000}'")


def test_a_huge_folder_is_not_read(toys, tmp_path, monkeypatch):
    monkeypatch.setattr("podium.arena.entrants.command_files.LARGE_FOLDER", 10)
    for number in range(20):
        (tmp_path / f"{number}.py").write_text("")
    before = entrant(toys("duel"), f"cmd:{sys.executable} {tmp_path}").fingerprint
    (tmp_path / "0.py").write_text("changed")
    assert entrant(toys("duel"), f"cmd:{sys.executable} {tmp_path}").fingerprint == before
    monkeypatch.setattr("podium.arena.entrants.command_files.LARGE_FOLDER", 100)
    assert entrant(toys("duel"), f"cmd:{sys.executable} {tmp_path}").fingerprint != before


SWALLOWED = """
import ctypes, os, signal, time
from podium.cli import EndedError, end_as_with_ctrl_c, signal_handled
end_as_with_ctrl_c()
try:
    ctypes.CFUNCTYPE(None)(lambda: os.kill(os.getpid(), signal.SIGTERM))()  # nothing is raised out of a callback
    time.sleep(60)
    print("never heard")
except EndedError as stop:
    time.sleep(0.8)  # what is closed now is not disturbed
    signal_handled()
    print("heard", stop.number)
time.sleep(0.8)
print("and only once")
"""


def test_a_signal_that_a_library_swallows_is_repeated():
    done = subprocess.run([sys.executable, "-c", SWALLOWED], capture_output=True, text=True, timeout=120, check=False)
    assert (done.stdout, done.stderr) == ("heard 15\nand only once\n", "")
