"""Pins: positions of stored games with what should be played there."""

import json
import re

import pytest

import podium
from podium.arena.analysis.pins import read_pins
from podium.errors import PodiumError
from tests.commands import podium as command


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A folder with a store of two games of a simultaneous game, and two of one in turns."""
    folder = tmp_path_factory.mktemp("pins")
    for game in ("fall_challenge_2020", "zuniq"):
        podium.match(game, "random", "random", games=2, nodes=5, store=folder / "s.db", jobs=1)
    return folder


def turn_of(folder, game, turn, seat):
    turns = json.loads(command("show", game, "--store", str(folder / "s.db"), "--json"))["answers"]
    mine = [answer["line"] for answer in turns if answer["seat"] == seat]
    return mine[turn - 1]


def test_what_was_played_is_to_be_avoided(folder):
    pin = podium.pin("g1", 3, seat=1, pins=folder / "a.jsonl", store=folder / "s.db")
    assert pin.avoid == [turn_of(folder, "g1", 3, 1)]
    assert len(pin.answers) == 4, "two full turns of both seats"
    assert read_pins(folder / "a.jsonl") == [pin]
    podium.pin("g1", 3, seat=1, pins=folder / "a.jsonl", store=folder / "s.db")
    assert len(read_pins(folder / "a.jsonl")) == 1, "the same pin is kept once"
    (folder / "a.jsonl").write_text((folder / "a.jsonl").read_text().rstrip("\n"))  # as an editor may save it
    other = podium.pin("g1", 4, seat=1, pins=folder / "a.jsonl", store=folder / "s.db")
    assert read_pins(folder / "a.jsonl") == [pin, other]


def test_a_bot_passes_or_fails_by_its_move_not_by_its_words(folder):
    options = {"pins": folder / "b.jsonl", "store": folder / "s.db"}
    podium.pin("g1", 3, seat=1, expect=["WAIT now"], note="wait", **options)
    podium.pin("g1", 3, seat=1, avoid=["WAIT"], **options)
    report = podium.pins("wait", pins=folder / "b.jsonl", repeats=2)
    assert [(result.is_passed, result.played) for result in report.results] == [
        (True, ("WAIT", "WAIT")),
        (False, ("WAIT", "WAIT")),
    ]
    assert report.rows()[0]["note"] == "wait"
    assert report.headline == "wait passes 1 of 2 pins"


def test_programs_and_python_bots_are_asked_too(folder, tmp_path):
    options = {"pins": tmp_path / "c.jsonl", "store": folder / "s.db"}
    podium.pin("g1", 4, seat=0, expect=["WAIT"], **options)
    (tmp_path / "bot.py").write_text("def bot(lines):\n    return 'WAIT'\n")
    (tmp_path / "program.py").write_text(
        "while True:\n    for _ in range(int(input()) + 2):\n        input()\n    print('WAIT', flush=True)\n"
    )
    assert podium.pins(f"py:{tmp_path}/bot.py:bot", pins=tmp_path / "c.jsonl").failed == 0
    assert podium.pins(f"cmd:python3 {tmp_path}/program.py", pins=tmp_path / "c.jsonl", time=5000).failed == 0


def test_a_program_that_remembers_its_own_moves_is_warned_of(folder, tmp_path):
    """Its first wall is not that of the game, so that it may draw there what is drawn already."""
    options = {"pins": tmp_path / "g.jsonl", "store": folder / "s.db"}
    played = json.loads(command("show", "g3", "--store", str(folder / "s.db"), "--json"))["answers"]
    pin = podium.pin("g3", 3, **options)
    drawn, other = played[0]["line"], next(wall for wall in ("A1h", "A2h") if wall != played[0]["line"])
    program = tmp_path / "program.py"
    program.write_text(f"for line in ('{other}', '{drawn}'):\n    input()\n    print(line, flush=True)\n")
    report = podium.pins(f"cmd:python3 {program}", pins=options["pins"], time=5000)
    assert (pin.turn, report.rows()[0]["played"], report.rows()[0]["result"]) == (3, drawn, "failed: illegal")
    assert "on the way to 1 of 1 pins" in report.warnings[0]
    assert report.data()["warnings"] == report.warnings
    assert podium.pins("random", pins=options["pins"]).warnings == [], "it observes the game"


def test_a_python_bot_is_told_what_was_answered(folder, tmp_path):
    options = {"pins": tmp_path / "h.jsonl", "store": folder / "s.db"}
    pin = podium.pin("g3", 3, **options)
    (tmp_path / "bot.py").write_text(
        "class Bot:\n"
        "    told = ''\n"
        "    def observe(self, lines, line):\n        self.told = line\n"
        "    def reply(self, lines):\n        return self.told\n"
    )
    report = podium.pins(f"py:{tmp_path}/bot.py", pins=options["pins"])
    assert report.results[0].played == (pin.answers[0],)
    assert report.warnings == []


def test_a_pin_of_a_game_in_turns_and_the_exit_status(folder, tmp_path):
    store, pins = ("--store", str(folder / "s.db")), ("--pins", str(tmp_path / "d.jsonl"))
    played = json.loads(command("show", "g3", *store, "--json"))["answers"][4]["line"]
    assert "added" in command("pin", "g3", "--turn", "5", "--expect", played, *store, *pins)
    assert "already" in command("pin", "g3", "--turn", "5", "--expect", played, *store, *pins)
    data = json.loads(command("pins", "random", *pins, "--repeats", "30", "--json", code=1))
    assert data["failed"] == 1
    assert re.fullmatch(r"failed \d+ of 30", data["results"][0]["result"])


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ({"turn": 3, "expect": ["FLY"]}, "'FLY' cannot be played there"),
        ({"turn": 900}, "its turns are 1 to"),
        ({"turn": 3, "expect": ["WAIT now"], "avoid": ["WAIT"]}, "both expected and to be avoided"),
    ],
)
def test_what_cannot_be_pinned_is_a_sentence(folder, options, reason):
    with pytest.raises(PodiumError, match=reason):
        podium.pin("g1", seat=0, pins=folder / "e.jsonl", store=folder / "s.db", **options)
    assert not (folder / "e.jsonl").exists()


def test_damaged_files_of_pins(tmp_path):
    file = tmp_path / "p.jsonl"
    with pytest.raises(PodiumError, match=r"there is no file .*; podium pin makes it"):
        podium.pins("random", pins=file)
    for text, reason in (("{}\n", "line 1: not a pin"), ("x", "not JSON")):
        file.write_text(text)
        with pytest.raises(PodiumError, match=reason):
            read_pins(file)
    file.write_text("")
    assert read_pins(file) == []
    with pytest.raises(PodiumError, match="holds no pins; podium pin makes them"):
        podium.pins("random", pins=file)
    file.write_text('{"game": "zuniq", "seed": 1, "answers": [], "seat": 0}\n')
    with pytest.raises(PodiumError, match="expect or to avoid"):
        read_pins(file)
    file.write_text('{"game": "zuniq", "seed": 1, "answers": ["A1h", "A1h"], "seat": 0, "avoid": ["A2h"]}\n')
    with pytest.raises(PodiumError, match="pin 1"):
        podium.pins("random", pins=file)
