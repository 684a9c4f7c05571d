"""Every kernel of every game is found in the cache by a second process, and does the same there."""

import subprocess
import sys
from pathlib import Path

import pytest

from podium.games import names
from tests.conformance.games import answers

ROOT = Path(__file__).parents[2]


@pytest.mark.compiled
@pytest.mark.slow
@pytest.mark.parametrize("name", names())
def test_a_second_process_compiles_nothing_and_plays_the_same(name):
    first = list(answers(name))
    command = [sys.executable, "-m", "tests.conformance.games", name]
    second = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=600, check=False)
    assert second.returncode == 0, second.stderr[-2000:]
    assert second.stdout.splitlines() == [*first, "compiled:"]
