"""The referee of Zuniq: recordings, claims, scores, errors."""

import gzip
import json
from pathlib import Path

import pytest

from podium.arena.game.recordings import Comparison, read, verify
from podium.games import load
from podium.games.game import Answer, Ending
from podium.games.zuniq.protocol import read_answer
from podium.games.zuniq.referee import ZuniqReferee, bonus
from podium.games.zuniq.setup import initial_state
from tests.games.zuniq.test_rules import SAMPLE_GAME

RECORDINGS = Path(__file__).parents[2] / "recordings" / "zuniq.jsonl.gz"


def played(answers):
    referee = ZuniqReferee(0)
    for answer in answers:
        referee.answer([Answer(answer)])
    return referee


def test_all_recordings_agree():
    total = Comparison()
    for number, recorded in read(RECORDINGS):
        total.add(verify(load("zuniq"), number, recorded))
    assert total.first is None
    assert (total.games, total.positions) == (78, 2515)


@pytest.mark.parametrize("what", ["input", "legal", "score"])
def test_a_wrong_recording_is_noticed(what):
    with gzip.open(RECORDINGS) as file:
        recorded = json.loads(file.readline())
    if what == "input":
        recorded["turns"][5]["input"] = ["A1h"]
    elif what == "legal":
        recorded["legal"][7] = recorded["legal"][7][1:]
    else:
        recorded["result"]["scores"] = [100, 50]
    assert verify(load("zuniq"), 1, recorded).first is not None


def test_the_sample_game():
    referee = played(SAMPLE_GAME)
    assert referee.outcome.scores == (50, 100)
    assert referee.outcome.ending is Ending.NORMAL
    assert referee.requests() == ()


def test_claims():
    lost_claim = played(["E5v!", *SAMPLE_GAME[1:]])
    assert lost_claim.outcome.scores == (0, 100)
    late = [*SAMPLE_GAME[:39], "A1v!"]
    assert played(late).outcome.scores == (50, 100)  # at ply 40 the bonus is 0
    early = [*SAMPLE_GAME[:21], "B6v!", *SAMPLE_GAME[22:37], "F2h!", *SAMPLE_GAME[38:]]
    assert played(early).outcome.scores == (50, 109)  # only the first claim counts


def test_bonus():
    assert [bonus(0, ply) for ply in (1, 19, 21, 37, 39, 41)] == [10, 10, 9, 1, 0, 0]
    assert [bonus(1, ply) for ply in (2, 20, 22, 38, 40)] == [10, 10, 9, 1, 0]


@pytest.mark.parametrize(
    ("line", "ending"),
    [
        (None, Ending.NO_ANSWER),
        ("", Ending.MALFORMED),
        ("a1h", Ending.MALFORMED),
        ("A1H", Ending.MALFORMED),
        ("A6h", Ending.MALFORMED),
        ("F1v", Ending.MALFORMED),
        ("A1h!!", Ending.MALFORMED),
        ("A1h !", Ending.MALFORMED),
        ("E5v", Ending.ILLEGAL),
    ],
)
def test_faults_end_the_game(line, ending):
    referee = played(["E5v", line])
    assert referee.outcome.ending is ending
    assert referee.outcome.scores == (100, 0)
    assert referee.outcome.faults[0].seat == 1


def test_white_space_around_an_answer_is_tolerated():
    assert read_answer(initial_state(0), 0, " \tA1h!\r") == (0, True)


def test_the_time_bank_shrinks_by_what_was_used():
    referee = ZuniqReferee(0)
    referee.answer([Answer("A1h", 1500.0)])
    referee.answer([Answer("A2h", 500.0)])
    (request,) = referee.requests()
    assert (request.milliseconds, request.bank) == (28500.0, True)
