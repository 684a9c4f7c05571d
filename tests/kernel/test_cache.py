"""The cache of compiled code: found by the next process, never stale, whole, private, bounded."""

import os
import shutil
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from podium.kernel import cache

RULES = '''
"""Rules of a game in a package of its own."""
import json
from importlib.resources import files
import numpy as np
from podium.kernel import blank, kernel, record
from podium.model.rules import play
from little.numbers import TABLE, unused

STEPS = json.loads(files("little").joinpath("data", "steps.json").read_text())
FIRST = STEPS[0]
State = record("little state", [("total", "i8")])

@kernel
def gain(move):
    """What a move gains."""
    return TABLE[move] + FIRST

@play.register(State)
@kernel
def little_play(state, move):
    """Play it."""
    state.total += gain(move)

class Scene:
    """A picture."""
    colour = "red"

HELP = "a text for people"
'''
NUMBERS = """
import numpy as np
TABLE = np.zeros(3, np.int64)
for i in range(3):
    TABLE[i] = 10 * i
def unused():
    return 1
"""
SEARCH = """
from podium.kernel import kernel
from podium.model.rules import play

@kernel
def twice(state, move):
    play(state, move)
    play(state, move)
    return state.total
"""
SCRIPT = """
from numba.core import event
compiled = []
class Compilations(event.Listener):
    def on_start(self, happening):
        name = happening.data["dispatcher"].py_func.__name__
        compiled.append(name)
    def on_end(self, happening):
        pass
from little.rules import State
from little_search import twice
from podium.kernel import blank
with event.install_listener("numba:compile", Compilations()):
    print(twice(blank(State), 2), *sorted(compiled))
"""


class Sandbox:
    """A copy of what a kernel can see: a game in a package, a search beside it, and a cache of their own."""

    def __init__(self, folder):
        self.folder, self.cache = folder, folder / "cache"

    def write(self):
        """The sources as they are at first."""
        folder = self.folder
        (folder / "little" / "data").mkdir(parents=True)
        (folder / "little" / "__init__.py").touch()
        (folder / "little" / "rules.py").write_text(RULES)
        (folder / "little" / "numbers.py").write_text(NUMBERS)
        (folder / "little" / "scene.py").write_text("SCENE = 1\n")
        (folder / "little" / "data" / "steps.json").write_text("[1, 2]")
        (folder / "little" / "data" / "book.csv").write_text("1,2")
        (folder / "little_search.py").write_text(SEARCH)
        return self

    def copy(self, folder):
        """Another one with the same sources, and all that is compiled of them."""
        shutil.copytree(self.folder, folder, dirs_exist_ok=True)
        return Sandbox(folder)

    def edit(self, file, old, new):
        path = self.folder / file
        text = path.read_text()
        assert old in text
        path.write_text(text.replace(old, new))

    def environment(self, **variables):
        """The environment of a process that uses the copy and its cache."""
        return {
            **os.environ,
            "PYTHONPATH": os.pathsep.join([str(self.folder), os.environ.get("PYTHONPATH", "")]),
            "PODIUM_CACHE_DIR": str(self.cache),
            "PYTHONDONTWRITEBYTECODE": "1",
            **variables,
        }

    def run(self, script=SCRIPT, **variables):
        """What the kernel returned, and what was compiled for it."""
        done = subprocess.run(
            [sys.executable, "-c", script],
            env=self.environment(**variables),
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        value, *compiled = done.stdout.split()
        return int(value), compiled


ALL = ["gain", "little_play", "twice"]


@pytest.fixture(scope="module")
def compiled_once(tmp_path_factory):
    first = Sandbox(tmp_path_factory.mktemp("little")).write()
    assert first.run() == (42, ALL)
    return first


@pytest.fixture
def sandbox(compiled_once, tmp_path):
    """Sources that an earlier process has compiled."""
    return compiled_once.copy(tmp_path)


@pytest.mark.compiled
@pytest.mark.slow
def test_the_next_process_finds_everything_compiled(sandbox):
    assert sandbox.run() == (42, [])


@pytest.mark.compiled
@pytest.mark.slow
def test_what_was_compiled_for_earlier_sources_is_still_there(sandbox):
    sandbox.edit("little/rules.py", "TABLE[move] + FIRST", "TABLE[move] - FIRST")
    assert sandbox.run() == (38, ALL)
    sandbox.edit("little/rules.py", "TABLE[move] - FIRST", "TABLE[move] + FIRST")
    assert sandbox.run() == (42, [])


@pytest.mark.compiled
@pytest.mark.slow
@pytest.mark.parametrize(
    ("file", "old", "new", "value", "compiled"),
    [
        ("little/rules.py", "TABLE[move] + FIRST", "TABLE[move] - FIRST", 38, ALL),
        ("little/numbers.py", "TABLE[i] = 10 * i", "TABLE[i] = 100 * i", 402, ALL),
        ("little/data/steps.json", "[1, 2]", "[5, 2]", 50, ALL),
        ("little_search.py", "    play(state, move)\n    return", "    return", 21, ["twice"]),
        ("little/rules.py", "state.total += gain(move)", "state.total -= gain(move)", -42, ["little_play", "twice"]),
        ("little/rules.py", '"""Play it."""', '"""Play it in place."""', 42, []),
        ("little/rules.py", "    return TABLE[move]", "    # a remark\n    return TABLE[move]", 42, []),
        ("little/rules.py", 'colour = "red"', 'colour = "blue"', 42, []),
        ("little/rules.py", "a text for people", "another text for people", 42, []),
        ("little/numbers.py", "    return 1", "    return 2", 42, []),
        ("little/scene.py", "SCENE = 1", "SCENE = 2", 42, []),
        ("little/data/book.csv", "1,2", "3,4", 42, []),
    ],
)
def test_an_edit_compiles_again_what_can_see_it_and_nothing_else(sandbox, file, old, new, value, compiled):
    sandbox.edit(file, old, new)
    assert sandbox.run() == (value, compiled)


@pytest.mark.compiled
@pytest.mark.slow
def test_an_edit_is_noticed_when_size_and_time_of_the_file_stay_the_same(sandbox):
    path = sandbox.folder / "little" / "rules.py"
    status = path.stat()
    sandbox.edit("little/rules.py", "TABLE[move] + FIRST", "TABLE[move] - FIRST")
    os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))
    assert sandbox.run()[0] == 38


@pytest.mark.compiled
@pytest.mark.slow
def test_sources_edited_while_a_process_runs_are_not_taken_for_what_it_has_loaded(tmp_path):
    sandbox = Sandbox(tmp_path).write()
    edit = "import little.rules; path = little.rules.__file__; text = open(path).read()\n"
    edit += "open(path, 'w').write(text.replace('TABLE[move] + FIRST', 'TABLE[move] - FIRST'))\n"
    assert sandbox.run(script=edit + SCRIPT) == (42, ALL), "compiled from what was loaded"
    assert sandbox.run() == (38, ALL), "and not kept under the name of what was written since"


@pytest.mark.compiled
@pytest.mark.slow
def test_bounds_checks_are_another_mode(sandbox):
    assert sandbox.run(NUMBA_BOUNDSCHECK="" if os.environ.get("NUMBA_BOUNDSCHECK") else "1") == (42, ALL)


@pytest.mark.compiled
@pytest.mark.slow
@pytest.mark.parametrize("damage", [b"", b"nonsense", b"\x80\x04\x95" + 200 * b"\xff"])
def test_damaged_files_are_compiled_again(sandbox, damage):
    for path in sandbox.cache.iterdir():
        path.write_bytes(damage)
    assert sandbox.run() == (42, ALL)
    assert sandbox.run() == (42, [])


@pytest.mark.compiled
@pytest.mark.slow
def test_working_copies_with_equal_sources_share_compiled_code(sandbox, tmp_path_factory):
    other = Sandbox(tmp_path_factory.mktemp("copy")).write()
    other.cache = sandbox.cache
    assert other.run() == (42, [])
    other.edit("little/rules.py", "TABLE[move] + FIRST", "TABLE[move] - FIRST")
    assert other.run() == (38, ALL), "and an edit of one is none of the other"
    assert sandbox.run() == (42, [])


@pytest.mark.compiled
@pytest.mark.slow
def test_an_edited_rule_of_a_game_here_is_never_served_stale(tmp_path):
    package = Path(cache.__file__).resolve().parent.parent
    shutil.copytree(package, tmp_path / "src" / "podium", ignore=shutil.ignore_patterns("__pycache__"))
    script = """
import numpy as np
from podium.games.zuniq.rules import State, zuniq_is_over
from podium.kernel import blank
state = blank(State)
print(bool(zuniq_is_over(state)), sum(zuniq_is_over.stats.cache_hits.values()))
"""
    environment = {**os.environ, "PYTHONPATH": str(tmp_path / "src"), "PODIUM_CACHE_DIR": str(tmp_path / "cache")}

    def run():
        return subprocess.check_output([sys.executable, "-c", script], env=environment, text=True).split()

    assert run() == ["True", "0"]
    assert run() == ["True", "1"]
    rules = tmp_path / "src" / "podium" / "games" / "zuniq" / "rules.py"
    text = rules.read_text()
    changed = text.replace(
        "            return False\n    return True\n", "            return False\n    return False\n"
    )
    assert changed != text
    rules.write_text(changed)
    assert run() == ["False", "0"]


def test_the_folder_can_be_chosen_and_is_closed_to_others(monkeypatch, tmp_path):
    monkeypatch.setenv("PODIUM_CACHE_DIR", str(tmp_path / "chosen"))
    assert cache.root() == tmp_path / "chosen"
    assert cache.root().stat().st_mode & 0o777 == 0o700


def test_a_folder_open_to_others_is_closed(tmp_path):
    tmp_path.chmod(0o777)
    assert cache.is_private(tmp_path)
    assert tmp_path.stat().st_mode & 0o777 == 0o700


def test_a_folder_of_somebody_else_is_not_trusted(monkeypatch, tmp_path):
    monkeypatch.setenv("PODIUM_CACHE_DIR", str(tmp_path / "planted"))
    monkeypatch.setattr(os, "getuid", lambda: tmp_path.stat().st_uid + 1)
    cache._root.cache_clear()
    found = cache.root()
    cache._root.cache_clear()
    assert found != tmp_path / "planted"
    assert found.stat().st_mode & 0o777 == 0o700


def test_where_no_folder_can_be_made_there_is_a_private_temporary_one(monkeypatch, tmp_path):
    (tmp_path / "file").touch()
    monkeypatch.setenv("PODIUM_CACHE_DIR", str(tmp_path / "file" / "below"))
    found = cache.root()
    assert found.is_dir()
    assert found.name.startswith("podium-kernels-")


def test_the_files_not_used_for_longest_are_pruned(tmp_path):
    for age in range(10):
        path = tmp_path / f"{age}{cache.SUFFIX}"
        path.write_bytes(bytes(100))
        os.utime(path, (1000 - age, 1000 - age))
    (tmp_path / "somebody.txt").write_bytes(bytes(10_000))
    cache.prune(tmp_path, most=900, target=500)
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        *(f"{a}{cache.SUFFIX}" for a in range(5)),
        "somebody.txt",
    ]
    cache.prune(tmp_path, most=500, target=100)
    assert len(list(tmp_path.iterdir())) == 6, "within the bound nothing is deleted"


def test_a_file_of_somebody_else_is_not_loaded(monkeypatch, tmp_path):
    """Placed there before the folder was closed: its seal is right, but it is not ours."""
    path = tmp_path / f"planted{cache.SUFFIX}"
    cache.store(path, b"code")
    assert cache.load(path) == b"code"
    monkeypatch.setattr(os, "getuid", lambda: path.stat().st_uid + 1)
    assert cache.load(path) is None
    monkeypatch.undo()
    assert cache.load(path) == b"code", "and it is left alone"


@pytest.mark.parametrize("make", [os.symlink, lambda target, path: os.mkfifo(path)], ids=["link", "pipe"])
def test_what_is_no_file_of_the_folder_is_not_loaded(tmp_path, make):
    cache.store(tmp_path / f"elsewhere{cache.SUFFIX}", b"code")
    path = tmp_path / f"planted{cache.SUFFIX}"
    make(tmp_path / f"elsewhere{cache.SUFFIX}", path)
    assert cache.load(path) is None
    cache.store(path, b"our own")
    assert cache.load(path) == b"our own"


@pytest.mark.parametrize("below", ["", "podium"])
def test_a_link_of_somebody_else_to_our_folder_is_not_followed(monkeypatch, tmp_path, below):
    (tmp_path / "ours").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "ours")
    folder = tmp_path / "link" / below
    assert cache.is_private(folder), "our own link is"
    real = os.lstat

    def of_somebody_else(path, **options):
        found = real(path, **options)
        fields = list(found)
        fields[stat.ST_UID] += os.fspath(path) == str(tmp_path / "link")
        return os.stat_result(fields)

    monkeypatch.setattr(os, "lstat", of_somebody_else)
    assert not cache.is_private(folder)


def built(folder):
    """Build a folder, and return what is in it and how often it was built."""
    times = []

    def build(made):
        times.append(made)
        (made / "program").write_text("ours")

    found = cache.built_folder(folder.name, "program", build)
    assert found == folder
    return (found / "program").read_text(), len(times)


@pytest.fixture
def cache_root(monkeypatch, tmp_path):
    monkeypatch.setenv("PODIUM_CACHE_DIR", str(tmp_path))
    return tmp_path


def test_a_folder_is_built_once_and_again_if_it_is_incomplete(cache_root):
    folder = cache_root / "launcher"
    assert [built(folder), built(folder)] == [("ours", 1), ("ours", 0)]
    (folder / "program").unlink()
    assert built(folder) == ("ours", 1)
    with pytest.raises(FileNotFoundError):
        cache.built_folder("fails", "program", lambda made: os.remove(made / "nothing"))
    assert [path.name for path in cache_root.iterdir() if not path.name.startswith(cache.TEMPORARY)] == ["launcher"]


@pytest.mark.parametrize("planted", ["folder", "file", "link"])
def test_a_folder_with_a_program_of_somebody_else_is_not_used(monkeypatch, cache_root, planted):
    """As another user can place it before the folder of the cache is closed."""
    folder = cache_root / "launcher"
    place = cache_root / "elsewhere" if planted == "link" else folder
    place.mkdir()
    (place / "program").write_text("theirs")
    if planted == "link":
        folder.symlink_to(place)
    real = os.lstat
    of_theirs = {"folder": folder, "file": folder / "program", "link": folder}[planted]
    inode = real(of_theirs).st_ino

    def of_somebody_else(path, **options):
        found = real(path, **options)
        fields = list(found)
        fields[stat.ST_UID] += found.st_ino == inode
        return os.stat_result(fields)

    monkeypatch.setattr(os, "lstat", of_somebody_else)
    assert built(folder) == ("ours", 1)
    assert built(folder) == ("ours", 0)
