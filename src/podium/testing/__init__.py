"""The conformance suite: what every game must keep, whatever its rules. It needs pytest.

A package with a game of its own runs it in two lines of a test file, where `connect_four` is installed or a game here:

    from podium.testing import conformance

    TestConnectFour = conformance("connect_four")
"""

import pytest

# so that a failure shows what was compared
pytest.register_assert_rewrite("podium.testing.suite", "podium.testing.searches")

from podium.testing.suite import Conformance, conformance  # noqa: E402 - after the lines above

__all__ = ["Conformance", "conformance"]
