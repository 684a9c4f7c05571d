"""Every starter is written, built where its compiler is there, and plays whole games without a fault."""

import shlex
import shutil
import subprocess
from pathlib import Path

import pytest
from typer.testing import CliRunner

from podium.arena.game.limits import TimeControl
from podium.arena.game.play import play_game
from podium.arena.game.players import ProgramPlayer
from podium.cli.app import app
from podium.errors import PodiumError
from podium.games import folder_of, load
from podium.starters import LANGUAGES, language_of, languages_of, new_bot

RULES_GAME = str(Path(__file__).parents[1] / "games" / "race_game.py")  # one that is made of its rules
GAMES = ("code4life", "code_of_kutulu", "fall_challenge_2020", "wondev_woman", "zuniq", RULES_GAME)
LONG = TimeControl(milliseconds=20_000)  # a virtual machine may take its time to start


def built(starter):
    """Build a starter by the command that it names; skip where a tool is missing."""
    program = shlex.split(starter.match)[4].removeprefix("cmd:")
    for command in filter(None, (starter.build, program)):
        tool = shlex.split(command)[0]
        if not tool.startswith((".", "/")) and shutil.which(tool) is None:
            pytest.skip(f"{tool} is not installed, so this starter is neither built nor played")
    if starter.build:
        done = subprocess.run(starter.build, shell=True, capture_output=True, text=True, timeout=120)
        assert done.returncode == 0, done.stdout + done.stderr
        said = [line for line in (done.stdout + done.stderr).splitlines() if "Server VM warning" not in line]
        assert "warning" not in "\n".join(said)
    return shlex.split(program)


@pytest.mark.slow
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", GAMES, ids=lambda name: Path(name).stem)
def test_a_new_bot_is_built_and_plays_without_a_fault(name, language, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    argv = built(new_bot(name, language, "my bots"))  # its commands work in the current folder, spaces or not
    game, turns = load(name), []
    players = [ProgramPlayer(argv, 0, seed=seat) for seat in range(game.seats)]  # it has to play from every seat
    referee = game.new_referee(5)
    try:
        outcome = play_game(referee, players, LONG, turns.append)
        words = [player.close(referee.farewell(seat)) for seat, player in enumerate(players)]
    finally:
        for player in players:
            player.close(())
    said = "".join(turn.stderr for turn in turns)
    assert [fault.detail for fault in outcome.faults] == [], said
    assert words == [""] * game.seats, "a program complained at the end of the game"


@pytest.mark.parametrize("name", GAMES, ids=lambda name: Path(name).stem)
def test_every_game_has_a_starter_in_every_language(name):
    assert languages_of(name) == list(LANGUAGES)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_starter_tells_how_to_build_it_and_the_protocol(language, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    starter = new_bot("zuniq", language)
    text = starter.path.read_text()
    assert starter.match in text
    assert starter.build in text
    mark = LANGUAGES[language].comment
    for line in (folder_of("zuniq") / "starters" / "protocol.txt").read_text().splitlines():
        assert f"{mark} {line}".rstrip() in text.splitlines()


@pytest.mark.parametrize(
    ("other", "name"),
    [
        ("py", "python"),
        ("js", "javascript"),
        ("c++", "cpp"),
        ("ts", "typescript"),
        ("cs", "csharp"),
        ("C#", "csharp"),
        ("golang", "go"),
        ("kt", "kotlin"),
        ("rs", "rust"),
    ],
)
def test_a_language_has_other_names(other, name):
    assert language_of(other) is LANGUAGES[name]


def test_javascript_has_no_types_and_typescript_has_them(tmp_path):
    script, typed = (new_bot("zuniq", name, tmp_path).path.read_text() for name in ("js", "ts"))
    assert "/*" not in script + typed
    assert "const drawn = new Set();" in script
    assert "const drawn = new Set<number>();" in typed
    assert "type Square = number[];\n" in typed
    assert "Square[" not in script
    assert "function sides([row, column]: Square) {" in typed


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
    done = CliRunner().invoke(app, ["new", "bot", "wondev_woman", "--language", "c++", "--to", str(tmp_path)])
    assert done.exit_code == 0, done.output
    path = tmp_path / "wondev_woman_bot"
    assert path.with_suffix(".cpp").is_file()
    assert f"g++ -O2 -std=c++17 -o {path} {path}.cpp" in done.output
    assert f'match wondev_woman random "cmd:{path}" --games 20' in done.output
