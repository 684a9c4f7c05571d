"""Every starter is written, built where its compiler is there, and plays whole games without a fault."""

import shlex
import shutil
import subprocess

import pytest
from typer.testing import CliRunner

from podium.arena.limits import Allowance
from podium.arena.play import play_game
from podium.arena.players import ProgramPlayer
from podium.cli.app import app
from podium.errors import PodiumError
from podium.games import folder_of, load
from podium.starters import LANGUAGES, languages_of, new_bot

GAMES = ("code4life", "code_of_kutulu", "fall_challenge_2020", "wondev_woman", "zuniq")
LONG = Allowance(milliseconds=20_000)  # a virtual machine may take its time to start


def built(starter, folder):
    """Build a starter by the command that it names; skip where a tool is missing."""
    program = shlex.split(starter.match)[4].removeprefix("cmd:")
    for command in filter(None, (starter.build, program)):
        tool = shlex.split(command)[0]
        if not tool.startswith("./") and shutil.which(tool) is None:
            pytest.skip(f"{tool} is not installed")
    if starter.build:
        done = subprocess.run(starter.build, shell=True, cwd=folder, capture_output=True, text=True, timeout=120)
        assert done.returncode == 0, done.stderr
        assert "warning" not in done.stderr
    return shlex.split(program)


@pytest.mark.slow
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", GAMES)
def test_a_new_bot_is_built_and_plays_without_a_fault(name, language, tmp_path, monkeypatch):
    argv = built(new_bot(name, language, tmp_path), tmp_path)
    monkeypatch.chdir(tmp_path)
    game, turns = load(name), []
    players = [ProgramPlayer(argv, 0, seed=seat) for seat in range(game.seats)]  # it has to play from every seat
    referee = game.new_referee(5)
    try:
        outcome = play_game(referee, players, LONG, turns.append)
        words = [player.close(referee.farewell(seat)) for seat, player in enumerate(players)]
    finally:
        for player in players:
            player.close(())
    said = "".join(turn.heard.stderr for turn in turns)
    assert [fault.sentence for fault in outcome.faults] == [], said
    assert words == [""] * game.seats, "a program complained at the end of the game"


@pytest.mark.parametrize("name", GAMES)
def test_every_game_has_a_starter_in_every_language(name):
    assert languages_of(name) == list(LANGUAGES)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_starter_tells_how_to_build_it_and_the_protocol(language, tmp_path):
    starter = new_bot("zuniq", language, tmp_path)
    text = starter.path.read_text()
    assert starter.match in text
    assert starter.build in text
    mark = LANGUAGES[language].comment
    for line in (folder_of("zuniq") / "starters" / "protocol.txt").read_text().splitlines():
        assert f"{mark} {line}".rstrip() in text.splitlines()


def test_a_file_is_never_overwritten(tmp_path):
    path = new_bot("zuniq", "rust", tmp_path).path
    path.write_text("mine")
    with pytest.raises(PodiumError, match="is there already"):
        new_bot("zuniq", "rust", tmp_path)
    assert path.read_text() == "mine"


def test_unknown_words_are_sentences(tmp_path):
    with pytest.raises(PodiumError, match="unknown language 'rost'; did you mean rust"):
        new_bot("zuniq", "rost", tmp_path)
    with pytest.raises(PodiumError, match="unknown game 'zuni'; did you mean zuniq"):
        new_bot("zuni", "rust", tmp_path)


def test_the_command_says_how_to_go_on(tmp_path):
    done = CliRunner().invoke(app, ["new", "bot", "wondev_woman", "--language", "cpp", "--to", str(tmp_path)])
    assert done.exit_code == 0, done.output
    assert (tmp_path / "wondev_woman_bot.cpp").is_file()
    assert "g++ -O2 -std=c++17 -o wondev_woman_bot wondev_woman_bot.cpp" in done.output
    assert 'podium match wondev_woman random "cmd:./wondev_woman_bot" --games 20' in done.output
