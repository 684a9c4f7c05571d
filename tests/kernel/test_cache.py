"""The cache of compiled code: found by the next process, never stale, pruned."""

import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest

from podium.kernel import cache

SCRIPT = """
import json, sys
from podium.games.zuniq.rules import State, reset, zuniq_is_over
from podium.kernel import blank
state = blank(State)
reset(state)
state.free = 0
print(bool(zuniq_is_over(state)), sum(reset.stats.cache_hits.values()), sum(zuniq_is_over.stats.cache_hits.values()))
"""


def run(source, folder):
    """Run the script on a copy of the package with its own cache; returns what it printed."""
    environment = {**os.environ, "PYTHONPATH": str(source), "PODIUM_CACHE_DIR": str(folder)}
    done = subprocess.run([sys.executable, "-c", SCRIPT], env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.split()


@pytest.mark.compiled
@pytest.mark.slow
def test_an_edited_rule_is_never_served_from_a_stale_cache(tmp_path):
    shutil.copytree(cache.PACKAGE, tmp_path / "src" / "podium", ignore=shutil.ignore_patterns("__pycache__"))
    caches = tmp_path / "cache"
    assert run(tmp_path / "src", caches) == ["True", "0", "0"]
    assert run(tmp_path / "src", caches) == ["True", "1", "1"], "the second process must find everything compiled"
    rules = tmp_path / "src" / "podium" / "games" / "zuniq" / "rules.py"
    # `is_legal` is called by `zuniq_is_over`; so is nothing for an empty set: change what the latter returns
    text = rules.read_text()
    changed = text.replace(
        "            return False\n    return True\n", "            return False\n    return False\n"
    )
    assert changed != text
    rules.write_text(changed)
    assert run(tmp_path / "src", caches)[0] == "False"
    assert len(list(caches.iterdir())) == 2


def test_the_hash_covers_sources_and_data_but_not_texts(tmp_path):
    for room in cache.ROOMS_WITH_KERNELS:
        (tmp_path / room).mkdir()
    (tmp_path / "games" / "rules.py").write_text("A = 1")
    first = cache.source_hash(tmp_path)
    (tmp_path / "games" / "README.md").write_text("words")
    assert cache.source_hash(tmp_path) == first
    (tmp_path / "games" / "deck.csv").write_text("1,2")
    second = cache.source_hash(tmp_path)
    assert second != first
    (tmp_path / "games" / "rules.py").write_text("A = 2")
    assert cache.source_hash(tmp_path) not in (first, second)


def test_old_folders_are_pruned(tmp_path):
    for age in range(cache.KEPT_FOLDERS + 3):
        folder = tmp_path / f"folder{age}"
        folder.mkdir()
        then = time.time() - age * cache.KEPT_SECONDS * 0.9
        os.utime(folder, (then, then))
    cache.prune(tmp_path)
    assert sorted(path.name for path in tmp_path.iterdir()) == [f"folder{age}" for age in range(cache.KEPT_FOLDERS)]


def test_the_folder_can_be_chosen(monkeypatch, tmp_path):
    monkeypatch.setenv("PODIUM_CACHE_DIR", str(tmp_path))
    assert cache.root() == Path(tmp_path)
