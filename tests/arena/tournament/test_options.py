"""The options of runs: one declaration, checked values, and an identity of runs that stays what it was."""

import inspect
from hashlib import blake2b
from pathlib import Path

import pytest
import typer

from podium.arena.game.limits import LatePolicy
from podium.arena.tournament import run_session
from podium.arena.tournament.match import Match
from podium.arena.tournament.options import completed, conditions_of, declared
from podium.cli import ablate, calibrate, league, match, tune
from podium.errors import PodiumError

PLAIN = (
    '{"allowance": {"grace": 50.0, "milliseconds": 0.0, "nodes": 50, "overruns": 3, "policy": "soft", '
    '"reserve": 1000.0, "startup": 0.0}, "game": "duel", "keep_thoughts": true, "memory": 0, "settings": {}, '
    '"suspend": false}'
)
ALL = (
    '{"allowance": {"grace": 50.0, "milliseconds": 20.0, "nodes": 0, "overruns": 3, "policy": "bank", '
    '"reserve": 250.0, "startup": 100.0}, "fair": true, "game": "duel", "keep_thoughts": false, "memory": 64, '
    '"settings": {}, "suspend": true}'
)


def test_conditions_are_written_as_in_the_stores_of_earlier_versions(toys):
    """The text is a part of a run's identity: if it changes, no command finds its run again."""
    duel = toys("duel")
    assert conditions_of(duel, nodes=50).text() == PLAIN
    every = {"time": 20, "policy": "bank", "reserve": 250, "startup": 100, "memory": 64}
    assert conditions_of(duel, **every, suspend=True, fair=True, thoughts=False).text() == ALL


def test_the_identity_of_a_run_is_that_of_earlier_versions(toys, tmp_path, monkeypatch):
    monkeypatch.setattr(run_session, "rules_fingerprint", lambda game: "rules")
    with Match("duel", "namer", "namer:noise=3", games=2, nodes=50, seed=7, store=tmp_path / "s.db") as found:
        first, second = (who.fingerprint for who in found.session.entrants.values())
        text = f'["match", "rules", {run_session.json.dumps(PLAIN)}, 7, "{first},{second}"]'
        identity = blake2b(text.encode()).hexdigest()
        again = found.session.store.open_run("match", identity, "any name", 7, found.session.conditions)
    assert again.id == found.run.id


def test_values_are_checked_and_completed():
    options = completed({"time": 20, "policy": "strict", "store": "my.db"})
    assert options["time"] == 20.0
    assert options["policy"] is LatePolicy.STRICT
    assert options["store"] == Path("my.db")
    assert options["jobs"] == 0


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ({"nods": 3}, "unknown option 'nods'"),
        ({"policy": "kind"}, "unknown policy 'kind'"),
        ({"time": float("nan")}, "time must be at least 0, not nan"),
        ({"jobs": -1}, "jobs must be from 0"),
        ({"fair": "yes"}, "fair is True or False"),
    ],
)
def test_mistakes_get_a_sentence(given, sentence):
    with pytest.raises(PodiumError, match=sentence):
        completed(given)


@pytest.mark.parametrize("module", [ablate, calibrate, league, match, tune])
def test_commands_have_the_declared_options(module):
    parameters = inspect.signature(module.command).parameters
    shared = {name: parameters[name] for name in declared() if name in parameters}
    assert {"seed", "time", "nodes", "policy", "memory", "settings", "jobs", "store"} <= shared.keys()
    for name, parameter in shared.items():
        (made,) = parameter.annotation.__metadata__
        assert isinstance(made, typer.models.OptionInfo)
        assert made.help == declared()[name][1].help
    assert module is not match or shared.keys() == declared().keys()
