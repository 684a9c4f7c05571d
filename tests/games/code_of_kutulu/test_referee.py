"""Faults, settings, and a game from end to end."""

import pytest

from podium.arena.game.play import TimeControl, play_game
from podium.errors import PodiumError
from podium.games import load
from podium.games.code_of_kutulu.referee import KutuluReferee
from podium.games.game import Answer, Ending
from podium.kernel import JIT


def test_faults_put_out_at_once_and_the_others_play_on():
    referee = KutuluReferee(42)
    referee.answer([Answer("WAIT"), Answer(None), Answer("rubbish?"), Answer("WAIT")])
    assert [request.seat for request in referee.requests()] == [0, 3]
    while requests := referee.requests():
        referee.answer([Answer("WAIT") for _ in requests])
    assert referee.outcome.scores[1:3] == (-1, -1)
    assert referee.outcome.ranks[1:3] == (3, 3)
    assert [fault.code for fault in referee.outcome.faults] == [Ending.NO_ANSWER, Ending.MALFORMED]


def test_a_maze_that_does_not_exist_is_refused():
    with pytest.raises(PodiumError, match="Typhoon"):
        KutuluReferee(1, map="Typhon")


def test_greedy_outlives_random():
    game = load("code_of_kutulu")
    wins = 0
    games = 8 if JIT else 1
    for number in range(games):
        referee = game.new_referee(number << 44)
        names = ["random"] * 4
        names[number % 4] = "greedy"
        bots = [game.kind(name).bot(seed=number * 4 + seat) for seat, name in enumerate(names)]
        wins += play_game(referee, bots, TimeControl(nodes=1)).ranks[number % 4] == 1
    assert wins >= games * 0.6
