"""Who was disqualified is known from what the referee says, whatever the scores are."""

from dataclasses import replace

import pytest

from podium.games.game import AnswerVerdict, Ending
from podium.referees.expulsion import expulsion
from podium.referees.recorded_sessions import read_sessions
from tests.referees.test_recorded_sessions import FILES, played

DEAD = {4: [("$0  frightened to death", 0)]}


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("Invalid Input: Expected MOVE <x> <y> | WAIT but got ''", Ending.ILLEGAL),
        ("Wrong output!", Ending.ILLEGAL),
        ("$0 outputs 2 (1 required)!", Ending.ILLEGAL),
        ("Timeout!", Ending.NO_ANSWER),
        ("$0 did not output in time!", Ending.NO_ANSWER),
    ],
)
def test_a_tooltip_about_the_answer_is_enough(text, code):
    fault = expulsion(0, 7.0, 3, {4: [(text, 0)]}, {})
    assert (fault.seat, fault.code, fault.turn) == (0, code, 4)
    assert text.removeprefix("$0") in fault.detail
    assert expulsion(1, 7.0, 3, {4: [(text, 0)]}, {}) is None  # the tooltip is on the other player
    assert expulsion(0, 7.0, 4, {4: [(text, 0)]}, {}) is None  # the player was asked again


def test_a_referee_that_remarks_on_answers_without_taking_the_player_out():
    remarks = {2: [("Invalid action: no such cell", 0)], 9: [("Invalid action: no such cell", 0)]}
    assert expulsion(0, 7.0, 8, remarks, {}) is None
    assert expulsion(0, -1.0, 8, remarks, {}).code is Ending.ILLEGAL


def test_a_line_of_the_summary_needs_a_negative_score_unless_it_says_disqualified():
    assert expulsion(0, 120.0, 3, DEAD, {4: "Invalid move from $0"}) is None
    assert expulsion(0, -1.0, 3, DEAD, {4: "Invalid move from $0"}).code is Ending.ILLEGAL
    assert expulsion(0, 0.0, 3, {}, {4: "¤RED¤$0: disqualified!§RED§"}).detail.endswith("player 0: disqualified!")
    assert expulsion(0, 5.0, 3, {}, {4: "$0 eliminated $1"}) is None


def test_an_answer_that_the_engine_calls_late_is_late():
    """The third strike of engine 4.7: the answer came, and the arena forgave it."""
    fault = expulsion(0, -1.0, 3, {4: [("timeout!", 0)]}, {})
    assert (fault.code, fault.verdict, fault.cause) == (Ending.NO_ANSWER, AnswerVerdict.LATE, AnswerVerdict.LATE)


def with_points(session):
    """The session with scores that hide who was taken out, as Spring 2020 and Spring 2022 give them."""
    exchange = []
    for way, lines in session.exchange:
        at = next((i for i, line in enumerate(lines) if way == "from" and line.startswith("[[SCORES]")), len(lines))
        exchange.append((way, lines[:at] + [line.replace(" -1", " 3") for line in lines[at:]]))
    return replace(session, exchange=exchange)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name.partition(".")[0])
def test_the_faults_of_recorded_sessions_do_not_depend_on_the_scores(path):
    found = 0
    for session in read_sessions(path):
        if session.ended != "scores":
            continue
        try:
            told, hidden = (played(each).outcome for each in (session, with_points(session)))
        except Exception as error:
            assert "without asking anybody" in str(error) or "ended in the middle" in str(error)
            continue
        assert min(hidden.scores) >= 0
        assert hidden.faults == told.faults
        found += len(told.faults)
    assert found >= 5
