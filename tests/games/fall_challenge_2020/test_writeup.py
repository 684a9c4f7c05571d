"""`writeup`: the opponent's beam and mine share a turn as the author's did."""

import pytest

from podium.games import load
from podium.games.fall_challenge_2020.bots import champion
from podium.games.fall_challenge_2020.referee import FallReferee
from podium.games.fall_challenge_2020.view import ME, OTHER
from podium.games.game import Budget
from podium.kernel.clock import MILLISECOND

GAME = load("fall_challenge_2020")


@pytest.fixture
def beams(monkeypatch):
    """A bot whose beams only note what they are asked for: seat, budget, width and depth."""
    bot, asked = GAME.kind("writeup").bot(), []
    bot.view.read(FallReferee(3).requests()[0].lines)
    decide = bot.beam.decide

    def noting(state, seat, budget, *, context, width=0, depth=0, **options):
        asked.append((seat, budget, width or bot.params.width, depth or bot.params.depth))
        return decide(state, seat, Budget(nodes=20), context=context, width=width, depth=depth, **options)

    monkeypatch.setattr(bot.beam, "decide", noting)
    return bot, asked


def test_of_the_nodes_the_opponent_gets_a_quarter(beams):
    bot, asked = beams
    bot.choose(Budget(nodes=80_000))
    (seat, first, *sizes), (me, second, *mine) = asked
    assert (seat, first.nodes, sizes) == (OTHER, 20_000, [150, 15])
    assert (me, second.nodes, mine) == (ME, pytest.approx(60_000, abs=1), [350, 100])


def test_of_50_ms_the_opponent_gets_10_and_i_get_30(beams, monkeypatch):
    bot, asked = beams
    monkeypatch.setattr(champion, "now", lambda: 0)
    bot.choose(Budget(50 * MILLISECOND))
    assert [budget.deadline for _, budget, *_ in asked] == pytest.approx([10 * MILLISECOND, 40 * MILLISECOND])
