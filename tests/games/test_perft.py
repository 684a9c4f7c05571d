"""Perft: the numbers of move sequences from known positions, for every game; rules that change change these counts.

Zuniq's counts are also those of its plain twin; all of them were the same with the compiler and without.
"""

import json
from pathlib import Path

import pytest

from podium.games import load, names
from podium.games.game import Answer
from podium.games.loop import requests_of
from podium.kernel import JIT
from podium.search.perft import perft

PERFT = json.loads((Path(__file__).parents[1] / "golden" / "perft.json").read_text())
MOST_WITHOUT_JIT = 3000  # sequences
CASES = [pytest.param(name, case, id=f"{name}-{index}") for name in PERFT for index, case in enumerate(PERFT[name])]


def state_after(game, seed, answers):
    referee, rest = game.new_referee(seed), list(answers)
    while rest:
        given = [Answer(rest.pop(0)) for _ in requests_of(referee)]
        referee.answer(given)
    return referee.state


def test_every_game_has_counts():
    assert sorted(PERFT) == sorted(names())


@pytest.mark.parametrize(("name", "case"), CASES)
def test_counts(name, case):
    game = load(name)
    state = state_after(game, case["seed"], case["answers"])
    counts = [count for count in case["counts"] if JIT or count <= MOST_WITHOUT_JIT]
    assert [perft(state, depth, game.rules.most_moves) for depth in range(1, len(counts) + 1)] == counts
