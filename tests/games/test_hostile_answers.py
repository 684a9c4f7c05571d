"""No answer makes a referee raise, or think long about it."""

import time

import pytest

from podium.games import load, names
from podium.games.game import Answer

ZEROS = "0" * 5000 + "1"
BLANKS = " \x85" * 2500 + " " * 2500
HOSTILE = [
    f"CONNECT {ZEROS}",
    f"CONNECT -{ZEROS}",
    f"MOVE {ZEROS} 1",
    f"MOVE 1 {'9' * 9000}",
    f"BREW {ZEROS}",
    f"CAST {ZEROS} {ZEROS}",
    f"MOVE&BUILD {ZEROS} N N",
    f"REST{BLANKS}x",
    f"CAST 1{BLANKS}\x85",
    f"WAIT{BLANKS}\u2028",
    f"ACCEPT-DEFEAT{BLANKS}\x85",
    f"MOVE&BUILD 0 N N{BLANKS}\x85",
    f"MOVE 1 1{BLANKS}\x85",
    f"GOTO {BLANKS}DIAGNOSIS",
    "WAIT " * 2000,
    "A1h" + "!" * 9000,
    "٣ ²" * 100,
    "\ud800\udfff",
    "\x00",
]
SECONDS = 0.25  # a quadratic form takes seconds


@pytest.mark.parametrize("name", names())
def test_hostile_answers_are_judged_at_once(name):
    game = load(name)
    for line in HOSTILE:
        referee = game.new_referee(1)
        referee.answer([Answer("WAIT") for _ in referee.requests()])  # kernels are compiled before the clock runs
        referee = game.new_referee(1)
        requests = referee.requests()
        start = time.process_time()
        referee.answer([Answer(line) for _ in requests])
        assert time.process_time() - start < SECONDS, line[:40]
