"""The engine's protocol, one rule at a time; whole sessions are in test_sessions."""

import pytest

from podium.games.game import Answer, Ending
from podium.referees.engine import property_line
from podium.referees.messages import ExternalRefereeError
from tests.referees.scripted import game, message, question, result


def play(referee, *lines, spent=0.0):
    """Answer with each of some lines; None is no answer."""
    for line in lines:
        assert len(referee.requests()) == 1
        referee.answer([Answer(line, spent)])
    assert referee.requests() == ()
    return referee.outcome


def reason(referee):
    with pytest.raises(ExternalRefereeError) as caught:
        referee.requests()
    return str(caught.value)


def test_the_seed_is_what_the_referee_says_at_the_end():
    referee, channel = game(question(0), result(1, 0, parameters=("map=3", "seed=-99")))
    assert play(referee, "a").seed == -99
    assert channel.heard[:4] == ["[[INIT] 2]", "2", "seed=7", "[[GET_GAME_INFO] 0]"]
    assert channel.released == [True]


def test_an_answer_is_passed_on_as_it_is():
    referee, channel = game(question(0, lines=["[[FAIL] 3]", ""]), result(1, 0))
    (request,) = referee.requests()
    assert list(request.lines) == ["[[FAIL] 3]", ""]
    play(referee, "  MOVE 1\t\x00 ")
    assert channel.heard[4:6] == ["[[SET_PLAYER_OUTPUT] 1]", "  MOVE 1\t\x00 "]


@pytest.mark.parametrize("sign", ["\r", "\x85", "\u2028", "\u2029"])
def test_what_ends_a_line_for_java_becomes_a_blank(sign):
    referee, channel = game(question(0), result(1, 0))
    play(referee, f"MOVE{sign}1")
    assert channel.heard[4:6] == ["[[SET_PLAYER_OUTPUT] 1]", "MOVE 1"]


def test_exactly_as_many_lines_as_are_wanted():
    referee, channel = game(question(0, wanted=2), question(0, wanted=3), result(1, 0))
    play(referee, "a\nb\nc", "a\nb")
    assert channel.heard[4:7] == ["[[SET_PLAYER_OUTPUT] 2]", "a", "b"]
    assert channel.heard[8] == "[[SET_PLAYER_TIMEOUT] 0]"


def test_a_step_without_an_answer_is_answered_at_once_even_for_a_player_who_is_out():
    referee, channel = game(question(0), question(0, wanted=0, limit=1000, lines=["map"]), question(1), result(-1, 5))
    (request,) = referee.requests()
    assert request.answers == 1
    referee.answer([Answer(None)])
    (request,) = referee.requests()
    assert (request.answers, list(request.lines)) == (0, ["map"])
    outcome = play(referee, "", "x")
    assert channel.heard[6] == "[[SET_PLAYER_OUTPUT] 0]"
    assert [(fault.seat, fault.code) for fault in outcome.faults] == [(0, Ending.NO_ANSWER)]


def test_monitoring_engines_receive_whole_milliseconds_and_at_most_the_limit():
    first = [*message("MONITORING"), *question(0, limit=1050)]
    referee, channel = game(first, question(0, limit=100), question(0, wanted=0, limit=100), result(1, 0))
    (request,) = referee.requests()
    assert request.milliseconds == 1000  # engines from 4.7 on announce 50 ms more than the contest gives
    referee.answer([Answer("a", 12.9)])
    (request,) = referee.requests()
    assert request.milliseconds == 50
    play(referee, "b", "", spent=77.0)
    assert channel.heard[4:7] == ["[[SET_PLAYER_OUTPUT] 2]", "12", "a"]
    assert channel.heard[8:11] == ["[[SET_PLAYER_OUTPUT] 2]", "50", "b"]
    assert channel.heard[12:14] == ["[[SET_PLAYER_OUTPUT] 1]", "50"]


def test_engines_may_receive_what_was_measured():
    first = [*message("MONITORING"), *question(0, limit=1050)]
    referee, channel = game(first, result(1, 0), measured=True)
    play(referee, "a", spent=1030.5)
    assert channel.heard[5] == "1030"


def test_the_first_monitoring_engine_adds_nothing_to_its_limits():
    referee, _ = game([*message("MONITORING"), *question(0, limit=1000)], question(0, limit=50), result(1, 0))
    assert referee.requests()[0].milliseconds == 1000
    referee.answer([Answer("a")])
    assert referee.requests()[0].milliseconds == 50


@pytest.mark.parametrize("limit", [0, -200])
def test_no_time_left_is_a_timeout_without_a_question(limit):
    referee, channel = game(question(0), question(0, limit=limit), result(-1, 3))
    play(referee, "a", "too late")
    assert channel.heard[7] == "[[SET_PLAYER_TIMEOUT] 0]"
    assert "has no time left" in referee.outcome.detail


def test_who_timed_out_is_what_the_arena_did_not_a_score():
    referee, _ = game(question(0), question(1), result(-1, 4))
    assert play(referee, "a", "b").faults == ()
    referee, _ = game(question(0), question(1), result(16, 4))
    assert [fault.seat for fault in play(referee, None, "b").faults] == [0]


def test_a_player_who_is_asked_again_was_not_put_out():
    referee, _ = game(question(0), question(0), result(3, 4))
    assert play(referee, None, "b").faults == ()


def test_a_referee_that_says_whom_it_put_out_is_believed():
    end = [*message("SUMMARY", "¤RED¤$1 provided invalid input§RED§"), *result(5, -1)]
    referee, _ = game(question(0), question(1), end)
    outcome = play(referee, "a", "b")
    assert [(fault.seat, fault.code) for fault in outcome.faults] == [(1, Ending.ILLEGAL)]
    assert outcome.faults[0].detail == "player 1 was disqualified: player 1 provided invalid input"


def test_four_players_of_whom_two_drop_out():
    blocks = [question(seat) for seat in (0, 1, 2, 3, 0, 3)]
    referee, _ = game(*blocks, result(9, -1, -1, 9), players=4)
    outcome = play(referee, "a", None, None, "d", "a", "d")
    assert outcome.ranks == (1, 3, 3, 1)
    assert [fault.seat for fault in outcome.faults] == [1, 2]
    assert outcome.ending is Ending.NORMAL


def test_what_is_kept_of_a_game():
    turn = [*message("VIEW", "KEY_FRAME 0", '{"a":1}'), *message("SUMMARY", "first"), *question(0, lines=["in", "put"])]
    end = [*message("VIEW", "KEY_FRAME 1", "{}"), *message("TOOLTIP", "two", "lines", "1", "", "0"), *result(1, 0)]
    referee, _ = game(turn, end)
    play(referee, "a")
    kept = referee.archive()
    assert kept["steps"] == [(0, 1, 50, "in\nput")]
    assert kept["summaries"] == {0: "first"}
    assert kept["tooltips"] == {1: [("two\nlines", 1), ("", 0)]}
    assert kept["views"] == {0: '{"a":1}', 1: "{}"}
    assert kept["parameters"] == ["seed=7"]


def test_views_are_kept_up_to_a_bound():
    big = "x" * 600_000
    blocks = [[*message("VIEW", f"KEY_FRAME {i}", big), *question(0)] for i in range(3)]
    referee, _ = game(*blocks, result(1, 0))
    play(referee, "a", "b", "c")
    assert list(referee.transcript.views) == [0]


@pytest.mark.parametrize(
    ("blocks", "expected"),
    [
        (
            [message("FAIL", "java.lang.Boom: x", "\tat com.codingame.game.Referee.init(R.java:3)")],
            "Boom: x at com.codin",
        ),
        ([[*message("VIEW", "KEY_FRAME 0"), *message("FAIL", "first"), *message("FAIL", "again")]], "failed: first"),
        ([[]], "ended in the middle of the game; it ended with status 1"),
        ([["Error: could not find main class"]], "it printed 'Error: could not find main class'"),
        ([result(0, 0)], "without asking anybody"),
        ([[*question(0, wanted=0), *result(0, 0)]], None),
        ([question(2)], "asks player 2, but there are 2"),
        ([message("NEXT_PLAYER_INFO", "0", "one", "50")], "three numbers"),
        ([["[[SCORES] 2]", "0 5"]], "SCORES should hold 2 players"),
    ],
)
def test_a_referee_that_fails_voids_the_game_with_a_reason(blocks, expected):
    referee, channel = game(*blocks)
    if expected is None:  # a filler step is no question either
        referee.requests()
        referee.answer([Answer("")])
        expected = "without asking anybody"
    assert expected in reason(referee)
    assert expected in reason(referee)  # and it stays so
    assert channel.released == [False]


def test_unknown_messages_are_skipped_by_their_count():
    referee, _ = game([*message("NEWS", "[[SCORES] 1]", "x"), *question(0)], result(1, 0))
    assert play(referee, "a").scores == (1.0, 0.0)


def test_leaving_a_game_releases_its_channel():
    referee, channel = game(question(0), result(1, 0))
    referee.requests()
    referee.close()
    assert channel.released == [False]
    assert "abandoned" in reason(referee)


@pytest.mark.parametrize(
    ("key", "value", "line"),
    [
        ("seed", "4", "seed=4"),
        ("path", "C:\\x", "path=C:\\\\x"),
        ("text", "  a\nb", "text=\\  a\\nb"),
        ("a b", "c", "a\\ b=c"),
        ("über", "é\u2028", "über=é "),
    ],
)
def test_parameters_are_written_as_java_reads_them(key, value, line):
    assert property_line(key, value) == line
