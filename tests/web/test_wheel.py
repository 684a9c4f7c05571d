"""The pages of a wheel: what is built has them inside, and serves them."""

import os
import subprocess
import sys
import zipfile
from pathlib import Path

import httpx
import pytest

import podium

ROOT = Path(podium.__file__).parents[2]


@pytest.mark.slow
def test_a_wheel_serves_its_pages(tmp_path, store):
    if not (ROOT / "pyproject.toml").exists():
        pytest.skip("the package is installed, not a working copy")
    pytest.importorskip("setuptools", reason="a wheel is built without asking anybody for setuptools")
    build = [sys.executable, "-m", "pip", "wheel", ROOT, "--no-deps", "--no-build-isolation", "--wheel-dir", tmp_path]
    done = subprocess.run(build, capture_output=True, text=True)
    if done.returncode:
        pytest.skip(f"no wheel can be built here: {done.stderr[-300:]}")
    (wheel,) = tmp_path.glob("*.whl")
    inside = tmp_path / "inside"
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(inside)
    assert "podium" not in {path.name for path in tmp_path.iterdir()}
    words = [sys.executable, "-m", "podium", "web", "--store", store, "--port", "0"]
    environment = {**os.environ, "PYTHONPATH": str(inside)}
    with subprocess.Popen(words, stdout=subprocess.PIPE, text=True, env=environment, cwd=tmp_path) as server:
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
