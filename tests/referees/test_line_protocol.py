"""The older protocol: lines that begin with ###."""

import shlex

import pytest

from podium.games.game import Answer, Ending, Limits
from podium.referees.channel import ProcessChannel
from podium.referees.line_protocol import LineReferee, accepts_seeds
from podium.referees.messages import ExternalRefereeError

LIMITS = Limits(1000.0, 100.0)


def game(command, players=2, seed=5):
    return LineReferee(ProcessChannel(shlex.split(command), 10.0), players, seed, LIMITS)


def play(referee, words):
    asked = []
    while requests := referee.requests():
        (request,) = requests
        asked.append(request)
        word = words[request.seat]
        referee.answer([Answer(None if word is None else "\n".join([word] * request.answers))])
    return asked


def test_inputs_are_collected_and_lines_passed_on(script):
    referee = game(script("line_referee.py", "seed"))
    asked = play(referee, ["abc", "abcd"])
    assert [request.seat for request in asked] == [0, 1, 0, 1]
    assert [request.answers for request in asked] == [1, 1, 2, 2]
    assert [request.milliseconds for request in asked] == [1000, 1000, 100, 100]
    assert asked[0].lines[1:] == ["and more"]
    assert referee.outcome.ranks == (2, 1)
    assert referee.outcome.seed == 5


def test_players_may_be_tied(script):
    referee = game(script("line_referee.py", "seed"), players=3)
    play(referee, ["ab", "abc", "ab"])
    assert (referee.outcome.scores, referee.outcome.ranks) == ((0.0, 2.0, 0.0), (2, 1, 2))


def test_who_does_not_answer_is_last_and_the_others_share_the_game(script):
    referee = game(script("line_referee.py", "seed"), players=3)
    play(referee, ["abc", None, "a"])
    assert referee.outcome.ranks == (1, 3, 1)
    assert (referee.outcome.ending, referee.outcome.faults[0].seat) == (Ending.NO_ANSWER, 1)


def test_errors_for_people_are_kept_and_passed_over(script):
    referee = game(script("line_referee.py", "seed", "error"))
    play(referee, ["a", "b"])
    assert referee.archive()["summaries"][0] == "###Error 0 something for people"


def test_a_referee_that_dies_voids_the_game(script):
    referee = game(script("line_referee.py", "seed", "crash"))
    with pytest.raises(
        ExternalRefereeError, match=r"middle of the game; it ended with status 1; on standard error: boom"
    ):
        play(referee, ["a", "b"])


def test_an_end_that_names_not_everybody_voids_the_game():
    referee = game("printf '###End 1\\n'")
    with pytest.raises(ExternalRefereeError, match="each of 2 players once"):
        referee.requests()


@pytest.mark.parametrize(("words", "known"), [(["seed"], True), ([], False), (["crash"], False)])
def test_whether_a_referee_accepts_seeds_is_tried(script, words, known):
    assert accepts_seeds(tuple(shlex.split(script("line_referee.py", *words))), 2) is known
