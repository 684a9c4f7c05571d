"""The measurement of start-up times."""

import sys

import pytest

from podium.errors import PodiumError
from tools import startup


def test_a_benchmark_of_starts_tells_best_and_median():
    start = startup.Start("python", (sys.executable, "-c", "print(input())"), "hello\n", target=1e6)
    startup.measure([start], seconds=0)
    data = start.data()
    assert data["starts"] == startup.FEWEST
    for kind in ("processor_ms", "wall_ms"):
        assert 0 < data[kind]["best"] <= data[kind]["median"]
    assert data["reached"]


def test_a_start_that_fails_is_told():
    start = startup.Start("python", (sys.executable, "-c", "raise SystemExit('no such bot')"))
    with pytest.raises(PodiumError, match="no such bot"):
        start.once()
