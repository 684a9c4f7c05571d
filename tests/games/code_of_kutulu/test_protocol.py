"""Answers: which are understood, and as what."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from podium.errors import PodiumError
from podium.games.code_of_kutulu.mazes import MAZES, NO_CELL
from podium.games.code_of_kutulu.protocol import answer_of, prompts, read_answer
from podium.games.code_of_kutulu.setup import initial_state
from podium.games.code_of_kutulu.state import CHOICES, LIGHT, PLAN, WAIT, YELL
from podium.games.game import MalformedError

STATE = initial_state(42)
MAZE = MAZES[STATE.maze]
START = int(STATE.cell[0])
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
        (f"MOVE {'0' * 5000}{X} {Y}", WAIT),
    ],
)
def test_answers_that_are_understood(line, choice):
    assert read_answer(STATE, 0, line) == choice


def test_a_move_begins_with_the_first_step_of_the_way():
    for direction, there in enumerate(MAZE.neighbours(START)):
        if there != NO_CELL:
            x, y = MAZE.points[there]
            assert read_answer(STATE, 0, f"MOVE {x} {y} !") == direction


@pytest.mark.parametrize(
    "line",
    [
        *("", " WAIT", "WAIT;", "MOVE", "MOVE 3", "MOVE  1 2", "MOVE 1 2x", "MOVE +1 2", "MOVE,1,2", "DANCE"),
        *("MOVE 1 2147483648", "WAIT\u00a0x", "MOVE \u0661 2", "MOVE " + "9" * 5000 + " 1", "P\u0130AN", "YEL\u017f"),
    ],
)
def test_answers_that_put_a_player_out(line):
    with pytest.raises(MalformedError):
        read_answer(STATE, 0, line)


@given(st.text())
def test_any_text_is_a_choice_or_malformed(line):
    try:
        assert 0 <= read_answer(STATE, 0, line) <= YELL
    except MalformedError as error:
        assert str(error)


def test_prompts_are_cut_from_the_stream_of_lines():
    opening = ["3", "2", "###", "#w#", "3 1 3 30"]
    stream = [*opening, "1", "EXPLORER 0 1 1 250 2 3", "0", "two"]
    cut = prompts(iter(stream).__next__)
    assert next(cut) == stream[:7]
    assert next(cut) == ["0"]
    with pytest.raises(PodiumError, match=r"number of entities.*'two'"):
        next(cut)


def test_what_is_answered_is_what_is_read():
    closed = {direction for direction, there in enumerate(MAZE.neighbours(START)) if there == NO_CELL}
    assert closed and len(closed) < WAIT
    for choice in range(CHOICES):
        assert read_answer(STATE, 0, answer_of(STATE, 0, choice)) == (WAIT if choice in closed else choice)
