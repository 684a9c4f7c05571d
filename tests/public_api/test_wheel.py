"""A wheel in a new environment: what is built has everything inside, plays, and serves its pages."""

import json
import os
import shutil
import subprocess
import sys
import sysconfig
import venv
from pathlib import Path

import httpx
import pytest

import podium
from podium.games import names
from podium.starters.new_game import TEMPLATES

ROOT = Path(podium.__file__).parents[2]
CLEAN = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}


@pytest.fixture(scope="module")
def environment(tmp_path_factory):
    """A new environment with the wheel in it; what it depends on is lent by this one."""
    if not (ROOT / "pyproject.toml").exists():
        pytest.skip("the package is installed, not a working copy")
    pytest.importorskip("setuptools", reason="a wheel is built without asking anybody for setuptools")
    place = tmp_path_factory.mktemp("wheel")
    copy = place / "copy"  # a build leaves files behind, which the next one would take for sources
    shutil.copytree(ROOT / "src", copy / "src", ignore=shutil.ignore_patterns("__pycache__", "*.egg-info"))
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, copy)
    pip = [sys.executable, "-m", "pip", "--quiet"]
    subprocess.run([*pip, "wheel", copy, "--no-deps", "--no-build-isolation", "--wheel-dir", place], check=True)
    (wheel,) = place.glob("*.whl")
    folder = place / "environment"
    venv.create(folder)
    subprocess.run([*pip, "--python", folder / "bin" / "python", "install", "--no-deps", wheel], check=True, env=CLEAN)
    (packages,) = folder.glob("lib/*/site-packages")
    (packages / "lent.pth").write_text(sysconfig.get_path("purelib"), encoding="utf-8")
    return folder


def run(environment, folder, *words):
    """What a command of the wheel prints; it must succeed."""
    done = subprocess.run(
        [environment / "bin" / words[0], *words[1:]], env=CLEAN, cwd=folder, text=True, capture_output=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.slow
def test_a_wheel_lists_its_games_and_writes_starters(environment, tmp_path):
    place = run(environment, tmp_path, "python", "-c", "import podium; print(podium.__file__)")
    assert str(environment) in place
    listed = json.loads(run(environment, tmp_path, "podium", "games", "--json"))
    assert {game["name"] for game in listed["games"]} >= {*names()}
    run(environment, tmp_path, "podium", "new", "bot", "zuniq", "--language", "python")
    for like in TEMPLATES:
        run(environment, tmp_path, "podium", "new", "game", f"my_{like}", "--like", like)


@pytest.mark.compiled
@pytest.mark.slow
def test_a_wheel_plays_a_match_and_shows_it_in_the_browser(environment, tmp_path):
    words = ("zuniq", "champion", "random", "--nodes", "20", "--games", "2", "--jobs", "1", "--json")
    assert json.loads(run(environment, tmp_path, "podium", "match", *words))["games"] == 2
    serve = [environment / "bin" / "podium", "web", "--port", "0"]
    with subprocess.Popen(serve, stdout=subprocess.PIPE, text=True, env=CLEAN, cwd=tmp_path) as server:
        try:
            address = server.stdout.readline().strip()
            for path in (
                "",
                "games/1",
                "static/main.js",
                "static/pages/game.js",
                "static/podium.css",
                "scenes/zuniq.js",
            ):
                response = httpx.get(address + path)
                assert response.status_code == 200, path
                assert response.content
            assert httpx.get(f"{address}api/v1/games/1", timeout=60).json()["turns"]
        finally:
            server.terminate()
