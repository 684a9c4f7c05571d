"""Importing replays: recorded games of the contests' own referees agree; differences are reported and stored."""

import json
import sys
from pathlib import Path

import pytest

import podium
from podium.arena.store.store import Store
from podium.errors import PodiumError
from podium.games import load
from podium.pack.replay_files import read_replays
from podium.pack.site_games import import_replays
from podium.pack.site_verdicts import SiteVerdict, find_game, play_again
from podium.web.repository import Repository
from tests.commands import podium as command
from tests.pack.replays import SHAPES, numbers_game, recorded, result_of, save

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
    (results,) = report.results
    by_opponent = {row["value"]: row["games"] for row in results.rows() if row["attribute"] == "opponent"}
    assert by_opponent == {"opponent 1": 2, "opponent 0": 1}
    again = import_replays([tmp_path], store)
    assert (again.known, again.runs) == (3, report.runs)
    assert podium.replay(report.runs[0], store=store).headline.startswith("3 games agree")
    shown = json.loads(command("show", report.runs[0], "--store", str(store), "--json"))
    assert shown["games"] == 3 and shown["imported"]
    assert command("show", report.runs[0], "--store", str(store)).splitlines()[1] == "played on the contest's site"
    assert "MOVE&BUILD" in command("show", "g1", "--store", str(store))
    with Store(store, create=False) as opened:
        assert [game.round for game in opened.games(opened.run(1))] == [1, 2, 3]


def test_the_command_and_other_peoples_names(tmp_path):
    save(tmp_path / "a.json", result_of(recorded("code4life")))
    save(tmp_path / "b.json", {"code": "UNAUTHORIZED"})
    options = ("--store", str(tmp_path / "s.db"), "--me", "ann")
    text = command("import", str(tmp_path / "a.json"), "--anonymous", *options)
    assert "games imported in r1 (code4life): 1 (agrees: 1)" in text
    assert "bob" not in text
    data = json.loads(command("import", str(tmp_path), *options, "--json"))
    assert data["refused"][0].endswith("UNAUTHORIZED")
    assert command("import", str(tmp_path / "b.json"), *options, code=2) == "nothing imported\n"


def test_settings_of_a_file_win_over_what_the_seed_draws_and_stay_with_the_game(tmp_path):
    """Two games in one run with maps that their seeds would not draw; a third one has that of its seed."""
    game, store = load("wondev_woman"), tmp_path / "s.db"
    maps = {}
    for number in range(1, 60):
        recording = recorded("wondev_woman", number)
        drawn = game.contest.attributes(game.initial_state(recording["seed"]))["map"]
        given = (recording.get("params") or {}).get("mapIndex")
        if given is not None and ("square", "diamond", "random")[int(given)] != drawn:
            maps[number] = ("square", "diamond", "random")[int(given)]
        if len(maps) == 2:
            break
    assert maps, "no recording has a map of its own"
    for number in maps:
        save(tmp_path / f"{number}.json", result_of(recorded("wondev_woman", number), ("me", "you"), game_id=number))
    report = import_replays([tmp_path], store, me="me")
    assert [found.agreement for found in report.games] == [SiteVerdict.AGREES] * len(maps)
    assert podium.replay(report.runs[0], store=store).departures == ()
    assert "departure" not in json.loads(command("show", "g1", "--store", store, "--json"))
    if len(set(maps.values())) > 1:
        rows = podium.slices(report.runs[0], by=["map"], store=store).rows()
        assert {row["value"] for row in rows} == set(maps.values())


def test_a_game_that_agrees_in_part_can_be_looked_at_and_reviewed(tmp_path):
    result = result_of(recorded("fall_challenge_2020"), ("me", "you"))
    cut = result | {"frames": result["frames"][:21], "gameId": 5}
    save(tmp_path / "a.json", cut)
    report = import_replays([tmp_path / "a.json"], tmp_path / "s.db")
    (found,) = report.games
    assert (found.agreement, found.turn) == (SiteVerdict.PARTLY, 10)
    store = ("--store", tmp_path / "s.db")
    shown = json.loads(command("show", "g1", *store, "--json"))
    assert "departure" not in shown
    assert shown["sentence"].startswith("agrees up to turn 10: ") or "agrees up to turn 10: " in shown["sentence"]
    assert {answer["ms"] for answer in shown["answers"]} == {None}
    assert "time unknown" in command("show", "g1", *store)
    review = podium.review("g1", seat=0, bot="champion", nodes=20, store=tmp_path / "s.db")
    assert len(review.turns) == 10
    assert podium.replay("g1", store=tmp_path / "s.db").departures == ()
    assert "ms" not in command("show", "r1", *store).split("score")[0], "there are no times to show"


def test_a_time_out_in_a_seat_that_plays_on_and_one_under_another_seats_number(tmp_path):
    from podium.games.game import Request
    from podium.pack.replay_files import ReplayFrame, SiteReplay
    from podium.pack.site_verdicts import _Answers

    def replay(*frames):
        steps = tuple(ReplayFrame(seat, text) for seat, text in frames)
        return SiteReplay("a", 1, steps, (1.0, 0.0), (0, 1), ("a", "b"), {"seed": "1"})

    def taken(answers, *seats):
        return [answers.take(Request(seat, (), 0.0))[0] for seat in seats]

    skipped = replay((0, "A\n"), (0, ""), (0, "B\u2028C\n"))
    assert taken(_Answers(skipped), 0, 0) == ["A", "B\u2028C"], "only LF ends a line"
    assert taken(_Answers(skipped, tolerant=True), 0, 0, 0) == ["A", None, "B\u2028C"]
    other = replay((0, "A\n"), (0, ""), (0, "B\n"))
    assert taken(_Answers(other), 0, 1, 0) == ["A", None, "B"], "seat 1 gave no answer, in a frame of seat 0"


def test_time_outs_are_counted(tmp_path):
    """A recorded game in which a seat gave no answer; the site has an empty text there."""
    games = ((number, recorded("fall_challenge_2020", number)) for number in range(1, 80))
    number, game = next((n, g) for n, g in games if any(turn["output"] is None for turn in g["turns"]))
    late = next(turn["player"] for turn in game["turns"] if turn["output"] is None)
    save(tmp_path / "a.json", result_of(game, ("ann", "bob"), game_id=number))
    report = import_replays([tmp_path], tmp_path / "s.db", me=("ann", "bob")[late])
    assert report.games[0].agreement is SiteVerdict.AGREES
    (results,) = report.results
    assert (results.games, results.timeouts) == (1, 1)
    assert "; 1 time-out" in command("show", "r1", "--store", tmp_path / "s.db")
    faults = json.loads(command("show", "r1", "--store", tmp_path / "s.db", "--json"))["last_games"][0]["faults"]
    assert [fault["code"] for fault in faults if fault["seat"] == late] == ["no_answer"]


def test_a_player_is_named_right_and_never_a_program(tmp_path):
    save(tmp_path / "a.json", result_of(recorded("code4life"), ("ann", "cmd:touch /tmp/x")))
    with pytest.raises(PodiumError, match="did you mean ann"):
        import_replays([tmp_path], tmp_path / "s.db", me="anne")
    with pytest.raises(PodiumError, match="did you mean code4life"):
        import_replays([tmp_path], tmp_path / "s.db", game="code4lif")
    import_replays([tmp_path], tmp_path / "s.db", me="ann")
    assert Repository(tmp_path / "s.db").programs("code4life") == []
    with pytest.raises(PodiumError, match=r"unknown bot of code4life 'ann'; known: (?!.*ann)"):
        podium.match("code4life", "ann", "wait", store=tmp_path / "s.db")


def test_a_game_is_imported_once_whatever_the_names(tmp_path):
    save(tmp_path / "a.json", result_of(recorded("code4life"), game_id=7_123_456_789))
    first = import_replays([tmp_path], tmp_path / "s.db", me="ann", anonymous=True)
    again = import_replays([tmp_path], tmp_path / "s.db", me="ann")
    assert (first.known, again.known) == (0, 1)
    assert b"bob" not in (tmp_path / "s.db").read_bytes()


def test_a_good_game_beside_a_bad_one_is_imported(tmp_path):
    good = result_of(recorded("code4life"))
    save(tmp_path / "a.json", [good, good | {"ranks": [5]}, {"code": "X"}])
    report = import_replays([tmp_path], tmp_path / "s.db")
    assert (len(report.games), len(report.refused)) == (1, 2)
    assert "[1]" in report.refused[0]


def test_a_game_of_an_unknown_contest_is_another_game_wherever_it_is_tried(tmp_path):
    """Its answers disqualify each seat at its first one: nothing of it agrees, though the referee asked both seats."""
    frames = [{"agentId": seat, "stdout": "1 2 BOOST\n3 4 50\n"} for _ in range(5) for seat in (0, 1)]
    result = {"frames": frames, "gameId": 1, "refereeInput": "seed=5\nmap=1 2\n", "scores": [1.0, 0.0], "ranks": [0, 1]}
    save(tmp_path / "a.json", result)
    save(tmp_path / "b.json", result | {"gameId": 2, "refereeInput": ""})
    report = import_replays([tmp_path], tmp_path / "s.db")
    assert [found.agreement for found in report.games] == [SiteVerdict.ANOTHER]
    assert report.games[0].outcome.annulment == "no_result", "it counts in no league: the contest was guessed"
    assert "on the site 1, 0" in json.loads(command("show", "g1", "--store", tmp_path / "s.db", "--json"))["sentence"]
    assert "b.json has no seed" in report.refused[0], "and it does not stop the others"
    named = import_replays([tmp_path], tmp_path / "named.db", game="code4life")
    assert named.games[0].outcome.scores == (1.0, 0.0)
    store = ("--store", tmp_path / "named.db")
    assert json.loads(command("show", "g1", *store, "--json"))["answers"] == [], "none of them agrees"
    assert "no better move" in command("review", "g1", "--nodes", 5, *store)
    with pytest.raises(PodiumError, match="seat 1 is never asked in g1"):
        command("analyze", "code4life", "g1", "--nodes", 5, *store)


def test_another_game_counts_only_in_a_contest_that_is_named(tmp_path):
    """For four players there is one game: it would be a guess all the same."""
    result = result_of(recorded("code_of_kutulu")) | {"refereeInput": "seed=5\nmap=1 2\n"}
    titled = {"puzzleTitle": ["Code of Kutulu"], "gameResult": result | {"gameId": 2}}
    save(tmp_path / "a.json", [result, titled])
    guessed, told = import_replays([tmp_path], tmp_path / "s.db").games
    assert {found.agreement for found in (guessed, told)} == {SiteVerdict.ANOTHER}
    assert (guessed.outcome.annulment, told.outcome.annulment) == ("no_result", None)


def test_a_game_of_more_players_than_the_named_one_is_refused(tmp_path):
    save(tmp_path / "a.json", result_of(recorded("code_of_kutulu")))
    report = import_replays([tmp_path], tmp_path / "s.db", game="code4life")
    assert not report.games
    assert report.refused == (f"{tmp_path}/a.json has 4 players, and Code 4 Life has 2",)


def test_a_setting_that_a_game_does_not_know_is_another_game(tmp_path):
    replay = replay_of(tmp_path, "code_of_kutulu", refereeInput="seed=1\nmap=10312 3389\n")
    found = find_game(replay)
    assert found.agreement is SiteVerdict.ANOTHER
    assert "map" in found.reason


@pytest.mark.parametrize("number", [1, 2])
def test_a_game_text_of_codecup(tmp_path, number):
    game = recorded("zuniq", number)
    moves, scores = game["moves"], game["result"]["scores"]
    text = f"# a game\n159658 ann - bob jr. {scores[0]:g}:{scores[1]:g} {' '.join(moves)}\n"
    (tmp_path / "a.txt").write_text(text)
    report = import_replays([tmp_path / "a.txt"], tmp_path / "s.db")
    (found,) = report.games
    assert (found.agreement, found.game, found.replay.names) == (SiteVerdict.AGREES, "zuniq", ("ann", "bob jr."))
    assert list(found.outcome.scores) == scores
    (tmp_path / "b.txt").write_text(f"{' '.join(moves)}\nnot a game\n{' '.join(moves[:-3])}\n")
    other = import_replays([tmp_path / "b.txt"], tmp_path / "s.db")
    assert [each.agreement for each in other.games] == [SiteVerdict.AGREES, SiteVerdict.PARTLY]
    assert list(other.games[0].outcome.scores) == scores, "the referee knows them"
    assert other.games[1].outcome.annulment == "no_result"
    assert "line 2" in other.refused[0]


def test_games_of_a_referee_of_its_own_with_the_parameters_of_the_file(tmp_path):
    save(tmp_path / "a.json", numbers_game(3, "seed=5\n"))
    save(tmp_path / "b.json", numbers_game(2, "seed=5\nturns=2\n"))
    save(tmp_path / "c.json", numbers_game(4, "seed=5\nturns=6\n"))
    save(tmp_path / "d.json", numbers_game(5, "seed=5\n") | {"frames": [{"agentId": 1, "stdout": "1\n"}]})
    fake = Path(__file__).parents[1] / "referees" / "fake.py"
    report = import_replays([tmp_path], tmp_path / "s.db", game=f"referee:cmd:{sys.executable} -S -E {fake} plain")
    verdicts = [found.agreement for found in report.games]
    assert verdicts == [SiteVerdict.AGREES, SiteVerdict.AGREES, SiteVerdict.PARTLY, SiteVerdict.ANOTHER], report.rows()
    assert "another game" in command("show", "g4", "--store", tmp_path / "s.db")
    for words in (("review", "g1"), ("analyze", report.games[0].game, "g1")):
        with pytest.raises(PodiumError, match="has no bots of its own"):
            command(*words, "--nodes", 5, "--store", tmp_path / "s.db")
    for game in ("g1", "g2", "g3"):
        shown = json.loads(command("show", game, "--store", tmp_path / "s.db", "--json"))
        assert "departure" not in shown
        assert shown["answers"][0]["line"] == "0"


def test_a_short_game_is_taken_for_the_contest_of_the_long_ones(tmp_path):
    """Two players who answer nonsense at once lose in every contest."""
    title, game = "fall_challenge_2020", recorded("fall_challenge_2020")
    nonsense = {
        "seed": 5,
        "turns": [{"player": seat, "output": ["nonsense"]} for seat in (0, 1)],
        "result": {"scores": [-1, -1], "ranks": [1, 1]},
    }
    save(tmp_path / "a.json", result_of(nonsense, game_id=1))
    alone = import_replays([tmp_path], tmp_path / "alone.db")
    save(tmp_path / "b.json", result_of(game, game_id=2))
    report = import_replays([tmp_path], tmp_path / "s.db")
    assert alone.games[0].agreement is SiteVerdict.AGREES and alone.games[0].game != title
    assert [(found.game, found.agreement) for found in report.games] == [(title, SiteVerdict.AGREES)] * 2
    assert [found.replay.game_id for found in report.games] == [1, 2], "in the order of the files"


def test_half_an_emoji_long_names_and_seeds_beyond_64_bits(tmp_path):
    """A site cuts long texts anywhere, and names and seeds are free texts."""
    result = result_of(recorded("code4life"), ("x" * 5000, "a\n\ud83d b \U0001f600"))
    result["frames"][1]["stderr"] = "cut \ud83d..."
    save(tmp_path / "a.json", result | {"refereeInput": "seed=9999999999999999999\n"})
    report = import_replays([tmp_path], tmp_path / "s.db")
    (found,) = report.games
    assert (found.replay.names, found.replay.seed) == (("x" * 60, "a \ufffd b \U0001f600"), 0)
    assert found.replay.frames[0].stderr == "cut \ufffd..."
    assert "cut \ufffd..." in command("show", "g1", "--store", tmp_path / "s.db")


def test_a_text_without_moves_and_scores_is_no_game(tmp_path):
    file = tmp_path / "bot.py"
    file.write_text('row, column = "ABCDEF".index(name[0]), int(name[1]) - 1\n')
    with pytest.raises(PodiumError):
        read_replays(file)


def test_a_game_text_of_codecup_may_end_with_a_fault(tmp_path):
    """With the scores it agrees: whose turn it was lost there. Without them nobody knows how it ended."""
    game = recorded("zuniq", 55)
    assert game["result"]["note"] == "illegal"
    moves, (white, black) = " ".join(game["moves"]), game["result"]["scores"]
    text = f"1 ann - bob {white:g}:{black:g} {moves}\n2 ann - bob 0:100\n{moves}\n"
    (tmp_path / "a.txt").write_text(text)
    report = import_replays([tmp_path / "a.txt"], tmp_path / "s.db")
    told, at_once, silent = report.games
    assert (told.agreement, told.outcome.scores) == (SiteVerdict.AGREES, (white, black))
    assert (at_once.agreement, at_once.outcome.scores) == (SiteVerdict.AGREES, (0.0, 100.0))
    assert silent.agreement is not SiteVerdict.AGREES and "the replay has ended" in silent.reason
    assert not report.refused
