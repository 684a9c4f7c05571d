"""The loop of every game: who is asked, in which order, and how it ends."""

import pytest

from podium.games.game import Answer, Bot, Budget
from podium.games.loop import play_bots, run_game
from tests.arena.numbers_game import NumbersReferee


class Constant(Bot):
    def __init__(self, number):
        self.number = number

    def reply(self, lines, budget):
        return str(self.number)


def test_a_game_is_asked_for_to_its_end():
    seen = []
    referee = NumbersReferee(2, True, seed=1, turns=2)
    outcome = play_bots(referee, [Constant(3), Constant(5)], Budget(0, nodes=1), lambda *turn: seen.append(turn))
    assert outcome is referee.outcome
    assert outcome.scores == (6.0, 10.0)
    assert [[request.seat for request in requests] for requests, _ in seen] == [[0], [1], [0], [1]]
    assert [answer.line for _, (answer,) in seen] == ["3", "5", "3", "5"]


def test_a_turn_of_several_seats_is_answered_as_one():
    turns = []

    def answering(requests):
        turns.append([request.seat for request in requests])
        return [Answer("1") for _ in requests]

    assert run_game(NumbersReferee(4, False, seed=1, turns=3), answering).scores == (3.0,) * 4
    assert turns == [[0, 1, 2, 3]] * 3


def test_what_a_bot_raises_is_the_callers():
    with pytest.raises(AttributeError):
        play_bots(NumbersReferee(2, True, seed=1), [None, None], Budget(0))
