"""The conformance suite: properties that every game must have, whatever its rules. It needs pytest.

A package with a game runs it in two lines of a test file; `connect_four` is the name of an installed game:

    from podium.testing import conformance

    TestConnectFour = conformance("connect_four")
"""

import pytest

# so that a failure shows what was compared
pytest.register_assert_rewrite("podium.testing.suite", "podium.testing.searches")

from podium.testing.suite import Conformance, conformance  # noqa: E402 - after the lines above

__all__ = ["Conformance", "conformance"]
