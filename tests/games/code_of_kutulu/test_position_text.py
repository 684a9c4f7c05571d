"""Positions as text."""

import pytest

from podium.errors import PodiumError
from podium.games.code_of_kutulu.mazes import MAZES
from podium.games.code_of_kutulu.position_text import read, stored_positions, write

LINES = stored_positions()


@pytest.mark.parametrize("line", LINES)
def test_positions_survive_writing_and_reading(line):
    state, seat = read(line.split())
    assert write(state, seat) == line


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("maze:Typhon", "Typhoon"),
        ("maze:Typhoon", "needs maze:, settings:"),
        ("wandrer:1,2", "wanderer"),
        ("wanderer:1,2", "expected 6 numbers"),
        ("maze:Typhoon settings:3,1,3,30 turn:0 seat:0 explorer:0,0,0,250,2,3", "no walkable cell"),
        ("maze:Typhoon settings:3,1,3,30 turn:0 seat:0", "no explorer"),
        ("maze:Typhoon settings:3,1,3,30 turn:0 seat:7", "seats are 0 to 3"),
    ],
)
def test_bad_positions_are_refused_in_a_sentence(line, sentence):
    with pytest.raises(PodiumError, match=sentence):
        read(line.split())


def test_the_stored_positions_are_from_many_mazes():
    mazes = {int(read(line.split())[0].maze) for line in LINES}
    assert len(mazes) >= len(MAZES) // 2
