"""Every public name has an example in its docstring, and the examples are true."""

import doctest
import inspect
import sys

import pytest

import podium
import podium.zoo
from podium.games.game import Game
from podium.model.ruleset import Rules

FLAGS = doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS
ZOO = {name: getattr(podium.zoo, name) for name in ("environment", "parallel", "against", "BotAgent")}
NEEDS = {"Game.svg": "quickjs", **dict.fromkeys(ZOO, "pettingzoo")}


def methods(owner):
    """The public methods of a class."""
    shown = {name: value for name, value in vars(owner).items() if not name.startswith("_")}
    fields = getattr(owner, "__dataclass_fields__", {})  # a default of a field may be a function
    return {
        f"{owner.__name__}.{name}": value
        for name, value in shown.items()
        if inspect.isfunction(value) and name not in fields
    }


CALLS = {name: getattr(podium, name) for name in podium.__all__}
NAMES = {**CALLS, **ZOO, **methods(Game), **methods(Rules)}


@pytest.mark.compiled
@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_examples_are_true(name, tmp_path, monkeypatch):
    if name in NEEDS:
        pytest.importorskip(NEEDS[name])
    monkeypatch.chdir(tmp_path)  # runs are stored in the current folder
    monkeypatch.setattr("podium.arena.tournament.run_session.jobs_of", lambda jobs: jobs or 1)
    known = {**vars(sys.modules[getattr(NAMES[name], "__module__", "podium")]), "podium": podium}
    example = doctest.DocTestParser().get_doctest(inspect.getdoc(NAMES[name]), known, name, None, 0)
    assert example.examples, f"{name} has no example"
    report = []
    doctest.DocTestRunner(optionflags=FLAGS, verbose=False).run(example, out=report.append)
    assert not report, "".join(report)
