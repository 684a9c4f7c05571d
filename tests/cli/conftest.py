"""The small games of the arena's tests serve the commands too, which run in this process."""

import pytest

from podium.cli import console
from tests import commands
from tests.arena.conftest import mock, toys  # noqa: F401


@pytest.fixture
def podium(toys, tmp_path, monkeypatch):  # noqa: F811
    """Run a command in an empty folder, on a wide terminal."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(console.console, "width", 200)
    return commands.podium
