"""Captured values are part of a compiled kernel: another value, wherever it comes from, is other code."""

import os

import numpy as np
import pytest

from podium.kernel import kernel, record
from podium.kernel.dependencies import Dependencies, UnknownValueError, function_of
from podium.kernel.records import blank, packed_bytes
from tests.kernel.test_aot import AHEAD, COMPILED
from tests.kernel.test_cache import Sandbox

WEIGHTS = """
from pathlib import Path
import numpy as np
from podium.kernel import kernel

WEIGHTS = np.loadtxt(Path(__file__).with_name("weights.txt"), ndmin=1)
TABLE = np.zeros(3)

@kernel
def weight(place):
    return WEIGHTS[place] + TABLE[place]

@kernel
def weighted(place):
    return 10 * weight(place)
"""
FILLING = """
import weights
weights.TABLE[0] = 5
"""
WEIGHTED = """
import sys
import filling
from weights import weighted
from podium.kernel import aot
print(int(weighted(0)), *(["numba"] if "numba" in sys.modules else []))
aot.build_missing()
"""

compiled_only = [
    pytest.mark.compiled,
    pytest.mark.slow,
    pytest.mark.skipif(any(name.startswith("NUMBA_") for name in os.environ), reason="settings of Numba forbid it"),
]


@pytest.fixture
def sandbox(tmp_path):
    (tmp_path / "weights.py").write_text(WEIGHTS)
    (tmp_path / "weights.txt").write_text("1.0\n")
    (tmp_path / "filling.py").write_text(FILLING)
    return Sandbox(tmp_path)


@pytest.mark.parametrize("quick", [pytest.param("0", marks=compiled_only[:2]), pytest.param("1", marks=compiled_only)])
def test_a_file_that_is_read_and_a_table_that_another_module_fills(sandbox, quick):
    def run():
        value, compiled = sandbox.run(WEIGHTED, PODIUM_QUICK=quick)
        return value, compiled if quick == "1" else COMPILED

    again = AHEAD if quick == "1" else COMPILED
    assert run() == (60, COMPILED)
    assert run() == (60, again)
    (sandbox.folder / "weights.txt").write_text("9.0\n")
    assert run() == (140, COMPILED)
    sandbox.edit("filling.py", "= 5", "= 7")
    assert run() == (160, COMPILED)
    (sandbox.folder / "weights.txt").write_text("1.0\n")
    sandbox.edit("filling.py", "= 7", "= 5")
    assert run() == (60, again), "what was compiled for these values is still there"


TABLE = np.arange(1000.0)
NUMBER, PAIR, NAMES = 3, (1, np.float64(2.5)), ["a", "b"]
Fields = record("captured fields", [("captured_flag", "?"), ("captured_number", "i8")])
RECORD = blank(Fields)


@kernel
def inner():
    return TABLE[NUMBER] + PAIR[0]


@kernel
def outer(x=NUMBER):
    return inner() + RECORD.captured_number + x


def digest(function=outer):
    return Dependencies(function_of(function)).digest


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("NUMBER", 4),
        ("NUMBER", 3.0),
        ("NUMBER", np.int32(3)),
        ("PAIR", (1, np.float64(2.25))),
        ("TABLE", np.arange(1000)),
        ("TABLE", np.arange(1000.0).reshape(10, 100)),
        ("TABLE", np.arange(2000.0)[::2]),
    ],
)
def test_every_captured_value_counts_also_in_a_callee(monkeypatch, name, value):
    before = digest()
    monkeypatch.setitem(globals(), name, value)
    assert digest() != before


def test_an_array_that_is_changed_in_place_counts():
    before = digest()
    TABLE[999] += 1
    changed = digest()
    TABLE[999] -= 1
    assert changed != before
    assert digest() == before


def test_an_equal_array_is_the_same(monkeypatch):
    before = digest()
    monkeypatch.setitem(globals(), "TABLE", TABLE.copy())
    monkeypatch.setitem(globals(), "RECORD", RECORD.copy())
    assert digest() == before


def test_a_value_of_unknown_content_is_named():
    def make(thing):
        @kernel
        def uses():
            return thing

        return uses

    with pytest.raises(UnknownValueError, match=r"uses uses thing, a object"):
        digest(make(object()))
    assert digest(make(1)) == digest(make(1)) != digest(make(2))


def test_padding_is_no_content():
    records = np.zeros(2, Fields)
    noise = np.frombuffer(bytes([0] + [255] * 7 + [0] * 8) * 2, Fields)
    assert records.tolist() == noise.tolist()
    assert records.tobytes() != noise.tobytes()
    assert packed_bytes(records) == packed_bytes(noise)
    assert packed_bytes(records[0]) == packed_bytes(noise[1])
    records["captured_number"][1] = 1
    assert packed_bytes(records) != packed_bytes(noise)


@pytest.mark.compiled
def test_a_kernel_compiled_later_gets_the_values_of_now_also_from_callees_compiled_earlier():
    table = np.zeros(1)

    @kernel
    def look():
        return table[0]

    @kernel
    def look_twice():
        return 2 * look()

    assert look() == 0
    table[0] = 4
    assert look_twice() == 8
