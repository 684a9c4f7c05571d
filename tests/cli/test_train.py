"""`podium train`: its options make a plan, and its progress and result are printed."""

import json
from dataclasses import replace

import pytest
from typer.testing import CliRunner

from podium.cli.app import app
from podium.cli.train import generation_text, layers_of, watcher
from podium.errors import PodiumError
from podium.lab.learn.learner import Learner
from podium.lab.learn.run_folder import CURVES, Generation, TrainingPlan
from podium.lab.learn.strength import LADDER, read_ladder
from podium.search.network import load_network
from tests.lab.learn.test_learner import nim  # noqa: F401 - the game, found by its name

OPTIONS = (
    "--hidden 16,8 --games 20 --job 10 --window 3 --steps 10 --batch 32 --gate 0 --rate-every 1 --rate-games 2 "
    "--rate-nodes 4 --practice simulations=8 --practice short=2 --practice memory=1 --jobs 1"
).split()


@pytest.mark.compiled
@pytest.mark.usefixtures("nim")
def test_options_are_the_plan_and_the_same_command_goes_on(tmp_path):
    out = tmp_path / "run"
    first = CliRunner().invoke(app, ["train", "nim", "--out", str(out), *OPTIONS, "--generations", "1"])
    assert first.exit_code == 0, first.output
    assert "won/drawn/lost with 4 nodes a move: random" in first.output
    plan = json.loads((out / "plan.json").read_text())
    assert (plan["hidden"], plan["window"], plan["self_play"]["simulations"]) == ([16, 8], 3, 8)
    second = CliRunner().invoke(app, ["train", "nim", "--out", str(out), *OPTIONS, "--generations", "2"])
    assert "generation 1 in" in second.output
    assert len((out / "log.jsonl").read_text().splitlines()) == 2
    measured = (out / LADDER).read_text()
    (out / LADDER).write_text(measured[:-9])  # interrupted while the last generation was measured
    CliRunner().invoke(app, ["train", "nim", "--out", str(out), *OPTIONS, "--generations", "2"])
    assert [one.measured for one in read_ladder(out)] == [(1, "random", 4), (2, "random", 4)]
    assert (out / CURVES).exists()
    shipped = tmp_path / "network.npz"
    told = CliRunner().invoke(app, ["train", "nim", "--out", str(out), "--export", str(shipped)])
    assert told.exit_code == 0, told.output
    network, about = load_network(shipped)
    assert network.shape.tolist()[1:3] == [16, 8]
    assert about["number"] == 2
    relearn = [
        "relearn",
        "nim",
        str(out),
        "--export",
        str(shipped),
        "--hidden",
        "8,4",
        "--steps",
        "20",
        "--batch",
        "32",
    ]
    told = CliRunner().invoke(app, relearn)
    assert told.exit_code == 0, told.output
    network, about = load_network(shipped)
    assert network.shape.tolist()[1:3] == [8, 4]
    assert (about["games"], about["runs"]) == (40, ["run"])
    foreign = CliRunner().invoke(app, ["relearn", "zuniq", str(out), "--export", str(shipped)])
    assert str(foreign.exception) == f"{out} is a run of nim, not of zuniq"


@pytest.mark.usefixtures("nim")
def test_learning_anew_needs_games(tmp_path):
    told = CliRunner().invoke(app, ["relearn", "nim", str(tmp_path)])
    assert isinstance(told.exception, PodiumError)
    assert "holds no examples of self-play" in str(told.exception)
    told = CliRunner().invoke(app, ["relearn", "nim", str(tmp_path), "--export", str(tmp_path / "no" / "network.npz")])
    assert "there is no folder" in str(told.exception)


@pytest.mark.usefixtures("nim")
def test_nothing_is_exported_of_a_run_that_is_not_there(tmp_path):
    out, shipped = tmp_path / "run", tmp_path / "network.npz"
    told = CliRunner().invoke(app, ["train", "nim", "--out", str(out), "--export", str(shipped)])
    assert isinstance(told.exception, PodiumError)
    assert "holds no training run" in str(told.exception)
    assert not out.exists()
    assert not shipped.exists()


def test_layers_are_numbers():
    assert layers_of("128,64") == (128, 64)
    for text in ("", "128;64", "0", "-3,4", "4097", "8,8,8,8,8,8,8"):
        with pytest.raises(PodiumError, match="hidden layers are written as their widths"):
            layers_of(text)


@pytest.mark.usefixtures("nim")
def test_what_is_being_done_is_shown_with_its_rate_and_the_time_left(tmp_path, monkeypatch):
    times = iter([0.0, 10.0])
    monkeypatch.setattr("podium.cli.train.time.monotonic", lambda: next(times))
    shown = []
    look = watcher(Learner(tmp_path, TrainingPlan("nim", 1)), 3610.0, shown.append)
    look("self-play", 0, 400)
    look("self-play", 100, 400)
    assert shown[0].startswith("generation 1: self-play 0 of 400; the run ends in")
    assert "100 of 400, 10.0 games/s, 30 s to go" in shown[1]


def test_a_generation_fits_into_80_columns():
    losses = {"value": 0.443, "policy": 3.383, "auxiliary": 0.561}
    gated = Generation(123, 122, 1600, 52_160, losses, 0.613, True, 20.0)
    lines = generation_text(gated).splitlines() + generation_text(replace(gated, score=None)).splitlines()
    assert max(map(len, lines)) <= 80
    assert lines[1].split() == ["gate:", "61.3%", "against", "122,", "takes", "over"]
    assert len(lines) == 3


@pytest.mark.usefixtures("nim")
def test_who_interrupts_it_is_told_that_it_goes_on(tmp_path, monkeypatch):
    def interrupt(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(Learner, "generation", interrupt)
    told = CliRunner().invoke(app, ["train", "nim", "--out", str(tmp_path / "run"), *OPTIONS])
    assert told.exit_code == 130
    assert "the same command continues" in told.output
