"""A package with a game of its own: Connect Four. Installed, tested, played."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
CONNECT_FOUR = ROOT / "src" / "podium" / "starters" / "connect_four"  # examples/connect_four leads there
HERE = ("--jobs", "1", "--json")
ALPHAZERO = 17  # lines of `bots.py` for the bot that learns
LINES = 300 + ALPHAZERO  # of Connect Four, without its tests and without what is there for learning
LEARNING = {"learning.py", "solver.py", "studies.py"}


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
