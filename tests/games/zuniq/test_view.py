"""A player's view of Zuniq, and the bots that keep it."""

import pytest

from podium.errors import PodiumError
from podium.games import load
from podium.games.game import Answer
from podium.games.zuniq.referee import ZuniqReferee
from podium.games.zuniq.view import View
from podium.model.budget import Budget
from tests.games.zuniq.test_rules import SAMPLE_GAME

GAME = load("zuniq")


@pytest.mark.parametrize("seat", [0, 1])
def test_the_view_is_the_referee_s_state(seat):
    referee, view = ZuniqReferee(0), View()
    for wall in SAMPLE_GAME:
        (request,) = referee.requests()
        if request.seat == seat:
            view.read(request.lines)
            assert view.seat == seat
            assert bytes(view.state) == bytes(referee.state)
            view.answered(wall)
        referee.answer([Answer(wall)])


@pytest.mark.parametrize("name", ["champion", "alphazero", "uct", "random"])
def test_a_bot_that_was_told_answers_like_one_that_was_asked(name):
    asked, told = (GAME.kind(name).bot({"memory": 4} if name != "random" else {}, seed=5) for _ in range(2))
    budget = Budget(nodes=5)
    first = asked.reply(["Start"], budget)
    told.observe(["Start"], first)
    assert bytes(told.state) == bytes(asked.state)


def test_a_claim_is_remembered_and_an_illegal_wall_is_a_mistake():
    view = View()
    view.read(["Start"])
    view.answered("A1h!")
    assert view.claimed
    with pytest.raises(PodiumError, match="A1h is not a legal wall after 1 plies"):
        view.read(["A1h"])
