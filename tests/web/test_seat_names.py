"""Sentences about games name the bots instead of their seats."""

import pytest

from podium.games import load
from podium.web.seat_names import with_names


@pytest.mark.parametrize(
    ("game", "bots", "sentence", "expected"),
    [
        ("zuniq", ["v1", "v2"], "White drew the last wall at ply 39", "v1 drew the last wall at ply 39"),
        ("zuniq", ["v1", "v2"], "Black lost at ply 3: late", "v2 lost at ply 3: late"),
        ("zuniq", ["v1", "v1"], "seat 1 was disqualified: late", "v1 (seat 1) was disqualified: late"),
        (
            "code_of_kutulu",
            ["a", "b", "a", "c"],
            "Explorers 0 and 3 stayed sane the longest, to turn 90",
            "a (seat 0) and c stayed sane the longest, to turn 90",
        ),
        (
            "fall_challenge_2020",
            ["x", "y"],
            "94 to 33 after 40 turns: player 0 brewed six",
            "94 to 33 after 40 turns: x brewed six",
        ),
        ("code4life", ["player 1", "y"], "player 0 and player 7", "player 1 and player 7"),
        ("code4life", ["White", "y"], "200 rounds were played", "200 rounds were played"),
    ],
)
def test_seats_are_named(game, bots, sentence, expected):
    assert with_names(sentence, load(game), bots) == expected
