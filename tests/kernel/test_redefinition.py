"""A notebook: whatever is defined anew takes effect everywhere, from the next call on."""

import os
import subprocess
import sys

import numpy as np
import pytest

from podium.kernel import MissingImplementationError, blank, generic, kernel, record, refresh
from podium.kernel.generic import redefinitions
from podium.model.params import Parameter, ParamSpec

State = record("redefined state", [("redefined", "i8")])


@generic(by=1)
def value(state):
    """The value of a state."""


@generic(by=1)
def bonus(state):
    """A bonus with a default."""


@bonus.otherwise
@kernel
def no_bonus(state):
    return 0


@kernel
def doubled(state):
    return 2 * value(state) + bonus(state)


def define(body, name="implementation", register=value):
    """What a cell does that defines an implementation."""
    scope = {**globals()}
    exec(f"@kernel\ndef {name}(state):\n    return {body}\n", scope)
    register.register(State)(scope[name])


def test_a_new_registration_reaches_every_compiled_caller():
    define("1.0")
    assert (value(blank(State)), doubled(blank(State))) == (1.0, 2.0)
    before = redefinitions()
    define("42.0")
    assert (value(blank(State)), doubled(blank(State))) == (42.0, 84.0)
    assert redefinitions() > before


def test_a_registration_takes_the_place_of_the_default():
    define("1.0")
    assert doubled(blank(State)) == 2.0
    define("100", "a_bonus", bonus)
    assert doubled(blank(State)) == 102.0


def test_a_record_of_equal_name_and_fields_is_the_same_record():
    assert record("redefined state", [("redefined", "i8")]) is State
    specs = [ParamSpec("redefined parameters", Parameter("weight", 1.0, "a weight")) for _ in range(2)]
    assert specs[0].dtype is specs[1].dtype
    with pytest.raises(ValueError, match=r"'another state' has exactly the fields of record 'redefined state'"):
        record("another state", [("redefined", "i8")])


def test_a_record_that_grows_is_not_taken_for_the_one_before():
    short = record("growing", [("grown_a", "i8")])

    @kernel
    def first(states):
        return states[1].grown_a

    assert first(np.array([(1,), (2,)], short).view(np.recarray)) == 2
    long = record("growing", [("grown_a", "i8"), ("grown_b", "i8")])
    assert first(np.array([(1, 10), (2, 20)], long).view(np.recarray)) == 2
    assert record("growing", [("grown_a", "i8")]) == short, "and back again"


def test_code_that_no_module_holds_defines_kernels_too():
    scope = {"kernel": kernel}
    exec("def one(): pass\n@kernel\ndef two():\n    return 2\n@kernel\ndef three():\n    return two() + 1\n", scope)
    assert scope["one"].__module__ is None
    assert (scope["three"](), scope["three"].__module__) == (3, "__main__")


SCALE = 2


@kernel
def scaled(x):
    return SCALE * x


def test_captured_values_are_looked_at_again_on_request(monkeypatch):
    assert scaled(5) == 10
    monkeypatch.setitem(globals(), "SCALE", 3)
    refresh()
    assert scaled(5) == 15


def test_a_missing_implementation_can_be_added():
    @generic(by=1)
    def later(state):
        """Implemented later."""

    @kernel
    def call_it(state):
        return later(state)

    with pytest.raises(MissingImplementationError):
        call_it(blank(State))

    @later.register(State)
    @kernel
    def at_last(state):
        return 3

    assert call_it(blank(State)) == 3


NOTEBOOK = '''
import importlib, pathlib, sys
sys.path.insert(0, sys.argv[1])
FILE = pathlib.Path(sys.argv[1], "nim_module.py")

def cell(text):
    exec(compile(text, "<cell>", "exec"), globals())

SETUP = """
import numpy as np
from podium.kernel import blank, kernel, record
from podium.model.params import ParamSpec
from podium.model.rules import candidates, evaluate, final_score, is_over, key, legal_moves, mover, play
from podium.search import alphabeta
from podium.model.ruleset import Rules
from podium.search.alphabeta import AlphaBeta
"""
RECORDS = """
PARAMS = ParamSpec("notebook parameters", *alphabeta.PARAMETERS)
"""
MODULE = """
from podium.kernel import kernel, record

State = record("notebook nim", [("heap", "i8"), ("mover", "i8")])

@kernel
def opinion(state):
    return 1.0
"""
FILE.write_text(MODULE)
RULES = """
MOST = 2

@mover.register(State)
@kernel
def nim_mover(state):
    return state.mover

@key.register(State)
@kernel
def nim_key(state):
    return np.uint64(2 * state.heap + state.mover)

@is_over.register(State)
@kernel
def nim_is_over(state):
    return state.heap == 0

@legal_moves.register(State)
@kernel
def nim_legal_moves(state, out):
    for i in range(min(MOST, state.heap)):
        out[i] = i + 1
    return min(MOST, state.heap)

@play.register(State)
@kernel
def nim_play(state, move):
    state.heap -= move
    state.mover ^= 1

@final_score.register(State)
@kernel
def nim_final_score(state, seat):
    return 1 if state.mover != seat else -1

@candidates.register(State, PARAMS.dtype)
@kernel
def nim_candidates(state, params, out):
    return legal_moves(state, out)
"""
EVALUATION = """
@evaluate.register(State, PARAMS.dtype)
@kernel
def nim_evaluate(state, params, seat):
    return nim_module.opinion(state)
"""
SEARCH = """
state = blank(State)
state.heap = 12
result = searcher.decide(state, 0, depth=3)
print(result.value, evaluate(state, searcher.params, 0), result.nodes)
"""
cell(SETUP + "import nim_module\\nfrom nim_module import State")
cell(RECORDS)
cell(RULES)
cell(EVALUATION)
cell("searcher = AlphaBeta(Rules('nim', State, 2, 4, 4, 99), PARAMS.params(), table_bits=8, cache_bits=8)")
cell(SEARCH)
cell(RULES.replace("MOST = 2", "MOST = 3"))
cell(SEARCH)
cell(EVALUATION.replace("opinion(state)", "opinion(state) + 41.0"))
cell(SEARCH)
cell(RECORDS)
cell(SEARCH)
FILE.write_text(MODULE.replace("return 1.0", "return -5.0  "))
importlib.reload(nim_module)
cell("from nim_module import State")
cell(SEARCH)
'''


@pytest.mark.slow
def test_a_whole_session(tmp_path):
    environment = {**os.environ, "PODIUM_CACHE_DIR": str(tmp_path / "cache"), "PYTHONDONTWRITEBYTECODE": "1"}
    command = [sys.executable, "-c", NOTEBOOK, str(tmp_path)]
    first = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert first.returncode == 0, first.stderr
    lines = [line.split() for line in first.stdout.splitlines()]
    assert [line[:2] for line in lines] == [
        ["1.0", "1.0"],  # as it was defined first
        ["1.0", "1.0"],  # another rule
        ["42.0", "42.0"],  # another evaluation
        ["42.0", "42.0"],  # the same parameters again
        ["36.0", "36.0"],  # a module is edited and loaded again: its record is the same, its kernel is another
    ]
    assert lines[0][2] != lines[1][2], "with another rule there are other positions"
    second = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert second.stdout == first.stdout, "also with what the first session has left in the cache"
