"""Ahead-of-time code: the same results without the compiler, never stale, and Numba takes over if there is none."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

import podium
from tests.kernel.test_cache import Sandbox
from tests.sources import imported_by

TWICE = """
import sys
from little.rules import State
from little_search import twice
from podium.kernel import blank
from podium.kernel import aot
state = blank(State)
print(twice(state, 2), *(["numba"] if "numba" in sys.modules else []))
aot.build_missing()
"""
AHEAD, COMPILED = [], ["numba"]  # what is printed of a process that did without the compiler, or did not

KERNELS = """
from typing import NamedTuple
import numpy as np
from podium.kernel import kernel, record
from podium.kernel.clock import now
from podium.kernel.random import draw_unit
from podium.kernel.stack import on_stack

Pair = record("pair", [("left", "i8"), ("right", "f8"), ("many", "u1", (3,))])

class Work(NamedTuple):
    pairs: np.ndarray
    numbers: np.ndarray

@kernel
def add(a, b):
    return a + b

@kernel
def negative(flag):
    return not flag

@kernel
def largest():
    return np.uint64(2**64 - 1)

@kernel
def change(pair, number):
    pair.left += number
    pair.many[1] = 7

@kernel
def total(work, grid):
    result = 0.0
    for pair in work.pairs:
        result += pair.left + pair.right
    for number in work.numbers:
        result += number
    for i in range(grid.shape[0]):
        for j in range(grid.shape[1]):
            result += grid[i, j] * (10 * i + j)
    work.numbers[0] = -1
    return result

@kernel
def beyond(x):
    return np.nextafter(x, np.inf)

@kernel
def is_later(before):
    return now() > before

@kernel
def on_the_stack(pair):
    room = on_stack(1, Pair)
    room[0] = pair
    room[0].left += 1
    bytes_ = on_stack(300, np.uint8)
    for i in range(300):
        bytes_[i] = i % 7
    return room[0].left + np.int64(bytes_[299])

@kernel
def defaulted(a, b=5):
    return a + b

@kernel
def allocating(count):
    return np.ones(count, np.int64).sum()
"""
CALLS = """
import sys
import numpy as np
from kernels import *
from podium.kernel import allocate, blank
from podium.kernel import aot

pair, copied = blank(Pair), blank(Pair).copy()
change(pair, 5)
change(copied, -3)
work = Work(allocate(Pair, 3), np.arange(4))
work.pairs[1] = pair
grid = np.arange(6.0).reshape(2, 3)
results = [
    add(2, -3), add(2.5, 1.0), add(np.int64(2), 3), add(np.uint64(2**63), np.uint64(5)), add(True, 2), add(2**62, 1),
    add(np.float64(0.5), 1.0), negative(False), negative(np.bool_(True)), largest(), pair.tolist(), copied.tolist(),
    total(work, grid), work.numbers.tolist(), beyond(1.0), is_later(0), is_later(2**63 - 1), on_the_stack(pair),
]
is_compiling = "numba" in sys.modules

# What only the compiler knows how to pass, or what has to allocate.
fortran = np.asfortranarray(grid)
every_second = Work(np.zeros(0, Pair), np.arange(8)[::2])
results += [total(every_second, fortran), allocating(3), add(1, b=2), defaulted(4)]
print(1, is_compiling, "numba" in sys.modules, *(f"{r!r}/{type(r).__name__}".replace(" ", "") for r in results))
aot.build_missing()
"""

pytestmark = [
    pytest.mark.compiled,
    pytest.mark.slow,
    pytest.mark.skipif(any(name.startswith("NUMBA_") for name in os.environ), reason="settings of Numba forbid it"),
]


@pytest.fixture
def sandbox(tmp_path):
    (tmp_path / "kernels.py").write_text(KERNELS)
    return Sandbox(tmp_path).write()


def test_an_edit_is_never_served_stale_nor_is_damaged_code(sandbox):
    def run():
        return sandbox.run(TWICE, PODIUM_QUICK="1")

    assert run() == (42, COMPILED)
    assert run() == (42, AHEAD)
    sandbox.edit("little/rules.py", "TABLE[move] + FIRST", "TABLE[move] - FIRST")
    assert run() == (38, COMPILED)
    for path in sandbox.cache.glob("*.aot"):
        path.write_bytes(path.read_bytes()[:-1])
    assert run() == (38, COMPILED)
    sandbox.edit("little/data/steps.json", "[1, 2]", "[5, 2]")
    assert run() == (30, COMPILED)
    assert run() == (30, AHEAD)


def test_all_kinds_of_arguments_and_results_are_the_same_without_the_compiler(sandbox):
    usual, usual_after, *expected = sandbox.run(CALLS, PODIUM_QUICK="1")[1]
    ahead, ahead_after, *results = sandbox.run(CALLS, PODIUM_QUICK="1")[1]
    assert results == expected
    assert (usual, usual_after) == ("True", "True")
    assert (ahead, ahead_after) == ("False", "True"), "it comes only for what can have no ahead-of-time code"


def test_settings_of_the_compiler_keep_it(sandbox):
    assert sandbox.run(TWICE, PODIUM_QUICK="1", NUMBA_OPT="2") == (42, COMPILED)
    assert not list(sandbox.cache.glob("*.aot"))


TURNS = """
from kernels import *
from podium.kernel import allocate, aot, compiler
for turn in range(6):
    add(turn, turn), allocating(turn), change(allocate(Pair, 2)[turn % 2], turn)
missing = sorted(kernel.py_func.__name__ for kernel, *_ in aot._missing.values())
built = []
compile_ahead = compiler.compile_ahead
compiler.compile_ahead = lambda kernel, *rest: built.append(kernel) or compile_ahead(kernel, *rest)
aot.build_missing()
print(len(built), *missing)
"""


def test_a_kernel_without_code_is_noted_and_compiled_once(sandbox):
    assert sandbox.run(TURNS, PODIUM_QUICK="1") == (3, ["add", "allocating", "change"])
    assert sandbox.run(TURNS, PODIUM_QUICK="1") == (0, []), "nor is one tried again that can have none"


BROKEN = """
import sys
from kernels import *
from podium.kernel import aot
if sys.argv[1] == "load":
    def broken(*arguments):
        raise RuntimeError("LLVM IR parsing error\\nhere")
    aot.LoadedCode.load = broken
elif sys.argv[1] == "start":
    aot.LoadedCode.__init__ = None
elif sys.argv[1] == "digest":
    aot.environment = lambda: 1 / 0
elif sys.argv[1] == "compile":
    from podium.kernel import compiler
    compiler.internals.trampoline = None
print(add(1, 2), add(1.0, 2.0), largest())
aot.build_missing()
print(negative(True))
"""


@pytest.mark.parametrize("failure", ["load", "start", "digest", "compile"])
def test_whatever_fails_the_game_goes_on_through_numba_and_a_line_says_so_once(sandbox, failure):
    def run(failure):
        command = [sys.executable, "-c", BROKEN, failure]
        environment = sandbox.environment(PODIUM_QUICK="1", PODIUM_CACHE_DIR=str(sandbox.folder / failure))
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
        assert done.stdout == f"3 3.0 {2**64 - 1}\nFalse\n"
        return [line for line in done.stderr.splitlines() if "cannot be" in line]

    if failure in ("load", "start"):
        environment = sandbox.environment(PODIUM_QUICK="1", PODIUM_CACHE_DIR=str(sandbox.folder / failure))
        subprocess.run([sys.executable, "-c", BROKEN, "no"], env=environment, capture_output=True, check=True)
    (line,) = run(failure)
    assert line.startswith("podium: ahead-of-time code cannot be ")
    assert line.endswith("; everything runs through Numba, which starts slower")


def test_private_parts_of_numba_are_used_in_one_module():
    private = ("numba.core", "numba.np", "numba.typed", "numba.cpython")
    wrong = [
        f"{path.name} imports {name}"
        for path in Path(podium.__file__).parent.rglob("*.py")
        if path.name != "numba_internals.py"
        for name in imported_by(path)
        if name.startswith(private)
    ]
    assert wrong == []
