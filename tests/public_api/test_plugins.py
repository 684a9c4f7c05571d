"""Games of other packages: listed by metadata, imported when named, and a sentence when they are broken."""

import json
import sys

import pytest
from typer.testing import CliRunner

from podium import games
from podium.cli.app import app
from podium.errors import PodiumError
from tests.commands import podium

GOOD = """
from dataclasses import replace
from podium.games import load
GAME = replace(load("zuniq"), name="{name}")
"""


@pytest.fixture
def install(tmp_path, monkeypatch):
    """Install a package that offers games: `install("package", source, game="package:GAME")`."""
    monkeypatch.syspath_prepend(str(tmp_path))
    games.load.cache_clear()

    def add(package, source, group="podium.games", **points):
        (tmp_path / f"{package}.py").write_text(source)
        about = tmp_path / f"{package}-1.0.dist-info"
        about.mkdir()
        (about / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {package}\nVersion: 1.0\n")
        lines = [f"{name.replace('__', '.')} = {value}" for name, value in points.items()]
        (about / "entry_points.txt").write_text("\n".join([f"[{group}]", *lines]))

    yield add
    games.load.cache_clear()


def test_a_game_of_a_package_is_listed_without_being_imported_and_then_loaded(install):
    install("parlour", GOOD.format(name="parlour_zuniq"), parlour_zuniq="parlour:GAME")
    assert "parlour_zuniq" in games.names()
    assert "zuniq" in games.names()
    assert "parlour" not in sys.modules
    assert games.load("parlour_zuniq").name == "parlour_zuniq"
    assert games.folder_of("parlour_zuniq").is_dir()


@pytest.mark.parametrize(
    ("package", "source", "sentence"),
    [
        ("raises", "1 / 0", "the game broken of the package raises cannot be loaded: ZeroDivisionError"),
        (
            "base",
            "raise BaseException('odd')",
            "the game broken of the package base cannot be loaded: BaseException: odd",
        ),
        ("exits", "raise SystemExit(3)", "the game broken of the package exits cannot be loaded: SystemExit: 3"),
        ("lacks", "", "the game broken of the package lacks cannot be loaded: AttributeError"),
        ("number", "GAME = 3", "the package number offers number:GAME as a game, but that is of the type int"),
        ("other", GOOD.format(name="chess"), "the package other lists a game broken, but calls it chess itself"),
    ],
)
def test_a_broken_package_is_a_sentence_and_spoils_nothing_else(install, package, source, sentence):
    install(package, source, broken=f"{package}:GAME")
    assert "broken" in games.names()
    assert games.load("zuniq").name == "zuniq"
    with pytest.raises(PodiumError, match=sentence):
        games.load("broken")


def test_a_package_that_is_not_there_is_a_sentence(install):
    install("hollow", "", broken="nowhere:GAME")
    with pytest.raises(PodiumError, match="cannot be loaded: ModuleNotFoundError"):
        games.load("broken")
    with pytest.raises(PodiumError, match="in a module nowhere, which cannot be found"):
        games.folder_of("broken")


def test_two_packages_with_the_same_game(install):
    install("first", GOOD.format(name="rival"), rival="first:GAME")
    install("second", GOOD.format(name="rival"), rival="second:GAME")
    with pytest.raises(PodiumError, match=r"rival is offered by the package .* and by the package .*; uninstall one"):
        games.load("rival")
    assert games.origin("rival").count("the package") == 2


def test_a_game_of_this_package_cannot_be_replaced(install):
    install("usurper", "GAME = 3", zuniq="usurper:GAME")
    assert games.load("zuniq").title == "Zuniq"
    assert games.folder_of("zuniq").parent.name == "games"


def test_the_list_of_games_names_outside_ones_and_imports_none(install):
    install("broken_parlour", "1 / 0", broken="broken_parlour:GAME")
    assert "broken_parlour" in podium("games")
    listed = json.loads(podium("games", "--json"))["games"]
    assert next(game for game in listed if game["name"] == "broken")["source"] == "the package broken_parlour 1.0"
    assert next(game for game in listed if game["name"] == "zuniq")["seats"] == 2


BOT = """
from dataclasses import replace
from podium.games.zuniq.bots.random import KINDS
KIND = replace(KINDS[0], name="clever", summary="from elsewhere")
"""


def test_a_bot_of_a_package_joins_the_bots_of_a_game(install):
    install("guests", BOT, "podium.bots", zuniq__clever="guests:KIND", zuniq__lost="guests:NOTHING")
    game = games.load("zuniq")
    assert list(game.bots)[:1] == ["champion"]
    assert list(game.bots)[-2:] == ["clever", "lost"]
    assert "guests" not in sys.modules
    assert game.kind("clever").summary == "from elsewhere"
    assert game.kind("champion").name == "champion"
    with pytest.raises(PodiumError, match=r"the bot zuniq.lost of the package guests cannot be loaded: AttributeError"):
        game.kind("lost")
    with pytest.raises(PodiumError, match="unknown bot of zuniq 'cleverer'; did you mean clever"):
        game.kind("cleverer")
    assert "clever" not in games.load("wondev_woman").bots


def test_the_list_of_bots_tells_which_one_is_broken(install):
    install("guests_again", BOT, "podium.bots", zuniq__clever="guests_again:KIND", zuniq__lost="guests_again:NOTHING")
    done = CliRunner().invoke(app, ["bots", "zuniq"])
    assert done.exit_code == 0, done.output
    assert "clever: from elsewhere" in done.output
    assert "the bot zuniq.lost of the package guests_again cannot be loaded" in " ".join(done.output.split())
    listed = json.loads(podium("bots", "zuniq", "--json"))["bots"]
    assert [bot["name"] for bot in listed][-2:] == ["random", "clever"]
