"""The conformance suite: properties that every game must have, whatever its rules. It needs pytest.

A package with a game runs it in two lines of a test file; `connect_four` is the name of an installed game:

    from podium.testing import conformance

    TestConnectFour = conformance("connect_four")
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from podium.testing.suite import Conformance, conformance

__all__ = ["Conformance", "conformance"]


def __getattr__(name: str) -> Any:
    """What is imported when it is first asked for: without pytest `python -m podium.testing` says what is missing."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    import pytest

    pytest.register_assert_rewrite("podium.testing.suite", "podium.testing.searches")  # failures show what was compared
    from podium.testing import suite

    return getattr(suite, name)
