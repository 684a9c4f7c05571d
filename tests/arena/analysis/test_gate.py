"""The gate for new versions: pins, a sequential test, faults, and an exit status."""

import json
from pathlib import Path

import pytest
import yaml

import podium
from podium.errors import PodiumError
from tests.commands import podium as command

DOCS = Path(__file__).parents[3] / "docs"
FEW = {"sprt": (-200.0, 0.0), "jobs": 1}


def gate(tmp_path, *bots, **options):
    (tmp_path / "pins.jsonl").touch()
    fixed = {"store": tmp_path / "s.db", "pins": tmp_path / "pins.jsonl", **FEW}
    return podium.gate("duel", *bots, **fixed | options)


def verdicts(report):
    return {row["check"]: row["verdict"] for row in report.rows()}


def test_a_stronger_version_passes_and_a_weaker_one_fails(toys, tmp_path):
    better = gate(tmp_path, "namer:number=3", "namer:number=7")
    assert (better.verdict, verdicts(better)) == ("passed", {"strength": "passed", "faults": "passed"})
    assert better.match.bots == ("namer:number=7", "namer:number=3"), "the new version is the first bot of the match"
    worse = gate(tmp_path, "namer:number=7", "namer:number=3")
    assert (worse.verdict, verdicts(worse)["strength"]) == ("failed", "failed")
    assert "failed (strength)" in worse.headline


def test_what_the_games_do_not_decide(toys, tmp_path):
    open_ = gate(tmp_path, "namer:number=3", "namer:number=7", games=2, sprt=(0.0, 5.0), require="stronger")
    assert (open_.verdict, open_.verdict.exit_code) == ("undecided", 3)


def test_the_same_program_needs_no_games(toys, tmp_path):
    same = gate(tmp_path, "namer:number=3", "namer:number=3")
    assert (same.verdict, same.match) == ("passed", None)
    assert "the same program" in same.rows()[0]["sentence"]


def test_faults_close_the_gate_unless_they_are_allowed(toys, tmp_path, mock):
    options = {"games": 4, "sprt": (-200.0, -199.0), "time": 2000}
    faulty = gate(tmp_path, "namer:number=3", mock("crash", 3), **options)
    assert verdicts(faulty)["faults"] == "failed"
    assert "crashed" in {row["check"]: row["sentence"] for row in faulty.rows()}["faults"]
    assert verdicts(gate(tmp_path, "namer:number=3", mock("crash", 3), faults=1000, **options))["faults"] == "passed"


def test_pins_are_checked_with_the_new_version(tmp_path):
    options = {"store": tmp_path / "s.db", "jobs": 1}
    podium.match("zuniq", "random", "random", games=2, nodes=1, **options)
    pins = tmp_path / "pins.jsonl"
    pin = podium.pin("g1", 3, store=tmp_path / "s.db", pins=tmp_path / "other.jsonl")
    state = podium.load("zuniq").position([line for line in pin.answers if line])
    podium.pin("g1", 3, expect=podium.load("zuniq").legal_moves(state), store=tmp_path / "s.db", pins=pins)
    words = ("gate", "zuniq", "random", "random")
    limits = ("--nodes", 1, "--jobs", 1, "--store", tmp_path / "s.db", "--pins", pins)
    passed = json.loads(command(*words, *limits, "--json"))
    assert (passed["verdict"], passed["exit_code"], passed["pins"]["failed"]) == ("passed", 0, 0)
    pins.write_text("")
    podium.pin("g1", 3, avoid=podium.load("zuniq").legal_moves(state), store=tmp_path / "s.db", pins=pins)
    failed = json.loads(command(*words, *limits, "--json", code=1))
    assert failed["checks"][0]["check"] == "pins"
    assert failed["checks"][0]["verdict"] == "failed"
    assert "failed (pins)" in command(*words, *limits, code=1)


def test_mistakes_are_sentences(toys, tmp_path):
    with pytest.raises(PodiumError, match="require"):
        gate(tmp_path, "namer:number=3", "namer:number=4", require="better")
    with pytest.raises(PodiumError, match="there is no file of pins"):
        gate(tmp_path, "namer:number=3", "namer:number=4", pins=tmp_path / "pin.jsonl")
    with pytest.raises(PodiumError, match="expected a game"):
        command("gate", "namer:number=3")


def test_the_workflow_is_one_and_runs_the_gate():
    workflow = yaml.safe_load((DOCS / "workflows" / "gate.yml").read_text())
    runs = [step.get("run", "") for step in workflow["jobs"]["gate"]["steps"]]
    assert any(run.startswith("podium gate git:origin/") for run in runs)
