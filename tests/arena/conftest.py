"""Two small games for the arena's tests, `duel` (two seats in turn) and `table` (four at once), and mock programs."""

import sys
from pathlib import Path

import pytest

import podium.games

HERE = Path(__file__).parent


@pytest.fixture
def toys(monkeypatch):
    """Make the games known to this process; worker processes do not know them."""
    monkeypatch.setattr(podium.games, "__path__", [*podium.games.__path__, str(HERE / "games")])
    return podium.games.load


@pytest.fixture
def mock():
    """The name of a mock program as a bot: mock("hang", 2) hangs when it is asked the second time."""

    def spec(*words):
        return " ".join([f"cmd:{sys.executable} -S -E {HERE / 'mock.py'}", *map(str, words)])

    return spec
