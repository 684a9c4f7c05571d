"""Packed bots: one file that plays as the bot does, without Podium and Numba."""

import ast
import subprocess
import sys
import textwrap
from types import ModuleType

import numpy as np
import pytest

from podium.arena.entrants.entrant import entrant
from podium.errors import PodiumError
from podium.games import load
from podium.pack.judges import JUDGES, judge_named, utf16_units
from podium.pack.linking import LinkedCode
from podium.pack.lowering import lowered
from podium.pack.packing import split_tables, uses_front_door, write_pack
from podium.pack.recording import own_modules
from podium.pack.shaking import Shaker
from podium.pack.standalone import loader
from podium.pack.standalone.loader import joined_tables
from podium.pack.text_encoding import ENCODINGS
from podium.pack.verifying import clean_command, verify_pack
from tests.commands import podium


@pytest.fixture(scope="module")
def packed(tmp_path_factory):
    file = tmp_path_factory.mktemp("pack") / "bot.py"
    report = write_pack("zuniq", "champion", file, judge_named("codingame"))
    assert report.size == utf16_units(file.read_text()) <= 100_000
    return file


def test_a_packed_champion_answers_as_the_champion_does(packed):
    found = verify_pack("zuniq", "champion", packed, positions=30, nodes=60)
    assert found.positions == 30
    assert found.differences == []


def test_a_file_of_another_bot_differs_in_game_after_game(packed):
    found = verify_pack("zuniq", "random", packed, positions=4, nodes=20)
    assert found.positions >= 4
    assert len(found.differences) > 1
    assert found.differences[0].startswith("seed 1, turn ") and " unpacked" in found.differences[0]


def test_a_packed_bot_needs_neither_podium_nor_numba(packed):
    with clean_command(packed) as (command, folder):
        for module in ("podium", "numba", "llvmlite"):
            probe = [*command[:4], f"import sys; sys.path.append({command[5]!r}); import {module}"]
            assert subprocess.run(probe, cwd=folder, capture_output=True).returncode != 0
        done = subprocess.run([*command, "--nodes", "20"], input="Start\n", capture_output=True, text=True, cwd=folder)
    assert len(done.stdout.split()) == 1, done.stderr


USERS_BOT = """
from podium import Mcts, PodiumError
from podium.games.toolkit import SearchBot
from podium.games.zuniq import GAME
from podium.games.zuniq.view import View


class Bot(SearchBot):
    def __init__(self, seed):
        super().__init__(View(), lambda: Mcts(GAME, playouts=2, seed=seed), GAME.initial_state(), margin=20)
"""


def test_a_users_bot_on_our_searches_is_packed_without_the_arena(tmp_path):
    (tmp_path / "mybot.py").write_text(USERS_BOT)
    spec, file = f"py:{tmp_path}/mybot.py", tmp_path / "bot.py"
    report = write_pack("zuniq", spec, file)
    assert report.parts["sources"] < 40_000, "what it does not use has been packed"
    found = verify_pack("zuniq", spec, file, positions=10, nodes=40)
    assert (found.positions, found.differences) == (10, [])


BOT_WITH_AN_EVALUATION = """
from podium import AlphaBeta, kernel
from podium.games.toolkit import SearchBot
from podium.games.zuniq import GAME
from podium.games.zuniq.view import View


@kernel
def free_walls(state, seat):
    return 1.0 * (state.drawn % 7)


class Bot(SearchBot):
    def __init__(self, seed):
        super().__init__(View(), lambda: AlphaBeta(GAME, evaluate=free_walls), GAME.initial_state(), margin=20)
"""


@pytest.mark.compiled
@pytest.mark.slow
def test_an_evaluation_of_state_and_seat_is_packed(tmp_path):
    """The search wraps it in a kernel that captures it, which Python cannot call by its machine code."""
    (tmp_path / "mybot.py").write_text(BOT_WITH_AN_EVALUATION)
    spec, file = f"py:{tmp_path}/mybot.py", tmp_path / "bot.py"
    write_pack("zuniq", spec, file)
    found = verify_pack("zuniq", spec, file, positions=6, nodes=40)
    assert (found.positions, found.differences) == (6, [])


BOT_WITH_FILES = """
import json
from pathlib import Path

import numpy as np
from helpers.words import WORDS

HERE = Path(__file__).parent
WEIGHTS = np.load(HERE / "weights.npy")
NAMES = json.loads((HERE / "names.json").read_text())
with open("names.json") as file:
    assert json.load(file) == NAMES


def bot(lines):
    return f"{lines[0]} {WEIGHTS.sum():g} {NAMES} {WORDS}"
"""


def test_files_beside_a_users_bot_are_packed(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mybot.py").write_text(BOT_WITH_FILES)
    (tmp_path / "helpers").mkdir()
    words = "from pathlib import Path\nWORDS = Path(__file__).with_name('words.txt').read_text().split()"
    (tmp_path / "helpers" / "words.py").write_text(words)
    (tmp_path / "helpers" / "words.txt").write_text("a b")
    (tmp_path / "names.json").write_text('["x"]')
    np.save(tmp_path / "weights.npy", np.ones(5))
    write_pack("zuniq", "py:mybot.py", tmp_path / "bot.py")
    with clean_command(tmp_path / "bot.py") as (command, folder):
        done = subprocess.run(command, input="Start\n", capture_output=True, text=True, cwd=folder)
    assert (done.stdout, done.stderr) == ("Start 5 ['x'] ['a', 'b']\n", "")


PLAYS_FOUND_BY_DECORATOR = """
from random import Random

PLAYS = {}


def play(name):
    def note(function):
        PLAYS[name] = function
        return function

    return note


class Strategy:
    def rows_h(self):
        return "ABCDEF"

    def rows_v(self):
        return "ABCDE"


@play("any")
def any_wall(strategy, seed, drawn):
    kind = "hv"[len(drawn) % 2]
    walls = [f"{row}{column}{kind}" for row in getattr(strategy, f"rows_{kind}")() for column in range(1, 6)]
    return Random(seed).choice([wall for wall in walls if wall not in drawn] or walls)
"""
BOT_OF_PARTS = """
from plays import PLAYS, Strategy


class Bot:
    def __init__(self, seed):
        self.seed, self.drawn, self.strategy = seed, [], Strategy()

    def reply(self, lines, budget):
        self.drawn += lines
        self.drawn.append(PLAYS["any"](self.strategy, self.seed, self.drawn))
        return self.drawn[-1]
"""


def test_a_users_modules_are_packed_whole(tmp_path):
    """Their parts may be found by decorators, or by names that are put together."""
    (tmp_path / "plays.py").write_text(PLAYS_FOUND_BY_DECORATOR)
    (tmp_path / "mybot.py").write_text(BOT_OF_PARTS)
    spec, file = f"mine=py:{tmp_path}/mybot.py", tmp_path / "bot.py"
    write_pack("zuniq", spec, file)
    assert file.read_text().startswith("# mine of zuniq, packed by")
    found = verify_pack("zuniq", spec, file, positions=6)
    assert (found.positions, found.differences) == (6, [])


def test_a_bot_of_a_project_is_packed_by_its_name(tmp_path, monkeypatch):
    (tmp_path / "podium.toml").write_text('game = "zuniq"\n[bots]\nmine = "py:mybot.py"\nfast = "champion"\n')
    (tmp_path / "mybot.py").write_text("def bot(lines):\n    return 'A1h'\n")
    monkeypatch.chdir(tmp_path)
    text = podium("pack", "mine", "--verify", "1")
    assert "bot.py: " in text and "1 answers compared" in text
    with pytest.raises(PodiumError, match="did you mean mine"):
        podium("pack", "zuniq", "mina")
    with pytest.raises(PodiumError, match="name one bot of zuniq to pack, not 2"):
        podium("pack", "mine", "fast")


def test_calls_of_podium_are_imported_from_where_they_are():
    lowered_text = ast.unparse(lowered("from podium import Mcts, Rules as R, kernel, load"))
    assert lowered_text.splitlines() == [
        "from podium.search.mcts import Mcts",
        "from podium.model.ruleset import Rules as R",
        "from podium import kernel",
        "from podium.api.games import load",
    ]
    modules = {"podium.kernel"}
    assert not uses_front_door(lowered("from podium import Mcts, kernel\nimport podium.games"), modules)
    assert uses_front_door(lowered("import podium"), modules)
    assert uses_front_door(lowered("def reply(lines):\n    from podium import __version__"), modules)


def test_without_numpy_and_on_an_older_processor_a_packed_bot_says_so(packed, tmp_path, monkeypatch, capsys):
    done = subprocess.run([sys.executable, "-I", "-S", packed], input="Start\n", capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith("packed bot: it needs NumPy") and "Traceback" not in done.stderr
    monkeypatch.setattr(loader, "missing_flags", lambda needed: ["avx2"] if "avx2" in needed else [])
    monkeypatch.setattr(loader.PACKED, "read", lambda payload: loader.PACKED.about.update(flags="avx avx2"))
    with pytest.raises(SystemExit):
        loader.run(b"")
    assert "this processor lacks avx2; pack the bot with --cpu x86-64" in capsys.readouterr().err


def test_a_packed_bot_says_what_is_wrong(packed):
    wrong = (["--nodes"], ["--nodes", "-1"], ["--time", "nan"], ["--time", "-1"])
    cases = [*((words, "Start\n", "options: ") for words in wrong), ([], "Z9z\n", "is no prompt")]
    for words, line, sentence in cases:
        done = subprocess.run([sys.executable, packed, *words], input=line, capture_output=True, text=True)
        assert done.returncode == 1
        assert done.stderr.startswith("packed bot: ") and sentence in done.stderr
        assert "Traceback" not in done.stderr


def test_an_older_python_is_told_by_its_version(monkeypatch, capsys):
    monkeypatch.setattr(sys, "version_info", (3, 7, 16))
    with pytest.raises(SystemExit):
        loader.run(b"")
    assert capsys.readouterr().err == "packed bot: it needs Python 3.8 or newer\n"


def test_a_packed_bot_takes_part_by_its_content(packed, tmp_path):
    game = load("zuniq")
    one = entrant(game, f"v1=pack:{packed}")
    copy = tmp_path / "copy.py"
    copy.write_bytes(packed.read_bytes())
    assert one.label == "v1" and one.is_program
    assert one.fingerprint == entrant(game, f"pack:{copy}").fingerprint
    timed = entrant(game, f"pack:{packed} --time 100")
    assert timed.argv == (*one.argv, "--time", "100") and timed.fingerprint != one.fingerprint
    with pytest.raises(PodiumError, match=r"'pack:missing.py --time 100' names no file that is there; podium pack"):
        entrant(game, "pack:missing.py --time 100")


def test_a_file_that_is_too_large_is_not_written(tmp_path, monkeypatch):
    from podium.pack import packing

    monkeypatch.setattr(packing, "pack_bot", lambda *given: packing.PackedBot("x" * 100_001, {}))
    with pytest.raises(PodiumError, match="100,001 UTF-16 code units, and codingame takes 100,000"):
        write_pack("zuniq", "champion", tmp_path / "bot.py", judge_named("codingame"))
    assert not (tmp_path / "bot.py").exists()


def test_what_cannot_be_packed_is_told_before_it_plays(tmp_path):
    for bot, file, sentence in (
        ("champion", tmp_path, "is a folder"),
        ("champion", tmp_path / "missing" / "bot.py", "there is no folder"),
        ("cmd:./mybot", tmp_path / "bot.py", "is a program already"),
        ("v1=pack:v1.py", tmp_path / "bot.py", "is a program already"),
    ):
        with pytest.raises(PodiumError, match=sentence):
            write_pack("zuniq", bot, file)
    with pytest.raises(PodiumError, match="give both"):
        podium("pack", "zuniq", "champion", "--python", "python3")


def test_installed_modules_are_libraries_wherever_they_are_installed(tmp_path, monkeypatch):
    for folder in ("lib/python3/dist-packages", "venv/lib/python3.11/site-packages", "bots"):
        module = ModuleType(folder)
        module.__file__ = str(tmp_path / folder / "helpers.py")
        monkeypatch.setitem(sys.modules, folder, module)
    found = own_modules(("podium",))
    assert {*found} & {"numpy", "textwrap", "lib/python3/dist-packages", "venv/lib/python3.11/site-packages"} == set()
    assert {"bots", "podium.errors"} <= {*found}


def test_a_users_bot_that_fails_while_it_is_recorded_says_why(tmp_path, capfd):
    (tmp_path / "mybot.py").write_text("def bot(lines):\n    return lines[7]\n")
    with pytest.raises(PodiumError, match=r"mybot.py failed while it was recorded: IndexError: tuple index"):
        write_pack("zuniq", f"py:{tmp_path}/mybot.py", tmp_path / "bot.py")
    assert "in bot\n    return lines[7]" in capfd.readouterr().err


def test_unknown_judges_and_processors_are_named(tmp_path):
    with pytest.raises(PodiumError, match="did you mean codingame"):
        judge_named("codingam")
    with pytest.raises(PodiumError, match="did you mean x86-64-v3"):
        write_pack("zuniq", "champion", tmp_path / "bot.py", JUDGES["file"], "x86-64-v4")


@pytest.mark.parametrize("name", ENCODINGS)
@pytest.mark.parametrize("size", [0, 1, 7, 8, 1000])
def test_bytes_come_back_from_their_text(name, size):
    data = bytes(range(1, 256))[:size] * (1 + size // 256)
    encoding = ENCODINGS[name]
    space = {"text": encoding.encode(data)}
    exec(f"import base64\ndata = {encoding.decode}", space)
    assert space["data"].rstrip(b"\0") == data


def test_tables_come_back_from_their_planes():
    words = b"".join((40_000 + 3 * i).to_bytes(2, "little") for i in range(8192))
    code = LinkedCode(b"code" * 4 + words + b"end", 0, (), (), {}, [(16, len(words))])
    content, tables = split_tables(code)
    assert tables == [(16, len(words))] and content != code.content
    assert joined_tables(content, tables) == code.content


def run(source):
    space = {"__name__": "lowered"}
    exec(compile(source, "lowered", "exec"), space)
    return space


def test_later_python_is_written_in_an_older_way():
    source = textwrap.dedent(
        '''
        """A docstring."""
        from collections import Counter
        from collections.abc import Callable
        from dataclasses import dataclass
        from enum import StrEnum
        from functools import cache
        from itertools import pairwise
        from typing import TYPE_CHECKING, Any, ClassVar, Self, cast
        import re

        if TYPE_CHECKING:
            import nothing

        @dataclass(frozen=True, slots=True)
        class Point:
            """A point."""
            x: int
            y: int = 2
            units: ClassVar[list[int]] = [1]

            def same(self, other: "Point | None") -> Self:
                """Itself."""
                return self

        class Colour(StrEnum):
            RED = "red"

        @cache
        def kind(value: int | str) -> str:
            return "word" if isinstance(value, str | bytes) else "number"

        steps = [b - a for a, b in pairwise([1, 4, 9])]
        pairs = [*zip([1], [2], strict=True)]
        name = "prefix-name".removeprefix("prefix-")
        bits = (7).bit_count()
        both = {1: 2} | {n: n for n in (3,)}
        counts = dict[str, int](a=1) | {"b": Counter[str]("bb")["b"]}
        Steps = Callable[[int], int]
        digits = cast(Any, re.compile(r"0*+([0-9]++)")).fullmatch("0012")[1]
        first = Point(1), f"{Colour.RED}", kind("a"), kind(1), steps, pairs, name
        found = first, bits, both, digits, Point.units, counts
        '''
    )
    text = ast.unparse(lowered(source))
    for later in (
        "slots",
        "strict",
        "StrEnum import",
        " | ",
        "removeprefix",
        "bit_count",
        "docstring",
        "nothing",
        "Self",
        "dict[",
        "Counter[",
        "Callable[",
    ):
        assert later not in text
    ast.parse(text, feature_version=(3, 8))
    assert str(run(text)["found"]) == str(run(source)["found"])


def test_what_only_a_type_checker_imports_leaves_what_others_import():
    source = "if TYPE_CHECKING:\n    import nothing\nelse:\n    from podium import Mcts, kernel\n    import re\n"
    lines = ["from podium.search.mcts import Mcts", "from podium import kernel", "import re"]
    assert ast.unparse(lowered(source)).splitlines() == lines


def test_a_variable_that_is_called_like_a_type_keeps_its_place():
    source = (
        "def second(list, type):\n    return list[1], type[0]\ntuple = (7, 8)\nfound = second([1, 2], 'ab'), tuple[0]"
    )
    assert run(ast.unparse(lowered(source)))["found"] == ((2, "a"), 7)


def test_only_what_is_used_is_kept():
    sources = {
        "main": "from lib import used\nused()",
        "lib": textwrap.dedent(
            """
            import math
            import os
            TABLE = [0] * 3
            for i in range(3):
                TABLE[i] = i
            UNUSED = [1]

            def used():
                return Box().size

            def unused():
                return os.sep

            class Box:
                size = property(lambda self: self.inner())

                def inner(self):
                    return math.pi

                def other(self):
                    return TABLE

            @kernel
            def compiled(a):
                return unused()

            @size.register(State)
            def of_generic(a):
                return 1
            """
        ),
    }
    trees = {name: ast.parse(source) for name, source in sources.items()}
    rest = ast.unparse(Shaker(trees, (), {"lib.compiled"}).shake({"main"})["lib"])
    assert "def used" in rest and "def inner" in rest and "import math" in rest
    for dropped in ("UNUSED", "def unused", "import os", "def other", "TABLE", "compiled"):
        assert dropped not in rest
