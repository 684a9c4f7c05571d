"""A bot that keeps a view follows a game the same way whether it is asked or only told."""

import pytest

from podium.errors import PodiumError
from podium.games.follow import Follower, View
from podium.games.game import Bot
from podium.kernel.budget import NO_LIMIT


class Adding(View):
    """The sum of the numbers that either player has said."""

    def __init__(self):
        self.state = 0
        self.seat = 0

    def read(self, lines):
        self.state += int(lines[0])

    def answer_of(self, move):
        return f"say {move}"

    def answered(self, line):
        self.state += int(line.split()[1])


class Doubler(Follower):
    def choose(self, budget):
        return 2 * self.state


def test_the_view_sees_prompts_and_real_answers():
    asked, told = Doubler(Adding()), Doubler(Adding())
    assert asked.reply(["3"], NO_LIMIT) == "say 6"
    told.follow(["3"], "say 6")
    assert asked.state == told.state == 9
    told.follow(["1"], "say 5")
    assert told.reply(["0"], NO_LIMIT) == "say 30"


def test_a_bot_that_cannot_join_says_so():
    class Mute(Bot):
        def reply(self, lines, budget):
            return ""

    with pytest.raises(PodiumError, match="Mute"):
        Mute().follow(["3"], "x")
