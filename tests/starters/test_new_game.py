"""What `podium new game` writes: small, complete, renamed, and never over something that is there."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from podium import match
from podium.cli.app import app
from podium.cli.new import as_typed
from podium.errors import PodiumError
from podium.kernel.diagnostics import KernelError
from podium.starters.new_game import TEMPLATES, new_game
from tests.sources import imported_by

MOST_LINES = {"heap": 90, "board": 160}  # of the whole file, with its docstrings


def code_lines(path):
    """The lines of a file that are neither blank nor comments."""
    lines = map(str.strip, path.read_text().splitlines())
    return [line for line in lines if line and not line.startswith(("#", '"""'))]


@pytest.mark.parametrize("like", MOST_LINES)
def test_a_game_is_one_short_file(like, tmp_path):
    path = new_game("stone_heap", like, tmp_path).path
    assert [*tmp_path.iterdir()] == [path]
    assert len(path.read_text().splitlines()) <= MOST_LINES[like]
    assert "newgame" not in path.read_text().lower()
    assert len(code_lines(path)) < MOST_LINES[like]
    assert all(name.partition(".")[0] in ("typing", "numpy", "podium") for name in imported_by(path))


@pytest.mark.slow
@pytest.mark.parametrize("like", MOST_LINES)
def test_a_new_game_passes_conformance(like, tmp_path):
    path = new_game("stone_heap", like, tmp_path).path
    without = {**os.environ, "NUMBA_DISABLE_JIT": "1"}  # compiled, other games pass it
    command = [sys.executable, "-m", "podium.testing", path.name]
    done = subprocess.run(command, cwd=tmp_path, env=without, capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-1000:]
    assert " passed" in done.stdout


def test_the_command_of_the_suite_names_a_mistake(tmp_path):
    done = subprocess.run(
        [sys.executable, "-m", "podium.testing", "nowhere.py"], capture_output=True, text=True, timeout=60
    )
    assert done.returncode != 0
    assert "no file nowhere.py" in done.stderr


WITHOUT_PYTEST = """
import runpy, sys
sys.modules["pytest"], sys.argv[1:] = None, ["zuniq"]
runpy.run_module("podium.testing", run_name="__main__")
"""


def test_without_pytest_the_command_of_the_suite_says_so():
    done = subprocess.run([sys.executable, "-c", WITHOUT_PYTEST], capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stderr) == (1, "podium: the conformance suite needs pytest: pip install pytest\n")


def test_the_command_writes_a_game_and_says_how_to_go_on(tmp_path):
    done = CliRunner().invoke(app, ["new", "game", "stone_board", "--like", "board", "--to", str(tmp_path)])
    assert done.exit_code == 0, done.output
    path = tmp_path / "stone_board.py"
    assert f"{as_typed('podium play')} {path} alphabeta mcts" in done.output
    assert f"{as_typed('python -m podium.testing')} {path}" in done.output


def test_printed_commands_name_the_program_that_was_called(tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(sys, "argv", [".venv/bin/podium", "new"])
    assert as_typed("podium play x.py a b") == ".venv/bin/podium play x.py a b"
    assert as_typed("g++ -o x x.cpp") == "g++ -o x x.cpp"
    assert as_typed("python -m podium.testing x.py") == f"{sys.executable} -m podium.testing x.py"
    monkeypatch.setattr(sys, "argv", ["/somewhere/podium/__main__.py", "new"])
    assert as_typed("podium play x.py a b") == f"{sys.executable} -m podium play x.py a b"
    podium = tmp_path / "podium"
    podium.write_text("")
    podium.chmod(0o755)
    assert as_typed("podium play x.py a b") == "podium play x.py a b"


def test_connect_four_is_copied_as_a_package_under_the_new_name(tmp_path):
    folder = new_game("four_stones", "connect_four", tmp_path).path
    texts = {path.relative_to(folder): path for path in folder.rglob("*") if path.is_file()}
    assert Path("four_stones/data/network.npz") in texts
    assert "class FourStonesReferee(TurnReferee)" in texts[Path("four_stones/referee.py")].read_text()
    assert 'name = "podium-four-stones"' in texts[Path("pyproject.toml")].read_text()
    assert 'four_stones = "four_stones:GAME"' in texts[Path("pyproject.toml")].read_text()
    sources = [path.read_text() for path in texts.values() if path.suffix in (".py", ".toml", ".md", ".js")]
    assert not [text for text in sources if "connect_four" in text or "ConnectFour" in text]


@pytest.mark.parametrize("name", ["zuniq", "Chess", "my game", "class", "random", "numpy", ""])
@pytest.mark.parametrize("like", TEMPLATES)
def test_names_that_cannot_be_are_refused(name, like, tmp_path):
    with pytest.raises(PodiumError):
        new_game(name, like, tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_an_unknown_template_is_refused(tmp_path):
    with pytest.raises(PodiumError, match="unknown template of a game 'bord'; did you mean board"):
        new_game("stone_heap", "bord", tmp_path)


@pytest.mark.parametrize("like", TEMPLATES)
def test_a_game_is_never_overwritten(like, tmp_path):
    new_game("stone_heap", like, tmp_path)
    with pytest.raises(PodiumError, match="is there already"):
        new_game("stone_heap", like, tmp_path)


def test_two_games_of_one_template_have_different_records(tmp_path):
    text = "from {0}.rules import State\n"
    for name in ("one_four", "two_four"):
        new_game(name, "connect_four", tmp_path)
    command = f"import sys; sys.path[:0] = ['one_four', 'two_four']\n{text.format('one_four')}{text.format('two_four')}"
    done = subprocess.run([sys.executable, "-c", command], cwd=tmp_path, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr


@pytest.mark.compiled
def test_a_misspelt_field_of_a_rule_is_named_before_the_first_game(tmp_path):
    # A name of its own: a loaded game stays importable in this process, so its name is taken for the other tests.
    path = new_game("loaded_heap", "heap", tmp_path).path
    text = path.read_text()
    assert text.count("state.loaded_heap_stones -= move") == 1
    path.write_text(text.replace("state.loaded_heap_stones -= move", "state.loaded_heap_stone -= move"))
    for bots in (("mcts", "random"), ("random", "random")):
        with pytest.raises(
            KernelError, match=r"loaded_heap_play \(.*, line \d+\) uses state.loaded_heap_stone, .*stones\?"
        ):
            match(str(path), *bots, games=2, nodes=10, jobs=1, store=tmp_path / "heap.db")
    assert not (tmp_path / "heap.db").exists(), "no run without a game is left behind"
