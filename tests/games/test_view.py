"""A bot that keeps a view follows a game the same way whether it is asked or only told."""

import pytest

from podium.errors import PodiumError
from podium.games import load, names
from podium.games.game import Answer, Bot, Option
from podium.games.loop import run_game
from podium.games.toolkit import SearchBot
from podium.games.view import View, ViewBot
from podium.model.budget import NO_LIMIT, Budget
from podium.search.alphabeta import AlphaBeta


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


class Doubler(ViewBot):
    def choose(self, budget):
        return 2 * self.state


def test_the_view_sees_prompts_and_real_answers():
    asked, told = Doubler(Adding()), Doubler(Adding())
    assert asked.reply(["3"], NO_LIMIT) == "say 6"
    told.observe(["3"], "say 6")
    assert asked.state == told.state == 9
    told.observe(["1"], "say 5")
    assert told.reply(["0"], NO_LIMIT) == "say 30"


def test_a_bot_that_cannot_join_says_so():
    class Mute(Bot):
        def reply(self, lines, budget):
            return ""

    with pytest.raises(PodiumError, match="Mute"):
        Mute().observe(["3"], "x")


class Opinionated(Doubler):
    """Thinks that every move is worth its number, as long as it is below ten."""

    def score_moves(self, moves, budget):
        return [Option(self.view.answer_of(move), float(move), line=["then"]) if move < 10 else None for move in moves]


class Reading(Adding):
    def move_of(self, line):
        return int(line.split()[1]) if line.startswith("say ") else None


@pytest.mark.parametrize(
    ("line", "value", "played", "expected"),
    [("say 5", 6.0, 5.0, ["then"]), ("say 6", 6.0, 6.0, ["then"]), ("say 12", 6.0, None, []), (None, 6.0, None, [])],
)
def test_a_bot_judges_what_was_answered_and_follows_it(line, value, played, expected):
    bot = Opinionated(Reading())
    judged = bot.judge(["3"], line, Budget(nodes=10))
    assert (judged.answer, judged.value, judged.played, judged.line) == ("say 6", value, played, expected)
    assert bot.state == 3 + (int(line.split()[1]) if line else 0)


def test_a_bot_without_opinions_of_moves_judges_by_what_it_thought():
    bot = Doubler(Reading())
    judged = bot.judge(["3"], "say 5", Budget(nodes=10))
    assert (judged.answer, judged.value, judged.played) == ("say 6", None, None)


@pytest.mark.compiled
@pytest.mark.parametrize("name", names())
def test_champions_judge_games_of_others(name):
    """They have an answer of their own at every turn, and where they agree with what was played it costs nothing."""
    game = load(name)
    judge, players = game.kind("champion").bot(), [game.kind("random").bot(seed=seat) for seat in range(game.seats)]
    weighed = 0

    def answering(requests):
        nonlocal weighed
        answers = []
        for request in requests:
            line = players[request.seat].reply(request.lines, NO_LIMIT)
            if request.seat == 0:
                judged = judge.judge(request.lines, line, Budget(nodes=40))
                weighed += judged.value is not None and judged.played is not None
                if judged.answer == line:
                    assert judged.played == judged.value
            answers.append(Answer(line))
        return answers

    run_game(game.new_referee(4), answering)
    assert weighed >= 5


@pytest.mark.compiled
@pytest.mark.parametrize("name", names())
def test_views_read_what_they_write(name):
    """The move that an answer of a random bot stands for is written so that it reads as the same move again."""
    game = load(name)
    views = [game.view() for _ in range(game.seats)]
    players = [game.kind("random").bot(seed=seat) for seat in range(game.seats)]

    def answering(requests):
        answers = []
        for request in requests:
            view, line = views[request.seat], players[request.seat].reply(request.lines, NO_LIMIT)
            view.read(request.lines)
            move = view.move_of(line)
            if move is not None:
                assert view.move_of(view.answer_of(move)) == move
            view.answered(line)
            answers.append(Answer(line))
        return answers

    run_game(game.new_referee(4), answering)


def test_the_lines_of_a_search_are_written_in_the_states_in_which_they_are_played():
    """The enemy's move in Wondev Woman has no text in the state of the seat that thinks."""
    game = load("wondev_woman")
    state = game.initial_state(seed=1)
    bot = SearchBot(game.view(), lambda: AlphaBeta(game, evaluate=lambda state, seat: 0.0), state)
    prompt = game.new_referee(1).requests()[0].lines
    assert bot.reply(prompt, Budget(nodes=300)) == bot.thoughts.line[0]
    assert len(bot.thoughts.line) > 1
    for text in bot.thoughts.line:
        state = game.after(state, text)
