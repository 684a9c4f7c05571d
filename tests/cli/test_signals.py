"""SIGTERM, SIGHUP and Ctrl-C in any command: a sentence, and the exit code that shells report for the signal."""

import signal
import subprocess
import sys

import pytest

SIGNALLED = """
import os, sys, time
from podium.cli import games, main

number = int(sys.argv.pop())

def command() -> None:
    '''A command that knows nothing of signals.'''
    os.kill(os.getpid(), number)
    time.sleep(60)

games.command = command
sys.argv = ["podium", "games"]
main()
"""


def ended(process, number):
    _, errors = process.communicate(timeout=60)
    assert (process.returncode, errors) == (128 + number, "podium: interrupted\n")


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGINT])
def test_a_command_that_knows_nothing_of_signals(number):
    words = [sys.executable, "-P", "-c", SIGNALLED, str(int(number))]
    ended(subprocess.Popen(words, stderr=subprocess.PIPE, text=True), number)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGINT])
def test_the_server_of_pages(tmp_path, number):
    words = [sys.executable, "-P", "-m", "podium", "web", "--store", tmp_path / "podium.db", "--port", "0"]
    server = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert server.stdout.readline().startswith("http://")
    server.send_signal(number)
    ended(server, number)
