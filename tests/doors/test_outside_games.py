"""Packages with a game of their own: Connect Four, and what `podium new game` writes. Installed, tested, played."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from podium.errors import PodiumError
from podium.starters import new_game

ROOT = Path(__file__).parents[2]
CONNECT_FOUR = ROOT / "examples" / "connect_four"
HERE = ("--jobs", "1", "--json")
NAMED = 4  # lines of `__init__.py` that name what is there for learning
LINES = 300 + NAMED  # of Connect Four, without its tests and without what is there for learning
LEARNING = {"learning.py", "solver.py", "accuracy.py"}


@pytest.fixture(scope="module")
def install(tmp_path_factory):
    """Install packages for subprocesses of this module's tests; returns what runs a command with them."""
    site = tmp_path_factory.mktemp("site")
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT / "src"), str(site)])}

    def run(*words, **more):
        command, variables = [sys.executable, "-m", *map(str, words)], {**environment, **more}
        return subprocess.run(command, env=variables, cwd=site, capture_output=True, text=True, timeout=900)

    def add(source):
        copy = tmp_path_factory.mktemp("source") / source.name
        subprocess.run(["cp", "-r", str(source), str(copy)], check=True)
        done = run("pip", "install", "--quiet", "--no-deps", "--no-build-isolation", "--target", site, copy)
        assert done.returncode == 0, done.stderr
        return run

    return add


def test_connect_four_is_small():
    sources = sorted((CONNECT_FOUR / "connect_four").glob("*.py"))
    assert {path.name for path in sources} > LEARNING
    assert sum(len(path.read_text().splitlines()) for path in sources if path.name not in LEARNING) <= LINES


@pytest.mark.slow
def test_connect_four_passes_its_tests_and_plays(install):
    run = install(CONNECT_FOUR)
    tests = run("pytest", "-q", "-c", ROOT / "pyproject.toml", "-p", "no:cacheprovider", CONNECT_FOUR / "tests")
    assert tests.returncode == 0, tests.stdout[-3000:]
    assert "skipped" not in tests.stdout
    match = run("podium", "match", "connect_four", "alphabeta", "random", "--nodes", "50", "--games", "4", *HERE)
    assert match.returncode == 0, match.stderr
    report = json.loads(match.stdout)
    assert (report["games"], report["won"]) == (4, 4)
    listed = run("podium", "games", "--json")
    sources = {game["name"]: game["source"] for game in json.loads(listed.stdout)["games"]}
    assert sources["connect_four"] == "the package podium-connect-four 1.0"


@pytest.mark.slow
def test_a_new_game_passes_conformance_and_plays_at_once(install, tmp_path):
    run = install(new_game("stone_heap", tmp_path))
    own = ("pytest", "-q", "-p", "no:cacheprovider", tmp_path / "stone_heap" / "tests")
    tests = run(*own, NUMBA_DISABLE_JIT="1")  # compiled, Connect Four passes them
    assert tests.returncode == 0, tests.stdout[-3000:]
    match = run("podium", "match", "stone_heap", "search", "random", "--nodes", "50", "--games", "20", *HERE)
    assert match.returncode == 0, match.stderr
    assert json.loads(match.stdout)["won"] > 12


def test_nothing_of_the_template_is_left_in_a_new_game(tmp_path):
    folder = new_game("stone_heap", tmp_path)
    texts = {path.relative_to(folder): path.read_text() for path in folder.rglob("*") if path.is_file()}
    assert Path("stone_heap/rules.py") in texts
    assert "class StoneHeapReferee(TurnReferee)" in texts[Path("stone_heap/referee.py")]
    assert 'title="Stone Heap"' in texts[Path("stone_heap/__init__.py")]
    assert not [path for path, text in texts.items() if "newgame" in (text + str(path)).lower()]


@pytest.mark.parametrize("name", ["zuniq", "Chess", "my game", "class", "random", ""])
def test_names_that_cannot_be_are_refused(name, tmp_path):
    with pytest.raises(PodiumError):
        new_game(name, tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_a_game_is_never_overwritten(tmp_path):
    new_game("stone_heap", tmp_path)
    with pytest.raises(PodiumError, match="is there already"):
        new_game("stone_heap", tmp_path)
