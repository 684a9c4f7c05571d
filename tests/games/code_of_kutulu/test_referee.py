"""Answers, faults, and what a bot can read from its prompts."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from podium.arena.play import Allowance, play_game
from podium.errors import PodiumError
from podium.games import load
from podium.games.code_of_kutulu.mazes import MAZES
from podium.games.code_of_kutulu.reader import Reader
from podium.games.code_of_kutulu.referee import KutuluReferee, read_answer
from podium.games.code_of_kutulu.state import LIGHT, PLAN, WAIT, YELL
from podium.games.game import Answer, Budget, Ending, MalformedError
from podium.kernel import JIT
from podium.kernel.clock import NEVER

MAZE = MAZES[4]
START = MAZE.starts[0]
X, Y = MAZE.points[START]


@pytest.mark.parametrize(
    ("line", "choice"),
    [
        ("WAIT", WAIT),
        ("wait", WAIT),
        ("Plan 3 4", PLAN),
        ("LIGHT\tlet there be", LIGHT),
        ("yell ", YELL),
        ("UP", 0),
        ("left bye", 3),
        (f"MOVE {X} {Y}", WAIT),
        ("MOVE 0 0", WAIT),
        ("Move -5 99 off the map", WAIT),
        ("MOVE 2147483647 -2147483648", WAIT),
        (f"MOVE 000{X} -0", WAIT),
    ],
)
def test_answers_that_are_understood(line, choice):
    assert read_answer(line, MAZE, START) == choice


def test_a_move_begins_with_the_first_step_of_the_way():
    for direction, there in enumerate(MAZE.neighbours(START)):
        if there != 255:
            x, y = MAZE.points[there]
            assert read_answer(f"MOVE {x} {y} !", MAZE, START) == direction


@pytest.mark.parametrize(
    "line",
    [
        *("", " WAIT", "WAIT;", "MOVE", "MOVE 3", "MOVE  1 2", "MOVE 1 2x", "MOVE +1 2", "MOVE,1,2", "DANCE"),
        *("MOVE 1 2147483648", "WAIT\u00a0x", "MOVE \u0661 2", "MOVE " + "9" * 5000 + " 1", "P\u0130AN", "YEL\u017f"),
    ],
)
def test_answers_that_put_a_player_out(line):
    with pytest.raises(MalformedError):
        read_answer(line, MAZE, START)


@given(st.text())
def test_any_text_is_a_choice_or_malformed(line):
    try:
        assert 0 <= read_answer(line, MAZE, START) <= YELL
    except MalformedError as error:
        assert str(error)


def test_faults_put_out_at_once_and_the_others_play_on():
    referee = KutuluReferee(42)
    referee.answer([Answer("WAIT"), Answer(None), Answer("rubbish?"), Answer("WAIT")])
    assert [request.seat for request in referee.requests()] == [0, 3]
    while requests := referee.requests():
        referee.answer([Answer("WAIT") for _ in requests])
    assert referee.outcome.scores[1:3] == (-1, -1)
    assert referee.outcome.ranks[1:3] == (3, 3)
    assert [fault.ending for fault in referee.outcome.faults] == [Ending.NO_ANSWER, Ending.MALFORMED]


def test_a_maze_that_does_not_exist_is_refused():
    with pytest.raises(PodiumError, match="Typhoon"):
        KutuluReferee(1, "Typhon")


# What the prompts tell exactly. Not: the generator, choices, and a slasher's memory just after a death.
TOLD = (
    *(
        "maze",
        "lonely",
        "group",
        "spawn_time",
        "life_time",
        "turn",
        "living",
        "slashed",
        "lights_on",
        "yells",
        "yelled",
    ),
    *("plans", "lights", "plan_left", "shelter", "minions"),
)
TOLD_OF_MINIONS = ("slasher", "where", "mode", "timer", "number")


@pytest.mark.parametrize("kind", ["random", "greedy"])
def test_a_reader_knows_what_the_referee_knows(kind):
    game = load("code_of_kutulu")
    for seed in (5, 2**40 + 3, 2**50 + 9) if JIT else (5,):
        referee = game.new_referee(seed)
        readers = [Reader() for _ in range(4)]
        bots = [game.kind(kind).bot(seed=seed + seat) for seat in range(4)]
        deaths = agreed = 0
        living = 15
        while requests := referee.requests():
            state = referee.state
            deaths += living != int(state.living)
            living = int(state.living)
            for request in requests:
                known = readers[request.seat].read(request.lines)
                for name in TOLD:
                    assert known[name].tolist() == state[name].tolist(), (name, referee.turn)
                count = int(state.minions)
                for name in TOLD_OF_MINIONS:
                    assert known[name][:count].tolist() == state[name][:count].tolist(), (name, referee.turn)
                for seat in range(4):
                    if state.living >> seat & 1:
                        assert (known.cell[seat], known.sanity[seat]) == (state.cell[seat], state.sanity[seat])
                if deaths == 0:
                    assert known.remembered[:count].tolist() == state.remembered[:count].tolist(), referee.turn
                    agreed += 1
            referee.answer([Answer(bots[r.seat].reply(r.lines, Budget(NEVER, nodes=1))) for r in requests])
        assert agreed > 20


@pytest.mark.parametrize(
    ("lines", "sentence"),
    [
        (["5", "x"], "must open with"),
        (["2", "2", "##", "##", "3 1 3 30", "0"], "none of the sixteen"),
        (["17", "17"], "must open with"),
    ],
)
def test_prompts_that_no_referee_sends_are_refused_in_a_sentence(lines, sentence):
    with pytest.raises(PodiumError, match=sentence):
        Reader().read(lines)


def test_a_broken_entity_is_shown_in_the_error():
    lines = list(KutuluReferee(42).requests()[0].lines)
    lines[-1] = "EXPLORER 3 here"
    with pytest.raises(PodiumError, match="EXPLORER 3 here"):
        Reader().read(lines)


def test_greedy_outlives_random():
    game = load("code_of_kutulu")
    wins = 0
    games = 8 if JIT else 1
    for number in range(games):
        referee = game.new_referee(number << 44)
        names = ["random"] * 4
        names[number % 4] = "greedy"
        bots = [game.kind(name).bot(seed=number * 4 + seat) for seat, name in enumerate(names)]
        wins += play_game(referee, bots, Allowance(nodes=1)).ranks[number % 4] == 1
    assert wins >= games * 0.6
