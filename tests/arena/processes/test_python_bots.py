"""Bots in Python files of the user's: named, fingerprinted, run in a process, and judged like programs."""

import json
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest
from typer.testing import CliRunner

from podium.arena.entrants.entrant import entrant
from podium.arena.entrants.python_bots import python_bot, sources_of
from podium.arena.game import players
from podium.arena.game.limits import TimeControl
from podium.arena.game.play import play_game, play_recorded
from podium.arena.game.players import player
from podium.arena.game.record import Recorder
from podium.arena.processes import python_pool
from podium.arena.tournament.match import Match
from podium.cli.app import app
from podium.errors import PodiumError
from podium.games import load
from podium.games.game import AnswerVerdict

ROOT = Path(__file__).parents[3]
SHORT = TimeControl(milliseconds=2000)

# Draws any wall that is legal by the rules of the package itself, from a memory of the moves.
GOOD = """
from podium.games.zuniq.view import View
from podium.games.toolkit import moves_of

class Bot:
    def __init__(self):
        self.view = View()

    def reply(self, lines, budget):
        self.view.read(lines)
        line = self.view.answer_of(moves_of(self.view.state)[0])
        self.view.answered(line)
        return line
"""

# Answers of a seat that needs to know nothing: the first of the walls that nobody draws early on.
LIST = """
WALLS = iter(["A1h", "B1h", "C1h", "D1h", "E1h", "F1h"])
def bot(lines):
    {before}
    return next(WALLS)
"""


@pytest.fixture(autouse=True)
def _no_waiting_processes():
    yield
    python_pool.close_all()


@pytest.fixture
def write(tmp_path):
    def write(text, name="mybot.py"):
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
        return f"py:{path}"

    return write


def first_turn(spec, time_control=SHORT, seed=1):
    """What the arena saw of a bot's first answer in a game of Zuniq."""
    game = load("zuniq")
    turns = []
    sitting = [player(game, entrant(game, spec), seed), game.kind("random").bot(seed=2)]
    try:
        play_game(game.new_referee(1), sitting, time_control, turns.append)
    finally:
        words = sitting[0].close(())
    return turns[0], turns, words


def test_a_class_plays_a_whole_game_without_a_fault(write):
    heard, turns, _ = first_turn(write(GOOD), TimeControl(milliseconds=20_000))
    assert heard.verdict is AnswerVerdict.ANSWERED
    assert {turn.verdict for turn in turns} == {AnswerVerdict.ANSWERED}
    assert len(turns) > 20


@pytest.mark.parametrize(
    "text",
    [
        "def bot(lines):\n    return 'A1h'",
        "def bot(lines, budget):\n    assert budget.deadline > 0\n    return 'A1h'",
        "class Bot:\n    def __init__(self, seed):\n        self.seed = seed\n"
        "    def reply(self, lines, budget):\n        assert self.seed == 7\n        return 'A1h'",
        "class Bot:\n    def reply(self, lines):\n        return 'A1h'",
    ],
)
def test_functions_and_classes_are_called_with_what_they_take(write, text):
    heard, _, _ = first_turn(write(text), seed=7)
    assert (heard.line, heard.stderr) == ("A1h", "")


@pytest.mark.parametrize(
    ("before", "verdict", "told"),
    [
        ("raise RuntimeError('no idea')", AnswerVerdict.CRASHED, "RuntimeError: no idea"),
        ("return 3", AnswerVerdict.CRASHED, "reply answered with int instead of a line: 3"),
        ("import sys; sys.exit(0)", AnswerVerdict.EXITED, ""),
        ("import os; os.abort()", AnswerVerdict.CRASHED, ""),
        ("print('thinking')", AnswerVerdict.EXTRA_LINES, ""),
        ("while True: pass", AnswerVerdict.SILENT, ""),
        ("input()", AnswerVerdict.CRASHED, "EOFError"),
        ("import os; assert os.read(0, 9) == b''", AnswerVerdict.ANSWERED, ""),
        ("import sys; print('a note', file=sys.stderr)", AnswerVerdict.ANSWERED, "a note"),
    ],
)
def test_faults_are_judged_like_those_of_a_program(write, before, verdict, told):
    started = time.monotonic()
    heard, _, words = first_turn(write(LIST.format(before=before)), TimeControl(milliseconds=500))
    assert told in heard.stderr + words
    assert time.monotonic() - started < 60, "an endless loop is killed when its time is over"
    if verdict is AnswerVerdict.EXTRA_LINES:  # the stray line is the answer, and the answer the next one's
        assert heard.line == "thinking"
    else:
        assert heard.verdict is verdict


@pytest.mark.parametrize(
    ("text", "first", "last"),
    [
        ("import nowhere_at_all\ndef bot(lines): ...", 'mybot.py", line 1', "ModuleNotFoundError: No module named"),
        ("def bot(lines):\n    raise ValueError('x')", 'mybot.py", line 2', "ValueError: x"),
    ],
)
def test_a_traceback_begins_in_the_code_of_the_bot(write, text, first, last):
    written = first_turn(write(text))[0].stderr.splitlines()
    assert written[0].startswith("Traceback")
    assert first in written[1]
    assert last in written[-1]


def test_a_wrong_signature_is_told_without_a_traceback(write):
    heard, _, _ = first_turn(write("class Bot:\n    def reply(self): ..."))
    assert heard.stderr.strip() == "TypeError: Bot.reply() takes 1 positional argument but 2 were given"


def test_processes_that_a_bot_left_behind_are_reported(write):
    child = "import subprocess; subprocess.Popen(['sleep', '60'], start_new_session=True); raise RuntimeError"
    game, recorder = load("zuniq"), Recorder()
    bots = [player(game, entrant(game, write(LIST.format(before=child))), 1), player(game, entrant(game, "random"), 2)]
    play_recorded(game.new_referee(1), bots, TimeControl(milliseconds=20_000), recorder)
    assert "[podium: 1 processes left behind were killed]" in "".join(recorder.record.stderr.values())


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("Bot = 1 / 0", "ZeroDivisionError"),
        ("class Bot: pass", "has no reply(lines, budget)"),
        ("def later(): bot = 1", "has no Bot and no bot"),
        ("bot = 5", "is neither a class nor a function"),
        (
            "class Bot:\n    def __init__(self): raise ValueError('unwell')\n    def reply(self, lines, budget): ...",
            "unwell",
        ),
    ],
)
def test_a_bot_that_cannot_be_made_ends_a_match_with_a_sentence(write, tmp_path, text, told):
    with (
        Match("zuniq", write(text), "random", games=2, store=tmp_path / "games.db") as match,
        pytest.raises(PodiumError, match="cannot play: not started") as raised,
    ):
        match.play(jobs=1)
    assert told in str(raised.value)


def test_an_endless_loop_under_a_budget_of_nodes_is_killed_too(write, monkeypatch):
    monkeypatch.setattr(players, "NODES_MILLISECONDS", 300.0)
    heard, _, _ = first_turn(write("def bot(lines):\n    while True: pass"), TimeControl(nodes=10))
    assert heard.verdict is AnswerVerdict.SILENT


def test_a_process_is_kept_for_the_next_game_unless_it_was_at_fault(write):
    spec = write("import os\nclass Bot:\n    def reply(self, lines, budget):\n        return f'A1h pid {os.getpid()}'")
    first, again = first_turn(spec)[0].line, first_turn(spec)[0].line
    assert first == again
    assert first_turn(write("def bot(lines):\n    print('x\\ny')\n    return 'A1h'", "faulty.py"))[0].line == "x"
    assert [process.bot.module for process in python_pool._idle] == ["mybot"]


@pytest.mark.parametrize("seconds", [0.2, 1000])
def test_what_comes_after_the_end_of_a_game_answers_nothing_in_the_next(write, seconds):
    """The stray line loses the game while the bot still thinks; nobody waits for it."""
    spec = write(
        f"import time\ndef bot(lines):\n    print('x', flush=True)\n    time.sleep({seconds})\n    return 'A1h'"
    )
    assert [first_turn(spec)[0].line for _ in range(3)] == ["x"] * 3


def test_thoughts_and_budgets_pass_through_the_pipes(write):
    text = """
from podium.games.game import Option, Thoughts
class Bot:
    thoughts = None
    def reply(self, lines, budget):
        self.thoughts = Thoughts(0.5, "win rate", nodes=budget.nodes, options=[Option("A1h", 0.5)])
        return "A1h"
"""
    _, turns, _ = first_turn(write(text), TimeControl(nodes=77))
    assert turns[0].thoughts.nodes == 77
    assert turns[0].thoughts.options[0].move == "A1h"


def test_the_fingerprint_covers_what_is_imported_from_the_same_folder(write):
    game = load("zuniq")
    spec = write("from helper import wall\nimport json\ndef bot(lines):\n    return wall()")
    write("import deeper\ndef wall():\n    return deeper.WALL", "helper.py")
    write("WALL = 'A1h'", "deeper.py")
    write("UNUSED = 1", "unused.py")
    assert [path.name for path in sources_of(python_bot(spec))] == ["deeper.py", "helper.py", "mybot.py"]
    before = entrant(game, spec).fingerprint
    write("UNUSED = 2", "unused.py")
    assert entrant(game, spec).fingerprint == before
    write("WALL = 'A2h'", "deeper.py")
    assert entrant(game, spec).fingerprint != before
    assert first_turn(spec)[0].line == "A2h"
    write("WALL = 'A3h'", "deeper.py")
    assert first_turn(spec)[0].line == "A3h", "an edit must never be served from an old process"


def test_a_package_is_followed_and_imported(tmp_path, monkeypatch):
    package = tmp_path / "bots_of_mine"
    package.mkdir()
    (package / "__init__.py").write_text("")
    (package / "walls.py").write_text("WALL = 'B2v'")
    (package / "best.py").write_text("from .walls import WALL\ndef choose(lines):\n    return WALL")
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(tmp_path), os.environ.get("PYTHONPATH", "")]))
    spec = "py:bots_of_mine.best:choose"
    assert [path.name for path in sources_of(python_bot(spec))] == ["__init__.py", "best.py", "walls.py"]
    assert first_turn(spec)[0].line == "B2v"


def test_to_find_the_sources_of_a_bot_imports_nothing(tmp_path):
    (tmp_path / "mybot.py").write_text("from podium.games.zuniq import GAME\ndef bot(lines):\n    return 'A1h'")
    script = """
import sys
from podium.arena.entrants.python_bots import python_bot, sources_of
before = {*sys.modules}
names = [path.name for path in sources_of(python_bot(sys.argv[1]))]
assert {"mybot.py", "board.py", "slices.py"} <= {*names}, names
print(sorted(name for name in {*sys.modules} - before if name.startswith("podium.")))
"""
    done = subprocess.run([sys.executable, "-c", script, f"py:{tmp_path}/mybot.py"], capture_output=True, text=True)
    assert (done.stdout, done.stderr) == ("[]\n", "")


@pytest.mark.parametrize(
    ("spec", "sentence"),
    [
        ("py:", "needs a file or a module"),
        ("py:nowhere.py", "cannot find 'nowhere.py'"),
        ("py:no_such_module_at_all", "there is no module no_such_module_at_all"),
        ("py:no.such.module", "cannot import no.such.module"),
        ("py:json:loads", "json is a package: name a module of it, such as py:json.module:Bot"),
        ("py:json:3x", "is no name of a class or function"),
    ],
)
def test_names_of_nothing_are_sentences(spec, sentence):
    with pytest.raises(PodiumError, match=sentence):
        entrant(load("zuniq"), spec)


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        ("for line in open(0): print('A1h')", r"has no Bot and no bot; name it 'cmd:python3 .*\.py', if it reads"),
        ("class Mine:\n    def reply(self, lines, budget): ...", r"has no Bot and no bot; name it py:.*\.py:Mine$"),
    ],
)
def test_a_file_without_a_bot_says_what_to_name(write, text, hint):
    with pytest.raises(PodiumError, match=hint):
        entrant(load("zuniq"), write(text))


def test_a_source_that_is_not_python_is_a_sentence(write):
    with pytest.raises(PodiumError, match=r"is not Python: .* in line 2"):
        entrant(load("zuniq"), write("x = 1\ndef bot(:"))


def test_a_change_in_the_middle_of_a_match_ends_it(write):
    game = load("zuniq")
    spec = write("def bot(lines):\n    return 'A1h'")
    who = entrant(game, spec)
    write("def bot(lines):\n    return 'A2h'")
    with pytest.raises(PodiumError, match="mybot was changed while it plays"):
        player(game, who, 1)


@pytest.mark.slow
def test_a_match_with_workers(write, tmp_path):
    with Match("zuniq", write(GOOD), "random", games=8, nodes=1, store=tmp_path / "games.db") as match:
        report = match.play(jobs=2)
    assert report.games == 8
    assert report.faults == ({}, {})


CLUSTER = """
import sys
import podium
from distributed import LocalCluster

if __name__ == "__main__":
    there = LocalCluster(n_workers=1, threads_per_worker=2, processes=False, dashboard_address=None)
    report = podium.match(
        "zuniq", sys.argv[1], "random", games=12, nodes=1, store=sys.argv[2], cluster=there.scheduler_address
    )
    print(report.games, report.faults)
"""


@pytest.mark.compiled
@pytest.mark.slow
def test_a_match_on_a_cluster_whose_workers_have_several_threads(write, tmp_path):
    pytest.importorskip("distributed")
    (tmp_path / "cluster.py").write_text(CLUSTER)
    command = [sys.executable, str(tmp_path / "cluster.py"), write(GOOD), str(tmp_path / "games.db")]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300)
    assert done.stdout == "12 ({}, {})\n", done.stderr[-2000:]


def test_as_a_program_for_a_judge(write):
    command = [sys.executable, "-m", "podium", "bot", "zuniq", write(GOOD)]
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "src")}
    done = subprocess.run(command, input="Start\nQuit\n", env=environment, capture_output=True, text=True, timeout=120)
    assert done.stdout == "A1h\n", done.stderr


KERNEL = """
from podium.kernel import kernel
from part import part

@kernel
def column(number):
    return part(number)

def bot(lines):
    hits = sum(column.stats.cache_hits.values()) if hasattr(column, "stats") else 0
    return f"A{column(1)}h hits {hits} {sum(column.stats.cache_hits.values()) if hasattr(column, 'stats') else 0}"
"""


@pytest.mark.compiled
@pytest.mark.slow
def test_kernels_in_a_bots_file_are_cached_and_never_stale(write, tmp_path, monkeypatch):
    monkeypatch.setenv("PODIUM_CACHE_DIR", str(tmp_path / "cache"))
    spec = write(KERNEL)
    part = "from podium.kernel import kernel\n@kernel\ndef part(number):\n    return number + {}\n"
    write(part.format(1), "part.py")
    answers = []
    for edit in (1, 1, 3):
        write(part.format(edit), "part.py")
        python_pool.close_all()  # a new process each time
        answers.append(first_turn(spec, TimeControl(milliseconds=60_000))[0].line)
    assert answers == ["A2h hits 0 0", "A2h hits 0 1", "A4h hits 0 0"]


def test_it_thinks_about_a_position(write):
    spec = write("def bot(lines):\n    return f'F1h {len(lines)}'", "thinker.py")
    done = CliRunner().invoke(app, ["analyze", "zuniq", "A1h", "A2h", "--bot", spec, "--nodes", "1", "--json"])
    assert done.exit_code == 0, done.output
    assert json.loads(done.output)["thoughts"]["note"] == "answers F1h 1"
    done = CliRunner().invoke(app, ["analyze", "zuniq", "--bot", "cmd:true"])
    assert isinstance(done.exception, PodiumError)
