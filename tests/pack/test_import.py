"""Importing replays: recorded games of the contests' own referees agree; differences are reported and stored."""

import json

import pytest

import podium
from podium.arena.store.store import Store
from podium.games import load
from podium.pack.replay_files import read_replays
from podium.pack.site_games import SiteVerdict, find_game, import_replays, play_again, wilson
from tests.commands import podium as command
from tests.pack.replays import SHAPES, recorded, result_of, save

CONTESTS = ("wondev_woman", "code4life", "code_of_kutulu", "fall_challenge_2020")


def replay_of(tmp_path, game, number=1, **changes):
    result = result_of(recorded(game, number)) | changes
    return read_replays(save(tmp_path / "replay.json", result))[0]


@pytest.mark.parametrize("game", CONTESTS)
@pytest.mark.parametrize("number", [1, 7])
def test_a_recorded_game_agrees(tmp_path, game, number):
    found = play_again(load(game), replay_of(tmp_path, game, number))
    assert (found.agreement, found.reason) == (SiteVerdict.AGREES, "")
    assert len(found.recorder.record) == len(recorded(game, number)["turns"])


@pytest.mark.parametrize("game", CONTESTS)
def test_the_contest_is_found(tmp_path, game):
    assert find_game(replay_of(tmp_path, game)).game == game


def test_a_step_in_which_nobody_was_asked_is_dropped(tmp_path):
    result = result_of(recorded("fall_challenge_2020"))
    result["frames"][5:5] = [{"agentId": 0, "stdout": "", "keyframe": True}]
    (replay,) = read_replays(save(tmp_path / "a.json", result))
    assert play_again(load("fall_challenge_2020"), replay).agreement is SiteVerdict.AGREES


def test_an_empty_last_answer_is_a_time_out(tmp_path):
    """The referee ends the game there: seat 1 loses, whatever the scores were."""
    result = result_of(recorded("fall_challenge_2020"))
    result["frames"] = [*result["frames"][:8], {"agentId": 1, "stdout": "", "keyframe": True}]
    (replay,) = read_replays(save(tmp_path / "a.json", result))
    found = play_again(load("fall_challenge_2020"), replay)
    assert found.recorder.record.lines[-1] is None
    assert "scores" in found.reason


def test_another_result_another_seed_and_more_answers_are_told(tmp_path):
    game = load("fall_challenge_2020")
    scores = [float(score) + 1 for score in recorded(game.name)["result"]["scores"]]
    other = play_again(game, replay_of(tmp_path, game.name, scores=scores))
    assert other.agreement is SiteVerdict.PARTLY
    assert "the scores are" in other.reason
    more = result_of(recorded(game.name))["frames"] + [{"agentId": 0, "stdout": "WAIT\n"}]
    assert "1 more answers" in play_again(game, replay_of(tmp_path, game.name, frames=more)).reason
    cut = result_of(recorded(game.name))["frames"][:-3]
    assert "the replay has ended" in play_again(game, replay_of(tmp_path, game.name, frames=cut)).reason
    assert find_game(replay_of(tmp_path, game.name, refereeInput="seed=1\n")).agreement is not SiteVerdict.AGREES


def test_stored_games_are_like_any_others(tmp_path):
    store = tmp_path / "podium.db"
    for number in (1, 2, 3):
        result = result_of(recorded("wondev_woman", number), ("me", f"opponent {number % 2}"), game_id=number)
        save(tmp_path / f"{number}.json", SHAPES["success"](result), zipped=number == 2)
    report = import_replays([tmp_path], store)
    assert report.me == "me"
    assert [found.agreement for found in report.games] == [SiteVerdict.AGREES] * 3
    assert [(row["against"], row["games"]) for row in report.opponents()][:2] == [("opponent 1", 2), ("opponent 0", 1)]
    again = import_replays([tmp_path], store)
    assert (again.known, again.runs) == (3, report.runs)
    assert podium.replay(report.runs[0], store=store).headline.startswith("3 games agree")
    shown = json.loads(command("show", report.runs[0], "--store", str(store), "--json"))
    assert shown["games"] == 3
    assert "MOVE&BUILD" in command("show", "g1", "--store", str(store))
    with Store(store, create=False) as opened:
        assert [game.round for game in opened.games(opened.run(1))] == [1, 2, 3]


def test_the_command_and_other_peoples_names(tmp_path):
    save(tmp_path / "a.json", result_of(recorded("code4life")))
    save(tmp_path / "b.json", {"code": "UNAUTHORIZED"})
    options = ("--store", str(tmp_path / "s.db"), "--me", "ann")
    text = command("import", str(tmp_path / "a.json"), "--anonymous", *options)
    assert "games imported in r1: 1 (agrees: 1)" in text
    assert "bob" not in text
    data = json.loads(command("import", str(tmp_path), *options, "--json"))
    assert data["refused"][0].endswith("UNAUTHORIZED")
    nothing = command("import", str(tmp_path / "b.json"), *options, code=1)
    assert nothing.startswith("nothing imported; files that are no replays: 1")


def test_the_interval_is_wilsons():
    assert wilson(8, 10) == (0.4902, 0.9433)
    assert wilson(0, 5) == (0.0, 0.4345)
