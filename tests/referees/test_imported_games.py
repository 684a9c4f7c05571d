"""Replays of a contest whose referee is a jar: leagues are tried until one agrees, and parameters of the file count."""

import pytest

from podium.errors import PodiumError
from podium.pack.site_games import import_replays
from podium.pack.site_replay import SiteReplay
from podium.pack.site_verdicts import SiteVerdict, _candidates, find_game
from tests.pack.replays import numbers_game, save
from tests.referees.conftest import needs_java


def leagues_of(named, league=None):
    replay = SiteReplay("a", 1, (), (1.0, 0.0), (0, 1), ("a", "b"), {"seed": "1"}, league=league)
    return [name.rpartition("league=")[2].partition(",")[0] for name in _candidates(replay, named)]


def test_which_leagues_are_tried():
    assert leagues_of("referee:x.jar") == ["1", "2", "3", "4", "5", "6"]
    assert leagues_of("referee:x.jar", league=4) == ["4"], "the file tells it"
    assert leagues_of("referee:x.jar:league=2", league=4) == ["2"], "the user tells it"


@needs_java
def test_the_league_that_agrees_is_chosen_and_printed(jar, tmp_path):
    save(tmp_path / "a.json", numbers_game(4, "seed=5\n"))  # four turns are the rule of league 3
    report = import_replays([tmp_path], tmp_path / "s.db", game=f"referee:{jar}")
    (found,) = report.games
    assert found.agreement is SiteVerdict.AGREES, found.sentence
    assert "league=3" in found.game
    assert "league=3" in report.headline


@needs_java
def test_parameters_of_the_file_win(jar, tmp_path):
    save(tmp_path / "a.json", numbers_game(2, "turns=2\nseed=5\n"))
    (found,) = import_replays([tmp_path], tmp_path / "s.db", game=f"referee:{jar}:league=3").games
    assert found.agreement is SiteVerdict.AGREES, found.sentence
    assert found.recorder.record.settings == {"turns": "2"}


@pytest.mark.parametrize(
    ("referee", "sentence"),
    [
        ("referee:missing.jar", "there is no referee"),
        ("referee:cmd:/no/such/program", "was not found"),
        ("referee:", "a referee is named"),
        ("referee:psyleague:true", "cannot play recorded games again"),
    ],
)
def test_a_referee_that_cannot_play_is_one_sentence_however_many_games_there_are(tmp_path, referee, sentence):
    save(tmp_path / "a.json", [numbers_game(4, "seed=5\n")] * 3)
    with pytest.raises(PodiumError, match=sentence):
        import_replays([tmp_path], tmp_path / "s.db", game=referee)
    assert not (tmp_path / "s.db").exists()


def test_a_jar_that_is_not_there_is_a_sentence(tmp_path):
    replay = SiteReplay("a", 1, (), (1.0, 0.0), (0, 1), ("a", "b"), {"seed": "1"})
    with pytest.raises(PodiumError, match=r"x\.jar"):
        find_game(replay, f"referee:{tmp_path}/x.jar")
