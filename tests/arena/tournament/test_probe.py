"""Bots and referees that cannot play are found before a run begins."""

import sys

import pytest

from podium.arena.entrants.entrant import entrant
from podium.arena.game.conditions import Conditions
from podium.arena.tournament.probe import SEEDS, probe
from podium.arena.tournament.worker import seed_of
from podium.errors import PodiumError
from podium.games import load
from tests.referees.conftest import script  # noqa: F401 - a fixture

GAMES = ("zuniq", "wondev_woman", "code4life", "code_of_kutulu", "fall_challenge_2020")
GREETING = "Hello, I am a bot"
FIRST_ANSWERS = {  # good ones; Zuniq depends on nothing, Wondev Woman's are listed in the prompt
    "code4life": "GOTO SAMPLES",
    "code_of_kutulu": "WAIT",
    "fall_challenge_2020": "WAIT",
}


def python_bot(folder, name, body):
    path = folder / f"{name}.py"
    path.write_text(body)
    return f"py:{path}"


def program(folder, name, body):
    path = folder / f"{name}.py"
    path.write_text(body)
    return f"cmd:{sys.executable} -S -E {path}"


def tried(game, spec):
    probe(game, [entrant(game, spec)], Conditions(game.name))


def test_programs_that_cannot_play_end_the_run_at_once(toys, mock):
    duel = toys("duel")
    tried(duel, mock(5))
    with pytest.raises(PodiumError, match=r"crashed: ended with status 1(.|\n)*about to divide by zero"):
        tried(duel, mock("crash"))
    with pytest.raises(PodiumError, match="exited"):
        tried(duel, mock("exit"))


def test_of_a_flood_on_standard_error_the_end_is_told(toys, tmp_path):
    body = "import sys\nfor i in range(999): print('line', i, file=sys.stderr)\nsys.exit(1)\n"
    with pytest.raises(PodiumError, match="wrote to standard error:\n") as raised:
        tried(toys("duel"), program(tmp_path, "loud", body))
    assert str(raised.value).splitlines()[1:] == [f"line {number}" for number in range(979, 999)]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("print(5)\n", "it is no program of this machine, nor a script whose first line names its interpreter"),
        ("", "it is no program of this machine"),
        ("#!/usr/bin/python9\n", "an interpreter that was not found: '/usr/bin/python9'"),
        ("#!/bin/sh\r\n", r"an interpreter that was not found: '/bin/sh'|crashed"),  # with the line ends of Windows
    ],
)
def test_a_script_that_the_system_cannot_start_is_told_why(toys, tmp_path, text, reason):
    path = tmp_path / "bot"
    path.write_text(text, newline="")
    path.chmod(0o755)
    with pytest.raises(PodiumError, match=f"cannot play: .*{reason}"):
        tried(toys("duel"), f"cmd:{path}")


def test_commands_that_are_no_programs(toys, tmp_path):
    (tmp_path / "file").touch()
    for name, reason in {"file": "is not executable; try chmod", "": "is a folder", "none": "was not found"}.items():
        with pytest.raises(PodiumError, match=reason):
            entrant(toys("duel"), f"cmd:{tmp_path / name}")


@pytest.mark.parametrize("name", ["duel", "table"])
def test_an_answer_that_the_protocol_does_not_know_ends_the_run(toys, mock, name):
    """Also where the seats move at the same time, and where the game goes on without the seat."""
    with pytest.raises(PodiumError, match=r"does not speak the protocol of .*'please let me win'"):
        tried(toys(name), mock("words"))


@pytest.mark.parametrize("name", GAMES)
def test_a_program_that_greets_is_found_in_every_game(name, tmp_path):
    game = load(name)
    with pytest.raises(PodiumError, match="does not speak the protocol"):
        tried(game, python_bot(tmp_path, "greeter", f"def bot(lines):\n    return {GREETING!r}\n"))
    body = f"print({GREETING!r}, flush=True)\nwhile True:\n    input()\n"
    with pytest.raises(PodiumError, match="does not speak the protocol"):
        tried(game, program(tmp_path, "program", body))


@pytest.mark.parametrize("name", FIRST_ANSWERS)
def test_a_bot_with_a_good_first_answer_may_play(name, tmp_path):
    tried(load(name), python_bot(tmp_path, "good", f"def bot(lines):\n    return {FIRST_ANSWERS[name]!r}\n"))


def test_a_first_answer_against_the_rules_ends_the_run_only_if_it_is_no_accident(toys, tmp_path):
    duel = toys("duel")
    with pytest.raises(PodiumError, match=r"cannot play Duel: its first answer is rejected: .*'99'"):
        tried(duel, python_bot(tmp_path, "always", "def bot(lines):\n    return '99'\n"))
    body = f"def bot(lines):\n    return '99' if lines[0] == 'seed {seed_of(SEEDS[0])}' else '5'\n"
    tried(duel, python_bot(tmp_path, "once", body))


def test_a_second_answer_against_the_rules_is_judged_in_the_game(toys, mock):
    tried(toys("duel"), mock("high", 2))


def test_an_answer_that_an_external_referee_rejects_ends_the_run(script, tmp_path):  # noqa: F811
    game = load(f"referee:cmd:{script('fake.py', 'plain')}")
    with pytest.raises(PodiumError, match=r"its first answer is rejected: .*gave invalid input"):
        tried(game, python_bot(tmp_path, "greeter", f"def bot(lines):\n    return {GREETING!r}\n"))
    tried(game, python_bot(tmp_path, "seven", "def bot(lines):\n    return '7'\n"))


def test_an_external_referee_that_fails_at_the_first_answers_ends_the_run(script, tmp_path):  # noqa: F811
    game = load(f"referee:cmd:{script('fake.py', 'fragile')}")
    with pytest.raises(PodiumError, match=r"the referee fails at the first answers of .*boom"):
        tried(game, python_bot(tmp_path, "greeter", f"def bot(lines):\n    return {GREETING!r}\n"))


def test_a_referee_that_cannot_begin_ends_the_run(script, tmp_path):  # noqa: F811
    game = load(f"referee:cmd:{script('fake.py', 'fail')}")
    with pytest.raises(PodiumError, match="boom"):
        tried(game, python_bot(tmp_path, "seven", "def bot(lines):\n    return '7'\n"))


@pytest.mark.parametrize("contract", ["brutaltester", "psyleague"])
def test_a_script_that_cannot_play_ends_the_run(contract, tmp_path):
    broken = tmp_path / "broken.py"
    broken.write_text("def play(:\n")
    seeds = ":seeds=d" if contract == "brutaltester" else ""
    game = load(f"referee:{contract}:{sys.executable} {broken}{seeds}")
    with pytest.raises(PodiumError, match="SyntaxError"):
        tried(game, "cmd:true")


def test_every_program_of_a_script_plays_in_the_trial(tmp_path):
    log = tmp_path / "log"
    game = {"ranks": [0, 1], "errors": [0, 0], "test_data": {}, "player_data": [{}, {}]}
    body = f"import json, sys\nprint(*sys.argv[1:], sep=',', file=open({str(log)!r}, 'a'))\nprint(json.dumps({game}))\n"
    (tmp_path / "play.py").write_text(body)
    game = load(f"referee:psyleague:{sys.executable} {tmp_path / 'play.py'}")
    names = ["true 1", "true 2", "true 3"]
    probe(game, [entrant(game, f"cmd:{words}") for words in names], Conditions(game.name))
    first, second, third = (" ".join(entrant(game, f"cmd:{words}").argv) for words in names)
    assert log.read_text().splitlines() == [f"{first},{second}", f"{third},{first}"]
    with pytest.raises(PodiumError, match="only programs can play it"):
        tried(game, python_bot(tmp_path, "seven", "def bot(lines):\n    return '7'\n"))
