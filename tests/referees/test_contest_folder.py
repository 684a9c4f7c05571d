"""What the repository of a contest says beside its referee."""

import shutil

import pytest

from podium.cli.options import name_for_players
from podium.errors import PodiumError
from podium.games import load
from podium.referees.contest_folder import ContestFolder, contest_folder
from podium.referees.external import league_caveats, league_text
from tests.referees.conftest import needs_java


@pytest.fixture
def project(tmp_path):
    """Make the folder of a project: its config.ini, and a number of leagues."""

    def made(text, leagues=0):
        (tmp_path / "target").mkdir()
        (tmp_path / "config").mkdir()
        (tmp_path / "config" / "config.ini").write_text(text)
        for level in range(1, leagues + 1):
            (tmp_path / "config" / f"level{level}").mkdir()
        return tmp_path

    return made


def test_it_is_read_from_the_project_or_above_a_jar(project):
    folder = project("title=Game\nmin_players=3\nmax_players=3\ntype=multi\n", leagues=4)
    for path in (folder, folder / "target" / "x.jar"):
        assert contest_folder(path) == ContestFolder((3, 3), "multi", 4)
    assert contest_folder(folder).fixed_players == 3


def test_nothing_is_known_without_it(tmp_path):
    assert contest_folder(tmp_path / "x.jar") == ContestFolder()


def test_the_league_is_named_with_how_many_there_are_and_the_default_warns():
    assert league_text(2, 4) == "league 2 of 4"
    assert league_text(0, None) == "league 1"
    assert league_text(0, 0) == ""
    (warning,) = league_caveats(0, 4)
    assert warning.startswith("league 1 of 4 is played")
    assert "the highest is 4" in warning
    assert league_caveats(4, 4) == league_caveats(0, 0) == league_caveats(0, 1) == []
    assert "not known" in league_caveats(0, None)[0]


@needs_java
def test_the_number_of_players_is_that_of_the_contest_where_it_is_fixed(project, jar):
    folder = project("min_players=3\nmax_players=3\ntype=multi\n", leagues=2)
    shutil.copy(jar, folder / "target" / "x.jar")
    game = load(f"referee:{folder}")
    assert game.seats == 3
    assert game.contest.source.endswith("league 1 of 2")
    assert load(name_for_players(f"referee:{folder}", 3)).seats == 3
    for players in (2, 4):
        with pytest.raises(PodiumError, match=f"has 3 players.* not {players}"):
            name_for_players(f"referee:{folder}", players)


@needs_java
def test_a_game_for_three_or_four_is_played_by_as_many_as_are_asked_for(project, jar):
    folder = project("min_players=3\nmax_players=4\ntype=multi\n")
    shutil.copy(jar, folder / "target" / "x.jar")
    with pytest.raises(PodiumError, match=r"has 3 to 4 players \(config.ini\), not 2: give --players"):
        load(f"referee:{folder}")
    assert load(name_for_players(f"referee:{folder}", 3)).seats == 3


@needs_java
@pytest.mark.parametrize("text", ["min_players=1\nmax_players=1\ntype=opti\n", "min_players=1\nmax_players=1\n"])
def test_a_game_for_one_player_is_refused_with_a_sentence(project, jar, text):
    folder = project(text)
    shutil.copy(jar, folder / "target" / "x.jar")
    with pytest.raises(PodiumError, match=r"is a game for one player \((opti|multi), config.ini\), which cannot be"):
        load(f"referee:{folder}")
