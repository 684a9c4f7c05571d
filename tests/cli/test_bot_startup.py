"""A bot that is there in time: what its start imports, and how the time of the start counts."""

import io
import subprocess
import sys

import pytest

from podium.arena.processes import stdio
from podium.cli import plain_bot
from podium.games import load
from podium.games.game import Bot, BotKind, Limits
from podium.kernel.clock import MILLISECOND, SECOND
from podium.model.params import ParamSpec

GAMES = ("code4life", "code_of_kutulu", "fall_challenge_2020", "wondev_woman", "zuniq")
BEGIN = 1000 * SECOND  # of all faked clocks
PARAMS = ParamSpec("parameters of a bot that watches the clock")

START = """
import sys
from podium.cli import run
run(["bot", *sys.argv[1:], "champion", "--nodes", "1"])
from podium.kernel.aot import loaded_code
loaded = len(loaded_code(__import__("os").getpid()).trampolines)
print(*sorted(name for name, module in sys.modules.items() if module), loaded, sep="\\n", file=sys.stderr)
"""
# Command line, pictures, statistics, settings, and the compiler itself.
NEEDLESS = {"typer", "click", "rich", "scipy", "yaml", "numba", "sqlite3", "asyncio", "multiprocessing", "msgspec"}
ROOMS = ("podium.lab", "podium.web", "podium.testing", "podium.referees")
FILES = (
    "scene",
    "analysis",
    "benchmarks",
    "app",
    "store",
    "entrant",
    "fingerprint",
    "python_bots",
    "compiler",
    "numba_internals",
    "explain",
)


def first_prompt(game):
    return "".join(f"{line}\n" for line in load(game).new_referee(1).requests()[0].lines)


def started(game):
    """What a start of a game's champion had imported, and how many kernels it had loaded."""
    command = [sys.executable, "-c", START, game]
    done = subprocess.run(command, input=first_prompt(game), capture_output=True, text=True, check=True)
    assert len(done.stdout.splitlines()) == 1
    *modules, loaded = (line for line in done.stderr.splitlines() if not line.startswith("podium: "))
    return modules, int(loaded)


@pytest.mark.compiled
@pytest.mark.parametrize("game", GAMES)
def test_a_start_imports_only_what_plays_and_loads_only_ahead_of_time_code(game):
    modules, loaded = started(game)
    if "numba" in modules:  # the first start after an edit compiles the kernels
        modules, loaded = started(game)
    others = {other for other in GAMES if other != game}
    wrong = [
        name
        for name in modules
        if name.partition(".")[0] in NEEDLESS
        or name.startswith(ROOMS)
        or (name.startswith("podium.") and (name.rpartition(".")[2] in FILES or {*name.split(".")} & others))
    ]
    assert wrong == []
    assert 0 < loaded <= 20, "a few kernels are called from Python; what they call is a part of them"


@pytest.mark.parametrize(
    ("limits", "starting", "expected"),
    [
        (Limits(1000, 50), 300, [600, 50, 50]),  # a tenth of the limit stays unused
        (Limits(1000, 50), 0, [900, 50, 50]),
        (Limits(1000, 50), 990, [20, 50, 50]),  # the time of a short search, whatever a slow machine took
        (Limits(1000, 50), 60_000, [20, 50, 50]),
        (Limits(30_000, 30_000, bank=True), 400, [29_600, 29_590, 29_580]),
        (Limits(30_000, 30_000, bank=True), 30_000, [600, -10, -20]),
    ],
)
def test_the_time_since_the_process_was_started_counts_for_the_first_answer(limits, starting, expected):
    keeper = stdio.Timekeeper(limits, starting)
    found = []
    for _ in expected:
        found.append(keeper.limit())
        keeper.answered(10)
    assert found == expected


class Watcher(Bot):
    """Notes what time it is given, and answers what need not be read."""

    given: list[float] = []  # noqa: RUF012 - one test at a time

    def reply(self, lines, budget):
        self.given.append((budget.deadline - BEGIN) / MILLISECOND)
        return "answer"


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize(("age", "waiting", "left"), [(350, True, -350), (350, False, 0), (10**6, True, None)])
def test_a_prompt_that_was_waiting_is_answered_in_what_is_left(game, age, waiting, left, monkeypatch):
    rules = load(game)
    kind = BotKind("watcher", "watches the clock", PARAMS, lambda params, seed: Watcher())
    monkeypatch.setattr(stdio, "bot_kind", lambda rules, bot: (kind, {}))
    monkeypatch.setattr(stdio, "now", lambda: BEGIN)
    monkeypatch.setattr(stdio, "age", lambda: age)
    monkeypatch.setattr(stdio, "is_waiting", lambda: waiting)
    monkeypatch.setattr(sys, "stdin", io.StringIO(first_prompt(game)))
    monkeypatch.setattr(sys, "stdout", io.StringIO())
    Watcher.given.clear()
    stdio.play_on_stdio(game, "watcher")
    limits = rules.contest.limits
    unused = 0 if limits.bank else stdio.UNUSED * limits.first
    assert Watcher.given == [limits.first * stdio.LEAST if left is None else limits.first - unused + left]
    assert sys.stdout.getvalue() == "answer\n"


def test_who_speaks_later_is_seen_not_to_be_waiting(monkeypatch):
    with subprocess.Popen(["cat"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as judge:
        monkeypatch.setattr(sys, "stdin", judge.stdout)
        assert not stdio.is_waiting()
        judge.stdin.write("Start\n")
        judge.stdin.close()
        judge.wait()
        assert stdio.is_waiting()


def test_the_age_is_that_of_the_process():
    script = "import time; time.sleep(0.2); from podium.arena.processes.stdio import age; print(age())"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert float(done.stdout) >= 190  # the system counts in hundredths of a second


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("bot zuniq champion", {"game": "zuniq", "bot": "champion"}),
        ("bot zuniq champion:memory=8 --nodes 20", {"game": "zuniq", "bot": "champion:memory=8", "nodes": "20"}),
        ("bot zuniq uct --time 5 --seed 1", {"game": "zuniq", "bot": "uct", "time": "5", "seed": "1"}),
        ("bot zuniq", None),
        ("bot", None),
        ("", None),
        ("play zuniq champion", None),
        ("bot zuniq champion --help", None),
        ("bot --nodes 20 zuniq champion", None),
        ("bot zuniq champion --nodes=20", None),
        ("bot zuniq champion --nodes 20 --nodes 30", None),
        ("bot zuniq champion --seed -1", None),
        ("bot zuniq champion --nodes", None),
    ],
)
def test_only_what_is_written_plainly_starts_without_the_command_line(words, expected):
    assert plain_bot(words.split()) == expected
