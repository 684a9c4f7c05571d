"""Answers of several lines, and lines that want no answer."""

import sys

from podium.arena.game.limits import Clock, TimeControl
from podium.arena.game.play import play_game
from podium.arena.game.players import InProcessPlayer
from podium.arena.game.record import Recorder
from podium.arena.processes.program import Program
from podium.games.game import Answer, AnswerVerdict, Bot, Ending, Outcome, Referee, Request

ECHO = "import sys\nfor line in sys.stdin:\n    print(*line.split(), sep='\\n', flush=True)"


def program(source=ECHO):
    return Program([sys.executable, "-S", "-E", "-c", source])


def test_an_answer_may_have_several_lines():
    one = program()
    heard = one.ask(["a b c"], 5000.0, wanted=3)
    one.close()
    assert (heard.line, heard.verdict) == ("a\nb\nc", AnswerVerdict.ANSWERED)


def test_lines_beyond_those_wanted_answer_the_next_prompt():
    one = program()
    first = one.ask(["a b c d"], 5000.0, wanted=2)
    second = one.ask(["e"], 5000.0, wanted=2)
    one.close()
    assert first.line == "a\nb"
    assert second.line == "c\nd"
    assert second.verdict is AnswerVerdict.EXTRA_LINES


def test_too_few_lines_are_no_answer():
    one = program()
    one.ask(["x"], 5000.0)  # it is up
    heard = one.ask(["a b"], 200.0, wanted=3)
    one.close()
    assert (heard.line, heard.verdict) == (None, AnswerVerdict.SILENT)
    assert heard.evidence["unfinished"] == "a\nb\n"


def test_lines_that_want_no_answer_reach_a_program_before_the_prompt():
    one = program("print('told', input(), 'asked', input(), flush=True)")
    one.tell(["map"])
    heard = one.ask(["go"], 5000.0)
    one.close()
    assert heard.line == "told map asked go"


def test_what_a_full_pipe_does_not_take_goes_with_the_next_prompt():
    count = "import sys\nprint(sum(len(line) for line in iter(sys.stdin.readline, 'end\\n')), flush=True)"
    one = program(count)
    one.tell(["x" * 99_999, "y" * 99_999])
    heard = one.ask(["end"], 5000.0)
    one.close()
    assert heard.line == "200000"


class Telling(Referee):
    """Tells seat 0 a map, then asks it for two lines."""

    def __init__(self):
        self.state, self.turn, self.outcome = None, 0, None
        self.answers: list[Answer] = []

    def requests(self):
        if self.outcome:
            return ()
        return (Request(0, ["map"], 0.0, answers=0) if self.turn == 0 else Request(0, ["go"], 1000.0, answers=2),)

    def answer(self, answers):
        self.answers += answers
        self.turn += 1
        if self.turn == 2:
            self.outcome = Outcome((1.0,), (1,), Ending.NORMAL, "over")


class Repeating(Bot):
    def reply(self, lines, budget):
        return "\n".join(lines)


def test_a_bot_of_this_process_gets_them_with_its_prompt_and_both_steps_are_recorded():
    referee, recorder = Telling(), Recorder()
    play_game(referee, [Repeating()], TimeControl(), recorder.add)
    assert [answer.line for answer in referee.answers] == ["", "map\ngo"]
    assert recorder.record.seats == [0, 0]
    assert recorder.record.verdicts == {}


def test_telling_costs_no_time():
    player = InProcessPlayer(Repeating())
    player.tell(["map"])
    clock = Clock(TimeControl())
    clock.start(Request(0, [], 1000.0))
    assert player.ask(Request(0, ["go"], 1000.0), clock).line == "map\ngo"
    assert player.ask(Request(0, ["again"], 1000.0), clock).line == "again"
