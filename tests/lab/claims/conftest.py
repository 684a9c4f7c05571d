"""A store of their own for the tests that measure."""

import pytest


@pytest.fixture
def store(tmp_path):
    return tmp_path / "claims.db"
