"""Foreign referees in the arena: matches, leagues, the store, replays, without a Java machine."""

from pathlib import Path

import pytest

from podium.arena.league import League
from podium.arena.match import Match
from podium.arena.record import replay, retell, unpack
from podium.arena.store import Store
from podium.errors import PodiumError
from podium.games import load
from podium.games.game import Ending
from podium.referees import foreign
from podium.referees.foreign import check_players


@pytest.fixture
def bot(script):
    return lambda *words: "cmd:" + script("number_bot.py", *words)


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


def test_a_match_under_a_foreign_referee(store, fake, bot):
    report, games, _ = played(store, fake("plain"), bot(5), bot(3))
    assert (report.games, report.score) == (2, 1.0)
    assert [(game.scores, game.ending) for game in games] == [((15.0, 9.0), "finished"), ((9.0, 15.0), "finished")]
    assert games[0].seed == games[1].seed


def test_workers_load_the_game_from_its_name_alone(store, fake, bot):
    report, _, _ = played(store, fake("plain"), bot(5), bot(3), jobs=2, games=6)
    assert (report.games, report.score) == (6, 1.0)


def test_all_of_a_game_is_kept_and_can_be_told_without_the_referee(store, fake, bot):
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
    referee, departure = retell(rules, {}, games[0], records[0], lambda referee, *_: seen.append(rules.scene(referee)))
    assert departure is None
    assert seen[2]["summary"] == "$0 named 5\n$1 named 3"
    assert [position["news"] for position in seen] == [True, True, True, False, True, False]
    assert seen[3]["summary"] == seen[2]["summary"]  # for who looks at this step alone
    assert seen[2]["input"][0].startswith("turn 1 number")
    assert seen[0]["view"] == {"board": 1}
    assert "* player 0: the end" in rules.picture(rules.scene(referee)).plain
    assert referee.outcome.scores == (15.0, 9.0)


def test_a_stored_game_is_played_again_through_the_same_referee(store, fake, bot):
    name = fake("filler")
    _, games, records = played(store, name, bot(5, "map"), bot(3, "map"))
    referee, departure = replay(load(name), games[0].seed, {}, records[0])
    assert departure is None
    assert referee.outcome.scores == games[0].scores
    _, departure = replay(load(name), games[0].seed + 1, {}, records[0])
    assert departure.what == "the prompt of seat 0"


def test_a_step_without_an_answer_reaches_the_bot(store, fake, bot):
    """The bots end when they are asked before they had a map; only seat 0 is told one."""
    _, games, records = played(store, fake("filler"), bot(5, "map"), bot(3))
    assert games[0].scores == (15.0, 9.0)
    assert records[0].lines[:3] == ["", "5", "3"]


def test_answers_of_several_lines(store, fake, bot):
    _, games, records = played(store, fake("lines"), bot(5, "lines"), bot(3, "lines"))
    assert games[0].scores == (45.0, 27.0)
    assert records[0].lines[0] == "5\n5\n5"


def test_a_bot_that_dies_is_put_out_and_the_reason_is_the_arenas(store, fake, bot):
    _, games, _ = played(store, fake("plain"), bot(5, "quit"), bot(3))
    assert games[0].ending == Ending.NO_ANSWER.value
    assert games[0].faults[0][:2] == (0, "crashed")
    assert "status 3" in games[0].faults[0][2]


def test_an_answer_that_the_referee_refuses_is_illegal(store, fake, bot):
    _, games, _ = played(store, fake("plain"), bot(5, "bad"), bot(3))
    assert games[0].faults[0][:2] == (0, "illegal")
    assert "gave invalid input and is disqualified" in games[0].faults[0][2]


def test_parameters_are_settings_and_part_of_the_run(store, fake, bot):
    report, games, _ = played(store, fake("plain"), bot(5), bot(3), settings={"turns": 1})
    assert games[0].scores == (5.0, 3.0)
    other, _, _ = played(store, fake("plain", ":set.turns=1"), bot(5), bot(3))
    assert other.run != report.run


def test_the_seed_is_the_one_that_was_played(store, fake, bot):
    _, games, _ = played(store, fake("deaf"), bot(5), bot(3))
    assert games[0].seed < 10**6
    assert games[0].seed != games[1].seed


def test_games_in_which_the_referee_fails_are_void_and_the_match_goes_on(store, fake, bot):
    report, games, _ = played(store, fake("unsteady"), bot(5), bot(3), games=16)
    void = [game for game in games if game.ending == Ending.VOID.value]
    assert report.void == len(void) > 0
    assert report.games == 16 - len(void)
    assert report.score == 1.0
    assert all("java.lang.IllegalStateException: boom at com.codingame.game.Referee" in game.sentence for game in void)
    assert all(game.seed % 3 == 2 for game in void)
    assert any("void" in text for text in report.warnings)


@pytest.mark.parametrize(
    ("how", "told"), [("fail", "boom"), ("early", "without asking anybody"), ("nonsense.py", "ended in the middle")]
)
def test_a_referee_that_cannot_play_ends_the_run_before_it_begins(store, script, bot, how, told):
    command = script("fake.py", how) if "." not in how else script(how)
    with pytest.raises(PodiumError, match=told):
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
    foreign._game.cache_clear()
    other, _, _ = played(store, name, bot(5), bot(3))
    assert other.run != first.run


def test_it_has_no_bots_of_its_own(fake):
    with pytest.raises(PodiumError, match="has no bot 'champion' of its own"):
        load(fake("plain")).named("champion")


def test_brutaltester_runs_the_bots_itself(store, script):
    name = f"referee:brutaltester:{script('brutal.py', 'd')}"
    report, games, records = played(store, name, "cmd:/bin/true", "cmd:/bin/true long")
    assert report.score == 0.0
    assert [game.scores[0] < game.scores[1] for game in games] == [True, False]
    assert 0 <= games[0].seed < 2**31
    assert records[0].archive["told"]["summaries"] == ["league 0"]
    assert any("runs the bots itself" in text for text in report.warnings)
    assert not any("same seed" in text for text in report.warnings)


def test_a_jar_that_ignores_seeds_is_warned_about(store, script):
    report, _, _ = played(
        store, f"referee:brutaltester:{script('brutal.py', 'deaf')}", "cmd:/bin/true", "cmd:/bin/echo"
    )
    assert any("ignores its seed" in text for text in report.warnings)


def test_psyleague_scripts_run_unchanged(store, script):
    report, games, _ = played(
        store, f"referee:psyleague:{script('psy.py', 'plain')}", "cmd:/bin/true", "cmd:/bin/true long"
    )
    assert report.score == 0.0
    assert {game.seed for game in games} == {77}
    assert any("not the same seed" in text for text in report.warnings)


def test_a_script_that_fails_now_and_then_voids_its_games(store, script):
    name = f"referee:psyleague:{script('psy.py', 'odd')}"
    report, games, _ = played(store, name, "cmd:/bin/true", "cmd:/bin/echo", games=4)
    assert report.void == 4
    assert "`ranks` of 2 players" in games[0].sentence


def test_the_old_protocol_in_the_arena(store, script, bot):
    name = f"referee:old:{script('old_referee.py', 'seed')}"
    words = "cmd:" + script("number_bot.py", "77"), "cmd:" + script("number_bot.py", "7")
    report, games, _ = played(store, name, *words)
    assert (report.games, report.score) == (2, 1.0)
    assert games[0].sentence == "player 0, then player 1"


def test_the_number_of_players_is_checked_where_the_contest_says_it(tmp_path):
    (tmp_path / "config").mkdir()
    (tmp_path / "target").mkdir()
    (tmp_path / "config" / "config.ini").write_text("title=Game\nmin_players=3\nmax_players=4\ntype=multi\n")
    check_players(tmp_path / "target" / "x.jar", 4)
    with pytest.raises(PodiumError, match=r"x\.jar is played by 3 to 4 \(config.ini\), not by 2"):
        check_players(tmp_path / "target" / "x.jar", 2)


def test_an_unknown_scheme_or_name_is_a_sentence():
    with pytest.raises(PodiumError, match="unknown game"):
        load("nobody:x")
    with pytest.raises(PodiumError, match="there is no referee"):
        load("referee:/nowhere/x.jar")
