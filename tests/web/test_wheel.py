"""The pages of a wheel: what is built has them inside, and serves them."""

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

ROOT = Path(podium.__file__).parents[2]
CLEAN = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}


@pytest.fixture
def environment(tmp_path):
    """A new environment with the wheel in it; what it depends on is lent by this one."""
    if not (ROOT / "pyproject.toml").exists():
        pytest.skip("the package is installed, not a working copy")
    pytest.importorskip("setuptools", reason="a wheel is built without asking anybody for setuptools")
    copy = tmp_path / "copy"  # a build leaves files behind, which the next one would take for sources
    shutil.copytree(ROOT / "src", copy / "src", ignore=shutil.ignore_patterns("__pycache__", "*.egg-info"))
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, copy)
    pip = [sys.executable, "-m", "pip", "--quiet"]
    subprocess.run([*pip, "wheel", copy, "--no-deps", "--no-build-isolation", "--wheel-dir", tmp_path], check=True)
    (wheel,) = tmp_path.glob("*.whl")
    folder = tmp_path / "environment"
    venv.create(folder)
    subprocess.run([*pip, "--python", folder / "bin" / "python", "install", "--no-deps", wheel], check=True, env=CLEAN)
    (packages,) = folder.glob("lib/*/site-packages")
    (packages / "lent.pth").write_text(sysconfig.get_path("purelib"), encoding="utf-8")
    return folder


@pytest.mark.slow
def test_a_wheel_serves_its_pages(environment, tmp_path, store):
    words = [environment / "bin" / "podium", "web", "--store", store, "--port", "0"]
    where = [environment / "bin" / "python", "-c", "import podium; print(podium.__file__)"]
    assert str(environment) in subprocess.check_output(where, text=True, env=CLEAN, cwd=tmp_path)
    with subprocess.Popen(words, stdout=subprocess.PIPE, text=True, env=CLEAN, cwd=tmp_path) as server:
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
