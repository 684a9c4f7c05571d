"""The small games of the arena's tests serve the commands too."""

from tests.arena.conftest import mock, toys  # noqa: F401
