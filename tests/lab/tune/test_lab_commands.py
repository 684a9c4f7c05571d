"""`podium ablate` and `podium tune`, their runs in `runs` and `show`, and the same calls in Python."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

import podium
from podium.arena.store.store import Store
from podium.cli.app import app
from podium.cli.console import console
from podium.errors import PodiumError
from tests.arena.conftest import toys as toys

pytestmark = pytest.mark.compiled  # no kernels here


@pytest.fixture
def run(toys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)

    def command(*words):
        result = CliRunner().invoke(app, list(words), catch_exceptions=False)
        assert result.exit_code == 0, result.output
        return result.stdout

    return command


def test_an_ablation_is_played_listed_and_shown(run):
    words = ("ablate", "duel", "namer", "--values", "number=4,6", "--values", "noise=0", "--games", "24", "--jobs", "1")
    table = run(*words)
    assert "number=4" in table
    assert "noise=0" in table
    report = json.loads(run(*words, "--json"))
    assert (report["kind"], report["games"], report["remaining_games"]) == ("ablation", 24, 0)
    assert json.loads(run("runs", "--json"))["runs"][0]["kind"] == "ablation"
    assert "number=4" in run("show", "r1")
    shown = json.loads(run("show", "r1", "--json"))
    assert shown["parts"] == report["parts"]
    assert shown["last_games"]


def test_what_nobody_knows_is_infinite(run):
    assert "-∞ .. +∞" in run("ablate", "duel", "namer", "--values", "number=4", "--games", "0", "--jobs", "1")


def test_a_tuning_is_played_listed_shown_and_drawn(run, tmp_path):
    words = ("tune", "duel", "namer", "number=2:8", "duel=on|off", "--games", "24", "--tests", "4", "--nodes", "5")
    table = run(*words, "--jobs", "1", "--svg", "effects.svg")
    assert "podium match duel" in table
    assert (tmp_path / "effects.svg").read_text().startswith("<svg")
    report = json.loads(run(*words, "--jobs", "1", "--json"))
    assert report["games"] == 24
    assert [one["name"] for one in report["parameters"]] == ["number", "duel"]
    assert json.loads(run("runs", "--json"))["runs"][0]["kind"] == "tuning"
    assert "number" in run("show", "r1")
    assert json.loads(run("show", "r1", "--json"))["parameters"] == report["parameters"]


def test_a_match_to_paste_is_one_line(run, monkeypatch):
    monkeypatch.setattr(console, "width", 60)
    words = (
        "tune",
        "duel",
        "namer:number=2",
        "number=2:8",
        "noise=0:4",
        "--games",
        "60",
        "--tests",
        "0",
        "--nodes",
        "9",
    )
    tuned = json.loads(run(*words, "--jobs", "1", "--json"))["line"]
    assert len(tuned) > 60
    for shown in (run(*words, "--jobs", "1"), run("show", "r1", "--last", "0")):
        assert shown.splitlines()[-1] == f"play the best setting: {tuned}"


def test_an_interrupted_tuning_is_drawn_as_far_as_it_is_known(run, tmp_path, monkeypatch):
    def interrupted(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr("podium.cli.tune.play_shown", interrupted)
    words = ["tune", "duel", "namer", "number=2:8", "--games", "24", "--jobs", "1", "--svg"]
    CliRunner().invoke(app, [*words, "effects.svg"])
    assert (tmp_path / "effects.svg").read_text().startswith("<svg")
    refused = CliRunner().invoke(app, [*words, "nowhere/effects.svg"])
    assert isinstance(refused.exception, PodiumError), "before the first game"


def test_games_begin_in_exported_positions(run, tmp_path):
    run("match", "duel", "namer", "namer:number=6", "--games", "4", "--jobs", "1")
    (tmp_path / "positions.txt").write_text(run("export", "r1", "--positions", "turn 3..5"))
    nothing = CliRunner().invoke(app, ["export", "r1", "--positions", "turn 99", "--output", "positions.txt"])
    assert str(nothing.exception) == "no game of r1 goes on at turn 99"
    refused = CliRunner().invoke(app, ["export", "r1", "--positions", "turn 3", "--format", "html"])
    assert "leave --format away" in str(refused.exception)
    for words in (("ablate", "duel", "namer", "--values", "number=4"), ("match", "duel", "namer", "namer:number=4")):
        options = ("--from", "positions.txt", "--games", "4", "--jobs", "1", "--json")
        assert json.loads(run(*words, *options))["games"] == 4
    answers = json.loads(run("show", "g5", "--json"))["answers"]
    position = json.loads((tmp_path / "positions.txt").read_text().splitlines()[0])
    assert [answer["line"] for answer in answers[: len(position["answers"])]] == position["answers"]


def studied(store, **options):
    """Play a small ablation, and a tuning with its tests."""
    podium.ablate("zuniq", "random", parts=["claim"], games=8, store=store, **options)
    podium.tune("zuniq", "random", "claim=on|off", games=8, tests=4, store=store, **options)


def played(store):
    """What the games of a store were."""
    with Store(store, create=False) as opened:
        runs = [run for run, _, _ in opened.runs()]
        return {(run.id, game.place): game.signature for run in runs for game in opened.games(run)}


CLUSTER = """
import sys
from distributed import LocalCluster
from tests.lab.tune.test_lab_commands import studied

if __name__ == "__main__":
    with LocalCluster(n_workers=1, threads_per_worker=2, processes=False, dashboard_address=None) as there:
        studied(sys.argv[1], cluster=there.scheduler_address)
"""


@pytest.mark.slow
def test_a_cluster_plays_the_very_same_games(tmp_path):
    pytest.importorskip("distributed")
    (tmp_path / "cluster.py").write_text(CLUSTER)
    command = [sys.executable, str(tmp_path / "cluster.py"), str(tmp_path / "there.db")]
    paths = os.pathsep.join([str(Path(__file__).parents[3]), os.environ.get("PYTHONPATH", "")])
    done = subprocess.run(command, capture_output=True, text=True, check=False, env={**os.environ, "PYTHONPATH": paths})
    assert done.returncode == 0, done.stderr
    studied(tmp_path / "here.db", jobs=1)
    assert played(tmp_path / "there.db") == played(tmp_path / "here.db")
    assert len(played(tmp_path / "there.db")) >= 16


def test_both_are_calls_in_python(toys, tmp_path):
    store = tmp_path / "lab.db"
    ablation = podium.ablate("duel", "namer", values={"number": [4]}, games=8, store=store, jobs=1)
    assert [row["part"] for row in ablation.rows()] == ["number=4"]
    tuning = podium.tune("duel", "namer", "number=2:8", games=8, tests=0, store=store, jobs=1)
    assert [row["parameter"] for row in tuning.rows()] == ["number"]
    assert "number=4" in str(ablation)
    assert "expected gain" in str(tuning)
