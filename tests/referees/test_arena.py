"""External referees in the arena: matches, leagues, the store, replays, without a JVM."""

from pathlib import Path

import pytest

from podium.arena.game.record import unpack
from podium.arena.game.replay import replay
from podium.arena.store.store import Store
from podium.arena.store.stored_game import stored_game
from podium.arena.tournament.league import League
from podium.arena.tournament.match import Match
from podium.errors import PodiumError
from podium.games import load
from podium.games.game import Ending
from podium.referees import external


@pytest.fixture
def fake(script):
    return lambda how, options="": f"referee:cmd:{script('fake.py', how)}{options}"


@pytest.fixture
def store(tmp_path):
    return tmp_path / "podium.db"


def played(store, game, *bots, jobs=1, **options):
    """A match's report, its games and their records."""
    with Match(game, *bots, store=store, **{"games": 2, **options}) as match:
        report = match.play(jobs=jobs)
        run = match.run
    with Store(store, create=False) as opened:
        games = list(opened.games(run))
        return report, games, [unpack(opened.record(game.id)) for game in games]


def test_a_match_under_an_external_referee(store, fake, bot):
    report, games, _ = played(store, fake("plain"), bot(5), bot(3))
    assert (report.games, report.score) == (2, 1.0)
    assert [(game.scores, game.ending) for game in games] == [((15.0, 9.0), "normal"), ((9.0, 15.0), "normal")]
    assert games[0].seed == games[1].seed


def test_workers_load_the_game_from_its_name_alone(store, fake, bot):
    report, _, _ = played(store, fake("plain"), bot(5), bot(3), jobs=2, games=6)
    assert (report.games, report.score) == (6, 1.0)


def test_all_of_a_game_is_stored_and_can_be_shown_without_the_referee(store, fake, bot):
    name = fake("plain")
    _, games, records = played(store, name, bot(5), bot(3))
    archive = records[0].archive
    assert archive["steps"][0][0:3] == [0, 1, 1000]
    assert archive["summaries"]["2"] == "$0 named 5\n$1 named 3"
    assert archive["tooltips"] == {"6": [["the end", 0]]}
    assert archive["views"]["0"] == '{"board":1}'
    assert records[0].stderr[0].startswith("seed ")
    seen = []
    rules = load(name)
    with Store(store, create=False) as opened:
        stored = stored_game(opened, games[0])
    referee, departure = stored.replay_to_show(rules, lambda referee, *_: seen.append(rules.scene_of(referee)))
    assert departure is None
    assert seen[2]["summary"] == "$0 named 5\n$1 named 3"
    assert [position["news"] for position in seen] == [True, True, True, False, True, False]
    assert seen[3]["summary"] == seen[2]["summary"]  # for who looks at this step alone
    assert seen[2]["input"][0].startswith("turn 1 number")
    assert seen[0]["view"] == {"board": 1}
    assert "* player 0: the end" in rules.pictures.picture(rules.scene_of(referee)).plain
    assert referee.outcome.scores == (15.0, 9.0)


def test_a_stored_game_is_played_again_through_the_same_referee(store, fake, bot):
    name = fake("filler")
    _, games, records = played(store, name, bot(5, "map"), bot(3, "map"))
    referee = load(name).new_referee(games[0].seed)
    assert replay(referee, records[0]) is None
    assert referee.outcome.scores == games[0].scores
    departure = replay(load(name).new_referee(games[0].seed + 1), records[0])
    assert departure.what == "the prompt of seat 0"


def test_a_step_without_an_answer_reaches_the_bot(store, fake, bot):
    """Only seat 0 gets a map; without one the bot names 0."""
    _, games, records = played(store, fake("filler"), bot(5, "map"), bot(3))
    assert games[0].scores == (15.0, 9.0)
    assert records[0].lines[:3] == ["", "5", "3"]


def test_answers_of_several_lines(store, fake, bot):
    _, games, records = played(store, fake("lines"), bot(5, "lines"), bot(3, "lines"))
    assert games[0].scores == (45.0, 27.0)
    assert records[0].lines[0] == "5\n5\n5"


def test_a_bot_that_dies_is_disqualified_and_the_reason_is_the_arenas(store, fake, bot):
    _, games, _ = played(store, fake("plain"), bot(5, "quit"), bot(3))
    assert games[0].ending == Ending.NO_ANSWER.value
    (fault,) = games[0].faults
    assert (fault.seat, fault.cause, fault.evidence) == (0, "crashed", {"status": 3})


def test_a_bot_that_is_expelled_and_keeps_its_points_is_disqualified(store, fake, bot):
    """As in Spring 2020: the score is not negative, only a tooltip tells."""
    report, games, _ = played(store, fake("points"), bot(5, "bad"), bot(3))
    (fault,) = games[0].faults
    assert games[0].scores[0] >= 0
    assert (fault.seat, fault.cause) == (0, "illegal")
    assert report.faults[0] == {"illegal": 2}
    (warning,) = (text for text in report.warnings if "was disqualified in 2 of 2 games: illegal" in text)
    assert "Invalid Input: expected a number" in warning


def test_an_answer_that_the_referee_refuses_is_illegal(store, fake, bot):
    _, games, _ = played(store, fake("plain"), bot(5, "bad"), bot(3))
    (fault,) = games[0].faults
    assert (fault.seat, fault.cause) == (0, "illegal")
    assert "gave invalid input and is disqualified" in fault.detail


def test_parameters_are_settings_and_part_of_the_run(store, fake, bot):
    report, games, _ = played(store, fake("plain"), bot(5), bot(3), settings={"turns": 1})
    assert games[0].scores == (5.0, 3.0)
    other, _, _ = played(store, fake("plain", ":set.turns=1"), bot(5), bot(3))
    assert other.run != report.run


def test_the_seed_is_the_one_that_was_played(store, fake, bot):
    _, games, _ = played(store, fake("deaf"), bot(5), bot(3))
    assert games[0].seed < 10**6
    assert games[0].seed != games[1].seed


def test_games_in_which_the_referee_fails_are_annulled_and_the_match_goes_on(store, fake, bot):
    report, games, _ = played(store, fake("unsteady"), bot(5), bot(3), games=16)
    annulled = [game for game in games if game.ending == Ending.ANNULLED.value]
    assert report.annulled == len(annulled) > 0
    assert report.games == 16 - len(annulled)
    assert report.score == 1.0
    assert all(
        "java.lang.IllegalStateException: boom at com.codingame.game.Referee" in game.detail for game in annulled
    )
    assert all(game.seed % 3 == 2 for game in annulled)
    assert any("annulled" in text for text in report.warnings)


@pytest.mark.parametrize(
    ("how", "expected"), [("fail", "boom"), ("early", "without asking anybody"), ("nonsense.py", "ended in the middle")]
)
def test_a_referee_that_cannot_play_ends_the_run_before_it_begins(store, script, bot, how, expected):
    command = script("fake.py", how) if "." not in how else script(how)
    with pytest.raises(PodiumError, match=expected):
        played(store, f"referee:cmd:{command}", bot(5), bot(3))


def test_four_players_share_a_table(store, fake, bot):
    report, games, _ = played(store, fake("plain", ":players=4"), bot(5), bot(3), games=6)
    assert report.score == 1.0
    assert sorted(games[0].scores) == [9.0, 9.0, 15.0, 15.0]


def test_a_league(store, fake, bot):
    with League(fake("plain", ":players=3"), [bot(5), bot(3), bot(1)], rounds=2, store=store) as league:
        report = league.play(jobs=1)
    assert [row.bot.split()[-1] for row in report.ratings] == ["5", "3", "1"]


def test_a_changed_referee_is_another_run(store, tmp_path, script, bot):
    source = script("fake.py").split()[-1]
    own = tmp_path / "own.py"
    own.write_text(Path(source).read_text())
    name = f"referee:cmd:{script('fake.py').replace(source, str(own))} plain"
    first, _, _ = played(store, name, bot(5), bot(3))
    again, _, _ = played(store, name, bot(5), bot(3))
    assert again.run == first.run
    own.write_text(own.read_text() + "# changed\n")
    load.cache_clear()
    external._game.cache_clear()
    other, _, _ = played(store, name, bot(5), bot(3))
    assert other.run != first.run


def test_it_has_no_bots_of_its_own(fake):
    with pytest.raises(PodiumError, match="has no bot 'champion'"):
        load(fake("plain")).named("champion")


def test_brutaltester_runs_the_bots_itself(store, script):
    name = f"referee:brutaltester:{script('fake_brutaltester.py', 'd')}"
    report, games, records = played(store, name, "cmd:/bin/true", "cmd:/bin/true long")
    assert report.score == 0.0
    assert [game.scores[0] < game.scores[1] for game in games] == [True, False]
    assert 0 <= games[0].seed < 2**31
    assert records[0].archive["told"]["summaries"] == ["league 0"]
    assert any("runs the bots itself" in text for text in report.warnings)
    assert not any("same seed" in text for text in report.warnings)


def test_games_of_a_script_with_different_seeds_are_different(store, script):
    name = f"referee:brutaltester:{script('fake_brutaltester.py', 'd')}:seeds=d"
    report, _, _ = played(store, name, "cmd:/bin/true", "cmd:/bin/true long", games=12)
    assert report.distinct_games == 12


def test_a_jar_that_ignores_seeds_is_warned_about(store, script):
    report, _, _ = played(
        store, f"referee:brutaltester:{script('fake_brutaltester.py', 'deaf')}", "cmd:/bin/true", "cmd:/bin/echo"
    )
    assert any("ignores its seed" in text for text in report.warnings)


def test_psyleague_scripts_run_unchanged(store, script):
    report, games, _ = played(
        store, f"referee:psyleague:{script('fake_psyleague.py', 'plain')}", "cmd:/bin/true", "cmd:/bin/true long"
    )
    assert report.score == 0.0
    assert {game.seed for game in games} == {77}
    assert any("not the same seed" in text for text in report.warnings)


def test_a_script_that_fails_now_and_then_annuls_its_games(store, script, tmp_path):
    name = f"referee:psyleague:{script('fake_psyleague.py', f'later:{tmp_path}/played')}"
    report, games, _ = played(store, name, "cmd:/bin/true", "cmd:/bin/echo", games=4)
    assert report.annulled == 4
    assert "`ranks` of 2 players" in games[0].sentence


def test_the_old_protocol_in_the_arena(store, script, bot):
    name = f"referee:old:{script('line_referee.py', 'seed')}"
    words = "cmd:" + script("number_bot.py", "77"), "cmd:" + script("number_bot.py", "7")
    report, games, _ = played(store, name, *words)
    assert (report.games, report.score) == (2, 1.0)
    assert games[0].sentence == "player 0, then player 1"


def test_one_exact_seed_or_several_of_a_file(store, fake, bot, tmp_path):
    _, games, records = played(store, fake("plain"), bot(5), bot(3), games=4, seeds="5")
    assert {game.seed for game in games} == {5}
    assert "seed" in records[0].stderr[0]
    assert records[0].stderr[0] != records[2].stderr[0]  # the bots' own seeds differ from block to block
    (tmp_path / "seeds.txt").write_text("11\n-12\n")
    report, games, _ = played(store, fake("plain"), bot(5), bot(3), games=6, seeds=str(tmp_path / "seeds.txt"))
    assert [game.seed for game in games] == [11, 11, -12, -12, 11, 11]
    assert report.run == "r2"
    again, _, _ = played(store, fake("plain"), bot(5), bot(3), games=6, seeds="11,-12")
    assert again.run == "r2"


@pytest.mark.parametrize("seeds", ["many", "1,", str(2**63)])
def test_seeds_that_are_none_are_a_sentence(store, fake, bot, seeds):
    with pytest.raises(PodiumError, match="seeds"):
        played(store, fake("plain"), bot(5), bot(3), seeds=seeds)


def test_the_seed_is_no_setting_of_an_external_referee(store, fake, bot):
    with pytest.raises(PodiumError, match="--seeds 5 plays one exact seed"):
        played(store, fake("plain"), bot(5), bot(3), settings={"seed": 5})


def test_an_unknown_scheme_or_name_is_a_sentence():
    with pytest.raises(PodiumError, match="unknown game"):
        load("nobody:x")
    with pytest.raises(PodiumError, match="there is no referee"):
        load("referee:/nowhere/x.jar")
