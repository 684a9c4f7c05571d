"""Mistakes in kernels are sentences with the kernel, its file and the line."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from podium.kernel import JIT, MissingImplementationError, UnknownFieldError, allocate, blank, generic, kernel, record
from tests.kernel.test_cache import Sandbox

Point = record("a point", [("across", "i8"), ("upwards", "i8")])
Line = record("a line", [("ends", Point, (2,))])


@generic(by=1)
def length(shape):
    """The length of a shape."""


@kernel
def misspelt(point):
    total = point.across
    total += point.upward
    return total


@kernel
def calls_misspelt(point):
    return misspelt(point)


@kernel
def misspelt_assignment(points):
    points[0].acros = 1


@kernel
def misspelt_inside(line):
    return line.ends[0].sideways


@kernel
def misses(line):
    return 2 * length(line)


def line_of(text):
    return next(number for number, line in enumerate(Path(__file__).read_text().splitlines(), 1) if text in line)


if JIT:  # else Python says it
    FIELDS = [
        (
            misspelt,
            blank(Point),
            rf"misspelt .*test_diagnostics.py, line {line_of('total += point')}\) uses point.upward, but a point",
        ),
        (calls_misspelt, blank(Point), r"misspelt .*no such field; did you mean upwards\?"),
        (
            misspelt_assignment,
            allocate(Point, 2),
            rf"misspelt_assignment .* line {line_of('points[0].')}\) uses the field 'acros', which",
        ),
        (
            misspelt_inside,
            blank(Line),
            rf"misspelt_inside .* line {line_of('line.ends[0]')}\) uses the field 'sideways', which its record",
        ),
    ]

    @pytest.mark.parametrize(("call", "argument", "sentence"), FIELDS)
    def test_a_misspelt_field(call, argument, sentence):
        with pytest.raises(UnknownFieldError, match=sentence):
            call(argument)

    def test_a_missing_implementation_names_the_call():
        place = rf"misses \(.*test_diagnostics.py, line {line_of('2 * length')}\)"
        sentence = rf"length\(\) is not implemented for a line .*; called by .*{place}"
        with pytest.raises(MissingImplementationError, match=sentence):
            misses(blank(Line))


def test_a_plain_function_serves_python_only():
    @length.register(Point)
    def plain(shape):
        return 1

    assert length(blank(Point)) == 1
    if JIT:
        sentence = r"kernels cannot call length\(\) .* .*plain \(.*test_diagnostics.py, line \d+\) is a plain Python"
        with pytest.raises(TypeError, match=sentence):
            misses(blank(Point))
    else:
        assert misses(blank(Point)) == 2


def test_an_implementation_is_a_function():
    with pytest.raises(TypeError, match=r"length\(\) cannot use 5: a function decorated with @kernel is needed"):
        length.otherwise(5)


SLOW = """
import time
from podium.kernel import kernel
from podium.kernel.notices import compilations

@kernel
def slow(x):
    return x + 1

started = compilations.started
def started_slowly(name):
    started(name)
    time.sleep(0.7)
compilations.started = started_slowly
print(slow(1))
print(slow(1.0))
"""


@pytest.mark.compiled
@pytest.mark.slow
def test_waiting_for_the_compiler_is_announced(tmp_path):
    environment = {**os.environ, "PODIUM_CACHE_DIR": str(tmp_path / "cache")}
    done = subprocess.run([sys.executable, "-c", SLOW], env=environment, capture_output=True, text=True, check=True)
    announcement, *compiled = done.stderr.splitlines()
    assert announcement == (
        "podium: compiling kernels; this may take a minute, and happens once for each version of the code"
    )
    assert [line.partition(" in ")[0] for line in compiled] == ["podium: compiled __main__.slow"] * 2
    assert done.stdout == "2\n2.0\n"


@pytest.mark.compiled
@pytest.mark.slow
def test_why_something_is_compiled(tmp_path):
    sandbox = Sandbox(tmp_path).write()
    script = "from little.rules import State\nfrom little_search import twice\nfrom podium.kernel import blank\n"
    script += "print(twice(blank(State), 2))"

    def explained():
        environment = sandbox.environment(PODIUM_EXPLAIN="1")
        done = subprocess.run(
            [sys.executable, "-c", script], env=environment, capture_output=True, text=True, check=True
        )
        lines = [line for line in done.stderr.splitlines() if " is compiled: " in line]
        return [line.removeprefix("podium: ").partition(" is compiled: ")[::2] for line in lines]

    yet = "it has not been compiled for these types of arguments yet"
    names = ["little_search.twice", "little.rules.little_play", "little.rules.gain"]
    assert explained() == [(name, yet) for name in names]
    assert explained() == []
    sandbox.edit("little/data/steps.json", "[1, 2]", "[5, 2]")
    assert explained() == [(name, "changed: the value of FIRST in little.rules.gain") for name in names]
    sandbox.edit("little/rules.py", "state.total += gain(move)", "state.total -= gain(move)")
    assert explained() == [(name, "changed: the code of little.rules.little_play") for name in names[:2]]
    for path in sandbox.cache.glob("*.kernel"):
        path.unlink()
    assert explained() == [(name, "its compiled code is no longer in the cache") for name in names]
