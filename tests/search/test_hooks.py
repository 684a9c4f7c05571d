"""The hooks' page lists every hook there is, and defaults need nothing but their declaration."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from podium.model import hooks, rules

PAGE = Path(__file__).parents[2] / "docs" / "algorithms" / "hooks.md"
ROW = re.compile(r"^\| `(\w+)\(([\w, ]+)\)` \| (state|state and parameters) \| [^|]+ \| ([^|]+) \|", re.MULTILINE)


def declared(module):
    return {
        name: function
        for name, function in vars(module).items()
        if hasattr(function, "register") and function.__module__ == module.__name__
    }


@pytest.mark.parametrize("module", [rules, hooks])
def test_the_page_lists_what_is_declared(module):
    listed = {row[0]: row for row in ROW.findall(PAGE.read_text(encoding="utf-8"))}
    for name, function in declared(module).items():
        code = function.__wrapped__.__code__
        assert name in listed, f"{name} is missing in {PAGE.name}"
        assert listed[name][1].split(", ") == list(code.co_varnames[: code.co_argcount])
        assert (listed[name][2] == "state and parameters") == ("params" in code.co_varnames)


def test_the_page_lists_nothing_else():
    listed = {row[0] for row in ROW.findall(PAGE.read_text(encoding="utf-8"))}
    assert listed == declared(rules).keys() | declared(hooks).keys()


def test_defaults_need_no_other_import():
    script = """
import numpy as np
from podium.kernel import blank, record
from podium.model.rules import candidates, is_over, legal_moves, moves_unless_over

State, Params = record("state alone", [("a", "i8")]), record("parameters alone", [("b", "i8")])
is_over.register(State)(lambda state: state.a == 1)

@legal_moves.register(State)
def two_moves(state, out):
    out[:2] = 7, 9
    return 2

out = np.zeros(2, np.int64)
print(candidates(blank(State), blank(Params), out), moves_unless_over(blank(State), out), out.tolist())
"""
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1"}
    command = [sys.executable, "-c", script]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=True, env=environment)
    assert done.stdout.split("\n")[0] == "2 2 [7, 9]"
